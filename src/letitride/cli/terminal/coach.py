"""Coach: the exact value of a choice, the reason, and what a mistake costs; it sees what the player sees, no more."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from letitride.analysis.strategy import ClassValue, advise
from letitride.engine.state import Choice
from letitride.engine.view_types import View
from letitride.rules.cards import Card
from letitride.rules.money import dollars
from letitride.rules.paytables import Pays
from letitride.rules.settlement import BASE_SPOTS


@dataclass(frozen=True, slots=True)
class Advice:
    """What riding a bet is worth with the cards in sight."""

    bet: int
    stake_cents: int
    found: ClassValue

    @property
    def best(self) -> str:
        """The best choice: 'ride', 'withdraw', or 'either' where riding is worth nothing."""
        return "either" if not self.found.value else "ride" if self.found.value > 0 else "withdraw"

    @property
    def cents(self) -> Fraction:
        """What riding wins on average, in cents of this bet."""
        return self.found.value * self.stake_cents

    @property
    def headline(self) -> str:
        """What to do, in a few words."""
        words = {"ride": "let bet {} ride", "withdraw": "take bet {} back", "either": "bet {}: both choices are equal"}
        return words[self.best].format(self.bet)

    def values(self) -> Iterator[str]:
        """Yield what each choice is worth."""
        unit = f"{float(self.found.value):+.4f} of the bet"
        yield f"ride: {unit} on average, {_money(self.cents)} of {dollars(self.stake_cents)} (exactly {self.exact})"
        yield "take back: nothing won, nothing lost"

    def rows(self) -> Iterator[str]:
        """Yield the same in short lines, for a narrow place."""
        unit = f"{float(self.found.value):+.4f}"
        yield f"ride       {_money(self.cents)} ({unit} x {dollars(self.stake_cents)})"
        yield "take back  $0"
        yield f"exactly {self.exact} of the bet"

    @property
    def exact(self) -> str:
        """The value of riding as a fraction."""
        return str(self.found.value)

    @property
    def why(self) -> str:
        """What the cards are."""
        return self.found.feature.words

    def cost_of(self, choice: Choice) -> Fraction:
        """Return what a choice gives away against the best one, in cents."""
        wrong = self.best not in {"either", choice}
        return abs(self.cents) if wrong else Fraction(0)

    def verdict(self, choice: Choice, *, short: bool = False) -> str:
        """Return what is to be said after a choice."""
        cost = self.cost_of(choice)
        if not cost:
            return "Right: both were equal." if self.best == "either" else "Right."
        did = "Riding" if choice == "ride" else "Taking it back"
        if short:
            return f"{did.lower()} gave away {_money(cost, sign=False)}."
        often = 100 * self.found.frequency * self.found.cost
        return (
            f"{did} gave away {_money(cost, sign=False)} on average. Done with every such hand ({self.why}), "
            f"it costs {float(often):.2f} bets in 100 rounds."
        )


def advice(seen: View, seat: int, bet: int, pays: Pays) -> Advice | None:
    """Return the coach's advice on a bet to somebody who sees this much; None where he does not see his cards."""
    mine = seen.seats[seat]
    shown = [*mine.cards, *(card for card in seen.community if not card.startswith("["))]
    cards = [Card.parse(card) for card in shown if not card.startswith("[")]
    stake = mine.wagers.get(BASE_SPOTS[bet - 1], 0)
    if len(cards) != bet + 2 or len(set(cards)) != len(cards) or not stake:
        return None
    return Advice(bet, stake, advise(pays, cards))


def _money(cents: Fraction, *, sign: bool = True) -> str:
    """Return an average amount, to a hundredth of a cent where it is less than one."""
    written = f"${abs(float(cents)) / 100:,.{2 if abs(cents) >= 1 else 4}f}"
    return ("+" if cents > 0 else "-" if cents < 0 else "") * sign + written
