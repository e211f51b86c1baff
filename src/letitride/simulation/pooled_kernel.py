"""Pooled kernel: pays the hands of dealt rounds out of a maximum that they have together, compiled; deals nothing."""

from __future__ import annotations

import numpy as np

from letitride.simulation.compiler import njit

_LOW = 0xFFFFFFFF


@njit(cache=True, nogil=True)
def pay_pooled(seats, cells, at, base, pooled, nets):
    """Write the results of the base bets of each hand of a round; return whether the maximum bound and what was cut.

    `cells` has the round from `at` on, and `pooled` is wins, maximum, hands, whether shared, whether backwards. As
    `rules.settlement.share_payouts` has it, cents left over by rounding down go to the first payouts, one to each.
    """
    wins, most, hands, shared, backwards = pooled
    bound, cut = 0, np.int64(0)
    for first in range(0, seats, hands):
        last = min(first + hands, seats)
        won = alone = np.int64(0)
        for seat in range(first, last):
            cell = cells[at + seat]
            nets[seat] = base[cell]
            won += wins[cell] * (1 + ((cell >> 1) & 1) + (cell & 1))
            alone += max(nets[seat], 0)
        if won <= most:
            continue
        bound = 1
        cut += alone - most
        left = most
        if shared:
            for seat in range(first, last):
                cell = cells[at + seat]
                left -= wins[cell] * most // won * (1 + ((cell >> 1) & 1) + (cell & 1))
        for place in range(first, last):
            seat = first + last - 1 - place if backwards else place
            cell = cells[at + seat]
            if wins[cell] == 0:
                continue
            bets = 1 + ((cell >> 1) & 1) + (cell & 1)
            if shared:
                odd = min(left, bets)
                nets[seat] = wins[cell] * most // won * bets + odd
                left -= odd
            else:
                nets[seat] = min(wins[cell] * bets, left)
                left -= nets[seat]
    return bound, cut


@njit(cache=True, nogil=True)
def tally_pooled(seats, rounds, cells, base, pooled, counts):
    """Count dealt rounds as `pooled.COUNTS` says."""
    nets = np.zeros(seats, np.int64)
    for number in range(rounds):
        bound, cut = pay_pooled(seats, cells, number * seats, base, pooled, nets)
        counts[0] += bound
        counts[1] += cut
        won = np.int64(0)
        for seat in range(seats):
            won += nets[seat]
            square = nets[seat] * nets[seat]
            counts[4] += square & _LOW
            counts[5] += square >> 32
        counts[2] += won * won & _LOW
        counts[3] += won * won >> 32


@njit(cache=True, nogil=True)
def nets_pooled(seats, rounds, cells, base, pooled, nets):
    """Write the results of the base bets of each hand of dealt rounds."""
    for number in range(rounds):
        pay_pooled(seats, cells, number * seats, base, pooled, nets[number])
