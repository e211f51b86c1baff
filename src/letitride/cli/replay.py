"""The `replay` command: plays a round record through the engine and tells what happened."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from letitride.cli.output import Json, heading, print_json, print_lines
from letitride.engine.view import VIEWERS, view
from letitride.errors import InvalidData, MissingData
from letitride.records.narrate import ALL, narrate, summary
from letitride.records.reader import read_record
from letitride.records.replay import Outcome, Replayed, replay


def replay_file(
    file: Annotated[str, typer.Argument(help="A file of round records; - reads standard input.", metavar="FILE")],
    viewer: Annotated[
        str,
        typer.Option("--as", help="Tell only what this viewer may see: seat:3, dealer, floor, inspector, spectator."),
    ] = ALL,
    step: Annotated[bool, typer.Option("--step", help="Wait for Enter after each step.")] = False,
    as_json: Json = False,
) -> None:
    """Play a recorded round through the engine and tell what happened."""
    played = replay(read_record(_read(file), file), file)
    _check_viewer(viewer, len(played.table.seats))
    if as_json:
        data: dict[str, Any] = {"rounds": [outcome_data(outcome) for outcome in played.outcomes]}
        if viewer != ALL:
            data = {"viewer": viewer, "views": [view(one.after, viewer) for one in played.steps]}
        print_json(data)
        return
    _tell(played, viewer, step=step)


def _tell(played: Replayed, viewer: str, *, step: bool) -> None:
    for one in played.steps:
        lines = list(narrate(one, viewer))
        print_lines(*lines)
        if step and lines and sys.stdin.isatty():
            sys.stderr.write("— Enter for the next step —")
            sys.stderr.flush()
            sys.stdin.readline()
    for outcome in played.outcomes:
        print_lines(heading(f"round {outcome.number} by {outcome.rulebook}: {outcome.status}"), *summary(outcome))


def outcome_data(outcome: Outcome) -> dict[str, Any]:
    """Return a round's outcome as plain data."""
    return {
        "rulebook": outcome.rulebook,
        "round": outcome.number,
        "status": outcome.status,
        "seats": {
            str(seat): {
                "wagers": [
                    {
                        "wager": result.wager,
                        "stake_cents": result.stake_cents,
                        "fate": result.fate,
                        "paid_cents": result.paid_cents,
                        "back_cents": result.back_cents,
                    }
                    for result in results
                ],
                "net_cents": sum(result.net_cents for result in results),
            }
            for seat, results in outcome.results.items()
        },
        "bank": None
        if outcome.bank is None
        else {
            "seat": outcome.bank[0],
            "stake_cents": outcome.bank[1],
            "net_cents": -sum(result.net_cents for results in outcome.results.values() for result in results),
        },
        "transfers": [{"from": chips.source, "to": chips.target, "cents": chips.cents} for chips in outcome.transfers],
        "rulings": [],
    }


def _check_viewer(viewer: str, seats: int) -> None:
    match = re.fullmatch(r"seat:(\d+)", viewer)
    if viewer not in (ALL, *VIEWERS) and not (match and 1 <= int(match[1]) <= seats):
        raise InvalidData(f"expected seat:1 to seat:{seats}, {', '.join(VIEWERS)} after --as, got '{viewer}'")


def _read(file: str) -> str:
    if file == "-":
        return sys.stdin.read()
    try:
        return Path(file).read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise MissingData(f"expected a file of round records, got '{file}', which does not exist") from None
    except OSError as error:
        raise InvalidData(f"expected a readable file of round records, got '{file}': {error.strerror}") from None
    except ValueError:
        raise InvalidData(f"{file}: expected a round record in UTF-8, got other bytes") from None
