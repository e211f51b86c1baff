"""Dealt: the decks that a round was dealt from, found again from what happened; it deals nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from letitride.engine import commands, events, places
from letitride.engine.decide import Events
from letitride.engine.evolve import evolve
from letitride.engine.state import Table
from letitride.records.record import Dealt
from letitride.rules.cards import DECK


def decks_dealt(happened: Iterable[tuple[Table, Events]]) -> tuple[Dealt | None, Dealt | None]:
    """Return the deck of a round's deal and that of a second one, as far as it was dealt, top first.

    `happened` are the table before each command of the round, and what followed from it.
    """
    found: list[Dealt] = []
    waiting = True
    for before, following in happened:
        table = before
        for event in following:
            if isinstance(event, events.FacesBound):
                table = evolve(table, event)
            if isinstance(event, events.Ruled) and event.ruling.name == "unloaded:redealt":
                waiting = True
            if waiting and _draws(event):
                waiting = False
                found.append(_deck(table))
    first, second, *_ = (*found, None, None)
    return first, second


def _draws(event: events.AnyEvent) -> bool:
    """Whether a card of the deck is dealt to a seat by an event, or goes astray in it."""
    if not isinstance(event, events.StepDone | events.MishapHappened):
        return False
    return any(move.target.startswith("hand:") or move.target == places.DRAWN for move in event.moves)


def _deck(table: Table) -> Dealt:
    ready = table.at(places.READY)
    there = {card.face for card in ready if not card.foreign}
    return Dealt(
        order=tuple(written(str(card.face), up=card.up, foreign=card.foreign) for card in ready),
        missing=tuple(sorted(str(face) for face in DECK if face not in there)),
    )


def mixing_of(told: Sequence[commands.AnyCommand | None], bound: events.FacesBound) -> tuple[int, commands.Do] | None:
    """Return the last mixing of a deck among commands that were told, with the order that its first card bound."""
    for place, one in reversed(list(enumerate(told))):
        if isinstance(one, commands.Do) and one.unbound and one.number == bound.deck:
            cuts = sum(later.cut for later in told[place:] if isinstance(later, commands.Do))
            top = -cuts % len(bound.order)
            return place, msgspec.structs.replace(one, order=bound.order[top:] + bound.order[:top], unbound=False)
    return None


def first_open(told: Sequence[commands.AnyCommand | None]) -> int:
    """Return the place of the first command that mixes a deck whose faces are still to be bound, or the end."""
    last = {one.number: place for place, one in enumerate(told) if isinstance(one, commands.Do) and one.unbound}
    return min(last.values(), default=len(told))


def written(face: str, *, up: bool, foreign: bool) -> str:
    """Return a card of a deck as records write it, marked where it lies face up or does not belong there."""
    return face + "^" * up + "*" * foreign
