"""Scene: what a person at a table sees of it, as plain data; a face that is down stays down."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from letitride.engine import faults, places
from letitride.engine.state import Table
from letitride.engine.view import view
from letitride.rules.cards import JOKER
from letitride.rules.limits import payout_words, side_limits, spots_bound
from letitride.rules.money import dollars
from letitride.rules.table_rules import TableRules
from letitride.rules.wagers import Wager


@dataclass(frozen=True, slots=True)
class SpotSeen:
    """A spot of the felt: its name in `wagers`, what the felt prints on it, and the bet it is for."""

    spot: str
    label: str
    title: str


@dataclass(frozen=True, slots=True)
class SeatSeen:
    """One seat as it is seen from behind the table."""

    number: int
    player: str
    wagers: dict[str, int]
    """The cents on each spot, as they lie there."""
    cards: tuple[str, ...]
    """Faces such as 'Qh', or the color of a back: '[red]'."""
    looked: bool
    away: bool
    choices: dict[str, str]
    banks: bool
    taken: dict[str, int]
    """The cents that it has bet and that lie in the tray already, by spot."""
    hand: str
    """What its cards make, where they are open and that is told."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A table at one moment, and what has just happened there."""

    book: str
    phase: str
    round: int
    limits: str
    seats: tuple[SeatSeen, ...]
    community: tuple[str, ...]
    packet: int
    """How many cards the dealer's packet has."""
    packet_cards: tuple[str, ...]
    """The dealer's packet as it lies, top card first, where a card of it is face up."""
    drawn: tuple[str, ...]
    """A card beside the deck."""
    deck: int
    """How many cards the deck that is dealt from should have left; 0: there is none."""
    rack: int
    """How many cards lie in the discard rack."""
    told: tuple[str, ...]
    """What has happened since the last question."""
    signals: tuple[str, ...]
    """What devices show and what can be seen besides the cards and chips."""
    spots: tuple[SpotSeen, ...]
    """The spots of a seat, in the order of the felt."""


def scene(
    table: Table, told: tuple[str, ...] = (), signals: tuple[str, ...] = (), hands: dict[int, str] | None = None
) -> Scene:
    """Return a table as its dealer sees it."""
    seen = view(table, "dealer")
    seats = tuple(
        SeatSeen(
            number=number,
            player=one.player or "",
            wagers={name: cents for name, cents in one.wagers.items() if cents},
            cards=one.cards,
            looked=one.looked,
            away=table.seats[number].away,
            choices={str(bet): choice for bet, choice in one.choices.items()},
            banks=table.banks(number),
            taken=_taken(table, number, one.wagers),
            hand=(hands or {}).get(number, ""),
        )
        for number, one in seen.seats.items()
        if one.player or one.cards
    )
    return Scene(
        book=table.rules.book.id,
        phase=table.phase,
        round=table.round,
        limits=limits(table),
        seats=seats,
        community=seen.community,
        packet=len(table.at(places.PACKET)),
        packet_cards=seen.packet if any(card.up for card in table.at(places.PACKET)) else (),
        drawn=seen.drawn,
        deck=seen.deck.left,
        rack=seen.rack,
        told=told,
        signals=(*signals, *_foreign(table), *_misburned(table)),
        spots=tuple(_spots(table.rules)),
    )


def _taken(table: Table, seat: int, lying: Mapping[str, int]) -> dict[str, int]:
    early = {wager.spot for wager in table.rules.taken_before_deal}
    made = table.seats[seat].wagers
    return {spot: cents for spot, cents in made.items() if spot in early and not lying.get(spot)}


def _spots(rules: TableRules) -> Iterator[SpotSeen]:
    for wager in rules.wagers.values():
        labels = wager.label.split() if wager.is_base else (wager.label,)
        yield from (SpotSeen(spot, label, wager.title) for spot, label in zip(wager.spots, labels, strict=True))


def limits(table: Table) -> str:
    """Return the table's limits as its sign shows them."""
    rules = table.rules.rules
    least, most = rules.limit.cents_min, rules.limit.cents_max
    where = "each spot" if spots_bound(rules.limit) == 1 else "the three spots together"
    parts = [f"{dollars(least or 0)} to {dollars(most)}" if most else f"{dollars(least or 0)} or more"]
    parts[0] += f" on {where}"
    parts += [f"{wager.title} {_amounts(table.rules, wager)}" for wager in table.rules.sides]
    if most_paid := payout_words(rules):
        parts.append(most_paid)
    return "; ".join(parts)


def _amounts(rules: TableRules, wager: Wager) -> str:
    side = side_limits(wager, rules.terms(wager.id))
    return dollars(side.cents_min) if wager.fixed_stake else f"{dollars(side.cents_min)} to {dollars(side.cents_max)}"


_NAMES = {1: "left", 2: "middle", 3: "right"}


def _misburned(table: Table) -> tuple[str, ...]:
    """What shows that the wrong community card was burned, as long as that is not ruled."""
    if not any(report.kind == "wrong_burn" for report in faults.evident(table)):
        return ()
    gone = next(number for number in _NAMES if table.misburned and table.misburned.source == places.community(number))
    return (f"The {_NAMES[gone]} card of the community area lies in the rack; the others are in their places.",)


def _foreign(table: Table) -> tuple[str, ...]:
    """What the backs of cards show that do not belong to the deck, where they lie face up."""
    hands = ((places.hand(number), f"seat {number}") for number in table.seats)
    area = ((place, "the community area") for place in places.COMMUNITY)
    return tuple(
        f"The {card.face.name} of {where} is a shade paler than the other cards."
        if card.face is not JOKER
        else f"A joker lies in {where}."
        for place, where in (*hands, *area)
        for card in table.at(place)
        if card.foreign and card.up
    )
