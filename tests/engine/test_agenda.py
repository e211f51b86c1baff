"""Agenda: what the dealer has to do in each part of the procedure, by every way in which a book can have it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace as with_changed
from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace

from letitride.engine import agenda, commands, places
from letitride.engine.decide import open_table, play
from letitride.engine.legal import legal
from letitride.engine.places import CardObject
from letitride.engine.refusal import Refusal
from letitride.engine.state import Seat, Table
from letitride.engine.steps import Step
from letitride.rules import catalog
from letitride.rules.cards import DECK
from letitride.rules.table_rules import TableRules

By = dict[str, Any]
NSW, SM, HD, CA = "nsw-1", "shufflemaster-1", "hand-dealt-1", "california-1"
MACHINE: By = {"device": "shuffler", "shuffle.by": "machine"}
PACKETS: By = {**MACHINE, "deal.unit": "packet"}
BY_HAND = "shuffle_deck#1 square_deck cut_deck#1 load_shoe"
HD_SHUFFLE = "shuffle_deck#1 square_deck cut_deck#10 rack_cover_card hold_deck"


@cache
def opened(ref: str) -> Table:
    return open_table(catalog.ready_rules(ref))[0]


def rules_by(ref: str, by: By | None = None) -> TableRules:
    """The rules of a book with some values changed, whether they go together or not."""
    ready = opened(ref).rules
    rules, pays = ready.rules, dict(ready.pays)
    for name, value in (by or {}).items():
        section, _, key = name.partition(".")
        if section in rules.wagers:
            rules = replace(rules, wagers={**rules.wagers, section: replace(rules.wagers[section], **{key: value})})
            pays[section] = opened("washington-1").rules.pays[section]
        else:
            rules = replace(rules, **{section: replace(getattr(rules, section), **{key: value}) if key else value})
    return with_changed(ready, book=with_changed(ready.book, rules=rules), pays=pays)


def a_table(ref: str = NSW, by: By | None = None, seats: dict[int, Seat] | None = None, **changed: Any) -> Table:
    """A table with nothing on it but what is said."""
    values: By = {"agenda": (), "cards": {}, "rules": rules_by(ref, by), **changed}
    return replace(opened(ref), seats={**opened(ref).seats, **(seats or {})}, **values)


def pile(count: int = 52, deck: int = 1, *, up: bool = False) -> tuple[CardObject, ...]:
    return tuple(CardObject(deck, card.index, card, up) for card in DECK[:count])


def told(steps: Iterable[Step]) -> str:
    """Steps in short: 'collect_bonus@3:bonus', 'await_choice@3#1'."""
    return " ".join(
        step.kind
        + (f"@{step.seat}" if step.seat else "")
        + (f":{step.wager}" if step.wager else "")
        + (f"#{step.number}" if step.number else "")
        for step in steps
    )


# the deck


def test_a_table_is_opened_with_decks_that_were_checked_and_shown_or_mixed() -> None:
    first = "power_on set_mode:let_it_ride insert_key#1 check_deck#1 wash_deck#1 load_deck#1 start_shuffle#1"
    cases: list[tuple[str, By, str]] = [
        (NSW, {}, "check_deck#1"),
        (NSW, {"deck.prepared": True}, ""),
        (NSW, MACHINE, "power_on check_deck#1 wash_deck#1 load_deck#1 start_shuffle#1"),
        (NSW, {**MACHINE, "deck.prepared": True, "shuffle.hand_first": True},
         "power_on wash_deck#1 hand_shuffle_first#1 load_deck#1 start_shuffle#1"),
        (SM, {}, f"{first} check_deck#2 wash_deck#2 rack_deck#2"),
        (SM, {"deck.prepared": True, "shuffler.models": (), "shuffler.controller": False},
         "power_on wash_deck#1 load_deck#1 start_shuffle#1 wash_deck#2 rack_deck#2"),
        (HD, {}, "review_decks#2 inspect_deck verify_inspection spread_deck"),
        (HD, {"shuffle.by": "machine"}, "review_decks#2 inspect_deck verify_inspection spread_deck"),
    ]  # fmt: skip
    for ref, by, steps in cases:
        assert told(agenda.opening(rules_by(ref, by).rules)) == steps, (ref, by)


def test_an_empty_table_shows_its_cards_or_that_the_game_is_dead() -> None:
    spread = {places.SPREAD: pile()}
    assert told(agenda.idle(a_table(SM))) == "dead_game"
    assert told(agenda.idle(a_table(NSW))) == ""
    assert told(agenda.idle(a_table(HD, cards={places.RACK: pile()}))) == "spread_idle"
    assert told(agenda.idle(a_table(HD, cards=spread))) == ""


def test_the_first_player_sees_the_cards_face_up_before_they_are_washed() -> None:
    seats = {2: Seat(2, "Ann"), 5: Seat(5, "Bea")}
    seen = f"await_inspection@2 wash_deck#1 {HD_SHUFFLE}"
    half = pile(26) + tuple(replace(card, up=True) for card in pile()[26:])
    cases = [
        ({places.SPREAD: pile(up=True)}, seen),
        ({places.SPREAD: pile()}, f"turn_up_spread {seen}"),
        ({places.SPREAD: half}, f"turn_up_spread {seen}"),
        ({places.RACK: pile()}, f"spread_idle turn_up_spread {seen}"),
    ]
    for cards, steps in cases:
        assert told(agenda.arrival(a_table(HD, seats=seats, cards=cards))) == steps
    machine = "await_inspection@2 wash_deck#1 load_deck#1 start_shuffle#1 free_deck#1"
    assert told(agenda.arrival(a_table(HD, MACHINE, seats, cards={places.SPREAD: pile(up=True)}))) == machine


@pytest.mark.clause("hd:idle.2")
def test_a_player_who_comes_before_the_cards_are_spread_sees_them_face_up_as_well() -> None:
    table = a_table(HD, phase="idle", cards={places.RACK: pile()}, agenda=(Step("spread_idle"),))
    for command in (
        commands.Sit(by="seat:2", seat=2, player="Ann", cents=50_000),
        commands.Do(by="dealer", kind="spread_idle"),
        commands.Do(by="dealer", kind="turn_up_spread"),
    ):
        table, outcome = play(table, command)
        assert not isinstance(outcome, Refusal), outcome
    assert legal(table, commands.LookOver(by="seat:2", seat=2)) is None
    assert [card.up for card in table.at(places.SPREAD)] == [True] * 52


def test_a_deck_is_mixed_for_the_first_player_where_it_is_not_or_where_the_table_stood_empty() -> None:
    never: By = {"shuffle.when": ("before_play", "after_round")}
    cases: list[tuple[str, By, By, int, str]] = [
        (NSW, {}, {places.READY: pile()}, 0, ""),
        (NSW, {}, {places.READY: pile()}, 4, f"gather_deck {BY_HAND}"),
        (NSW, never, {places.READY: pile()}, 4, ""),
        (NSW, never, {places.READY: pile(51)}, 4, f"gather_deck {BY_HAND}"),
        (NSW, {}, {places.CHEST: pile()}, 0, BY_HAND),
        (NSW, MACHINE, {places.NEST: pile()}, 0, "free_deck#1"),
        (SM, {}, {places.NEST: pile()}, 4, ""),
        (SM, {}, {places.READY: pile(deck=2), places.NEST: pile(9)}, 4, ""),
        (SM, {}, {places.NEST: pile(51)}, 4, "start_shuffle#1"),
    ]
    for ref, by, cards, number, steps in cases:
        table = a_table(ref, by, {3: Seat(3, "Ann")}, cards=cards, round=number)
        assert told(agenda.arrival(table)) == steps, (ref, by, number)


def test_one_deck_is_mixed_after_every_round_and_of_two_the_other_is_mixed_already() -> None:
    racked = {places.RACK: pile()}
    cases: list[tuple[str, By, By, str]] = [
        (NSW, {}, racked, f"gather_deck {BY_HAND}"),
        (NSW, {}, {places.SPREAD: pile()}, BY_HAND),
        (NSW, {"cut.who": "nobody"}, racked, "gather_deck shuffle_deck#1 square_deck load_shoe"),
        (HD, {}, racked, f"gather_deck {HD_SHUFFLE}"),
        (NSW, MACHINE, racked, "gather_deck load_deck#1 start_shuffle#1 free_deck#1"),
        (NSW, MACHINE, {places.NEST: pile()}, "free_deck#1"),
        (SM, {}, {places.RACK: pile(), places.NEST: pile(deck=2)}, ""),
    ]
    for ref, by, cards, steps in cases:
        assert told(agenda.after_round(a_table(ref, by, cards=cards))) == steps, (ref, by)
        ruled = agenda.after_ruling(a_table(ref, {**by, "misdeal.reshuffle": True}, cards=cards))
        assert told(ruled) == steps, (ref, by)
    assert told(agenda.prepare(a_table(SM, cards={places.NEST: pile(1, deck=2)}))) == "start_shuffle#2"


def test_a_misdealt_deck_that_is_not_mixed_again_is_gathered_as_it_is() -> None:
    as_it_is: By = {"misdeal.reshuffle": False}
    racked = {places.RACK: pile()}
    assert told(agenda.after_ruling(a_table(NSW, as_it_is, cards=racked))) == "gather_deck load_shoe"
    assert told(agenda.after_ruling(a_table(HD, as_it_is, cards=racked))) == "gather_deck hold_deck"
    assert told(agenda.after_ruling(a_table(SM, as_it_is, cards=racked))) == ""


def test_a_deck_that_is_due_for_replacement_is_replaced_before_the_next_round() -> None:
    one = f"remove_deck#1 introduce_deck#1 check_deck#1 {BY_HAND}"
    two = "remove_deck#2 introduce_deck#2 check_deck#2 wash_deck#2"
    cases: list[tuple[str, int, By, str]] = [
        (NSW, 1, {places.RACK: pile()}, one),
        (SM, 2, {places.NEST: pile()}, f"{two} rack_deck#2"),
        (SM, 2, {places.NEST: pile(deck=2)}, f"{two} load_deck#2 start_shuffle#2"),
        (SM, 2, {places.NEST: pile(1) + pile(1, deck=2)}, f"{two} rack_deck#2"),
    ]
    for ref, due, cards, steps in cases:
        for follow in (agenda.after_round, agenda.after_ruling):
            assert told(follow(a_table(ref, cards=cards, new_deck_due=due))) == steps, (ref, cards)


def test_a_deck_brought_in_the_course_of_play_is_proven_and_mixed_like_the_first() -> None:
    first, second = pile(), pile(deck=2)
    loaded = "wash_deck#1 load_deck#1 start_shuffle#1"
    shown = "inspect_deck verify_inspection spread_deck wash_deck#1"
    cases: list[tuple[str, By, By, str]] = [
        (NSW, {}, {places.CHEST: first}, f"check_deck#1 {BY_HAND}"),
        (NSW, {"deck.prepared": True}, {places.CHEST: first}, BY_HAND),
        (NSW, MACHINE, {places.CHEST: first}, f"check_deck#1 {loaded} free_deck#1"),
        (HD, {}, {places.CHEST: first}, f"{shown} {HD_SHUFFLE}"),
        (HD, MACHINE, {places.CHEST: first}, f"{shown} load_deck#1 start_shuffle#1 free_deck#1"),
        (SM, {}, {places.CHEST: first, places.NEST: second}, "check_deck#1 wash_deck#1 rack_deck#1"),
        (SM, {}, {places.CHEST: first}, f"check_deck#1 {loaded}"),
        (SM, {}, {places.CHEST: second + first}, f"check_deck#1 {loaded} check_deck#2 wash_deck#2 rack_deck#2"),
    ]
    for ref, by, cards, steps in cases:
        assert told(agenda.after_ruling(a_table(ref, by, cards=cards))) == steps, (ref, by)


def test_a_deck_with_changed_cards_is_checked_and_mixed_again_where_it_was_mixed() -> None:
    changed = "change_card:Ks#1 change_card:2c#1"
    cases: list[tuple[str, By, str]] = [
        (NSW, {places.READY: pile()}, f"{changed} check_deck#1 gather_deck {BY_HAND}"),
        (NSW, {places.RACK: pile()}, f"{changed} check_deck#1"),
        (HD, {places.READY: pile()}, f"{changed} inspect_deck verify_inspection gather_deck {HD_SHUFFLE}"),
        (SM, {places.NEST: pile()}, f"{changed} check_deck#1 start_shuffle#1"),
        (SM, {places.NEST: pile(deck=2)}, f"{changed} check_deck#1"),
    ]
    for ref, cards, steps in cases:
        assert told(agenda.changed_cards(a_table(ref, cards=cards), 1, ("Ks", "2c"))) == steps, ref


# the bank and the bets


def test_the_bank_goes_round_and_stays_with_a_player_who_may_bank_again() -> None:
    seats = {1: Seat(1, "Ann"), 3: Seat(3, "Bea"), 5: Seat(5, "Cid"), 6: Seat(6, "Dot", sitting_out=True)}
    moved = {**seats, 3: Seat(3, "Eve"), 5: Seat(5, "Bea")}
    cases: list[tuple[dict[int, Seat], By, tuple[int, ...]]] = [
        (seats, {}, (1, 3, 5)),
        (seats, {"bank_seat": 3, "bank_player": "Bea", "bank_hands": 1}, (3, 5, 1)),
        (seats, {"bank_seat": 3, "bank_player": "Bea", "bank_hands": 2}, (5, 1)),
        (seats, {"bank_seat": 3, "bank_player": "Zoe", "bank_hands": 1}, (5, 1, 3)),
        (moved, {"bank_seat": 3, "bank_player": "Bea", "bank_hands": 1}, (5, 1, 3)),
        (moved, {"bank_seat": 3, "bank_player": "Bea", "bank_hands": 2}, (1, 3)),
        (seats, {"declined": (1, 5)}, (3,)),
        (seats, {"declined": (1, 3, 5)}, ()),
    ]
    for seated, changed, ring in cases:
        table = a_table(CA, {"bank.max_consecutive": 2}, seated, **changed)
        assert agenda.bank_candidates(table) == ring, changed
        offered = f"offer_bank@{ring[0]} await_bank@{ring[0]}" if ring else ""
        assert told(agenda.banking(table)) == offered


def test_bets_are_invited_called_off_and_locked_out_as_the_book_has_it() -> None:
    cases: list[tuple[str, By, str]] = [
        (NSW, {}, "call_no_more_bets"),
        (SM, {}, "invite_bonus confirm_lamps call_no_more_bets lock_out"),
        (SM, {"bonus.stake_handling": "lammer", "bet.cutoff": "call"}, "invite_bonus call_no_more_bets"),
    ]
    for ref, by, steps in cases:
        assert told(agenda.betting(rules_by(ref, by))) == steps


# the deal


def planned(ref: str, by: By | None = None, dealt: tuple[int, ...] = (1, 3), **changed: Any) -> str:
    """What is done around the deal of a round, with '…' for the dealing itself."""
    table = a_table(ref, by, **changed)
    steps, cards = told(agenda.dealing(table, dealt)), told(agenda.deal(table.rules.rules, dealt))
    assert steps.count(cards) == 1
    return steps.replace(cards, "…")


def test_fees_dice_and_bonus_dollars_come_before_the_deal() -> None:
    nothing: By = {"stub.to_discard": "end_of_round"}
    flat: By = {**nothing, "fee.kind": "flat"}
    dice: By = {**nothing, "bank.settle_from": "action_seat"}
    bonus = {1: Seat(1, "Ann", wagers={"base-1": 500, "bonus": 100}), 3: Seat(3, "Bea", wagers={"base-1": 500})}
    assert planned(NSW, nothing) == "…"
    assert planned(NSW, flat, (3, 1), bank_seat=5) == "collect_fee@1 collect_fee@3 collect_fee@5 …"
    assert planned(NSW, flat) == "collect_fee@1 collect_fee@3 …"
    assert planned(NSW, dice) == "…"
    assert planned(NSW, {**nothing, "bank.mode": "player"}) == "…"
    assert planned(NSW, {**dice, "bank.mode": "player"}) == "throw_dice …"
    assert planned(NSW, {**nothing, "bonus.offered": True}, seats=bonus) == "place_lammer@1:bonus …"
    assert planned(NSW, {**nothing, "bonus.stake_handling": "sensor"}, seats=bonus) == "collect_bonus@1:bonus …"


def test_the_shuffler_counts_and_changes_its_decks_before_the_deal() -> None:
    nothing: By = {"stub.to_discard": "end_of_round"}
    assert planned(NSW, {**nothing, "deck.check": "machine_count"}) == "…"
    assert planned(NSW, {**nothing, **PACKETS}) == "…"
    assert planned(NSW, {**nothing, **PACKETS, "deck.check": "machine_count"}) == "count_deck …"
    two: By = {**nothing, "deck.check": "before_use"}
    nest = {places.NEST: pile(1)}
    freed = {**nest, places.READY: pile(deck=2)}
    assert planned(SM, two, cards=nest) == "swap_decks mix_deck#2 …"
    assert planned(SM, two, cards=freed) == "mix_deck#1 …"
    assert planned(SM, two, cards=nest, unmixed=True) == "swap_decks …"
    assert planned(SM, {**two, "shuffle.when": ("before_play",)}, cards=nest) == "swap_decks …"


def test_the_stub_is_counted_as_often_as_the_book_says_and_goes_to_the_rack() -> None:
    counted: By = {"stub.count": "every_rounds", "stub.count_rounds": 5, "stub.to_discard": "end_of_round"}
    assert planned(NSW, counted, rounds_since_count=3) == "…"
    assert planned(NSW, counted, rounds_since_count=4) == "… count_stub"
    assert planned(NSW, {**counted, "stub.count": "on_order"}, rounds_since_count=4) == "…"
    assert planned(NSW, {**counted, "stub.to_discard": "after_deal"}, rounds_since_count=9) == "… count_stub rack_stub"
    assert planned(NSW, {**PACKETS, "stub.to_discard": "after_deal"}) == "… unload_stub"


def test_the_awards_are_for_the_hands_that_the_book_counts() -> None:
    seats = {1: Seat(1, "Ann", wagers={"base-1": 500}), 3: Seat(3, "Bea", wagers={"three_card": 500})}
    offered: By = {"cover_all.offered": True, "stub.to_discard": "end_of_round"}
    assert planned(NSW, offered, seats=seats) == "… show_awards#2"
    assert planned(NSW, {**offered, "cover_all.count": "base_hands"}, seats=seats) == "… show_awards#1"


def test_cards_come_out_in_the_order_of_the_book() -> None:
    passes = [f"deal_card@3#{number} deal_card@1#{number}" for number in (1, 2, 3)]
    three, last = " ".join(passes), "deal_community#1 deal_community#2"
    each = " ".join(f"{dealt} deal_community#{number}" for number, dealt in enumerate(passes, 1))
    slid = "deal_dealer_packet slide_left#1 slide_right#2"
    third: By = {"burn.card": "last_community"}
    cases: list[tuple[str, By, str]] = [
        (NSW, {}, f"{three} {last}"),
        (NSW, third, f"{three} {last} deal_community#3 burn_last"),
        (NSW, {**third, "burn.when": "after_bet_1"}, f"{three} {last} deal_community#3"),
        (NSW, {"burn.card": "first_community"}, f"{three} {last} deal_community#3 burn_first"),
        (HD, {}, each),
        (HD, {"burn.when": "at_deal"}, f"{each} burn_first"),
        (NSW, PACKETS, f"deal_packet@3 deal_packet@1 {slid}"),
        (SM, {}, f"deal_packet@3 fan_packet@3 deal_packet@1 fan_packet@1 {slid} burn_bottom"),
        (SM, {"deal.fanned": False, "burn.when": "after_bet_1"}, f"deal_packet@3 deal_packet@1 {slid}"),
    ]
    for ref, by, steps in cases:
        assert told(agenda.deal(rules_by(ref, by).rules, (3, 1))) == steps, (ref, by)


def test_the_deal_begins_at_the_dealer_s_left_or_at_the_bank_s() -> None:
    assert agenda.order_of_deal(a_table(NSW, bank_seat=3), {5, 1, 4}) == (1, 4, 5)
    assert agenda.order_of_deal(a_table(NSW, {"deal.first": "bank_left"}, bank_seat=3), {5, 1, 4}) == (4, 5, 1)
    assert agenda.order_of_deal(a_table(NSW, {"deal.first": "bank_left"}, bank_seat=4), {5, 1, 4}) == (5, 1, 4)


# the choices


def test_each_bet_is_asked_for_in_the_order_of_the_book_of_those_who_have_it_to_choose() -> None:
    seats = {
        1: Seat(1, "Ann", dealt_in=True, wagers={"base-1": 500}),
        2: Seat(2, "Bea", dealt_in=True, wagers={"three_card": 500}),
        3: Seat(3, "Cid", dealt_in=True, wagers={"base-1": 500}),
        4: Seat(4, "Dot", dealt_in=True, wagers={"base-1": 500}, tucked=True),
        5: Seat(5, "Eve", dealt_in=True, wagers={"base-1": 500}, acts_first=True),
        6: Seat(6, "Fay", wagers={"base-1": 500}),
    }

    def asked(by: By, bet: int, ref: str = NSW, **changed: Any) -> str:
        plain: By = {"decide.after_bet_2": "held", "decide.signal": "scratch_or_tuck"}
        return told(agenda.choices(a_table(ref, {**plain, **by}, seats, **changed), bet)).replace("await_choice", "")

    assert asked({}, 1) == "@5#1 @1#1 @3#1 turn_community#1"
    assert asked({}, 2) == "@1#2 @3#2 @5#2 turn_community#2"
    assert asked({"decide.order": "bank_left"}, 1, bank_seat=2) == "@5#1 @3#1 @1#1 turn_community#1"
    assert asked({"decide.order": "bank_left"}, 1, bank_seat=3) == "@5#1 @1#1 @3#1 turn_community#1"
    assert asked({}, 1, bank_seat=2) == "@5#1 @1#1 @3#1 turn_community#1"
    assert asked({"decide.signal": "asked"}, 1) == "ask@5#1 @5#1 ask@1#1 @1#1 ask@3#1 @3#1 turn_community#1"
    tucked, laid = {"decide.after_bet_2": "tucked"}, {"decide.after_bet_2": "face_down"}
    assert asked(tucked, 2) == "@1#2 tuck_cards@1 @3#2 tuck_cards@3 @5#2 tuck_cards@5 turn_community#2"
    assert asked(laid, 2) == "@1#2 lay_cards@1 @3#2 lay_cards@3 @5#2 lay_cards@5 turn_community#2"
    assert asked(tucked, 1) == "@5#1 @1#1 @3#1 turn_community#1"
    assert asked({}, 1, HD) == "@5#1 @1#1 @3#1 burn_first turn_community#1"
    assert asked({}, 2, HD) == "@1#2 @3#2 @5#2 move_community#1 turn_community#2"
    assert asked({"burn.card": "bottom_of_packet", "burn.when": "at_deal"}, 1) == "@5#1 @1#1 @3#1 turn_community#1"


def test_the_card_that_is_burned_is_the_one_of_the_book() -> None:
    burned = {
        "none": "", "bottom_of_packet": "burn_bottom", "first_community": "burn_first", "last_community": "burn_last",
    }  # fmt: skip
    for card, step in burned.items():
        assert told(agenda.burn(rules_by(NSW, {"burn.card": card}).rules, "at_deal")) == step


def test_a_card_is_burned_at_its_time_and_at_no_other() -> None:
    times = ("at_deal", "after_bet_1", "after_bet_2")
    for when, due in zip((*times, "at_turn"), (*times, "after_bet_1"), strict=True):
        rules = rules_by(NSW, {"burn.card": "bottom_of_packet", "burn.when": when}).rules
        assert [told(agenda.burn(rules, time)) for time in times] == [
            "burn_bottom" if time == due else "" for time in times
        ]


def test_the_top_card_is_burned_before_the_community_card_that_the_book_names() -> None:
    def dealt(card: str, when: str) -> str:
        steps = agenda.deal(rules_by(NSW, {"burn.card": card, "burn.when": when}).rules, (2,))
        return told(step for step in steps if step.seat == 0).replace("deal_community", "deal")

    assert dealt("top_before_first", "at_deal") == "burn_top#1 deal#1 deal#2"
    assert dealt("top_before_second", "at_deal") == "deal#1 burn_top#2 deal#2"
    assert dealt("top_before_each", "at_deal") == "burn_top#1 deal#1 burn_top#2 deal#2"
    assert dealt("top_before_each", "at_turn") == "deal#1 deal#2"

    def turned(card: str, when: str, bet: int) -> str:
        return told(agenda.choices(a_table(NSW, {"burn.card": card, "burn.when": when}, {}), bet))

    assert [turned("top_before_each", "at_turn", bet) for bet in (1, 2)] == [
        "burn_top#1 turn_community#1", "burn_top#2 turn_community#2",
    ]  # fmt: skip
    assert [turned("top_before_second", "at_turn", bet) for bet in (1, 2)] == [
        "turn_community#1", "burn_top#2 turn_community#2",
    ]  # fmt: skip
    assert turned("top_before_each", "at_deal", 1) == "turn_community#1"
