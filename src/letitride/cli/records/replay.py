"""The `replay` command: plays a round record through the engine and prints what happened."""

from __future__ import annotations

import re
import sys
from itertools import zip_longest
from typing import Annotated

import msgspec
import typer

from letitride.cli.io.files import read_text
from letitride.cli.io.output import Json, heading, print_json, print_lines, print_table
from letitride.cli.io.values import OwnBook, Set, parse_values
from letitride.cli.records.replay_data import compared_rounds, round_outcome
from letitride.engine.view import view
from letitride.errors import InvalidData
from letitride.records.narrate import ALL, narrate, ruling_line, summary
from letitride.records.player import rules_of
from letitride.records.reader import read_record
from letitride.records.replay import Outcome, Replayed, replay
from letitride.records.whatif import WhatIf, what_if
from letitride.rules.money import dollars
from letitride.rules.roles import VIEWERS
from letitride.rules.settlement import WagerResult


def replay_file(  # noqa: PLR0917 - the options of a command
    file: Annotated[
        str,
        typer.Argument(help="A file of round records; - reads standard input.", metavar="FILE"),
    ],
    viewer: Annotated[
        str,
        typer.Option("--as", help="Show only what this viewer sees: seat:3, dealer, floor, inspector, spectator."),
    ] = ALL,
    step: Annotated[bool, typer.Option("--step", help="Wait for Enter after each step.")] = False,
    under: Annotated[
        str | None,
        typer.Option("--under", help="Also play the same cards and actions under this rule book.", metavar="BOOK"),
    ] = None,
    values: Set = None,
    rulebook: OwnBook = None,
    as_json: Json = False,
) -> None:
    """Replay a recorded round step by step."""
    record = read_record(read_text(file, "round records"), file)
    if under is not None and viewer != ALL:
        raise InvalidData("expected --under or --as, got both")
    if under is not None:
        rules = rules_of(record, file, rulebook or "")
        _compare(what_if(record, under, parse_values(values or [], under), file, rules), as_json=as_json)
        return
    if values:
        raise InvalidData("expected --under BOOK with --set, got --set alone")
    played = replay(record, file, rules_of(record, file, rulebook or ""))
    _check_viewer(viewer, len(played.table.seats))
    if as_json:
        if viewer == ALL:
            print_json({"rounds": [round_outcome(outcome) for outcome in played.outcomes]})
            return
        views = msgspec.to_builtins([view(one.after, viewer) for one in played.steps], str_keys=True)
        print_json({"viewer": viewer, "views": views})
        return
    _tell(played, viewer, step=step)


def _tell(played: Replayed, viewer: str, *, step: bool) -> None:
    for one, then in zip_longest(played.steps, played.steps[1:]):
        lines = list(narrate(one, viewer, then))
        print_lines(*lines)
        if step and lines and sys.stdin.isatty():
            sys.stderr.write("— press Enter for the next step —")
            sys.stderr.flush()
            sys.stdin.readline()
    for outcome in played.outcomes:
        print_lines(heading(_headline(outcome)), *summary(outcome, played.table.rules.by_spot))


def _compare(found: WhatIf, *, as_json: bool) -> None:
    if as_json:
        print_json(compared_rounds(found))
        return
    for recorded, other in zip(found.recorded.outcomes, found.under.outcomes, strict=False):
        for outcome, under in ((recorded, found.recorded), (other, found.under)):
            print_lines(heading(_headline(outcome)))
            print_lines(*(f"  {ruling_line(ruling)}" for ruling in outcome.rulings))
            print_lines(*(f"  {line}" for line in summary(outcome, under.table.rules.by_spot)))
    print_lines("")
    left, right = found.recorded.table.rules.book.id, found.under.table.rules.book.id
    if found.differences:
        rows = [
            [
                str(one.round),
                str(one.seat),
                _title(one.wager, found),
                _came(one.recorded),
                _came(one.under),
                "not comparable" if one.cents is None else dollars(one.cents, signed=True),
            ]
            for one in found.differences
        ]
        print_table(["round", "seat", "wager", left, right, "difference"], rows, firm=3)
        apart = dict.fromkeys((one.round, one.seat, one.why) for one in found.differences if one.cents is None)
        if apart:
            print_lines(heading("Not comparable"))
            print_lines(*(f"  round {number}, seat {seat} — {why}" for number, seat, why in apart))
    else:
        print_lines("Every wager is paid the same.")
    if found.left_out:
        print_lines(heading(f"Not played under {right}"))
        print_lines(*(f"  {f'line {one.line}: ' if one.line else ''}{one.text} — {one.why}" for one in found.left_out))


def _headline(outcome: Outcome) -> str:
    return f"Round {outcome.number} under {outcome.rulebook}: {outcome.status}"


def _title(spot: str, found: WhatIf) -> str:
    """Return what people call the bet on a spot: 'bet 1', '3 Card Bonus'."""
    for played in (found.recorded, found.under):
        if wager := played.table.rules.by_spot.get(spot):
            return f"bet {wager.label.split()[wager.spots.index(spot)]}" if wager.is_base else wager.title
    return spot


def _came(result: WagerResult | None) -> str:
    return f"{result.fate}, {dollars(result.net_cents, signed=True)}" if result else "no result"


def _check_viewer(viewer: str, seats: int) -> None:
    match = re.fullmatch(r"seat:([0-9]{1,3})", viewer)
    if viewer not in (ALL, *VIEWERS) and not (match and 1 <= int(match[1]) <= seats):
        raise InvalidData(f"expected seat:1 to seat:{seats}, {', '.join(VIEWERS)} after --as, got '{viewer}'")
