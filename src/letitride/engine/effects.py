"""Effects: the cards that a step of the script moves, and what is found and said with it; never whether it may be."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from letitride.engine import commands, faults, mixing, places
from letitride.engine.places import CardObject, Move
from letitride.engine.state import Table
from letitride.engine.steps import Step
from letitride.rules.banking import seat_of_throw
from letitride.rules.cards import DECK
from letitride.rules.hands import Reading, evaluate, reading
from letitride.rules.rankings import THREE_CARD
from letitride.rules.settlement import Spot, WagerResult
from letitride.rules.table_rules import TableRules, per_rules
from letitride.rules.three_hands import reading_three
from letitride.rules.words import quantity


def found(table: Table, command: commands.Do) -> int:
    """Return the seat that a throw of the dice finds."""
    return seat_of_throw(command.throw, table.bank_seat, table.dealt_in)


def all_cards(table: Table, source: str, target: str, *, up: bool = False) -> list[Move]:
    """Return every card of a place going to another."""
    return [Move(card, source, target, up) for card in table.at(source)]


def as_they_lie(table: Table, source: str, target: str) -> list[Move]:
    """Return every card of a place going to another, unturned: one that lies face up in the deck stays so."""
    return [Move(card, source, target, card.up) for card in table.at(source)]


def on_top(table: Table, card: CardObject, source: str) -> Iterator[Move]:
    """Return a card going back on top of the deck."""
    yield Move(card, source, places.READY, False)
    yield from (Move(other, places.READY, places.READY, other.up) for other in table.at(places.READY))


def _first_serial(table: Table, deck: int) -> int:
    """Return the serial number of the first card of a deck that is opened now: no card of that color had it."""
    known = (card.serial for held in table.cards.values() for card in held if card.deck == deck)
    return 52 * (max(known) // 52 + 1)


def _deck_from(table: Table, source: str, deck: int, target: str, *, up: bool = False) -> Iterator[Move]:
    return (Move(card, source, target, up) for card in table.at(source) if card.deck == deck)


def moves(table: Table, step: Step, command: commands.Do) -> Iterator[Move]:
    """Yield the cards a step moves."""
    top = table.at(places.READY)
    up = table.rules.rules.deal.face == "up"
    match step.kind:
        case "pay" | "take" | "ask" | "fan_packet" | "push_back" | "collect_bonus" | "collect_fee":  # the commonest
            pass
        case "deal_card":
            yield Move(top[0], places.READY, places.hand(step.seat), up or top[0].up)
        case "deal_packet":
            yield from [Move(card, places.READY, places.hand(step.seat), up or card.up) for card in top[:3]]
        case "open_hand":
            yield from all_cards(table, places.hand(step.seat), places.hand(step.seat), up=True)
        case "tuck_cards" | "lay_cards":
            yield from all_cards(table, places.hand(step.seat), places.hand(step.seat))
        case "collect_hand":
            yield from all_cards(table, places.hand(step.seat), places.RACK)
        case "pick_up":
            yield from all_cards(table, places.hand(step.seat), places.PICKED, up=True)
        case "spread_deck":  # by suit and in sequence
            in_order = sorted(table.at(places.CHEST), key=lambda card: (card.face.suit, card.face.rank))
            yield from (Move(card, places.CHEST, places.SPREAD, True) for card in in_order)
        case "turn_up_spread":
            yield from all_cards(table, places.SPREAD, places.SPREAD, up=True)
        case "wash_deck":
            yield from _deck_from(table, places.SPREAD, step.number, places.SPREAD)
        case "load_deck":
            for source in (places.CHEST, places.SPREAD):
                yield from _deck_from(table, source, step.number, places.NEST)
        case "rack_deck":
            yield from _deck_from(table, places.CHEST, step.number, places.RACK)
        case "spread_idle" | "gather_deck":
            for source in (places.RACK, places.READY, places.DRAWN):
                yield from all_cards(table, source, places.SPREAD, up=command.face_up)
        case "start_shuffle" | "mix_deck" if not command.unbound:
            yield from mixing.ordered(table, step, command.order, (places.NEST,), places.NEST)
        case "mix_rest":
            yield from mixing.mixed_rest(table, command.order)
        case "shuffle_deck" if command.unbound:
            for source in (places.CHEST, places.SPREAD):
                yield from _deck_from(table, source, step.number, places.SPREAD)
        case "shuffle_deck":
            yield from mixing.ordered(table, step, command.order, (places.CHEST, places.SPREAD), places.SPREAD)
        case "cut_deck":
            yield from (Move(c, places.SPREAD, places.SPREAD, c.up) for c in table.at(places.SPREAD)[: command.cut])
        case "load_shoe" | "hold_deck":
            yield from as_they_lie(table, places.SPREAD, places.READY)
        case "free_deck":
            yield from as_they_lie(table, places.NEST, places.READY)
        case "swap_decks":
            yield from as_they_lie(table, places.NEST, places.READY)
            yield from all_cards(table, places.RACK, places.NEST)
        case "deal_community":
            yield Move(top[0], places.READY, places.community(step.number), top[0].up)
        case "deal_dealer_packet":
            packet = top[:3] if table.rules.rules.deal.packet_top == "first_out" else top[:3][::-1]
            yield from (Move(card, places.READY, places.PACKET, card.up) for card in packet)
        case "slide_left" | "slide_right":
            card = table.at(places.PACKET)[0]
            yield Move(card, places.PACKET, places.community(step.number), card.up)
        case "burn_bottom":
            yield Move(table.at(places.PACKET)[-1], places.PACKET, places.RACK, False)
        case "burn_first" | "burn_last":
            place = places.community(1 if step.kind == "burn_first" else 3)
            yield from all_cards(table, place, places.RACK)
        case "burn_top":
            yield Move(top[0], places.READY, places.RACK, False)
        case "unload_stub" | "rack_stub" | "collect_stub":
            yield from all_cards(table, places.READY, places.RACK)
        case "turn_community":
            yield from _turn(table, step.number)
        case "move_community":
            last = _in_line(table)[-1]
            shown = table.at(last)[-1]  # laid there when it was turned
            yield Move(shown, last, places.community(4), True)
        case "collect_picked":
            yield from all_cards(table, places.PICKED, places.RACK)
        case "collect_community":
            strays = (places.hand(number) for number, seat in table.seats.items() if not seat.dealt_in)
            for source in (*places.COMMUNITY, places.PACKET, places.DRAWN, *strays):
                yield from all_cards(table, source, places.RACK)
        case _:
            yield from _mending_moves(table, step)


def _mending_moves(table: Table, step: Step) -> Iterator[Move]:
    """Yield the cards that a step of a ruling moves."""
    hand, top = places.hand(step.seat), table.at(places.READY)
    match step.kind:
        case "turn_down":
            yield from all_cards(table, hand, hand)
        case "discard_exposed":
            yield from (Move(card, hand, places.RACK, False) for card in table.at(hand) if card.up)
        case "replace_card":
            yield Move(top[0], places.READY, hand, top[0].up)
        case "turn_down_community":
            place = _community_place(table, step.number)
            yield from (Move(c, place, place, c.up and c not in _exposed(table, step)) for c in table.at(place))
        case "discard_community":
            place = _community_place(table, step.number)
            yield from (Move(card, place, places.RACK, False) for card in _exposed(table, step))
        case "replace_community":
            place = _community_place(table, step.number)
            yield Move(top[0], places.READY, place, top[0].up)
            yield from (Move(c, place, place, c.up) for c in _beneath(table, step.number))
        case "turn_down_burn":
            yield Move(table.at(places.PACKET)[-1], places.PACKET, places.PACKET, False)
        case "use_drawn":
            yield from on_top(table, table.at(places.DRAWN)[0], places.DRAWN)
        case "discard_drawn":
            yield from all_cards(table, places.DRAWN, places.RACK)
        case "take_back_burned" if table.misburned is not None:
            card = msgspec.structs.replace(table.misburned.card, up=table.misburned.up)  # as it lies in the rack
            yield Move(card, places.RACK, table.misburned.source, False)
        case "discard_hand":
            yield from all_cards(table, hand, places.RACK)
        case "collect_round" | "floor_collects":
            laid = (*(places.hand(number) for number in table.seats), *places.COMMUNITY, places.PACKET)
            ready = (places.READY,) if step.kind == "collect_round" else ()
            for source in (*laid, places.PICKED, places.DRAWN, *ready):
                yield from all_cards(table, source, places.RACK)
        case "floor_unloads":
            yield from all_cards(table, places.READY, places.RACK)
        case "take_back_deck":
            yield from as_they_lie(table, places.READY, places.SPREAD)
        case "remove_deck":
            for source in table.cards:
                if source != places.OUTSIDE:
                    yield from _deck_from(table, source, step.number, places.OUTSIDE)
        case "introduce_deck":
            first = _first_serial(table, step.number)
            new = (CardObject(step.number, first + card.index, card) for card in DECK)
            yield from (Move(card, places.OUTSIDE, places.CHEST, False) for card in new)
        case "change_card" if found_card := faults.card_in_use(table, step.number, step.wager):
            old, place = found_card
            yield Move(old, place, places.OUTSIDE, False)
            serial = _first_serial(table, step.number) + old.face.index
            yield Move(CardObject(step.number, serial, old.face), places.OUTSIDE, place, old.up)


def _community_place(table: Table, number: int) -> str:
    """Where the card for a place of the community area lies: there, or still in the dealer's packet."""
    return places.PACKET if number in faults.slides_due(table) else places.community(number)


