"""Rounds: the moments of a table, one for each command that was carried out, cut where rounds end; reads no journal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from letitride.engine import places
from letitride.engine.decide import Events
from letitride.engine.effects import readings
from letitride.engine.events import PhaseBegan, RoundEnded, RoundVoided, Ruled, StepDone
from letitride.engine.state import Ruling, Table
from letitride.rules.cards import Card
from letitride.rules.hands import Reading
from letitride.rules.money import dollars
from letitride.rules.settlement import WagerResult
from letitride.rules.shown import Page, Shown, grid
from letitride.rules.wager_table import PUBLISHED_BY_SPOT, bet_name
from letitride.rules.wagers import Wager

Results = Mapping[int, tuple[WagerResult, ...]]


Status = Literal["settled", "void", "running"]
"""How a round stands."""


@dataclass(frozen=True, slots=True)
class Moment:
    """What followed from one command: when, by whom, and the table before and after."""

    number: int
    """Of the row in the journal, from 1."""
    at_ms: int
    by: str
    events: Events
    before: Table | None
    """Nothing before the table was opened."""
    after: Table
    command: str = ""
    """The id of the client's command that it followed from; empty: the house's own."""

    @property
    def start(self) -> Table:
        """The table before it; of the opening, the table that was opened."""
        return self.before or self.after

    @property
    def end(self) -> RoundEnded | RoundVoided | None:
        """The end of a round, where it is one."""
        ends = (one for one in self.events if isinstance(one, RoundEnded | RoundVoided))
        return next(ends, None)


class ShownHand(NamedTuple):
    """A hand that was turned up: its cards, the words in which it was read out, and their parts; none if unreadable."""

    cards: tuple[str, ...] = ()
    words: str = ""
    readings: tuple[Reading, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class PlayedRound(Shown):
    """One round: everything from the end of the round before to its own end, or to now where it is not over."""

    number: int
    moments: tuple[Moment, ...]
    status: Status
    results: Results
    """The result of each wager; nothing yet where the round is not over."""

    def headline(self) -> str:
        """Return the round in one line."""
        return f"round {self.number}: {self.status}"

    def shown(self) -> Page:
        """Return every wager of the round and what was ruled."""
        return round_page(self.headline(), self.results, self.bank, self.rulings, self.last.rules.by_spot)

    @property
    def began_ms(self) -> int:
        """When its bets could be placed; where they never could, when its preparation began."""
        for moment in self.moments:
            for event in moment.events:
                if isinstance(event, PhaseBegan) and event.phase == "betting" and event.round == self.number:
                    return moment.at_ms
        return self.moments[0].at_ms

    @property
    def ended_ms(self) -> int:
        """When it was over, or last went on."""
        return self.moments[-1].at_ms

    @property
    def last(self) -> Table:
        """The table as it was just before the end, with all bets and results; now, where it is not over."""
        moment = self.moments[-1]
        return moment.after if self.status == "running" else moment.start

    @property
    def players(self) -> dict[int, str]:
        """Who sat where at its end."""
        return {number: seat.player for number, seat in self.last.seats.items() if seat.player}

    @property
    def bank(self) -> tuple[int, int] | None:
        """The seat that banked and its stake in cents, where a player did."""
        return (self.last.bank_seat, self.last.bank_stake) if self.last.bank_stake else None

    @property
    def net_cents(self) -> dict[int, int]:
        """What each seat won beside its stakes, or lost, in cents."""
        return {seat: sum(one.net_cents for one in results) for seat, results in self.results.items()}

    @property
    def cards(self) -> dict[int, tuple[Card, ...]]:
        """The hand of each seat as it lay last, before it was taken up."""
        lay = (
            (number, moment.after.at(places.hand(number))) for moment in self.moments for number in moment.after.seats
        )
        return {number: tuple(card.face for card in cards) for number, cards in lay if cards}

    @property
    def community(self) -> tuple[Card, ...]:
        """The community cards as they lay last, turned or not."""
        lay = (moment.after.community_cards() for moment in reversed(self.moments))
        return next((cards for cards in lay if cards), ())

    @property
    def rulings(self) -> tuple[Ruling, ...]:
        """What was ruled and ordered in it."""
        return tuple(one.ruling for moment in self.moments for one in moment.events if isinstance(one, Ruled))

    def shown_hands(self) -> dict[int, ShownHand]:
        """Return the hands that were turned up for all to see: their cards, and how they were read out."""
        found: dict[int, ShownHand] = {}
        for moment in self.moments:
            for event in moment.events:
                if isinstance(event, StepDone) and event.step.kind == "open_hand":
                    cards = tuple(str(move.card.face) for move in event.moves)
                    read = readings(moment.start, event.step.seat)
                    found[event.step.seat] = ShownHand(cards, event.says, read)
        return found


def round_page(
    title: str,
    results: Results,
    bank: tuple[int, int] | None,
    rulings: Iterable[Ruling],
    wagers: Mapping[str, Wager] = PUBLISHED_BY_SPOT,
) -> Page:
    """Return a round as a page: the result of every wager, and the rulings."""
    facts = [("bank", f"seat {bank[0]} with {dollars(bank[1])}")] if bank else []
    facts += [("ruled", ruling.sentence) for ruling in rulings]
    rows = (
        (
            seat,
            bet_name(row.wager, wagers),
            dollars(row.stake_cents),
            row.fate,
            dollars(row.paid_cents),
            dollars(row.net_cents),
        )
        for seat, mine in sorted(results.items())
        for row in mine
    )
    return Page(title, tuple(facts), (grid(("seat", "wager", "stake", "result", "paid", "net"), rows),))


def _shown(row: WagerResult) -> tuple[str, ...]:
    return dollars(row.stake_cents), row.fate, dollars(row.paid_cents), dollars(row.net_cents)


def cut(moments: Iterable[Moment], *, running: bool = False) -> Iterator[PlayedRound]:
    """Yield the rounds of a table; moments that begin after the opening must begin where a round has just ended.

    What comes after the last end is a round too if `running` asks for it: that which is on, or is being made ready.
    """
    held: list[Moment] = []
    for moment in moments:
        held.append(moment)
        if (end := moment.end) is not None:
            yield _over(end, held)
            held = []
    if held and running:
        yield PlayedRound(_next_number(held[0].before), tuple(held), "running", {})


def _next_number(table: Table | None) -> int:
    """The number of the round that comes after the last end; its betting may have been opened by that end."""
    if table is None:
        return 1
    return table.round + (table.phase != "betting")


def _over(end: RoundEnded | RoundVoided, held: list[Moment]) -> PlayedRound:
    if isinstance(end, RoundVoided):
        return PlayedRound(end.round, tuple(held), "void", dict(end.results))
    results = {number: seat.results for number, seat in held[-1].start.seats.items() if seat.results}
    return PlayedRound(end.round, tuple(held), "settled", results)


def after_end(moments: Iterable[Moment], number: int) -> Iterator[Moment]:
    """Yield the moments after the end of a round of a number; all of them where it is 0."""
    passed = number == 0
    for moment in moments:
        if passed:
            yield moment
        elif (end := moment.end) is not None and end.round >= number:
            passed = True
