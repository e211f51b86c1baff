"""Plots: the pictures of a report as SVG, the same bytes for the same figures; no window, no date, no font file."""

from __future__ import annotations

import io
from functools import lru_cache
from math import sqrt
from typing import TYPE_CHECKING, Any, Final

from letitride.analysis.rounding import MINUS, decimal
from letitride.reports.paper.words import SESSION_BANDS, SESSION_ROUNDS

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Bars = tuple[tuple[str, float], ...]

INK, BLUE, RED, GREY = "#222222", "#2b6cb0", "#b83232", "#8a8f98"
_BAND: Final = {90: "#cfe0f2", 50: "#8fb8de"}
_STYLE: Final[Any] = {
    "svg.hashsalt": "letitride",
    "svg.fonttype": "path",  # letters as outlines: no reader needs the font
    "font.family": "DejaVu Sans",  # comes with matplotlib
    "font.size": 8.5,
    "axes.edgecolor": GREY,
    "axes.labelcolor": INK,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
}
_WIDTH: Final = 6.6
_RIGHT: Final = 0.25
_LEVEL_LABELS: Final = 12
"""More labels than these do not fit under an axis unless they are turned."""
_NO_METADATA: Final = {"Date": None, "Creator": None, "Format": None, "Type": None}


def style() -> AbstractContextManager[None]:
    """Return the style of all plots, in force as long as it is entered."""
    from matplotlib import rc_context  # noqa: PLC0415 - slow to load

    return rc_context(_STYLE)


@lru_cache(maxsize=256)
def contributions(bars: Bars) -> str:
    """Return what each hand adds to the result of a unit bet, as horizontal bars."""
    with style():
        figure, axes = axes_of(0.55 + 0.21 * len(bars), left=1.2)
        values = [value for _, value in bars]
        places = range(len(bars))
        axes.barh(places, values, color=[RED if value < 0 else BLUE for value in values], height=0.66)
        axes.set_yticks(places, [label for label, _ in bars])
        axes.invert_yaxis()
        axes.axvline(0, color=GREY, linewidth=0.8)
        span = max(values) - min(values)
        axes.set_xlim(min(*values, 0) - 0.16 * span, max(*values, 0) + 0.16 * span)
        for place, value in zip(places, values, strict=True):
            axes.annotate(
                decimal(value, 4, signed=True),
                (value, place),
                xytext=(-4 if value < 0 else 4, 0),
                textcoords="offset points",
                ha="right" if value < 0 else "left",
                va="center",
                fontsize=7.5,
            )
        axes.set_xlabel("contribution to the expected result, units")
        axes.tick_params(axis="y", length=0)
        return as_svg(figure)


@lru_cache(maxsize=256)
def spread(bars: Bars) -> str:
    """Return how likely each net result of a round is, on a logarithmic scale; the results stand in order."""
    from matplotlib.ticker import NullLocator  # noqa: PLC0415 - slow to load

    with style():
        steep = len(bars) > _LEVEL_LABELS
        figure, axes = axes_of(2.7, bottom=0.75 if steep else 0.45)
        values = [value for _, value in bars]
        places = range(len(bars))
        axes.bar(places, values, color=[RED if bar[0].startswith(MINUS) else BLUE for bar in bars], width=0.66)
        axes.set_yscale("log")
        axes.set_ylim(min(values) / 6, 3)
        axes.yaxis.set_minor_locator(NullLocator())
        axes.set_xticks(places, [label for label, _ in bars], rotation=60 if steep else 0)
        axes.tick_params(axis="x", length=0)
        axes.grid(axis="y", color="#e3e6ea", linewidth=0.6)
        axes.set_axisbelow(True)
        axes.set_xlabel("net result of a round, units (in order, not to scale)")
        axes.set_ylabel("probability, log scale")
        return as_svg(figure)


@lru_cache(maxsize=256)
def fan(mean: float, deviation: float) -> str:
    """Return the mean and the bands of the player's cumulative result over a session, by the normal approximation."""
    from matplotlib.ticker import FuncFormatter  # noqa: PLC0415 - slow to load

    with style():
        figure, axes = axes_of(2.8, top=0.32)
        rounds = [SESSION_ROUNDS * step // 100 for step in range(101)]
        line = [mean * many for many in rounds]
        for share, z in SESSION_BANDS:
            half = [z * deviation * sqrt(many) for many in rounds]
            low = [middle - wide for middle, wide in zip(line, half, strict=True)]
            high = [middle + wide for middle, wide in zip(line, half, strict=True)]
            axes.fill_between(rounds, low, high, color=_BAND[share], linewidth=0, label=f"{share}% of sessions")
        axes.plot(rounds, line, color=RED, linewidth=1.4, label="mean")
        axes.axhline(0, color=GREY, linewidth=0.8)
        axes.set_xlim(0, SESSION_ROUNDS)
        axes.set_xlabel("rounds")
        axes.set_ylabel("cumulative result, units")
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: decimal(value, 0)))
        axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: decimal(value, 0)))
        figure.legend(loc="upper right", ncols=3, frameon=False, fontsize=7.5)
        return as_svg(figure)


def axes_of(height: float, *, left: float = 0.72, bottom: float = 0.45, top: float = 0.08) -> tuple[Figure, Axes]:
    """Return axes in a figure of the common width, with margins in inches: to measure them would take twice as long."""
    from matplotlib.figure import Figure  # noqa: PLC0415 - slow to load

    figure = Figure(figsize=(_WIDTH, height))
    across, up = (_WIDTH - left - _RIGHT) / _WIDTH, (height - bottom - top) / height
    return figure, figure.add_axes((left / _WIDTH, bottom / height, across, up))


def as_svg(figure: Figure) -> str:
    """Return a figure as SVG."""
    text = io.StringIO()
    figure.savefig(text, format="svg", metadata=_NO_METADATA)
    return text.getvalue()
