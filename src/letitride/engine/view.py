"""View: what a viewer may see of a table and is offered there; the only way a table's cards leave the engine."""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from letitride.engine import faults, meters, places
from letitride.engine.agenda import NO_BANK, bank_stands_open, with_sensor
from letitride.engine.bets import betting_open, claimed_spot
from letitride.engine.offers import offers
from letitride.engine.places import CardObject
from letitride.engine.script import ScriptLine, line
from letitride.engine.sign import sign
from letitride.engine.state import Ruling, Seat, Table
from letitride.engine.view_types import (
    BankView,
    CardView,
    DeckView,
    FeltView,
    FixedView,
    LaidOutView,
    NoticesView,
    NoticeView,
    PrivateView,
    RulesView,
    RulingView,
    SeatView,
    SharedView,
    View,
)
from letitride.errors import InvalidData
from letitride.ledger import accounts
from letitride.rules.banking import order_of_action
from letitride.rules.cards import JOKER
from letitride.rules.hands import Reading, evaluate, reading
from letitride.rules.reasons import Reason, best_of, reason
from letitride.rules.roles import STAFF_VIEWERS, VIEWERS
from letitride.rules.settlement import WagerResult, counted_with

_COMMUNITY: Final = frozenset(places.COMMUNITY)
COLOURS: Final[dict[int, Literal["red", "blue"]]] = {1: "red", 2: "blue"}


def view(table: Table, viewer: str) -> View:
    """Return what a viewer ('seat:3', 'dealer', 'floor', 'inspector', 'spectator') may see."""
    if viewer not in VIEWERS and viewer not in {f"seat:{number}" for number in table.seats}:
        raise InvalidData(f"expected one of {', '.join(VIEWERS)} or seat:1 to seat:{len(table.seats)}, got '{viewer}'")
    seats = {number: seat_view(table, seat, viewer) for number, seat in table.seats.items()}
    parts = (fixed(table), shared(table), laid_out(table), private(table, viewer))
    return View(seats=seats, **{name: value for part in parts for name, value in vars(part).items()})


def fixed(table: Table) -> FixedView:
    """Return what all viewers see of a table and what does not change while `signs_of` stays the same."""
    rules = table.rules.rules
    return FixedView(
        book=table.rules.book.id,
        rules=RulesView(book=table.rules.book.id, sha256=table.rules.book.digest),
        sign=sign(table.rules, table.awards_hands),
        felt=FeltView(
            players_side=tuple(table.seats),
            dealer_side=("community", "tray", "rack"),
            spots=rules.layout.spots,
            community=rules.community.area,
            device=rules.device,
        ),
        coach=rules.coach,
        absent=rules.irreg.absent,
        absent_open=table.rules.absent_open,
    )


def signs_of(table: Table) -> tuple[int, int]:
    """Return what the fixed part of a view depends on: the rules in force and the column of awards on show."""
    return id(table.rules), table.awards_hands


def shared(table: Table) -> SharedView:
    """Return what all viewers see alike, except the cards and the seats."""
    return SharedView(
        version=table.version,
        phase=table.phase,
        round=table.round,
        round_running=round_running(table),
        betting_open=betting_open(table),
        bank=_bank(table),
        meters=meters.held(table),
        notices=_notices(table),
    )


def laid_out(table: Table) -> LaidOutView:
    """Return the cards outside the seats; they depend on where the table's cards are only."""
    return LaidOutView(
        community=_as_they_lie(table.community()),
        packet=_as_they_lie(table.at(places.PACKET)),
        deck=_deck(table),
        drawn=_as_they_lie(table.at(places.DRAWN)),
        spread=_as_they_lie(table.at(places.SPREAD)),
        rack=len(table.at(places.RACK)),
    )


def private(table: Table, viewer: str) -> PrivateView:
    """Return what a viewer learns and is offered beside what all viewers see."""
    return PrivateView(
        viewer=viewer,
        rulings=tuple(ruling_view(ruling) for ruling in table.rulings if is_told(table, ruling, viewer)),
        disputes=tuple(one for one in table.disputes if viewer in {*STAFF_VIEWERS, *table.viewers_of(one.seat)}),
        script=_script(table, viewer),
        offers=offers(table, viewer),
    )


def sees_more(table: Table, viewer: str) -> list[int]:
    """Return the seats of which a viewer sees more than a spectator does."""
    if not viewer.startswith("seat:"):
        return [number for number in table.seats if shown_to(table, viewer, number)]
    everybody_shows = not table.rules.rules.cards.hidden
    return [
        number
        for number in (table.seats if everybody_shows else table.own_seats(int(viewer.removeprefix("seat:"))))
        if table.seats[number].looked and not all(card.up for card in table.at(places.hand(number)))
    ]


def ruling_view(ruling: Ruling) -> RulingView:
    """Return a ruling without what it depended on; where no clause demands it, it is a house default."""
    return RulingView(
        name=ruling.name,
        sentence=ruling.sentence,
        seat=ruling.seat or None,
        clauses=ruling.clauses,
        house_default=ruling.house,
        by=ruling.by,
        why=ruling.why or None,
    )


