"""Tortures a house and checks it from outside; run from the repository's root:

    python -m benchmarks.torture                                ten minutes against one server on SQLite
    python -m benchmarks.torture --postgres --minutes 60        an hour against two servers on PostgreSQL
    python -m benchmarks.torture --acts 1000 --only kill        a thousand kills
    python -m benchmarks.torture --seed 7 --json                the same acts again, figures as JSON
    python -m benchmarks.torture --postgres --older FOLDER --only upgrade --only "hang up" --acts 8
                                                                from the version in another checkout to this one

Ctrl-C ends the acts early; what was done until then is still checked. A second Ctrl-C ends it at once. Exit code 1
where anything was lost.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import secrets
import signal
import sys
import tempfile
import time
from dataclasses import fields
from pathlib import Path

from benchmarks.torture.torture import Found, Run, UnknownAct, Wanted

TOLD_SECONDS = 30.0
"""How often a log is told how far it is; a terminal is told at once."""


class Progress:
    """Says on standard error how far a run is."""

    def __init__(self) -> None:
        self._began = self._told = time.monotonic()

    def __call__(self, sentence: str) -> None:
        """Tell a terminal at once, and a log now and then."""
        seconds = time.monotonic() - self._began
        if sys.stderr.isatty() and "\n" not in sentence:
            sys.stderr.write(f"\r\x1b[K{seconds:5.0f} s  {sentence}")
        elif "\n" in sentence or time.monotonic() > self._told + TOLD_SECONDS:
            self._told = time.monotonic()
            sys.stderr.write(f"{seconds:5.0f} s  {sentence}\n")
        sys.stderr.flush()


def lines(found: Found, again: str) -> list[str]:
    """Return the result of a run in words."""
    acts = ", ".join(f"{number} {name}" for name, number in found.acts.most_common()) or "none"
    commands, decks = found.commands, found.decks
    told = [
        f"{sum(found.acts.values()):,} acts in {found.seconds:,.0f} s: {acts}",
        (
            f"{commands['accepted']:,} commands acknowledged, {commands['refused']:,} refused, "
            f"{commands['unknown_there'] + commands['unknown_gone']:,} unknown "
            f"({commands['unknown_there']:,} of them carried out), {commands['answered_again']:,} answered again"
        ),
        f"{found.rounds:,} rounds, {found.rows:,} rows, {commands['views_compared']:,} views as the journal has them",
        (
            f"{decks['proofs']:,} proofs verified: {decks['dealt']:,} decks dealt, {decks['void']:,} void; "
            f"{decks['open']:,} in use at the end"
        ),
        (
            f"p99 of accepted commands {found.p99_ms:,.0f} ms; no table was silent for more than "
            f"{found.still_seconds_max:.1f} s"
        ),
        f"{len(found.losses)} losses" + ("" if found.losses else ": nothing lost, nothing doubled, not a cent off"),
    ]
    return [*told, *(f"  LOST {sentence}" for sentence in found.losses), f"again: {again}"]


async def _run(wanted: Wanted, folder: Path) -> Found:
    run = Run(wanted, folder, Progress())
    loop = asyncio.get_running_loop()

    def interrupted() -> None:
        sys.stderr.write("\ninterrupted; what was done is checked now, once more Ctrl-C ends it at once\n")
        run.stopped.set()
        loop.remove_signal_handler(signal.SIGINT)

    loop.add_signal_handler(signal.SIGINT, interrupted)
    return await run.run()


def as_json(found: Found, again: str) -> str:
    """Return the figures of a run for programs."""
    figures = {one.name: getattr(found, one.name) for one in fields(found)}  # asdict() would count a counter's pairs
    return json.dumps({**figures, "again": again}, indent=2)


def main() -> None:
    """Torture a house as asked."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.torture", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--postgres", action="store_true", help="two servers on one PostgreSQL with a standby")
    parser.add_argument("--minutes", type=float, default=10.0, help="for how long at most")
    parser.add_argument("--acts", type=int, default=10**9, help="how many acts at most")
    parser.add_argument("--only", action="append", default=[], metavar="ACT", help="only this act; may be repeated")
    parser.add_argument("--players", type=int, default=8, help="how many guests play")
    parser.add_argument("--seed", type=int, default=None, help="the same seed chooses the same acts")
    parser.add_argument("--older", type=Path, default=None, metavar="FOLDER", help="a checkout that servers begin with")
    parser.add_argument("--json", action="store_true", help="print figures for programs")
    asked = parser.parse_args()
    seed = asked.seed if asked.seed is not None else secrets.randbelow(10**6)
    wanted = Wanted(
        postgres=asked.postgres,
        acts=asked.acts,
        seconds=asked.minutes * 60,
        seed=seed,
        players=asked.players,
        only=tuple(asked.only),
        older=asked.older,
    )
    words = [f"--minutes {asked.minutes:g}", f"--seed {seed}", f"--players {asked.players}"]
    words += [f"--older {asked.older}"] if asked.older else []
    words += ["--postgres"] * asked.postgres + [f"--acts {asked.acts}"] * (asked.acts < 10**9)
    again = " ".join(["python -m benchmarks.torture", *words, *(f'--only "{name}"' for name in asked.only)])
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        try:
            found = asyncio.run(_run(wanted, Path(folder)))
        except UnknownAct as error:
            parser.error(str(error))
    sys.stderr.write("\n" * sys.stderr.isatty())
    if asked.json:
        print(as_json(found, again))
    else:
        print("\n".join(lines(found, again)))
    sys.exit(bool(found.losses))


if __name__ == "__main__":
    main()
