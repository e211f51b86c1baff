"""Game: a session as one player plays it, with the coach beside them; shared by the lines and the full screen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from letitride.cli.terminal.coach import Advice
from letitride.cli.terminal.language import listed, refusal_words, t
from letitride.cli.terminal.session import Ask, Session
from letitride.cli.terminal.typed import Typed
from letitride.engine import commands
from letitride.engine.refusal import Refusal
from letitride.engine.state import Choice
from letitride.errors import InvalidData, InvariantBroken
from letitride.rules.banking import round_cents_min
from letitride.rules.money import dollars
from letitride.rules.settlement import Spot
from letitride.rules.wager_table import BASE, BASE_SPOTS
from letitride.training.coach import decision_of
from letitride.training.coach_data import CoachMode

_NEXT: Final[dict[CoachMode, CoachMode]] = {"off": "after", "after": "before", "before": "off"}


@dataclass(frozen=True, slots=True)
class Chosen:
    """A decision that was made, with what the coach thinks of it."""

    advice: Advice
    choice: Choice
    seat: int


class Game:
    """What a player does at the table, and what the table asks of them."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.coach: CoachMode = session.wanted.coach
        first = dict.fromkeys(BASE_SPOTS, session.wanted.bet_cents)
        self._again: dict[int, dict[Spot, int]] = dict.fromkeys(session.hands, first)
        self.chosen: list[Chosen] = []
        """The player's decisions in this round."""

    @property
    def wagers(self) -> dict[Spot, int]:
        """The bets that are repeated at the seat that is asked, unless the player says otherwise."""
        return self._again[self.session.seat]

    @property
    def which(self) -> str:
        """Which hand is asked, where the player has several."""
        return f"{t('seat.asked', seat=self.session.seat)} " if len(self.session.hands) > 1 else ""

    @property
    def least_cents(self) -> int:
        """The smallest amount that a round takes."""
        return round_cents_min(self.session.wanted.rules.rules)

    @property
    def broke(self) -> bool:
        """Whether the player's chips are too few for a round."""
        return self.session.stack_cents < self.least_cents

    def advice(self) -> Advice | None:
        """Return what the coach thinks of the decision that is due, whether or not the coach may say so."""
        decision = decision_of(self.session.table, self.session.seat) if self.session.ask().kind == "choice" else None
        return Advice(decision) if decision else None

    def question(self, ask: Ask, keys: Mapping[str, str] | None = None) -> str:
        """Return what the table asks of the player; `keys` take side bets back where there are keys for them."""
        return self.which + " ".join(self._question(ask, keys or {}))

    def _question(self, ask: Ask, keys: Mapping[str, str]) -> Iterator[str]:
        if ask.kind == "choice":
            yield t("ask.decision", bet=ask.bet)
            if self.session.offer(commands.Tuck) is not None:
                yield t("ask.tuck")
            if (claim := self.session.offer(commands.Claim)) is not None:
                yield t("ask.show" if claim.shown else "ask.hide")
            yield from (self._back_words(spot, keys) for spot in self._may_take_back())
        elif ask.kind == "bank":
            yield t("ask.bank.must" if ask.must else "ask.bank")
            yield t("ask.stake", most=dollars(self.session.stack_cents))
            if not ask.must:
                yield t("ask.bank.pass")
        elif self.broke:
            yield t("ask.broke", has=dollars(self.session.stack_cents))
            yield t("ask.buy", amount=dollars(self.session.wanted.bankroll_cents))
            yield from self._pass_words()
        else:
            yield from (f"{jackpot}." for jackpot in self.jackpots())
            yield t("ask.bets", bets=self.bets_words())
            rules = self.session.wanted.rules
            if rules.sides:
                yield t("ask.sides", bets=listed(wager.title for wager in rules.sides))
            if "match_play" in rules.rules.bet.media:
                yield t("ask.coupon")
            yield from self._pass_words()

    def _back_words(self, spot: Spot, keys: Mapping[str, str]) -> str:
        """Return how a side bet is taken back, and how much of it comes back."""
        wager, stake = self.session.wanted.rules.by_spot[spot], self.session.mine.wagers[spot]
        how = keys[wager.id].upper() if wager.id in keys else f"T {wager.title}"
        part, percent = dollars(wager.withdrawn_cents(stake)), str(wager.withdraw_percent)
        return t("ask.back", key=how, bet=wager.title, part=part, stake=dollars(stake), percent=percent)

    def _pass_words(self) -> Iterator[str]:
        if len(self.session.hands) > 1:
            yield t("ask.pass")

    def jackpots(self) -> list[str]:
        """Return what each jackpot of the table holds, with its bet."""
        wagers = self.session.wanted.rules.wagers
        return [f"{wagers[name].title} {dollars(cents)}" for name, cents in self.session.seen().meters.items()]

    def bets_words(self) -> str:
        """Return the bets that are repeated, in words."""
        base = self.wagers.get(BASE.spot)
        parts = [f"3 x {dollars(base)}"] if base else []
        sides = self.session.wanted.rules.sides
        parts += [f"{one.title} {dollars(self.wagers[one.spot])}" for one in sides if one.spot in self.wagers]
        return listed(parts)

    def do(self, typed: Typed) -> list[str]:
        """Carry out what the player wants, and return what the coach says to it; a refusal is told as bad input."""
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
                    raise InvalidData(t("bad.no_back"))
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
                return [t(f"coach.mode.{self.coach}")]
            case _:
                raise InvariantBroken(f"'{typed.what}' is nothing that is done at the table")
        return []

    def _choose(self, choice: Choice) -> list[str]:
        bet, seat, thought = self.session.ask().bet, self.session.seat, self.advice()
        _done(self.session.choose(bet, choice))
        if thought is None:
            return []
        self.chosen.append(Chosen(thought, choice, seat))
        if self.coach == "off" or not thought.cost_of(choice):
            return []
        return [t("coach.says", words=thought.mistake_words(choice))]

    def _may_take_back(self) -> list[Spot]:
        """Return the spots of the side bets that the player may take back now."""
        offers = self.session.seen().offers
        return [one.wager for one in offers if isinstance(one, commands.TakeBack) and one.seat == self.session.seat]

    def _claim(self) -> None:
        claim = self.session.offer(commands.Claim)
        if claim is None:
            raise InvalidData(t("bad.no_claim"))
        _done(self.session.act(claim))


def _done(refused: Refusal | None) -> None:
    if refused is not None:
        raise InvalidData(refusal_words(refused))
