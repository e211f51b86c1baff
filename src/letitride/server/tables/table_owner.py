"""Table owner: takes a table's commands in order, answers each once it is durable, then views; reads no socket."""

from __future__ import annotations

import asyncio
import math
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Final

import msgspec

from letitride.engine import commands, meters
from letitride.engine.decide import Events
from letitride.engine.events import AnyEvent
from letitride.engine.evolve import evolve
from letitride.engine.promises import play_checked
from letitride.engine.refusal import Refusal
from letitride.engine.state import Table
from letitride.errors import InvariantBroken, LetItRideError, StoreDown
from letitride.server.people import vouchers
from letitride.server.runtime.reader_threads import read_in_thread
from letitride.server.runtime.requests import (
    REUSED,
    SEND_AGAIN,
    Answer,
    Guard,
    Queue,
    Remembered,
    Request,
    TableHalted,
    TableLost,
    Turn,
    refusal_answer,
    remembered,
    reused_id_answer,
)
from letitride.server.runtime.write_batching import Committer
from letitride.server.tables.audit_notes import note_of
from letitride.storage.journal import Cover, Head, Row, follows, read, seal
from letitride.storage.roles.audit import Note
from letitride.storage.roles.documents import Document
from letitride.storage.roles.journal import Ack, Conflict, JournalStore, Stale, Write

__all__ = ["Answer", "TableHalted", "TableOwner"]

BATCH_MAX: Final = 64
"""Commands of one table that are decided before the first of them is on disk."""
CLOSED: Final = "this table is closed here"
"""Why a table halts that is stopped on purpose."""
REMEMBERED: Final = 512
"""Answers kept at hand for commands that are sent again; older ones are in the store."""


