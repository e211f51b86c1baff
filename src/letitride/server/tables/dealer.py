"""Dealer: the automatic dealer at work: what to do is in the script, when is in the pace, and no failure is silent."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final, Literal

import msgspec

from letitride.autoplay import dealer
from letitride.autoplay.steps import plain
from letitride.engine import commands
from letitride.engine.bets import complete
from letitride.engine.refusal import Refusal
from letitride.engine.state import Table
from letitride.engine.steps import Step
from letitride.engine.supervision import DAY, closing_minutes
from letitride.errors import InvariantBroken, StoreDown
from letitride.server.runtime.requests import Guard, TableHalted
from letitride.server.tables.default_decision import decision_for_the_absent
from letitride.server.tables.door import Door, is_over, take_back
from letitride.server.tables.live_table import LiveTable
from letitride.server.tables.messages import Clock
from letitride.server.tables.shift import Shift

FAILURES_MAX: Final = 3
"""Failures in a row after which the table is halted."""
ONLY_BY_THE_CLOCK: Final = frozenset({"await_bank", "await_inspection"})
"""What no dealer can end for a player who does not act."""


class Dealer:
    """Deals at a table as long as no person does."""

    def __init__(self, room: LiveTable, door: Door, shift: Shift) -> None:
        self._room, self._door, self._shift = room, door, shift
        self.clock: Clock | None = None
        self._clock_of: tuple[object, ...] = ()
        self._ends = 0.0
        self._closing: set[str] = set()
        """What has been done to close the bets of this round."""
        self._bets_are_over = False

    def refuse(self, table: Table, command: commands.AnyCommand) -> Refusal | None:
        """Return why a bet comes too late: while the bets are being closed no one can keep the dealer from it."""
        late = self._bets_are_over and table.phase == "betting"
        if late and isinstance(command, commands.PlaceWagers) and command.wagers:
            return Refusal("betting_closed", "Betting is closed.")
        return None

    async def run(self) -> None:
        """Deal until the table is halted; what fails is tried again, and what keeps failing halts the table."""
        room, failures = self._room, 0
        while not room.host.halted:
            try:
                await self._turn()
                failures = 0
            except TableHalted:
                return
            except StoreDown:
                await asyncio.sleep(room.house.pace.retry)  # how long that may go on is for the host to say
            except Exception as error:
                failures += 1
                if failures >= FAILURES_MAX:  # while the store is away nothing halts: then it is said again
                    await room.host.halt(f"the automatic dealer failed: {type(error).__name__}: {error}")
                await asyncio.sleep(room.house.pace.retry)

    async def _turn(self) -> None:
        room = self._room
        table, changed, door = room.table, room.host.changed, self._door
        if door.state == "closed":
            await self._wait(changed)
            return
        if door.state == "open" and self._closing_minutes(table) == 0:
            await door.close("house", "the announced closing time has come")
        if table.phase == "closed" or (door.state == "closing" and is_over(table)):
            if self._closing_minutes(table) == 0:
                await self._close_by_the_book(table)
            await door.pay_out_and_close()
            return
        if room.house.approvals.holds(room.record.id):
            await self._wait(changed)  # whether its round counts is not decided yet
            return
        if table.phase == "banking" and not room.visitors and door.state == "open":
            await self._wait(changed)  # with no one there the bank would go round among those who are not, for ever
            return
        if table.phase != "betting" or self._shift.person:
            self._open_bets()
        act = dealer.next_act(table, room.source)
        if self._shift.person:
            await self._help_human_dealer(act, changed)
        elif not isinstance(act, dealer.Waits):
            await self._act(act)
        elif act.what == "deck" and table.next_step is not None:
            await self._act(plain(table.next_step))
        elif act.what == "bets":
            await self._bets(table, changed)
        elif act.what == "seat" and table.next_step is not None:
            await self._seat(table, table.next_step, changed)
        elif door.state == "closing" and (back := take_back(table)) is not None:
            await self._act(back)
        else:
            await self._wait(changed)

    async def _help_human_dealer(self, act: commands.AnyCommand | dealer.Waits, changed: asyncio.Event) -> None:
        """While a person deals: be the floor where there is none, and the clock where no dealer can be it."""
        table, step = self._room.table, self._room.table.next_step
        if not isinstance(act, dealer.Waits) and act.by == "floor" and not self._room.is_connected("floor"):
            await self._act(act)
        elif step is not None and step.kind in ONLY_BY_THE_CLOCK:
            await self._seat(table, step, changed)
        else:
            await self._wait(changed)

    async def _bets(self, table: Table, changed: asyncio.Event) -> None:
        """Wait for bets: for ever while no person has bet; after the first, for a time that no later bet prolongs."""
        bets = {number: complete(table, seat) for number, seat in table.seats.items() if seat.wagers}
        closing = self._door.state == "closing"
        if not closing and (not any(bets.values()) or self._is_unhurried(table)):
            self._open_bets()
            await self._wait(changed)
            return
        seconds = 0.0 if closing else self._room.house.pace.bets
        key = ("bets", table.round, closing)
        if not self._bets_are_over and await self._in_time(key, "bets", None, seconds, changed):
            return
        self._bets_are_over = True
        if (close := dealer.close_bets(table, self._room.source)) is not None:
            await self._act(close)
            return
        uneven = next((number for number, whole in bets.items() if not whole), 0)
        if uneven:  # no one else has to wait for a bet that cannot be dealt to
            await self._act(commands.PlaceWagers(by=f"seat:{uneven}", seat=uneven, wagers={}))
        elif closing and (back := take_back(table)) is not None:
            await self._act(back)
        else:
            self._open_bets()
            await self._wait(changed)

    def _is_unhurried(self, table: Table) -> bool:
        """Whether the only person at the table, for whom no clock runs, has still to bet: bots wait for people.

        Where players bank they need not: a person may let rounds pass until the bank comes round.
        """
        own = [seat for seat in table.seats.values() if self._room.is_untimed(seat.player)]
        waits = table.rules.rules.bank.mode == "house" and not any(seat.wagers for seat in own)
        return waits and any(not (seat.sitting_out or seat.away) for seat in own)

    async def _seat(self, table: Table, step: Step, changed: asyncio.Event) -> None:
        """Wait for a seat's own act, by a clock that only its next decision sets anew."""
        seat = table.seats.get(step.seat)
        if seat is not None and self._room.is_untimed(seat.player):
            await self._wait(changed)
            return
        away = any(table.seats[own].away for own in table.own_seats(step.seat)) if seat is not None else False
        seconds = 0.0 if away else self._room.choice_seconds
        if await self._in_time(("choice", table.round, step), "choice", step.seat, seconds, changed):
            return
        late = dealer.for_an_absent_player(table)
        decided = await decision_for_the_absent(self._room, step)
        if late is None:
            await self._wait(changed)
        elif decided is not None:
            await self._act(decided, pause=False)
            await self._act(commands.WentAway(by="dealer", seat=step.seat), pause=False)  # a seat that acts is back
        else:
            await self._act(late, pause=False)

    def _open_bets(self) -> None:
        self._closing, self._bets_are_over = set(), False

    async def _act(self, act: commands.AnyCommand, *, pause: bool = True) -> None:
        room, before = self._room, self._room.table
        if act.by == "dealer":
            self._stop_clock()
        if isinstance(act, commands.Do):
            # A bet may bring back a step that was done, once: a player who kept changing one would hold up everyone.
            self._bets_are_over |= before.phase == "betting" and act.kind in self._closing
            self._closing.add(act.kind)
            without = msgspec.structs.replace(act, order=(), cut=0, throw=0)
            answer = await room.do("dealer", "", without, guard=self._guard(act))
        else:
            answer = await room.submit("dealer", "", act, guard=self._guard(act))
        if not answer.accepted and answer.code != "not_your_shift" and room.table is before:
            raise InvariantBroken(f"the next step was refused: {answer.sentence}")
        if pause:
            await asyncio.sleep(room.pause(act.kind if isinstance(act, commands.Do) else ""))

    def _guard(self, act: commands.AnyCommand) -> Guard | None:
        """The dealer's acts are not carried out any more when a person has taken the shift meanwhile."""
        if act.by != "dealer":
            return None
        shift = self._shift
        return lambda _: Refusal("not_your_shift", f"{shift.person} deals at this table.") if shift.person else None

    async def _wait(self, changed: asyncio.Event) -> None:
        """Wait until something happens, or the announced closing time comes."""
        self._stop_clock()
        clock_ms, minutes = self._room.house.clock_ms(), self._closing_minutes(self._room.table)
        open_sign = self._door.state == "open" and minutes is not None
        seconds = (60_000 * (minutes or 0) - clock_ms % 60_000) / 1_000 if open_sign else None
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await changed.wait()

    def _closing_minutes(self, table: Table) -> int | None:
        return closing_minutes(table, self._room.house.clock_ms() // 60_000 % DAY)

    async def _close_by_the_book(self, table: Table) -> None:
        """Close the table whose closing was announced: the moment for it is too short for a person."""
        minute = self._room.house.clock_ms() // 60_000 % DAY
        order = commands.Order(by=table.rules.rules.supervisor, kind="close", minute=minute)
        await self._room.submit("house", "", order)

    async def _in_time(
        self,
        key: tuple[object, ...],
        what: Literal["bets", "choice"],
        seat: int | None,
        seconds: float,
        changed: asyncio.Event,
    ) -> bool:
        """Return whether something happens before the time of this decision is over."""
        loop = asyncio.get_running_loop()
        if key != self._clock_of:
            self._clock_of, self._ends = key, loop.time() + seconds
            ends_ms = self._room.house.clock_ms() + round(1000 * seconds)
            self.clock = Clock(what=what, seat=seat, ends_ms=ends_ms)
            self._room.announce()
        try:
            # Not wait_for: it can swallow that the table is closed at the very moment something happens.
            async with asyncio.timeout_at(self._ends):
                await changed.wait()
        except TimeoutError:
            return False
        return True

    def _stop_clock(self) -> None:
        if self.clock is not None:
            self.clock, self._clock_of = None, ()
            self._room.announce()
