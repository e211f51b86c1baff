"""Shuffle tests: the simulation's generator and draw pass, and sources with a planted fault do not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice, permutations

import numpy as np
import pytest

from letitride.errors import InvalidData
from letitride.rules.cards import DECK
from letitride.simulation import generator, shuffle_tests
from letitride.simulation.figures import chi_square_tail
from letitride.simulation.game import WARM_UP
from letitride.simulation.shuffle_tests import Decks, Family, Words

DECKS = 20_000
ALL = 2**64 - 1
Orders = Iterator[Sequence[int]]


def failed(family: Family) -> set[str]:
    """Return the names of the tests that failed."""
    return {test.name for test in family.failed}


def rows(make: Callable[[np.random.Generator], Orders]) -> list[Decks]:
    """Return the orders that a shuffle makes one after another."""
    return [np.array(list(islice(make(np.random.default_rng(3)), DECKS)), np.uint8)]


@pytest.mark.parametrize(("seed", "block"), [(0, 0), (1, 0), (1, 7), (2**63 - 1, 2**40)])
def test_the_words_are_those_of_numpys_sfc64(seed: int, block: int) -> None:
    theirs = np.random.SFC64()
    theirs.state = {
        "bit_generator": "SFC64",
        "state": {"state": np.array([seed, block, 0, 1], np.uint64)},
        "has_uint32": 0,
        "uinteger": 0,
    }
    theirs.random_raw(WARM_UP)
    numbers = theirs.random_raw(500).tolist()
    expected = [part for number in numbers for part in (number & 0xFFFFFFFF, number >> 32)]
    assert expected == list(islice(generator.words(seed, block), 1_000))
    assert expected[:999] == shuffle_tests.sfc64_words(seed, block, 999).tolist()


@pytest.mark.parametrize("seats", [1, 4, 7])
def test_the_decks_that_are_tested_are_those_of_the_simulation(seats: int) -> None:
    found = np.concatenate(list(shuffle_tests.simulation_decks(9, seats, 2_100)))
    assert (2_100, 52) == found.shape
    for index in (0, 1, 1_023, 1_024, 2_099):
        assert generator.deck(9, index, seats) == tuple(DECK[card] for card in found[index])


@pytest.mark.parametrize("seats", [1, 7])
def test_the_simulation_passes_and_gives_the_same_for_the_same_seed(seats: int) -> None:
    found = shuffle_tests.simulation_tests(1, seats, DECKS)
    assert found.consistent
    assert 17 == len(found.tests)
    assert 0.01 / 17 == pytest.approx(found.p_limit)
    assert found == shuffle_tests.simulation_tests(1, seats, DECKS)
    assert found != shuffle_tests.simulation_tests(2, seats, DECKS)


def test_a_fair_shuffle_of_whole_decks_passes_all_ten_tests() -> None:
    chance = np.random.default_rng(11)
    found = shuffle_tests.deck_tests(shuffle_tests.decks_of(lambda: chance.permutation(52), DECKS))
    assert found.consistent
    assert 10 == len(found.tests)


def exchanged(deck: Sequence[int], others: list[int]) -> Sequence[int]:
    """Return a deck in which each place in turn changed cards with another."""
    order = list(deck)
    for place, other in enumerate(others):
        order[place], order[other] = order[other], order[place]
    return order


def byte_modulo(chance: np.random.Generator) -> Orders:
    """A byte modulo what is left: the low places come too often."""
    while True:
        yield exchanged(
            range(52), [at + byte % (52 - at) for at, byte in enumerate(chance.integers(0, 256, 51).tolist())]
        )


def any_with_any(chance: np.random.Generator) -> Orders:
    """Every card changes places with any of the 52: the well-known wrong Fisher-Yates."""
    while True:
        yield exchanged(range(52), chance.integers(0, 52, 52).tolist())


def never_reset(chance: np.random.Generator) -> Orders:
    """The cards of the last round go under the deck and are not shuffled in."""
    deck = chance.permutation(52)
    while True:
        deck = np.concatenate([chance.permutation(deck[23:]), deck[:23]])
        yield deck


def one_stays(chance: np.random.Generator) -> Orders:
    """The bottom card of the last round stays at the bottom three times in four."""
    bottom = 0
    while True:
        deck = chance.permutation(52)
        if chance.random() < 0.75:
            at = int(np.flatnonzero(deck == bottom)[0])
            deck[[at, 51]] = deck[[51, at]]
        bottom = int(deck[51])
        yield deck


def never_in_place(chance: np.random.Generator) -> Orders:
    """Sattolo's shuffle of the deck as it lies: no card ever stays in its place."""
    deck: Sequence[int] = range(52)
    while True:
        deck = exchanged(deck, chance.integers(np.arange(1, 52), 52).tolist())
        yield deck


def three_riffles(chance: np.random.Generator) -> Orders:
    """A deck that lies as it fell and is riffled three times."""
    deck = chance.permutation(52)
    while True:
        for _ in range(3):
            deck = deck[np.argsort(np.argsort(chance.random(52) < 0.5, kind="stable"), kind="stable")]
        yield deck


def packets_kept(chance: np.random.Generator) -> Orders:
    """Two cards stick together, one deck in ten."""
    while True:
        deck = chance.permutation(52)
        if chance.random() < 0.1:
            one, two = (int(np.flatnonzero(deck == card)[0]) for card in (7, 30))
            other = one + 1 if one < 51 else 0
            deck[[two, other]] = deck[[other, two]]
        yield deck