def _exposed(table: Table, step: Step) -> list[CardObject]:
    """The face-up cards of one place of the community area."""
    return [card for number, card in faults.early_community(table) if number == step.number]


def _beneath(table: Table, number: int) -> tuple[CardObject, ...]:
    """The cards of the dealer's packet that lie beneath the one for a place of the community area."""
    slides = faults.slides_due(table)
    return table.at(places.PACKET)[slides.index(number) :] if number in slides else ()


def _turn(table: Table, number: int) -> Iterator[Move]:
    """Turn a community card; of a line of three, the first to be turned is laid on the card that remains."""
    if table.rules.rules.community.area == "three_in_line":
        line = _in_line(table)
        place, target = line[0], line[-1]
    else:
        place = target = _to_turn(table, number)
    yield from all_cards(table, place, target, up=True)


def _to_turn(table: Table, number: int) -> str:
    """Where the community card lies that is turned now: another than usual, where that one was burned in its place."""
    usual = places.community(number)
    down = [place for place in places.COMMUNITY if any(not card.up for card in table.at(place))]
    return down[0] if table.misburned is not None and down and usual not in down else usual


def _in_line(table: Table) -> list[str]:
    """The places of a line of three that have a card, from the dealer's left: two of them once one is burned."""
    return [place for place in places.COMMUNITY[:3] if table.at(place)]


