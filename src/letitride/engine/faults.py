"""Irregularities in sight: what is wrong at a table, as the cards and chips lie; never what is done about it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from letitride.engine import agenda, commands, places
from letitride.engine.places import CardObject
from letitride.engine.state import Seat, Table
from letitride.engine.steps import KINDS, Step
from letitride.ledger import accounts
from letitride.rules.cards import JOKER
from letitride.rules.keys import Rules
from letitride.rules.keys.play import TOP_BURNS
from letitride.rules.limits import spot_ceiling, spot_floor
from letitride.rules.settlement import Spot
from letitride.rules.wager_table import BASE_SPOTS
from letitride.rules.words import quantity

IN_PLAY = frozenset({"dealing", "choice_1", "choice_2"})
"""The parts of a round in which hands are dealt or held."""
ROUND = IN_PLAY | {"settling"}


def _pending(table: Table, *kinds: str, seat: int = 0) -> int:
    return sum(step.kind in kinds and (not seat or step.seat == seat) for step in table.agenda)


def cards_due(table: Table, seat: int) -> int:
    """How many cards a seat's hand should have now."""
    if not table.seats[seat].dealt_in or _pending(table, "deal_packet", seat=seat):
        return 0
    to_come = _pending(table, "deal_card", "replace_card", seat=seat)
    return 3 - to_come + _pending(table, "discard_exposed", seat=seat)


def dealer_cards(table: Table) -> int:
    """How many cards the dealer's packet and the community area hold."""
    return len(table.at(places.PACKET)) + len(table.community())


def dealer_cards_due(table: Table) -> int:
    """How many they should hold now."""
    rules = table.rules.rules
    if rules.deal.unit == "packet":
        dealt = 0 if _pending(table, "deal_dealer_packet") else 3
    else:
        dealt = agenda.community_cards(rules) - _pending(table, "deal_community")
    return dealt - _burned(table) - _pending(table, "replace_community") + _pending(table, "discard_community")


def _burned(table: Table) -> bool:
    """Whether one of the dealer's cards is burned by now: the one that is to be, or another in place of the deck's."""
    rules = table.rules.rules
    if rules.burn.card == "none":
        return False
    if misburned_for_top(table):
        return True
    when = agenda.burn_time(rules)
    if table.phase in _BEFORE_BURN[when]:
        return False
    return any(step not in table.agenda for step in agenda.burn(rules, when))


_BEFORE_BURN: Final = {"at_deal": (), "after_bet_1": ("dealing",), "after_bet_2": ("dealing", "choice_1")}
"""The parts of a round in which the card that is burned then still lies there."""


def can_misburn(rules: Rules) -> bool:
    """Whether a community card can be burned in place of another card, by a book."""
    in_area = rules.burn.card in {"first_community", "last_community"}
    return in_area or (rules.burn.card in TOP_BURNS and rules.burn.when == "at_turn")


def misburned_for_top(table: Table) -> bool:
    """Whether a community card lies in the rack in place of the deck's top card, so that it is missing."""
    return table.misburned is not None and table.rules.rules.burn.card in TOP_BURNS


def turned_since_burn(table: Table) -> bool:
    """Whether a community card was turned since the wrong one was burned."""
    before = 1 if table.rules.rules.burn.when == "after_bet_2" else 0
    return table.community_up > before and not misburned_for_top(table)


def early_community(table: Table) -> tuple[tuple[int, CardObject], ...]:
    """The community cards that lie face up before they are turned, with the number of their place."""
    up = [(number, card) for number, place in enumerate(places.COMMUNITY, 1) for card in table.at(place) if card.up]
    if table.phase == "dealing":
        return (*up, *((number, card) for number, card in in_packet(table).items() if card.up))
    return tuple(up[table.community_up :])


def in_packet(table: Table) -> dict[int, CardObject]:
    """The cards of the dealer's packet that go to the community area, by the number of their place there."""
    return dict(zip(slides_due(table), table.at(places.PACKET), strict=False))  # a wrong packet may be short


def slides_due(table: Table) -> list[int]:
    """The places of the community area to which cards of the dealer's packet are still to be slid."""
    return [step.number for step in table.agenda if step.kind in {"slide_left", "slide_right"}]


def exposed_seats(table: Table) -> dict[int, int]:
    """How many cards the deal has left exposed in each hand, where cards are dealt face down."""
    if table.rules.rules.deal.face == "up" or table.phase not in IN_PLAY:
        return {}
    found = {number: sum(card.up for card in table.at(places.hand(number))) for number in table.seats}
    return {number: count for number, count in found.items() if count}


def has_burn(table: Table) -> bool:
    """Whether the bottom card of the dealer's packet lies there to be burned."""
    burns = table.rules.rules.burn.card == "bottom_of_packet"
    return burns and len(table.at(places.PACKET)) > len(slides_due(table))


