"""View, part by part: what is told of hands, rulings, bank, deck and sign, and which seats must be looked at again."""

from __future__ import annotations

from dataclasses import replace as with_changed
from typing import Any

import pytest
from msgspec.structs import replace

from letitride.engine import places
from letitride.engine.decide import open_table
from letitride.engine.places import CardObject
from letitride.engine.state import Dispute, Ruling, Seat, Sign, Table
from letitride.engine.steps import Step
from letitride.engine.view import (
    is_told,
    may_see,
    round_running,
    ruling_view,
    seats_to_look_at,
    sees_more,
    shown_to,
    signs_of,
    view,
)
from letitride.engine.view_types import BankView, DeckView, NoticesView, NoticeView, PayView
from letitride.rules import catalog
from letitride.rules.cards import JOKER, Card
from letitride.rules.settlement import WagerResult
from tests.engine.recorded import by_another


def cards(faces: str, *, up: bool = False, deck: int = 1) -> tuple[CardObject, ...]:
    return tuple(CardObject(deck, number, Card.parse(face), up) for number, face in enumerate(faces.split()))


def a_table(ref: str = "nsw-1", own: dict[str, Any] | None = None, seats: dict[int, Seat] | None = None, **changed: Any) -> Table:  # fmt: skip
    table, _ = open_table(catalog.ready_rules(ref, own))
    begun = replace(table, phase="choice_1", agenda=(), cards={})
    return replace(begun, seats={**table.seats, **(seats or {})}, **changed)


CLAIMS = "washington-1+three_card_claim"

# rulings and complaints


@pytest.mark.parametrize("kind", ["act_first", "separate", "bar", "void_bets"])
def test_a_suspicion_is_told_to_staff_and_to_those_it_concerns(kind: str) -> None:
    said = Ruling(name=f"order:{kind}:collusion", sentence="X.", seat=2, seats=(3, 4))
    viewers = ["dealer", "floor", "inspector", "spectator", *(f"seat:{number}" for number in range(1, 6))]
    table = a_table(rulings=(said,))
    told = [viewer for viewer in viewers if is_told(table, said, viewer)]
    assert ["dealer", "floor", "inspector", "seat:2", "seat:3", "seat:4"] == told
    assert told == [viewer for viewer in viewers if view(table, viewer).rulings]
    assert all(is_told(table, replace(said, name="order:annul:fraud"), viewer) for viewer in viewers)


def test_a_ruling_is_told_with_its_seat_and_reason_where_it_has_them() -> None:
    bare = ruling_view(Ruling(name="x", sentence="X."))
    full = ruling_view(Ruling(name="x", sentence="X.", seat=3, why="seen", clauses=("nsw:1",), by="floor"))
    assert (None, None, True, ()) == (bare.seat, bare.why, bare.house_default, bare.clauses)
    assert (3, "seen", False, ("nsw:1",), "floor") == (full.seat, full.why, full.house_default, full.clauses, full.by)


def test_a_complaint_is_told_to_staff_and_to_its_own_seat() -> None:
    one = Dispute(number=1, seat=3, player="Ann", about="x", heard_by=("floor",))
    table = a_table(disputes=(one,))
    viewers = ["dealer", "floor", "inspector", "spectator", "seat:3", "seat:4"]
    assert [(one,), (one,), (one,), (), (one,), ()] == [view(table, viewer).disputes for viewer in viewers]


def test_the_next_line_is_for_those_who_run_the_table() -> None:
    table = a_table(agenda=(Step("count_stub"), Step("ask", 3)))
    for viewer in ("dealer", "floor", "inspector"):
        line = view(table, viewer).script
        assert line is not None
        assert Step("count_stub") == line.step
    assert [None] * 2 == [view(table, viewer).script for viewer in ("spectator", "seat:3")]
    assert None is view(replace(table, agenda=()), "dealer").script


def test_notices_are_shown_with_their_amount_where_there_is_one() -> None:
    table = a_table(signs={"minimum": Sign(1, 2, 500), "closing": Sign(3, 4)})
    minimum, closing = NoticeView(posted=1, when=2, cents=500), NoticeView(posted=3, when=4, cents=None)
    assert NoticesView(minimum=minimum, closing=closing, english_only=False) == view(table, "spectator").notices


# the round


