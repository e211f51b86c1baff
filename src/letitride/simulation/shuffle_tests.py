"""Shuffle tests: whether random words and orders of decks are as chance would make them; never proves that they are.

A test compares a statistic with its distribution under pure chance. Every p-value is two-sided: what lies too close to
the expectation is as suspicious as what lies too far from it. The tests of a family look at the same sample and are
judged together: one fails below 1 % divided by their number (Bonferroni), so a fair source passes 99 times in 100.

Words may come from any `WordSource`, decks from any source of orders; `simulation_decks` gives those of the simulation,
of which only the places that are dealt are drawn anew in every round.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, islice
from math import comb, factorial
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from letitride.analysis.find_rows import LOSES
from letitride.analysis.side_bets import FIVE_CARD_HANDS, THREE_CARD_HANDS, five_card_counts, three_hand_counts
from letitride.analysis.vector_hands import columns
from letitride.errors import InvalidData
from letitride.rules.cards import DECK
from letitride.rules.three_hands import ThreeCardCategory, evaluate_three
from letitride.simulation import shuffle_counts as compiled
from letitride.simulation.figures import CONFIDENCE, chi_square, chi_square_tail
from letitride.simulation.game import BLOCK, Counts
from letitride.simulation.generator import SEED_MAX, check_seed

WORDS_MIN: Final = 65_536
"""Fewer words leave cells that are expected less than five times."""
DECKS_MIN: Final = 10_000

Words = NDArray[np.uint32]
Decks = NDArray[np.uint8]
"""Orders of a deck, a row for each: the cards by their index, from the top."""
WordSource = Callable[[int, int, int], Words]
"""Gives the first so many words of a generator, by seed and block."""

_STRETCH: Final = 2 * BLOCK
"""Words taken of one block: what a table of one seat takes."""
_HEAD: Final = 64
"""The first words of a block: where generators that were seeded alike would still be alike."""
_GAP_BELOW: Final = 1 << 29
_GAPS: Final = 48
_BIRTHDAYS: Final = 4_096
_BIRTHDAY_ROUNDS: Final = 1_024
"""The count of equal spacings is only nearly Poisson; over many more rounds that would show."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of one test."""

    name: str
    what: str
    """What it would notice."""
    sample: int
    unit: str
    statistic: float
    distribution: Literal["chi-square", "Poisson"]
    parameter: float
    """Degrees of freedom of a chi-square, mean of a Poisson count."""
    p_value: float


@dataclass(frozen=True, slots=True)
class Family:
    """Tests that are judged together."""

    tests: tuple[Outcome, ...]
    confidence: float = CONFIDENCE
    """Over all of them."""

    @property
    def p_limit(self) -> float:
        """The p-value under which a test of the family fails."""
        return (1 - self.confidence) / len(self.tests)

    @property
    def failed(self) -> tuple[Outcome, ...]:
        """The tests that failed."""
        return tuple(test for test in self.tests if test.p_value < self.p_limit)

    @property
    def consistent(self) -> bool:
        """Whether the sample is what chance would make it."""
        return not self.failed


def sfc64_words(seed: int, block: int, count: int) -> Words:
    """Return the first words of a block's generator, those of `generator.words`."""
    found = np.empty(count, np.uint32)
    compiled.fill_words(seed, block, found)
    return found


