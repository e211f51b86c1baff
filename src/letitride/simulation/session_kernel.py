"""Session kernel: players who stop when their money is gone, compiled; one session after another, each by itself."""

from __future__ import annotations

import numpy as np
from numba import njit

from letitride.simulation.game import BLOCK
from letitride.simulation.kernel import deal


@njit(cache=True, nogil=True)
def sessions(
    seats,
    packets,
    outcomes,
    base,
    bonus,
    three,
    cover,
    sides,
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

    A bankroll of 0 never ends. A session ends early when what is left does not make the bets of another round.
    """
    cells = np.empty(BLOCK * seats, np.uint8)
    threes = np.empty(BLOCK * seats if sides else 0, np.uint8)
    blocks = (rounds + BLOCK - 1) // BLOCK
    for n in range(results.size):
        won = highest = deepest = np.int64(0)
        lasted = 0
        for block in range(blocks):
            many = min(BLOCK, rounds - block * BLOCK)
            deal(seats, packets, outcomes, seed, first + n * blocks + block, many, cells, threes)
            for round_ in range(many):
                at = np.uint64(round_ * seats)
                won += base[cells[at]] - fee
                if sides:
                    best = np.int64(15)
                    for seat in range(seats):
                        code = np.int64(cells[at + np.uint64(seat)] >> 2)
                        best = min(best, 5 if code == 10 else code)
                    won += bonus[cells[at]] + three[threes[at]] + cover[best]
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
