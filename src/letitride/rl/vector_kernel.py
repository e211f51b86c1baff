"""Vector kernel: deals and shows the rounds of many seats at once, compiled; `simulation.generator` says what is dealt.

Each seat has a generator and a deck of its own, which stay as they are from round to round, so that seat i of seed s
plays the rounds of seed s + i. `state` holds a row for each seat: the generator's four numbers, the number whose second
half is still to be used, whether there is one, and the rounds dealt.
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
    SUIT_MASK,
    SUIT_ONES,
    WARM_UP,
    card_words,
)

U = np.uint64
STATE: Final = 7
_LOW: Final = U(2**32 - 1)
_KEY: Final = U(2**KEY_BITS - 1)
_ONES: Final = U(SUIT_ONES)
_SUITS: Final = U(SUIT_MASK)
_SETS: Final = U(RANK_SETS)
_WORDS: Final = card_words().astype(np.uint64)
_BLOCK: Final = U(BLOCK)
_PACKET: Final = U(PACKET_REJECTS[0])
_COMMUNITY: Final = U(COMMUNITY_REJECTS[1])


@njit(cache=True, nogil=True)
def deal(seeds, state, decks, numbers, codes, class_3, class_4, cards, hands):
    """Deal the next round to every seat.

    `cards` gets the own three in order and the two community cards, each 1 + its index. `hands` gets the class of three
    cards, the class of four, and the code of all five.
    """
    for seat in range(seeds.size):
        a, b, c, count = state[seat, 0], state[seat, 1], state[seat, 2], state[seat, 3]
        bits, half, round_ = state[seat, 4], state[seat, 5], state[seat, 6]
        if round_ % _BLOCK == U(0):
            a, b, c, count, half = U(seeds[seat]), round_ // _BLOCK, U(0), U(1), U(0)
            for _ in range(WARM_UP):
                bits = a + b + count
                count += U(1)
                a = b ^ (b >> U(11))
                b = c + (c << U(3))
                c = ((c << U(24)) | (c >> U(40))) + bits
            for place in range(52):
                decks[seat, place] = place
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
            word *= U(52)
            first = word >> U(32)
            word = (word & _LOW) * U(51)
            second = U(1) + (word >> U(32))
            word = (word & _LOW) * U(50)
            third = U(2) + (word >> U(32))
            if (word & _LOW) >= _PACKET:
                break
        one = decks[seat, first]
        decks[seat, first] = decks[seat, 0]
        decks[seat, 0] = one
        two = decks[seat, second]
        decks[seat, second] = decks[seat, 1]
        decks[seat, 1] = two
        three = decks[seat, third]
        decks[seat, third] = decks[seat, 2]
        decks[seat, 2] = three
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
            word *= U(49)
            first = U(3) + (word >> U(32))
            word = (word & _LOW) * U(48)
            second = U(4) + (word >> U(32))
            if (word & _LOW) >= _COMMUNITY:
                break
        left = decks[seat, first]
        decks[seat, first] = decks[seat, 3]
        decks[seat, 3] = left
        right = decks[seat, second]
        decks[seat, second] = decks[seat, 4]
        decks[seat, 4] = right
        state[seat, 0], state[seat, 1], state[seat, 2], state[seat, 3] = a, b, c, count
        state[seat, 4], state[seat, 5], state[seat, 6] = bits, half, round_ + U(1)
        low, high = min(one, two), max(one, two)
        cards[seat, 0] = min(low, three) + 1
        cards[seat, 1] = max(low, min(high, three)) + 1
        cards[seat, 2] = max(high, three) + 1
        cards[seat, 3] = left + 1
        cards[seat, 4] = right + 1
        total = _WORDS[one] + _WORDS[two] + _WORDS[three]
        number = U(numbers[total & _KEY])
        suited = U((total & (total >> U(1)) & _ONES) != U(0))  # a count of three is 011
        hands[seat, 0] = class_3[U(2) * number + suited]
        rank, other = U(left) >> U(2), U(right) >> U(2)
        four = total + (_WORDS[left] & _SUITS)
        suited = U(((four >> U(2)) & _ONES) != U(0))  # a count of four is 100
        hands[seat, 1] = class_4[U(2) * (U(13) * number + rank) + suited]
        five = four + (_WORDS[right] & _SUITS)
        code = U(codes[(rank * U(13) + other) * _SETS + number])
        if (five & (five >> U(2)) & _ONES) != U(0):  # a count of five is 101
            code = U(FLUSHES[code])
        hands[seat, 2] = code


@njit(cache=True, nogil=True)
def show_cards(stage, cards, first, second, shown):
    """Write what every seat sees of its round, `first` and `second` being the decisions made."""
    for seat in range(cards.shape[0]):
        shown[seat, 0] = stage
        shown[seat, 1] = first[seat] + 1 if stage > 0 else 0
        shown[seat, 2] = second[seat] + 1 if stage > 1 else 0
        shown[seat, 3] = cards[seat, 0]
        shown[seat, 4] = cards[seat, 1]
        shown[seat, 5] = cards[seat, 2]
        shown[seat, 6] = cards[seat, 3] if stage > 0 else 0
        shown[seat, 7] = cards[seat, 4] if stage > 1 else 0


@njit(cache=True, nogil=True)
def show_classes(stage, hands, first, apart, shown):
    """Write the class that every seat sees; four-card classes where bet 1 rides lie `apart` from the others."""
    for seat in range(hands.shape[0]):
        shown[seat] = hands[seat, 0] if stage == 0 else hands[seat, 1] + apart * first[seat]


@njit(cache=True, nogil=True)
def settle(hands, first, second, units, rewards):
    """Write the result of every seat's round."""
    for seat in range(hands.shape[0]):
        rewards[seat] = units[4 * np.int64(hands[seat, 2]) + 2 * first[seat] + second[seat]]


@njit(cache=True, nogil=True)
def all_are_choices(actions):
    """Return whether every action is 0 or 1."""
    odd = 0
    for seat in range(actions.size):
        odd |= actions[seat] & ~1
    return odd == 0
