"""History: rounds that were played, told to viewers as they were allowed to see them then; it changes nothing.

Who a person was follows from where they sat at that very moment: cards are their own only while they sat before them.
What was never turned up for them stays hidden, whatever happened to it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, Final, Literal, TypeVar

from pydantic import InstanceOf, WithJsonSchema

from letitride.engine.state import Ruling, Table
from letitride.engine.view import is_told, ruling_view, view
from letitride.engine.view_types import RulingView, View
from letitride.errors import InvalidData, LetItRideError
from letitride.records.lines import Line
from letitride.records.narrate import lines
from letitride.records.played import Played
from letitride.records.rounds import Moment, PlayedRound, ShownHand, Status
from letitride.rules.hands import Reading
from letitride.rules.roles import ACCOUNT_VIEWS, EVERYWHERE, MACHINE, RUNS, SPECTATOR, STAFF_VIEWERS, spoken, view_of
from letitride.rules.settlement import Fate, Spot, WagerResult
from letitride.server.people.accounts import Person
from letitride.server.tables.house import House
from letitride.server.tables.room import Room
from letitride.storage.past import MARK_EVERY, Past

LOOK_SECONDS: Final = 2.0
"""How often it is seen to that long journals have their marks."""
WALKS_MAX: Final = 2
"""Walks through journals at one time; others wait."""

T = TypeVar("T")
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerSummary:
    """A wager and its result; 'open' in a round that is not over."""

    wager: str
    stake_cents: int
    fate: Fate | Literal["open"]
    paid_cents: int
    back_cents: int
    net_cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatSummary:
    """A player's part in a round; cards and hand only where they were turned up for all viewers."""

    seat: int
    player: str
    wagers: tuple[WagerSummary, ...]
    net_cents: int | None
    """Of the wagers, before the fee."""
    fee_cents: int
    """What the house took for the use of the table; a void round gives it back."""
    cards: tuple[str, ...]
    hand: str | None
    readings: tuple[Reading, ...] = ()
    """The parts of how the hand was read: its five cards, then its three for a side bet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BankSummary:
    """Who banked a round."""

    seat: int
    stake_cents: int
    net_cents: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundSummary:
    """A round in short."""

    round: int
    status: Status
    began_ms: int
    ended_ms: int | None
    rulebook: str
    seats: tuple[SeatSummary, ...]
    bank: BankSummary | None
    rulings: tuple[RulingView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StepView:
    """One step: its sentences, and the view as that person was allowed to see it then."""

    row: int
    at_ms: int
    by: str
    viewer: str
    sentences: tuple[str, ...]
    lines: tuple[Line, ...] = ()
    """The same in parts, for clients that word them in their own language."""
    # Pydantic cannot describe a view: OpenAPI says that it is an object, the WebSocket's types say which.
    view: Annotated[View, InstanceOf(), WithJsonSchema({"type": "object", "additionalProperties": True})]


class History:
    """The past of all tables of a store, whichever server plays them."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._walks: asyncio.Semaphore | None = None

    async def run_reading(self, act: Callable[[], T]) -> T:
        """Do something that reads a journal, off the loop and not too many at a time."""
        self._walks = self._walks or asyncio.Semaphore(WALKS_MAX)
        async with self._walks:
            return await asyncio.to_thread(act)

    async def of(self, table_id: str) -> Past:
        """Return the past of a table."""
        return await self.run_reading(lambda: Past(self._house.stores.journal, self._house.stores.documents, table_id))

    async def stream(self, pieces: Iterator[bytes]) -> AsyncIterator[bytes]:
        """Yield pieces that are made off the loop, each when it is asked for."""
        while piece := await self.run_reading(lambda: next(pieces, b"")):
            yield piece

    async def keep_marks(self) -> None:
        """Mark the tables' journals as they grow, for as long as the server runs."""
        known: dict[str, Past] = {}
        while True:
            known = {name: past for name, past in known.items() if name in self._house.rooms}
            for room in list(self._house.rooms.values()):
                try:
                    await self._mark(room, known)
                except LetItRideError:  # a mark saves time and nothing else: without a store, none is made
                    known.pop(room.record.id, None)
                except Exception:
                    log.exception("no bookmark was kept for the journal of table %s", room.record.id)
                    known.pop(room.record.id, None)
            await asyncio.sleep(LOOK_SECONDS)

    async def _mark(self, room: Room, known: dict[str, Past]) -> None:
        name = room.record.id
        if name not in known:
            known[name] = await self.of(name)
        past, head, table = known[name], room.host.head, room.host.table  # head and table change together
        if head.number - (past.marks[-1].row if past.marks else 0) >= 2 * MARK_EVERY:
            unmarked = await self.run_reading(past.unmarked)
            while (found := await self.run_reading(lambda: next(unmarked, None))) is not None:
                await self._house.committer.run(partial(past.mark, *found))
        elif past.due(head):
            await self._house.committer.run(partial(past.mark, table, head, self._house.clock_ms()))