def is_told(table: Table, ruling: Ruling, viewer: str) -> bool:
    """Whether a ruling is for all viewers; a suspicion is for those who run the table and those whom it concerns."""
    suspicion = ruling.name.startswith(("order:act_first", "order:separate", "order:bar", "order:void_bets"))
    own = table.own_seats(int(viewer.removeprefix("seat:"))) if viewer.startswith("seat:") else ()
    return not suspicion or viewer in STAFF_VIEWERS or not {ruling.seat, *ruling.seats}.isdisjoint(own)


def _notices(table: Table) -> NoticesView:
    signs = {
        name: NoticeView(posted=posted.minute, when=posted.when, cents=posted.cents or None)
        for name, posted in table.signs.items()
    }
    return NoticesView(**signs, english_only=table.english_only)


def round_running(table: Table) -> bool:
    """Whether a round has begun, by the book's own definition of its beginning."""
    if table.phase in {"choice_1", "choice_2", "settling"}:
        return True
    if table.rules.rules.round.start == "first_card":
        return not table.no_card_is_out
    return table.phase == "dealing" or any(seat.wagers for seat in table.seats.values())


def may_see(table: Table, viewer: str, seat: int, card: CardObject) -> bool:
    """Whether a viewer sees the face of a card in a seat's hand."""
    if card.up or shown_to(table, viewer, seat):
        return True
    if not table.rules.rules.cards.hidden and table.seats[seat].looked:
        return viewer.startswith("seat:")
    return table.seats[seat].looked and viewer in table.viewers_of(seat)


def shown_to(table: Table, viewer: str, seat: int) -> bool:
    """Whether a player is showing a viewer the hand: to the dealer alone, until the side bet it wins is paid."""
    claims = viewer == "dealer" and table.seats[seat].claim == "claimed"
    return claims and table.phase == "choice_1" and bool(table.cents(accounts.felt(seat, claimed_spot(table))))


def _card(card: CardObject, *, seen: bool) -> CardView:
    return str(card.face) if seen else f"[{COLOURS[card.deck]}]"


def _as_they_lie(cards: tuple[CardObject, ...]) -> tuple[CardView, ...]:
    return tuple([_card(card, seen=card.up) for card in cards])


def seat_view(table: Table, seat: Seat, viewer: str) -> SeatView:
    """Return a seat as a viewer sees it."""
    cards, read = table.at(places.hand(seat.number)), _reading(table, seat.number, viewer)
    results = tuple([result for result in seat.results if _is_known(table, seat, result)])
    return SeatView(
        player=seat.player or None,
        sitting_out=seat.sitting_out,
        stack_cents=table.cents(accounts.stack(seat.number)),
        tokens_cents=table.cents(accounts.tokens(seat.number)),
        coupons_cents=table.cents(accounts.coupons(seat.number)) or msgspec.UNSET,
        coupon=seat.coupon,
        wagers={name: table.cents(accounts.felt(seat.number, name)) for name in seat.wagers},
        medium=seat.medium,
        fee_cents=seat.fee_cents,
        lammer=seat.lammer,
        lamps=_lamps(table, seat),
        looked=seat.looked,
        choices=seat.choices,
        tucked=seat.tucked,
        cards=tuple([_card(card, seen=may_see(table, viewer, seat.number, card)) for card in cards]),
        hand=None if read is None else read.words,
        reading=msgspec.UNSET if read is None else read,
        results=results,
        reasons=_reasons(table, seat, results, viewer) or msgspec.UNSET,
    )


def seats_to_look_at(table: Table, old: Table) -> set[int]:
    """Return the seats whose views may not be what they were: all others have the same cards, chips and standing."""
    if table.rules is not old.rules:
        return set(table.seats)
    laid = [] if table.cards is old.cards else [p for p in table.cards if table.cards[p] is not old.cards.get(p)]
    laid += [] if table.cards is old.cards else old.cards.keys() - table.cards.keys()
    if not _COMMUNITY.isdisjoint(laid):
        return set(table.seats)
    found = {n for n, seat in table.seats.items() if seat is not old.seats.get(n)}
    hands = [n for n in table.seats if places.hand(n) in laid] if laid else []
    told = hands or table.rulings is not old.rulings or table.action_seat != old.action_seat
    if told or any(n not in old.seats or _round_of(table.seats[n]) != _round_of(old.seats[n]) for n in found):
        # Results are told when hands are open, and those may be other seats' hands.
        found.update(hands, [n for n, seat in table.seats.items() if seat.results])
    if table.accounts is not old.accounts:
        now, before = table.accounts, old.accounts
        moved = [account for account, cents in now.items() if before.get(account) != cents]
        moved += before.keys() - now.keys()
        found.update([accounts.parse(account).seat for account in moved])
    return found & table.seats.keys()