def results(table: Table, step: Step) -> tuple[WagerResult, ...]:
    """Return what the bets of a seat come to by a step that makes them void or forfeits them."""
    if step.kind not in {"return_bets", "forfeit_bets"}:
        return ()
    seat, forfeited = table.seats[step.seat], step.kind == "forfeit_bets"
    rows: list[WagerResult] = []
    for name, cents in seat.wagers.items():
        if name not in seat.withdrawn:
            rows.append(
                WagerResult(name, cents, "forfeited" if forfeited else "void", back_cents=cents * (not forfeited))
            )
        else:  # what the house kept of it is returned only with the hand
            back = table.rules.by_spot[name].withdrawn_cents(cents) if forfeited else cents
            rows.append(WagerResult(name, cents, "withdrawn", back_cents=back))
    return tuple(rows)


def count(table: Table, step: Step, command: commands.Do) -> int:
    """Return what a step finds: the seat of a throw, or the number of a count."""
    match step.kind:
        case "throw_dice":
            return found(table, command)
        case "count_cards" | "floor_counts" | "count_down" | "check_through" | "check_deck":
            return faults.deck_count(table, step.number)
        case "count_hand":
            return len(table.at(places.hand(step.seat)))
        case "count_deck":
            return len(table.at(places.NEST) or table.at(places.READY))
        case "count_stub":
            return len(table.at(places.READY))
        case _:
            return 0


def says(table: Table, step: Step, command: commands.Do) -> str:
    """Return what is announced with a step."""
    if step.seat and step.kind not in {"open_hand", "count_hand"}:
        return ""
    match step.kind:
        case "call_no_more_bets":
            return "no more bets"
        case "open_hand":
            return read_hand(table, step.seat)
        case "throw_dice":
            return f"{command.throw}: the action starts at seat {found(table, command)}"
        case "count_deck" | "count_stub" | "count_cards" | "floor_counts" | "count_down" | "count_hand":
            return f"{count(table, step, command)} cards"
        case "check_through" | "check_deck":
            counted, whole = count(table, step, command), faults.deck_is_whole(table, step.number)
            return f"{counted} cards, {'all of them right' if whole else 'not the 52 of the deck'}"
        case "declare_misdeal" | "floor_declares_misdeal":
            what = "hands" if table.rules.rules.misdeal.effect == "hands_void" else "bets"
            return f"misdeal: all {what} are void"
        case "declare_hands_void":
            return "all hands are void"
        case "declare_round_void":
            return "the round is void"
        case "show_awards":
            return quantity(step.number, "hand")
        case _:
            return ""


def read_hand(table: Table, seat: int) -> str:
    """Return the best reading of a seat's hand with both community cards, and of its three for a side bet."""
    read = readings(table, seat)
    return "; three cards: ".join([one.words for one in read]) if read else faults.unreadable(table, seat)


def readings(table: Table, seat: int) -> tuple[Reading, ...]:
    """Return how a seat's hand is read, in parts: five cards, then three for a side bet; nothing if unreadable."""
    if faults.unreadable(table, seat):
        return ()
    own = table.faces(seat)
    five = reading(evaluate((*own, *table.community_cards())))
    on_five_alone = _judged_on_three(table.rules).isdisjoint(table.seats[seat].wagers)
    return (five,) if on_five_alone else (five, reading_three(own))


@per_rules
def _judged_on_three(rules: TableRules) -> frozenset[Spot]:
    """Return the spots of bets that the three cards of a hand decide, read by poker."""
    on_three = (one for one in rules.sides if one.judged_on == "own_three" and one.ranking is THREE_CARD)
    return frozenset(wager.spot for wager in on_three)