@pytest.mark.parametrize(
    ("ref", "phase", "place", "bets", "runs"),
    [
        ("nsw-1", "choice_1", "", False, True),
        ("nsw-1", "choice_2", "", False, True),
        ("nsw-1", "settling", "", False, True),
        ("nsw-1", "dealing", "", True, False),
        ("nsw-1", "dealing", "hand:3", True, True),
        ("nsw-1", "betting", "", True, False),
        ("washington-1", "betting", "", False, False),
        ("washington-1", "betting", "", True, True),
        ("washington-1", "dealing", "", False, True),
        ("washington-1", "idle", "", False, False),
        ("washington-1", "settling", "", False, True),
    ],
)
def test_a_round_begins_as_the_book_defines_it(ref: str, phase: Any, place: str, *, bets: bool, runs: bool) -> None:
    seat = Seat(3, "Ann", wagers={"base-1": 500} if bets else {})
    table = replace(a_table(ref, seats={3: seat}, cards={place: cards("2c")} if place else {}), phase=phase)
    assert runs is round_running(table) is view(table, "spectator").round_running


# who sees a hand


@pytest.mark.parametrize("hidden", [True, False])
@pytest.mark.parametrize("looked", [True, False])
def test_a_hand_is_seen_by_its_player_and_where_hands_are_shown_by_all_players(*, hidden: bool, looked: bool) -> None:
    hand = cards("2c 3c 4c")
    seats = {3: Seat(3, "Ann", looked=looked), 4: Seat(4, "Bea")}
    table = a_table(seats=seats, cards={"hand:3": hand})
    rules = table.rules.rules
    book = with_changed(table.rules.book, rules=replace(rules, cards=replace(rules.cards, hidden=hidden)))
    table = replace(table, rules=with_changed(table.rules, book=book))
    seen = {viewer: may_see(table, viewer, 3, hand[0]) for viewer in ("seat:3", "seat:4", "dealer", "spectator")}
    assert {"seat:3": looked, "seat:4": looked and not hidden, "dealer": False, "spectator": False} == seen
    assert [[3] if seen[viewer] else [] for viewer in seen] == [sees_more(table, viewer) for viewer in seen]
    assert all(may_see(table, viewer, 3, replace(hand[0], up=True)) for viewer in seen)
    open_hand = replace(table, cards={"hand:3": cards("2c 3c 4c", up=True)})
    assert [[]] * 4 == [sees_more(open_hand, viewer) for viewer in seen]
    one_up = replace(table, cards={"hand:3": (replace(hand[0], up=True), *hand[1:])})
    assert sees_more(table, "seat:3") == sees_more(one_up, "seat:3")


@pytest.mark.parametrize(
    ("claim", "phase", "lies", "shown"),
    [
        ("claimed", "choice_1", 100, True),
        ("claimed", "choice_1", 0, False),
        ("claimed", "choice_2", 100, False),
        ("waved", "choice_1", 100, False),
        ("", "choice_1", 100, False),
    ],
)
def test_a_claimed_hand_is_shown_to_the_dealer_until_it_is_paid(claim: Any, phase: Any, lies: int, *, shown: bool) -> None:  # fmt: skip
    seats = {3: Seat(3, "Ann", claim=claim), 4: Seat(4, "Bea")}
    held = {"felt:3:three_card": lies, "felt:4:three_card": 100}
    table = replace(a_table(CLAIMS, seats=seats, accounts=held, cards={"hand:3": cards("2c")}), phase=phase)
    assert [shown, False, False] == [shown_to(table, viewer, 3) for viewer in ("dealer", "floor", "seat:4")]
    assert ([3] if shown else []) == sees_more(table, "dealer")
    assert [] == sees_more(table, "floor")
    assert (("2c" if shown else "[red]"),) == view(table, "dealer").seats[3].cards


@pytest.mark.parametrize(
    ("hand", "community", "up", "told"),
    [
        ("2c 2d 2h", "2s 7h", True, True),
        ("2c 2d 2h", "2s 7h", False, False),
        ("2c 2d", "2s 7h", True, False),
        ("2c 2d 2h 5c", "2s", True, False),
        ("2c 2d", "2s 7h 8h", True, False),
        ("2c 2c 2h", "2s 7h", True, False),
    ],
)
def test_a_hand_is_called_for_those_who_see_five_different_cards_of_it(hand: str, community: str, *, up: bool, told: bool) -> None:  # fmt: skip
    laid = {places.community(number): (card,) for number, card in enumerate(cards(community, up=up), 1)}
    table = a_table(seats={3: Seat(3, "Ann", looked=True)}, cards={"hand:3": cards(hand), **laid})
    assert told is (view(table, "seat:3").seats[3].hand is not None)
    assert None is view(table, "spectator").seats[3].hand


def test_a_hand_with_a_joker_is_not_called() -> None:
    hand = (*cards("2c 2d"), CardObject(1, -1, JOKER))
    laid = {places.community(number): (card,) for number, card in enumerate(cards("2s 7h", up=True), 1)}
    table = a_table(seats={3: Seat(3, "Ann", looked=True)}, cards={"hand:3": hand, **laid})
    assert None is view(table, "seat:3").seats[3].hand


# results


