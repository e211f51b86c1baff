"""Bank kernel: a player's bank against up to seven opponents, in order of action, compiled; the rules are `banking`'s.

Opponents are numbered by their place in the order of action, so the first hand dealt is the one settled first. Which
seat that is matters only to the rotation: there, each seat banks its hands in turn.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from letitride.simulation.compiler import njit
from letitride.simulation.game import BLOCK, WARM_UP
from letitride.simulation.kernel import U, deal

_LOW: Final = U(2**32 - 1)


@njit(cache=True, nogil=True)
def bank(
    opponents,
    packets,
    outcomes,
    spots,
    bet,
    cover,
    stake,
    from_action_seat,
    hands_each,
    bank_fee,
    player_fee,
    seed,
    first,
    series,
    rounds,
    bankroll,
    wagers,
    places,
    squares,
    bank_sums,
    needs,
    results,
    turns,
    turn_squares,
    ends,
    drawdowns,
    played,
):
    """Play series of rounds against one bank, from a block on; each series begins with a block of its own.

    With a `bankroll` the bank stakes what it has left, and a series ends when it cannot cover one bet; without one it
    puts up its stake every round. `bank_sums` counts rounds, uncovered rounds, orbits, and sums the bank's result and
    its square, and the same as if everything were covered, squares in two parts.
    """
    cells = np.empty(BLOCK * opponents, np.uint8)
    nothing = np.empty(0, np.uint8)
    players = opponents + 1
    orbit = players * hands_each
    turn = np.zeros(players, np.int64)
    order = np.empty(opponents, np.int64)
    nets = np.empty((opponents, 3), np.int64)
    blocks = (rounds + BLOCK - 1) // BLOCK
    for n in range(series):
        left = np.int64(bankroll)
        won = highest = deepest = np.int64(0)
        lasted = 0
        for block in range(blocks):
            many = min(BLOCK, rounds - block * BLOCK)
            number = first + n * blocks + block
            deal(opponents, packets, outcomes, seed, number, many, cells, nothing, None)
            a, b, c, count = U(seed), U(number), U(1), U(1)
            for _ in range(WARM_UP):
                bits = a + b + count
                count += U(1)
                a = b ^ (b >> U(11))
                b = c + (c << U(3))
                c = ((c << U(24)) | (c >> U(40))) + bits
            turn[:] = 0
            for round_ in range(many):
                limit = np.int64(stake)
                if bankroll > 0:
                    limit = min(limit, left - bank_fee)
                    if limit < bet:
                        break
                at = round_ * opponents
                paid = collected = need = np.int64(0)
                all_paid = all_collected = np.int64(0)  # what the stake must be for, if it is to cover everything
                covered = True
                for place in range(opponents):
                    cell = cells[at + place]
                    for spot in range(3):
                        nets[place, spot] = 0
                        if (spot == 0 and not cell & 2) or (spot == 1 and not cell & 1):
                            continue
                        net = spots[cell, spot]
                        if net < 0:
                            all_collected += bet
                            if cover == 1:
                                can = limit - collected
                                need = max(need, all_collected)
                            else:
                                can = limit - (collected - paid)
                                need = max(need, all_collected - all_paid)
                            if cover == 0:
                                can = np.int64(0) if paid >= limit else can
                                need = max(need, all_paid + 1)
                            taken = min(np.int64(bet), max(can, np.int64(0)))
                            collected += taken
                            nets[place, spot] = -taken
                            wagers[3 if taken == bet else 4 if taken > 0 else 5] += 1
                            covered = covered and taken == bet
                        else:
                            can = limit + collected - paid if cover == 2 else limit - paid
                            need = max(need, all_paid + max(net, np.int64(1)) - (all_collected if cover == 2 else 0))
                            all_paid += net
                            give = min(net, max(can, np.int64(0)))
                            # A winner of nothing is still a winner, unless the bank has nothing left.
                            kept = can > 0
                            paid += give
                            nets[place, spot] = give
                            wagers[0 if give == net and kept else 1 if kept else 2] += 1
                            covered = covered and give == net and kept
                result = collected - paid - bank_fee
                full = all_collected - all_paid - bank_fee
                bank_sums[0] += 1
                bank_sums[1] += 0 if covered else 1
                bank_sums[3] += result
                bank_sums[4] += (result * result) & 0xFFFFFFFF
                bank_sums[5] += (result * result) >> 32
                bank_sums[6] += full
                bank_sums[7] += (full * full) & 0xFFFFFFFF
                bank_sums[8] += (full * full) >> 32
                needs[min((need + bet - 1) // bet, needs.size - 1)] += 1
                results[min(max((result + bank_fee) // bet + results.size // 2, 0), results.size - 1)] += 1
                banker = (round_ // hands_each) % players
                start = opponents - 1
                if from_action_seat:
                    while True:
                        bits = a + b + count
                        count += U(1)
                        a = b ^ (b >> U(11))
                        b = c + (c << U(3))
                        c = ((c << U(24)) | (c >> U(40))) + bits
                        word = (bits & _LOW) * U(216)
                        if (word & _LOW) >= U(2**32 % 216):
                            break
                    dice = np.int64(word >> U(32))
                    throw = 3 + dice % 6 + (dice // 6) % 6 + dice // 36
                    start = max((throw - 1) % players - 1, 0)
                for place in range(opponents):
                    if from_action_seat:  # clockwise, which is the way the seats are numbered
                        seat = (banker + 1 + (start + place) % opponents) % players
                    else:  # counterclockwise from the highest seat that does not bank
                        seat = opponents - place
                        seat = seat - 1 if seat <= banker else seat
                    order[place] = seat
                for place in range(opponents):
                    own = nets[place, 0] + nets[place, 1] + nets[place, 2]
                    for spot in range(3):
                        places[place, spot] += nets[place, spot]
                    squares[place, 0] += (own * own) & 0xFFFFFFFF
                    squares[place, 1] += (own * own) >> 32
                    turn[order[place]] += own - player_fee
                turn[banker] += result
                if round_ % orbit == orbit - 1:
                    bank_sums[2] += 1
                    for seat in range(players):
                        turns[seat] += turn[seat]
                        turn_squares[seat, 0] += (turn[seat] * turn[seat]) & 0xFFFFFFFF
                        turn_squares[seat, 1] += (turn[seat] * turn[seat]) >> 32
                    turn[:] = 0
                lasted += 1
                left += result
                won += result
                highest = max(highest, won)
                deepest = max(deepest, highest - won)
            if bankroll > 0 and min(np.int64(stake), left - bank_fee) < bet:
                break
        if n < ends.size:
            ends[n] = won
            drawdowns[n] = deepest
            played[n] = lasted
