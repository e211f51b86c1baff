"""Listed kernel: names the cards of dealt rounds by the tables of `listed`, compiled; it deals nothing itself."""

from __future__ import annotations

from typing import Final

import numpy as np

from letitride.simulation.compiler import njit
from letitride.simulation.game import BLOCK, KEY_BITS, RANK_SETS, RANK_SHIFT, SUIT_MASK, card_words
from letitride.simulation.listed import COMMUNITY, FOUR, THREE

U = np.uint64
NUMBER_BITS: Final = 9
LIFT: Final = KEY_BITS - NUMBER_BITS
"""What is seen of a hand: the number of its three ranks, and above it the counts of its suits, moved by so much."""
_NUMBER: Final = U(2**NUMBER_BITS - 1)
_ABOVE: Final = U(NUMBER_BITS)
_BITS: Final = U(KEY_BITS)
_SUITS: Final = U(SUIT_MASK)
_SETS: Final = U(RANK_SETS)
_RANK: Final = U(RANK_SHIFT)
_FIRST_SUIT: Final = U(KEY_BITS + 3)
_SECOND_SUIT: Final = U(KEY_BITS + 6)
_THIRD_SUIT: Final = U(KEY_BITS + 9)
_CARDS: Final = U(52)
_WORDS: Final = card_words()


@njit(cache=True, nogil=True)
def room_for(seats, tables, backs):
    """Return room for a block: each hand as `LIFT` says, the words of the community cards, and of all cards in hands.

    The last has room only where single cards are asked for, or wagers are taken back.
    """
    cards = 3 * seats * BLOCK if tables[5].size or backs[1].size else 0
    return np.empty(BLOCK * seats, np.uint32), np.empty(2 * BLOCK, np.uint32), np.empty(cards, np.uint32)


@njit(cache=True, nogil=True)
def name_hands(seats, rounds, seen, tables, wager, ranks):
    """Write the rank of each hand of dealt rounds by one wager."""
    hands, boards, words = seen
    heads, classes, all_suits, firsts, all_needs_at, needs = tables
    kind, suits, needs_at = heads[wager, 0], all_suits[wager], all_needs_at[wager]
    row_at, first_at = U(heads[wager, 1]), U(heads[wager, 2])
    suit_classes, stride = U(heads[wager, 3]), U(heads[wager, 4])
    community, asks, at = kind == COMMUNITY, stride > U(1), U(0)
    for round_ in range(U(rounds)):
        left, right = U(boards[U(2) * round_]), U(boards[U(2) * round_ + U(1)])
        row, shown = row_at, U(0)
        if kind == FOUR:
            row += (left >> _RANK) * _SETS
            shown = (left & _SUITS) >> _BITS
        elif kind != THREE:
            row += ((left >> _RANK) * U(13) + (right >> _RANK)) * (U(1) if community else _SETS)
            shown = ((left & _SUITS) + (right & _SUITS)) >> _BITS
        for seat in range(U(1) if community else U(seats)):
            hand = U(0) if community else U(hands[at + seat])
            counts = (hand >> _ABOVE) + shown
            pair = first_at + (U(classes[row + (hand & _NUMBER)]) * suit_classes + U(suits[counts])) * stride
            rank = U(firsts[pair])
            while asks and needs_at[rank] < needs_at[rank + U(1)]:
                missing, held = False, U(3) * (at + seat)
                for need in range(needs_at[rank], needs_at[rank + U(1)]):
                    card = _WORDS[needs[need]]
                    found = (kind != THREE and card == left) or (kind > FOUR and card == right)
                    for place in range(U(0) if community else U(3)):
                        found = found or card == words[held + place]
                    missing = missing or not found
                if not missing:
                    break
                rank = U(firsts[pair + rank + U(1)])
            ranks[at + seat] = rank
        if community:
            for seat in range(U(1), U(seats)):
                ranks[at + seat] = ranks[at]
        at += U(seats)


@njit(cache=True, nogil=True)
def index_of(word):
    """Return the index of a card by its word."""
    word = U(word)
    suit = (
        ((word >> _FIRST_SUIT) & U(1)) + U(2) * ((word >> _SECOND_SUIT) & U(1)) + U(3) * ((word >> _THIRD_SUIT) & U(1))
    )
    return U(4) * (word >> _RANK) + suit


@njit(cache=True, nogil=True)
def take_back(seats, rounds, seen, backs, wager, last, ranks):
    """Write `last` for each hand of dealt rounds whose player takes a wager back by the cards seen."""
    _, boards, words = seen
    backs_at, bits = backs
    decision, at = backs_at[wager, 0], U(0)
    start = U(backs_at[wager, 1])
    for round_ in range(U(rounds)):
        first = index_of(boards[U(2) * round_])
        for _ in range(U(seats)):
            held = U(3) * at
            key = (index_of(words[held]) * _CARDS + index_of(words[held + U(1)])) * _CARDS + index_of(
                words[held + U(2)]
            )
            if decision == 2:
                key = key * _CARDS + first
            if (U(bits[start + (key >> U(3))]) >> (key & U(7))) & U(1):
                ranks[at] = last
            at += U(1)


@njit(cache=True, nogil=True)
def name_kept(seats, rounds, seen, tables, backs, wager, ranks):
    """Write the rank of each hand of dealt rounds by one wager, the last one where its player takes it back."""
    name_hands(seats, rounds, seen, tables, wager, ranks)
    if backs[1].size and backs[0][wager, 0]:
        take_back(seats, rounds, seen, backs, wager, tables[0][wager, 5] - 1, ranks)


@njit(cache=True, nogil=True)
def tally_listed(seats, rounds, seen, tables, backs, nets, ranks, counts, squares):
    """Count dealt rounds: hands by wager, first or other seat, and rank; squares as `kernel.tally` sums them.

    The ranks themselves are left in `ranks`, wager by wager.
    """
    lanes = np.empty(8 << 8, np.int64)  # neighbors often have one rank: they are counted apart
    for wager in range(nets.shape[0]):
        named = ranks[wager]
        name_kept(seats, rounds, seen, tables, backs, wager, named)
        lanes[:] = 0
        if seats == 1:  # squares follow from the counts
            for at in range(U(rounds)):
                lanes[(at & U(7)) << U(8) | U(named[at])] += 1
        square, at, own = np.int64(0), U(0), nets[wager]
        for _ in range(rounds if seats > 1 else 0):
            won = np.int64(0)
            for seat in range(U(seats)):
                rank = U(named[at + seat])
                lanes[seat << U(8) | rank] += 1
                won += own[rank]
            at += U(seats)
            square += won * won
        squares[0, wager] += square & 0xFFFFFFFF
        squares[1, wager] += square >> 32
        for rank in range(nets.shape[1]):
            for lane in range(8):
                counts[wager, 0 if seats == 1 or lane == 0 else 1, rank] += lanes[lane << 8 | rank]
