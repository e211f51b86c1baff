"""Write batching: one thread writes to the store; what many tables have to remember goes into one transaction."""

from __future__ import annotations

import asyncio
import logging
import queue
import sys
import time
from collections.abc import Callable, Sequence
from threading import Thread
from typing import Any, Final, TypeVar

from letitride.server.runtime.document_batching import Change, DocumentChange, make_changes
from letitride.storage.roles.documents import DocumentStore
from letitride.storage.roles.journal import JournalStore, Outcome, Write

BATCH_MAX: Final = 1_000
"""Writes of one transaction, after which no more are added to it."""

SWITCH_SECONDS: Final = 0.001

log = logging.getLogger(__name__)

T = TypeVar("T")
_Waiting = tuple[Write | Callable[[], Any], "asyncio.Future[Any]", asyncio.AbstractEventLoop]


class Committer:
    """Takes writes from the tables' hosts and answers each when it is on disk."""

    def __init__(self, journal: JournalStore) -> None:
        self._journal = journal
        self._gathered: list[_Waiting] = []
        """What came at this moment of the event loop; the thread is woken once for all of it."""
        self._queue: queue.SimpleQueue[list[_Waiting] | None] = queue.SimpleQueue()
        self._thread = Thread(target=self._write_batches, name="committer", daemon=True)
        self.transactions = 0
        self.writes = 0
        self.watch: Callable[[Sequence[Write], Sequence[Outcome | Exception], float], None] | None = None
        """Told of every transaction, what came of it, and how many seconds it took."""
        self._beat: Callable[[], None] | None = None
        self._beat_seconds: float | None = None
        # The thread works with the database most of the time; when it comes back, a busy event loop shall not keep it
        # waiting for the interpreter longer than a disk would.
        sys.setswitchinterval(SWITCH_SECONDS)
        self._thread.start()

    async def commit(self, write: Write) -> Outcome:
        """Return what happened to a write, once it is durable; an exception of the store comes through."""
        outcome: Outcome = await self._put(write)
        return outcome

    async def run(self, act: Callable[[], T]) -> T:
        """Do something else with the store where alone it may be written, and return what came of it."""
        done: T = await self._put(act)
        return done

    async def change_document(self, documents: DocumentStore, kind: str, doc_id: str, change: Change) -> bytes | None:
        """Change a document, together with others that wait; return what it is now, or nothing where it stays."""
        return await self.run(DocumentChange(documents, kind, doc_id, change))

    async def _put(self, what: Write | Callable[[], Any]) -> Any:
        loop = asyncio.get_running_loop()
        done: asyncio.Future[Any] = loop.create_future()
        if not self._gathered:
            loop.call_soon(self._hand_over)
        self._gathered.append((what, done, loop))
        return await done

    def _hand_over(self) -> None:
        if self._gathered:
            self._queue.put(self._gathered)
            self._gathered = []

    def run_regularly(self, act: Callable[[], None], seconds: float) -> None:
        """Do something with the store between transactions, so many seconds apart at most, whatever else waits."""
        self._beat, self._beat_seconds = act, seconds
        self._queue.put([])  # from now on it is not waited for writes alone

    def close(self) -> None:
        """Write what is waiting, and stop."""
        self._hand_over()
        self._queue.put(None)
        self._thread.join()

    def _write_batches(self) -> None:
        while (first := self._first()) is not None:
            batch, last = self._more(first)
            writes = [(what, done, loop) for what, done, loop in batch if isinstance(what, Write)]
            if writes:
                self._append(writes)
            acts = [(what, done, loop) for what, done, loop in batch if not isinstance(what, Write)]
            keeps = [(what, done, loop) for what, done, loop in acts if isinstance(what, DocumentChange)]
            if len(keeps) > 1:
                self._run_regular_work()
                kept = make_changes([what for what, _, _ in keeps])
                keeps[0][2].call_soon_threadsafe(_answer_all, [done for _, done, _ in keeps], kept)
                acts = [act for act in acts if not isinstance(act[0], DocumentChange)]
            for what, done, loop in acts:
                self._run_regular_work()
                loop.call_soon_threadsafe(_answer, done, _outcome_of(what))
            if last:
                return

    def _first(self) -> list[_Waiting] | None:
        """Return what is waiting, or wait for it; nothing when there is an end."""
        while True:
            self._run_regular_work()
            try:
                return self._queue.get(timeout=self._beat_seconds)
            except queue.Empty:
                pass

    def _run_regular_work(self) -> None:
        if self._beat is not None:
            try:
                self._beat()
            except Exception:  # whatever it is, writing goes on
                log.exception("work between two transactions failed")

    def _append(self, writes: list[tuple[Write, asyncio.Future[Any], asyncio.AbstractEventLoop]]) -> None:
        began = time.perf_counter()
        try:
            outcomes: list[Outcome | Exception] = list(self._journal.append([write for write, _, _ in writes]))
        except Exception as error:
            outcomes = [error] * len(writes)
        self.transactions += 1
        self.writes += len(writes)
        if self.watch is not None:
            self.watch([write for write, _, _ in writes], outcomes, time.perf_counter() - began)
        loop = writes[0][2]  # a committer serves one loop; it is woken once for all of them
        loop.call_soon_threadsafe(_answer_all, [done for _, done, _ in writes], outcomes)

    def _more(self, first: list[_Waiting]) -> tuple[list[_Waiting], bool]:
        """Return all that is waiting; while one transaction is written the next one gathers by itself."""
        batch = list(first)
        while len(batch) < BATCH_MAX:
            try:
                waiting = self._queue.get_nowait()
            except queue.Empty:
                break
            if waiting is None:
                return batch, True
            batch += waiting
        return batch, False


def _outcome_of(act: Callable[[], Any]) -> Any:
    try:
        return act()
    except Exception as error:
        return error


def _answer_all(waiting: Sequence[asyncio.Future[Any]], outcomes: Sequence[Any]) -> None:
    for done, outcome in zip(waiting, outcomes, strict=True):
        _answer(done, outcome)


def _answer(done: asyncio.Future[Any], outcome: Any) -> None:
    if done.cancelled():
        return
    if isinstance(outcome, Exception):
        done.set_exception(outcome)
    else:
        done.set_result(outcome)
