"""Positions: rounds played to the point where every hand is open and nothing is paid yet; the engine settles them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

import msgspec

from letitride.engine import places
from letitride.engine.state import Table
from letitride.records.record import Dealt
from letitride.rules.cards import FACES, Card
from letitride.rules.hands import Category, announce, evaluate
from letitride.rules.rankings import FIVE_CARD, THREE_CARD
from letitride.rules.rulebook import Source
from letitride.rules.settlement import WagerResult, read_cards
from letitride.rules.table_rules import TableRules
from letitride.rules.three_hands import announce_three
from letitride.rules.wagers import Wager
from letitride.training.chance import Chance, one_of, shuffled
from letitride.training.staff.practice import Party, Practice, party

_WITHIN: Final = 16
"""Hands are chosen among so many cards at the top of what is left."""
_LOSERS: Final = 4
"""One hand in so many is left as it falls."""


@dataclass(frozen=True, slots=True)
class Position:
    """A round with its results: nothing is taken or paid."""

    table: Table
    community: tuple[Card, ...]

    @property
    def hands(self) -> tuple[int, ...]:
        """The seats with cards."""
        return self.table.dealt_in

    def results(self, seat: int, wager: Wager) -> tuple[WagerResult, ...]:
        """Return the results of a seat's bets of one kind."""
        return tuple(one for one in self.table.seats[seat].results if one.wager in wager.spots)

    def wagers(self, seat: int) -> tuple[Wager, ...]:
        """Return the kinds of bets a seat has, in the order of the house."""
        down = self.table.seats[seat].wagers
        return tuple(one for one in self.table.rules.wagers.values() if any(spot in down for spot in one.spots))

    def paid_cents(self, seat: int, wager: Wager) -> int:
        """Return what is paid for a seat's bets of one kind, without returned stakes."""
        return sum(one.paid_cents for one in self.results(seat, wager))

    def cards(self, seat: int) -> tuple[Card, ...]:
        """Return a seat's three cards."""
        return tuple(card.face for card in self.table.at(places.hand(seat)))

    def named(self, seat: int) -> str:
        """Return a seat's hand as a dealer reads it, and what its side bets call their cards."""
        words = announce(evaluate((*self.cards(seat), *self.community)))
        for wager in self.wagers(seat):
            if wager.ranking == THREE_CARD:
                words += f"; three cards: {announce_three(self.cards(seat))}"
            elif wager.ranking != FIVE_CARD:
                words += f"; {wager.title}: {read_cards(wager, self.cards(seat), self.community).label}"
        return words


def position(
    rules: TableRules, chance: Chance, hands: int, side: tuple[Wager, ...], *, steps: int, ride: bool = False
) -> Position:
    """Return a round at its showdown, with more hands that pay than chance would give."""
    who = party(rules.rules, chance, hands, side, steps=steps)
    dealt = _cards(tuple(who.wagers), chance)
    choices = {(seat, bet): "ride" for seat in who.wagers for bet in (1, 2)} if ride else {}
    return _played(rules, chance, who, dealt, choices)


def _played(
    rules: TableRules, chance: Chance, who: Party, dealt: Dealt, choices: Mapping[tuple[int, int], str]
) -> Position:
    practice = Practice(rules, chance, who, dealt={1: dealt}, choices=choices)
    while practice.table.phase != "settling":
        practice.step()
    read = practice.table
    # Where hands are opened and paid one by one, the trainee sees all of them at once.
    shown = {place: _up(read, place) for place in (*(places.hand(seat) for seat in read.dealt_in), *places.COMMUNITY)}
    return Position(replace_cards(read, {**read.cards, **shown}), read.community_cards())


def replace_cards(table: Table, cards: dict[str, tuple[places.CardObject, ...]]) -> Table:
    """Return a table with its cards lying otherwise."""
    return msgspec.structs.replace(table, cards=cards)


def _up(table: Table, place: str) -> tuple[places.CardObject, ...]:
    return tuple(places.CardObject(card.deck, card.serial, card.face, True) for card in table.at(place))


def _cards(seats: tuple[int, ...], chance: Chance) -> Dealt:
    """Return cards for a showdown: for most seats the kind of hand is drawn first, so that rare ones are met too."""
    deck = [Card.parse(face) for face in shuffled(chance, FACES)]
    community, left = deck[:2], deck[2:]
    hands = []
    for seat in seats:
        near = left[:_WITHIN]
        mine = near[:3]
        if chance.below(_LOSERS):
            by_kind: dict[Category, tuple[Card, ...]] = {}
            for three in combinations(near, 3):
                by_kind.setdefault(evaluate((*three, *community)).category, three)
            paying = sorted(kind for kind in by_kind if kind >= Category.TENS_OR_BETTER)
            mine = list(by_kind[one_of(chance, paying)]) if paying else mine
        left = [card for card in left if card not in mine]
        hands.append((seat, tuple(map(str, mine))))
    return Dealt(hands=tuple(hands), community=tuple(map(str, community)))


def with_cap(rules: TableRules, cents: int) -> TableRules:
    """Return a table whose sign limits what is paid, where its book lets a table choose that; else as it is."""
    book = rules.book
    if "maximum" not in book.options.get("payout.cap", ()):
        return rules
    capped = book.with_values({"payout.cap": "maximum", "payout.cents_max": cents}, Source.TABLE, "a drill")
    return replace(rules, book=capped)
