"""Run: the tallies of a table's rounds, chunk by chunk."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from itertools import combinations_with_replacement
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from letitride.errors import InvariantBroken
from letitride.rules.arguments import whole
from letitride.simulation.game import BLOCK, FLUSHES, RANK_KEYS, RANK_SETS, SEATS_MAX, Counts, Game
from letitride.simulation.generator import check_seed, deck
from letitride.simulation.jobs import CHUNK, Chunk, Job, on_threads
from letitride.simulation.meters import Metered, fold_meters
from letitride.simulation.plan import Plan, plan
from letitride.simulation.pooled import COUNTS, pooled_terms
from letitride.simulation.tallies import Tallies, counted, in_units, listed_in_units, nothing

ROUNDS_MAX: Final = 10**15
THREADS_MAX: Final = 1_024


def count(game: Game, seed: int, chunk: Chunk) -> Tallies:
    """Count the rounds of one chunk, which starts where a block begins."""
    from letitride.simulation.kernel import tally  # noqa: PLC0415 - the compiler takes a moment to load

    check_compiled()
    start, stop = chunk
    nets, units = in_units(game)
    listed, counts = _listed(game)
    takes = None if game.takes is None else (game.takes.columns, game.takes.tables)
    cells, threes = np.zeros((2, 64), np.int64), np.zeros((2, 8), np.int64)
    best, squares = np.zeros(16, np.int64), np.zeros((2, 3), np.int64)
    pooled = np.zeros(COUNTS, np.int64)
    hits = tally(
        game.seats,
        game.packets,
        game.outcomes,
        *nets,
        game.sides,
        seed,
        start,
        stop,
        cells,
        threes,
        best,
        squares,
        listed,
        takes,
        None if game.pooled is None else (game.base_nets, pooled_terms(game.pooled), pooled),
    )
    return counted(game, stop - start, (cells, threes, best, squares), units, counts, hits, pooled)


def _listed(game: Game) -> tuple[tuple[Any, ...] | None, tuple[Counts, Counts] | None]:
    """Return what the kernel takes of listed wagers, and what it counts them in."""
    if game.listed is None:
        return None, None
    many = len(game.listed.ids)
    counts = np.zeros((many, 2, game.listed.ranks), np.int64), np.zeros((2, many), np.int64)
    backs = game.listed.backs_at, game.listed.backs
    return (game.listed.tables(), backs, listed_in_units(game)[0], *counts), counts


@cache
def check_compiled() -> None:
    """See that the compiled code deals what the generator says: code that was kept may be older than its constants."""
    from letitride.simulation.kernel import deal  # noqa: PLC0415 - as above

    numbers = np.zeros(1 << 13, np.uint32)
    for number, ranks in enumerate(combinations_with_replacement(range(13), 3)):
        numbers[sum(RANK_KEYS[rank] for rank in ranks)] = number
    codes = (np.arange(169 * RANK_SETS) % 9).astype(np.uint8)
    cells = np.empty(SEATS_MAX, np.uint8)
    deal(SEATS_MAX, numbers, codes, 1, 1, 1, cells, np.empty(0, np.uint8), None)
    cards = [card.index for card in deck(1, BLOCK, SEATS_MAX)]
    row = (cards[3 * SEATS_MAX] // 4 * 13 + cards[3 * SEATS_MAX + 1] // 4) * RANK_SETS
    for seat in range(SEATS_MAX):
        packet = cards[3 * seat : 3 * seat + 3]
        flush = len({card % 4 for card in (*packet, *cards[3 * SEATS_MAX : 3 * SEATS_MAX + 2])}) == 1
        code = codes[row + numbers[sum(RANK_KEYS[card // 4] for card in packet)]]
        if cells[seat] >> 2 != (FLUSHES[code] if flush else code):
            raise InvariantBroken("compiled code that was kept is older than letitride: delete its __pycache__ folders")


def rounds_job(game: Game, seed: int, rounds: int, size: int = CHUNK, meters: Sequence[Metered] = ()) -> Job[Tallies]:
    """Return the job of counting so many rounds; meters are reckoned as the parts come in."""
    whole(rounds, "the number of rounds", 1, ROUNDS_MAX)
    check_seed(seed)
    in_units(game), listed_in_units(game)  # both refuse what cannot be squared
    return Job(count, game, (seed,), rounds, size, nothing(), settle=partial(fold_meters, tuple(meters)))


def simulate(
    game: Game | Plan | str, seed: int, rounds: int, threads: int = 1, meters: Sequence[Metered] = ()
) -> Tallies:
    """Return the tallies of so many rounds of a plan, or of a rule book's by its id: the same on any number of threads.

    The meters of a plan are reckoned on the way. Of a game they are where they are given; else the hits are kept, and
    the figures reckon them.
    """
    game = plan(game) if isinstance(game, str) else game
    if isinstance(game, Plan):
        meters, game = meters or game.meters, game.game
    whole(threads, "the number of threads", 1, THREADS_MAX)
    job = rounds_job(game, seed, rounds, meters=meters)
    total = job.begin()
    for _, part in on_threads(job, 0, threads):
        total = job.add(total, part)
    return total


def dealt(game: Game, seed: int, block: int) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return the cells and three-card categories of a block: a row for each round, a column for each seat."""
    from letitride.simulation.kernel import deal  # noqa: PLC0415 - as above

    cells, threes = np.empty(BLOCK * game.seats, np.uint8), np.empty(BLOCK * game.seats, np.uint8)
    deal(game.seats, game.packets, game.outcomes, seed, block, BLOCK, cells, threes, None)
    return cells.reshape(BLOCK, game.seats), threes.reshape(BLOCK, game.seats)


def pooled_nets(game: Game, seed: int, block: int) -> Counts:
    """Return the results of the base bets of each hand of a block where a maximum is counted over several hands."""
    from letitride.simulation.pooled_kernel import nets_pooled  # noqa: PLC0415 - as above

    cells, _ = dealt(game, seed, block)
    nets = np.zeros(cells.shape, np.int64)
    if game.pooled is None:
        return game.base_nets[cells]
    nets_pooled(game.seats, BLOCK, cells.ravel(), game.base_nets, pooled_terms(game.pooled), nets)
    return nets


def listed_ranks(game: Game, seed: int, block: int) -> NDArray[np.uint8]:
    """Return the ranks of a block by wager, round and seat, for the listed wagers of a game."""
    from letitride.simulation.kernel import deal  # noqa: PLC0415 - as above
    from letitride.simulation.listed_kernel import name_kept, room_for  # noqa: PLC0415 - as above

    if game.listed is None:
        return np.zeros((0, BLOCK, game.seats), np.uint8)
    tables, backs = game.listed.tables(), (game.listed.backs_at, game.listed.backs)
    seen, cells = room_for(game.seats, tables, backs), np.empty(BLOCK * game.seats, np.uint8)
    deal(game.seats, game.packets, game.outcomes, seed, block, BLOCK, cells, np.empty(0, np.uint8), seen)
    ranks = np.empty((len(game.listed.ids), BLOCK * game.seats), np.uint8)
    for wager, row in enumerate(ranks):
        name_kept(game.seats, BLOCK, seen, tables, backs, wager, row)
    return ranks.reshape(-1, BLOCK, game.seats)
