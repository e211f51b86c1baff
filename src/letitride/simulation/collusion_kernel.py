"""Collusion kernel: deals rounds and values every bet by all cards its seats have seen, compiled; it knows no means.

Cards are their indexes, 0 to 51: rank = index // 4, suit = index % 4. They are drawn as `generator` says, so round i
has the cards of `generator.deck(seed, i, seats)`.

What a bet is worth needs no loop over pairs of cards. In no one suit a hand is its ranks, so with the first community
card of a rank the unseen ones count by rank; bet 1 sums that over the unseen first cards. Only three cards of one suit
can become a flush, and what that adds is summed over the unseen cards of the suit.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from letitride.simulation.compiler import njit
from letitride.simulation.game import (
    BLOCK,
    COMMUNITY_REJECTS,
    PACKET_REJECTS,
    RANK_KEYS,
    RANK_SETS,
    WARM_UP,
)

_U = np.uint64
_LOW: Final = 2**32 - 1
_KEYS: Final = np.array(RANK_KEYS, np.int64)
_PACKET_REJECTS: Final = PACKET_REJECTS.astype(np.int64)
_COMMUNITY_REJECTS: Final = COMMUNITY_REJECTS.astype(np.int64)
_ALL_RANKS: Final = 2**13 - 1
_SPLIT: Final = 22
"""Numbers below 2^44 are squared in halves of so many bits: of 2^19 rounds each part stays within 63 bits."""


@njit(cache=True, nogil=True)
def _number(state):
    """Return the generator's next number; the state holds a, b, c, the count, and the number whose half is left."""
    bits = state[0] + state[1] + state[3]
    state[3] += _U(1)
    state[0] = state[1] ^ (state[1] >> _U(11))
    state[1] = state[2] + (state[2] << _U(3))
    state[2] = ((state[2] << _U(24)) | (state[2] >> _U(40))) + bits
    return bits


@njit(cache=True, nogil=True)
def _word(state):
    if state[5] == _U(0):
        state[4] = _number(state)
        state[5] = _U(1)
        return np.int64(state[4] & _U(_LOW))
    state[5] = _U(0)
    return np.int64(state[4] >> _U(32))


@njit(cache=True, nogil=True)
def _draw(deck, state, first, cards, reject_below):
    """Bring so many random cards to places of the deck, from `first` on."""
    while True:
        word = left = _word(state)
        for place in range(first, first + cards):
            left = (left * (52 - place)) & _LOW
        if left >= reject_below:
            break
    for place in range(first, first + cards):
        word *= 52 - place
        other = place + (word >> 32)
        word &= _LOW
        card = deck[other]
        deck[other] = deck[place]
        deck[place] = card


@njit(cache=True, nogil=True)
def _after(prospects, unseen, number, rank):
    """Return what a unit wins over all unseen second cards once the first has this rank, flushes left out."""
    won = -prospects[number, rank, rank]  # the first card itself was counted among the unseen
    for other in range(13):
        won += unseen[other] * prospects[number, rank, other]
    return won


@njit(cache=True, nogil=True)
def _flushes(outcomes, suited_adds, number, rank, ranks):
    """Return what second cards of these ranks and the suit of the four cards add by making five of one suit."""
    added = np.int64(0)
    for other in range(13):
        if other != rank and ranks >> other & 1:
            added += suited_adds[outcomes[(rank * 13 + other) * RANK_SETS + number] & 15]
    return added