def burn_is_exposed(table: Table) -> bool:
    """Whether the burn card of the dealer's packet lies face up, where cards are dealt face down."""
    return table.rules.rules.deal.face == "down" and has_burn(table) and table.at(places.PACKET)[-1].up


def cards_exposed(table: Table) -> int:
    """How many cards this deal has exposed, those among them that were turned down, discarded or burned since."""
    drawn = sum(card.up for card in table.at(places.DRAWN))
    early = sum(not is_handled(table) or number in table.exposed_early for number, _ in early_community(table))
    return table.exposed + sum(exposed_seats(table).values()) + early + drawn + burn_is_exposed(table)


def is_handled(table: Table) -> bool:
    """Whether a player in the round has handled the cards."""
    return any(seat.dealt_in and seat.handled for seat in table.seats.values())


def in_deal(table: Table) -> bool:
    """Whether cards still come from the deck."""
    return table.phase == "dealing" and bool(table.at(places.READY))


_OFF_THE_DECK: Final = frozenset(
    {"deal_packet", "deal_card", "deal_dealer_packet", "deal_community", "replace_card", "replace_community"}
)
"""The steps that take a card of the round off the deck."""


def cards_to_come(table: Table) -> bool:
    """Whether a card of this round is still to be dealt."""
    return _pending(table, *_OFF_THE_DECK) > 0


def deck_in_play(table: Table) -> int:
    """The number of the deck that this round is, or would be, dealt from."""
    hands = (places.hand(number) for number in table.seats)
    for place in (places.READY, *hands, *places.COMMUNITY, places.NEST, places.CHEST):
        if held := table.at(place):
            return held[0].deck
    return 1  # a table with two decks always has one of them there


def deck_count(table: Table, deck: int) -> int:
    """How many cards of a deck are at the table, foreign ones among them."""
    return sum(card.deck == deck for place, held in table.cards.items() if place != places.OUTSIDE for card in held)


def deck_is_whole(table: Table, deck: int) -> bool:
    """Whether a deck is the 52 cards, each once."""
    held = [
        card for place, cards in table.cards.items() if place != places.OUTSIDE for card in cards if card.deck == deck
    ]
    return len(held) == 52 and not any(card.foreign for card in held)


def belongs(table: Table, card: CardObject, deck: int) -> bool:
    """Whether a card is one of the 52 of the deck that is in use under a number."""
    return card.deck == deck and card.serial in serials_in_use(table, deck)


def serials_in_use(table: Table, deck: int) -> Collection[int]:
    """Return the serial numbers of the 52 cards of a deck that are in use."""
    return table.deck_serials.get(deck, _AS_OPENED)


_AS_OPENED: Final = range(52)


def card_in_use(table: Table, deck: int, face: str) -> tuple[CardObject, str] | None:
    """Return a card of a deck and where it lies; None where the table has none."""
    for place, held in table.cards.items():
        for card in held if place != places.OUTSIDE else ():
            if str(card.face) == face and belongs(table, card, deck):
                return card, place
    return None


def unreadable(table: Table, seat: int) -> str:
    """Return why a seat's cards and the community cards make no hand, or ''."""
    held = table.at(places.hand(seat))
    if _is_miscounted(held):
        return quantity(len(held), "card")
    faces = [card.face.index for card in (*held, *table.community())]
    if len(set(faces)) != len(faces):
        return "a card twice"
    return "a joker" if JOKER.index in faces else ""


def _is_miscounted(held: tuple[CardObject, ...]) -> bool:
    """Whether a hand that lies there when all cards are dealt is not one of three cards."""
    return len(held) != 3 and bool(held)


def foreign_up(table: Table) -> bool:
    """Whether a card that does not belong to the deck lies face up on the table, where all see it."""
    laid = (*places.COMMUNITY, places.PACKET, places.DRAWN, places.PICKED)
    shown = (*(places.hand(number) for number in table.seats), *laid)
    return any(card.foreign and card.up for place in shown for card in table.at(place))


def holds_foreign(table: Table, seat: int) -> bool:
    """Whether a player who has looked holds a card that does not belong to the deck."""
    return table.seats[seat].looked and any(card.foreign for card in table.at(places.hand(seat)))


def over_maximum(table: Table, seat: Seat) -> dict[Spot, int]:
    """By how much each base wager of a seat that lies on its spot is over the maximum; what is settled stands."""
    if not table.bet_cents_max:
        return {}
    most = spot_ceiling(table.rules.rules.limit, table.bet_cents_max)
    lying = {spot: table.cents(accounts.felt(seat.number, spot)) for spot in BASE_SPOTS if spot not in seat.withdrawn}
    return {spot: cents - most for spot, cents in lying.items() if cents > most}


def under_minimum(table: Table, seat: Seat) -> bool:
    """Whether a base wager of a seat is under the minimum."""
    least = spot_floor(table.rules.rules.limit, table.bet_cents_min)
    return any(0 < seat.wagers.get(spot, 0) < least for spot in BASE_SPOTS)


