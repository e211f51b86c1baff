"""Irregularities as they happen: cards that fall wrong, chips that lie wrong, noticed or not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from letitride.engine import amounts, bets, commands, effects, events, faults, mixing, places
from letitride.engine.places import CardObject, Move
from letitride.engine.refusal import Refusal
from letitride.engine.state import Table
from letitride.ledger.transfers import Transfer
from letitride.rules.roles import TABLE
from letitride.rules.settlement import Spot
from letitride.rules.wager_table import BASE_SPOTS

_OFF_THE_DECK: Final = frozenset({"long", "stray", "drawn"})
"""What goes wrong with cards as they come off the deck."""


def refuse(table: Table, mishap: commands.Mishap) -> Refusal | None:
    """Return why an irregularity cannot have happened now, or None."""
    if mishap.by != TABLE:
        return Refusal("not_your_role", "Only the record of the table says what went wrong.")
    if not _is_sound(mishap):
        return Refusal("bad_mishap", f"What went wrong ('{mishap.kind}') says only where it happened.")
    if mishap.seat and mishap.seat not in table.seats:
        return Refusal("no_such_seat", f"This table has seats 1 to {len(table.seats)}. There's no seat {mishap.seat}.")
    if table.phase in faults.IN_PLAY and (refusal := _refuse_for_good(table, mishap)):
        return refusal
    if mishap.kind != "bets" and mixing.is_unbound(table):
        return Refusal("not_now", "That happens to cards, and no card of this deck is dealt yet.")
    after_deal = mishap.kind == "burn" or (mishap.kind == "exposed" and not mishap.seat)
    if table.phase not in faults.IN_PLAY or (table.phase != "dealing" and not after_deal):
        return Refusal("not_now", "That happens only while cards are dealt.")
    if mishap.kind in _OFF_THE_DECK and any(step.kind == "gather_deck" for step in table.agenda):
        return Refusal("not_now", "No card comes off the deck before it is gathered and mixed again.")
    return (
        None
        if _is_possible(table, mishap)
        else Refusal("not_now", "That can't have happened at this point of the round.")
    )


def _refuse_for_good(table: Table, mishap: commands.Mishap) -> Refusal | None:
    """Return why an irregularity cannot happen in this deal, now or later, or None."""
    seat = table.seats.get(mishap.seat)
    if seat is not None and mishap.kind in {"exposed", "long", "short", "bets"} and not seat.dealt_in:
        return Refusal("not_now", f"Seat {seat.number} isn't dealt in.")
    if seat is not None and mishap.kind == "stray" and seat.dealt_in:
        return Refusal("not_now", f"Seat {seat.number} is dealt in. A stray hand lies at a seat without a bet.")
    cards = table.at(places.hand(mishap.seat)) if mishap.seat else table.community()
    if mishap.kind == "exposed" and 1 <= mishap.number <= len(cards) and _card(cards, mishap).up:
        return Refusal("not_now", f"Card {mishap.number} is already face up.")
    return None


def _is_sound(mishap: commands.Mishap) -> bool:
    """Whether an irregularity says just what one of its kind can say."""
    says = {
        "seat": {"exposed", "long", "short", "stray", "bets"},
        "wagers": {"bets"},
    }
    most = {"exposed": 9, "drawn": 1, "burn": 3}.get(mishap.kind, 0)
    silent = [name for name, kinds in says.items() if getattr(mishap, name) and mishap.kind not in kinds]
    return not silent and 0 <= mishap.number <= most and set(mishap.wagers) <= set(BASE_SPOTS)


def _is_possible(table: Table, mishap: commands.Mishap) -> bool:
    ready = table.at(places.READY)
    hand = table.at(places.hand(mishap.seat))
    match mishap.kind:
        case "exposed" if mishap.seat:
            down = table.rules.rules.deal.face == "down"
            return (
                bool(ready) and down and 0 <= mishap.number <= len(hand) and bool(hand) and not _card(hand, mishap).up
            )
        case "exposed":
            area = table.community()
            return 0 <= mishap.number <= len(area) and bool(area) and not _card(area, mishap).up
        case "exposed_burn":
            return faults.has_burn(table) and not table.at(places.PACKET)[-1].up
        case "long" | "short" if mishap.seat:
            right = bool(hand) and len(hand) == faults.cards_due(table, mishap.seat)
            return right and bool(ready)
        case "long" | "short":
            held = faults.dealer_cards(table)
            settled = not table.community() or table.rules.rules.deal.unit == "single"
            return bool(ready) and settled and held > 0 and held == faults.dealer_cards_due(table)
        case "stray":
            seat = table.seats.get(mishap.seat)
            return seat is not None and not seat.dealt_in and not seat.void and not hand and len(ready) >= 3
        case "drawn":
            return bool(ready) and not table.at(places.DRAWN)
        case "unloaded":
            pending = [step.kind for step in table.agenda]
            delivered = "deal_packet" not in pending and "deal_dealer_packet" in pending
            return delivered and bool(ready)
        case "bets":
            return _bets_possible(table, mishap)
        case "burn":
            return _burns_wrong(table, mishap.number)


def _burns_wrong(table: Table, number: int) -> bool:
    """Whether the card of a place of the community area can be burned now in place of the one that is due."""
    step = table.next_step
    area = {"burn_first": 1, "burn_last": 3}.get(step.kind, 0) if step else 0
    # At the deal the deck is in hand; later a hand that reaches for it may take a card that waits to be turned.
    top = step is not None and step.kind == "burn_top" and table.phase != "dealing"
    is_turned = number <= table.community_up
    return bool(area or top) and number != area and not is_turned and bool(table.at(places.community(number)))


def _card(cards: tuple[CardObject, ...], mishap: commands.Mishap) -> CardObject:
    """The card an irregularity is about: the one of its number, or the last."""
    return cards[mishap.number - 1]


def _bets_possible(table: Table, mishap: commands.Mishap) -> bool:
    seat = table.seats.get(mishap.seat)
    if seat is None or not seat.dealt_in or not seat.has_base or bets.betting_open(table):
        return False
    amounts = mishap.wagers.values()
    more = sum(amounts) - sum(seat.wagers.get(spot, 0) for spot in BASE_SPOTS)
    return any(amounts) and min(amounts) >= 0 and more <= bets.spare_cents(table, seat)


def happen(table: Table, mishap: commands.Mishap) -> events.MishapHappened:
    """Return an irregularity as the event that changes the table."""
    wagers: dict[Spot, int] | None = None
    chips: tuple[Transfer, ...] = ()
    if mishap.kind == "bets":
        seat = table.seats[mishap.seat]
        side = {name: cents for name, cents in seat.wagers.items() if name not in BASE_SPOTS}
        base: dict[Spot, int] = {spot: mishap.wagers[spot] for spot in BASE_SPOTS if mishap.wagers.get(spot)}
        lying: dict[Spot, int] = {**base, **side}
        wagers, chips = lying, tuple(amounts.changed_bets(table, mishap.seat, lying))
    moves = tuple(_moves(table, mishap))
    return events.MishapHappened(
        kind=mishap.kind, seat=mishap.seat, number=mishap.number, moves=moves, wagers=wagers, chips=chips
    )


def _moves(table: Table, mishap: commands.Mishap) -> Iterator[Move]:
    ready = table.at(places.READY)
    place = places.hand(mishap.seat) if mishap.seat else _dealers_place(table)
    match mishap.kind:
        case "exposed" if mishap.seat:
            shown = _card(table.at(place), mishap)
            yield from (Move(card, place, place, card.up or card is shown) for card in table.at(place))
        case "exposed":
            shown = _card(table.community(), mishap)
            there = next(one for one in places.COMMUNITY if shown in table.at(one))
            yield Move(shown, there, there, True)
        case "exposed_burn":
            *others, burn = table.at(places.PACKET)
            yield from (Move(card, places.PACKET, places.PACKET, card.up) for card in others)
            yield Move(burn, places.PACKET, places.PACKET, True)
        case "long":
            yield Move(ready[0], places.READY, place, ready[0].up)
        case "short":
            yield from effects.on_top(table, table.at(place)[-1], place)
        case "stray":
            yield from (Move(card, places.READY, place, card.up) for card in ready[:3])
        case "drawn":
            yield Move(ready[0], places.READY, places.DRAWN, mishap.number == 1 or ready[0].up)
        case "unloaded":
            yield from effects.all_cards(table, places.READY, places.RACK)
        case "burn":
            yield from effects.all_cards(table, places.community(mishap.number), places.RACK)


def _dealers_place(table: Table) -> str:
    """Where the dealer's last card lies."""
    if table.at(places.PACKET):
        return places.PACKET
    held = [place for place in places.COMMUNITY if table.at(place)]
    return held[-1] if held else places.PACKET
