"""Sockets: one WebSocket for each viewer and table; reads messages, answers commands, sends views. Decides nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final

import msgspec

from letitride.engine import commands
from letitride.engine.refusal import Refusal
from letitride.engine.state import Table
from letitride.engine.view import view
from letitride.errors import InvalidData, LetItRideError
from letitride.server import automatic, wire
from letitride.server.people import Person
from letitride.server.requests import Answer, Guard, TableHalted, digest_of
from letitride.server.room import Room
from letitride.server.watchers import Watcher

COMMANDS_A_SECOND: Final = 20
BURST: Final = 40
STAFF: Final = ("dealer", "floor", "casino_supervisor", "inspector")
RELIEVES: Final = ("floor", "casino_supervisor")
CLOSED_FOR_NOW: Final = "This table is closed for now."
MINUTES_A_DAY: Final = 24 * 60

Send = Callable[[bytes], Awaitable[None]]


class Viewer:
    """Somebody at a table: who he is there follows from where he sits, or from the role he takes."""

    def __init__(self, room: Room, person: Person, role: str = "") -> None:
        if role and (role not in STAFF or role not in person.roles):
            raise InvalidData(f"expected a role that {person.name} has, got '{role}'")
        if role and room.seat_of(person.name):
            raise InvalidData("expected staff who do not play at this table, got somebody who sits at it")
        self.room, self.person, self.role = room, person, role
        self.watcher = Watcher()
        self.watcher.messages.put_nowait(room.standing())
        self._tokens, self._filled = float(BURST), 0.0

    @property
    def name(self) -> str:
        """The viewer whose view he gets."""
        if self.role:
            return "floor" if self.role == "casino_supervisor" else self.role
        seat = self.room.seat_of(self.person.name)
        return f"seat:{seat}" if seat else "spectator"

    async def send_all(self, send: Send) -> None:
        """Send views and messages until the connection ends; of views only the latest."""
        sent = -1
        self.room.watchers.add(self.watcher)
        try:
            if (announced := self.room.shuffles.announced) is not None:
                await send(msgspec.json.encode(announced))
            while True:
                changed = self.room.host.changed
                if self.room.host.halted:
                    await send(msgspec.json.encode({"type": "halted", "why": "This table is closed for now."}))
                    return
                if self.room.table.version != sent:
                    sent = self.room.table.version
                    await send(msgspec.json.encode({"type": "view", "view": view(self.room.table, self.name)}))
                await self._next(changed, send)
        finally:
            self.room.watchers.discard(self.watcher)

    async def _next(self, changed: asyncio.Event, send: Send) -> None:
        """Wait for a new version or a message, and send the messages."""
        waits = [asyncio.ensure_future(changed.wait()), asyncio.ensure_future(self.watcher.messages.get())]
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
            if waits[1].done():
                await send(msgspec.json.encode(waits[1].result()))
        finally:
            for wait in waits:
                wait.cancel()

    def enter(self) -> None:
        """Be there: for staff, on duty."""
        self.room.came(self.person.name, self.role)

    def leave(self) -> None:
        """Be gone."""
        self.room.left(self.person.name, self.role)

    async def take(self, frame: bytes | str, now: float) -> dict[str, Any] | None:
        """Return the answer to a message."""
        message = wire.read(frame)
        if isinstance(message, str):
            return {"type": "error", "sentence": message}
        if not self._may_send(now):
            return {"type": "error", "sentence": "Expected fewer messages a second, got too many."}
        try:
            match message:
                case wire.Act() | wire.DoNext():
                    answer = await self._act(message)
                    return {"type": "answer", **msgspec.to_builtins(answer)}
                case wire.PledgeNonce():
                    self.room.shuffles.pledge(self._seat(), bytes.fromhex(message.digest))
                case wire.RevealNonce():
                    self.room.shuffles.reveal(self._seat(), bytes.fromhex(message.nonce))
                case wire.TakeShift():
                    if self.role != "dealer":
                        raise InvalidData("expected somebody who is here as a dealer, got somebody who is not")
                    await self.room.shift.take(self.person)
                case wire.EndShift():
                    await self._end_shift()
        except TableHalted as error:
            return {"type": "error", "sentence": str(error) if self.role else CLOSED_FOR_NOW}
        except LetItRideError as error:
            return {"type": "error", "sentence": str(error)}
        return None

    async def _end_shift(self) -> None:
        if self.role not in RELIEVES and self.room.shift.person != self.person.name:
            raise InvalidData("expected the dealer who has the shift, or the floor, got somebody else")
        await self.room.shift.end(self.person.name)

    def _seat(self) -> int:
        seat = self.room.seat_of(self.person.name)
        if not seat:
            raise InvalidData("expected somebody who sits at this table, got somebody who does not")
        return seat

    def _may_send(self, now: float) -> bool:
        self._tokens = min(self._tokens + (now - self._filled) * COMMANDS_A_SECOND, float(BURST))
        self._filled = now
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True

    async def _act(self, act: wire.Act | wire.DoNext) -> Answer:
        """Have a command carried out; one that was answered before is answered so again, whatever has changed since."""
        room, client = self.room, f"{self.room.record.id}/{self.person.name}"
        said = digest_of(act.command) if isinstance(act, wire.Act) else "next"
        try:
            command = self._own(act.command if isinstance(act, wire.Act) else self._next_step())
        except InvalidData:
            known = await room.host.recall(client, act.id, said)
            if known is not None:
                return known
            raise
        guard = all_of(self._may_now(command), at_version(act.version))
        if isinstance(command, commands.Do):
            return await room.do(client, act.id, command, said=said, guard=guard)
        return await room.submit(client, act.id, command, said=said, guard=guard)

    def _next_step(self) -> commands.Do:
        step = self.room.table.next_step
        if step is None:
            raise InvalidData("expected a table with a step to do, got one that waits for players")
        return automatic.do(step)

    def _own(self, command: commands.AnyCommand) -> commands.AnyCommand:
        """Return a command as this person may give it: by his seat or his role, never by a name he chose."""
        if isinstance(command, commands.Mishap):
            raise InvalidData("expected a command of a person, got one of the table itself")
        if self.role:
            if isinstance(command, commands.Order):  # notice is reckoned by the clock on the wall, not by what he says
                minute = self.room.house.clock_ms() // 60_000 % MINUTES_A_DAY
                return msgspec.structs.replace(command, by=self.role, minute=minute)
            return msgspec.structs.replace(command, by=self.role)
        if isinstance(command, commands.Sit):
            return msgspec.structs.replace(command, by=f"seat:{command.seat}", player=self.person.name)
        seat = self.room.seat_of(self.person.name)
        if not seat:
            raise InvalidData("expected a seat at this table for that, got somebody without one")
        if isinstance(command, commands.Do | commands.Order | commands.DecideDispute | commands.WentAway):
            raise InvalidData("expected a player's command, got one of those who run the table")
        if not isinstance(command, commands.Report | commands.Advise) and command.seat != seat:
            raise InvalidData(f"expected a command for your own seat {seat}, got one for seat {command.seat}")
        return msgspec.structs.replace(command, by=f"seat:{seat}")

    def _may_now(self, command: commands.AnyCommand) -> Guard:
        """What must be so when the command is decided, which may be later than it came: who sits where, who deals."""
        room, name = self.room, self.person.name

        def staff(table: Table) -> Refusal | None:
            if any(seat.player == name for seat in table.seats.values()):
                return Refusal("plays_here", "Whoever plays at a table does not work at it.")
            if self.role == "dealer" and room.shift.person != name:
                return Refusal("not_your_shift", "Take the shift first: the dealer who has it deals.")
            return None

        def newcomer(table: Table) -> Refusal | None:
            if any(seat.player == name for seat in table.seats.values()):
                return Refusal("seated", "You sit at this table already.")
            return (
                Refusal("works_here", "Whoever works at a table does not play at it.") if room.on_duty(name) else None
            )

        def player(table: Table) -> Refusal | None:
            seat = table.seats[int(command.by.removeprefix("seat:"))]
            return None if seat.player == name else Refusal("not_your_seat", "You do not sit there any more.")

        return staff if self.role else newcomer if isinstance(command, commands.Sit) else player


def at_version(version: int | None) -> Guard:
    """Refuse at any other version of the table than the one that was meant."""

    def at(table: Table) -> Refusal | None:
        if version is None or table.version == version:
            return None
        return Refusal("stale", f"That was meant for version {version} of the table; it is at {table.version} now.")

    return at


def all_of(*guards: Guard) -> Guard:
    """Refuse what any of some guards refuses."""
    return lambda table: next((no for guard in guards if (no := guard(table)) is not None), None)
