"""GPU: the same tallies on a CUDA device, through CuPy; needs NumPy and CuPy alone, and says so where there is none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from letitride.errors import InvalidData, MissingData
from letitride.extras import explained
from letitride.simulation import game as g
from letitride.simulation.game import Counts, Game
from letitride.simulation.jobs import Chunk
from letitride.simulation.pooled import COUNTS
from letitride.simulation.takes import (
    CELLS_COLUMN,
    FIRST_LISTED,
    METER_SHIFT,
    NO_TAKE,
    ROUND_SHIFT,
    SEAT_SHIFT,
    THREES_COLUMN,
    Hits,
)
from letitride.simulation.tallies import Tallies, counted, in_units, listed_in_units

THREADS: Final = 1024
"""Threads of a block: as many as share one copy of the tables."""
CHUNK: Final = 2**20 * g.BLOCK
"""Rounds of one launch: a thirtieth of a second on a large device."""
HITS: Final = 2**24
"""Hits of one launch that there is room for; a launch with more is done again in parts."""
KEYS: Final = 3 * max(g.RANK_KEYS) + 1
JOINT: Final = 4 * g.CODES * g.THREES


def defines(game: Game, threads: int = THREADS) -> dict[str, str]:
    """Return what the source leaves to be defined."""
    listed = {} if game.listed is None else {"LISTED": len(game.listed.ids), "LISTED_RANKS": game.listed.ranks}
    listed |= {"BACKS": 1} if game.listed is not None and game.listed.backs.size else {}
    return {
        "SEATS": str(game.seats),
        "SIDES": str(int(game.sides)),
        "BLOCK": str(g.BLOCK),
        "WARM_UP": str(g.WARM_UP),
        "RANK_SETS": str(g.RANK_SETS),
        "KEYS": str(KEYS),
        "CODES": str(g.CODES),
        "THREES": str(g.THREES),
        "THREADS": str(threads),
        "KEY_MASK": f"{2**g.KEY_BITS - 1}u",
        "SUIT_MASK": f"{g.SUIT_MASK}u",
        "SUIT_ONES": f"{g.SUIT_ONES}u",
        "RANK_KEYS": _braces(g.RANK_KEYS),
        "PACKET_REJECTS": _braces(g.PACKET_REJECTS),
        "COMMUNITY_REJECT": f"{g.COMMUNITY_REJECTS[game.seats]}u",
        **{name: str(many) for name, many in listed.items()},
        **_meter_defines(game),
        **_pooled_defines(game),
    }


def _meter_defines(game: Game) -> dict[str, str]:
    if game.takes is None:
        return {}
    return {
        "METERS": str(len(game.takes.ids)),
        "METER_COLUMNS": _braces(game.takes.columns.tolist()),
        "CELLS_COLUMN": str(CELLS_COLUMN),
        "THREES_COLUMN": str(THREES_COLUMN),
        "FIRST_LISTED": str(FIRST_LISTED),
        "NO_TAKE": str(NO_TAKE),
        "METER_SHIFT": str(METER_SHIFT),
        "ROUND_SHIFT": str(ROUND_SHIFT),
        "SEAT_SHIFT": str(SEAT_SHIFT),
    }


def _pooled_defines(game: Game) -> dict[str, str]:
    if game.pooled is None:
        return {}
    return {
        "POOLED": str(game.pooled.hands),
        "POOLED_MOST": f"{game.pooled.most_cents}ll",
        "POOLED_SHARED": str(int(game.pooled.shared)),
        "POOLED_BACKWARDS": str(int(game.pooled.backwards)),
        "POOLED_UNIT": f"{in_units(game)[1][0]}ll",
    }


def _braces(numbers: Iterable[int]) -> str:
    return "{" + ",".join(f"{number}u" for number in numbers) + "}"


def source() -> str:
    """Return the kernel's source."""
    return Path(__file__).with_name("kernel.cu").read_text(encoding="utf-8")


