"""Supervision: each order of a supervisor is taken where the book allows it and refused by its code where it does not."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from letitride.engine import commands, places
from letitride.engine.legal import legal
from letitride.engine.state import Ruling, Sign, Table
from letitride.engine.steps import Step
from tests.engine.recorded import at, by_another

NSW = "new-south-wales"


def code(table: Table, kind: str, by: str = "casino_supervisor", **said: Any) -> str:
    """Why an order is refused at a table, or ''."""
    words = {"why": "a reason"} | said
    refusal = legal(table, commands.Order(by=by, kind=kind, **words))  # type: ignore[arg-type]  # any name may be tried
    return refusal.code if refusal else ""


def seats(table: Table, number: int, **values: Any) -> Table:
    """The table with one seat changed."""
    changed = msgspec.structs.replace(table.seats[number], **values)
    return msgspec.structs.replace(table, seats={**table.seats, number: changed})


def changed(table: Table, **values: Any) -> Table:
    return msgspec.structs.replace(table, **values)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ({}, ""),
        ({"why": "two\nlines"}, "bad_words"),
        ({"minute": 1_439}, ""),
        ({"minute": 1_440}, "bad_amount"),
        ({"minute": -1}, "bad_amount"),
        ({"when": 1_439}, ""),
        ({"when": 1_440}, "bad_amount"),
        ({"when": -1}, "bad_amount"),
        ({"cents_min": -1}, "bad_amount"),
        ({"cents_max": -1}, "bad_amount"),
        ({"cents_min": -1, "cents_max": -1}, "bad_amount"),
        ({"seats": (1,)}, ""),
        ({"seats": (2,)}, "seat_empty"),
        ({"seats": (1, 9)}, "seat_empty"),
        ({"cards": ("Ks",)}, "bad_cards"),
    ],
)
def test_what_an_order_says_is_sound(said: dict[str, Any], expected: str) -> None:
    assert code(at(NSW, "betting"), "english_only", **said) == expected


def test_no_order_is_given_while_the_table_is_closed_or_a_ruling_is_carried_out() -> None:
    table = at(NSW, "betting")
    assert code(changed(table, phase="closed"), "english_only") == "not_now"
    assert code(changed(table, phase="opening"), "english_only") == "not_now"
    assert code(changed(table, phase="ruling"), "english_only") == "ruling_first"
    mending = changed(at(NSW, "dealing"), agenda=(Step("turn_down", 1),))
    assert code(mending, "english_only") == "ruling_first"
    assert code(table, "dance") == "unknown_order"


def test_an_order_takes_the_supervisor_of_the_book() -> None:
    table = at(NSW, "betting")
    given = {by: code(table, "english_only", by) for by in ("floor", "games_supervisor", "operator", "inspector")}
    assert given == {
        "floor": "not_your_role",
        "games_supervisor": "",
        "operator": "",
        "inspector": "not_your_role",
    }
    counts = {by: code(table, "count", by) for by in ("dealer", "floor", "games_supervisor", "inspector")}
    assert counts == {"dealer": "not_your_role", "floor": "not_your_role", "games_supervisor": "", "inspector": ""}


def test_cards_are_counted_after_an_irregularity_where_the_book_says_so() -> None:
    table = at("manufacturer", "betting")
    assert code(table, "count") == "no_count"
    assert code(changed(table, rulings=(Ruling(name="exposed_card", sentence="a card was exposed"),)), "count") == ""
    assert code(at(NSW, "betting"), "count") == ""


@pytest.mark.parametrize(
    ("kind", "cents", "minute", "when", "expected"),
    [
        ("announce_minimum", 1_000, 600, 615, "bad_limits"),
        ("announce_minimum", 1_001, 600, 615, ""),
        ("announce_minimum", 1_001, 600, 614, "notice_too_short"),
        ("announce_minimum", 1_001, 1_430, 5, ""),
        ("announce_minimum", 1_001, 1_430, 4, "notice_too_short"),
        ("announce_closing", 0, 600, 625, ""),
        ("announce_closing", 0, 600, 624, "notice_too_short"),
        ("announce_closing", 0, 1_430, 15, ""),
        ("announce_closing", 0, 1_430, 14, "notice_too_short"),
    ],
)
def test_a_sign_is_up_for_the_notice_of_the_book(kind: str, cents: int, minute: int, when: int, expected: str) -> None:
    table = by_another(at(NSW, "betting"), limit__notice_minutes=15, close__notice_minutes=25)
    assert code(table, kind, cents_min=cents, minute=minute, when=when) == expected


def test_a_lower_maximum_than_minimum_and_a_minimum_without_its_sign_are_refused() -> None:
    table = at(NSW, "betting")
    assert code(table, "limits", cents_max=900) == "bad_limits"
    assert code(table, "limits", cents_min=1_000, cents_max=9_000) == ""
    assert code(table, "limits", cents_min=900) == ""
    assert code(table, "limits", cents_min=1_001) == "notice_too_short"
    signed = changed(table, signs={"minimum": Sign(600, 620, 1_001)})
    assert code(signed, "limits", cents_min=1_001, minute=620) == ""
    assert code(signed, "limits", cents_min=1_001, minute=619) == "notice_too_short"
    assert code(signed, "limits", cents_min=1_002, minute=620) == "notice_too_short"
    past_midnight = changed(table, signs={"minimum": Sign(1_430, 10, 1_001)})
    assert code(past_midnight, "limits", cents_min=1_001, minute=10) == ""
    assert code(past_midnight, "limits", cents_min=1_001, minute=9) == "notice_too_short"
    assert code(by_another(table, limit__notice_minutes=0), "limits", cents_min=1_001) == ""


def test_limits_change_between_rounds_where_the_book_says_so() -> None:
    assert code(at("hand-dealt", "idle"), "limits") == ""
    assert code(at("hand-dealt", "betting"), "limits") == ""
    assert code(at("hand-dealt", "betting", last=True), "limits") == "round_running"
    assert code(at("hand-dealt", "settling"), "limits") == "round_running"
    bare = at("hand-dealt", "settling")
    bare = changed(bare, seats={n: msgspec.structs.replace(one, wagers={}) for n, one in bare.seats.items()})
    assert code(bare, "limits") == "round_running"
    assert code(at(NSW, "settling"), "limits") == ""


@pytest.mark.parametrize("kind", ["change_deck", "close"])
def test_a_deck_is_changed_and_a_table_closed_when_no_round_is_on(kind: str) -> None:
    table = at("hand-dealt", "betting")
    assert code(table, kind) == ""
    assert code(seats(table, 2, wagers={"base-1": 500}), kind) == "round_running"
    assert code(changed(table, bank_stake=500), kind) == "round_running"
    assert code(changed(table, phase="settling"), kind) == "round_running"
    assert code(at("california", "banking"), kind) == ""
    assert code(at("hand-dealt", "idle"), kind) == ""
    assert code(at("hand-dealt", "between"), kind) == ("not_now" if kind == "change_deck" else "")


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ({"number": 2}, ""),
        ({"number": 3}, "no_such_deck"),
        ({"number": -1}, "no_such_deck"),
        ({"cards": ("Ks", "2d")}, ""),
        ({"cards": ("Ks", "Ks")}, "bad_cards"),
        ({"cards": ("Ks", "Xx")}, "no_such_card"),
    ],
)
def test_the_deck_and_the_cards_that_are_changed_are_there(said: dict[str, Any], expected: str) -> None:
    assert code(at("manufacturer", "betting"), "change_deck", **said) == expected


def test_cards_are_changed_in_the_deck_that_is_named() -> None:
    table = at("manufacturer", "betting")
    without = {place: tuple(card for card in held if card.deck == 1) for place, held in table.cards.items()}
    one_deck = changed(table, cards=without)
    assert code(one_deck, "change_deck", number=1, cards=("Ks",)) == ""
    assert code(one_deck, "change_deck", number=2, cards=("Ks",)) == "no_such_card"


def test_a_table_with_players_closes_when_its_sign_says() -> None:
    table = at(NSW, "betting")
    assert code(table, "close", minute=620) == "notice_too_short"
    signed = changed(table, signs={"closing": Sign(600, 620)})
    assert code(signed, "close", minute=620) == ""
    assert code(signed, "close", minute=619) == "notice_too_short"
    assert code(by_another(table, close__notice_minutes=0), "close") == ""
    assert code(at(NSW, "idle"), "close") == ""


def test_a_cut_is_ordered_again_before_any_card_is_dealt() -> None:
    table = at("hand-dealt", "dealing")
    assert code(table, "recut") == ""
    for left, expected in ((50, ""), (49, "not_now")):  # a deck may be found short, a packet is no deck
        short = {**table.cards, places.READY: table.at(places.READY)[:left]}
        assert code(changed(table, cards=short), "recut") == expected
    assert code(at("hand-dealt", "dealing", last=True), "recut") == "not_now"
    one_out = {**table.cards, places.hand(2): table.at(places.READY)[:1], places.READY: table.at(places.READY)[1:]}
    assert code(changed(table, cards=one_out), "recut") == "not_now"
    assert code(at("hand-dealt", "choice_1"), "recut") == "not_now"
    assert code(by_another(table, cut__recut="no"), "recut") == "no_recut"
    assert code(at("manufacturer", "betting"), "recut") == "no_recut"


def test_a_bet_is_refused_until_the_first_card() -> None:
    table = at(NSW, "betting", last=True)
    assert code(table, "refuse_bet", seats=(1,)) == ""
    assert code(table, "refuse_bet", seats=(1,), why="") == "say_why"
    assert code(table, "refuse_bet") == "which_seats"
    assert code(table, "refuse_bet", seats=(1, 1)) == "which_seats"
    assert code(seats(table, 4, wagers={}), "refuse_bet", seats=(1, 4)) == "no_bets"
    assert code(seats(table, 4, taken_cents=1), "refuse_bet", seats=(1,)) == "not_now"
    assert code(seats(table, 4, fee_cents=1), "refuse_bet", seats=(1,)) == "not_now"
    correcting = changed(table, agenda=(Step("await_correction", 4), *table.agenda))
    assert code(correcting, "refuse_bet", seats=(1,)) == "not_now"
    assert code(at(NSW, "dealing", last=True), "refuse_bet", seats=(1,)) == "not_now"
    assert code(changed(table, phase="dealing"), "refuse_bet", seats=(1,)) == ""
    assert code(changed(table, phase="settling"), "refuse_bet", seats=(1,)) == "not_now"
    called = at("hand-dealt", "betting", last=True)
    assert code(called, "refuse_bet", seats=(2,)) == ""
    assert code(changed(called, phase="dealing"), "refuse_bet", seats=(2,)) == "not_now"
    assert code(by_another(called, bet__refuse="no"), "refuse_bet", seats=(2,)) == "no_refusal"


def test_until_when_a_bet_is_refused_is_told() -> None:
    for name, seat, words in (
        (NSW, 1, "before the first card is drawn"),
        ("hand-dealt", 2, "before betting is closed"),
    ):
        order = commands.Order(by="casino_supervisor", kind="refuse_bet", seats=(seat,), why="a reason")
        refusal = legal(at(name, "choice_1"), order)
        assert refusal is not None
        assert words in refusal.sentence


def test_suspects_are_named_as_the_book_provides() -> None:
    table = at(NSW, "betting")
    for kind, least in (("act_first", 1), ("separate", 2), ("bar", 1)):
        ground = {"ground": "collusion"} if kind == "bar" else {}
        assert code(table, kind, **ground) == "which_seats"
        assert code(table, kind, seats=(4, 4), **ground) == "which_seats"
        assert code(table, kind, seats=(4,), **ground) == ("" if least == 1 else "which_seats")
        assert code(table, kind, seats=(4, 7), **ground) == ""
    assert code(at("hand-dealt", "betting"), "act_first", seats=(2,)) == "not_provided"
    assert code(at("hand-dealt", "betting"), "english_only") == "not_provided"


def test_a_player_is_barred_on_grounds() -> None:
    table = seats(at(NSW, "betting"), 4, defied=True)
    assert code(table, "bar", seats=(4,), ground="refused_correction") == ""
    assert code(table, "bar", seats=(4, 7), ground="refused_correction") == "no_ground"
    assert code(table, "bar", seats=(7,), ground="device") == ""
    assert code(table, "bar", seats=(7,)) == "no_ground"
    assert code(by_another(table, device_breach=("void_bets",)), "bar", seats=(7,), ground="device") == "no_ground"
    assert code(by_another(table, collusion=("separate",)), "bar", seats=(7,), ground="collusion") == "no_ground"


def test_bets_are_void_for_a_forbidden_device_while_their_player_is_in_the_round() -> None:
    table = at(NSW, "choice_1")
    assert code(table, "void_bets", seats=(1,), ground="device") == ""
    assert code(table, "void_bets", seats=(1,)) == "no_ground"
    barring = by_another(table, device_breach=("bar",))
    assert code(barring, "void_bets", seats=(1,), ground="device") == "no_ground"
    assert code(table, "void_bets", ground="device") == "no_bets"
    assert code(table, "void_bets", seats=(1, 4), ground="device") == "no_bets"
    assert code(seats(table, 4, dealt_in=False), "void_bets", seats=(4,), ground="device") == "no_bets"
    assert code(changed(table, phase="betting"), "void_bets", seats=(1,), ground="device") == "no_bets"
    assert code(at(NSW, "settling"), "void_bets", seats=(1,), ground="device") == ""
    assert code(at("california", "choice_1"), "void_bets", seats=(1,), ground="device") == ""
    assert code(at("california", "settling"), "void_bets", seats=(1,), ground="device") == "no_bets"


def test_a_game_is_annulled_and_bets_forfeited_for_fraud_alone() -> None:
    table = at(NSW, "choice_1")
    for ground in ("fraud", "disturbance"):
        assert code(table, "annul", ground=ground) == ""
        assert code(at(NSW, "betting"), "annul", ground=ground) == "not_now"
    assert code(table, "annul") == "no_ground"
    assert code(table, "annul", ground="device") == "no_ground"
    assert code(table, "annul", ground="fraud", seats=(1, 4)) == ""
    assert code(table, "annul", ground="disturbance", seats=(1,)) == "no_forfeiture"
    assert code(at("hand-dealt", "choice_1"), "annul", ground="fraud", seats=(2,)) == "no_forfeiture"
    assert code(seats(table, 4, dealt_in=False), "annul", ground="fraud", seats=(1, 4)) == "no_bets"


def test_a_seat_is_given_up_after_the_rounds_of_the_book_at_a_full_table() -> None:
    table = at(NSW, "betting")
    full = changed(
        table, seats={n: msgspec.structs.replace(one, player=one.player or f"P{n}") for n, one in table.seats.items()}
    )
    idle = seats(full, 4, idle_rounds=3)
    assert code(idle, "give_up_seat", seats=(4,)) == ""
    assert code(idle, "give_up_seat") == "which_seats"
    assert code(idle, "give_up_seat", seats=(4, 1)) == "which_seats"
    assert code(seats(full, 4, idle_rounds=2), "give_up_seat", seats=(4,)) == "may_stay"
    by_now = commands.Order(by="casino_supervisor", kind="give_up_seat", seats=(4,), why="full")
    once = legal(seats(full, 4, idle_rounds=1), by_now)
    assert once is not None
    assert "sat out 1 round in a row" in once.sentence
    assert code(seats(idle, 7, player=""), "give_up_seat", seats=(4,)) == "seats_free"
    assert code(seats(idle, 4, wagers={"base-1": 500}), "give_up_seat", seats=(4,)) == "round_running"
    assert code(changed(idle, bank_seat=4, bank_stake=500), "give_up_seat", seats=(4,)) == "round_running"
    fewer = by_another(seats(idle, 7, player=""), seats=6)
    assert code(fewer, "give_up_seat", seats=(4,)) == ""
    assert code(by_another(idle, sitout__rounds_max="unlimited"), "give_up_seat", seats=(4,)) == "may_stay"
