"""Moments: a record that was played as the moments of a table's journal."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from letitride.engine.refusal import Refusal
from letitride.records.played import Played
from letitride.records.reader import read_record
from letitride.records.replay import Replayed, replay
from letitride.records.rounds import Moment, PlayedRound, cut

FOLDER = Path(__file__).parent
RECORDS = sorted([*FOLDER.glob("examples/*.round"), *FOLDER.glob("irregularities/*/*.round")])
FUZZ_RUNS = sorted(FOLDER.glob("fuzz/*.round"))


def name_of(path: Path) -> str:
    """Return a record's name: 'absent-nsw-1'."""
    return f"{path.parent.name}-{path.stem}"


def played(done: Replayed) -> list[Played]:
    """Return what was done after the opening, without what was refused."""
    return [one for one in done.steps[1:] if one.command is not None and not isinstance(one.outcome, Refusal)]


def moments_of(done: Replayed) -> tuple[Moment, ...]:
    """Return a replay as moments, a second apart."""
    opening = done.steps[0]
    assert not isinstance(opening.outcome, Refusal)
    found = [Moment(1, 1_000, "house", opening.outcome, None, opening.after)]
    for number, one in enumerate(played(done), 2):
        assert not isinstance(one.outcome, Refusal)
        assert one.command is not None
        found.append(Moment(number, 1_000 * number, one.command.by, one.outcome, one.before, one.after))
    return tuple(found)


@cache
def replayed(path: Path) -> Replayed:
    """Return the replay of a record of the repository."""
    return replay(read_record(path.read_text(encoding="utf-8"), path.name), path.name)


def rounds_of(text: str) -> tuple[tuple[Moment, ...], list[PlayedRound]]:
    """Return the moments and the rounds of a record."""
    moments = moments_of(replay(read_record(text)))
    return moments, list(cut(moments))
