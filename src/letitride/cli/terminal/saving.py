"""Saving: the rounds of a session as one file of round records; never over a file that is there already."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from letitride.cli.terminal.language import t
from letitride.cli.terminal.session import Session
from letitride.errors import InvalidData
from letitride.records.exported import record_of, whole
from letitride.records.player import Player
from letitride.records.reader import read_record
from letitride.rules.refs import is_path


def save(session: Session, target: str = "") -> str:
    """Write every finished round to a file, and return a sentence that says where."""
    moments = tuple(session.moments)  # the dealer may be at work meanwhile
    rounds = sum(moment.end is not None for moment in moments)
    if not rounds:
        raise InvalidData(t("save.none"))
    text = "\n".join(whole(moments, rulebook=_path_of(session))) + "\n"
    Player(read_record(text, "the record"), "the record")  # its readers must find the book and the paytables
    path = Path(target).expanduser() if target else _free_name(session)
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise InvalidData(t("save.exists", file=str(path))) from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise InvalidData(t("save.failed", file=str(path), why=str(why))) from None
    return t("save.done", file=str(path), rounds=rounds)


def last_record(session: Session) -> str | None:
    """Return the round that was over last as a record; None where it cannot be told by itself."""
    if session.last is None:
        return None
    try:
        return record_of(session.last, rulebook=_path_of(session)).text
    except InvalidData:
        return None


def _path_of(session: Session) -> str:
    ref = session.wanted.ref
    if not is_path(ref):
        return ""
    if len(ref.split()) != 1 or "#" in ref:
        raise InvalidData(t("save.path", file=ref))
    return ref


def _free_name(session: Session) -> Path:
    stem = f"letitride-{session.table.rules.book.id}-{datetime.now().astimezone():%Y%m%d-%H%M%S}"
    names = (Path(f"{stem}{f'-{number}' if number else ''}.round") for number in range(1_000))
    return next(name for name in names if not name.exists())
