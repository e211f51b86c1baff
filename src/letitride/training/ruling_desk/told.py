"""Told: a ruling as the desk tells it, with its steps and wagers in words; it rules on nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from letitride.engine import events
from letitride.engine.state import Table
from letitride.engine.steps import KINDS, say
from letitride.rules.chapters import ClauseText
from letitride.rules.wagers import by_spot
from letitride.training.ruling_desk.questions import FactAsked
from letitride.training.staff.rulings import EFFECTS, effect_of


@dataclass(frozen=True, slots=True)
class StepTold:
    """A step that carries out a ruling, and who does it."""

    actor: str
    text: str


@dataclass(frozen=True, slots=True)
class WagerTold:
    """What happens to a wager."""

    wager: str
    effect: str


@dataclass(frozen=True, slots=True)
class OtherBook:
    """What another book says."""

    book: str
    title: str
    ruling: str


@dataclass(frozen=True, slots=True)
class RulingAnswer:
    """What a book rules, where the answers to its questions are these."""

    given: dict[str, str]
    ruling: str
    decision: str
    steps: tuple[StepTold, ...]
    wagers: tuple[WagerTold, ...]
    clauses: tuple[ClauseText, ...]
    house_default: bool
    elsewhere: tuple[OtherBook, ...]


@dataclass(frozen=True, slots=True)
class SituationTold:
    """Something that can go wrong, how people say it, what has to be asked, and every answer."""

    id: str
    title: str
    phrases: tuple[str, ...]
    questions: tuple[FactAsked, ...]
    answers: tuple[RulingAnswer, ...]


@dataclass(frozen=True, slots=True)
class RulingDesk:
    """All that a book rules, for a page that has to do without a network."""

    book: str
    title: str
    same: dict[str, tuple[str, ...]]
    """Which words mean one."""
    silent: tuple[str, ...]
    """Which words tell nothing."""
    situations: tuple[SituationTold, ...]


def steps_told(table: Table, happened: events.Ruled) -> Iterator[StepTold]:
    """Yield the steps of a ruling that were not due before; those of several seats as they come."""
    left = len(table.agenda)
    new = happened.agenda[: len(happened.agenda) - left] if happened.agenda[-left:] == table.agenda else happened.agenda
    if happened.agenda and happened.void_seat:
        new = tuple(one for one in happened.agenda if one not in table.agenda)
    for step in new:
        yield StepTold(KINDS[step.kind].actor, say(step, by_spot(table.rules.wagers)))


def wagers_told(table: Table, happened: events.Ruled, decision: str) -> Iterator[WagerTold]:
    effect = {"ride": "rides", "withdraw": "withdrawn"}.get(decision) or effect_of([happened])
    void = set(table.voided_by(happened.ruling)) if effect not in {"all_back", "seat_back"} else set()
    for wager in table.rules.wagers.values():
        special = effect if wager.is_base or effect in {"all_back", "seat_back"} else "stay"
        text = "returned" if wager in void else EFFECTS[special]
        yield WagerTold(wager.title, text)