class TableOwner:
    """Owns one table. Everything it tells anybody is on disk."""

    def __init__(
        self,
        table_id: str,
        table: Table,
        head: Head,
        *,
        epoch: int,
        journal: JournalStore,
        committer: Committer,
        clock_ms: Callable[[], int],
        rest: Callable[[vouchers.TokensHeld, Sequence[Ack]], tuple[Document, Note]],
    ) -> None:
        self.id, self.table, self.head, self.epoch = table_id, table, head, epoch
        self.halted = ""
        """Why it takes no commands any more."""
        self.lost = False
        """Whether it is another's by now."""
        self.down = ""
        """Why it takes no commands for the moment: the store does not answer."""
        self.patience_seconds = 60.0
        """How long the store may stay away."""
        self.on_change: Callable[[], None] = lambda: None
        self.changed = asyncio.Event()
        """Set at every new version; each waiter takes the next one."""
        self.gate: Callable[[Table, commands.AnyCommand], Refusal | None] = lambda _table, _command: None
        """What the table does not take now, from any client."""
        self.on_halt: Callable[[str], None] = lambda _why: None
        self.on_written: Callable[[Sequence[AnyEvent]], None] = lambda _happened: None
        self.cover: Cover = lambda _number, events: events
        self.meter: Callable[[str], int] = lambda _wager: 0
        """What the meter holds that tables share for a wager."""
        self._journal, self._committer, self._clock_ms, self._rest = journal, committer, clock_ms, rest
        self._loop = asyncio.get_running_loop()
        self._queue = Queue(self._loop)
        self._waiting: dict[tuple[str, str], Request] = {}
        self._answered: OrderedDict[tuple[str, str], tuple[str, Answer]] = OrderedDict()
        """The latest answers with the digests of what was said: no more of a command is held than it takes."""
        self._down_since, self._failed = 0.0, -math.inf
        """Since when, and when last, the store could not be written."""
        self._work = asyncio.create_task(self._run(), name=f"table {table_id}")

    async def submit(
        self,
        client: str,
        command_id: str,
        command: commands.AnyCommand,
        *,
        said: str = "",
        guard: Guard | None = None,
        person: str = "",
        second: str = "",
        along: tuple[Document, ...] = (),
    ) -> Answer:
        """Carry a command out at most once, and return its answer when it is durable, however often it is sent.

        `said` is the digest of what the client sent; the same id with something else is refused. With a `person` it is
        in the audit, in the transaction that carries it out, and so are the documents `along`.
        """
        key = client, command_id
        is_known = key in self._waiting or key in self._answered  # of what has no id nothing is kept
        if is_known and (known := await self._answer_at_hand(client, command_id, said)) is not None:
            return known
        self._refuse_if_out()
        request = Request(client, command_id, command, said, guard, person, second, along)
        if command_id:
            self._waiting[key] = request
        self._queue.put(request)
        return await request.wait_for_answer()

    async def earlier_answer(self, client: str, command_id: str, said: str) -> Answer | None:
        """Return the answer a command got before, if it did."""
        known = await self._answer_at_hand(client, command_id, said)
        return known or await self._stored_answer(client, command_id, said)

    async def run_between_commands(self, act: Callable[[], Awaitable[None]]) -> None:
        """Do something between two commands: all that came before are answered, none that comes later is decided."""
        self._refuse_if_out()
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.put(Turn(act, done))
        await asyncio.shield(done)

    async def halt(self, why: str) -> None:
        """Stop this table."""

        async def stop() -> None:
            raise TableHalted(why)

        with suppress(LetItRideError):
            await self.run_between_commands(stop)

    async def read_meters(self, table: Table) -> dict[str, int]:
        """Return what the shared meters hold that are to be read at a table."""
        return {wager: await read_in_thread(self.meter, wager) for wager in meters.to_read(table)}

    def wake(self) -> None:
        """Wake everybody who waits for something new at this table."""
        self.changed.set()
        self.changed = asyncio.Event()
        self.on_change()

    async def close(self) -> None:
        """Answer what was taken, and stop."""
        with suppress(LetItRideError):
            await self.run_between_commands(lambda: asyncio.sleep(0))
        self._work.cancel()
        await asyncio.gather(self._work, return_exceptions=True)
        self.halted = self.halted or CLOSED
        self._refuse((), TableHalted(self.halted))  # what came after the last turn: nothing else would answer it

    def _refuse_if_out(self) -> None:
        if self.halted:
            raise TableHalted(self.halted)
        if self.down:
            raise StoreDown(self.down)

    async def _answer_at_hand(self, client: str, command_id: str, said: str) -> Answer | None:
        """Return the answer of a command that is sent again, as far as it is at hand."""
        waiting, answered = self._waiting.get((client, command_id)), self._answered.get((client, command_id))
        if waiting is not None and waiting.said == said:
            return await waiting.wait_for_answer()
        if answered is not None and answered[0] == said:
            return answered[1]
        if waiting is None and answered is None:
            return None
        # What waits may itself be the other one: whose id it is, the store knows if it was ever accepted.
        return await self._stored_answer(client, command_id, said) or reused_id_answer(command_id, self.table)

    def _settle(self, request: Request, answer: Answer) -> None:
        """Give a command its answer, and keep that for a client that asks again."""
        if request.id:
            self._waiting.pop((request.client, request.id), None)
            if answer.code != REUSED:  # the id is another command's, and so is what is kept under it
                self._answered[request.client, request.id] = (request.said, answer)
            if len(self._answered) > REMEMBERED:
                self._answered.popitem(last=False)
        request.settle(answer)

    async def _stored_answer(self, client: str, command_id: str, said: str) -> Answer | None:
        kept = await read_in_thread(self._journal.reply, client, command_id)
        if kept is None:
            return None
        found = msgspec.json.decode(kept, type=Remembered)
        if found.said != said:
            return reused_id_answer(command_id, self.table)
        return Answer(command=found.command, accepted=found.accepted, version=found.version)

    async def _run(self) -> None:
        while not self.halted:
            waiting = await self._queue.next(BATCH_MAX)
            try:
                await self._decide_batch([one for one in waiting if isinstance(one, Request)])
                for one in waiting:
                    if isinstance(one, Turn):
                        await one.take()
            except asyncio.CancelledError:  # what was being written is uncertain; sent again, it is answered
                self._refuse(waiting, TableHalted(CLOSED))
                raise
            except StoreDown as error:
                await self._wait_for_store(error, waiting)
            except LetItRideError as error:
                self._halt(error, waiting)
            except Exception as error:
                self._halt(TableHalted(f"{type(error).__name__}: {error}"), waiting)

    async def _decide_batch(self, batch: Sequence[Request]) -> None:
        """Decide a batch and write it as one; where the store refuses that, one by one."""
        table, head = self.table, self.head
        rows: list[Row] = []
        happened: list[AnyEvent] = []
        acks: list[Ack] = []
        notes: list[Note] = []
        along: list[Document] = []
        held: list[vouchers.TokensHeld] = []
        relied_on: dict[str, int] = {}
        accepted: list[tuple[Request, Answer]] = []
        turned_down: list[tuple[Request, Answer]] = []
        for request in batch:
            after, outcome = self._decide(table, request)
            if isinstance(outcome, Refusal):
                turned_down.append((request, refusal_answer(request, table, outcome)))
                continue
            row = seal(
                head,
                table_id=self.id,
                at=self._clock_ms(),
                by=request.command.by,
                happened=outcome,
                command=request.id,
                epoch=self.epoch,
                cover=self.cover,
            )
            rows.append(row)
            held += vouchers.tokens_held(table, outcome, row)
            relied_on |= meters.relied_on(outcome)
            table, head = after, Head(row.number, row.hash)
            happened += outcome
            answer = Answer(command=request.id, accepted=True, version=table.version)
            accepted.append((request, answer))
            along += request.along
            marks, on_record = vouchers.redemption_mark(request.command, self.id, row)
            acks, notes = acks + marks, notes + on_record
            if request.id:
                acks.append(Ack(request.client, request.id, msgspec.json.encode(remembered(answer, request.said))))
            if request.person:
                notes.append(note_of(request.command, request.person, self.id, row, request.second))
        rests = [await read_in_thread(self._rest, one, acks) for one in held]
        write = Write(
            table_id=self.id,
            epoch=self.epoch,
            number=self.head.number + 1,
            rows=rows,
            transfers=[transfer for event in happened for transfer in event.chips],
            acks=acks,
            notes=[*notes, *(note for _, note in rests)],
            documents=[*along, *(voucher for voucher, _ in rests)],
            holds=relied_on,
        )
        conflict = await self._write(write) if rows else None
        if conflict is not None:
            if len(batch) == 1:
                await self._answer_conflict(batch[0], conflict)
            else:
                for request in batch:
                    await self._decide_batch([request])
            return
        self.table, self.head = table, head
        self.on_written(happened)
        for request, answer in accepted:
            self._settle(request, answer)
        if accepted:
            self._loop.call_soon(self.wake)  # after the answers: the player who acted gets both at one moment
        for request, answer in turned_down:
            # What was accepted once may well be refused now: a client that asks again is told what was answered then.
            before = await self._stored_answer(request.client, request.id, request.said) if request.id else None
            self._settle(request, before or answer)

    def _decide(self, table: Table, request: Request) -> tuple[Table, Events | Refusal]:
        refusal = request.guard(table) if request.guard is not None else None
        refusal = refusal or self.gate(table, request.command)
        return (table, refusal) if refusal is not None else play_checked(table, request.command)

    async def _answer_conflict(self, request: Request, conflict: Conflict) -> None:
        """Answer a command whose row the store refused."""
        if conflict.code == "command":
            kept = await self._stored_answer(request.client, request.id, request.said)
            if kept is not None:
                self._settle(request, kept)
                return
            if isinstance(request.command, commands.ExchangeVoucher):  # redeemed elsewhere a moment ago
                self._settle(request, refusal_answer(request, self.table, vouchers.USED))
                return
        if conflict.code == "balance" and isinstance(request.command, commands.ReadMeters):
            request.read_again(await self.read_meters(self.table))  # another table has taken of one meanwhile
            await self._decide_batch([request])
            return
        if conflict.code in {"balance", "bounds"}:
            sentence = "Your wallet doesn't hold that much."
            self._settle(request, refusal_answer(request, self.table, Refusal("not_enough_money", sentence)))
            return
        # A commit that seemed to fail may have come through after all: then the journal has rows of ours.
        if conflict.code in {"number", "previous"} and await self._take_in_journal():
            await self._decide_batch([request])
            return
        raise InvariantBroken(f"the journal refused a row: {conflict.reason}")

    async def _write(self, write: Write) -> Conflict | None:
        outcome = await self._committer.commit(write)
        if isinstance(outcome, Stale):
            raise TableLost(f"another node owns this table since epoch {outcome.epoch}")
        self._failed = -math.inf
        return outcome if isinstance(outcome, Conflict) else None

    async def _wait_for_store(self, error: StoreDown, waiting: Sequence[Request | Turn]) -> None:
        """Refuse what waits, and go on from what the journal has when the store is back.

        It is uncertain whether the last write is on disk, so nothing is decided before the journal was read again.
        """
        loop = asyncio.get_running_loop()
        if loop.time() - self._failed > self.patience_seconds / 2:  # the last time was another time
            self._down_since = loop.time()
        self.down = SEND_AGAIN
        self._refuse(waiting, StoreDown(self.down))
        pause = 0.05
        while self.down:
            await asyncio.sleep(pause)
            pause = min(2 * pause, 1.0)
            if loop.time() - self._down_since > self.patience_seconds:
                self.down = ""
                self._halt(TableHalted(f"the store did not come back: {error}"), ())
                return
            try:
                await self._take_in_journal()
                self.down = ""
            except StoreDown:
                continue
            except Exception as broken:
                self.down = ""
                self._halt(broken if isinstance(broken, LetItRideError) else TableHalted(repr(broken)), ())
                return
            finally:
                self._failed = loop.time()
        self.wake()

    async def _take_in_journal(self) -> bool:
        """Take in what the journal has beyond what we know; whether it had anything."""
        head = await read_in_thread(self._journal.last, self.id)
        if head == self.head:
            return False
        rows = await read_in_thread(lambda: list(self._journal.rows(self.id, self.head.number)))
        table, last = self.table, self.head
        for row in rows:
            if row.epoch != self.epoch:
                raise TableLost(f"another node owns this table since epoch {row.epoch}")
            if reason := follows(row, self.id, last):
                raise InvariantBroken(f"the journal is not the one we wrote: {reason}")
            for event in read(row):
                table = evolve(table, event)
            last = Head(row.number, row.hash)
        if not rows:
            raise InvariantBroken(f"the journal ended at row {self.head.number}, and now at row {head.number}")
        self.table, self.head = table, last
        return True

    def _halt(self, why: LetItRideError, waiting: Sequence[Request | Turn]) -> None:
        """Stop this table only: what is on disk stays as it is, and no one is told anything that is not."""
        self.halted, self.lost = str(why), isinstance(why, TableLost)
        self._refuse(waiting, TableHalted(self.halted))
        self.on_halt(self.halted)
        self.wake()

    def _refuse(self, waiting: Sequence[Request | Turn], error: LetItRideError) -> None:
        """Tell all who wait that nothing was done; a client that sends it again is heard again."""
        for one in (*waiting, *self._queue.empty()):
            if isinstance(one, Request) and self._waiting.get((one.client, one.id)) is one:
                del self._waiting[one.client, one.id]
            one.fail(error)
