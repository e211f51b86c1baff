"""Shuffle counts: what the tests of shuffles count, compiled; it knows no expectation and judges nothing."""

from __future__ import annotations

from typing import Final

import numpy as np

from letitride.simulation.compiler import njit
from letitride.simulation.game import BLOCK, COMMUNITY_REJECTS, PACKET_REJECTS, WARM_UP

U = np.uint64
_LOW: Final = U(2**32 - 1)
_PACKET_REJECTS: Final = PACKET_REJECTS.astype(np.uint64)
_COMMUNITY_REJECTS: Final = COMMUNITY_REJECTS.astype(np.uint64)


@njit(cache=True, nogil=True)
def fill_words(seed, block, out):
    """Fill an array with the first words of a block's generator, as `generator.words` yields them."""
    a, b, c, count = U(seed), U(block), U(0), U(1)
    bits = U(0)
    for turn in range(WARM_UP + (out.size + 1) // 2):
        bits = a + b + count
        count += U(1)
        a = b ^ (b >> U(11))
        b = c + (c << U(3))
        c = ((c << U(24)) | (c >> U(40))) + bits
        if turn >= WARM_UP:
            at = 2 * (turn - WARM_UP)
            out[at] = bits & _LOW
            if at + 1 < out.size:
                out[at + 1] = bits >> U(32)


@njit(cache=True, nogil=True)
def fill_decks(seed, block, seats, out):
    """Fill rows with the decks of a block's first rounds, as `generator.deck` gives them."""
    words = np.empty(2 * (seats + 1) * BLOCK, np.uint32)  # rejections are rare: half of them would be enough
    fill_words(seed, block, words)
    deck = np.arange(52).astype(np.uint8)
    taken = 0
    for row in range(out.shape[0]):
        for packet in range(seats + 1):
            first = U(3 * packet)
            cards = 3 if packet < seats else 2
            reject = _PACKET_REJECTS[packet] if packet < seats else _COMMUNITY_REJECTS[seats]
            second, third = U(0), U(0)
            while True:
                left = U(words[taken]) * (U(52) - first)
                taken += 1
                place = first + (left >> U(32))
                left = (left & _LOW) * (U(51) - first)
                second = first + U(1) + (left >> U(32))
                if cards == 3:
                    left = (left & _LOW) * (U(50) - first)
                    third = first + U(2) + (left >> U(32))
                if (left & _LOW) >= reject:
                    break
            deck[first], deck[place] = deck[place], deck[first]
            deck[first + U(1)], deck[second] = deck[second], deck[first + U(1)]
            if cards == 3:
                deck[first + U(2)], deck[third] = deck[third], deck[first + U(2)]
        for place in range(52):  # one by one: to assign a row takes two seconds to compile
            out[row, place] = deck[place]


@njit(cache=True, nogil=True)
def count_words(words, bits, octets, high, low):
    """Count set bits by place, bytes by place, and disjoint pairs of words by their six highest and lowest bits."""
    for at in range(words.size):
        word = words[at]
        for place in range(32):
            bits[place] += (word >> place) & 1
        for place in range(4):
            octets[place, (word >> (8 * place)) & 255] += 1
    for at in range(0, words.size - 1, 2):
        one, two = words[at], words[at + 1]
        high[one >> 26, two >> 26] += 1
        low[one & 63, two & 63] += 1


@njit(cache=True, nogil=True)
def count_gaps(words, below, gaps, running):
    """Count how many words lie between words below a bound; returns the length of the gap still open, or -1."""
    for at in range(words.size):
        if words[at] < below:
            if running >= 0:
                gaps[min(running, gaps.size - 1)] += 1
            running = 0
        elif running >= 0:
            running += 1
    return running


@njit(cache=True, nogil=True)
def count_neighbours(one, two, differing, nibbles):
    """Count where the words of two streams differ, bit by bit, and pairs of their four highest bits."""
    for at in range(one.size):
        word = one[at] ^ two[at]
        for place in range(32):
            differing[place] += (word >> place) & 1
        nibbles[one[at] >> 28, two[at] >> 28] += 1


@njit(cache=True, nogil=True)
def count_decks(decks, places, before, cards, pairs, moves, fixed):  # noqa: PLR0917 - compiled: arrays, one by one
    """Count cards by place, cards by the card before, and places by where their card lay in the deck before.

    `before` is the deck before the first, and becomes the last one; where its first card is 255 there is none.
    """
    lay = np.empty(52, np.int64)
    for row in range(decks.shape[0]):
        deck = decks[row]
        for place in range(places):
            cards[place, deck[place]] += 1
        for place in range(places - 1):
            pairs[deck[place], deck[place + 1]] += 1
        if before[0] != 255:
            for place in range(52):
                lay[before[place]] = place
            same = 0
            for place in range(places):
                was = lay[deck[place]]
                moves[place, was] += 1
                same += was == place
            fixed[same] += 1
        for place in range(52):
            before[place] = deck[place]


@njit(cache=True, nogil=True)
def count_orders(decks, before, cycles, rising, rising_after):
    """Count whole decks by their cycles and by rising sequences, from the order of a new deck and from the deck before.

    A rising sequence is a run of cards that still lie in the order they had: the old order is one, a riffle makes two.
    """
    lies = np.empty(52, np.int64)
    seen = np.empty(52, np.bool_)
    for row in range(decks.shape[0]):
        deck = decks[row]
        for place in range(52):
            lies[deck[place]] = place
            seen[place] = False
        many = 0
        for start in range(52):
            if not seen[start]:
                many += 1
                at = start
                while not seen[at]:
                    seen[at] = True
                    at = int(deck[at])
        cycles[many] += 1
        runs = runs_after = 1
        for card in range(51):
            runs += lies[card + 1] < lies[card]
        rising[runs] += 1
        if before[0] != 255:
            for place in range(51):
                runs_after += lies[before[place + 1]] < lies[before[place]]
            rising_after[runs_after] += 1
        for place in range(52):
            before[place] = deck[place]
