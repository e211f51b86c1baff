"""Columns: which count of a game has the result of a wager, by what the wager is judged on and never by its name.

The kernels count hands by cell, by three-card category and by the best hand of the table. One side bet is read from
each of these; every other wager is listed: named by tables of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from letitride.analysis.find_rows import PAYING
from letitride.rules.paytables import Pays
from letitride.rules.rankings import FIVE_CARD, THREE_CARD

Column = Literal["cells", "threes", "best", "listed"]


def columns_of(sides: Sequence[Pays]) -> dict[str, Column]:
    """Return the column of each side bet, by its wager's id, in the order given; published wagers choose first."""
    wanted = {pays.wager.id: _nature(pays) for pays in sides}
    published = {pays.wager.id for pays in sides if pays.wager.published}
    taken: dict[Column, str] = {}
    for wager in sorted(wanted, key=lambda wager: wager not in published):
        taken.setdefault(wanted[wager], wager)
    return {wager: column if taken[column] == wager else "listed" for wager, column in wanted.items()}


def _nature(pays: Pays) -> Column:
    """Return the column that a wager alone of its nature is read from."""
    wager = pays.wager
    if wager.withdraw:
        return "listed"
    if wager.ranking == THREE_CARD:
        return "threes"
    if wager.ranking == FIVE_CARD and lowest_paid(pays) >= PAYING[-1]:  # no column tells low pairs from no pair
        return "best" if wager.by_hands else "cells"
    return "listed"


def lowest_paid(pays: Pays) -> int:
    """Return the place of the lowest hand of five cards that is paid, by poker's ranks."""
    return min(int(category) for category in pays.columns[0])  # type: ignore[arg-type]  # of poker's ranking