class RoundHistory:
    """Tells rounds to one person."""

    def __init__(self, person: Person, role: str = "") -> None:
        if role and (role not in EVERYWHERE or role not in person.roles):
            raise InvalidData(f"expected a role of staff that {person.name} has, got '{spoken(role)}'")
        staff = next((view for account, view in ACCOUNT_VIEWS.items() if account in person.roles), SPECTATOR)
        self._name, self._role, self._staff = person.name, view_of(role), staff

    def viewer(self, table: Table) -> str:
        """Return whose view the person had at a moment: that of a role they asked for, their seat, or their duty."""
        if self._role:
            return self._role
        seat = next((number for number, seat in table.seats.items() if seat.player == self._name), 0)
        return f"seat:{seat}" if seat else self._staff

    def summary(self, one: PlayedRound) -> RoundSummary:
        """Return a round in short: what any viewer could see of it, and what was ruled."""
        shown = one.shown_hands()
        running = one.status == "running"
        won = -sum(result.net_cents for results in one.results.values() for result in results)
        return RoundSummary(
            round=one.number,
            status=one.status,
            began_ms=one.began_ms,
            ended_ms=None if running else one.ended_ms,
            rulebook=one.last.rules.book.id,
            seats=tuple(
                self._on_the_felt(one, number, player) if running else _settled(one, number, player, shown)
                for number, player in one.players.items()
            ),
            bank=None
            if one.bank is None
            else BankSummary(seat=one.bank[0], stake_cents=one.bank[1], net_cents=None if running else won),
            rulings=tuple(self._rulings(one)),
        )

    def _on_the_felt(self, one: PlayedRound, number: int, player: str) -> SeatSummary:
        """Return a seat of the round that is on: what all viewers see lying there, and no result before its time."""
        seen = view(one.last, self.viewer(one.last)).seats[number]
        known = {result.wager: result for result in seen.results}
        return SeatSummary(
            seat=number,
            player=player,
            wagers=tuple(
                _wager(known[name]) if name in known else _open(name, cents) for name, cents in seen.wagers.items()
            ),
            net_cents=None,
            fee_cents=seen.fee_cents,
            cards=(),
            hand=None,
        )

    def _rulings(self, one: PlayedRound) -> Iterator[RulingView]:
        for moment in one.moments:
            for event in moment.events:
                ruling = getattr(event, "ruling", None)
                if isinstance(ruling, Ruling) and is_told(moment.after, ruling, self.viewer(moment.after)):
                    yield ruling_view(ruling)

    def steps(self, one: PlayedRound, after: int, limit: int) -> tuple[list[StepView], int | None]:
        """Return the steps of a round after a row, as this person saw them, and the row to go on after, if any."""
        found: list[StepView] = []
        before = self._seen_before(one, after)
        for moment in one.moments:
            if moment.number <= after:
                continue
            if len(found) == limit:
                return found, found[-1].row
            step = self._step(moment)
            if not step.sentences and before is not None and _same(before, step.view):
                continue  # what this person neither read nor saw was no step to them
            before = step.view
            found.append(step)
        return found, None

    def _seen_before(self, one: PlayedRound, after: int) -> View | None:
        past = [moment for moment in one.moments if moment.number <= after]
        table = past[-1].after if past else one.moments[0].before
        return view(table, self.viewer(table)) if table is not None else None

    def _step(self, moment: Moment) -> StepView:
        viewer = self.viewer(moment.after)
        played = Played(0, None, moment.events, moment.before or moment.after, moment.after)
        told = tuple(lines(played, viewer))
        own = moment.by in {*RUNS, MACHINE, "house"} or moment.by.startswith("seat:")
        return StepView(
            row=moment.number,
            at_ms=moment.at_ms,
            by=moment.by if own or viewer in STAFF_VIEWERS else "",
            viewer=viewer,
            sentences=tuple(line.sentence for line in told),
            lines=told,
            view=view(moment.after, viewer),
        )


def _settled(one: PlayedRound, number: int, player: str, shown: dict[int, ShownHand]) -> SeatSummary:
    results = one.results.get(number, ())
    cards, words, readings = shown.get(number, ShownHand())
    return SeatSummary(
        seat=number,
        player=player,
        wagers=tuple(map(_wager, results)),
        net_cents=sum(result.net_cents for result in results),
        fee_cents=0 if one.status == "void" else one.last.seats[number].fee_cents,
        cards=cards,
        hand=words or None,
        readings=readings,
    )


def _open(name: Spot, cents: int) -> WagerSummary:
    return WagerSummary(wager=name, stake_cents=cents, fate="open", paid_cents=0, back_cents=0, net_cents=0)


def _wager(result: WagerResult) -> WagerSummary:
    return WagerSummary(
        wager=result.wager,
        stake_cents=result.stake_cents,
        fate=result.fate,
        paid_cents=result.paid_cents,
        back_cents=result.back_cents,
        net_cents=result.net_cents,
    )


def _same(one: View, other: View) -> bool:
    """Whether two views show the same, whatever has happened unseen between them."""
    return replace(one, version=0) == replace(other, version=0)
