"""Expectations: the exact result of each wager of a game, and the column it is counted in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from letitride.analysis.base import CASES, Play, cases_of
from letitride.analysis.best_hand import CATEGORIES as BEST_HANDS
from letitride.analysis.best_hand_counts import stored
from letitride.analysis.find_rows import LOSES, PAYING
from letitride.analysis.side_bets import (
    FIVE_CARD_HANDS,
    TAKEN_BACK,
    THREE_CARD_HANDS,
    five_card_counts,
    three_hand_counts,
)
from letitride.analysis.taken_back import decided
from letitride.rules.paytables import Pays
from letitride.rules.rankings import AnyCategory, Ranking, hands_of
from letitride.rules.three_hands import ThreeCardCategory
from letitride.rules.wager_table import BASE
from letitride.rules.wagers import Wager
from letitride.simulation.columns import Column
from letitride.simulation.game import Counts
from letitride.simulation.listed_tables import ranking_counts

LABELS: Final = (*(category.label for category in PAYING), "no paying hand")
"""The columns of the five-card wagers, in words."""
THREE_LABELS: Final = tuple(category.label for category in ThreeCardCategory)

_Row = tuple[str, Fraction, int]
"""A hand in words, how likely it is, its result in cents."""


@dataclass(frozen=True, slots=True)
class Exact:
    """The exact results of one wager for one hand: cents by category."""

    wager: Wager
    stake_cents: int
    probabilities: Mapping[str, Fraction]
    mean: Fraction
    variance: Fraction
    furthest: Fraction
    """How far the result furthest from the mean lies from it."""
    column: Column
    """Where it is counted."""
    nets: Counts = field(compare=False)
    """Its result in cents, by what is counted there."""
    labels: tuple[str, ...] = ()
    """What is counted there, in words."""


def base_exact(play: Play, nets: Counts, stake_cents: int) -> Exact:
    """Return the exact results of the base bets by a strategy."""
    cases: Counter[tuple[int, int]] = Counter()
    for many, _, bets, column in cases_of(play):
        cases[column, (0, 2, 3)[bets - 1]] += many  # two bets that ride pay alike, whichever they are
    rows = [
        (LABELS[column], Fraction(many, CASES), int(nets[4 * column + rides]))
        for (column, rides), many in cases.items()
    ]
    return _over(BASE, stake_cents, rows, "cells", nets, LABELS)


def side_exact(pays: Pays, stake_cents: int, column: Column, nets: Counts, seats: int) -> Exact:
    """Return the exact results of a side bet that a number of seats make."""
    wager, labels = pays.wager, LABELS
    match column:
        case "cells":
            rows = _five_card_rows(nets[::4])
        case "threes":
            three, labels = three_hand_counts(), THREE_LABELS
            rows = [(kind.label, Fraction(three[kind], THREE_CARD_HANDS), int(nets[kind])) for kind in three]
        case "best":
            rows = _best_rows(nets, seats)
        case _:
            labels = labels_of(wager.ranking)
            if wager.withdraw:
                kept = decided(wager, nets.tolist())
                labels, many, total = (*labels, TAKEN_BACK), (*kept.kept, kept.back), CASES
            else:
                many, total = ranking_counts(wager.ranking), hands_of(wager.ranking.cards)
            rows = [
                (label, Fraction(hands, total), int(net)) for label, hands, net in zip(labels, many, nets, strict=False)
            ]
    return _over(wager, stake_cents, rows, column, nets, labels)


def _five_card_rows(nets: Sequence[int] | Counts) -> list[_Row]:
    five = five_card_counts()
    return [(LABELS[column], Fraction(five[column], FIVE_CARD_HANDS), int(nets[column])) for column in five]


def _best_rows(nets: Counts, seats: int) -> list[_Row]:
    total, counts = stored()[seats - 1]
    rows = [
        (category.label, Fraction(many, total), int(nets[PAYING.index(category)]))
        for category, many in zip(BEST_HANDS, counts, strict=True)
    ]
    return [*rows, (LABELS[LOSES], Fraction(total - sum(counts), total), int(nets[LOSES]))]


def labels_of(ranking: Ranking) -> tuple[str, ...]:
    """Return the ranks in words, best first; ranks that a file titles alike by their names."""
    titles = Counter(rank.label for rank in ranking.ranks)
    return tuple(_named(rank) if titles[rank.label] > 1 else rank.label for rank in ranking.ranks)


def _named(rank: AnyCategory) -> str:
    return f"{rank.label} ({rank.name.lower()})"


def _over(  # noqa: PLR0917 - the fields of an exact value
    wager: Wager, stake_cents: int, rows: Iterable[_Row], column: Column, nets: Counts, labels: tuple[str, ...]
) -> Exact:
    rows = list(rows)
    probabilities: dict[str, Fraction] = {}
    for label, chance, _ in rows:
        probabilities[label] = probabilities.get(label, Fraction(0)) + chance
    mean = sum((chance * net for _, chance, net in rows), Fraction(0))
    variance = sum((chance * net * net for _, chance, net in rows), Fraction(0)) - mean**2
    furthest = max(abs(net - mean) for _, _, net in rows)
    return Exact(wager, stake_cents, probabilities, mean, variance, furthest, column, nets, labels)
