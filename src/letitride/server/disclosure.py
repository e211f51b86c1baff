"""Disclosure: which rows of a journal may be read in full now, without telling what lies face down; it reads only."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from letitride.engine.events import AnyEvent, StepDone
from letitride.engine.faults import ROUND
from letitride.engine.places import Move
from letitride.engine.steps import KINDS
from letitride.errors import InvalidData
from letitride.records.rounds import PlayedRound
from letitride.server.room import spent_decks
from letitride.storage.codec import decode
from letitride.storage.journal import Row
from letitride.storage.past import Past
from letitride.storage.store import NUMBER_MAX

LOOKED_BACK: int = 2
"""Rounds before the last in which the mixing of the decks in use is looked for."""


@dataclass(frozen=True, slots=True)
class Disclosure:
    """What has to stay secret of a journal: a round that is on, and cards of decks that may still be dealt from."""

    ended: int = 0
    """The last row of the last round that is over."""
    running: bool = False
    mixed: dict[int, int] = field(default_factory=dict)
    """The decks in use, and the row in which each was mixed last; 0 where it was not found."""

    @property
    def looked_for_from(self) -> int:
        """The first row that may have to be withheld."""
        return min([*self.mixed.values(), *([self.ended + 1] if self.running else [])], default=NUMBER_MAX)

    def first_withheld(self, rows: Iterable[Row]) -> int:
        """Return the first of some rows that may not be told yet; none: beyond all of them.

        No hash is told from it on either: a hash over a few hidden cards and much that is known gives the cards to
        whoever tries them all, and so does the next row, which names it.
        """
        return next((row.number for row in rows if self.withholds(row)), NUMBER_MAX)

    def withholds(self, row: Row) -> bool:
        """Whether what a row says may not be told yet."""
        if self.running and row.number > self.ended:
            return True
        try:
            happened = decode(row.events)
        except InvalidData:  # nobody knows what it tells
            return row.number >= min(self.mixed.values(), default=row.number + 1)
        told = {move.card.deck for move in _moves(happened)}
        return any(row.number >= since for deck, since in self.mixed.items() if deck in told)


def disclosure(past: Past) -> Disclosure:
    """Return what has to stay secret of a table's journal as it is now."""
    table, _ = past.present()
    last = past.last_round()
    recent = list(past.rounds(max(last - LOOKED_BACK, 1), running=True))
    over = [one for one in recent if one.status != "running"]
    in_use = {card.deck for held in table.cards.values() for card in held} - spent_decks(table)
    found = _mixings(recent)
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
                if isinstance(event, StepDone) and KINDS[event.step.kind].needs == "order":
                    found |= {move.card.deck: moment.number for move in event.moves}
    return found


def _moves(happened: Iterable[AnyEvent]) -> Iterable[Move]:
    return (move for event in happened for move in getattr(event, "moves", ()))
