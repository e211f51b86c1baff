"""Plan: a table's rules, stakes and a way to play made into a `Game`, with the exact values it must come to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

import numpy as np

from letitride.analysis.base import CASES, Play, Ties, best_play, cases_of, plain_nets
from letitride.analysis.caps import capped_nets
from letitride.analysis.cover_all import CATEGORIES as COVER_ALL_CATEGORIES
from letitride.analysis.cover_all_counts import stored
from letitride.analysis.find_rows import LOSES, PAYING
from letitride.analysis.side_bets import FIVE_CARD_HANDS, THREE_CARD_HANDS, five_card_counts, three_card_counts
from letitride.analysis.strategy import Strategy, play_of
from letitride.errors import InvalidData
from letitride.rules.cards import parse_cards
from letitride.rules.limits import spot_limits, spots_bound
from letitride.rules.money import dollars
from letitride.rules.paytables import Wager
from letitride.rules.settlement import BASE_SPOTS, BaseSpot, Hand, WagerName, WagerResult, settle_round, settle_wager
from letitride.rules.table_rules import TableRules
from letitride.rules.three_card import ThreeCardCategory
from letitride.simulation.game import BROADWAY, CELLS, CODES, THREES, Counts, Game
from letitride.simulation.hand_tables import outcomes, packets
from letitride.simulation.tallies import STRAIGHT

LABELS: Final = (*(category.label for category in PAYING), "no paying hand")
"""The columns of the five-card wagers, in words."""
THREE_LABELS: Final = tuple(category.label for category in ThreeCardCategory)

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
_FIVE_CARD: Final = {*BASE_SPOTS, "bonus"}


@dataclass(frozen=True, slots=True)
class Exact:
    """What one wager comes to for one hand, by the proof: results in cents by category."""

    wager: Wager
    stake_cents: int
    probabilities: Mapping[str, Fraction]
    mean: Fraction
    variance: Fraction
    furthest: Fraction
    """How far the result furthest from the mean lies from it."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A game to repeat, and what it must come to."""

    table: TableRules
    game: Game
    play: Play
    stakes: Mapping[WagerName, int]
    spots: Counts
    """By cell: what each of the three base bets comes to."""
    exact: tuple[Exact, ...]

    @property
    def wagers(self) -> tuple[Wager, ...]:
        """The wagers that are made."""
        return tuple(one.wager for one in self.exact)


def stakes_of(table: TableRules, base_cents: int | None = None) -> dict[WagerName, int]:
    """Return what a seat bets: the base stake three times, and the smallest stake on every other wager offered."""
    rules = table.rules
    cents = spot_limits(rules.limit).cents_min if base_cents is None else base_cents
    stakes: dict[WagerName, int] = dict.fromkeys(BASE_SPOTS, cents)
    if rules.bonus.offered:
        stakes["bonus"] = rules.bonus.cents
    if rules.three_card.offered:
        stakes["three_card"] = rules.three_card.cents_min
    if rules.cover_all.offered:
        stakes["cover_all"] = rules.cover_all.cents_min
    return stakes


def check_stakes(table: TableRules, stakes: Mapping[WagerName, int]) -> None:
    """Refuse stakes that the table's limits do not allow."""
    rules = table.rules
    for name, cents in stakes.items():
        section = rules.three_card if name == "three_card" else rules.cover_all if name == "cover_all" else rules.limit
        least, most = section.cents_min or 1, section.cents_max
        together = spots_bound(rules.limit) if name in BASE_SPOTS else 1
        if name == "bonus":
            least = most = rules.bonus.cents
        if cents * together < least or (most is not None and cents * together > most):
            allowed = f"{dollars(least)} or more" if most is None else f"{dollars(least)} to {dollars(most)}"
            what = "the base bets together" if together > 1 else name
            raise InvalidData(
                f"table by {table.book.id}: expected {allowed} for {what}, got {dollars(cents * together)}"
            )


def best_for(table: TableRules, stake_cents: int, ties: Ties = "withdraw") -> Play:
    """Return the best play at a table, its maximum payout considered."""
    pays, payout = table.pays[Wager.BASE], table.rules.payout
    if payout.cap == "maximum" and payout.cents_max is not None:
        return best_play(capped_nets(pays, stake_cents, payout.cents_max, payout.scope), ties)
    return best_play(plain_nets(pays), ties)