def test_a_side_bet_that_was_settled_on_the_felt_is_known_before_hands_are_open() -> None:
    def known(claim: Any, lies: int, wager: Any = "three_card") -> bool:
        seat = Seat(3, "Ann", dealt_in=True, claim=claim, results=(WagerResult(wager, 100, "lost"),))
        table = a_table(CLAIMS, seats={3: seat}, accounts={"felt:3:three_card": lies}, cards={"hand:3": cards("2c")})
        return bool(view(table, "spectator").seats[3].results)

    assert [True, True, False, False, False] == [
        known("waved", 0), known("claimed", 0), known("claimed", 100), known("", 0), known("waved", 0, "base-1"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("ref", "wager", "opened", "known"),
    [
        ("washington-1", "base-1", (3,), True),
        ("washington-1", "base-1", (2, 4), False),
        ("washington-1", "cover_all", (3,), False),
        ("washington-1", "cover_all", (2, 3, 4), True),
        ("california-1", "base-1", (3,), False),
        ("california-1", "base-1", (2, 3), True),
        ("california-1", "base-1", (3, 4), False),
    ],
)
def test_results_are_told_when_the_hands_they_follow_from_are_open(ref: str, wager: Any, opened: tuple[int, ...], *, known: bool) -> None:  # fmt: skip
    own = {"bank.settle_from": "action_seat"} if ref == "california-1" else {}
    seats = {number: Seat(number, "Ann", dealt_in=True, results=(WagerResult(wager, 1, "lost"),)) for number in (2, 3, 4)}  # fmt: skip
    held = {f"hand:{number}": cards("2c 3c 4c", up=number in opened) for number in (2, 3, 4)}
    table = a_table(ref, own, seats=seats, cards=held, action_seat=2)
    assert known is bool(view(table, "spectator").seats[3].results)
    out = replace(table, seats={**table.seats, 3: replace(seats[3], dealt_in=False)})
    if wager != "cover_all":
        assert (3 in opened) is bool(view(out, "spectator").seats[3].results)


# the table


def test_the_bank_is_shown_where_a_player_may_bank() -> None:
    assert None is view(a_table(), "spectator").bank
    table = a_table("california-1", bank_seat=3, bank_stake=900, bank_hands=2, action_seat=5, accounts={"bank": 700})
    assert view(table, "spectator").bank == BankView(
        seat=3, stake_cents=900, chips_cents=700, hands_in_a_row=2, action_seat=5
    )
    assert view(replace(table, bank_stake=0, action_seat=0), "spectator").bank == BankView(
        seat=None, stake_cents=0, chips_cents=700, hands_in_a_row=2, action_seat=None
    )


def test_a_deck_has_as_many_cards_left_as_there_should_be() -> None:
    hand, ready = cards("2c 3c 4c", deck=2), cards("5c 6c", deck=2)
    held = {"hand:3": hand, "ready": ready, "rack": cards("7c", deck=2), "nest": cards("2c 3c"), "spread": cards("4c")}
    table = a_table("washington-1", cards={**held, "outside": cards("8c", deck=2)})
    assert DeckView(left=48, colour="blue") == view(table, "spectator").deck
    nested = replace(table, cards={**table.cards, "nest": cards("9c", deck=2)})
    assert DeckView(left=48, colour="blue") == view(nested, "spectator").deck
    assert DeckView(left=0, colour="blue") == view(replace(table, cards={"hand:3": hand}), "spectator").deck
    assert DeckView(left=0, colour=None) == view(replace(table, cards={}), "spectator").deck
    both = replace(table, cards={"hand:3": cards("2c"), "ready": ready})
    assert DeckView(left=51, colour="red") == view(both, "spectator").deck


def test_the_sign_says_what_is_offered_and_at_which_limits() -> None:
    sign = view(a_table("washington-1"), "spectator").sign
    assert [("bonus", 100, 100), ("three_card", 100, 2_500), ("cover_all", 100, 2_500)] == [
        (bet.spot, bet.cents_min, bet.cents_max) for bet in sign.side_bets
    ]
    assert (None, ("chips", "plaques")) == (sign.fees, sign.bet_media)
    bare = view(a_table("nsw-1"), "spectator").sign
    assert () == bare.side_bets
    charged = a_table("california-1")
    assert charged.rules.rules.fee.tiers == view(charged, "spectator").sign.fees
    assert None is view(by_another(charged, fee__kind="none"), "spectator").sign.fees


def test_the_sign_pays_by_the_hands_that_were_counted() -> None:
    table = a_table("washington-1")
    pays, counted = view(table, "spectator").sign.pays, view(replace(table, awards_hands=3), "spectator").sign.pays
    assert ("win $10,000", "100 to 1") == (pays["bonus"]["royal flush"], pays["base"]["royal flush"])
    assert "500 to 1 (1 hand) … 90 to 1 (7 hands)" == pays["cover_all"]["royal flush"]
    assert "250 to 1" == counted["cover_all"]["royal flush"]
    assert signs_of(table) != signs_of(replace(table, awards_hands=3))
    dear = view(by_another(table, bonus__cents=500), "spectator").sign.pays
    assert ("win $50,000", "100 to 1") == (dear["bonus"]["royal flush"], dear["base"]["royal flush"])
    cover_all = table.rules.pays["cover_all"]
    two = with_changed(cover_all, columns=cover_all.columns[:2])
    few = replace(table, rules=with_changed(table.rules, pays={**table.rules.pays, "cover_all": two}))
    shown = view(few, "spectator").sign.pays["cover_all"]["royal flush"]
    assert shown == "500 to 1 (1 hand) … 300 to 1 (2 hands)"


def test_the_sign_tells_pays_in_parts_as_well() -> None:
    values = view(a_table("washington-1"), "spectator").sign.pay_values
    assert (PayView(odds=(100, 1)),) == values["base"]["royal flush"]
    assert (PayView(win_cents=10_000_00),) == values["bonus"]["royal flush"]
    best = values["cover_all"]["royal flush"]
    assert [*range(1, 8)] == [one.hands for one in best]
    assert (PayView(odds=(500, 1), hands=1), PayView(odds=(90, 1), hands=7)) == (best[0], best[-1])


def test_the_lamp_is_lit_over_a_bonus_bet_where_there_are_sensors() -> None:
    seat = {3: Seat(3, "Ann", wagers={"bonus": 100}), 4: Seat(4, "Bea", wagers={"base-1": 500})}
    lamps = {ref: view(a_table(ref, seats=seat), "dealer").seats for ref in ("washington-1", "nsw-1")}
    assert (("bonus",), ()) == (lamps["washington-1"][3].lamps, lamps["washington-1"][4].lamps)
    assert not lamps["nsw-1"][3].lamps
    assert ("Ann", None) == (lamps["nsw-1"][3].player, lamps["nsw-1"][5].player)


# what changed


def test_seats_are_looked_at_again_where_they_their_cards_or_their_chips_changed() -> None:
    old = a_table(
        seats={3: Seat(3, "Ann"), 6: Seat(6, "Eve", results=(WagerResult("base-1", 1, "lost"),))},
        accounts={"stack:2": 5, "tray": 9},
        cards={"hand:4": cards("2c"), "community:2": cards("3c")},
    )
    everyone = set(old.seats)
    assert set() == seats_to_look_at(old, old)
    assert set() == seats_to_look_at(replace(old, accounts={**old.accounts, "tray": 8}), old)
    assert {2} == seats_to_look_at(replace(old, accounts={**old.accounts, "stack:2": 4}), old)
    assert {1} == seats_to_look_at(replace(old, accounts={**old.accounts, "felt:1:bonus": 4}), old)
    assert {2} == seats_to_look_at(replace(old, accounts={"tray": 9}), old)
    assert {3, 6} == seats_to_look_at(replace(old, seats={**old.seats, 3: Seat(3, "Bea")}), old)
    assert everyone == seats_to_look_at(replace(old, cards={**old.cards, "community:2": cards("4c")}), old)
    assert everyone == seats_to_look_at(replace(old, cards={"hand:4": old.cards["hand:4"]}), old)
    assert everyone == seats_to_look_at(replace(old, rules=catalog.ready_rules("nsw-1", {"seats": 7})), old)


def test_seats_with_results_are_looked_at_again_when_hands_are_opened_and_not_when_bets_are_paid() -> None:
    results = (WagerResult("base-1", 1, "lost"),)
    old = a_table(
        seats={3: Seat(3, "Ann", dealt_in=True, results=results), 6: Seat(6, "Eve", dealt_in=True, results=results)},
        cards={"hand:3": cards("2c"), "hand:6": cards("3c")},
    )
    ann = old.seats[3]
    assert {3} == seats_to_look_at(replace(old, seats={**old.seats, 3: replace(ann, taken_cents=1)}), old)
    assert {3, 6} == seats_to_look_at(replace(old, seats={**old.seats, 3: replace(ann, dealt_in=False)}), old)
    assert {3, 6} == seats_to_look_at(replace(old, cards={**old.cards, "hand:3": cards("2c", up=True)}), old)
    assert {3, 6} == seats_to_look_at(replace(old, cards={"hand:6": old.cards["hand:6"]}), old)
    assert {3, 6} == seats_to_look_at(replace(old, action_seat=3), old)
    assert {3, 6} == seats_to_look_at(replace(old, rulings=(Ruling(name="deck:stands", sentence="It stands."),)), old)