def shared_bytes(game: Game, threads: int = THREADS) -> int:
    """Return how much shared memory a thread block needs."""
    words = KEYS + 64 + 2 * JOINT + 16 + 8 * g.CODES + 8 + 13 * -(-threads // 32) * 32
    words += 0 if game.listed is None else 2 * len(game.listed.ids) * game.listed.ranks
    return 4 * words + 169 * g.RANK_SETS + 1


def small_nets(game: Game) -> tuple[NDArray[np.int32], tuple[int, int, int]]:
    """Return the results in units small enough for 32 bits, base bets, five-card and three-card bet, and the units."""
    nets, units = in_units(game)
    for part in (*nets, *listed_in_units(game)[0]):
        if int(np.abs(part).max()) * game.seats >= 2**31:
            raise InvalidData("expected results that a GPU can sum in 31 bits, got larger ones: rounder stakes will do")
    return np.concatenate(nets).astype(np.int32), units


def listed_tables(game: Game) -> list[NDArray[Any]]:
    """Return what the kernel takes of listed wagers beside what it takes of every game."""
    if game.listed is None:
        return []
    heads, classes, suits, firsts, needs_at, needs = game.listed.tables()
    nets, _ = listed_in_units(game)
    found = [heads.astype(np.int32), classes, suits, firsts]
    found += [part.astype(np.int32) for part in (needs_at, needs, nets)]
    if game.listed.backs.size:
        found += [game.listed.backs_at.astype(np.int32), game.listed.backs]
    return found


def listed_sizes(game: Game) -> tuple[int, ...]:
    """Return how many numbers the kernel counts listed wagers in: hands by wager, seat and rank, and squares."""
    return () if game.listed is None else (2 * game.listed.nets.size, 2 * len(game.listed.ids))


def pooled_sizes(game: Game) -> tuple[int, ...]:
    """Return how many numbers the kernel counts a maximum over several hands in."""
    return () if game.pooled is None else (COUNTS,)


def tallies_of(
    game: Game, rounds: int, counts: Sequence[Counts], units: Sequence[int], hits: Hits | None = None
) -> Tallies:
    """Return the device's counts as tallies: hands by both categories, best hands, squares in small units; listed."""
    joint, best, squares, *rest = counts
    pooled = rest.pop() if game.pooled is not None else None
    cubes = joint.reshape(2, g.THREES, 4 * g.CODES)
    threes = cubes.sum(axis=2) if game.sides else np.zeros((2, g.THREES), np.int64)
    listed = None
    if game.listed is not None:
        many = len(game.listed.ids)
        listed = rest[0].reshape(many, 2, game.listed.ranks), rest[1].reshape(2, many)
    sums = cubes.sum(axis=1), threes, best, squares.reshape(2, 3)
    return counted(game, rounds, sums, units, listed, hits, pooled)


def device() -> str:
    """Return the name of the GPU, or say why there is none."""
    cupy = _cupy()
    try:
        return str(cupy.cuda.runtime.getDeviceProperties(0)["name"].decode())
    except cupy.cuda.runtime.CUDARuntimeError as error:
        raise MissingData(f"expected a CUDA GPU for --gpu, got none: {error}") from None


@cache
def _cupy() -> Any:
    try:
        import cupy  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise explained("--gpu", error) from None
    return cupy


def on_gpu(game: Game, seed: int, chunks: Iterable[Chunk], room: int = HITS) -> Iterator[tuple[Chunk, Tallies]]:
    """Yield the tallies of chunks of rounds, each of which begins where a block does, in their order.

    Where more hands of a chunk take of meters than there is room for, the chunk comes in parts.
    """
    cupy = _cupy()
    options = ("--std=c++14", *(f"-D{name}={value}" for name, value in defines(game).items()))
    kernel = cupy.RawKernel(source(), "tally", options=options)
    kernel.max_dynamic_shared_size_bytes = shared_bytes(game)
    nets, units = small_nets(game)
    packets, outcomes = cupy.asarray(game.packets[:KEYS]), cupy.asarray(game.outcomes)
    nets, tables = cupy.asarray(nets), [cupy.asarray(table) for table in listed_tables(game)]
    takes = [] if game.takes is None else [cupy.asarray(game.takes.tables)]
    wins = [] if game.pooled is None else [cupy.asarray(game.pooled.wins)]
    room = max(room, g.BLOCK * game.seats * len(game.takes.ids)) if game.takes is not None else 0  # a block always fits
    hits = cupy.empty(room, cupy.uint64)
    of_listed, of_pooled = listed_sizes(game), pooled_sizes(game)
    sizes = *of_listed, *of_pooled
    for chunk in chunks:
        waiting = [chunk]
        while waiting:
            first, stop = waiting.pop()
            many = stop - first
            blocks = g.blocks_of(many)
            found = [cupy.zeros(size, cupy.uint64) for size in (2 * JOINT, 16, 6, *sizes)]
            written = cupy.zeros(1, cupy.uint64)
            numbers = (np.uint64(n) for n in (seed, first // g.BLOCK, blocks, many))
            meters = (*takes, hits, np.uint64(room), written) if takes else ()
            kernel(
                (-(-blocks // THREADS),),
                (THREADS,),
                (
                    *(packets, outcomes, nets, *numbers, *found[:3], *tables, *found[3 : 3 + len(of_listed)], *meters),
                    *(*wins, *found[3 + len(of_listed) :]),
                ),
                shared_mem=shared_bytes(game),
            )
            hit = int(written.get()[0])
            if hit > room:
                middle = first + blocks // 2 * g.BLOCK
                waiting += [(middle, stop), (first, middle)]
                continue
            counts = [part.get().astype(np.int64) for part in found]
            yield (first, stop), tallies_of(game, many, counts, units, hits[:hit].get().astype(np.int64))
