"""Plan: a table's rules, stakes and a way to play made into a `Game`, with its exact values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from letitride.analysis.base import Play, Ties, best_play, plain_nets
from letitride.analysis.caps import capped_nets
from letitride.analysis.find_rows import LOSES, PAYING
from letitride.analysis.strategy import Strategy, play_of
from letitride.errors import InvalidData
from letitride.rules.arguments import cents as whole_cents
from letitride.rules.arguments import described, mapping
from letitride.rules.cards import parse_cards
from letitride.rules.catalog import ready_rules
from letitride.rules.limits import BASE_BETS, side_limits, spot_limits, spots_bound
from letitride.rules.money import dollars
from letitride.rules.rankings import AnyCategory
from letitride.rules.settlement import Hand, Spot, settle_hands, settle_wager
from letitride.rules.table_rules import TableRules
from letitride.rules.three_hands import ThreeCardCategory
from letitride.rules.wager_table import BASE, BASE_SPOTS
from letitride.rules.wagers import Wager
from letitride.rules.words import one_of, quantity, show_value
from letitride.simulation.columns import Column, columns_of
from letitride.simulation.expectations import LABELS, THREE_LABELS, Exact, base_exact, side_exact
from letitride.simulation.game import BROADWAY, CELLS, CODES, THREES, Counts, Game
from letitride.simulation.hand_tables import outcomes, packets
from letitride.simulation.listed_tables import listed_tables
from letitride.simulation.meters import Metered
from letitride.simulation.pooled import Pooled
from letitride.simulation.take_tables import takes_tables
from letitride.simulation.tallies import STRAIGHT

__all__ = ["LABELS", "THREE_LABELS", "Exact", "Plan", "best_for", "check_stakes", "plan", "stakes_of"]

EXAMPLES: Final = (
    "Ah Kh Qh Jh Th",
    "9h 8h 7h 6h 5h",
    "9h 9c 9d 9s 2h",
    "9h 9c 9d 2s 2h",
    "2h 4h 6h 8h Th",
    "9h 8h 7h 6h 5c",
    "9h 9c 9d 2s 3h",
    "9h 9c 2d 2s 3h",
    "Th Tc 2d 3s 4h",
    "2h 4h 6h 8h Tc",
    "Ah Kh Qh Jh Tc",
)
"""Three cards and two community cards for each code."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A game to simulate, and its exact values."""

    table: TableRules
    game: Game
    play: Play
    stakes: Mapping[Spot, int]
    spots: Counts
    """By cell: the result of each of the three base bets."""
    exact: tuple[Exact, ...]
    hands: int = 1
    """Of each player, at seats side by side."""

    @property
    def meters(self) -> tuple[Metered, ...]:
        """The meters that its wagers feed."""
        seats = self.game.seats
        return tuple(
            Metered(one.wager, one.wager.meter, one.stake_cents, seats)
            for one in self.exact
            if one.wager.meter is not None
        )

    @property
    def wagers(self) -> tuple[Wager, ...]:
        """The wagers that are made."""
        return tuple(one.wager for one in self.exact)


def stakes_of(table: TableRules, base_cents: int | None = None) -> dict[Spot, int]:
    """Return what a seat bets: the base stake three times, and the smallest stake on every other wager offered."""
    cents = spot_limits(table.rules.limit).cents_min if base_cents is None else whole_cents(base_cents, "a base bet")
    sides = {wager.spot: side_limits(wager, table.terms(wager.id)).cents_min for wager in table.sides}
    return dict.fromkeys(BASE_SPOTS, cents) | sides


