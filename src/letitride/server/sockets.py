"""Sockets: one WebSocket for each viewer and table; reads messages, answers commands, sends views. Decides nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final

import msgspec

from letitride.engine import commands
from letitride.engine.view import view
from letitride.errors import InvalidData, LetItRideError
from letitride.server import wire
from letitride.server.host import Answer
from letitride.server.house import Room, Watcher
from letitride.server.people import Person

COMMANDS_A_SECOND: Final = 20
BURST: Final = 40
STAFF: Final = ("dealer", "floor", "casino_supervisor", "inspector")

Send = Callable[[bytes], Awaitable[None]]


class Viewer:
    """Somebody at a table: who he is there follows from where he sits, or from the role he takes."""

    def __init__(self, room: Room, person: Person, role: str = "") -> None:
        if role and (role not in STAFF or role not in person.roles):
            raise InvalidData(f"expected a role that {person.name} has, got '{role}'")
        self.room, self.person, self.role = room, person, role
        self.watcher = Watcher()
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

    async def take(self, frame: bytes | str, now: float) -> dict[str, Any] | None:
        """Return the answer to a message."""
        if not self._may_send(now):
            return {"type": "error", "sentence": "Expected fewer messages a second, got too many."}
        message = wire.read(frame)
        if isinstance(message, str):
            return {"type": "error", "sentence": message}
        try:
            match message:
                case wire.Act():
                    answer = await self._act(message)
                    return {"type": "answer", **msgspec.to_builtins(answer)}
                case wire.PledgeNonce():
                    self.room.shuffles.pledge(self._seat(), bytes.fromhex(message.digest))
                case wire.RevealNonce():
                    self.room.shuffles.reveal(self._seat(), bytes.fromhex(message.nonce))
        except LetItRideError as error:
            return {"type": "error", "sentence": str(error)}
        return None

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

    async def _act(self, act: wire.Act) -> Answer:
        return await self.room.submit(f"{self.room.record.id}/{self.person.name}", act.id, self._own(act.command))

    def _own(self, command: commands.AnyCommand) -> commands.AnyCommand:
        """Return a command as this person may give it: by his seat or his role, never by a name he chose."""
        if self.role:
            if isinstance(command, commands.Mishap):
                raise InvalidData("expected a command of a person, got one of the table itself")
            return msgspec.structs.replace(command, by=self.role)
        if isinstance(command, commands.Sit):
            if self.room.seat_of(self.person.name):
                raise InvalidData("expected somebody who does not sit here yet, got somebody who does")
            return msgspec.structs.replace(command, by=f"seat:{command.seat}", player=self.person.name)
        seat = self.room.seat_of(self.person.name)
        if not seat:
            raise InvalidData("expected a seat at this table for that, got somebody without one")
        if isinstance(command, commands.Mishap | commands.Do | commands.Order | commands.DecideDispute):
            raise InvalidData("expected a player's command, got one of those who run the table")
        of_others = isinstance(command, commands.Report | commands.Advise)  # what one says of a seat, not what it does
        if not of_others and getattr(command, "seat", seat) != seat:
            raise InvalidData(f"expected a command for your own seat {seat}, got one for seat {command.seat}")
        return msgspec.structs.replace(command, by=f"seat:{seat}")
