"""The `fuzz` command: random commands at tables, with every promise checked after each."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from typing import Annotated

import typer

from letitride.cli.io.output import Json, print_json, print_lines
from letitride.cli.io.values import parse_values, parse_whole
from letitride.rules import catalog
from letitride.rules.plain import plain
from letitride.rules.values import Values
from letitride.rules.words import quantity
from letitride.simulation.fuzz import Tally, Wreck
from letitride.simulation.fuzz import fuzz as run_fuzz


def fuzz(
    rulebook: Annotated[
        list[str] | None,
        typer.Option("--rulebook", help="A rule book; may be repeated; all published ones by default.", metavar="BOOK"),
    ] = None,
    count: Annotated[str, typer.Option("--commands", help="Commands for each rule book: 1000000 or 1e6.")] = "1e5",
    values: Annotated[
        list[str] | None,
        typer.Option(
            "--set", help="Set a value that the rule book leaves to the table; may be repeated.", metavar="KEY=VALUE"
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="The same seed repeats the same commands.")] = 1,
    as_json: Json = False,
) -> None:
    """Try to break a table with random commands.

    Plays legal and illegal commands at random and checks every promise of the engine after each.
    """
    turns = parse_whole(count, "commands", "--commands")
    own = parse_values(values or [], *(rulebook or catalog.rulebook_ids()))
    results = []
    for ref in rulebook or list(catalog.rulebook_ids()):
        results.append(_one(ref, turns, seed, own))
        if isinstance(results[-1].found, Wreck):
            break
    if as_json:
        print_json({"seed": seed, "books": [_data(one) for one in results]})
    else:
        print_lines(*(line for result in results for line in _lines(result)))
    if any(isinstance(result.found, Wreck) for result in results):
        raise typer.Exit(1)


@dataclass(frozen=True, slots=True)
class _Fuzzed:
    """The result for one rule book."""

    rulebook: str
    found: Tally | Wreck
    seconds: float


def _data(one: _Fuzzed) -> dict[str, object]:
    found = {"wreck": one.found} if isinstance(one.found, Wreck) else plain(one.found)
    return {"rulebook": one.rulebook, **found, "seconds": one.seconds}


def _one(ref: str, turns: int, seed: int, own: Values) -> _Fuzzed:
    start = time.monotonic()
    latest = Tally()

    def tell(tally: Tally) -> None:
        nonlocal latest
        latest = tally
        if sys.stderr.isatty():
            rate = tally.commands / max(time.monotonic() - start, 1e-9)
            sys.stderr.write(f"\r{ref}: {tally.commands:,} of {turns:,} commands, {rate:,.0f} per second ")

    try:
        found = run_fuzz(catalog.ready_rules(ref, own), turns, seed, tell)
    except KeyboardInterrupt:
        found = latest
        sys.stderr.write(f"\ninterrupted; --commands {latest.commands} repeats these commands\n")
    if sys.stderr.isatty():
        sys.stderr.write("\n")
    return _Fuzzed(ref, found, round(time.monotonic() - start, 1))


def _lines(result: _Fuzzed) -> list[str]:
    found = result.found
    if isinstance(found, Wreck):
        head = f"{result.rulebook}: broken promise in episode {found.episode} of seed {found.seed}"
        return [
            head,
            f"  {found.what}",
            "  the shortest record that shows it:",
            *(f"    {x}" for x in found.record.splitlines()),
        ]
    counts = f"{found.commands:,} commands, {found.accepted:,} accepted and {found.refused:,} refused"
    counts += f"; {quantity(found.rounds, 'round')}, {quantity(sum(found.rulings.values()), 'ruling')}"
    checks = f"checked {quantity(found.view_checks, 'view')} and {quantity(found.script_checks, 'dealer script')}"
    return [f"{result.rulebook}: {counts}; {checks}; every promise held"]
