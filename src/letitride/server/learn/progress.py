"""Progress: how far people have come in drills, kept in the store; the questions and answers are training's."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final, Generic, TypeVar

from letitride.server.runtime.pricing import run_drill
from letitride.server.runtime.requests import NotNow
from letitride.server.runtime.write_batching import Committer
from letitride.storage.roles.documents import DocumentStore
from letitride.training.results import InStore, Result

TRIES: Final = 8

T = TypeVar("T")


class AnsweredBefore(NotNow):
    """An answer to a question that is not the open one: it was answered before, perhaps on another page."""


@dataclass(frozen=True, slots=True)
class Change(Generic[T]):
    """The new progress of a person in a drill, and what they are told."""

    told: T
    body: bytes | None
    """What to keep; None: nothing, it begins anew."""
    result: Result | None = None


class Learning:
    """Everybody's drills. Reading and reckoning is done in threads, writing in the committer's."""

    def __init__(self, documents: DocumentStore, committer: Committer) -> None:
        self._keeper, self._committer = InStore(documents), committer

    async def progress(self, person: str, drill: str) -> bytes | None:
        """Return a person's progress in a drill."""
        kept = await asyncio.to_thread(self._keeper.progress, person, drill)
        return None if kept is None else kept[0]

    async def all_progress(self, person: str, drills: str) -> dict[str, bytes]:
        """Return a person's progress in all drills whose names begin so."""
        return await asyncio.to_thread(self._keeper.all_progress, person, drills)

    async def results(self, person: str = "", drill: str = "") -> list[Result]:
        """Return results of a person, or of all, oldest first."""
        return await asyncio.to_thread(self._keeper.results, person, drill)

    async def change(self, person: str, drill: str, act: Callable[[bytes | None], Change[T]]) -> T:
        """Change a person's progress, on however many pages and servers they learn at the same time.

        Progress that did not change is not written.
        """
        for _ in range(TRIES):
            kept = await asyncio.to_thread(self._keeper.progress, person, drill)
            body, version = kept or (None, 0)
            change = await run_drill(partial(act, body))
            if change.body == body and change.result is None:
                return change.told
            if await self._committer.run(lambda c=change, v=version: self._write(person, drill, c, v)):  # type: ignore[misc]  # a lambda has no place for types
                return change.told
        raise NotNow("expected one answer after another, got many at the same time: send it again")

    async def take_over_from_guest(self, guest: str, person: str) -> None:
        """Let a guest's progress and results be those of the account that they created."""
        await self._committer.run(lambda: self._keeper.rename(guest, person))

    async def forget(self, person: str, drill: str) -> None:
        """Let a person begin a drill anew."""
        await self._committer.run(lambda: self._keeper.forget_progress(person, drill))

    def _write(self, person: str, drill: str, change: Change[T], version: int) -> bool:
        """Keep progress and the result it ends in, if no other progress was kept meanwhile."""
        if change.body is None:
            if not self._keeper.end_progress(person, drill, version):
                return False
        elif not self._keeper.keep_progress(person, drill, change.body, version):
            return False
        if change.result is not None:
            self._keeper.add_result(change.result)
        return True


def refuse_other_question(number: int, wanted: int | None) -> None:
    """Refuse an answer to another question than the open one."""
    if wanted is None:
        raise AnsweredBefore(f"expected no answer, since no question is open, got one to question {number}")
    if number != wanted:
        raise AnsweredBefore(f"expected an answer to question {wanted}, got one to question {number}")
