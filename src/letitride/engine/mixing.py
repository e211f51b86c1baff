"""Mixing: where the cards of a deck lie after a shuffle, by the order it is given; never whether a shuffle is due."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from letitride.engine import faults, places
from letitride.engine.places import CardObject, Move
from letitride.engine.state import Table
from letitride.engine.steps import KINDS, Needs, Step
from letitride.rules.cards import FACES, parse_face


def marks(text: str) -> tuple[str, bool, bool]:
    """Read a card of a deck order: its face, whether it lies face up ('Ah^'), whether it is foreign ('Ah*')."""
    if len(text) == 2:
        return text, False, False
    return text.rstrip("^*"), "^" in text[2:], "*" in text[2:]


def ordered(table: Table, step: Step, order: tuple[str, ...], sources: tuple[str, ...], target: str) -> Iterator[Move]:
    """Move a deck's cards so that they lie in the order of the shuffle; what it does not name is not at the table."""
    lying = [(card, source) for source in (*sources, places.OUTSIDE) for card in table.at(source)]
    in_use = faults.serials_in_use(table, step.number)
    own = {
        FACES[card.face.index]: (card, source)
        for card, source in reversed(lying)
        if card.deck == step.number and card.serial in in_use
    }
    alien = {str(card.face): (card, source) for card, source in lying if card.deck == step.number and card.foreign}
    named = set()
    for text in order:
        face, up, foreign = marks(text)
        if foreign:
            fresh = CardObject(step.number, -1 - parse_face(face).index, parse_face(face)), places.OUTSIDE
            card, source = alien.get(face, fresh)
        else:
            card, source = own[face]
        named.add((card.serial, source))
        yield Move(card, source, target, up)
    for card, source in lying:
        if card.deck == step.number and source != places.OUTSIDE and (card.serial, source) not in named:
            yield Move(card, source, places.OUTSIDE, False)


def mixed_rest(table: Table, order: tuple[str, ...]) -> Iterator[Move]:
    """Move the rest of a deck so that it lies in the order of a shuffle, foreign cards that it does not name last."""
    rest = {(str(card.face), card.foreign): card for card in table.at(places.READY)}
    for face, up, foreign in map(marks, order):
        if (card := rest.pop((face, foreign), None)) is not None:
            yield Move(card, places.READY, places.READY, up)
    yield from (Move(card, places.READY, places.READY, False) for card in rest.values())


_DRAWS: Final = frozenset({"deal_packet", "deal_card", "deal_community", "deal_dealer_packet"})
"""The steps that take cards off the deck, of which the first binds what they are."""


def needed(table: Table, step: Step) -> Needs:
    """Return what a step's command must bring along: the first card of a deck without faces brings their order."""
    if table.unbound and step.kind in _DRAWS and is_unbound(table):
        return "order"
    return KINDS[step.kind].needs


def is_unbound(table: Table) -> bool:
    """Whether the deck that is dealt from has no faces yet."""
    ready = table.at(places.READY)
    return bool(ready) and ready[0].deck in table.unbound


def is_order_of_ready(table: Table, order: tuple[str, ...]) -> bool:
    """Whether an order names every card of the deck that is dealt from, each once."""
    return sorted(order) == sorted(str(card.face) for card in table.at(places.READY))


def may_be_unbound(table: Table, step: Step) -> bool:
    """Whether a step mixes a whole deck of the 52 cards, so that their order can be left open."""
    sources = (places.NEST, places.CHEST, places.SPREAD)
    there = [card for place in sources for card in table.at(place) if card.deck == step.number]
    own = sum(faults.belongs(table, card, step.number) for card in there)
    return step.kind != "mix_rest" and KINDS[step.kind].needs == "order" and own == len(there) == len(FACES)


def has_cards(table: Table, step: Step, order: tuple[str, ...]) -> bool:
    """Whether every card an order names is where it can be mixed, or comes from outside."""
    sources = (places.NEST, places.CHEST, places.SPREAD, places.OUTSIDE)
    deck, in_use = step.number, faults.serials_in_use(table, step.number)
    lying = (card for place in sources for card in table.at(place))
    there = {FACES[card.face.index] for card in lying if card.deck == deck and card.serial in in_use}
    return all(foreign or face in there for face, _, foreign in map(marks, order))