@njit(cache=True, nogil=True)
def share(seats, packets, outcomes, prospects, suited_adds, flushes, seed, block, rounds, hands, values):
    """Deal the first rounds of a block: for each hand its code and decisions, and what its bets 1 and 2 are worth.

    A hand is 16 x code + 8 x (bet 1 rides) + 4 x (bet 2 rides), both sharing, + 2 x (bet 1 rides) + (bet 2 rides), both
    alone. Values are sums: of bet 1 over both unseen community cards in either order, of bet 2 over the unseen second.
    """
    deck = np.arange(52)
    unseen = np.empty(13, np.int64)
    unseen_of = np.empty(4, np.int64)  # by suit, a bit for each rank
    state = np.zeros(6, np.uint64)
    state[0], state[1], state[3] = _U(seed), _U(block), _U(1)
    for _ in range(WARM_UP):
        _number(state)
    at = 0
    for _ in range(rounds):
        unseen[:] = 4
        unseen_of[:] = _ALL_RANKS
        for seat in range(seats):
            _draw(deck, state, 3 * seat, 3, _PACKET_REJECTS[seat])
            for place in range(3 * seat, 3 * seat + 3):
                unseen[deck[place] >> 2] -= 1
                unseen_of[deck[place] & 3] ^= 1 << (deck[place] >> 2)
        _draw(deck, state, 3 * seats, 2, _COMMUNITY_REJECTS[seats])
        first, second = deck[3 * seats] >> 2, deck[3 * seats + 1] >> 2
        for seat in range(seats):
            one, two, three = deck[3 * seat], deck[3 * seat + 1], deck[3 * seat + 2]
            packet = np.int64(packets[_KEYS[one >> 2] + _KEYS[two >> 2] + _KEYS[three >> 2]])
            number, suit = packet & 511, one & 3
            suited = two & 3 == suit and three & 3 == suit
            four_suited = suited and deck[3 * seats] & 3 == suit
            value_1 = np.int64(0)
            for rank in range(13):
                value_1 += unseen[rank] * _after(prospects, unseen, number, rank)
            value_2 = _after(prospects, unseen, number, first)
            if suited:
                ranks = unseen_of[suit]
                for rank in range(13):
                    if ranks >> rank & 1:
                        value_1 += _flushes(outcomes, suited_adds, number, rank, ranks)
            if four_suited:
                value_2 += _flushes(outcomes, suited_adds, number, first, unseen_of[suit])
            outcome = np.int64(outcomes[(first * 13 + second) * RANK_SETS + number])
            code = outcome & 15
            if four_suited and deck[3 * seats + 1] & 3 == suit:
                code = np.int64(flushes[code])
            alone_1 = packet >> (9 + suited) & 1
            alone_2 = outcome >> (4 + four_suited + 2 * alone_1) & 1
            hands[at] = 16 * code + 8 * (value_1 > 0) + 4 * (value_2 > 0) + 2 * alone_1 + alone_2
            values[at, 0] = value_1
            values[at, 1] = value_2
            at += 1


@njit(cache=True, nogil=True)
def tally(seats, packets, outcomes, prospects, suited_adds, flushes, nets, seed, start, stop, choices, sums, squares):
    """Count the rounds from `start`, where a block begins, to `stop`, 2^19 of them at most.

    `choices` counts hands by their four decisions, the low bits of a hand. The columns of `sums` and `squares` are what
    the seats of a round win sharing, alone, the one less the other, and what the latter was worth when it was chosen;
    `squares` has a row each for the squares of the low halves, the products of both and the squares of the high ones.
    """
    hands, values = np.empty(BLOCK * seats, np.uint8), np.empty((BLOCK * seats, 2), np.int64)
    unseen = 52 - 3 * seats
    won = np.empty(4, np.int64)
    for begin in range(start, stop, BLOCK):
        rounds = min(BLOCK, stop - begin)
        share(seats, packets, outcomes, prospects, suited_adds, flushes, seed, begin // BLOCK, rounds, hands, values)
        at = 0
        for _ in range(rounds):
            won[:] = 0
            for _ in range(seats):
                hand = np.int64(hands[at])
                choices[hand & 15] += 1
                net = nets[hand >> 4]
                more_1 = (hand >> 3 & 1) - (hand >> 1 & 1)
                more_2 = (hand >> 2 & 1) - (hand & 1)
                won[0] += net * (1 + (hand >> 3 & 1) + (hand >> 2 & 1))
                won[1] += net * (1 + (hand >> 1 & 1) + (hand & 1))
                won[2] += net * (more_1 + more_2)
                won[3] += more_1 * values[at, 0] + more_2 * unseen * values[at, 1]
                at += 1
            for column in range(4):
                sums[column] += won[column]
                size = abs(won[column])
                high, low = size >> _SPLIT, size & ((1 << _SPLIT) - 1)
                squares[0, column] += low * low
                squares[1, column] += low * high
                squares[2, column] += high * high