def plan(table: TableRules, seats: int, stakes: Mapping[WagerName, int], strategy: Strategy | None = None) -> Plan:
    """Return the plan of a table where every seat bets and plays alike; without a strategy, as well as can be."""
    most = table.rules.seats
    if not 1 <= seats <= most:
        raise InvalidData(f"expected 1 to {most} seats by {table.book.id}, got {seats}")
    play = best_for(table, stakes["base-$"]) if strategy is None else play_of(strategy)
    spots, bonus = _five_card_nets(table, stakes)
    three, cover = _three_nets(table, stakes), _cover_nets(table, stakes, seats)
    game = Game(
        seats=seats,
        packets=packets(play),
        outcomes=outcomes(play),
        base=spots.sum(axis=1),
        bonus=bonus,
        three=three,
        cover=cover,
        sides=len(stakes) > len(BASE_SPOTS),
    )
    return Plan(table, game, play, dict(stakes), spots, tuple(_exact(game, play, stakes)))


def _five_card_nets(table: TableRules, stakes: Mapping[WagerName, int]) -> tuple[Counts, Counts]:
    """Return what each base bet and the bonus come to, cell by cell, as the table settles them."""
    spots, bonus = np.zeros((CELLS, 3), np.int64), np.zeros(CELLS, np.int64)
    made = {name: cents for name, cents in stakes.items() if name in _FIVE_CARD}
    for code in range(CODES):
        cards = parse_cards(EXAMPLES[code])
        for rides in range(4):
            withdrawn: set[BaseSpot] = {"base-1"} if not rides & 2 else set()
            withdrawn |= {"base-2"} if not rides & 1 else set()
            hand = Hand(1, cards[:3], made, frozenset(withdrawn))
            for result in settle_round(table, cards[3:], [hand])[1]:
                if result.wager == "bonus":
                    bonus[4 * code + rides] = result.net_cents
                else:
                    spots[4 * code + rides, BASE_SPOTS.index(result.wager)] = result.net_cents
    return spots, bonus


def _three_nets(table: TableRules, stakes: Mapping[WagerName, int]) -> Counts:
    nets = np.zeros(THREES + 1, np.int64)
    if "three_card" in stakes:
        for category in ThreeCardCategory:
            nets[category] = _settled(table, "three_card", stakes, category).net_cents
    return nets


def _cover_nets(table: TableRules, stakes: Mapping[WagerName, int], seats: int) -> Counts:
    nets = np.zeros(16, np.int64)
    if "cover_all" in stakes:
        nets[: LOSES + 1] = -stakes["cover_all"]
        for code, category in enumerate(PAYING):
            nets[code] = _settled(table, "cover_all", stakes, category, seats).net_cents
        nets[BROADWAY] = nets[STRAIGHT]
    return nets


def _settled(table: TableRules, name: WagerName, stakes: Mapping[WagerName, int], *case: object) -> WagerResult:
    return settle_wager(table.pays[Wager(name)], name, stakes[name], *case)  # type: ignore[arg-type]  # what settle_wager takes after the stake


def _exact(game: Game, play: Play, stakes: Mapping[WagerName, int]) -> list[Exact]:
    cases: Counter[tuple[int, int]] = Counter()
    for many, _, bets, column in cases_of(play):
        cases[column, (0, 2, 3)[bets - 1]] += many  # two bets that ride pay alike, whichever they are
    found = [
        _over(
            Wager.BASE,
            stakes["base-$"],
            [
                (LABELS[column], Fraction(many, CASES), int(game.base[4 * column + rides]))
                for (column, rides), many in cases.items()
            ],
        )
    ]
    if "bonus" in stakes:
        five = five_card_counts()
        rows = [
            (LABELS[column], Fraction(five[column], FIVE_CARD_HANDS), int(game.bonus[4 * column])) for column in five
        ]
        found.append(_over(Wager.BONUS, stakes["bonus"], rows))
    if "three_card" in stakes:
        three = three_card_counts()
        rows = [
            (category.label, Fraction(three[category], THREE_CARD_HANDS), int(game.three[category]))
            for category in three
        ]
        found.append(_over(Wager.THREE_CARD, stakes["three_card"], rows))
    if "cover_all" in stakes:
        total, counts = stored()[game.seats - 1]
        rows = [
            (category.label, Fraction(many, total), int(game.cover[PAYING.index(category)]))
            for category, many in zip(COVER_ALL_CATEGORIES, counts, strict=True)
        ]
        rows.append((LABELS[LOSES], Fraction(total - sum(counts), total), -stakes["cover_all"]))
        found.append(_over(Wager.COVER_ALL, stakes["cover_all"], rows))
    return found


def _over(wager: Wager, stake_cents: int, rows: list[tuple[str, Fraction, int]]) -> Exact:
    probabilities: dict[str, Fraction] = {}
    for label, chance, _ in rows:
        probabilities[label] = probabilities.get(label, Fraction(0)) + chance
    mean = sum((chance * net for _, chance, net in rows), Fraction(0))
    variance = sum((chance * net * net for _, chance, net in rows), Fraction(0)) - mean**2
    return Exact(wager, stake_cents, probabilities, mean, variance, max(abs(net - mean) for _, _, net in rows))
