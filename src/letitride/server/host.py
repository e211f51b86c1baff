"""Host: the one owner of a table: commands in the order they came, durable before they are answered, then views."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

import msgspec

from letitride.engine import commands
from letitride.engine.decide import Events
from letitride.engine.events import TableOpened
from letitride.engine.evolve import evolve, new_table
from letitride.engine.refusal import Refusal
from letitride.engine.state import Table
from letitride.errors import InvariantBroken, LetItRideError
from letitride.ledger.postings import Transfer, postings
from letitride.ledger.promises import step_and_check
from letitride.server.committer import Committer
from letitride.storage.codec import decode
from letitride.storage.journal import Head, Row, seal
from letitride.storage.store import Ack, Conflict, Stale, Store, Write

BATCH_MAX: Final = 64
"""Commands of one table that are decided before the first of them is on disk."""
REMEMBERED: Final = 2_048
"""Answers kept at hand for commands that are sent again; older ones are in the store."""


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What a command came to: accepted and durable at a version of the table, or refused with a reason."""

    command: str
    accepted: bool
    version: int
    code: str = ""
    sentence: str = ""


@dataclass(slots=True)
class Request:
    """A command of a client, and who waits for its answer."""

    client: str
    id: str
    command: commands.AnyCommand
    answer: asyncio.Future[Answer] = field(repr=False)


class TableHalted(LetItRideError):
    """A table that takes no commands: a promise was broken, or its journal belongs to another owner."""


class Host:
    """Owns one table. Everything it tells anybody is on disk."""

    def __init__(
        self,
        table_id: str,
        table: Table,
        head: Head,
        *,
        epoch: int,
        store: Store,
        committer: Committer,
        clock_ms: Callable[[], int],
    ) -> None:
        self.id, self.table, self.head, self.epoch = table_id, table, head, epoch
        self.halted = ""
        self.changed = asyncio.Event()
        """Set at every new version; whoever waits on it takes the next one."""
        self._store, self._committer, self._clock_ms = store, committer, clock_ms
        self._queue: asyncio.Queue[Request] = asyncio.Queue()
        self._answers: OrderedDict[tuple[str, str], asyncio.Future[Answer]] = OrderedDict()
        self._work = asyncio.create_task(self._run(), name=f"table {table_id}")

    async def submit(self, client: str, command_id: str, command: commands.AnyCommand) -> Answer:
        """Carry a command out at most once, and return its answer when it is durable, however often it is sent."""
        key = (client, command_id)
        if command_id and (known := self._answers.get(key)) is not None:
            self._answers.move_to_end(key)
            return await asyncio.shield(known)
        if self.halted:
            raise TableHalted(self.halted)
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        if command_id:
            self._answers[key] = answer
        while len(self._answers) > REMEMBERED and next(iter(self._answers.values())).done():
            self._answers.popitem(last=False)
        self._queue.put_nowait(Request(client, command_id, command, answer))
        return await asyncio.shield(answer)

    async def close(self) -> None:
        """Answer what was taken, and stop."""
        while not self._queue.empty() and not self.halted:
            await asyncio.sleep(0)
        self._work.cancel()
        await asyncio.gather(self._work, return_exceptions=True)

    async def _run(self) -> None:
        while not self.halted:
            batch = [await self._queue.get()]
            while len(batch) < BATCH_MAX and not self._queue.empty():
                batch.append(self._queue.get_nowait())
            try:
                await self._together(batch)
            except LetItRideError as error:
                self._halt(str(error), batch)
            except Exception as error:
                self._halt(f"{type(error).__name__}: {error}", batch)

    async def _together(self, batch: Sequence[Request]) -> None:
        """Decide a batch and write it as one; where the store refuses that, one by one."""
        table, head = self.table, self.head
        rows: list[Row] = []
        transfers: list[Transfer] = []
        accepted: list[tuple[Request, Answer]] = []
        refused: list[tuple[Request, Answer]] = []
        for request in batch:
            after, outcome = step_and_check(table, request.command)
            if isinstance(outcome, Refusal):
                refused.append((request, _refused(request, table, outcome.code, outcome.sentence)))
                continue
            table = after
            rows.append(self._seal(head, request, outcome))
            head = Head(rows[-1].number, rows[-1].hash)
            transfers += [transfer for event in outcome for transfer in postings(event)]
            accepted.append((request, Answer(command=request.id, accepted=True, version=table.version)))
        if rows and not await self._write(rows, transfers, accepted):
            for request, _ in accepted:
                await self._together_or_alone(request, len(batch))
            accepted = []
        else:
            self.table, self.head = table, head
        for request, answer in (*refused, *accepted):
            _set(request, answer)
        if accepted:
            self._tell()

    async def _together_or_alone(self, request: Request, size: int) -> None:
        if size > 1:
            await self._together([request])
            return
        outcome = self._conflict
        if outcome is not None and outcome.code == "command":
            kept = await asyncio.to_thread(self._store.reply, request.client, request.id)
            if kept is not None:
                _set(request, msgspec.json.decode(kept, type=Answer))
                return
        if outcome is not None and outcome.code in {"balance", "bounds"}:
            sentence = "There is not enough money in the wallet for this."
            _set(request, _refused(request, self.table, "not_enough_money", sentence))
            return
        raise InvariantBroken(f"the journal refused a row: {outcome.reason if outcome else 'no reason given'}")

    _conflict: Conflict | None = None

    async def _write(
        self, rows: Sequence[Row], transfers: Sequence[Transfer], accepted: Sequence[tuple[Request, Answer]]
    ) -> bool:
        acks = [
            Ack(request.client, request.id, msgspec.json.encode(answer)) for request, answer in accepted if request.id
        ]
        write = Write(
            table_id=self.id, epoch=self.epoch, number=rows[0].number, rows=rows, transfers=transfers, acks=acks
        )
        outcome = await self._committer.commit(write)
        if isinstance(outcome, Stale):
            raise TableHalted(f"another node owns this table since epoch {outcome.epoch}")
        self._conflict = outcome if isinstance(outcome, Conflict) else None
        return self._conflict is None

    def _seal(self, head: Head, request: Request, happened: Events) -> Row:
        return seal(
            head,
            table_id=self.id,
            at=self._clock_ms(),
            by=request.command.by,
            happened=happened,
            command=request.id,
            epoch=self.epoch,
        )

    def _halt(self, why: str, batch: Sequence[Request]) -> None:
        """Stop this table only: what is on disk stays as it is, and nobody is told anything that is not."""
        self.halted = why
        waiting = list(batch)
        while not self._queue.empty():
            waiting.append(self._queue.get_nowait())
        for request in waiting:
            if not request.answer.done():
                request.answer.set_exception(TableHalted(why))
                request.answer.exception()  # whoever sent it may be gone
        self._tell()

    def _tell(self) -> None:
        self.changed.set()
        self.changed = asyncio.Event()


def _refused(request: Request, table: Table, code: str, sentence: str) -> Answer:
    return Answer(command=request.id, accepted=False, version=table.version, code=code, sentence=sentence)


def _set(request: Request, answer: Answer) -> None:
    if not request.answer.done():
        request.answer.set_result(answer)


def rebuilt(rows: Sequence[Row]) -> Table:
    """Return a table as its journal tells it."""
    table: Table | None = None
    for row in rows:
        for event in decode(row.events):
            table = new_table(event) if isinstance(event, TableOpened) else evolve(_there(table), event)
    return _there(table)


def _there(table: Table | None) -> Table:
    if table is None:
        raise InvariantBroken("a journal begins with the opening of its table")
    return table
