"""Run: the tallies of a table's rounds, chunk by chunk."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from letitride.simulation.game import BLOCK, Game
from letitride.simulation.jobs import CHUNK, Chunk, Job, on_threads
from letitride.simulation.tallies import Tallies, counted, nothing


def count(game: Game, seed: int, chunk: Chunk) -> Tallies:
    """Count the rounds of one chunk, which starts where a block begins."""
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
    return counted(game, stop - start, (cells, threes, best, squares))


def rounds_job(game: Game, seed: int, rounds: int, size: int = CHUNK) -> Job[Tallies]:
    """Return the job of counting so many rounds."""
    return Job(count, game, (seed,), rounds, size, nothing())


def simulate(game: Game, seed: int, rounds: int, threads: int = 1) -> Tallies:
    """Return the tallies of so many rounds: the same on any number of threads."""
    total = nothing()
    for _, part in on_threads(rounds_job(game, seed, rounds), 0, threads):
        total += part
    return total


def dealt(game: Game, seed: int, block: int) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return the cells and three-card categories of a block: a row for each round, a column for each seat."""
    from letitride.simulation.kernel import deal  # noqa: PLC0415 - as above

    cells, threes = np.empty(BLOCK * game.seats, np.uint8), np.empty(BLOCK * game.seats, np.uint8)
    deal(game.seats, game.packets, game.outcomes, seed, block, BLOCK, cells, threes)
    return cells.reshape(BLOCK, game.seats), threes.reshape(BLOCK, game.seats)
