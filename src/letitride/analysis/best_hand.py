"""Best hand: how often the best of one to seven hands is of each category, exactly, whatever cards are known dead.

The hands share two community cards and come from one deck. For each pair of community cards the packets of three that
make a category or better are a few kinds; how many sets of disjoint ones there are is the coefficient of a polynomial
that is multiplied together rank by rank, and inclusion and exclusion over those sets gives how often no packet wins.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import comb, factorial
from typing import Final

from letitride.errors import InvalidData
from letitride.rules.arguments import refuse_twice, whole
from letitride.rules.cards import DECK, Card
from letitride.rules.hands import Category
from letitride.rules.wagers import HANDS_MAX

CATEGORIES: Final = tuple(category for category in reversed(Category) if category >= Category.THREE_OF_A_KIND)
"""What the best hand may be to be paid, best first."""

_Three = tuple[tuple[int, int], tuple[int, int], tuple[int, int]]
_Ranks = tuple[tuple[int, int], ...]
"""For each rank from two to ace: how many cards are left of the community's common suit (0 or 1), and of the others."""
Poly = dict[tuple[int, int], int]
"""Sets of disjoint packets by (how many packets, how many suited cards set aside for flushes)."""


def best_hands(hands: int, dead: Collection[Card] = ()) -> dict[Category, Fraction]:
    """Return how likely each paying category is to be the best of so many hands, with some cards known to be dead."""
    whole(hands, "the number of hands", 1, HANDS_MAX)
    refuse_twice(dead, "the dead cards")
    deck = [card for card in DECK if card not in dead]
    if len(deck) < 3 * hands + 2:
        raise InvalidData(f"expected cards left for {hands} hands and the community cards, got {len(deck)}")
    classes = _classes(deck)
    total = sum(classes.values())
    reached: dict[Category, Fraction] = {}
    for category in CATEGORIES:
        missed = Fraction(0)
        for situation, weight in classes.items():
            missed += weight * _nobody(situation, category, hands, len(deck) - 2)
        reached[category] = 1 - missed / total
    exact: dict[Category, Fraction] = {}
    above = Fraction(0)
    for category in CATEGORIES:
        exact[category] = reached[category] - above
        above = reached[category]
    return exact


_Situation = tuple[int, int, bool, _Ranks]


def _classes(deck: list[Card]) -> Mapping[_Situation, int]:
    """Return every pair of community cards as (high rank, low rank, suited, what is left), with how often it comes."""
    found: Counter[_Situation] = Counter()
    for first, second in combinations(deck, 2):
        high, low = max(first.rank, second.rank), min(first.rank, second.rank)
        suited = first.suit == second.suit
        left = [[0, 0] for _ in range(15)]
        for card in deck:
            if card not in (first, second):
                left[card.rank][0 if suited and card.suit == first.suit else 1] += 1
        found[high, low, suited, tuple((pair[0], pair[1]) for pair in left[2:])] += 1
    return found


def _nobody(situation: _Situation, category: Category, hands: int, cards: int) -> Fraction:
    """Return how likely it is that no hand makes a category or better."""
    sets = _disjoint_sets(situation, category, cards)
    ways = Fraction(0)
    for many in range(min(hands, len(sets) - 1) + 1):
        rest = Fraction(factorial(cards - 3 * many), 6 ** (hands - many) * factorial(cards - 3 * hands))
        ways += (-1) ** many * comb(hands, many) * factorial(many) * sets[many] * rest
    return ways / Fraction(factorial(cards), 6**hands * factorial(cards - 3 * hands))


@cache
def _disjoint_sets(situation: _Situation, category: Category, cards: int) -> tuple[int, ...]:
    """Return how many sets of 0, 1, 2 … up to seven disjoint packets there are that all make a category or better."""
    high, low, _, ranks = situation
    return _with_a_pair(high, ranks, category) if high == low else _without_a_pair(situation, category, cards)


def _with_a_pair(rank: int, ranks: _Ranks, category: Category) -> tuple[int, ...]:
    """Sets of packets where the community cards are a pair: its other two cards, and three or two of another rank."""
    own = sum(ranks[rank - 2])
    others = [sum(pair) for number, pair in enumerate(ranks, 2) if number != rank]
    found = [0] * (HANDS_MAX + 1)
    if category > Category.FOUR_OF_A_KIND:
        found[0] = 1
        return tuple(found)
    houses = category <= Category.FULL_HOUSE
    parts = _threes_and_pairs(others) if houses else {(0, 0): 1}
    free = sum(others)
    for (threes, pairs), ways in parts.items():
        # Packets of three of a rank, packets of one of the pair's rank with a pair, and what takes both of them.
        assigned = factorial(pairs) * comb(own, pairs)
        _add(found, threes + pairs, ways * assigned)
        if own == 2 and not pairs:
            _add(found, threes + 1, ways * (free - 3 * threes))  # four of a kind with any card
    if category <= Category.THREE_OF_A_KIND:
        # Any packet with one of the pair's rank wins: those are counted with any two cards, so pairs are not set apart.
        found = [0] * (HANDS_MAX + 1)
        for (threes, pairs), ways in parts.items():
            if pairs:
                continue
            left = free - 3 * threes
            _add(found, threes, ways)
            _add(found, threes + 1, ways * own * comb(left, 2))
            if own == 2:
                _add(found, threes + 1, ways * left)
                _add(found, threes + 2, ways * comb(left, 2) * comb(left - 2, 2))
    return tuple(found)