def evident(table: Table) -> Iterator[commands.Report]:
    """Yield what an attentive dealer would report now, most urgent first."""
    seen = (report for report in _visible(table) if not was_ruled(table, report))
    return seen if table.phase in ROUND else iter(())


_LETS_STAND = frozenset({"go_on", "stands", "must_correct"})


def was_ruled(table: Table, report: commands.Report) -> bool:
    """Whether the same thing was ruled in this round already and let stand."""
    for ruling in table.rulings:
        kind, _, decision = ruling.name.partition(":")
        same = (kind, ruling.seat, ruling.number) == (report.kind, report.seat, report.number)
        if same and decision in _LETS_STAND:
            return True
    return False


def is_mending(table: Table) -> bool:
    """Whether a ruling is being carried out."""
    return table.next_step is not None and KINDS[table.next_step.kind].mends


def _visible(table: Table) -> Iterator[commands.Report]:
    if foreign_up(table):
        yield commands.Report(kind="deck")
    if table.phase in IN_PLAY:
        yield from _cards(table)
        yield from _bets(table)
    if table.phase == "settling":
        yield from _at_the_showdown(table)
    step = table.next_step
    if step is not None and step.kind == "await_choice" and table.seats[step.seat].away:
        yield commands.Report(kind="absent", seat=step.seat)


def _at_the_showdown(table: Table) -> Iterator[commands.Report]:
    """Yield what is found though the hands are played: a hand that is none, a bet that is more than may be paid."""
    for number in table.dealt_in:
        if _is_miscounted(table.at(places.hand(number))):
            yield commands.Report(kind="hand_count", seat=number)
        if table.rules.rules.bank.mode == "house" and over_maximum(table, table.seats[number]):
            yield commands.Report(kind="over_maximum", seat=number)


def _cards(table: Table) -> Iterator[commands.Report]:
    for number in exposed_seats(table):
        yield commands.Report(kind="exposed_card", seat=number)
    if burn_is_exposed(table):
        yield commands.Report(kind="exposed_burn")
    for number, _ in early_community(table):
        yield commands.Report(kind="exposed_community", number=number)
    if table.at(places.DRAWN):
        yield commands.Report(kind="drawn_card")
    if is_unloaded(table):
        yield commands.Report(kind="unloaded")
    for number, seat in table.seats.items():
        held = len(table.at(places.hand(number)))
        if seat.dealt_in and held != cards_due(table, number):
            yield commands.Report(kind="hand_count", seat=number)
        if held and not seat.dealt_in and not seat.void:
            yield commands.Report(kind="stray_hand", seat=number)
    if dealer_cards(table) != dealer_cards_due(table):
        yield commands.Report(kind="dealer_count")
    if table.misburned is not None:
        yield commands.Report(kind="wrong_burn")


def _bets(table: Table) -> Iterator[commands.Report]:
    for number, seat in table.seats.items():
        if seat.dealt_in and seat.has_base:
            if not seat.is_even:
                yield commands.Report(kind="uneven_bets", seat=number)
            if over_maximum(table, seat):
                yield commands.Report(kind="over_maximum", seat=number)
            if under_minimum(table, seat):
                yield commands.Report(kind="under_minimum", seat=number)


def is_unloaded(table: Table) -> bool:
    """Whether the deck has left the device although the dealer's packet is still to come."""
    is_next = bool(_pending(table, "deal_dealer_packet")) and not _pending(table, "deal_packet")
    return is_next and len(table.at(places.READY)) < 3


def blocked(table: Table, step: Step) -> str:
    """Return why a step cannot be carried out as the cards lie, or ''."""
    match step.kind:
        case "pay" | "take" | "return_wager" | "pick_up" | "leave_exposed" | "collect_hand":
            why = unreadable(table, step.seat) if table.phase == "settling" else ""
            return f"seat {step.seat} has {why}" if why else ""
        case "deal_packet" | "deal_dealer_packet" if len(table.at(places.READY)) < 3:
            return f"the deck has {len(table.at(places.READY))} cards left"
        case "deal_card" | "deal_community" | "replace_card" | "replace_community" if not table.at(places.READY):
            return "the deck has no card left"
        case "slide_left" | "slide_right" | "burn_bottom" if not table.at(places.PACKET):
            return "the dealer's packet has no card left"
        case "burn_first" | "burn_last" if not table.at(places.community(1 if step.kind == "burn_first" else 3)):
            return "there is no card to burn"
        case "burn_top" if not table.at(places.READY):
            return "the deck has no card left"
        case "turn_community" if misburned_for_top(table):
            return "the wrong card was burned"
        case "turn_community" | "move_community" if dealer_cards(table) != dealer_cards_due(table):
            return "the dealer's cards are too many or too few"
        case _:
            return ""
