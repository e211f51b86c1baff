"""Take tables: which hands take of meters, made from the wagers that feed them; never what they take."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import assert_never

import numpy as np

from letitride.analysis.find_rows import LOSES, PAYING
from letitride.rules.rankings import AnyCategory
from letitride.rules.three_hands import ThreeCardCategory
from letitride.rules.wagers import Meter, Wager
from letitride.simulation.columns import Column
from letitride.simulation.game import BROADWAY, CODES
from letitride.simulation.takes import CELLS_COLUMN, FIRST_LISTED, NO_TAKE, THREES_COLUMN, Takes
from letitride.simulation.tallies import STRAIGHT


def takes_tables(sides: Sequence[Wager], columns: Mapping[str, Column]) -> Takes | None:
    """Return the tables of the wagers that feed a meter; None where none does."""
    metered = [(wager, wager.meter) for wager in sides if wager.meter is not None]
    if not metered:
        return None
    listed = [wager.id for wager in sides if columns[wager.id] == "listed"]
    tables, numbers = np.full((len(metered), NO_TAKE + 1), NO_TAKE, np.uint8), list[int]()
    for number, (wager, meter) in enumerate(metered):
        column = columns[wager.id]
        for told, rank in _told(wager, column):
            tables[number, told] = _place(wager, meter, rank)
        match column:
            case "cells":
                numbers.append(CELLS_COLUMN)
            case "threes":
                numbers.append(THREES_COLUMN)
            case _:
                numbers.append(FIRST_LISTED + listed.index(wager.id))
    return Takes(tuple(wager.id for wager, _ in metered), np.array(numbers, np.int64), tables)


def _place(wager: Wager, meter: Meter, rank: AnyCategory) -> int:
    return wager.ranking.ranks.index(rank) if rank in meter.takes else NO_TAKE


def _told(wager: Wager, column: Column) -> Iterator[tuple[int, AnyCategory]]:
    """Yield the numbers by which a column tells hands, and what these hands are called."""
    match column:
        case "cells":
            codes = {code: PAYING[code] for code in range(LOSES)} | {BROADWAY: PAYING[STRAIGHT]}
            yield from ((4 * code + rides, codes[code]) for code in range(CODES) if code in codes for rides in range(4))
        case "threes":
            yield from ((int(category), category) for category in ThreeCardCategory)
        case "listed":
            yield from enumerate(wager.ranking.ranks)
        case "best":
            return  # no meter is fed by a bet on the best hand at the table
        case _:
            assert_never(column)
