"""Simulation: what a run counted as a Parquet file, and its figures as a picture; counts nothing itself."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from letitride.analysis.find_rows import LOSES
from letitride.reports.data.simulation_plots import cover, endings, means
from letitride.simulation.banks import BankTallies
from letitride.simulation.figures import WagerFigures
from letitride.simulation.game import BROADWAY, CELLS, Counts
from letitride.simulation.plan import LABELS, THREE_LABELS
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
    game, rows = task.plan.game, list[_Row]()

    for place, seats in enumerate(("first", "others")):
        for cell in range(CELLS):
            code = cell >> 2
            label = LABELS[STRAIGHT if code == BROADWAY else min(code, LOSES)]
            rides, count = (bool(cell & 2), bool(cell & 1)), int(tallies.cells[place, cell])
            rows.append(("base", seats, label, *rides, count, int(game.base[cell])))
            if "bonus" in task.plan.stakes:
                rows.append(("bonus", seats, label, *rides, count, int(game.bonus[cell])))
        for category, label in enumerate(THREE_LABELS if "three_card" in task.plan.stakes else ()):
            rows.append(
                (
                    "three_card",
                    seats,
                    label,
                    None,
                    None,
                    int(tallies.threes[place, category]),
                    int(game.three[category]),
                )
            )
    for code, label in enumerate(LABELS if "cover_all" in task.plan.stakes else ()):
        rows.append(("cover_all", "all", label, None, None, int(tallies.best[code]), int(game.cover[code])))
    return rows


def write_plot(file: Path, title: str, wagers: tuple[WagerFigures, ...], part: Any, bet_cents: int) -> None:
    """Draw means against the exact values, a bank's cover by its stake, or how sessions ended."""
    if wagers:
        drawn = means(title, wagers)
    elif isinstance(part, BankTallies):
        drawn = cover(title, part, bet_cents)
    else:
        drawn = endings(title, part)
    file.write_text(drawn, encoding="utf-8")
