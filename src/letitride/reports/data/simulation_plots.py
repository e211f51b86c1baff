"""Simulation plots: a run's figures as SVG, in the style of the other plots."""

from __future__ import annotations

import numpy as np

from letitride.reports.paper.plots import BLUE, GREY, RED, as_svg, axes_of, style
from letitride.simulation.banks import BankTallies
from letitride.simulation.figures import WagerFigures, verdict
from letitride.simulation.series import Series

_BARS = 60


def means(title: str, wagers: tuple[WagerFigures, ...]) -> str:
    """Return how far each mean lies from the exact value, in standard errors, within the limit of the test."""
    limit = verdict(wagers).z_limit
    with style():
        figure, axes = axes_of(0.95 + 0.36 * len(wagers), left=1.0, top=0.35)
        places = range(len(wagers))
        axes.axvspan(-limit, limit, color="#e8eef5", linewidth=0)
        axes.axvline(0, color=GREY, linewidth=0.8)
        colours = [RED if abs(one.z) > limit else BLUE for one in wagers]
        axes.scatter([one.z for one in wagers], places, color=colours, zorder=3, s=26)
        for place, one in zip(places, wagers, strict=True):
            text = f"{one.mean:+.5f} ± {one.se:.5f}, exactly {float(one.exact):+.5f}"
            axes.annotate(text, (one.z, place), xytext=(0, 7), textcoords="offset points", ha="center", fontsize=7)
        axes.set_yticks(places, [str(one.wager) for one in wagers])
        reach = max(limit, *(abs(one.z) for one in wagers)) * 1.35
        axes.set_xlim(-reach, reach)
        axes.set_ylim(-0.6, len(wagers) - 0.3)
        axes.invert_yaxis()
        axes.set_xlabel("mean less exact value, in standard errors; shaded: consistent at 99 % over all wagers")
        axes.set_title(title, fontsize=8.5, loc="left")
        return as_svg(figure)


def cover(title: str, tallies: BankTallies, bet_cents: int) -> str:
    """Return what share of rounds each stake of a bank leaves not covered in full."""
    steps = np.flatnonzero(tallies.needs)
    left = 1 - np.cumsum(tallies.needs)[steps] / tallies.rounds
    with style():
        figure, axes = axes_of(2.9, top=0.35)
        shown = left > 0
        axes.step(steps[shown] * bet_cents / 100, left[shown], where="post", color=BLUE, linewidth=1.3)
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.grid(color="#e3e6ea", linewidth=0.6)
        axes.set_xlabel("the bank's stake, dollars")
        axes.set_ylabel("rounds not covered in full")
        axes.set_title(title, fontsize=8.5, loc="left")
        return as_svg(figure)


def endings(title: str, series: Series) -> str:
    """Return how often sessions ended with each result; the farthest hundredth above is not drawn."""
    results = series.results / 100
    top = float(np.quantile(results, 0.99))
    with style():
        figure, axes = axes_of(2.9, top=0.35)
        axes.hist(results[results <= top], bins=_BARS, color=BLUE)
        axes.axvline(0, color=GREY, linewidth=0.8)
        axes.axvline(float(results.mean()), color=RED, linewidth=1.2)
        axes.set_xlabel("result of a session, dollars; red: the mean of all")
        axes.set_ylabel("sessions")
        axes.set_title(title, fontsize=8.5, loc="left")
        return as_svg(figure)
