"""Disclosure: which rows of a journal may be read in full now, without telling what lies face down; it reads only.

A hash tells what it is over to all who can try what it could be, and a row that deals one card could be 52 things.
So no hash is told from the first row on that hides something: every later one follows from it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from math import inf
from typing import Final

from letitride.engine import places
from letitride.engine.events import AnyEvent, StepDone
from letitride.engine.faults import ROUND
from letitride.engine.places import Move
from letitride.engine.steps import KINDS
from letitride.errors import InvalidData
from letitride.records.rounds import PlayedRound
from letitride.server.tables.live_table import spent_decks
from letitride.storage.journal import OpenedRow, Row, SealedRow, read
from letitride.storage.past import Past

LOOKED_BACK: Final = 2
"""Rounds before the last in which the mixing of the decks in use is looked for first."""
_AWAY: Final = frozenset({places.CHEST, places.OUTSIDE})
"""Where cards hide nothing: in a new deck, or out of use."""


@dataclass(frozen=True, slots=True)
class Disclosure:
    """What has to stay secret of a journal: a round that is on, and cards of decks that may still be dealt from."""

    ended: int = 0
    """The last row of the last round that is over."""
    running: bool = False
    mixed: dict[int, int] = field(default_factory=dict)
    """The decks in use, and the row in which each was mixed last; 0 where it was not found."""

    @property
    def secret_from(self) -> float:
        """The first row that can hide anything: neither its hash nor a later one may be told."""
        return min([*self.mixed.values(), self.ended + 1 if self.running else inf])

    def withholds(self, row: Row) -> bool:
        """Whether what a row says may not be told yet."""
        if (self.running and row.number > self.ended) or (isinstance(row, OpenedRow) and row.secret):
            return True
        try:
            happened = read(row)
        except SealedRow:
            return True
        except InvalidData:  # no one knows what it tells
            return row.number >= min(self.mixed.values(), default=row.number + 1)
        told = {move.card.deck for move in _moves(happened)}
        return any(row.number >= since for deck, since in self.mixed.items() if deck in told)


def disclosure(past: Past) -> Disclosure:
    """Return what has to stay secret of a table's journal as it is now, and nothing of later rows."""
    table, _ = past.present()
    at_hand = {card.deck for place, held in table.cards.items() if place not in _AWAY for card in held}
    in_use = at_hand - spent_decks(table)
    last, back = past.last_round(), LOOKED_BACK
    while True:
        first = max(last - back, 1)
        recent = list(past.rounds(first, running=True))
        found = _mixings(recent)
        if first == 1 or in_use <= found.keys():
            break
        back *= 4
    over = [one for one in recent if one.status != "running"]
    return Disclosure(
        ended=over[-1].moments[-1].number if over else 0,
        running=table.phase in ROUND or table.phase == "ruling",
        mixed={deck: found.get(deck, 0) for deck in in_use},
    )


def _mixings(rounds: Iterable[PlayedRound]) -> dict[int, int]:
    """Return the last row in which each deck was mixed."""
    found: dict[int, int] = {}
    for one in rounds:
        for moment in one.moments:
            for event in moment.events:
                if isinstance(event, StepDone) and _mixes_all(event):
                    found[event.step.number] = moment.number
    return found


def _mixes_all(done: StepDone) -> bool:
    """Whether a step mixes a deck whole: where only its rest is, what is dealt still follows from the mixing before."""
    return KINDS[done.step.kind].needs == "order" and done.step.kind != "mix_rest"


def _moves(happened: Iterable[AnyEvent]) -> Iterable[Move]:
    return (move for event in happened for move in getattr(event, "moves", ()))