def check_stakes(table: TableRules, stakes: Mapping[Spot, int]) -> None:
    """Refuse stakes that the table's limits do not allow."""
    for name, cents in stakes.items():
        wager, limit = table.by_spot[name], table.rules.limit
        least, most, together = limit.cents_min or 1, limit.cents_max, spots_bound(limit)
        spot = spot_limits(limit)
        if not wager.is_base:
            spot = side_limits(wager, table.terms(wager.id))
            least, most, together = spot.cents_min, spot.cents_max, 1
        what = "the base bets together" if together > 1 else name
        if cents * together < least or (most is not None and cents * together > most):
            allowed = f"{dollars(least)} or more" if most is None else f"{dollars(least)} to {dollars(most)}"
            raise InvalidData(
                f"table by {table.book.id}: expected {allowed} for {what}, got {dollars(cents * together)}"
            )
        if (cents - spot.cents_min) % spot.cents_step:
            raise InvalidData(
                f"table by {table.book.id}: expected {dollars(spot.cents_min)} and steps of {dollars(spot.cents_step)} "
                f"for {name}, got {dollars(cents)}"
            )


def _check_sound(table: TableRules, stakes: Mapping[Spot, int]) -> None:
    """Refuse stakes that no seat could make, whatever the table's limits."""
    for spot, cents in mapping(stakes, "stakes by wager").items():
        if spot not in table.by_spot:
            raise InvalidData(f"table by {table.book.id}: expected {one_of(table.by_spot)}, got {described(spot)}")
        whole_cents(cents, f"cents on {spot}")
    base = [stakes.get(spot) for spot in BASE_SPOTS]
    if None in base or len(set(base)) > 1:
        raise InvalidData(f"table by {table.book.id}: expected three equal base bets, got {show_value(base)}")


def best_for(table: TableRules, stake_cents: int, ties: Ties = "withdraw") -> Play:
    """Return the best play at a table, its maximum payout considered."""
    pays, payout = table.base_pays, table.rules.payout
    if payout.cap == "maximum" and payout.cents_max is not None:
        return best_play(capped_nets(pays, stake_cents, payout.cents_max, payout.scope), ties)
    return best_play(plain_nets(pays), ties)


def plan(
    table: TableRules | str,
    seats: int = 1,
    stakes: Mapping[Spot, int] | None = None,
    strategy: Strategy | None = None,
    hands: int = 1,
) -> Plan:
    """Return the plan of a table where every seat bets and plays alike; without a strategy, as well as can be.

    A player has `hands` neighboring seats, and plays each hand by its own cards. A rule book's id stands for a table
    by it; without stakes, every seat bets as little as it may on every wager.
    """
    table = ready_rules(table) if isinstance(table, str) else table
    stakes = stakes_of(table) if stakes is None else stakes
    most = table.rules.seats
    if not 1 <= seats <= most:
        raise InvalidData(f"expected 1 to {most} seats by {table.book.id}, got {seats}")
    if not 1 <= hands <= table.rules.hands_per_player:
        allowed = quantity(table.rules.hands_per_player, "hand")
        raise InvalidData(f"table by {table.book.id}: expected at most {allowed} for each player, got {hands}")
    if seats % hands:
        raise InvalidData(f"expected seats in groups of {hands}, the hands of each player, got {seats}")
    _check_sound(table, stakes)
    play = best_for(table, stakes[BASE.spot]) if strategy is None else play_of(strategy)
    sides = [wager for wager in table.sides if wager.spot in stakes]
    columns = columns_of([table.pays[wager.id] for wager in sides])
    in_column: dict[Column, Wager] = {columns[wager.id]: wager for wager in reversed(sides)}
    spots, fives = _five_card_nets(table, stakes, in_column.get("cells"))
    nets = {wager.id: _nets(table, wager, stakes, seats, columns[wager.id]) for wager in sides}
    nets |= {wager.id: fives for wager in sides if columns[wager.id] == "cells"}
    listed = [wager for wager in sides if columns[wager.id] == "listed"]

    def of_column(column: Column, size: int) -> Counts:
        wager = in_column.get(column)
        return np.zeros(size, np.int64) if wager is None else nets[wager.id]

    game = Game(
        seats=seats,
        packets=packets(play),
        outcomes=outcomes(play),
        base_nets=spots.sum(axis=1),
        five_nets=fives,
        three_nets=of_column("threes", THREES + 1),
        best_nets=of_column("best", 16),
        sides=len(sides) > len(listed),
        listed=listed_tables(listed, [nets[wager.id].tolist() for wager in listed]),
        takes=takes_tables(sides, columns),
        pooled=_pooled(table, stakes[BASE.spot], seats, hands),
    )
    base = base_exact(play, game.base_nets, stakes[BASE.spot])
    beside = (
        side_exact(table.pays[wager.id], stakes[wager.spot], columns[wager.id], nets[wager.id], seats)
        for wager in sides
    )
    return Plan(table, game, play, dict(stakes), spots, (base, *beside), hands)


