"""Results: the result of a drill for a person, and where training is kept; nothing here knows how a drill is judged.

A drill is named by a string: who it is for, then what it is about, such as 'player:LIR-01', 'player:LIR-01:exam' or
'dealer:ID:errors'.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final, Protocol

import msgspec

from letitride.errors import InvalidData
from letitride.storage.roles.documents import DocumentStore

RESULT: Final = "training-result"
PROGRESS: Final = "training-progress"
KEPT: Final = 1_000
"""Results of one person that a store keeps; after that the oldest goes for each new one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """A drill or an exam that a person has finished."""

    person: str
    drill: str
    asked: int
    right: int
    score: float
    """In percent, as the drill computes it: of a player's drill, right answers of all."""
    details: dict[str, Any]
    """The JSON that is kept beside: the mistakes of a set, the report of an exam, or the summary of a drill."""
    finished_ms: int
    """When, in milliseconds since 1970."""


def score_of(right: int, asked: int) -> float:
    """Return right answers in percent of all, to two digits; nothing asked is nothing."""
    return round(100 * right / asked, 2) if asked else 0.0


class Keeper(Protocol):
    """Where training is kept: a store's documents, or a person's own file."""

    def progress(self, person: str, drill: str) -> tuple[bytes, int] | None:
        """Return a person's progress in a drill, as JSON, and its version; None where it has not begun."""

    def keep_progress(self, person: str, drill: str, body: bytes, version: int) -> bool:
        """Keep progress if `version` is still the one kept (0: none); whether it was."""

    def forget_progress(self, person: str, drill: str) -> None:
        """Let a person start a drill again; results stay."""

    def add_result(self, result: Result) -> None:
        """Keep a result for good."""

    def results(self, person: str = "", drill: str = "") -> list[Result]:
        """Return the results of a person, or of all, in a drill or in all whose name begins so; oldest first."""


class InStore:
    """Training as documents of a store; what writes belongs where alone the store may be written."""

    def __init__(self, documents: DocumentStore) -> None:
        self._documents = documents

    def progress(self, person: str, drill: str) -> tuple[bytes, int] | None:
        """Return a person's progress in a drill, and its version."""
        kept = self._documents.get(PROGRESS, _id(person, drill))
        return None if kept is None else (kept.body, kept.version)

    def all_progress(self, person: str, drills: str) -> dict[str, bytes]:
        """Return a person's progress in all drills whose names begin so, by drill."""
        start = _id(person, "")
        return {one.id.removeprefix(start): one.body for one in self._documents.find(PROGRESS, start + drills)}

    def keep_progress(self, person: str, drill: str, body: bytes, version: int) -> bool:
        """Keep progress unless other progress was kept meanwhile."""
        return self._documents.put(PROGRESS, _id(person, drill), body, version) is not None

    def end_progress(self, person: str, drill: str, version: int) -> bool:
        """Forget finished progress unless it was kept or ended meanwhile; whether it was forgotten."""
        return self._documents.delete(PROGRESS, _id(person, drill), version)

    def forget_progress(self, person: str, drill: str) -> None:
        """Let a person start a drill again."""
        while (kept := self._documents.get(PROGRESS, _id(person, drill))) is not None:
            self._documents.delete(PROGRESS, kept.id, kept.version)

    def rename(self, person: str, to: str) -> None:
        """Move a person's progress and results to another who has none; what that person already has stays."""
        for one in self._documents.find(PROGRESS, _id(person, "")):
            self._documents.put(PROGRESS, _id(to, one.id.removeprefix(_id(person, ""))), one.body, 0)
            self._documents.delete(PROGRESS, one.id, one.version)
        for one in self._documents.find(RESULT, _id(person, "")):
            self.add_result(replace(msgspec.json.decode(one.body, type=Result), person=to))
            self._documents.delete(RESULT, one.id, one.version)

    def add_result(self, result: Result) -> None:
        """Keep a result, one more of the same moment beside it; the last thousand of a person."""
        body, again = msgspec.json.encode(result), 0
        start = _id(result.person, f"{result.finished_ms:015}")
        while self._documents.put(RESULT, f"{start}/{again}/{result.drill}", body, 0) is None:
            again += 1
        for old in self._documents.find(RESULT, _id(result.person, ""), KEPT + 1)[:-KEPT]:
            self._documents.delete(RESULT, old.id, old.version)

    def results(self, person: str = "", drill: str = "") -> list[Result]:
        """Return results, oldest first."""
        kept = self._documents.find(RESULT, _id(person, "") if person else "")
        found = (msgspec.json.decode(one.body, type=Result) for one in kept)
        return sorted(matching(found, person, drill), key=lambda one: one.finished_ms)


def matching(results: Iterator[Result], person: str, drill: str) -> Iterator[Result]:
    """Yield those of a person and a drill; an empty name is any person's, and a drill is named by how it begins."""
    for one in results:
        if person in {"", one.person} and (not drill or f"{one.drill}:".startswith(f"{drill}:")):
            yield one


def _id(person: str, rest: str) -> str:
    if not person or "/" in person:
        raise InvalidData(f"expected the name of a person, got {person!r}")
    return f"{person}/{rest}"
