"""Kernel: deals blocks of rounds and counts their results, compiled; `generator` and `game` say what it computes.

It is written as one would write C: whole numbers without sign, one loop, no function that takes an array inside it
(reference counting would cost more than the game). A block is dealt into two small arrays, a cell and a three-card
category for each hand, and tallies, a bank or sessions read them.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from letitride.simulation.compiler import njit
from letitride.simulation.game import (
    BLOCK,
    COMMUNITY_REJECTS,
    FLUSHES,
    KEY_BITS,
    PACKET_REJECTS,
    RANK_SETS,
    RANK_SHIFT,
    SUIT_MASK,
    SUIT_ONES,
    WARM_UP,
    card_words,
)
from letitride.simulation.listed_kernel import LIFT, room_for, tally_listed
from letitride.simulation.pooled_kernel import tally_pooled
from letitride.simulation.takes import (
    CELLS_COLUMN,
    FIRST_LISTED,
    METER_SHIFT,
    NO_TAKE,
    ROUND_SHIFT,
    SEAT_SHIFT,
    THREES_COLUMN,
)

U = np.uint64
_LOW: Final = U(2**32 - 1)
_KEY: Final = U(2**KEY_BITS - 1)
_ONES: Final = U(SUIT_ONES)
_FOURS: Final = U(4 * SUIT_ONES)
_SUITS: Final = U(SUIT_MASK)
_SETS: Final = U(RANK_SETS)
_RANK: Final = U(RANK_SHIFT)
_LIFT: Final = U(LIFT)
_WORDS: Final = card_words()
_PACKET_REJECTS: Final = PACKET_REJECTS.astype(np.uint64)
_COMMUNITY_REJECTS: Final = COMMUNITY_REJECTS.astype(np.uint64)


@njit(cache=True, nogil=True)
def deal(seats, packets, outcomes, seed, block, rounds, cells, threes, seen):
    """Deal the first rounds of a block: a cell and, where `threes` has room, a three-card category for each hand.

    `seen` gets what listed wagers are named by, as `listed_kernel` makes room for it, or is None: not compiled.
    """
    deck = _WORDS.copy()
    sums = np.empty(8, np.uint32)
    sides = threes.size > 0
    a, b, c, count = U(seed), U(block), U(0), U(1)
    for _ in range(WARM_UP):
        bits = a + b + count
        count += U(1)
        a = b ^ (b >> U(11))
        b = c + (c << U(3))
        c = ((c << U(24)) | (c >> U(40))) + bits
    bits, half, at = U(0), U(0), U(0)
    if seen is not None:
        hands, boards, words = seen
        board, laid = U(0), U(0)
    community = U(3 * seats)
    reject_community = _COMMUNITY_REJECTS[seats]
    for _ in range(rounds):
        for seat in range(seats):
            i = U(3) * U(seat)
            while True:
                if half == U(0):
                    bits = a + b + count
                    count += U(1)
                    a = b ^ (b >> U(11))
                    b = c + (c << U(3))
                    c = ((c << U(24)) | (c >> U(40))) + bits
                    word = bits & _LOW
                    half = U(1)
                else:
                    word = bits >> U(32)
                    half = U(0)
                word *= U(52) - i
                first = i + (word >> U(32))
                word = (word & _LOW) * (U(51) - i)
                second = i + U(1) + (word >> U(32))
                word = (word & _LOW) * (U(50) - i)
                third = i + U(2) + (word >> U(32))
                if (word & _LOW) >= _PACKET_REJECTS[seat]:
                    break
            one = deck[first]
            deck[first] = deck[i]
            deck[i] = one
            two = deck[second]
            deck[second] = deck[i + U(1)]
            deck[i + U(1)] = two
            three = deck[third]
            deck[third] = deck[i + U(2)]
            deck[i + U(2)] = three
            sums[seat] = one + two + three
        while True:
            if half == U(0):
                bits = a + b + count
                count += U(1)
                a = b ^ (b >> U(11))
                b = c + (c << U(3))
                c = ((c << U(24)) | (c >> U(40))) + bits
                word = bits & _LOW
                half = U(1)
            else:
                word = bits >> U(32)
                half = U(0)
            word *= U(52) - community
            first = community + (word >> U(32))
            word = (word & _LOW) * (U(51) - community)
            second = community + U(1) + (word >> U(32))
            if (word & _LOW) >= reject_community:
                break
        one = deck[first]
        deck[first] = deck[community]
        deck[community] = one
        two = deck[second]
        deck[second] = deck[community + U(1)]
        deck[community + U(1)] = two
        row = ((U(one) >> _RANK) * U(13) + (U(two) >> _RANK)) * _SETS
        if seen is not None:
            boards[board], boards[board + U(1)] = one, two
            board += U(2)
        one = U(one) & _SUITS
        two = U(two) & _SUITS
        for seat in range(seats):
            three = U(sums[seat])
            packet = U(packets[three & _KEY])
            suited = U((three & (three >> U(1)) & _ONES) != U(0))  # a count of three is 011
            ride_1 = (packet >> (U(9) + suited)) & U(1)
            outcome = U(outcomes[row + (packet & U(511))])
            four = three + one
            ride_2 = (outcome >> (U(4) + U((four & _FOURS) != U(0)) + U(2) * ride_1)) & U(1)
            five = four + two
            code = outcome & U(15)
            if (five & (five >> U(2)) & _ONES) != U(0):  # a count of five is 101
                code = U(FLUSHES[code])
            cells[at] = (code << U(2)) | (ride_1 << U(1)) | ride_2
            if sides:
                threes[at] = (packet >> (U(11) + U(3) * suited)) & U(7)
            if seen is not None:
                hands[at] = (packet & U(511)) | ((three & _SUITS) >> _LIFT)
            at += U(1)
        if seen is not None:
            for place in range(U(3 * seats) if words.size else U(0)):
                words[laid] = deck[place]
                laid += U(1)


@njit(cache=True, nogil=True)
def write_hits(seats, rounds, told, table, first, hits, many):
    """Write the hands of dealt rounds down that take of a meter, after `many` others; return how many there are then.

    `told` tells each hand and `table` the place of its rank; `first` is the first round, with the meter's number.
    """
    at = U(0)
    for number in range(rounds):
        for seat in range(seats):
            place = table[U(told[at])]
            if place != NO_TAKE:
                hits[many] = first + (number << ROUND_SHIFT) + (seat << SEAT_SHIFT) + place
                many += 1
            at += U(1)
    return many


@njit(cache=True, nogil=True)
def tally(
    seats,
    packets,
    outcomes,
    base,
    fives,
    three,
    sides,
    seed,
    start,
    stop,
    cells,
    threes,
    best,
    squares,
    listed,
    takes,
    pooled,
):
    """Count the rounds from `start`, where a block begins, to `stop`.

    `cells` and `threes` have a row for the first seat and one for the others: the seats of a round share cards, so
    only one of them is a sample of independent hands. `squares` sums the squares of what the seats of a round win
    together, in two parts, of which the second counts units of 2^32. `listed` is what `tally_listed` takes, or None:
    then nothing of it is compiled. `takes` is None as well where there is no meter, and else the columns and tables of
    `takes`: the hits are returned as it says, the rounds counted from `start`. `pooled` is what `tally_pooled` takes,
    or None.
    """
    hits, many = np.empty(0 if takes is None else BLOCK * seats, np.int64), 0
    dealt = np.empty(BLOCK * seats, np.uint8)
    dealt_three = np.empty(BLOCK * seats if sides else 0, np.uint8)
    lanes = np.zeros(256, np.int64)
    if listed is None:
        seen = None
    else:
        tables, backs, nets, listed_counts, listed_squares = listed
        seen = room_for(seats, tables, backs)
        ranks = np.empty((nets.shape[0], BLOCK * seats), np.uint8)
    for first in range(start, stop, BLOCK):
        rounds = min(BLOCK, stop - first)
        deal(seats, packets, outcomes, seed, first // BLOCK, rounds, dealt, dealt_three, seen)
        if listed is not None:
            tally_listed(seats, rounds, seen, tables, backs, nets, ranks, listed_counts, listed_squares)
        if takes is not None:
            columns, places = takes
            for meter in range(columns.size):
                if many + BLOCK * seats > hits.size:  # room for a block in which every hand takes
                    longer = np.empty(2 * hits.size + BLOCK * seats, np.int64)
                    longer[:many] = hits[:many]
                    hits = longer
                head = (meter << METER_SHIFT) + ((first - start) << ROUND_SHIFT)
                column, table = columns[meter], places[meter]
                if column == CELLS_COLUMN:
                    many = write_hits(seats, rounds, dealt, table, head, hits, many)
                elif column == THREES_COLUMN:
                    many = write_hits(seats, rounds, dealt_three, table, head, hits, many)
                elif listed is not None:
                    many = write_hits(seats, rounds, ranks[column - FIRST_LISTED], table, head, hits, many)
        if pooled is not None:
            tally_pooled(seats, rounds, dealt, *pooled)
        if seats == 1:  # squares and the best hand of the table follow from the counts
            for at in range(U(rounds)):
                lanes[(at & U(3)) << U(6) | U(dealt[at])] += 1  # in four lanes: neighbors often fall into one cell
            for at in range(U(rounds if sides else 0)):
                threes[0, U(dealt_three[at])] += 1
            continue
        square_base = square_five = square_three = np.int64(0)
        at = U(0)
        for _ in range(rounds):
            base_sum = five_sum = three_sum = np.int64(0)
            lowest = U(15)
            for seat in range(seats):
                row = 0 if seat == 0 else 1
                cell = U(dealt[at])
                cells[row, cell] += 1
                base_sum += base[cell]
                if sides:
                    category = U(dealt_three[at])
                    threes[row, category] += 1
                    five_sum += fives[cell]
                    three_sum += three[category]
                    code = cell >> U(2)
                    code = U(5) if code == U(10) else code
                    lowest = min(lowest, code)
                at += U(1)
            square_base += base_sum * base_sum
            if sides:
                square_five += five_sum * five_sum
                square_three += three_sum * three_sum
                best[lowest] += 1
        squares[0, 0] += square_base & 0xFFFFFFFF
        squares[1, 0] += square_base >> 32
        squares[0, 1] += square_five & 0xFFFFFFFF
        squares[1, 1] += square_five >> 32
        squares[0, 2] += square_three & 0xFFFFFFFF
        squares[1, 2] += square_three >> 32
    for cell in range(64):
        cells[0, cell] += lanes[cell] + lanes[64 + cell] + lanes[128 + cell] + lanes[192 + cell]
    return hits[:many]
