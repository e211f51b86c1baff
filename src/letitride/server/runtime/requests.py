"""Requests: what the owner of a table is asked, and what it answers; it decides nothing."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Final

import msgspec

from letitride.engine import commands
from letitride.engine.refusal import Refusal
from letitride.engine.state import Table
from letitride.errors import InvalidData, InvariantBroken, LetItRideError
from letitride.storage.roles.documents import Document

STORE_AWAY: Final = "The server can't save anything right now: try again."
"""What is told of a store that does not answer; where it is and what it said is for staff and the log."""

READINGS_MAX: Final = 100
"""How often shared meters are read again for one step: each time another table took of one in between."""

REUSED: Final = "reused_id"

SEND_AGAIN: Final = "The table can't save what happens right now: send the command again under the same id."


class Answer(msgspec.Struct, frozen=True, kw_only=True, gc=False, tag="answer", forbid_unknown_fields=True):
    """The answer to a command: accepted and durable at a version of the table, or refused with a reason."""

    command: str
    accepted: bool
    version: int
    code: str = ""
    sentence: str = ""
    case: str | msgspec.UnsetType = msgspec.UNSET
    """Which of the sentences of a code it is; left out where the code has one."""
    values: dict[str, int | str] | msgspec.UnsetType = msgspec.UNSET
    """What stands in the sentence, for clients that word it themselves; left out where nothing does."""


class Remembered(Answer, frozen=True, kw_only=True, gc=False, tag=False, forbid_unknown_fields=False):
    """An answer as the store keeps it, with the digest of what was asked."""

    said: str = ""


Guard = Callable[[Table], Refusal | None]
"""What has to be so at the moment a command is decided, beyond what the engine asks."""


@dataclass(slots=True)
class Request:
    """A command of a client, and all who wait for its answer; one who goes away takes no other's answer along."""

    client: str
    id: str
    command: commands.AnyCommand
    said: str = ""
    guard: Guard | None = None
    person: str = ""
    """Who of the house gave it, where that goes on record."""
    second: str = ""
    """Who approved it, where that needs another person."""
    along: tuple[Document, ...] = ()
    """New documents that are written with it, where it is carried out."""
    readings: int = 0
    """How often shared meters were read for it again."""
    waiting: list[asyncio.Future[Answer]] = field(default_factory=list, repr=False)

    def read_again(self, readings: Mapping[str, int]) -> None:
        """Ask the same by what shared meters hold now."""
        self.readings += 1
        if not isinstance(self.command, commands.ReadMeters) or self.readings > READINGS_MAX:
            raise InvariantBroken("the store refuses what a shared meter holds by its own reading")
        self.command = commands.with_readings(self.command, readings)

    def wait_for_answer(self) -> asyncio.Future[Answer]:
        """Return one more answer to wait for."""
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self.waiting.append(answer)
        return answer

    def settle(self, answer: Answer) -> None:
        """Give everybody the answer."""
        for one in self.waiting:
            if not one.done():
                one.set_result(answer)

    def fail(self, error: Exception) -> None:
        """Tell everybody that there is no answer."""
        for one in self.waiting:
            _fail(one, error)


@dataclass(slots=True)
class Turn:
    """Something that is done between two commands, in the order in which all of them came."""

    act: Callable[[], Awaitable[None]]
    done: asyncio.Future[None] = field(repr=False)

    async def take(self) -> None:
        """Do it; what goes wrong is for the one who asked, unless it halts the table."""
        try:
            await self.act()
        except TableHalted:
            raise
        except Exception as error:
            self.fail(error)
        else:
            if not self.done.done():
                self.done.set_result(None)

    def fail(self, error: Exception) -> None:
        """Tell those who wait that it was not done."""
        _fail(self.done, error)


class Queue:
    """What waits for the owner of a table, in the order it came; one owner takes it."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._waiting: deque[Request | Turn] = deque()
        # A deque and a future do what a queue of the library does, without asking for the loop at every command.
        self._came: asyncio.Future[None] | None = None

    def put(self, one: Request | Turn) -> None:
        """Let a command or a turn wait, and wake the owner."""
        self._waiting.append(one)
        if self._came is not None and not self._came.done():
            self._came.set_result(None)

    async def next(self, most: int) -> list[Request | Turn]:
        """Return the next commands to decide together, when there are any; a turn ends them."""
        while not self._waiting:
            self._came = self._loop.create_future()
            await self._came
        taken = [self._waiting.popleft()]
        while self._waiting and len(taken) < most and not isinstance(taken[-1], Turn):
            taken.append(self._waiting.popleft())
        return taken

    def empty(self) -> list[Request | Turn]:
        """Return all that waits, and take it out."""
        waiting = list(self._waiting)
        self._waiting.clear()
        return waiting


def _fail(future: asyncio.Future[Any], error: Exception) -> None:
    if not future.done():
        future.set_exception(error)
        future.exception()  # those who asked may be gone


class NotNow(InvalidData):
    """A request that cannot be met as things stand."""


class RoleMissing(InvalidData):
    """A request by a person who lacks the role for it."""


class TableHalted(LetItRideError):
    """A table that takes no commands: a promise was broken, or its store does not come back."""


class TableLost(TableHalted):
    """A table that belongs to another owner by now."""


def digest_of(command: commands.AnyCommand) -> str:
    """Return what tells one command of a client from another, whatever name the client gives."""
    plain = msgspec.json.encode(msgspec.structs.replace(command, by=""), order="deterministic")
    return sha256(plain).hexdigest()[:32]


def remembered(answer: Answer, said: str) -> Remembered:
    """Return an answer as it is kept."""
    return Remembered(command=answer.command, accepted=answer.accepted, version=answer.version, said=said)


def reused_id_answer(command_id: str, table: Table) -> Answer:
    """Return the answer to a command that bears the id of another."""
    sentence = f"The id '{command_id}' was used for another command: every command has an id of its own."
    return Answer(command=command_id, accepted=False, version=table.version, code=REUSED, sentence=sentence)


def refusal_answer(request: Request, table: Table, refusal: Refusal) -> Answer:
    """Return the answer to a command that is refused."""
    return answer_of(request.id, table, refusal)


def answer_of(command_id: str, table: Table, refusal: Refusal) -> Answer:
    """Return a refusal as the answer to a command."""
    return Answer(
        command=command_id,
        accepted=False,
        version=table.version,
        code=refusal.code,
        sentence=refusal.sentence,
        case=refusal.case or msgspec.UNSET,
        values=refusal.values or msgspec.UNSET,
    )
