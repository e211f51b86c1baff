"""Coach: what the coach says at the terminal table, in words and lines; it reckons nothing itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from letitride.analysis.strategy import frequency_of
from letitride.engine.state import Choice
from letitride.rules.money import dollars
from letitride.training.coach import Decision, fine_money


@dataclass(frozen=True, slots=True)
class Advice:
    """A decision as it is told to the player."""

    decision: Decision

    @property
    def bet(self) -> int:
        """Which bet the decision is about."""
        return self.decision.bet

    @property
    def best(self) -> str:
        """The best choice: 'ride', 'withdraw', or 'either' where both win the same."""
        return self.decision.best if self.gain else "either"

    @property
    def gain(self) -> Fraction:
        """What riding wins beyond taking the bet back, in units of the bet."""
        return self.decision.value.gain

    @property
    def cents(self) -> Fraction:
        """The same in cents."""
        return self.gain * self.decision.stake_cents

    @property
    def headline(self) -> str:
        """What to do, in a few words."""
        words = {"ride": "let bet {} ride", "withdraw": "take bet {} back", "either": "bet {}: both choices are equal"}
        return words[self.best].format(self.bet)

    def values(self) -> Iterator[str]:
        """Yield what each choice wins."""
        unit, stake = f"{float(self.gain):+.4f} of the bet", dollars(self.decision.stake_cents)
        yield f"ride: {unit} on average, {fine_money(self.cents, signed=True)} of {stake} (exactly {self.exact})"
        yield "take back: nothing won, nothing lost"

    def rows(self) -> Iterator[str]:
        """Yield the same in short lines, for a narrow place."""
        unit = f"{float(self.gain):+.4f}"
        yield f"ride       {fine_money(self.cents, signed=True)} ({unit} x {dollars(self.decision.stake_cents)})"
        yield "take back  $0"
        yield f"exactly {self.exact} of the bet"

    @property
    def exact(self) -> str:
        """What riding wins, as a fraction."""
        return str(self.gain)

    @property
    def why(self) -> str:
        """What the cards are."""
        return self.decision.value.feature.words

    def cost_of(self, choice: Choice) -> Fraction:
        """Return what a choice gives away against the best one, in cents."""
        return self.decision.cost(choice)

    def verdict(self, choice: Choice, *, short: bool = False) -> str:
        """Return what is to be said after a choice."""
        cost = self.cost_of(choice)
        if not cost:
            return "Right: both were equal." if self.best == "either" else "Right."
        did = "Riding" if choice == "ride" else "Taking it back"
        if short:
            return f"{did.lower()} gave away {fine_money(cost)}."
        gave = f"{did} gave away {fine_money(cost)} on average."
        if not self.decision.rules_hold:  # hands of one class may differ under a maximum payout
            return gave
        often = 100 * frequency_of(self.decision.value.feature) * abs(self.gain)
        return f"{gave} Done with every such hand ({self.why}), it costs {float(often):.2f} bets in 100 rounds."
