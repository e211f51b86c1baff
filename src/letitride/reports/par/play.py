"""Play: the best play of a base table, the cost of mistakes, and the side bets it prices, as parts of a report."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from letitride.analysis.base import best_play, plain_nets
from letitride.analysis.par import WagerSheet
from letitride.analysis.rounding import decimal, fraction, percent
from letitride.analysis.side_bets import combine
from letitride.analysis.strategy import NAMED_STRATEGIES, class_values, cost, rule_list
from letitride.reports.paper.model import Cell, Grid, Part, Text
from letitride.rules.paytables import Pays, Paytable

_CLOSE: Final = 8
"""How many of the closest decisions are listed for each bet."""
_STRATEGIES: Final = {
    "basic": "basic strategy",
    "paying-only": "ride paying hands only",
    "always-ride": "always let it ride",
    "never-ride": "always take it back",
}
_SHARES: Final = (Fraction(1, 5), Fraction(1, 10), Fraction(1, 25))
"""A side bet of $1 with base bets of $5, $10 and $25."""


def play_parts(sheet: WagerSheet, table: Paytable) -> Iterator[Part]:
    """Yield how a base table is best played, and what else follows from it."""
    if sheet.ties is None:
        return
    yield Part("Best play", tuple(_rules(sheet)))
    yield Part("Cost of mistakes", (_costs(sheet), _close(sheet)))
    for pays in table.pays.values():
        if not pays.wager.is_base and not pays.wager.by_hands:
            yield Part(f"Combined with {pays.wager.title}", (_combined(sheet, pays),))


def _rules(sheet: WagerSheet) -> Iterator[Text]:
    ties = sheet.ties or "withdraw"
    for bet, cards in ((1, 3), (2, 4)):
        known = "three cards" if cards == 3 else "three cards and the first community card"
        yield Text((f"Bet {bet}, with {known}: let it ride with any of these, otherwise take it back.",))
        rules = rule_list(sheet.pays, cards, ties) or ("no hand: always take it back",)
        yield Text(tuple(f"{rule[0].upper()}{rule[1:]}." for rule in rules), listed=True)
    kept = "is taken back" if ties == "withdraw" else "rides"
    said = (
        f"A bet that neither gains nor loses by riding {kept}. High cards are tens and better; a way to a straight is "
        "one of the ten runs of five ranks, ace high or low. The rules follow from the exact value of every class of "
        "cards."
    )
    yield Text((said,))


def _costs(sheet: WagerSheet) -> Grid:
    rows = []
    for name, strategy in NAMED_STRATEGIES.items():
        found = cost(sheet.pays, strategy)
        rows.append(
            (
                Cell(_STRATEGIES.get(name, name)),
                Cell(percent(found.house_edge), fraction(found.house_edge)),
                Cell(decimal(found.per_hundred)),
                Cell(decimal(found.average_wager)),
            )
        )
    return Grid(
        caption="Simple strategies: house edge on one bet, and cost of mistakes in units per 100 rounds",
        columns=("Strategy", "House edge", "Cost in 100 rounds", "Units left riding"),
        rows=tuple(rows),
    )


def _close(sheet: WagerSheet) -> Grid:
    """Return the closest decisions, which are the ones most often got wrong."""
    rows: list[tuple[Cell, ...]] = []
    for bet, cards in ((1, 3), (2, 4)):
        values = sorted(class_values(sheet.pays, cards, sheet.ties or "withdraw"), key=lambda one: one.cost)
        rows += [
            (
                Cell(f"bet {bet}: {one.feature.words}"),
                Cell("let it ride" if one.rides else "take it back"),
                Cell(decimal(one.value, 6, signed=True), fraction(one.value)),
                Cell(decimal(one.frequency * one.cost * 100)),
            )
            for one in values[:_CLOSE]
        ]
    return Grid(
        caption="The closest decisions: value of riding per unit, and cost of always deciding wrong in 100 rounds",
        columns=("Cards", "Best play", "Value of riding", "Cost in 100 rounds"),
        rows=tuple(rows),
        words=(0, 1),
    )


def _combined(sheet: WagerSheet, side: Pays) -> Grid:
    nets = plain_nets(sheet.pays)
    play = best_play(nets, sheet.ties or "withdraw")
    rows = []
    for share in _SHARES:
        found = combine(nets, play, {side.wager.id: (side, share)})
        rows.append(
            (
                Cell(f"$1 with three bets of ${share.denominator}"),
                Cell(decimal(found.loss), fraction(found.loss)),
                Cell(decimal(found.standard_deviation)),
                Cell(decimal(found.covariance[side.wager.id]), fraction(found.covariance[side.wager.id])),
            )
        )
    return Grid(
        caption=f"Base game and {side.wager.title} combined, in units of one base bet",
        columns=("Bets", "Loss per round", "Standard deviation", "Covariance"),
        rows=tuple(rows),
    )
