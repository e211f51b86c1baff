"""Rulings: which reports are taken up, what a ruling depends on, and what is left to do, card by card and chip by chip."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from letitride.engine import agenda, commands, faults, places
from letitride.engine.decide import open_table, play
from letitride.engine.legal import legal
from letitride.engine.places import CardObject
from letitride.engine.refusal import Refusal
from letitride.engine.rulings import cited, due_after, follow, hand_void, situation
from letitride.engine.state import Table
from letitride.engine.steps import KINDS, Step
from letitride.ledger import accounts
from letitride.rules import catalog
from letitride.rules.cards import DECK
from letitride.rules.rulings import WHAT
from tests.engine.recorded import at, by_another, recorded

NSW = "new-south-wales"
ORDER = tuple(map(str, DECK))


def report(kind: str, by: str = "dealer", **where: int) -> commands.Report:
    return commands.Report(by=by, kind=kind, **where)  # type: ignore[arg-type]  # kinds by name


def code(table: Table, kind: str, by: str = "dealer", **where: int) -> str:
    """Why a report is not taken up, or ''."""
    refusal = legal(table, report(kind, by, **where))
    return refusal.code if refusal else ""


def done(table: Table, command: commands.AnyCommand) -> Table:
    after, outcome = play(table, command)
    assert not isinstance(outcome, Refusal), outcome
    return after


def told(table: Table, kind: str, by: str = "dealer", **where: int) -> Table:
    """The table after a report that is ruled on."""
    return done(table, report(kind, by, **where))


def mishap(table: Table, kind: str, **said: Any) -> Table:
    return done(table, commands.Mishap(by="table", kind=kind, **said))  # type: ignore[arg-type]  # kinds by name


def order(table: Table, kind: str, **said: Any) -> Table:
    return done(table, commands.Order(by="casino_supervisor", kind=kind, **said))  # type: ignore[arg-type]  # as above


def next_done(table: Table) -> Table:
    """The table after the next step of the script."""
    step = table.agenda[0]
    kind = KINDS[step.kind]
    brought: dict[str, Any] = {"order": ORDER} if kind.needs == "order" else {}
    return done(
        table,
        commands.Do(by=kind.actor, kind=step.kind, seat=step.seat, wager=step.wager, number=step.number, **brought),
    )


def carried_out(table: Table) -> Table:
    """The table when a ruling is carried out."""
    while table.phase == "ruling" or faults.is_mending(table):
        table = next_done(table)
    return table


def when(name: str, kind: str, phase: str = "dealing") -> Table:
    """The first table of a recorded round at which a step of a kind comes next."""
    tables = (step.after for step in recorded(name).steps)
    return next(table for table in tables if table.phase == phase and table.agenda[:1] and table.agenda[0].kind == kind)


def changed(table: Table, seat: int = 0, **values: Any) -> Table:
    """The table, or one of its seats, with something changed."""
    if not seat:
        return msgspec.structs.replace(table, **values)
    one = msgspec.structs.replace(table.seats[seat], **values)
    return msgspec.structs.replace(table, seats={**table.seats, seat: one})


def with_cards(table: Table, **held: tuple[CardObject, ...]) -> Table:
    return msgspec.structs.replace(table, cards={**table.cards, **held})


def kinds(table: Table) -> list[str]:
    return [step.kind for step in table.agenda]


def stacks(table: Table) -> list[int]:
    return [table.cents(accounts.stack(seat)) for seat, one in table.seats.items() if one.player]


JAM, FAILURE = "irregularities/device-jam/nsw-1", "irregularities/device-failure/washington-1"
WASHINGTON = "irregularities/unloaded/washington-1"
CALIFORNIA = "irregularities/unloaded/california-1"
SHOE = "irregularities/uneven-bets-seen/nsw-1"

# reports


def test_what_is_judged_before_the_settlement_comes_too_late_in_it() -> None:
    settling, choosing = at(NSW, "settling"), at(NSW, "choice_1")
    for kind in ("over_maximum", "under_minimum", "uneven_bets", "exposed_card"):
        assert (code(settling, kind, seat=4), code(choosing, kind, seat=4)) == ("too_late", "nothing_wrong"), kind
    for kind in ("stray_hand", "dealer_count", "drawn_card", "deck", "wrong_burn", "hand_count"):
        assert code(settling, kind) == "nothing_wrong", kind


def test_a_report_names_a_seat_of_the_table_or_none_and_its_refusal_says_which() -> None:
    table = at(NSW, "choice_1")
    assert (code(table, "hand_count", seat=8), code(table, "hand_count", seat=7)) == ("no_such_seat", "nothing_wrong")
    assert (code(table, "deck"), code(table, "deck", by="seat:2")) == ("nothing_wrong", "not_your_role")
    for kind, where, words in (
        ("hand_count", {"seat": 4}, "(seat 4)"),
        ("exposed_community", {"number": 2}, "(card 2)"),
        ("deck", {"seat": 4}, "(seat 4)"),
        ("absent", {"seat": 4}, "seat 4"),
    ):
        refusal = legal(table, report(kind, "dealer", **where))
        assert refusal is not None
        assert words in refusal.sentence
    plain = legal(table, report("drawn_card"))
    assert plain is not None
    assert "(" not in plain.sentence
    shown = mishap(table, "exposed", number=2)  # what is told of a community card is told to those who report one
    for kind, words in (("exposed_community", "community card 2"), ("hand_count", "three cards (seat 4)")):
        refusal = legal(shown, report(kind, "dealer", seat=4))
        assert refusal is not None
        assert words in refusal.sentence


def test_nothing_is_ruled_before_the_last_ruling_is_carried_out() -> None:
    dealing = mishap(at(NSW, "dealing", last=True), "exposed", seat=4)
    mending = told(dealing, "exposed_card", seat=4)
    assert mending.agenda[0] == Step("turn_down", 4)
    for kind in ("deck", "dealer_count", "exposed_card"):
        assert code(mending, kind) == "ruling_first", kind
        assert code(next_done(mending), kind) == "nothing_wrong", kind
    ruling = changed(dealing, phase="ruling", agenda=(Step("return_stake", 4),))
    assert not faults.is_mending(ruling)
    assert code(ruling, "deck") == "ruling_first"


def test_a_card_drawn_in_error_is_ruled_before_a_replacement_is_dealt() -> None:
    dealing = mishap(by_another(at(NSW, "dealing", last=True), irreg__exposed_one="replaced"), "exposed", seat=4)
    discards = mishap(told(dealing, "exposed_card", seat=4), "drawn")
    replaces = next_done(discards)
    assert [discards.agenda[0], replaces.agenda[0]] == [Step("discard_exposed", 4), Step("replace_card", 4)]
    assert (code(discards, "drawn_card"), code(replaces, "drawn_card")) == ("ruling_first", "")
    assert code(replaces, "dealer_count") == "ruling_first"
    none_drawn = next_done(told(dealing, "exposed_card", seat=4))
    assert code(none_drawn, "drawn_card") == "nothing_wrong"
    for phase, steps, expected in (
        ("dealing", (Step("replace_community", number=1),), ""),
        ("dealing", (Step("discard_community", number=1),), "ruling_first"),
        ("ruling", (), "ruling_first"),
    ):
        assert code(changed(discards, phase=phase, agenda=steps), "drawn_card") == expected, steps


def test_a_device_is_reported_where_there_is_one_and_it_has_a_part_in_what_goes_on() -> None:
    reports = ("device_jam", "device_failure", "device_miscount")
    dealing = when(JAM, "deal_packet")
    assert [code(dealing, kind) for kind in reports] == ["", "", ""]
    assert [code(dealing, kind, by="machine") for kind in (*reports, "deck")] == ["", "", "", "not_your_role"]
    shoe = at(NSW, "dealing", last=True)
    assert shoe.at(places.READY)
    assert [code(shoe, kind) for kind in reports] == ["nothing_wrong"] * 3
    betting = changed(dealing, phase="betting")
    assert [code(betting, kind) for kind in reports] == ["", "nothing_wrong", "nothing_wrong"]
    ready = dealing.at(places.READY)
    in_nest = with_cards(dealing, ready=(), nest=ready)
    for table, expected in (
        (in_nest, ""),
        (with_cards(dealing, ready=()), "nothing_wrong"),
        (changed(dealing, phase="closed"), "nothing_wrong"),
        (with_cards(dealing, drawn=ready[:1], ready=ready[1:]), "nothing_wrong"),
    ):
        assert code(table, "device_jam") == expected


def test_who_is_asked_for_something_may_be_absent_and_no_other_player() -> None:
    choosing = when(SHOE, "await_choice", "choice_1")
    asked = choosing.agenda[0].seat
    for seat in (0, 1, 3, 5):
        assert code(choosing, "absent", seat=seat) == ("" if seat == asked else "nothing_wrong"), seat
    correcting = when(SHOE, "await_correction", "choice_1")
    for seat in (0, 1, 3, 5):
        assert code(correcting, "absent", seat=seat) == ("" if seat == 3 else "nothing_wrong"), seat
    assert code(at(NSW, "dealing"), "absent", seat=1) == "nothing_wrong"
    assert code(changed(choosing, agenda=()), "absent", seat=asked) == "nothing_wrong"


def test_a_foreign_card_that_its_holder_found_is_a_wrong_deck_and_nothing_else() -> None:
    tables = (step.after for step in recorded("irregularities/deck-foreign-held/nsw-1").steps)
    table = next(one for one in tables if one.seats[3].looked)
    for by, seat in (("seat:3", 0), ("seat:3", 3), ("dealer", 3)):
        assert code(table, "deck", by, seat=seat) == "", by
        assert code(table, "hand_count", by, seat=seat) == "nothing_wrong", by
    for by, seat in (("seat:1", 3), ("seat:1", 0), ("dealer", 0), ("dealer", 1), ("seat:3", 1)):
        assert code(table, "deck", by, seat=seat) == "nothing_wrong", by
    assert code(changed(table, 3, looked=False), "deck", "seat:3") == "nothing_wrong"


# what a ruling depends on


def test_only_an_early_community_card_is_ruled_as_if_no_player_had_handled_the_cards() -> None:
    table = changed(when(SHOE, "await_correction", "choice_1"), exposed_early=(2,))
    handled = sum(table.seats[seat].handled for seat in table.dealt_in)
    assert handled == 1
    for kind, number, looked in (("exposed_community", 2, 0), ("exposed_community", 1, 1), ("deck", 2, 1)):
        assert situation(table, report(kind, number=number)).looked == looked, kind


def test_that_bets_are_uneven_is_said_of_a_player_who_is_away_with_base_bets() -> None:
    table = when(SHOE, "await_correction", "choice_1")
    assert not table.seats[3].is_even
    for one, kind, seat, uneven in (
        (table, "absent", 3, True),
        (table, "absent", 1, msgspec.UNSET),
        (table, "absent", 0, msgspec.UNSET),
        (table, "hand_count", 3, msgspec.UNSET),
        (changed(table, 3, wagers={"three_card": 500}), "absent", 3, msgspec.UNSET),
    ):
        assert situation(one, report(kind, seat=seat)).uneven is uneven, (kind, seat)


def test_what_was_seen_is_the_face_of_a_drawn_card_or_before_a_wrong_burn_of_a_community_card() -> None:
    table = at(NSW, "dealing", last=True)
    for number, seen in ((0, False), (1, True)):
        assert situation(mishap(table, "drawn", number=number), report("drawn_card")).seen is seen
    turned = changed(table, community_up=1)
    for one, kind, seen in (
        (turned, "wrong_burn", True),
        (turned, "deck", False),
        (table, "wrong_burn", False),
    ):
        assert situation(one, report(kind)).seen is seen, kind


def test_a_drawn_card_counts_as_exposed_where_its_face_was_seen() -> None:
    """By this book one exposed card is replaced, and the next voids all hands."""
    table = by_another(when("irregularities/drawn-card/hand-dealt-1", "deal_card"), irreg__unseen_extra="next_card")
    table = next_done(table)
    for number, exposed, then in ((0, 0, "exposed_card:replaced"), (1, 1, "exposed_cards:hands_void")):
        after = told(mishap(table, "drawn", number=number), "drawn_card")
        assert after.exposed == exposed
        seat = next(seat for seat in table.seats if table.at(places.hand(seat)))
        again = told(mishap(carried_out(after), "exposed", seat=seat), "exposed_card", seat=seat)
        assert again.rulings[-1].name == then


def test_only_rulings_on_exposed_cards_count_them() -> None:
    """A card that lies exposed is counted when it is ruled on, not when another thing is."""
    table = mishap(at(NSW, "dealing", last=True), "exposed", seat=4)
    table = mishap(by_another(table, irreg__empty_area_hand="discarded"), "stray", seat=2)
    after = told(table, "stray_hand", seat=2)
    assert (after.rulings[-1].name, after.exposed) == ("stray_hand:discarded", 0)
    assert told(carried_out(after), "exposed_card", seat=4).exposed == 1
    seen = with_cards(table, drawn=(msgspec.structs.replace(table.at(places.READY)[0], up=True),))
    assert told(seen, "stray_hand", seat=2).exposed == 0


def test_a_ruling_cites_what_it_rests_on_beside_clauses_of_its_own_and_none_without() -> None:
    clauses = {"deck:misdeal": ("x:1", "x:2"), "misdeal": ("x:2", "x:3")}
    assert cited(clauses, "deck:misdeal", "misdeal") == ("x:1", "x:2", "x:3")
    assert cited(clauses, "unloaded:misdeal", "misdeal") == ()


# what is done at once


def test_nobody_is_waited_for_whose_player_is_away() -> None:
    table = when(SHOE, "await_correction", "choice_1")
    rest = table.agenda[1:]
    assert rest
    after = told(table, "absent", seat=3)
    assert after.rulings[-1].name == "absent:ride"
    assert after.agenda == tuple(step for step in rest if step.seat != 3)
    withdrawn = by_another(table, irreg__absent="withdraw")
    assert told(withdrawn, "absent", seat=3).agenda[-len(rest) :] == rest


def test_a_player_who_is_there_is_waited_for_whatever_else_is_ruled() -> None:
    table = mishap(when(SHOE, "await_correction", "choice_1"), "exposed", number=2)
    after = told(table, "exposed_community", number=2)
    assert (after.rulings[-1].name, after.agenda) == ("exposed_community:go_on", table.agenda)


def test_a_community_card_exposed_in_the_deal_is_turned_down_where_it_lies() -> None:
    table = by_another(when("examples/manufacturer", "slide_right"), irreg__exposed_one="turned_over")
    for number, place in ((1, places.community(1)), (2, places.PACKET)):
        card, *others = table.at(place)
        shown = with_cards(table, **{place: (msgspec.structs.replace(card, up=True), *others)})
        after = told(shown, "exposed_community", number=number)
        assert after.agenda == (Step("turn_down_community", number=number), *table.agenda)
        assert next_done(after).cards == table.cards


# one hand void


def test_a_void_hand_goes_to_the_rack_its_bets_back_and_the_others_play_on() -> None:
    table = at(NSW, "choice_1")
    start = stacks(at(NSW, "betting"))
    void = order(table, "void_bets", seats=(4,), ground="device")
    rest = tuple(step for step in table.agenda if step.seat != 4)
    assert void.agenda == (Step("return_bets", 4), Step("discard_hand", 4), *rest)
    void = carried_out(void)
    assert (void.phase, void.dealt_in, void.at(places.hand(4))) == ("choice_1", (1, 7), ())
    assert (stacks(void)[1], stacks(void)[::2]) == (start[1], stacks(table)[::2])
    assert hand_void(table, 4)[0] == (Step("return_bets", 4), Step("discard_hand", 4), *rest)
    assert hand_void(table, 4, counted=True)[0][0] == Step("count_hand", 4)
    void = carried_out(order(void, "void_bets", seats=(1,), ground="device"))
    last = order(void, "void_bets", seats=(7,), ground="device")
    assert (last.phase, last.voiding) == ("ruling", True)
    over = carried_out(last)
    assert over.phase == "between"
    assert stacks(over) == start
    assert 52 == len(over.at(places.RACK))


def test_the_awards_are_for_one_hand_less_where_the_void_hand_counted() -> None:
    table = when("examples/washington", "deal_packet")
    side_only = changed(table, 7, wagers={"cover_all": 200})
    for one, count, hands in (
        (table, "hands_dealt", 2),
        (side_only, "hands_dealt", 2),
        (table, "base_hands", 2),
        (side_only, "base_hands", 3),
    ):
        left, last = hand_void(by_another(one, cover_all__count=count), 7)
        assert [step.number for step in left if step.kind == "show_awards"] == [hands], count
        assert not last


def test_the_last_void_hand_ends_the_round_for_the_bank_too() -> None:
    table = when(CALIFORNIA, "deal_packet")
    alone = table
    for seat in (1, 3):
        alone = changed(alone, seat, dealt_in=False)
    assert table.seats[7].fee_cents == 200
    ended = (Step("return_bets", 5), Step("discard_hand", 5), Step("collect_round"))
    for one, then in (
        (alone, (Step("return_bets", 7), Step("return_stake", 7))),
        (changed(alone, 7, fee_cents=0), (Step("return_stake", 7),)),
        (changed(alone, bank_stake=0), ()),
    ):
        assert hand_void(one, 5) == ((*ended, *then), True)


def test_a_deck_that_waits_in_the_nest_is_mixed_though_the_round_is_over() -> None:
    for kind, mixed in (("swap_decks", False), ("mix_deck", True), ("deal_packet", False)):
        table = when(WASHINGTON, kind)
        for seat in (1, 3):
            table = changed(table, seat, dealt_in=False)
        left, last = hand_void(table, 5)
        waits = [step for step in table.agenda if step.kind == "mix_deck"] if mixed else []
        assert (last, list(left[3:])) == (True, waits), kind


# the device


def test_a_deck_that_was_mixed_is_mixed_again_when_the_device_fails_before_the_first_card() -> None:
    table = when(JAM, "deal_packet")
    again = (Step("gather_deck"), Step("load_deck", number=1), Step("start_shuffle", number=1))
    for kind, first in (("device_jam", "clear_jam"), ("device_failure", "replace_device")):
        after = told(table, kind, "machine")
        assert after.agenda == (Step(first), *again, Step("free_deck", number=1), *table.agenda)
        for _ in range(5):
            after = next_done(after)
        assert after.agenda == table.agenda
        assert tuple(str(card.face) for card in after.at(places.READY)) == ORDER


def test_the_rest_of_a_deck_is_mixed_again_and_what_is_dealt_stays() -> None:
    table = next_done(when(JAM, "deal_packet"))
    after = told(table, "device_jam", "machine")
    assert after.agenda == (Step("clear_jam"), Step("mix_rest", number=1), *table.agenda)
    mixed = next_done(next_done(after))
    assert mixed.at(places.hand(1)) == table.at(places.hand(1))
    left = {str(card.face) for card in table.at(places.READY)}
    assert [str(card.face) for card in mixed.at(places.READY)] == [face for face in ORDER if face in left]


def test_of_two_decks_the_one_in_the_nest_is_mixed_once() -> None:
    dealing = by_another(when(WASHINGTON, "deal_packet"), irreg__jam_in_deal="rest_mixed")
    deck = dealing.at(places.READY)[0].deck
    again = Step("start_shuffle", number=3 - deck)
    mixing = when(WASHINGTON, "mix_deck")
    loaded = when(WASHINGTON, "start_shuffle", "opening")
    choosing = by_another(when(WASHINGTON, "await_choice", "choice_1"), irreg__jam_in_deal="rest_mixed")
    one_left = with_cards(dealing, nest=dealing.at(places.NEST)[:1])
    for table, steps in (
        (dealing, (again,)),
        (one_left, (again,)),
        (next_done(dealing), (Step("mix_rest", number=deck), again)),
        (choosing, (Step("start_shuffle", number=choosing.at(places.NEST)[0].deck),)),
        (mixing, ()),
        (loaded, ()),
    ):
        assert told(table, "device_jam", "machine").agenda == (Step("clear_jam"), *steps, *table.agenda)


def test_a_device_that_fails_when_the_cards_are_in_the_rack_is_replaced_and_no_more() -> None:
    table = when(JAM, "collect_community", "settling")
    table = next_done(changed(table, agenda=(*table.agenda, Step("game_over"))))
    assert (table.phase, table.at(places.READY), table.at(places.NEST)) == ("settling", (), ())
    assert told(table, "device_failure", "machine").agenda == (Step("replace_device"), *table.agenda)


@pytest.mark.parametrize("house", ["california-1", "shufflemaster-1", "washington-1"])
@pytest.mark.parametrize("phase", ["choice_1", "choice_2"])
def test_a_dealt_hand_is_played_out_when_the_device_fails(house: str, phase: str) -> None:
    table = when(f"irregularities/device-failure/{house}", "await_choice", phase)
    table = changed(table, rulings=())
    after = told(table, "device_failure", "machine")
    mixing = any(step.kind in {"start_shuffle", "mix_deck"} for step in table.agenda)
    nest = () if mixing else (Step("start_shuffle", number=table.at(places.NEST)[0].deck),)
    assert (after.phase, after.voiding) == (phase, False)
    assert after.agenda == (Step("replace_device"), *nest, *table.agenda)
    assert after.rulings[-1].sentence == f"{WHAT['device_failure']}: play goes on; another device is brought"
    assert next_done(after).accounts == table.accounts


def test_a_device_that_fails_between_the_last_card_and_the_rest_of_the_deck_voids_nothing() -> None:
    for name in ("irregularities/device-failure/california-1", FAILURE):
        last = when(name, "deal_dealer_packet")
        assert told(last, "device_failure").voiding, name
        table = next_done(last)
        assert (table.phase, bool(table.at(places.READY))) == ("dealing", True)
        assert not told(table, "device_failure").voiding, name


def test_a_book_that_voids_a_round_in_which_the_device_fails_does_so_to_its_end() -> None:
    assert told(when(JAM, "await_choice", "choice_2"), "device_failure").voiding
    table = by_another(when(WASHINGTON, "await_choice", "choice_1"), irreg__failure_dealt="round_void")
    assert told(table, "device_failure").voiding


# the same round dealt again


def unloaded(name: str) -> Table:
    """The table when the rest of the deck came out too early."""
    tables = (step.after for step in recorded(name).steps)
    return next(table for table in tables if table.phase == "dealing" and faults.is_unloaded(table))


def test_cards_that_the_device_still_holds_come_out_before_the_same_round_is_dealt_again() -> None:
    table = unloaded(WASHINGTON)
    rack = table.at(places.RACK)
    left = with_cards(table, ready=rack[:2], rack=rack[2:])
    plain, after = told(table, "unloaded"), told(left, "unloaded")
    assert after.agenda == (Step("floor_collects"), Step("floor_unloads"), *plain.agenda[1:])
    assert "swap_decks" in kinds(after)
    out = next_done(next_done(after))
    assert (out.at(places.READY), set(out.at(places.RACK))) == ((), set(next_done(plain).at(places.RACK)))


def test_a_single_deck_is_mixed_again_before_the_same_round_is_dealt_again() -> None:
    table = by_another(unloaded("irregularities/unloaded/nsw-1"), irreg__unload_before_community="same_round")
    after = told(table, "unloaded")
    again = (Step("gather_deck"), Step("load_deck", number=1), Step("start_shuffle", number=1))
    deal = tuple(agenda.deal(table.rules.rules, (1, 3, 5)))
    assert after.agenda[:8] == (Step("floor_collects"), *again, Step("free_deck", number=1), *deal[:3])
    assert set(deal) <= set(after.agenda)
    for _ in range(6):
        after = next_done(after)
    assert [str(card.face) for card in after.at(places.hand(1))] == list(ORDER[:3])
    assert len(after.at(places.READY)) == 49


def test_no_fee_is_collected_and_no_dice_are_thrown_for_a_round_that_is_dealt_again() -> None:
    values = {"irreg__unload_before_community": "same_round", "bank__settle_from": "action_seat"}
    table = by_another(unloaded(CALIFORNIA), **values)
    planned = tuple(agenda.dealing(table, (1, 3, 5)))
    after = told(table, "unloaded")
    not_again = [step for step in planned if step.kind in {"collect_fee", "throw_dice"}]
    assert len(not_again) == 5
    assert after.agenda[1:] == tuple(step for step in planned if step not in not_again)


def test_the_bonus_dollars_that_were_collected_lie_again_when_the_round_is_dealt_again() -> None:
    table = unloaded(WASHINGTON)
    assert table.seats[1].wagers["bonus"] == 100
    assert table.cents(accounts.felt(1, "bonus")) == 0
    lying = changed(table, 3, wagers={**table.seats[3].wagers, "bonus": 100})
    lying = changed(lying, accounts={**lying.accounts, accounts.felt(3, "bonus"): 100})
    after = told(lying, "unloaded")
    assert [step for step in after.agenda if step.kind == "restore_bonus"] == [Step("restore_bonus", 1, "bonus")]


# the round void


def test_a_wrong_deck_found_while_bets_are_made_sends_them_back() -> None:
    start = stacks(at(NSW, "betting"))
    table = at(NSW, "betting", last=True)
    assert stacks(table) != start
    short = with_cards(table, ready=table.at(places.READY)[1:])
    after = next_done(order(short, "count"))
    ruling = after.rulings[-1]
    assert (ruling.name, ruling.by, ruling.number) == ("deck:round_void", "dealer", 1)
    assert ruling.case is not None
    assert not ruling.case.cards_out
    assert (after.phase, after.voiding) == ("ruling", True)
    assert stacks(carried_out(after)) == start
    playing = at(NSW, "choice_1")
    short = with_cards(playing, ready=playing.at(places.READY)[1:])
    case = next_done(order(short, "count")).rulings[-1].case
    assert case is not None
    assert case.cards_out


def test_a_wrong_deck_found_when_no_round_is_on_is_replaced_and_voids_nothing() -> None:
    table = at(NSW, "idle")
    place = next(place for place, held in table.cards.items() if held)
    short = with_cards(table, **{place: table.at(place)[1:]})
    after = next_done(order(short, "count"))
    assert (after.phase, after.voiding) == ("ruling", False)
    assert after.agenda == (Step("remove_deck", number=1), Step("introduce_deck", number=1))


def test_a_misdeal_is_declared_by_whom_the_book_names_and_nothing_else_is() -> None:
    table = mishap(at(NSW, "dealing", last=True), "drawn")
    for by, kind, first in (
        ("dealer", "misdeal", "declare_misdeal"),
        ("floor", "misdeal", "floor_declares_misdeal"),
        ("floor", "round_void", "declare_round_void"),
    ):
        one = by_another(table, misdeal__declared_by=by)
        after = follow(one, report("deck" if kind == "round_void" else "drawn_card"))
        assert (after.ruling.name.partition(":")[2], after.agenda[0].kind) == (kind, first)


def test_every_seat_that_staked_something_has_it_back_those_who_were_paid_first() -> None:
    table = unloaded(CALIFORNIA)
    after = told(table, "unloaded")
    assert [step.seat for step in after.agenda if step.kind == "return_bets"] == [1, 3, 5, 7]
    assert stacks(carried_out(after)) == [50_000, 500_000, 50_000, 90_000]
    settling = at(NSW, "settling")
    settling = changed(changed(settling, 1, paid_cents=100), 4, taken_cents=50)
    back = [step.seat for step in follow(settling, report("deck")).agenda if step.kind == "return_bets"]
    assert back == [1, 7, 4]


def test_a_shuffler_with_a_controller_is_set_going_again_by_its_guide() -> None:
    for ref, resumed in (("washington-1", True), ("washington-1+felt", False), ("washington-1+hand", False)):
        rules = catalog.table_rules(ref)
        assert rules.rules.shuffler.controller is (ref != "washington-1+felt")
        table = changed(open_table(rules)[0], phase="dealing", agenda=())
        steps = [step.kind for step in follow(table, report("deck")).agenda]
        assert ("resume_by_guide" in steps) is resumed, ref


# counts


def test_a_check_of_the_hands_rules_on_the_one_that_is_wrong_and_on_nothing_else() -> None:
    table = when(WASHINGTON, "slide_left")
    for kind, seat in (("hand_count", 5), ("dealer_count", 0)):
        wrong = mishap(mishap(table, "exposed", seat=1), "long", seat=seat)
        assert next(faults.evident(wrong)).kind == "exposed_card"
        after = next_done(told(wrong, "device_miscount", "machine"))
        ruling = after.rulings[-1]
        assert (ruling.name, ruling.seat, ruling.by) == (f"{kind}:misdeal", seat, "floor")
    only_shown = next_done(told(mishap(table, "exposed", seat=1), "device_miscount", "machine"))
    assert only_shown.rulings[-1].name == "device_miscount:counted"


def test_a_count_that_comes_out_wrong_is_ruled_on_at_the_word_of_who_counted() -> None:
    table = when(WASHINGTON, "slide_left")
    short = with_cards(table, ready=table.at(places.READY)[1:])
    for one, ruled in ((table, ("device_miscount:counted", "machine")), (short, ("deck:misdeal", "floor"))):
        counted = next_done(next_done(told(one, "device_miscount", "machine")))
        assert (counted.rulings[-1].name, counted.rulings[-1].by) == ruled
    table = at("hand-dealt", "dealing", last=True)
    table = changed(table, agenda=(Step("count_stub"), *table.agenda))
    assert next_done(table).rulings == table.rulings
    short = with_cards(table, ready=table.at(places.READY)[1:])
    ruling = next_done(short).rulings[-1]
    assert (ruling.name, ruling.by, ruling.number) == ("stub_count:round_void", "dealer", 1)


def test_a_deck_that_is_not_the_52_is_replaced_and_goes_back_to_where_it_lay() -> None:
    table = when(WASHINGTON, "deal_packet")
    nest = table.at(places.NEST)
    deck = nest[0].deck
    again = [Step(kind, number=deck) for kind in ("remove_deck", "introduce_deck", "check_deck")]
    check = Step("check_deck", number=deck)
    assert due_after(table, check) == ()
    for place, back in ((places.NEST, "load_deck"), (places.RACK, "rack_deck"), (places.SPREAD, "")):
        lying = with_cards(table, **{places.NEST: (), places.RACK: (), place: nest[1:]})
        assert due_after(lying, check) == (*again, *([Step(back, number=deck)] if back else [])), place


def test_a_count_that_comes_out_right_sets_a_shuffler_with_a_controller_going_again() -> None:
    table = when(WASHINGTON, "deal_packet")
    plain = by_another(table, shuffler__controller=False, bet__cutoff="call", bonus__stake_handling="lammer")
    deck = faults.deck_in_play(table)
    short = {"ready": table.at(places.READY)[1:]}
    for one, due in (
        (table, (Step("resume_by_guide"),)),
        (plain, ()),
        (with_cards(table, **short), ()),
        (with_cards(plain, **short), ()),
    ):
        assert due_after(one, Step("count_down", number=deck)) == due
