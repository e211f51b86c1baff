"""Agenda: what the dealer has to do in each part of the procedure, in the order of the book in force."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from letitride.engine import places
from letitride.engine.state import Table
from letitride.engine.steps import Step
from letitride.rules.banking import clockwise
from letitride.rules.keys import Rules
from letitride.rules.keys.play import TOP_BURNS
from letitride.rules.table_rules import TableRules, per_rules
from letitride.rules.wagers import Wager

# ca:round.13a: what is offered to every player in turn is not taken by the house in the end.
NO_BANK: Final = "No player has taken the bank. No round is dealt until a player takes it."


def opening(rules: Rules) -> Iterator[Step]:
    """From the cards' arrival at the table to a deck that can be shown or shuffled."""
    if rules.device == "shuffler":
        yield Step("power_on")
        if rules.shuffler.models:
            yield Step("set_mode", wager=rules.shuffler.mode)
        if rules.shuffler.controller:
            yield Step("insert_key", number=1)
    if rules.deck.check == "inspect_and_show":
        yield Step("review_decks", number=rules.deck.reviewed)
        yield Step("inspect_deck")
        yield Step("verify_inspection")
        yield Step("spread_deck")
        return
    if not rules.deck.prepared:
        yield Step("check_deck", number=1)
    if rules.shuffle.by == "machine":
        yield Step("wash_deck", number=1)
        yield from into_the_machine(rules, deck=1)
        if rules.decks == 2:
            if not rules.deck.prepared:
                yield Step("check_deck", number=2)
            yield Step("wash_deck", number=2)
            yield Step("rack_deck", number=2)


def into_the_machine(rules: Rules, deck: int) -> Iterator[Step]:
    """A deck on its way into the shuffler, until it is mixed."""
    if rules.shuffle.hand_first:
        yield Step("hand_shuffle_first", number=deck)
    yield Step("load_deck", number=deck)
    yield Step("start_shuffle", number=deck)


def idle(table: Table) -> Iterator[Step]:
    """When the last player has gone, or none has come yet."""
    rules = table.rules.rules
    if rules.idle == "dead_game":
        yield Step("dead_game")
    if rules.idle == "spread" and not table.at(places.SPREAD):
        yield Step("spread_idle")


def arrival(table: Table) -> Iterator[Step]:
    """When the first player sits down at an idle table."""
    rules = table.rules.rules
    if rules.idle == "spread":
        spread = table.at(places.SPREAD)
        if not spread:
            yield Step("spread_idle")
        if not spread or not all(card.up for card in spread):
            yield Step("turn_up_spread")
        yield Step("await_inspection", next(number for number, seat in table.seats.items() if seat.player))
        yield Step("wash_deck", number=1)
        yield from _mixed(rules, deck=1)
    elif not _deck_is_mixed(table) or (table.round and "after_vacant" in rules.shuffle.when):
        yield from prepare(table)


def _deck_is_mixed(table: Table) -> bool:
    waiting = table.at(places.READY) or (table.at(places.NEST) if table.rules.rules.decks == 2 else ())
    return len(waiting) == 52


def after_round(table: Table) -> Iterator[Step]:
    """Between two rounds: one deck is mixed again; of two, the other is mixed already."""
    if table.new_deck_due:
        yield Step("remove_deck", number=table.new_deck_due)
        yield Step("introduce_deck", number=table.new_deck_due)
        others = any(card.deck != table.new_deck_due for card in table.at(places.NEST))
        yield from _new_deck(table.rules.rules, table.new_deck_due, nest_is_free=not others)
    elif table.rules.rules.decks == 1:
        yield from prepare(table)


def after_ruling(table: Table) -> Iterator[Step]:
    """After a round without a result, or a deck taken out of use: what brings the table to its next round."""
    rules = table.rules.rules
    if table.at(places.CHEST):
        nest_is_free = not table.at(places.NEST)
        for deck in sorted({card.deck for card in table.at(places.CHEST)}):
            yield from _new_deck(rules, deck, nest_is_free=nest_is_free)
            nest_is_free = False
    elif table.new_deck_due:
        yield from after_round(table)
    elif rules.decks == 1 and rules.misdeal.reshuffle:
        yield from prepare(table)
    elif rules.decks == 1:
        yield Step("gather_deck")
        yield Step("load_shoe" if rules.device == "shoe" else "hold_deck")


def _new_deck(rules: Rules, deck: int, *, nest_is_free: bool) -> Iterator[Step]:
    """A deck that comes to the table in the course of play: proven good, shuffled and cut like the first."""
    shown = rules.deck.check == "inspect_and_show"
    if shown:
        yield from (Step("inspect_deck"), Step("verify_inspection"), Step("spread_deck"))
    elif not rules.deck.prepared:
        yield Step("check_deck", number=deck)
    if shown or rules.shuffle.by == "machine":
        yield Step("wash_deck", number=deck)
    if rules.decks == 1:
        yield from _mixed(rules, deck)
    elif nest_is_free:
        yield from into_the_machine(rules, deck)
    else:
        yield Step("rack_deck", number=deck)


