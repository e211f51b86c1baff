"""Jobs: work in chunks that adds up the same wherever and in whatever order it is done; on threads of this machine."""

from __future__ import annotations

import copy
import os
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final, Generic, Protocol, Self, TypeVar

from letitride.simulation.game import BLOCK, PartData

CHUNK: Final = 512 * BLOCK
"""Rounds that are counted in one go: long enough to be worth handing out, short enough to stop soon."""

Chunk = tuple[int, int]
"""The first unit, a round or a session, and the one after the last."""


class Part(Protocol):
    """What comes of a chunk: parts add up to the whole."""

    def __iadd__(self, other: Self, /) -> Self: ...

    def as_data(self) -> PartData:
        """Return it as plain data."""

    @classmethod
    def from_data(cls, data: PartData) -> Self:
        """Return what `as_data` gave."""


T = TypeVar("T", bound=Part)


@dataclass(frozen=True)
class Job(Generic[T]):
    """A function of a chunk, what it needs, and how many units there are to do."""

    function: Callable[..., T]
    shared: Any
    """What every chunk needs: sent to a worker once."""
    arguments: tuple[int, ...]
    units: int
    size: int
    """Units of a chunk."""
    empty: T
    step: int = BLOCK
    """Units that cannot be divided: what is done of a part of them is done again by a run that goes further."""
    settle: Callable[[T], None] | None = None
    """What is done with the whole whenever a part was added: what depends on the parts before."""

    def chunks(self, start: int = 0) -> Iterator[Chunk]:
        """Yield what is to be done from a unit on, where a step begins; a last part of a step comes by itself."""
        yield from chunks_of(self.units, self.size, start, self.step)

    def begin(self, saved: PartData | None = None) -> T:
        """Return the whole that parts are added to: nothing yet, or what was saved."""
        total = copy.deepcopy(self.empty) if saved is None else type(self.empty).from_data(saved)
        if self.settle is not None:
            self.settle(total)
        return total

    def add(self, total: T, part: T) -> T:
        """Return the whole with a part added; parts come in the order of their chunks."""
        total += part  # type: ignore[operator]  # a part adds to its like
        if self.settle is not None:
            self.settle(total)
        return total

    def do(self, chunk: Chunk) -> T:
        """Do one chunk."""
        return self.function(self.shared, *self.arguments, chunk)


def chunks_of(units: int, size: int, start: int = 0, step: int = BLOCK) -> Iterator[Chunk]:
    """Yield so many units from one on as chunks of a size; a last part of a step comes by itself."""
    whole = units - units % step
    yield from ((first, min(first + size, whole)) for first in range(start, whole, size))
    if whole < units:
        yield max(start, whole), units


def on_threads(job: Job[T], start: int, threads: int) -> Generator[tuple[Chunk, T]]:
    """Yield what comes of each chunk, in order; compiled code lets threads run side by side."""
    if threads == 1:
        yield from ((chunk, job.do(chunk)) for chunk in job.chunks(start))
        return
    waiting: list[tuple[Chunk, Future[T]]] = []
    with ThreadPoolExecutor(threads) as pool:
        try:
            for chunk in job.chunks(start):
                waiting.append((chunk, pool.submit(job.do, chunk)))
                if len(waiting) > 2 * threads:
                    done, part = waiting.pop(0)
                    yield done, part.result()
            while waiting:
                done, part = waiting.pop(0)
                yield done, part.result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def processors() -> int:
    """Return how many threads this process may run at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
