"""Sittings: drills of dealers and the floor that go on, taken up from what is kept of them; knows no network."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock
from typing import Final

import msgspec

from letitride.chance.live import Live
from letitride.errors import LetItRideError
from letitride.rules import catalog
from letitride.training.results import Result
from letitride.training.staff.catalogue import DrillEntry, DrillName, Kept, Plan, Sitting
from letitride.training.staff.drill import DrillSummary
from letitride.training.staff.practice import published_rules
from letitride.training.staff.questions import Mark, Question

AT_HAND: Final = 64
"""So many are kept as they are; the others are played again from their draws and answers when they go on."""


class StoredDrill(msgspec.Struct, frozen=True, kw_only=True):
    """What the store keeps of a drill that goes on."""

    kept: Kept
    shown_ms: int = 0
    """When the open question was first shown; 0: it was not."""
    assignment: str = ""


@dataclass(frozen=True, slots=True)
class DrillGoingOn:
    """A drill of yours that is not at its end."""

    drill: DrillName
    book: str
    answered: int


@dataclass(frozen=True, slots=True)
class DrillCatalogue:
    """The drills there are, the books they can be done by, and what you have begun."""

    drills: tuple[DrillEntry, ...]
    books: tuple[str, ...]
    going_on: tuple[DrillGoingOn, ...]


@dataclass(frozen=True, slots=True)
class DrillState:
    """The open question of a drill, how many seconds ago it was first shown, and what the drill has come to."""

    question: Question
    open_seconds: float
    assignment: str
    summary: DrillSummary


@dataclass(frozen=True, slots=True)
class DrillMarked:
    """How an answer was judged; after the last one the result."""

    mark: Mark
    summary: DrillSummary
    result: Result | None


class Sittings:
    """Drills in progress, by what is kept of them: whatever happens to a write, none goes on from another's state."""

    def __init__(self) -> None:
        self._at_hand: OrderedDict[bytes, Sitting] = OrderedDict()
        self._lock = Lock()

    def begin(self, plan: Plan, book: str) -> Sitting:
        """Return a new one."""
        return Sitting(plan, published_rules(book), Live())

    def resume(self, going_on: StoredDrill, book: str) -> Sitting | None:
        """Return one where it was left, if this version of the program asks what that one did.

        The taker changes it, so it is given to one alone.
        """
        with self._lock:
            found = self._at_hand.pop(_key(going_on.kept), None)
        try:
            return found or Sitting(going_on.kept.plan, published_rules(book), Live(), going_on.kept)
        except LetItRideError:
            return None

    def cache(self, sitting: Sitting) -> None:
        """Keep one for its next answer."""
        with self._lock:
            self._at_hand[_key(sitting.kept)] = sitting
            while len(self._at_hand) > AT_HAND:
                self._at_hand.popitem(last=False)


def read_stored_drill(body: bytes | None, book: str) -> StoredDrill | None:
    """Return what is kept of a drill, if it can go on: by the same book, of a version that can be read."""
    if body is None:
        return None
    try:
        found = msgspec.json.decode(body, type=StoredDrill)
    except msgspec.DecodeError:
        return None
    return found if found.kept.digest == published_rules(book).book.digest else None


def is_book(ref: str) -> bool:
    """Whether a drill can be done by a book of this name: a published one, never a path."""
    return ref in catalog.rulebook_ids()


def _key(kept: Kept) -> bytes:
    return msgspec.json.encode(kept)
