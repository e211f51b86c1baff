"""Game: a session as one person plays it, with the coach beside him; shared by the lines and by the full screen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from letitride.cli.terminal.coach import Advice
from letitride.cli.terminal.session import Ask, Session
from letitride.cli.terminal.typed import Typed
from letitride.cli.terminal.wanted import CoachMode
from letitride.engine import commands
from letitride.engine.agenda import NO_BANK
from letitride.engine.refusal import Refusal
from letitride.engine.state import Choice
from letitride.errors import InvalidData
from letitride.rules.banking import round_cents_min
from letitride.rules.money import dollars
from letitride.rules.settlement import Spot
from letitride.rules.wager_table import BASE, BASE_SPOTS
from letitride.training.coach import decision_of

_NEXT: Final[dict[CoachMode, CoachMode]] = {"off": "after", "after": "before", "before": "off"}
COACH_WORDS: Final[dict[CoachMode, str]] = {
    "off": "The coach is silent.",
    "after": "The coach speaks after a mistake.",
    "before": "The coach speaks before each choice and after a mistake.",
}


@dataclass(frozen=True, slots=True)
class Chosen:
    """A choice that was made, with what the coach thinks of it."""

    advice: Advice
    choice: Choice
    seat: int


class Game:
    """What a person does at the table, in his own words."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.coach: CoachMode = session.wanted.coach
        first = dict.fromkeys(BASE_SPOTS, session.wanted.bet_cents)
        self._again: dict[int, dict[Spot, int]] = dict.fromkeys(session.hands, first)
        self.chosen: list[Chosen] = []
        """His choices in this round."""

    @property
    def wagers(self) -> dict[Spot, int]:
        """The bets that come again at the seat that is asked, unless the person says otherwise."""
        return self._again[self.session.seat]

    @property
    def which(self) -> str:
        """Which hand is asked, where the person has several."""
        return f"Seat {self.session.seat}. " if len(self.session.hands) > 1 else ""

    @property
    def least_cents(self) -> int:
        """The least that a round takes."""
        return round_cents_min(self.session.wanted.rules.rules)

    @property
    def broke(self) -> bool:
        """Whether his chips are too few for a round."""
        return self.session.stack_cents < self.least_cents

    def advice(self) -> Advice | None:
        """Return what the coach thinks of the choice that is due, whether or not he may say so."""
        decision = decision_of(self.session.table, self.session.seat) if self.session.ask().kind == "choice" else None
        return Advice(decision) if decision else None

    def question(self, ask: Ask, keys: Mapping[str, str] | None = None) -> str:
        """Return what the table asks of him, in words; `keys` take side bets back where there are keys for them."""
        if ask.kind == "choice":
            more = [" T tucks your cards."] * (self.session.offer(commands.Tuck) is not None)
            more += [" V shows or waves your three cards."] * (self.session.offer(commands.Claim) is not None)
            more += [f" {self._back_words(spot, keys or {})}." for spot in self._may_take_back()]
            return f"{self.which}Bet {ask.bet}: R lets it ride, P pulls it back.{''.join(more)}"
        if ask.kind == "bank":
            stake = f"Type your stake, up to {dollars(self.session.stack_cents)}"
            return f"{NO_BANK} {stake}." if ask.must else f"The bank is offered to you. {stake}; D declines."
        if self.broke:
            buys = dollars(self.session.wanted.bankroll_cents)
            held = f"You have {dollars(self.session.stack_cents)}, too little for a round"
            return f"{self.which}{held}: 'buy' buys {buys}{self._pass_words()}, Q leaves."
        sides = ", ".join(wager.title for wager in self.session.wanted.rules.sides)
        with_sides = f" and side bets ({sides})" if sides else ""
        jackpots = "".join(f"{jackpot}. " for jackpot in self.jackpots())
        coupons = "match_play" in self.session.wanted.rules.rules.bet.media
        coupon = "; 'coupon 5' lays a match-play coupon beside the third bet" if coupons else ""
        enter = f"Enter for {self.bets_words()}, or an amount{with_sides}{coupon}{self._pass_words()}"
        return f"{jackpots}{self.which}Your bets: {enter}."

    def _back_words(self, spot: Spot, keys: Mapping[str, str]) -> str:
        """Return how a side bet is taken back, and how much of it comes back."""
        wager, stake = self.session.wanted.rules.by_spot[spot], self.session.mine.wagers[spot]
        key = keys.get(wager.id, "")
        how = f"{key.upper()} takes {wager.title} back" if key else f"P {wager.title} takes that bet back"
        part, percent = wager.withdrawn_cents(stake), wager.withdraw_percent
        return f"{how}: {dollars(part)} of {dollars(stake)} ({percent} %)"

    def _pass_words(self) -> str:
        return ", 'pass' sits this hand out" if len(self.session.hands) > 1 else ""

    def jackpots(self) -> list[str]:
        """Return what the meters of the table hold, each with its bet."""
        wagers = self.session.wanted.rules.wagers
        return [f"{wagers[name].title} {dollars(cents)}" for name, cents in self.session.seen().meters.items()]

    def bets_words(self) -> str:
        """Return the bets that come again, in words."""
        base = self.wagers.get(BASE.spot)
        parts = [f"3 x {dollars(base)}"] if base else []
        sides = self.session.wanted.rules.sides
        parts += [f"{one.title} {dollars(self.wagers[one.spot])}" for one in sides if one.spot in self.wagers]
        return " and ".join(parts)

    def do(self, typed: Typed) -> list[str]:
        """Carry out what he wants, and return what the coach has to say; a refusal is told as bad input."""
        session, by, seat = self.session, self.session.by, self.session.seat
        match typed.what:
            case "bets":
                _done(session.bet(typed.wagers, typed.coupon_cents))
                self._again[seat], self.chosen = dict(typed.wagers), []
            case "pass":
                session.sit_out()
            case "choice":
                return self._choose(typed.choice)
            case "take_back":
                spot = typed.spot or next(iter(self._may_take_back()), "")
                if not spot:
                    raise InvalidData("expected a side bet that may be taken back now, got none")
                _done(session.act(commands.TakeBack(by=by, seat=seat, wager=spot)))
            case "tuck":
                _done(session.act(commands.Tuck(by=by, seat=seat)))
            case "claim":
                self._claim()
            case "take":
                _done(session.act(commands.TakeBank(by=by, seat=seat, cents=typed.cents)))
                self.chosen = []
            case "decline":
                _done(session.act(commands.DeclineBank(by=by, seat=seat)))
            case "buy":
                _done(session.buy(typed.cents or session.wanted.bankroll_cents))
            case "coach":
                self.coach = _NEXT[self.coach]
                return [COACH_WORDS[self.coach]]
            case _:
                raise InvalidData(f"expected something to do at the table, got '{typed.what}'")
        return []

    def _choose(self, choice: Choice) -> list[str]:
        bet, seat, thought = self.session.ask().bet, self.session.seat, self.advice()
        _done(self.session.choose(bet, choice))
        if thought is None:
            return []
        self.chosen.append(Chosen(thought, choice, seat))
        return [f"Coach: {thought.verdict(choice)}"] if self.coach != "off" and thought.cost_of(choice) else []

    def _may_take_back(self) -> dict[Spot, str]:
        """Return the side bets that he may take back now, by their spots, with their titles."""
        offers = self.session.seen().offers
        offered = [one.wager for one in offers if isinstance(one, commands.TakeBack) and one.seat == self.session.seat]
        return {spot: self.session.wanted.rules.by_spot[spot].title for spot in offered}

    def _claim(self) -> None:
        claim = self.session.offer(commands.Claim)
        if claim is None:
            raise InvalidData("expected a side bet to show your cards for, got none")
        _done(self.session.act(claim))


def _done(refused: Refusal | None) -> None:
    if refused is not None:
        raise InvalidData(refused.sentence)
