"""Run: rounds in chunks on threads of this machine, in an order that does not matter to the result."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Final

import numpy as np

from letitride.simulation.game import BLOCK, Game
from letitride.simulation.tallies import Tallies, counted

CHUNK: Final = 512 * BLOCK
"""Rounds that are counted in one go: long enough to be worth handing out, short enough to stop soon."""

Chunk = tuple[int, int]
"""The first round and the one after the last."""


def chunks(start: int, rounds: int, size: int = CHUNK) -> Iterator[Chunk]:
    """Yield the chunks of a run from a round on, where a block begins."""
    return ((first, min(first + size, rounds)) for first in range(start, rounds, size))


def count(game: Game, seed: int, chunk: Chunk) -> Tallies:
    """Count the rounds of one chunk."""
    from letitride.simulation.kernel import tally  # noqa: PLC0415 - the compiler takes a moment to load

    start, stop = chunk
    cells, threes = np.zeros((2, 64), np.int64), np.zeros((2, 8), np.int64)
    best, squares = np.zeros(16, np.int64), np.zeros((2, 3), np.int64)
    tally(
        game.seats,
        game.packets,
        game.outcomes,
        game.base,
        game.bonus,
        game.three,
        game.sides,
        seed,
        start,
        stop,
        cells,
        threes,
        best,
        squares,
    )
    return counted(game, stop - start, cells, threes, best, squares)


Count = Callable[[Chunk], Tallies]


def on_threads(work: Count, parts: Iterable[Chunk], threads: int) -> Iterator[Tallies]:
    """Yield the tallies of the parts in their order, a few ahead at most; compiled code lets threads run side by side."""
    if threads == 1:
        yield from map(work, parts)
        return
    waiting: list[Future[Tallies]] = []
    with ThreadPoolExecutor(threads) as pool:
        try:
            for part in parts:
                waiting.append(pool.submit(work, part))
                if len(waiting) > 2 * threads:
                    yield waiting.pop(0).result()
            while waiting:
                yield waiting.pop(0).result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def processors() -> int:
    """Return how many threads this process may run at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
