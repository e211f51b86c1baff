"""Exposure: the most that one round can cost the bank, found by searching all community cards; no chance in it.

Suits have no order, so community cards are gone through up to their suits. For each the hands that go together are
searched by branch and bound: what is left is never worth more than, of each worth, as many hands as its cards allow.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations, combinations_with_replacement, permutations, product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from letitride.analysis.find_rows import LOSES, PAYING
from letitride.analysis.vector_hands import columns
from letitride.rules.cards import DECK, Card
from letitride.rules.limits import side_limits, spot_limits
from letitride.rules.rankings import FIVE_CARD, AnyCategory, ListedRank
from letitride.rules.settlement import paid_on, read_cards, settle_wager
from letitride.rules.table_rules import TableRules
from letitride.rules.wagers import Wager

Ints = NDArray[np.int64]
_NO_LIMIT: Final = 1 << 60
_BY_SUIT: Final = frozenset({"colour", "includes"})
"""Conditions of a house's own ranks under which suits are not alike."""


@dataclass(frozen=True, slots=True)
class Exposure:
    """The round that costs the bank most: what it loses, and by which cards."""

    cents: int
    hands: int
    community: tuple[Card, ...]
    dealt: tuple[tuple[Card, ...], ...]
    bounded: tuple[str, ...] = ()
    """Wagers that were not searched: each hand is taken to win their best award, so the sum is an upper bound."""


@dataclass(frozen=True, slots=True)
class _Worth:
    """What each three cards cost the bank beside two community cards, best first, and what all hands win besides."""

    masks: Ints
    base: Ints
    """What the base bets win that count towards a maximum of the whole round; nothing where there is none."""
    rest: Ints
    places: Ints
    """Which three cards they are."""
    columns: Ints
    common: int
    """What every hand wins by the community cards alone."""


def most_lost(table: TableRules, hands: int | None = None, base_cents: int | None = None) -> Exposure:
    """Return the most that a round can cost the bank where every bet is the highest that the table takes.

    With fewer hands a bet on the best hand may pay more, so where there is one every number of hands is searched. A
    seat that would only lose is left empty, a side bet that would lose is not made, and meters are at their seed.
    """
    most = table.rules.seats if hands is None else hands
    stake = spot_limits(table.rules.limit).cents_max if base_cents is None else base_cents
    best: Exposure | None = None
    for many in range(most, 0, -1) if table.on_best_hand is not None else (most,):
        best = _Search(table, many, stake).run(best)
    if best is None:  # pragma: no cover - some hand always wins something
        raise AssertionError
    return best


