"""Layouts: tables laid out by hand, card by card, where a whole round would be long."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from letitride.engine.places import CardObject
from letitride.engine.state import Seat, Table
from letitride.engine.steps import Step
from letitride.rules.cards import parse_face
from letitride.rules.catalog import ready_rules

_rules = cache(ready_rules)


def laid(text: str, deck: int = 1) -> tuple[CardObject, ...]:
    """Read cards: 'Ah^' lies face up, 'Ah*' is foreign."""
    faces = [(parse_face(word.rstrip("^*")), word) for word in text.split()]
    return tuple(CardObject(deck, -1 - f.index if "*" in word else f.index, f, "^" in word) for f, word in faces)


def a_table(
    book: str = "shufflemaster-1",
    phase: str = "dealing",
    steps: Iterable[Step | str] = (),
    cards: Mapping[str, str] | None = None,
    seats: Iterable[Seat] = (Seat(1, "Ann", dealt_in=True),),
    **more: Any,
) -> Table:
    """Lay out a table by a book: seats, cards by place, and the steps that are still to do."""
    return Table(
        rules=_rules(book),
        phase=phase,  # type: ignore[arg-type]  # the rows of the tests name phases
        agenda=tuple(Step(step) if isinstance(step, str) else step for step in steps),
        seats={seat.number: seat for seat in seats},
        cards={place: laid(text) for place, text in (cards or {}).items()},
        accounts=more.pop("accounts", {}),
        **more,
    )
