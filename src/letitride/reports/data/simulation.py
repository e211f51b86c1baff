"""Simulation: what a run counted as a Parquet file, and its figures as a picture; counts nothing itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from letitride.analysis.find_rows import LOSES
from letitride.reports.data.simulation_plots import cover, endings, means
from letitride.simulation.banks import BankTallies
from letitride.simulation.figures import WagerFigures
from letitride.simulation.game import BROADWAY, CELLS, Counts
from letitride.simulation.plan import LABELS, Exact
from letitride.simulation.series import Series
from letitride.simulation.tallies import STRAIGHT, Tallies
from letitride.simulation.tasks import Task


def write_parquet(file: Path, task: Task, part: Any) -> None:
    """Write one row for each session, or for each thing that was counted."""
    import pyarrow  # noqa: PLC0415 - an extra
    from pyarrow import parquet  # noqa: PLC0415 - an extra

    if isinstance(part, Series):
        columns: dict[str, Sequence[object] | Counts] = {
            "session": range(len(part.results)),
            "result_cents": part.results,
            "drawdown_cents": part.drawdowns,
            "rounds": part.played,
        }
    else:
        columns = dict(zip(_COLUMNS, map(list, zip(*_counted(task, part), strict=True)), strict=True))
    about = {"seed": str(task.seed), "game_sha256": task.digest, "rulebook": task.plan.table.book.id}
    parquet.write_table(pyarrow.table(columns).replace_schema_metadata(about), file)


_COLUMNS = ("wager", "seats", "category", "bet1_rides", "bet2_rides", "count", "net_cents")
_Row = tuple[str, str, str, bool | None, bool | None, int, int]


def _counted(task: Task, tallies: Tallies) -> list[_Row]:
    """Return one row for each thing that was counted, in the order of the columns."""
    by_cell = [one for one in task.plan.exact if one.column == "cells"]
    rows = list[_Row]()
    for place, seats in enumerate(("first", "others")):
        for cell in range(CELLS):
            code = cell >> 2
            label = LABELS[STRAIGHT if code == BROADWAY else min(code, LOSES)]
            rides, count = (bool(cell & 2), bool(cell & 1)), int(tallies.cells[place, cell])
            rows += [(one.wager.id, seats, label, *rides, count, int(one.nets[cell])) for one in by_cell]
        for one in task.plan.exact:
            if one.column == "threes":
                rows += _by_rank(one, seats, tallies.threes[place])
            if one.column == "listed":
                rows += _by_rank(one, seats, tallies.listed[one.wager.id][place])
    for one in task.plan.exact:
        rows += _by_rank(one, "all", tallies.best) if one.column == "best" else []
    return rows


def _by_rank(one: Exact, seats: str, counts: Counts) -> Iterator[_Row]:
    for label, count, net in zip(one.labels, counts.tolist(), one.nets.tolist(), strict=False):
        yield one.wager.id, seats, label, None, None, count, net


def write_plot(file: Path, title: str, wagers: tuple[WagerFigures, ...], part: Any, bet_cents: int) -> None:
    """Draw means against the exact values, a bank's cover by its stake, or how sessions ended."""
    if wagers:
        drawn = means(title, wagers)
    elif isinstance(part, BankTallies):
        drawn = cover(title, part, bet_cents)
    else:
        drawn = endings(title, part)
    file.write_text(drawn, encoding="utf-8")
