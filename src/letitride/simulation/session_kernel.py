"""Session kernel: players who stop when their money is gone, compiled; one session after another, each by itself."""

from __future__ import annotations

import numpy as np
from numba import njit

from letitride.simulation.game import BLOCK
from letitride.simulation.kernel import deal
from letitride.simulation.listed_kernel import name_kept, room_for


@njit(cache=True, nogil=True)
def sessions(
    seats,
    packets,
    outcomes,
    base,
    fives,
    three,
    by_best,
    sides,
    listed,
    seed,
    first,
    rounds,
    bankroll,
    need,
    fee,
    results,
    drawdowns,
    played,
):
    """Play sessions of the first seat, from a block on; each session begins with a block of its own.

    A bankroll of 0 never ends. A session ends early when what is left does not make the bets of another round. `listed`
    holds the tables and nets of wagers told by tables, or is None: then nothing of it is compiled.
    """
    cells = np.empty(BLOCK * seats, np.uint8)
    threes = np.empty(BLOCK * seats if sides else 0, np.uint8)
    if listed is None:
        seen = None
    else:
        tables, backs, nets = listed
        seen = room_for(seats, tables, backs)
        ranks = np.empty((nets.shape[0], BLOCK * seats), np.uint8)
    blocks = (rounds + BLOCK - 1) // BLOCK
    for n in range(results.size):
        won = highest = deepest = np.int64(0)
        lasted = 0
        for block in range(blocks):
            many = min(BLOCK, rounds - block * BLOCK)
            deal(seats, packets, outcomes, seed, first + n * blocks + block, many, cells, threes, seen)
            if listed is not None:
                for wager in range(nets.shape[0]):
                    name_kept(seats, many, seen, tables, backs, wager, ranks[wager])
            for round_ in range(many):
                at = np.uint64(round_ * seats)
                won += base[cells[at]] - fee
                if sides:
                    best = np.int64(15)
                    for seat in range(seats):
                        code = np.int64(cells[at + np.uint64(seat)] >> 2)
                        best = min(best, 5 if code == 10 else code)
                    won += fives[cells[at]] + three[threes[at]] + by_best[best]
                if listed is not None:
                    for wager in range(nets.shape[0]):
                        won += nets[wager, ranks[wager, at]]
                lasted += 1
                highest = max(highest, won)
                deepest = max(deepest, highest - won)
                if bankroll > 0 and bankroll + won < need:
                    break
            if bankroll > 0 and bankroll + won < need:
                break
        results[n] = won
        drawdowns[n] = deepest
        played[n] = lasted