@pytest.mark.parametrize(
    ("make", "noticed"),
    [
        (byte_modulo, {"cards by place"}),
        (any_with_any, {"cards by place"}),
        (never_reset, {"places by place before", "cards left in place"}),
        (one_stays, {"places by place before", "cards left in place"}),
        (never_in_place, {"places by place before", "cards left in place"}),
        (three_riffles, {"rising after", "places by place before"}),
        (packets_kept, {"cards by the card before"}),
    ],
)
def test_a_shuffle_with_a_planted_fault_is_rejected(
    make: Callable[[np.random.Generator], Orders], noticed: set[str]
) -> None:
    found = shuffle_tests.deck_tests(rows(make))
    assert not found.consistent
    assert noticed <= failed(found)


def test_a_deck_in_new_order_in_every_round_is_rejected() -> None:
    def cut(chance: np.random.Generator) -> Orders:
        while True:
            yield np.roll(np.arange(52), int(chance.integers(52)))

    found = failed(shuffle_tests.deck_tests(rows(cut)))
    assert {"rising sequences", "rising after", "cycles", "cards by the card before", "five-card hands"} <= found
    assert "cards by place" not in found  # each card is as often everywhere: one test alone would not notice


def test_too_good_is_rejected_too() -> None:
    turn = np.array(list(permutations(range(3))))
    decks = np.stack([np.roll(np.arange(52), at % 52) for at in range(DECKS)]).astype(np.uint8)
    decks[:, :3] = np.take_along_axis(decks[:, :3], turn[np.arange(DECKS) % 6], axis=1)
    found = next(test for test in shuffle_tests.deck_tests([decks]).tests if test.name == "cards by place")
    assert found.statistic < found.parameter / 2
    assert found.p_value < 1e-6


def lcg(seed: int, block: int, count: int) -> Words:
    """A linear congruential generator of 32 bits: its low bits have short periods."""
    state, found = (seed * 2_654_435_761 + block) & 0xFFFFFFFF, np.empty(count, np.uint32)
    for at in range(count):
        state = (1_664_525 * state + 1_013_904_223) & 0xFFFFFFFF
        found[at] = state
    return found


def cold(seed: int, block: int, count: int) -> Words:
    """Sfc64 without a warm-up: blocks begin alike."""
    a, b, c, found = seed, block, 0, np.empty(count + count % 2, np.uint32)
    for at in range(0, count, 2):
        number = (a + b + at // 2 + 1) & ALL
        a, b, c = b ^ (b >> 11), (c + (c << 3)) & ALL, (((c << 24) | (c >> 40)) + number) & ALL
        found[at : at + 2] = number & 0xFFFFFFFF, number >> 32
    return found[:count]


def counter(seed: int, block: int, count: int) -> Words:
    """A counter: as even as can be."""
    return (np.arange(count, dtype=np.uint64) * 2_654_435_769 + np.uint64(seed + block * 2_048)).astype(np.uint32)


def heavy_bit(seed: int, block: int, count: int) -> Words:
    """Good words, of which one bit is set a little too often."""
    found = shuffle_tests.sfc64_words(seed, block, count)
    return found | ((shuffle_tests.sfc64_words(seed, block + 2**50, count) < 2**28) * np.uint32(1 << 9))


@pytest.mark.parametrize(
    ("source", "noticed"),
    [
        (lcg, {"pairs, low bits", "neighboring blocks, bits"}),
        (cold, {"neighboring blocks, bits", "neighboring seeds, bits"}),
        (counter, {"gaps", "pairs, high bits", "birthday spacings"}),
        (heavy_bit, {"bits", "bytes"}),
    ],
)
def test_a_bad_generator_is_rejected(source: shuffle_tests.WordSource, noticed: set[str]) -> None:
    found = shuffle_tests.word_tests(1, 2**17, source)
    assert not found.consistent
    assert noticed <= failed(found)


def test_tails_hold_with_thousands_of_degrees_of_freedom() -> None:
    # From tables, and by the Wilson-Hilferty approximation for the large ones.
    assert 0.05 == pytest.approx(chi_square_tail(3.841459, 1), abs=1e-7)
    assert 0.01 == pytest.approx(chi_square_tail(23.20925, 10), abs=1e-7)
    assert 0.5 == pytest.approx(chi_square_tail(4_094.333, 4_095), abs=1e-4)
    assert 0.05 == pytest.approx(
        chi_square_tail(65_535 * (1 - 2 / 589_815 + 1.644854 * (2 / 589_815) ** 0.5) ** 3, 65_535), abs=1e-4
    )
    assert 1.0 == chi_square_tail(0.0, 5)


def test_samples_that_cannot_be_tested_are_refused_in_a_sentence() -> None:
    with pytest.raises(InvalidData, match="expected 65,536 words or more, got 100"):
        shuffle_tests.word_tests(1, 100)
    with pytest.raises(InvalidData, match="expected 10,000 decks or more, got 5,000"):
        shuffle_tests.simulation_tests(1, 7, 5_000)
    for wrong in ([list(range(51))], [[0, *range(51)]], [list(range(52))]):
        with pytest.raises(InvalidData, match="expected 2 orders of 52 different cards, got something else after 0"):
            list(shuffle_tests.decks_of(wrong, 2))