def changed_cards(table: Table, deck: int, faces: tuple[str, ...]) -> Iterator[Step]:
    """Single cards of a deck replaced; it is checked before use, and mixed again where it was mixed already."""
    rules = table.rules.rules
    yield from (Step("change_card", wager=face, number=deck) for face in faces)
    if rules.deck.check == "inspect_and_show":
        yield from (Step("inspect_deck"), Step("verify_inspection"))
    else:
        yield Step("check_deck", number=deck)
    if any(card.deck == deck for card in table.at(places.NEST)):
        yield Step("start_shuffle", number=deck)
    elif table.at(places.READY):
        yield from prepare(table)


def prepare(table: Table) -> Iterator[Step]:
    """The mixing of the deck that is dealt from next; one that lies mixed in the shuffler is only freed."""
    rules = table.rules.rules
    if rules.decks == 2:
        yield Step("start_shuffle", number=table.at(places.NEST)[0].deck)
    elif table.at(places.NEST):
        yield Step("free_deck", number=1)
    else:
        if not table.at(places.SPREAD) and not table.at(places.CHEST):
            yield Step("gather_deck")
        yield from _mixed(rules, deck=1)


def _mixed(rules: Rules, deck: int) -> Iterator[Step]:
    """The only deck, from one stack until it can be dealt from."""
    if rules.shuffle.by == "machine":
        yield from into_the_machine(rules, deck)
        yield Step("free_deck", number=deck)
    else:
        yield Step("shuffle_deck", number=deck)
        yield Step("square_deck")
        yield from cut(rules)


def cut(rules: Rules) -> Iterator[Step]:
    """The cut, where there is one, and the deck into the shoe or the hand."""
    if rules.cut.who == "dealer":
        yield Step("cut_deck", number=rules.cut.cards_min)
        if rules.cut.card == "cover_card":
            yield Step("rack_cover_card")
    yield Step("load_shoe" if rules.device == "shoe" else "hold_deck")


def banking(table: Table) -> Iterator[Step]:
    """The offer of the bank to the seat whose turn it is."""
    candidates = bank_candidates(table)
    if candidates:
        yield from offer(candidates[0])


def offer(seat: int) -> tuple[Step, ...]:
    """The bank offered to one seat."""
    return Step("offer_bank", seat), Step("await_bank", seat)


def bank_candidates(table: Table) -> tuple[int, ...]:
    """The seats that may still take the bank, in the order in which it is offered: to each player once."""
    most = table.rules.rules.bank.max_consecutive
    seated = {n: seat.player for n, seat in table.seats.items() if seat.may_bank}
    spent = table.bank_hands >= most
    stays = seated.get(table.bank_seat) == table.bank_player
    ring = clockwise(list(seated), table.bank_seat if stays else table.bank_seat + 1)
    passed = {seated[n] for n in table.declined if n in seated}
    passed |= {table.bank_player} if spent else set()
    first = {seated[n]: n for n in reversed(ring)}
    return tuple(n for n in ring if first[seated[n]] == n and seated[n] not in passed)


def offered_in_vain(table: Table) -> bool:
    """Whether the bank is on offer to a seat whose player has left or sits out."""
    step = table.next_step
    if step is None or step.kind not in {"offer_bank", "await_bank"}:
        return False
    return not table.seats[step.seat].may_bank


def bank_stands_open(table: Table) -> bool:
    """Whether the bank has gone by every player it could be offered to, so that no round is dealt."""
    return table.phase == "banking" and not table.agenda and not table.bank_stake


@per_rules
def with_sensor(rules: TableRules) -> tuple[Wager, ...]:
    """Return the wagers that a sensor on their spot notices before the deal."""
    return tuple(one for one in rules.taken_before_deal if rules.terms(one.id).stake_handling == "sensor")


def betting(rules: TableRules) -> Iterator[Step]:
    """From the first chip to the close of betting."""
    if rules.taken_before_deal:
        yield Step("invite_bonus")
        if with_sensor(rules):
            yield Step("confirm_lamps")
    yield Step("call_no_more_bets")
    if rules.rules.bet.cutoff == "call_and_lockout":
        yield Step("lock_out")