def _pooled(table: TableRules, stake_cents: int, seats: int, hands: int) -> Pooled | None:
    """Return the maximum payout that is counted over several of the hands; None where there is none."""
    payout, most = table.rules.payout, table.rules.payout.cents_max
    together = {"round": seats, "player_round": hands}.get(payout.scope, 1)
    if payout.cap != "maximum" or most is None or together == 1:
        return None
    wins = np.zeros(CELLS, np.int64)
    for code, example in enumerate(EXAMPLES):
        category = BASE.ranking.read(parse_cards(example))
        wins[4 * code : 4 * code + 4] = settle_wager(table.base_pays, BASE.spot, stake_cents, category).paid_cents
    largest = max(int(wins.max()) * most, (max(most, BASE_BETS * stake_cents) * seats) ** 2)
    if largest >= 2**63:
        raise InvalidData(
            f"table by {table.book.id}: expected a stake and a maximum payout whose results can be squared in 63 bits, "
            f"got {dollars(stake_cents)} and {dollars(most)}"
        )
    backwards = table.rules.reveal.direction == "right_to_left"
    return Pooled(wins, most, together, payout.scope == "round", backwards)


def _five_card_nets(table: TableRules, stakes: Mapping[Spot, int], side: Wager | None) -> tuple[Counts, Counts]:
    """Return the results of each base bet and of a side bet on five cards, cell by cell, as the table settles them."""
    spots, fives = np.zeros((CELLS, 3), np.int64), np.zeros(CELLS, np.int64)
    made = {spot: stakes[spot] for spot in (*BASE_SPOTS, *(side.spots if side else ()))}
    for code in range(CODES):
        cards = parse_cards(EXAMPLES[code])
        for rides in range(4):
            withdrawn = {BASE_SPOTS[0]} if not rides & 2 else set()
            withdrawn |= {BASE_SPOTS[1]} if not rides & 1 else set()
            hand = Hand(1, cards[:3], made, frozenset(withdrawn))
            for result in settle_hands(table, cards[3:], [hand])[1]:
                if result.wager in BASE_SPOTS:
                    spots[4 * code + rides, BASE_SPOTS.index(result.wager)] = result.net_cents
                else:
                    fives[4 * code + rides] = result.net_cents
    return spots, fives


def _nets(table: TableRules, wager: Wager, stakes: Mapping[Spot, int], seats: int, column: Column) -> Counts:
    """Return the result of a side bet by what is counted in its column."""
    stake, pays = stakes[wager.spot], table.pays[wager.id]
    hands = seats if wager.by_hands else 0

    def net(rank: AnyCategory) -> int:
        return settle_wager(pays, wager.spot, stake, rank, hands).net_cents

    match column:
        case "threes":
            nets = np.zeros(THREES + 1, np.int64)
            nets[:THREES] = [net(category) for category in ThreeCardCategory]
        case "best":
            nets = np.zeros(16, np.int64)
            nets[: LOSES + 1] = [*map(net, PAYING), -stake]
            nets[BROADWAY] = nets[STRAIGHT]
        case _:
            kept_back = [wager.withdrawn_cents(stake) - stake] if wager.withdraw else []
            nets = np.array([*map(net, wager.ranking.ranks), *kept_back], np.int64)
    return nets
