"""Assignments: drills that an instructor sets, and their results; knows no network."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

import msgspec

from letitride.chance.live import Live
from letitride.errors import InvalidData, MissingData
from letitride.server.people.accounts import Person
from letitride.server.runtime.write_batching import Committer
from letitride.storage.roles.audit import AuditStore
from letitride.storage.roles.documents import Document, DocumentStore
from letitride.training.results import InStore, Result

KIND: Final = "training-assignment"
OPEN_MAX: Final = 200
"""So many are open for one person at most."""


class Assignment(msgspec.Struct, frozen=True, kw_only=True):
    """A drill that a person is to do."""

    id: str
    person: str
    by: str
    set_ms: int
    drill: str
    """As its results are named: 'dealer:nsw-1:watch', 'floor:nsw-1:floor', 'player:LIRX-01:exam'."""
    level: int = 1
    length: int = 0
    due_ms: int = 0
    """Until when; 0: whenever."""
    note: str = ""


class Done(msgspec.Struct, frozen=True, kw_only=True):
    """An assignment, and the results that came of it."""

    assignment: Assignment
    results: list[Result]


class Assignments:
    """What instructors have set, in the store."""

    def __init__(
        self, documents: DocumentStore, audit: AuditStore, committer: Committer, clock_ms: Callable[[], int]
    ) -> None:
        self._documents, self._audit = documents, audit
        self._committer, self._clock_ms = committer, clock_ms
        self._keeper = InStore(documents)

    async def assign(self, instructor: Person, trainee: Person, wanted: Assignment) -> Assignment:
        """Keep a new assignment, on record."""
        made = msgspec.structs.replace(
            wanted,
            id=Live().secret(8).hex(),
            person=trainee.name,
            by=instructor.name,
            set_ms=self._clock_ms(),
        )

        def keep() -> None:
            if len(self._documents.find(KIND, f"{trainee.name}/")) >= OPEN_MAX:
                raise InvalidData(f"expected at most {OPEN_MAX} assignments for {trainee.name}, got one more")
            self._documents.put(KIND, f"{made.person}/{made.id}", msgspec.json.encode(made), 0)
            self._audit.add(made.set_ms, instructor.name, "assign a drill", f"{made.person}: {made.drill}")

        await self._committer.run(keep)
        return made

    async def take_back(self, instructor: Person, assignment_id: str) -> None:
        """Forget an assignment; results stay."""

        def forget() -> None:
            kept = self._find(assignment_id)
            made = _read(kept)
            self._documents.delete(KIND, kept.id, kept.version)
            why = f"{made.person}: {made.drill}"
            self._audit.add(self._clock_ms(), instructor.name, "take an assignment back", why)

        await self._committer.run(forget)

    async def of(self, person: str = "") -> list[Done]:
        """Return the assignments of a person, or of everybody, newest first, with their results."""
        return await asyncio.to_thread(self._of, person)

    def _of(self, person: str) -> list[Done]:
        made = [_read(kept) for kept in self._documents.find(KIND, f"{person}/" if person else "")]
        results: dict[tuple[str, str], list[Result]] = {}
        for result in self._keeper.results(person):
            results.setdefault((result.person, result.drill), []).append(result)
        found = [(one, results.get((one.person, one.drill), ())) for one in made]
        done = [Done(assignment=one, results=[r for r in maybe if answers(r, one)]) for one, maybe in found]
        return sorted(done, key=lambda one: one.assignment.set_ms, reverse=True)

    async def find(self, person: str, assignment_id: str) -> Assignment:
        """Return an assignment of a person."""
        kept = await asyncio.to_thread(self._documents.get, KIND, f"{person}/{assignment_id}")
        if kept is None:
            raise MissingData(f"expected one of your assignments, got {assignment_id!r}")
        return _read(kept)

    def _find(self, assignment_id: str) -> Document:
        for kept in self._documents.find(KIND):
            if kept.id.endswith(f"/{assignment_id}"):
                return kept
        raise MissingData(f"expected an assignment, got {assignment_id!r}")


def answers(result: Result, assignment: Assignment) -> bool:
    """Whether a result came of an assignment: a dealer's drill says so itself, a player's was done after it was set."""
    if result.person != assignment.person or result.drill != assignment.drill:
        return False
    if assignment.drill.startswith("player:"):
        return result.finished_ms >= assignment.set_ms
    return bool(result.details.get("assignment") == assignment.id)


def _read(kept: Document) -> Assignment:
    return msgspec.json.decode(kept.body, type=Assignment)
