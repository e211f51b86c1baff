"""Transcripts: what a table does, step by step, on the project's own records; written down once and compared ever after.

A line is a command, what followed, the chips that moved, and a digest over all that a transcript is too short for: the
whole table, what each viewer sees and may do, the round in words, and what comes of other commands at that moment.
`python -m tests.records.transcripts --write` writes all of them anew; `--show RECORD STEP` prints what a digest is over.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator, Mapping
from itertools import cycle
from pathlib import Path
from typing import Any

import msgspec

from letitride.chance.seeded import Seeded
from letitride.engine import events
from letitride.engine.decide import play
from letitride.engine.refusal import Refusal
from letitride.engine.state import Table
from letitride.engine.view import view
from letitride.records.narrate import narrate
from letitride.records.played import Played
from letitride.records.reader import read_record
from letitride.records.replay import replay
from letitride.records.writer import write_command
from letitride.rules import catalog
from letitride.simulation.random_commands import next_command

HERE = Path(__file__).parent
KEPT = HERE.parent / "data" / "transcripts"
LATER = frozenset({"elsewhere", "meters_read"})
"""The fields of tables that are told only where they hold something: transcripts of before know nothing of them."""
TRIES = 3
"""Other commands that are tried after each step."""


def records() -> dict[str, Path]:
    """Return the records: examples, fuzz runs, and every irregularity under two of the books that can meet it, in turn."""
    found = {
        f"{folder}-{path.stem}": path
        for folder in ("examples", "fuzz")
        for path in sorted((HERE / folder).glob("*.round"))
    }
    turn = cycle(range(len(catalog.rulebook_ids())))
    for folder in sorted((HERE / "irregularities").iterdir()):
        paths = sorted(folder.glob("*.round"))
        first = next(turn)
        for number in {first % len(paths), (first + 2) % len(paths)}:
            found[f"{folder.name}-{paths[number].stem}"] = paths[number]
    return found


def transcript(name: str, path: Path) -> list[str]:
    """Return a record as it is played, a line for each step."""
    _TEXTS.clear()
    done = replay(read_record(path.read_text(encoding="utf-8"), path.name), path.name)
    return [_line(played, Seeded(name, number)) for number, played in enumerate(done.steps)]


def _line(played: Played, chance: Seeded) -> str:
    did = "(opened)" if played.command is None else write_command(played.command).replace("\n", " ")
    digest = hashlib.sha256("\n".join(details(played, chance)).encode()).hexdigest()[:10]
    return " | ".join((did[:60], _outcome(played.outcome), _chips(played.before, played.after), digest))


def _outcome(outcome: Any) -> str:
    if isinstance(outcome, Refusal):
        return f"refused: {outcome.code}"
    kinds = [type(event).__name__ for event in outcome if not isinstance(event, events.StepDone)]
    return " ".join(kinds)


def _chips(before: Table, after: Table) -> str:
    names = sorted({*before.accounts, *after.accounts})
    moved = {name: after.cents(name) - before.cents(name) for name in names}
    return ", ".join(f"{name} {cents:+}" for name, cents in moved.items() if cents)


def details(played: Played, chance: Seeded) -> Iterator[str]:
    """Yield all that a line's digest is taken over."""
    yield from (str(event) for event in _told(played.outcome))
    yield from _state(played.after)
    for viewer in _viewers(played.after):
        yield f"{viewer} {msgspec.json.encode(view(played.after, viewer)).decode()}"
        yield from narrate(played, viewer)
    yield from narrate(played)
    yield str(played.after)
    for _ in range(TRIES):
        command = next_command(played.after, chance)
        after, outcome = play(played.after, command)
        yield f"{write_command(command)} -> {_outcome(outcome)} {_chips(played.after, after)}"
        yield from _told(outcome)
        yield from _state(after)


def _told(outcome: Any) -> list[str]:
    if isinstance(outcome, Refusal):
        return [f"{outcome.code}: {outcome.sentence}"]
    return [f"{type(event).__name__} {_plain(event)}" for event in outcome if not isinstance(event, events.TableOpened)]


def _state(table: Table) -> Iterator[str]:
    for name in table.__struct_fields__:
        value = getattr(table, name)
        if name != "rules" and not (name in LATER and not value):
            if (name, id(value)) not in _TEXTS:
                _TEXTS[name, id(value)] = value, f"{name} {_plain(value)}"
            yield _TEXTS[name, id(value)][1]


_TEXTS: dict[tuple[str, int], tuple[Any, str]] = {}
"""The parts of tables as they were told before: most of a table is what it was a step ago."""


def _plain(value: Any) -> str:
    if isinstance(value, Mapping):
        return " ".join(f"{key}={_plain(one)}" for key, one in sorted(value.items()))
    if isinstance(value, frozenset):
        return str(sorted(value))
    return msgspec.json.encode(value, enc_hook=str).decode()


def _viewers(table: Table) -> list[str]:
    """Who looks at this moment: a spectator always, the others in turn."""
    seated = [f"seat:{number}" for number, seat in table.seats.items() if seat.player]
    others = ["dealer", *seated[:1], "floor", *seated[1:2]]
    return ["spectator", others[table.version % len(others)]]


def write() -> None:
    """Write all transcripts."""
    KEPT.mkdir(exist_ok=True)
    there = records()
    for name, path in there.items():
        (KEPT / f"{name}.txt").write_text("\n".join(transcript(name, path)) + "\n", encoding="utf-8")
    for path in KEPT.glob("*.txt"):
        if path.stem not in there:
            path.unlink()


def show(name: str, number: int) -> None:
    """Print what the digest of a step is over."""
    path = records()[name]
    played = replay(read_record(path.read_text(encoding="utf-8"), path.name), path.name).steps[number - 1]
    sys.stdout.writelines(f"{line}\n" for line in details(played, Seeded(name, number - 1)))


if __name__ == "__main__":
    if sys.argv[1] == "--write":
        write()
    else:
        show(sys.argv[2], int(sys.argv[3]))