class _Search:
    """The search for the worst round of so many hands."""

    def __init__(self, table: TableRules, hands: int, stake_cents: int) -> None:
        payout = table.rules.payout
        self.table, self.hands, self.stake = table, hands, stake_cents
        self.cap = payout.cents_max if payout.cap == "maximum" else None
        self.shared = self.cap is not None and payout.scope == "round"
        self.most: int = self.cap if self.shared and self.cap is not None else _NO_LIMIT
        self.sides = [one for one in table.sides if one is not table.on_best_hand]
        self.bounded = tuple(one.id for one in self.sides if _is_bounded(one))
        self.three = {one.id: self._by_three(one) for one in self.sides if one.judged_on == "own_three"}
        self.found: tuple[int, tuple[Card, ...], tuple[int, ...]] | None = None
        self.best = -1

    def run(self, before: Exposure | None) -> Exposure | None:
        """Return the worst round, or the one before where that is worse."""
        self.best = -1 if before is None else before.cents
        ordered = any(one.judged_on == "own_four" for one in self.sides)
        for community in _communities(ordered=ordered):
            self._search(community)
        if self.found is None:
            return before
        cents, cards, places = self.found
        dealt = tuple(tuple(DECK[card] for card in _triples()[0][place].tolist()) for place in places)
        return Exposure(cents, self.hands, cards, dealt, self.bounded)

    def _search(self, community: tuple[Card, Card]) -> None:
        worth = self._worth(community)
        top = self.table.on_best_hand
        if top is None:
            self._pack(community, worth, 0, (), (0, 0))
            return
        pays, cents = self.table.pays[top.id], side_limits(top, self.table.terms(top.id)).cents_max
        for column in range(LOSES):  # the best hand of the table: every seat has bet on it
            net = max(settle_wager(pays, top.spot, cents, PAYING[column], self.hands).net_cents, 0)
            if not (worth.columns == column).any():
                continue
            allowed = _only(worth, worth.columns >= column)
            if net * self.hands + worth.common * self.hands + self._bound(allowed, self.hands, 0) <= self.best:
                continue
            for place in np.flatnonzero(allowed.columns == column):
                whole = int(allowed.base[place]), int(allowed.rest[place])
                first = _only(allowed, (allowed.masks & allowed.masks[place]) == 0)
                self._pack(community, first, net * self.hands, (int(allowed.places[place]),), whole)

    def _pack(
        self,
        community: tuple[Card, Card],
        worth: _Worth,
        beside: int,
        chosen: tuple[int, ...],
        so_far: tuple[int, int],
    ) -> None:
        """Search the hands that go with those chosen: each in turn is dealt, or left out for good."""
        base, rest = so_far
        reached = min(base, self.most) + rest + beside + worth.common * len(chosen)
        if reached > self.best:
            self.best, self.found = reached, (reached, community, chosen)
        left = self.hands - len(chosen)
        while left and worth.masks.size:
            if (
                min(base, self.most) + rest + beside + worth.common * self.hands + self._bound(worth, left, base)
                <= self.best
            ):
                return
            mask = int(worth.masks[0])
            taken = (base + int(worth.base[0]), rest + int(worth.rest[0]))
            beneath = _only(worth, (worth.masks & mask) == 0)
            self._pack(community, beneath, beside, (*chosen, int(worth.places[0])), taken)
            worth = _only(worth, np.arange(worth.masks.size) > 0)

    def _bound(self, worth: _Worth, left: int, base: int) -> int:
        """Return what so many more hands cannot be worth more than."""
        together = _fill(worth.base + worth.rest, worth.masks, left)
        if not self.shared:
            return together
        return min(together, max(self.most - base, 0) + _fill(worth.rest, worth.masks, left))

    def _worth(self, community: tuple[Card, Card]) -> _Worth:
        _, masks = _triples()
        pair = sum(1 << card.index for card in community)
        places = np.flatnonzero((masks & pair) == 0)
        column = _columns(community)[places]
        base = np.array([*(self._base_paid(n) for n in range(LOSES)), 0])[column]
        rest = np.where(column == LOSES, -self._least(), 0)
        common = 0
        for wager in self.sides:
            if wager.id in self.bounded:
                common += self._best_of(wager)
            elif wager.judged_on == "community":
                common += max(self._net(wager, (), both) for both in _alike(community))
            elif wager.judged_on == "own_three":
                rest += self.three[wager.id][places]
            elif wager.judged_on == "own_four":
                rest += self._gains(wager)[_ranks_of_four(wager, community[0])[places]]
            else:
                rest += np.array([*(self._gain(wager, rank) for rank in PAYING), 0])[column]
        whole = base + rest
        order = np.argsort(-whole, kind="stable")
        order = order[whole[order] > 0]
        if not self.shared:
            base, rest = np.zeros_like(base), whole
        return _Worth(masks[places][order], base[order], rest[order], places[order], column[order], common)

    def _base_paid(self, column: int) -> int:
        """Return what three bets win, cut down to the maximum that is counted over less than the round."""
        pay = self.table.base_pays.pay(PAYING[column])
        if pay is None:
            return 0
        paid = paid_on(pay, self.stake)
        if self.cap is None or self.shared:
            return 3 * paid
        return 3 * min(paid, self.cap) if self.table.rules.payout.scope == "wager" else min(3 * paid, self.cap)

    def _least(self) -> int:
        """Return what a seat loses at least that makes its side bets on a hand which loses."""
        alone = any(self.table.terms(one.id).alone for one in self.sides)
        return 0 if alone else spot_limits(self.table.rules.limit).cents_min

    def _by_three(self, wager: Wager) -> Ints:
        return self._gains(wager)[_ranks_of_three(wager)]

    def _gains(self, wager: Wager) -> Ints:
        return np.array([self._gain(wager, rank) for rank in wager.ranking.ranks], np.int64)

    def _net(self, wager: Wager, cards: tuple[Card, ...], community: tuple[Card, ...] = ()) -> int:
        return self._gain(wager, read_cards(wager, cards, community))

    def _gain(self, wager: Wager, rank: AnyCategory) -> int:
        """Return what a rank wins, with what it brings the other players, and nothing where the bet is not made."""
        stake = side_limits(wager, self.table.terms(wager.id)).cents_max
        net = settle_wager(self.table.pays[wager.id], wager.spot, stake, rank, self.hands).net_cents
        return max(net, 0) + wager.envy.get(rank, 0) * (self.hands - 1)

    def _best_of(self, wager: Wager) -> int:
        return max(self._gain(wager, rank) for rank in wager.paying)


def _is_bounded(wager: Wager) -> bool:
    """Whether the search does not look into a wager: by suits that are not alike, or by ranks of five cards."""
    by_suit = any(isinstance(rank, ListedRank) and _BY_SUIT & {*rank.when} for rank in wager.ranking.ranks)
    if wager.judged_on == "community":
        return False  # every suit is tried
    if wager.judged_on in {"own_five", "table_best"}:
        return wager.ranking != FIVE_CARD or not all(rank in PAYING for rank in wager.paying)
    return by_suit