def dealing(table: Table, seats: tuple[int, ...]) -> Iterator[Step]:
    """From the side bets that go to the tray to the stub in the rack."""
    rules = table.rules.rules
    if rules.fee.kind == "flat":
        yield from (Step("collect_fee", seat) for seat in (*sorted(seats), table.bank_seat) if seat)
    if rules.bank.mode == "player" and rules.bank.settle_from == "action_seat":
        yield Step("throw_dice")
    for seat in seats:
        for wager in table.rules.taken_before_deal:
            if wager.spot in table.seats[seat].wagers:
                by_lammer = rules.wagers[wager.id].stake_handling == "lammer"
                yield Step("place_lammer" if by_lammer else "collect_bonus", seat, wager.spot)
    if rules.deck.check == "machine_count" and rules.device == "shuffler":
        yield Step("count_deck")
    if rules.decks == 2:
        freed = bool(table.at(places.READY))  # by a deal of this round that did not come about
        if not freed:
            yield Step("swap_decks")
        if "after_round" in rules.shuffle.when and not table.unmixed:
            nest = table.at(places.NEST)[0].deck
            yield Step("mix_deck", number=nest if freed else 3 - nest)
    yield from deal(rules, seats)
    if rules.stub.count == "every_rounds" and table.rounds_since_count + 1 >= rules.stub.count_rounds:
        yield Step("count_stub")
    if rules.stub.to_discard == "after_deal":
        yield Step("unload_stub" if rules.device == "shuffler" else "rack_stub")
    if best := table.rules.on_best_hand:
        every = rules.wagers[best.id].count == "hands_dealt"
        yield Step("show_awards", number=len([n for n in seats if every or table.seats[n].has_base]))


def order_of_deal(table: Table, seats: Collection[int]) -> tuple[int, ...]:
    """The order in which seats are dealt to."""
    first = table.bank_seat + 1 if table.rules.rules.deal.first == "bank_left" else 1
    return clockwise(list(seats), first)


def deal(rules: Rules, seats: tuple[int, ...]) -> Iterator[Step]:
    """The dealing itself: every card that leaves the deck, in order."""
    yield from _packets(rules, seats) if rules.deal.unit == "packet" else _single_cards(rules, seats)
    yield from burn(rules, "at_deal")


def _packets(rules: Rules, seats: tuple[int, ...]) -> Iterator[Step]:
    for seat in seats:
        yield Step("deal_packet", seat)
        if rules.deal.fanned:
            yield Step("fan_packet", seat)
    yield Step("deal_dealer_packet")
    yield Step("slide_left", number=1)
    yield Step("slide_right", number=2)


def _single_cards(rules: Rules, seats: tuple[int, ...]) -> Iterator[Step]:
    for number in (1, 2, 3):
        yield from (Step("deal_card", seat, number=number) for seat in seats)
        if rules.deal.community == "each_pass":
            yield Step("deal_community", number=number)
    for number in range(1, 1 + community_cards(rules)) if rules.deal.community == "last" else ():
        yield from top_burn(rules, number, "at_deal")
        yield Step("deal_community", number=number)


def community_cards(rules: Rules) -> int:
    """How many single cards the community area is dealt, one to be burned among them."""
    return 3 if rules.burn.card in {"first_community", "last_community"} else 2


def choices(table: Table, bet: int) -> Iterator[Step]:
    """The decisions on bet 1 or 2, and the community card that follows them."""
    rules = table.rules.rules
    first = table.bank_seat + 1 if rules.decide.order == "bank_left" else 1
    ring = clockwise(table.dealt_in, first)
    if bet == 1:  # suspects act first until the first community card is shown
        ring = tuple(sorted(ring, key=lambda one: not table.seats[one].acts_first))
    for number in ring:
        seat = table.seats[number]
        if seat.has_base and not seat.tucked:
            if rules.decide.signal == "asked":
                yield Step("ask", number, number=bet)
            yield Step("await_choice", number, number=bet)
            if bet == 2 and rules.decide.after_bet_2 != "held":
                yield Step("tuck_cards" if rules.decide.after_bet_2 == "tucked" else "lay_cards", number)
    yield from burn(rules, "after_bet_1" if bet == 1 else "after_bet_2")
    yield from top_burn(rules, bet, "at_turn")
    if bet == 2 and rules.community.area == "three_in_line":
        yield Step("move_community", number=1)
    yield Step("turn_community", number=bet)


def burn(rules: Rules, when: str) -> Iterator[Step]:
    """The burn of the one of the dealer's three cards that is not used, where it is burned at that time."""
    if rules.burn.card in _BURNS and when == burn_time(rules):
        yield Step(_BURNS[rules.burn.card])


def burn_time(rules: Rules) -> str:
    """When that card is burned: the first community card is turned after bet 1."""
    return "after_bet_1" if rules.burn.when == "at_turn" else rules.burn.when


def top_burn(rules: Rules, number: int, when: str) -> Iterator[Step]:
    """The burn of the deck's top card before a community card, where it is burned at that time."""
    if number in TOP_BURNS.get(rules.burn.card, ()) and rules.burn.when == when:
        yield Step("burn_top", number=number)


def missed_burn(table: Table) -> Step:
    """The burn that is made good where a community card was burned in its place."""
    card = table.rules.rules.burn.card
    return Step(_BURNS[card]) if card in _BURNS else Step("burn_top", number=table.community_up + 1)


_BURNS = {"bottom_of_packet": "burn_bottom", "first_community": "burn_first", "last_community": "burn_last"}