def _threes_and_pairs(counts: list[int]) -> dict[tuple[int, int], int]:
    """Return sets of threes of a rank and of one or two pairs of a rank, by how many of each."""
    poly = {(0, 0): 1}
    for left in counts:
        own = {
            (0, 0): 1,
            (1, 0): comb(left, 3),
            (0, 1): comb(left, 2),
            (0, 2): comb(left, 2) * comb(max(left - 2, 0), 2) // 2,
        }
        poly = _times(poly, own, most=(HANDS_MAX, 2))
    return poly


def _times(
    left: Mapping[tuple[int, int], int], right: Mapping[tuple[int, int], int], most: tuple[int, int]
) -> dict[tuple[int, int], int]:
    found: Counter[tuple[int, int]] = Counter()
    for (a, b), ways in left.items():
        for (c, d), more in right.items():
            if more and a + c <= most[0] and b + d <= most[1]:
                found[a + c, b + d] += ways * more
    return dict(found)


def _add(found: list[int], packets: int, ways: int) -> None:
    if packets <= HANDS_MAX:
        found[packets] += ways


def _without_a_pair(situation: _Situation, category: Category, cards: int) -> tuple[int, ...]:
    """Sets of packets where the community cards differ: straights, flushes, threes, and more of the two ranks."""
    high, low, suited, ranks = situation
    others = _packets_of_other_ranks(high, low, suited, ranks, category)
    a, b = sum(ranks[high - 2]), sum(ranks[low - 2])
    found = [0] * (HANDS_MAX + 1)
    for packets, ways in enumerate(others):
        free = cards - a - b - 3 * packets
        for more, times in _packets_of_own_ranks(a, b, free, category):
            _add(found, packets + more, ways * times)
    return tuple(found)


def _packets_of_own_ranks(a: int, b: int, free: int, category: Category) -> Iterator[tuple[int, int]]:
    """Yield (packets, ways) of packets with two or three cards of the community cards' own ranks.

    `a` and `b` are how many cards of each are left, `free` how many cards of other ranks the other packets leave.
    """
    yield 0, 1
    if category > Category.FOUR_OF_A_KIND:
        return
    fours_a, fours_b = comb(a, 3), comb(b, 3)
    yield 1, fours_a + fours_b
    yield 2, fours_a * fours_b
    if category > Category.FULL_HOUSE:
        return
    twos_a, twos_b = comb(a, 2), comb(b, 2)
    if category > Category.THREE_OF_A_KIND:  # two of one with one of the other: a full house
        yield 1, twos_a * b + twos_b * a
        yield 2, twos_a * twos_b * max(a - 2, 0) * max(b - 2, 0)  # both of them
        return
    # Two of a rank win with any third card.
    yield 1, twos_a * (free + b) + twos_b * (free + a)
    yield 2, fours_a * twos_b * free + fours_b * twos_a * free
    left_a, left_b = max(a - 2, 0), max(b - 2, 0)
    thirds = free * (free - 1) + free * left_b + free * left_a + left_a * left_b
    yield 2, twos_a * twos_b * thirds


def _windows(high: int, low: int) -> list[tuple[int, int, int]]:
    """Return the three ranks that make a straight with two, ace counted as 14 and, in the lowest one, as 1."""
    found = []
    for lowest in range(1, 11):
        run = {14 if rank == 1 else rank for rank in range(lowest, lowest + 5)}
        if {high, low} <= run:
            missing = sorted(run - {high, low})
            found.append((missing[0], missing[1], missing[2]))
    return found


def _is_royal(high: int, low: int, window: tuple[int, int, int]) -> bool:
    return min(high, low, *window) == 10


def _packets_of_other_ranks(high: int, low: int, suited: bool, ranks: _Ranks, category: Category) -> tuple[int, ...]:
    """Return how many sets of 0 to 7 disjoint packets there are: straights, flushes and threes of other ranks."""
    windows = _windows(high, low)
    straights = category <= Category.STRAIGHT
    flushes = suited and category <= Category.FLUSH
    runs = suited and category > Category.FLUSH  # only straight flushes count, or only the royal one
    if runs:
        kept = [w for w in windows if category < Category.ROYAL_FLUSH or _is_royal(high, low, w)]
        return _straight_flushes(kept, ranks)
    in_windows = sorted({rank for window in windows for rank in window}) if straights else []
    threes = category <= Category.THREE_OF_A_KIND
    poly: Poly = {(0, 0): 1}
    for rank in range(2, 15):
        if rank not in (high, low, *in_windows):
            poly = _times(poly, _idle(ranks[rank - 2], threes, flushes), most=(HANDS_MAX, 3 * HANDS_MAX))
    if in_windows:
        left = tuple(ranks[rank - 2] for rank in in_windows)
        spans = tuple(tuple(in_windows.index(rank) for rank in window) for window in windows)
        poly = _times(poly, _straights(left, spans, threes, flushes), most=(HANDS_MAX, 3 * HANDS_MAX))
    found = [0] * (HANDS_MAX + 1)
    for (packets, set_aside), ways in poly.items():
        flush_packets, over = divmod(set_aside, 3)
        if not over:  # the suited cards that were set aside, parted into threes
            parted = factorial(set_aside) // (6**flush_packets * factorial(flush_packets))
            _add(found, packets + flush_packets, ways * parted)
    return tuple(found)