def _fill(worth: Ints, masks: Ints, left: int) -> int:
    """Return the worth of so many hands where, of each worth, there are as many as its cards would make."""
    order = np.argsort(-worth, kind="stable")
    values, starts = np.unique(-worth[order], return_index=True)
    unions = np.bitwise_or.reduceat(masks[order], starts)
    total = 0
    for value, union in zip((-values).tolist(), unions.tolist(), strict=True):
        if value <= 0 or not left:
            break
        many = min(left, union.bit_count() // 3)
        total += many * value
        left -= many
    return total


def _only(worth: _Worth, those: NDArray[np.bool_]) -> _Worth:
    rows = (worth.masks[those], worth.base[those], worth.rest[those], worth.places[those], worth.columns[those])
    return _Worth(*rows, worth.common)


def _hand(row: Ints) -> tuple[Card, ...]:
    return tuple(DECK[card] for card in row.tolist())


@cache
def _triples() -> tuple[Ints, Ints]:
    """Return every three cards, and the same as bits."""
    cards = np.array(list(combinations(range(52), 3)), np.int64)
    return cards, (np.int64(1) << cards).sum(axis=1)


@lru_cache(maxsize=8)
def _ranks_of_three(wager: Wager) -> Ints:
    """Return the rank of every three cards by a wager, as its place among the wager's ranks."""
    places = {rank: place for place, rank in enumerate(wager.ranking.ranks)}
    return np.array([places[read_cards(wager, _hand(row))] for row in _triples()[0]], np.int64)


@lru_cache(maxsize=64)
def _ranks_of_four(wager: Wager, card: Card) -> Ints:
    """Return the same with a first community card; three cards that hold it themselves have the lowest rank."""
    places = {rank: place for place, rank in enumerate(wager.ranking.ranks)}
    cards, masks = _triples()
    found = np.full(len(masks), len(places) - 1, np.int64)
    for row in np.flatnonzero((masks & (1 << card.index)) == 0):
        found[row] = places[read_cards(wager, _hand(cards[row]), (card,))]
    return found


@cache
def _by_ranks() -> tuple[Ints, Ints]:
    """Return the column of each three ranks with each two, in five cards of no one suit and in five of one."""
    threes = np.array(list(combinations_with_replacement(range(13), 3)), np.int64)
    twos = np.array(list(product(range(13), repeat=2)), np.int64)
    ranks = np.concatenate([np.repeat(threes, len(twos), axis=0), np.tile(twos, (len(threes), 1))], axis=1)
    shape = len(threes), len(twos)
    return columns(4 * ranks + np.array([0, 1, 2, 3, 0])).reshape(shape), columns(4 * ranks).reshape(shape)


@cache
def _ranks_of_triples() -> tuple[Ints, Ints]:
    """Return which three ranks each three cards have, and their suit where they have one, else -1."""
    cards, _ = _triples()
    places = {ranks: place for place, ranks in enumerate(combinations_with_replacement(range(13), 3))}
    suits = cards % 4
    one = (suits[:, 0] == suits[:, 1]) & (suits[:, 0] == suits[:, 2])
    return np.array([places[a, b, c] for a, b, c in (cards // 4).tolist()], np.int64), np.where(one, suits[:, 0], -1)


def _columns(community: tuple[Card, Card]) -> Ints:
    """Return what every three cards make with two community cards, by column."""
    (apart, alike), (ranks, suits) = _by_ranks(), _ranks_of_triples()
    one, two = community
    at = 13 * (one.rank - 2) + two.rank - 2
    found: Ints = apart[ranks, at]
    return np.where(suits == one.index % 4, alike[ranks, at], found) if one.suit == two.suit else found


def _communities(*, ordered: bool) -> Iterator[tuple[Card, Card]]:
    """Yield every first and second community card up to suits, or every two of them, likely ones first."""
    pairs = [(Card(one, "h"), Card(two, suit)) for one, two in product(range(2, 15), repeat=2) for suit in "hs"]
    wanted = [pair for pair in pairs if pair[0] is not pair[1] and (ordered or pair[0].rank <= pair[1].rank)]
    return iter(sorted(wanted, key=lambda pair: (pair[0].suit != pair[1].suit, -pair[0].rank - pair[1].rank)))


def _alike(community: tuple[Card, Card]) -> Iterator[tuple[Card, Card]]:
    """Yield the community cards of the same ranks, suited or not as these are."""
    one, two = community
    if one.suit == two.suit:
        yield from ((Card(one.rank, suit), Card(two.rank, suit)) for suit in "cdhs")
    else:
        yield from ((Card(one.rank, a), Card(two.rank, b)) for a, b in permutations("cdhs", 2))