def simulation_decks(seed: int, seats: int, decks: int) -> Iterator[Decks]:
    """Yield the decks of a simulation's first rounds, block by block; `generator.deck` gives the same one by one."""
    check_seed(seed)
    for first in range(0, decks, BLOCK):
        found = np.empty((min(BLOCK, decks - first), 52), np.uint8)
        compiled.fill_decks(seed, first // BLOCK, seats, found)
        yield found


def decks_of(source: Iterable[Sequence[int]] | Callable[[], Sequence[int]], decks: int) -> Iterator[Decks]:
    """Yield the orders that a source gives, from an iterator or call by call; an order is the indexes of 52 cards."""
    orders = (source() for _ in range(decks)) if callable(source) else iter(source)
    whole = np.arange(52)
    for first in range(0, decks, BLOCK):
        taken = list(islice(orders, min(BLOCK, decks - first)))
        found = np.array(taken if all(len(order) == 52 for order in taken) else []).reshape(-1, 52)
        if len(found) < min(BLOCK, decks - first) or not (np.sort(found, axis=1) == whole).all():
            raise InvalidData(f"expected {decks:,} orders of 52 different cards, got something else after {first:,}")
        yield found.astype(np.uint8)


def word_tests(seed: int, words: int, source: WordSource = sfc64_words) -> Family:
    """Test the words of a generator: within blocks, and between neighboring blocks and seeds."""
    check_seed(seed)
    if words < WORDS_MIN:
        raise InvalidData(f"expected {WORDS_MIN:,} words or more, got {words:,}")
    bits, octets = np.zeros(32, np.int64), np.zeros((4, 256), np.int64)
    high, low, gaps = np.zeros((64, 64), np.int64), np.zeros((64, 64), np.int64), np.zeros(_GAPS + 1, np.int64)
    running = -1
    for block in range(words // _STRETCH):
        found = source(seed, block, _STRETCH)
        compiled.count_words(found, bits, octets, high, low)
        running = compiled.count_gaps(found, _GAP_BELOW, gaps, running)
    taken = words // _STRETCH * _STRETCH
    miss = Fraction(7, 8)
    chances = [*(miss**length / 8 for length in range(_GAPS)), miss**_GAPS]
    pairs = taken // 2
    outcomes = [
        _chi("bits", "a bit set too often or too rarely", taken, "words", _halves(bits, taken), 32),
        _chi("bytes", "a byte too often or too rare", taken, "words", _even(octets, taken / 256), 4 * 255),
        _chi("pairs, high bits", "a word that tells the next", pairs, "pairs", _even(high, pairs / 4096), 4095),
        _chi("pairs, low bits", "a word that tells the next", pairs, "pairs", _even(low, pairs / 4096), 4095),
        _fit("gaps", "small words in bunches or in turn", "gaps", gaps, chances),
        _birthdays(seed, min(words // _BIRTHDAYS, _BIRTHDAY_ROUNDS), source),
        *_neighbours("blocks", words, lambda number: source(seed, number, _HEAD)),
        *_neighbours("seeds", words, lambda number: source((seed + number) % (SEED_MAX + 1), 0, _HEAD)),
    ]
    return Family(tuple(outcomes))


def deck_tests(
    orders: Iterable[Decks], *, places: int = 52, hand: tuple[int, int, int, int, int] = (0, 1, 2, 3, 4)
) -> Family:
    """Test orders of decks over the first so many places; `hand` is where three cards and two community cards lie."""
    counted = _Counted(places, hand)
    for decks in orders:
        counted.add(decks)
    many = counted.decks
    if many < DECKS_MIN:
        raise InvalidData(f"expected {DECKS_MIN:,} decks or more, got {many:,}")
    five = [Fraction(count, FIVE_CARD_HANDS) for _, count in sorted(five_card_counts().items())]
    three = [Fraction(three_hand_counts()[kind], THREE_CARD_HANDS) for kind in ThreeCardCategory]
    paid = 1 - five[LOSES]
    pays = [(1 - paid) ** 2, paid * (1 - paid), (1 - paid) * paid, paid**2]
    freedom = places * 51 if places < 52 else 51 * 51
    cards, moves = _places(counted.cards, many), _places(counted.moves, many - 1)
    outcomes = [
        _chi("cards by place", "a card that prefers a place", many, "decks", cards, freedom),
        _chi("cards by the card before", "cards that stay together", many, "decks", _followers(counted), 2549),
        _chi("places by place before", "an order that tells the next", many - 1, "decks", moves, freedom),
        _fit("cards left in place", "cards that stay, or never do", "decks", counted.fixed, _matches(places)),
        _fit("five-card hands", "hands too often or too rare", "hands", counted.five, five),
        _fit("three-card hands", "hands too often or too rare", "hands", counted.three, three),
        _fit("paid hands in a row", "a round that tells the next", "round pairs", counted.paid, pays),
    ]
    if places == 52:
        rising = [Fraction(count, factorial(52)) for count in _eulerian(52)]
        cycles = [Fraction(count, factorial(52)) for count in _stirling(52)]
        outcomes += [
            _fit("cycles", "a shuffle that is one kind of exchange", "decks", counted.cycles, cycles),
            _fit("rising sequences", "too few riffles of a new deck", "decks", counted.rising, rising),
            _fit("rising after", "too few riffles of the deck before", "decks", counted.rising_after, rising),
        ]
    return Family(tuple(outcomes))


def simulation_tests(seed: int, seats: int, decks: int) -> Family:
    """Test the generator and the draw of a simulation: its decks, and as many words as seven seats would take."""
    dealt = 3 * seats + 2
    hand = (0, 1, 2, dealt - 2, dealt - 1)
    found = deck_tests(simulation_decks(seed, seats, decks), places=dealt, hand=hand)
    return Family((*word_tests(seed, 8 * decks).tests, *found.tests))


class _Counted:
    """What was counted of the decks."""

    def __init__(self, places: int, hand: tuple[int, ...]) -> None:
        self.places, self.hand, self.decks = places, list(hand), 0
        self.cards, self.moves = np.zeros((places, 52), np.int64), np.zeros((places, 52), np.int64)
        self.pairs, self.fixed = np.zeros((52, 52), np.int64), np.zeros(places + 1, np.int64)
        self.five, self.three = np.zeros(LOSES + 1, np.int64), np.zeros(len(ThreeCardCategory), np.int64)
        self.paid = np.zeros(4, np.int64)
        self.cycles, self.rising, self.rising_after = (np.zeros(53, np.int64) for _ in range(3))
        self._before, self._before_order = np.full(52, 255, np.uint8), np.full(52, 255, np.uint8)
        self._odd: list[int] = []

    def add(self, decks: Decks) -> None:
        """Count some more."""
        self.decks += len(decks)
        compiled.count_decks(decks, self.places, self._before, self.cards, self.pairs, self.moves, self.fixed)
        if self.places == 52:
            compiled.count_orders(decks, self._before_order, self.cycles, self.rising, self.rising_after)
        hands = decks[:, self.hand].astype(np.int64)
        codes = columns(hands)
        self.five += np.bincount(codes, minlength=LOSES + 1)
        three = np.sort(hands[:, :3], axis=1)
        self.three += np.bincount(_named_threes()[three[:, 0], three[:, 1], three[:, 2]], minlength=self.three.size)
        paid = [*self._odd, *(codes != LOSES).astype(int).tolist()]
        self._odd = paid[len(paid) // 2 * 2 :]
        self.paid += np.bincount(2 * np.array(paid[:-1:2], int) + np.array(paid[1::2], int), minlength=4)


@cache
def _named_threes() -> Counts:
    """Return the category of every three cards, by their indexes in order."""
    table = np.zeros((52, 52, 52), np.int64)
    for one, two, three in combinations(range(52), 3):
        table[one, two, three] = evaluate_three((DECK[one], DECK[two], DECK[three]))
    return table


def _two_sided(upper: float) -> float:
    return min(1.0, 2 * min(upper, 1 - upper))


def _chi(name: str, what: str, sample: int, unit: str, statistic: float, freedom: int) -> Outcome:  # noqa: PLR0917 - the columns of an outcome
    p_value = _two_sided(chi_square_tail(statistic, freedom))
    return Outcome(name, what, sample, unit, statistic, "chi-square", freedom, p_value)


def _fit(name: str, what: str, unit: str, counts: Counts, chances: Sequence[Fraction]) -> Outcome:
    """Test counts of independent cases against exact chances."""
    total = int(counts.sum())
    rows = {str(at): (int(count), chance) for at, (count, chance) in enumerate(zip(counts, chances, strict=True))}
    found = chi_square({name: row for name, row in rows.items() if row[1] or row[0]}, total)
    return _chi(name, what, total, unit, found.statistic, found.freedom)


def _even(counts: Counts, expected: float) -> float:
    return float(((counts - expected) ** 2).sum() / expected)


def _halves(counts: Counts, total: int) -> float:
    """Return the sum of squares of counts that are expected to be half of a total each."""
    return float(((counts - total / 2) ** 2).sum() / (total / 4))


def _neighbours(name: str, words: int, head: Callable[[int], Words]) -> tuple[Outcome, Outcome]:
    """Test the first words of neighboring generators, two and two, against one another."""
    differing, nibbles = np.zeros(32, np.int64), np.zeros((16, 16), np.int64)
    couples = words // (2 * _HEAD)
    for couple in range(couples):
        compiled.count_neighbours(head(2 * couple), head(2 * couple + 1), differing, nibbles)
    pairs = couples * _HEAD
    what = f"{name} that begin alike"
    return (
        _chi(f"neighboring {name}, bits", what, pairs, "pairs", _halves(differing, pairs), 32),
        _chi(f"neighboring {name}, high bits", what, pairs, "pairs", _even(nibbles, pairs / 256), 255),
    )


def _birthdays(seed: int, rounds: int, source: WordSource) -> Outcome:
    """Count equal spacings between so many birthdays in a year of 2^32 days: four on average (Marsaglia)."""
    equal = 0
    for block in range(rounds):
        days = np.sort(source(seed, block, _BIRTHDAYS)).astype(np.int64)
        spacings = np.sort(np.diff(days, append=days[0] + (1 << 32)))
        equal += int((spacings[1:] == spacings[:-1]).sum())
    mean = rounds * _BIRTHDAYS**3 / 2**34
    at_most, fewer = (chi_square_tail(2 * mean, 2 * many) if many else 0.0 for many in (equal + 1, equal))
    p_value = min(1.0, 2 * min(at_most, 1 - fewer))
    what = "words on a lattice"
    return Outcome("birthday spacings", what, rounds * _BIRTHDAYS, "words", equal, "Poisson", mean, p_value)


def _places(counts: Counts, decks: int) -> float:
    """Return the chi-square of cards by place, or of places by place.

    A card lies in one place and a place holds one card, so the cells hang together: for k of 52 places the covariance
    of a deck is (1 - J/52) x (1 - J/52) / 51, and its inverse gives the statistic, with 51 k degrees of freedom, or 51
    squared where all places are counted.
    """
    off = counts - decks / 52
    places = len(counts)
    together = (off.sum(axis=0) ** 2).sum() / (52 - places) if places < 52 else 0.0
    return float(51 / decks * ((off**2).sum() + together))


def _followers(counted: _Counted) -> float:
    """Return the chi-square of which card follows which, with 52 x 49 / 2 + 51 x 50 / 2 degrees of freedom.

    How often a card is followed at all goes by its place, which another test looks at; what is left falls into a part
    that is the same both ways round and one that changes its sign. The pairs of one deck hang together by symmetry
    alone, so each part has one variance.
    """
    places = counted.places
    off = counted.pairs - counted.decks * (places - 1) / 2652
    np.fill_diagonal(off, 0.0)
    both, turned = (off + off.T) / 2, (off - off.T) / 2
    sums, turned_sums = both.sum(axis=1), turned.sum(axis=1)
    own = (sums - sums.mean()) / 50
    both -= own[:, None] + own[None, :] + sums.mean() / 51
    turned -= (turned_sums[:, None] - turned_sums[None, :]) / 52
    np.fill_diagonal(both, 0.0)
    alone, chained = (places - 1) / 2652, (places - 2) / (2652 * 50)
    apart = (places - 2) * (places - 3) / (2652 * 50 * 49)
    spread_both, spread_turned = alone - 2 * chained + 2 * apart, alone + 2 * chained
    return float(((both**2).sum() / spread_both + (turned**2).sum() / spread_turned) / counted.decks)


def _matches(places: int) -> list[Fraction]:
    """Return how likely so many of the first places hold the card that lay there before."""
    found = []
    for same in range(places + 1):
        ways = sum(
            (-1) ** more * comb(places - same, more) * factorial(52 - same - more) for more in range(places - same + 1)
        )
        found.append(Fraction(comb(places, same) * ways, factorial(52)))
    return found


def _eulerian(cards: int) -> list[int]:
    """Return how many orders have so many rising sequences."""
    row = [0, 1]
    for many in range(2, cards + 1):
        row = [0, *(at * (row[at] if at < many else 0) + (many - at + 1) * row[at - 1] for at in range(1, many + 1))]
    return row


def _stirling(cards: int) -> list[int]:
    """Return how many orders have so many cycles."""
    row = [1]
    for many in range(1, cards + 1):
        row = [(many - 1) * (row[at] if at < many else 0) + (row[at - 1] if at else 0) for at in range(many + 1)]
    return row
