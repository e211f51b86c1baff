"""Tells what `server_scale.py` measured: a line for a person, rows of a table, a picture."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def told(one: dict[str, Any]) -> str:
    """Return a line for a person."""
    pace = (", once a second" if one["paced"] else "") + (", each apart" if one["apart"] else "")
    database = "elsewhere" if one["database_us"] is None else f"{one['database_us']:.0f}"
    return (
        f"{one['nodes']} x {one['workers']:2} workers, {one['tables']} tables{pace}:"
        f" {one['commands']:8,.0f} commands/s  {one['messages']:9,.0f} messages/s  p50 {one['p50_ms']:7.1f} ms"
        f"  p99 {one['p99_ms']:7.1f} ms  {one['messages'] / one['echoes']:.2f} of echo"
        f"  {one['commands'] / one['commits']:.2f} of single commits"
        f"  a command: server {one['processor_us']:.0f} us, database {database}, players"
        f" {one['players_us']:.0f}  refused {one['refused']:.0f}/s"
        f"  {one['memory_first_mb']:,.0f} MB, {one['memory_mb']:,.0f} at the end"
        + (f"  players late p99 {one['late_p99_ms']:.1f} ms, {one['skipped']:.0f}/s skipped" if one["paced"] else "")
        + f"  p99 by second {one['p99_of_seconds_ms']}"
    )


def draw(source: Path, target: Path) -> None:
    """Draw throughput and p99 against the number of workers, one line for each number of tables."""
    import matplotlib as mpl

    mpl.use("svg")
    from matplotlib import pyplot as plt

    found = json.loads(source.read_text(encoding="utf-8"))["runs"]
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    for kind in sorted({(one["tables"], one["paced"], one["nodes"]) for one in found}):
        line = [one for one in found if (one["tables"], one["paced"], one["nodes"]) == kind]
        at = [one["workers"] * one["nodes"] for one in line]
        name = f"{kind[0]} tables{', once a second' if kind[1] else ''}{f', {kind[2]} nodes' if kind[2] > 1 else ''}"
        left.plot(at, [one["commands"] for one in line], marker="o", label=name)
        right.plot(at, [one["p99_ms"] for one in line], marker="o", label=name)
        if not kind[1]:
            left.plot(at, [line[0]["commands"] / at[0] * many for many in at], ls=":", color="grey")
    left.set(xlabel="workers", ylabel="commands a second", ylim=(0, None), title="Durable commands")
    right.set(xlabel="workers", ylabel="ms", yscale="log", title="99 of 100 answers come within")
    left.legend()
    figure.savefig(target)


def rows(source: Path) -> str:
    """Return what was measured as rows of a table; linear is the fewest workers of those that act all at once."""
    found = json.loads(source.read_text(encoding="utf-8"))["runs"]
    first = min((one for one in found if not one["paced"]), key=lambda one: one["workers"] * one["nodes"], default=None)
    lines = []
    for one in found:
        many = one["workers"] * one["nodes"]
        pace = ", each once a second" * one["paced"] + ", all apart" * one["apart"]
        linear = ""
        if first is not None and first is not one and not one["paced"]:
            linear = f"{one['commands'] / first['commands'] / many * first['workers'] * first['nodes']:.2f}"
        cells = (
            f"{many}, {one['tables']:,}{pace}",
            f"{one['commands']:,.0f}",
            f"{one['p50_ms']:.0f} ms",
            f"{one['p99_ms']:.0f} ms",
            linear,
            f"{one['messages'] / one['echoes']:.2f}",
            f"{one['commands'] / one['commits']:.2f}",
            f"{one['processor_us']:.0f} us",
            "" if one["database_us"] is None else f"{one['database_us']:.0f} us",
            f"{one['memory_first_mb']:,.0f}, {one['memory_mb']:,.0f} MB",
        )
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)
