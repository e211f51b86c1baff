"""Session kernel: players who stop when their money is gone, compiled; one session after another, each by itself."""

from __future__ import annotations

import numpy as np

from letitride.simulation.compiler import njit
from letitride.simulation.game import BLOCK
from letitride.simulation.kernel import deal
from letitride.simulation.listed_kernel import name_kept, room_for
from letitride.simulation.pooled_kernel import pay_pooled


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
    pooled,
    hands,
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
    """Play sessions of the first player, from a block on; each session begins with a block of its own.

    A bankroll of 0 never ends. A session ends early when what is left does not make the bets of another round. `listed`
    holds the tables and nets of wagers told by tables, or is None: then nothing of it is compiled; `pooled` likewise
    what `pay_pooled` takes. The first `hands` seats are the player's.
    """
    cells = np.empty(BLOCK * seats, np.uint8)
    threes = np.empty(BLOCK * seats if sides else 0, np.uint8)
    if listed is None:
        seen = None
    else:
        tables, backs, nets = listed
        seen = room_for(seats, tables, backs)
        ranks = np.empty((nets.shape[0], BLOCK * seats), np.uint8)
    paid = np.zeros(seats, np.int64)
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
                won -= fee
                if pooled is not None:
                    pay_pooled(seats, cells, round_ * seats, base, pooled, paid)
                for hand in range(hands):
                    won += base[cells[at + np.uint64(hand)]] if pooled is None else paid[hand]
                if sides:
                    best = np.int64(15)
                    for seat in range(seats):
                        code = np.int64(cells[at + np.uint64(seat)] >> 2)
                        best = min(best, 5 if code == 10 else code)
                    for hand in range(hands):
                        own = at + np.uint64(hand)
                        won += fives[cells[own]] + three[threes[own]] + by_best[best]
                if listed is not None:
                    for wager in range(nets.shape[0]):
                        for hand in range(hands):
                            won += nets[wager, ranks[wager, at + np.uint64(hand)]]
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