def _idle(left: tuple[int, int], threes: bool, flushes: bool) -> Poly:
    """A rank that is in no straight: three of it, and its suited card in a flush."""
    own, others = left
    poly: Poly = {(0, 0): 1}
    if threes:
        poly[1, 0] = comb(own + others, 3)
    if flushes and own:
        poly[0, 1] = own
        if threes:
            poly[1, 1] = own * comb(others, 3)
    return poly


@cache
def _straights(
    left: tuple[tuple[int, int], ...], spans: tuple[tuple[int, ...], ...], threes: bool, flushes: bool
) -> Poly:
    """Sets of straights, threes and suited cards set aside among the ranks that straights need.

    A packet whose three cards are all suited is a flush, and is counted there.
    """
    poly: Counter[tuple[int, int]] = Counter()
    choices = [(0, 1) if flushes and own else (0,) for own, _ in left]
    for aside in product(*choices):
        rest = tuple((own - taken, others) for (own, others), taken in zip(left, aside, strict=True))
        for packets, ways in _runs(rest, spans, threes, flushes).items():
            poly[packets, sum(aside)] += ways
    return dict(poly)


@cache
def _runs(
    left: tuple[tuple[int, int], ...], spans: tuple[tuple[int, ...], ...], threes: bool, flushes: bool
) -> Mapping[int, int]:
    """Return how many sets of disjoint straights and threes there are, by how many packets they have."""
    if not spans:
        found: Counter[int] = Counter({0: 1})
        for own, others in left if threes else ():
            three = comb(own + others, 3)
            found = Counter(
                {many: found[many] + three * found[many - 1] for many in range(min(HANDS_MAX, max(found) + 1) + 1)}
            )
        return dict(found)
    # So many straights of the first kind, by how many of the suited cards of its ranks they take; then the others.
    first, rest = spans[0], spans[1:]
    needed = {rank for span in rest for rank in span}
    total = dict(_runs(_told_apart(left, needed, threes), rest, threes, flushes))
    a, b, c = first
    after = list(left)
    for ranks, times, many in _taken((left[a], left[b], left[c]), flushes):
        after[a], after[b], after[c] = ranks
        for packets, ways in _runs(_told_apart(after, needed, threes), rest, threes, flushes).items():
            if packets + many <= HANDS_MAX:
                total[packets + many] = total.get(packets + many, 0) + ways * times
    return total


def _told_apart(left: Sequence[tuple[int, int]], needed: Collection[int], threes: bool) -> tuple[tuple[int, int], ...]:
    """Return what is left with ranks that no straight needs any more alike: they only may make three of a rank."""
    return tuple(
        pair if rank in needed else (0, sum(pair)) if threes and sum(pair) > 2 else (0, 0)
        for rank, pair in enumerate(left)
    )


@cache
def _taken(left: _Three, flushes: bool) -> tuple[tuple[_Three, int, int], ...]:
    """Return what is left of three ranks, in how many ways, after so many straights of them are taken, one or more."""
    found: list[tuple[_Three, int, int]] = []
    counted: Counter[_Three] = Counter({left: 1})
    for many in range(1, 5):
        following: Counter[_Three] = Counter()
        for ((a, others_a), (b, others_b), (c, others_c)), ways in counted.items():
            for x, y, z in product((0, 1), repeat=3):  # 1: the suited card of the rank
                times = (a if x else others_a) * (b if y else others_b) * (c if z else others_c)
                if times and not (flushes and x + y + z == 3):
                    after = ((a - x, others_a - 1 + x), (b - y, others_b - 1 + y), (c - z, others_c - 1 + z))
                    following[after] += ways * times
        counted = following
        found.extend((after, ways // factorial(many), many) for after, ways in counted.items())
    return tuple(found)


def _straight_flushes(windows: list[tuple[int, int, int]], ranks: _Ranks) -> tuple[int, ...]:
    """Sets of disjoint straight flushes: each takes the suited cards of its three ranks, of which there is one each."""
    there = [set(window) for window in windows if all(ranks[rank - 2][0] for rank in window)]
    found = [0] * (HANDS_MAX + 1)
    for many in range(len(there) + 1):
        for chosen in combinations(there, many):
            if len(set().union(*chosen)) == 3 * many:
                _add(found, many, 1)
    return tuple(found)
