"""Effects: what a step of the script moves and says: cards, chips, words; never whether it may be done."""

from __future__ import annotations

from collections.abc import Iterator

from letitride.engine import commands, places
from letitride.engine.places import Chips, Move
from letitride.engine.state import Table
from letitride.engine.steps import Step
from letitride.rules.banking import bank_fee, seat_of_throw, wagers_fee
from letitride.rules.hands import announce, evaluate
from letitride.rules.three_card import announce_three


def purse_of(seat: int, medium: str) -> str:
    """The account that a seat's stakes come from and go back to."""
    return places.tokens(seat) if medium == "tokens" else places.stack(seat)


def found(table: Table, command: commands.Do) -> int:
    """Return the seat that a throw of the dice finds."""
    return seat_of_throw(command.throw, table.bank_seat, table.dealt_in)


def all_cards(table: Table, source: str, target: str, *, up: bool = False) -> Iterator[Move]:
    """Return every card of a place going to another."""
    return (Move(card, source, target, up) for card in table.at(source))


def _ordered(table: Table, step: Step, command: commands.Do, sources: tuple[str, ...], target: str) -> Iterator[Move]:
    """Move a deck's cards so that they lie in the order of the shuffle."""
    by_face = {
        str(card.face): (card, source) for source in sources for card in table.at(source) if card.deck == step.number
    }
    return (Move(*by_face[face], target, False) for face in command.order)


def _deck_from(table: Table, source: str, deck: int, target: str, *, up: bool = False) -> Iterator[Move]:
    return (Move(card, source, target, up) for card in table.at(source) if card.deck == deck)


def moves(table: Table, step: Step, command: commands.Do) -> Iterator[Move]:
    """Yield the cards a step moves."""
    top = table.at(places.READY)
    up = table.rules.rules.deal.face == "up"
    match step.kind:
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
            for source in (places.RACK, places.READY):
                yield from all_cards(table, source, places.SPREAD, up=command.face_up)
        case "start_shuffle" | "mix_deck":
            yield from _ordered(table, step, command, (places.NEST,), places.NEST)
        case "shuffle_deck":
            yield from _ordered(table, step, command, (places.CHEST, places.SPREAD), places.SPREAD)
        case "cut_deck":
            yield from (Move(c, places.SPREAD, places.SPREAD, False) for c in table.at(places.SPREAD)[: command.cut])
        case "load_shoe" | "hold_deck":
            yield from all_cards(table, places.SPREAD, places.READY)
        case "free_deck":
            yield from all_cards(table, places.NEST, places.READY)
        case "swap_decks":
            yield from all_cards(table, places.NEST, places.READY)
            yield from all_cards(table, places.RACK, places.NEST)
        case "deal_packet":
            yield from (Move(card, places.READY, places.hand(step.seat), up) for card in top[:3])
        case "deal_card":
            yield Move(top[0], places.READY, places.hand(step.seat), up)
        case "deal_community":
            yield Move(top[0], places.READY, places.community(step.number), False)
        case "deal_dealer_packet":
            packet = top[:3] if table.rules.rules.deal.packet_top == "first_out" else top[:3][::-1]
            yield from (Move(card, places.READY, places.PACKET, False) for card in packet)
        case "slide_left" | "slide_right":
            yield Move(table.at(places.PACKET)[0], places.PACKET, places.community(step.number), False)
        case "burn_bottom":
            yield Move(table.at(places.PACKET)[-1], places.PACKET, places.RACK, False)
        case "burn_first" | "burn_last":
            place = places.community(1 if step.kind == "burn_first" else 3)
            yield from all_cards(table, place, places.RACK)
        case "unload_stub" | "rack_stub" | "collect_stub":
            yield from all_cards(table, places.READY, places.RACK)
        case "turn_community":
            yield from _turn(table, step.number)
        case "move_community":
            shown = next(card for card in table.at(places.community(3)) if card.up)
            yield Move(shown, places.community(3), places.community(4), True)
        case "tuck_cards" | "lay_cards":
            yield from all_cards(table, places.hand(step.seat), places.hand(step.seat))
        case "open_hand":
            yield from all_cards(table, places.hand(step.seat), places.hand(step.seat), up=True)
        case "pick_up":
            yield from all_cards(table, places.hand(step.seat), places.PICKED, up=True)
        case "collect_hand":
            yield from all_cards(table, places.hand(step.seat), places.RACK)
        case "collect_picked":
            yield from all_cards(table, places.PICKED, places.RACK)
        case "collect_community":
            for source in (*places.COMMUNITY, places.PACKET):
                yield from all_cards(table, source, places.RACK)
        case _:
            return


def _turn(table: Table, number: int) -> Iterator[Move]:
    """Turn a community card; of a line of three, the first to be turned is laid on the card that remains."""
    in_line = table.rules.rules.community.area == "three_in_line"
    place = places.community(3 if in_line and number == 2 else 2 if in_line else number)
    target = places.community(3) if in_line and number == 1 else place
    yield from (Move(card, place, target, True) for card in table.at(place) if not card.up)


def chips(table: Table, step: Step) -> Iterator[Chips]:
    """Yield the amounts a step moves."""
    if not step.seat:
        return
    seat, rules = table.seats[step.seat], table.rules.rules
    spot, purse = places.felt(step.seat, step.wager), purse_of(step.seat, seat.medium)
    bank = places.TRAY if rules.bank.mode == "house" else places.BANK
    match step.kind:
        case "collect_bonus" | "place_lammer":
            yield Chips(spot, bank, table.cents(spot))
        case "push_back":
            yield Chips(spot, purse, table.cents(spot))
        case "pay" | "take" | "return_wager":
            (result,) = (one for one in seat.results if one.wager == step.wager)
            taken = result.stake_cents - result.back_cents if step.kind == "take" else 0
            moved = (
                (spot, bank, taken),
                (bank, places.stack(step.seat), result.paid_cents),  # wins are paid in chips
                (spot, purse, result.back_cents),
            )
            yield from (Chips(*one) for one in moved if one[2])
        case "collect_fee":
            banks = step.seat == table.bank_seat
            fee = bank_fee(rules) if banks else wagers_fee(rules, len(seat.wagers))
            if fee:
                yield Chips(places.stack(step.seat), places.FEES, fee)
        case "return_stake" if table.cents(places.BANK):
            yield Chips(places.BANK, places.stack(step.seat), table.cents(places.BANK))
        case _:
            return


def says(table: Table, step: Step, command: commands.Do) -> str:
    """Return what is announced with a step."""
    match step.kind:
        case "call_no_more_bets":
            return "no more bets"
        case "open_hand":
            return read_hand(table, step.seat)
        case "throw_dice":
            return f"{command.throw}: the action starts at seat {found(table, command)}"
        case "count_deck":
            return f"{len(table.at(places.NEST))} cards"
        case "count_stub":
            return f"{len(table.at(places.READY))} cards"
        case "show_awards":
            return f"{step.number} hand{'s' * (step.number > 1)}"
        case _:
            return ""


def read_hand(table: Table, seat: int) -> str:
    """Return the best reading of a seat's hand with both community cards, and of its three for a side bet."""
    own = tuple(card.face for card in table.at(places.hand(seat)))
    words = announce(evaluate((*own, *table.community_cards())))
    if "three_card" in table.seats[seat].wagers:
        words += f"; three cards: {announce_three(own)}"
    return words