def _round_of(seat: Seat) -> tuple[object, ...]:
    """What others' results may depend on of a seat's part in a round: not what is paid and taken in the settlement."""
    return seat.player, seat.dealt_in, seat.looked, seat.wagers, seat.choices, seat.taken_back, seat.claim, seat.results


def _reading(table: Table, seat: int, viewer: str) -> Reading | None:
    """How a hand is read, for viewers who see all five cards of it."""
    own = table.at(places.hand(seat))
    if len(own) != 3:
        return None
    seen = [card.face for card in table.community() if card.up]
    if len(seen) < 2:
        return None
    seen += [card.face for card in own if may_see(table, viewer, seat, card)]
    whole = len(seen) == len(set(seen)) == 5 and JOKER not in seen
    return reading(evaluate(seen)) if whole else None


def _is_known(table: Table, seat: Seat, result: WagerResult) -> bool:
    """Whether a result follows from hands that are open: a bank's cover from those before it, some from all hands.

    The best of all, what is taken of a meter and envy depend on all. What was claimed or waved away is settled on the
    felt before any hand is open.
    """
    if seat.claim and result.wager == claimed_spot(table) and not table.cents(accounts.felt(seat.number, result.wager)):
        return True
    wager = table.rules.by_spot[result.wager]
    every = wager.by_hands or wager.depends_on_others
    needed = table.dealt_in if every else _before(table, seat.number, is_base=wager.is_base)
    return all(card.up for number in needed for card in table.at(places.hand(number)))


def _reasons(table: Table, seat: Seat, results: tuple[WagerResult, ...], viewer: str) -> tuple[Reason, ...]:
    """Why results are what they are: of those alone whose every card the viewer sees."""
    if not results or not seat.dealt_in:
        return ()
    community, hands, found = table.community_cards(), None, list[Reason]()
    seen = {str(card.face) for card in table.community() if card.up}
    for result in results:
        wager, best = table.rules.by_spot[result.wager], (0, 0)
        if wager.by_hands:
            hands = hands or [table.hand_of(number) for number in table.dealt_in]
            whole = len(community) == 2 and all(len(hand.cards) == 3 for hand in hands)
            if not whole or any(faults.unreadable(table, hand.seat) for hand in hands):
                continue  # hands are being taken away
            best = best_of(table.rules, wager, hands, community, table.awards_hands)
        held = table.at(places.hand(best[0] or seat.number))
        known = seen | {str(card.face) for card in held if may_see(table, viewer, best[0] or seat.number, card)}
        if JOKER in (cards := tuple([card.face for card in held])):
            continue
        why = reason(table.rules, community, cards, result, best)
        if why is not None and known.issuperset(why.cards):
            found.append(why)
    return tuple(found)


def _before(table: Table, seat: int, *, is_base: bool) -> tuple[int, ...]:
    """The hands a seat's own results depend on.

    With a player's bank or a maximum payout those that are settled before it as well, or all that share a maximum.
    """
    rules = table.rules.rules
    if seat not in table.dealt_in:
        return (seat,)
    if rules.bank.mode == "house":
        if not is_base or rules.payout.cap != "maximum":
            return (seat,)
        counted = counted_with(table.rules, [table.hand_of(number) for number in table.dealt_in], seat)
        seats = tuple(hand.seat for hand in counted)
        return seats if rules.payout.scope == "round" else seats[: seats.index(seat) + 1]
    order = order_of_action(rules, table.dealt_in, table.action_seat)
    return order[: order.index(seat) + 1]


def _lamps(table: Table, seat: Seat) -> tuple[str, ...]:
    """Return the spots of a seat whose red lamps are lit by a sensor."""
    if not seat.wagers:
        return ()
    return tuple([wager.spot for wager in with_sensor(table.rules) if wager.spot in seat.wagers])


def _bank(table: Table) -> BankView | None:
    """Who banks, with what stake, and what is left of it; nothing where the house banks."""
    if table.rules.rules.bank.mode == "house":
        return None
    return BankView(
        seat=table.bank_seat if table.bank_stake else None,
        stake_cents=table.bank_stake,
        chips_cents=table.cents(accounts.BANK),
        hands_in_a_row=table.bank_hands,
        action_seat=table.action_seat or None,
        sentence=NO_BANK if bank_stands_open(table) else "",
    )


def _deck(table: Table) -> DeckView:
    ready = table.at(places.READY)
    in_play = {card.deck for number in table.seats for card in table.at(places.hand(number))} | {c.deck for c in ready}
    out = sum(
        card.deck in in_play
        for place, held in table.cards.items()
        if place not in {places.READY, places.NEST, places.OUTSIDE}
        for card in held
    )
    # As many as there should be: no one counts a deck by looking at it.
    return DeckView(left=52 - out if ready else 0, colour=COLOURS[min(in_play)] if in_play else None)


def _script(table: Table, viewer: str) -> ScriptLine | None:
    """The next line of the script, for those who run the table."""
    if viewer not in STAFF_VIEWERS or table.next_step is None:
        return None
    # Only the next line: how many are left may depend on hands that are still face down.
    return line(table, table.next_step)
