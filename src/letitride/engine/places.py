"""Places: where a card object can lie at a table, and what a card object is; never a rule."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from letitride.rules.cards import Card

CHEST = "chest"
"""Where decks wait that were brought to the table and not yet used."""
READY = "ready"
"""The shuffled deck that is dealt from, top card first: in the shuffler's mouth, the shoe or the dealer's hand."""
NEST = "nest"
"""The deck the shuffler is mixing, or that waits there mixed."""
RACK = "rack"
"""The discard rack."""
SPREAD = "spread"
"""The felt, where a deck is checked, spread, washed or stacked."""
PACKET = "packet"
"""The dealer's packet, before its cards go to the community area."""
PICKED = "picked"
"""Hands the dealer has picked up, in order, on their way to the rack."""
DRAWN = "drawn"
"""A card drawn in error, beside the deck."""
OUTSIDE = "outside"
"""Away from the table: decks that were taken out of use, cards that are lost, cards that never belonged to it."""


def hand(seat: int) -> str:
    """The place of a seat's cards."""
    return f"hand:{seat}"


def community(number: int) -> str:
    """The place of the first, second or third card of the community area, counted from the dealer's left."""
    return f"community:{number}"


COMMUNITY = tuple(community(number) for number in (1, 2, 3, 4))
"""The places of the community area; the fourth is where the first card is moved to, right of a line of three."""


class CardObject(msgspec.Struct, frozen=True, gc=False):
    """A physical card: which deck it belongs to, its number there, its face, and whether the face is up."""

    deck: int
    serial: int
    face: Card
    up: bool = False

    @property
    def foreign(self) -> bool:
        """Whether it does not belong to its deck, though its back looks alike."""
        return self.serial < 0


class Move(msgspec.Struct, frozen=True, gc=False):
    """A card object going from one place to another, face up or face down; to the end of what lies there."""

    card: CardObject
    source: str
    target: str
    up: bool


def moved(cards: Mapping[str, tuple[CardObject, ...]], moves: tuple[Move, ...]) -> Mapping[str, tuple[CardObject, ...]]:
    """Return where cards lie after moves; a place that is not touched keeps what it has, and one without cards goes."""
    if not moves:
        return cards
    changed: dict[str, list[CardObject]] = {}
    for move in moves:
        card, source, target = move.card, move.source, move.target
        if source not in changed:
            changed[source] = list(cards.get(source, ()))
        if target not in changed:
            changed[target] = list(cards.get(target, ()))
        if source != OUTSIDE or card in changed[source]:  # what comes from outside may be new here
            changed[source].remove(card)
        if card.up != move.up:
            card = CardObject(card.deck, card.serial, card.face, move.up)
        changed[target].append(card)
    after = dict(cards)
    for place, held in changed.items():
        if held:
            after[place] = tuple(held)
        else:
            after.pop(place, None)
    return after
