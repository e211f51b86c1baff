"""Settlement: every wager's result, against a second computation that shares neither hands nor paytables with it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from phevaluator import evaluate_cards

from letitride.errors import InvalidData
from letitride.rules import catalog
from letitride.rules.banking import settle_hands_banked as settle_banked
from letitride.rules.cards import DECK, Card, parse_cards
from letitride.rules.hands import Category
from letitride.rules.settlement import Hand, Spot, settle_own, settle_wager
from letitride.rules.settlement import settle_hands as settle_round
from letitride.rules.table_rules import TableRules
from letitride.rules.wager_table import BASE_SPOTS

# The last rank of each paying category in phevaluator's order of 7,462; pairs are told apart by their own ranks.
BASE_PAYS = [(1, 1000), (10, 200), (166, 50), (322, 11), (1599, 8), (1609, 5), (2467, 3), (3325, 2)]
BONUS_AWARDS = [(1, 20_000), (10, 2_000), (166, 100), (322, 75), (1599, 50), (1609, 25), (2467, 8), (3325, 4)]
COVER_ALL = {1: (500, 200, 150, 100, 70, 30, 20), 2: (300, 100, 80, 40, 30, 15, 11), 3: (250, 80, 50, 25, 20, 10, 7)}


def looked_up(cards: list[Card], pays: list[tuple[int, int]]) -> int | None:
    rank = evaluate_cards(*(card.index for card in cards))
    return next((pay for last, pay in pays if rank <= last), None)


def pair_of_tens_or_better(cards: list[Card]) -> bool:
    ranks = [card.rank for card in cards]
    return any(ranks.count(rank) == 2 for rank in range(10, 15)) and len(set(ranks)) == 4


def base_pay(cards: list[Card]) -> int | None:
    return looked_up(cards, BASE_PAYS) or (1 if pair_of_tens_or_better(cards) else None)


def three_pay(cards: list[Card]) -> int | None:
    ranks = sorted(card.rank for card in cards)
    suited = len({card.suit for card in cards}) == 1
    run = ranks[0] + 1 == ranks[1] == ranks[2] - 1 or ranks == [2, 3, 14]
    if len(set(ranks)) == 1:
        return 30
    if len(set(ranks)) == 2:
        return 1
    return {(True, True): 40, (True, False): 6, (False, True): 4}.get((run, suited))


@given(st.permutations(DECK), st.integers(1, 3), st.lists(st.booleans(), min_size=6, max_size=6))
def test_every_wager_comes_to_what_a_second_computation_says(deck: list[Card], seats: int, kept: list[bool]) -> None:
    table = catalog.table_rules("washington-1", {"base.paytable": "LIRB-06"})
    community, cards = deck[:2], [deck[2 + 3 * seat : 5 + 3 * seat] for seat in range(seats)]
    stakes: Any = {"base-1": 500, "base-2": 500, "base-$": 500, "bonus": 100, "three_card": 300, "cover_all": 200}
    hands = [
        Hand(
            seat,
            tuple(held),
            stakes,
            frozenset(s for s, k in zip(BASE_SPOTS[:2], kept[2 * seat :], strict=False) if not k),
        )
        for seat, held in enumerate(cards)
    ]
    best = min(evaluate_cards(*(c.index for c in [*held, *community])) for held in cards)
    column = [(last, pay) for (last, _), pay in zip(BASE_PAYS, COVER_ALL[seats], strict=False)]
    cover = next((pay for last, pay in column if best <= last), None)
    found = settle_round(table, community, hands)
    for hand, held in zip(hands, cards, strict=True):
        pay, award, three = base_pay([*held, *community]), looked_up([*held, *community], BONUS_AWARDS), three_pay(held)
        expected = {spot: 0 if spot in hand.withdrawn else 500 * pay if pay else -500 for spot in BASE_SPOTS}
        expected |= {"bonus": 100 * award - 100 if award else -100}
        expected |= {"three_card": 300 * three if three else -300, "cover_all": 200 * cover if cover else -200}
        assert expected == {result.wager: result.net_cents for result in found[hand.seat]}


KINGS, TRIPS, NOTHING = parse_cards("Kc Kd 2h"), parse_cards("9c 9d 9h"), parse_cards("2c 5d 8h")
COMMUNITY = parse_cards("4s Js")


def ruled(book: str, section: str, **values: Any) -> TableRules:
    """Return a table by a book, with values in one section that a book of the house may rule."""
    table = catalog.table_rules(book)
    rules = table.rules
    if section in rules.wagers:
        part = msgspec.structs.replace(rules.wagers[section], **values)
        changed = msgspec.structs.replace(rules, wagers={**rules.wagers, section: part})
    else:
        part = msgspec.structs.replace(getattr(rules, section), **values)
        changed = msgspec.structs.replace(rules, **{section: part})
    return replace(table, book=replace(table.book, rules=changed))


def washington(**values: Any) -> TableRules:
    return ruled("washington-1", "cover_all", **values)


def hand(seat: int, cards: tuple[Card, ...], *wagers: Spot, withdrawn: Any = ()) -> Hand:
    """Return a hand with $5 on each of some wagers."""
    return Hand(seat, cards, dict.fromkeys(wagers, 500), frozenset(withdrawn))


def test_a_withdrawn_bet_goes_back_whole_and_the_others_are_settled() -> None:
    held = hand(1, KINGS, *BASE_SPOTS, "three_card", withdrawn={"base-1"})
    results = settle_round(catalog.table_rules("washington-1"), COMMUNITY, [held])[1]
    assert [(one.wager, one.fate, one.paid_cents, one.back_cents, one.net_cents) for one in results] == [
        ("base-1", "withdrawn", 0, 500, 0),
        ("base-2", "won", 500, 500, 500),
        ("base-$", "won", 500, 500, 500),
        ("three_card", "won", 500, 500, 500),
    ]
    (lost,) = settle_round(catalog.table_rules("washington-1"), COMMUNITY, [hand(1, NOTHING, "base-$")])[1]
    assert (lost.fate, lost.net_cents) == ("lost", -500)


@pytest.mark.parametrize(
    ("count", "paid"),
    [
        ("hands_dealt", 11 * 500),  # three of a kind is the best of two hands
        ("base_hands", 0),  # the hand with a side bet alone neither counts nor competes
    ],
)
def test_cover_all_counts_every_hand_or_those_with_base_bets(count: str, paid: int) -> None:
    hands = [hand(1, NOTHING, *BASE_SPOTS, "cover_all"), hand(2, TRIPS, "three_card")]
    results = settle_round(washington(count=count), COMMUNITY, hands)[1]
    assert {one.wager: one.paid_cents for one in results}["cover_all"] == paid


def test_cover_all_pays_for_the_hands_there_are_or_for_those_that_the_awards_on_show_are_for() -> None:
    hands = [hand(1, TRIPS, *BASE_SPOTS, "cover_all"), hand(2, NOTHING, *BASE_SPOTS)]
    for on_show, pay in ((0, 11), (1, 20), (2, 11), (3, 7)):
        results = settle_round(washington(), COMMUNITY, hands, on_show)[1]
        assert results[-1].paid_cents == pay * 500
    assert settle_round(washington(), COMMUNITY, hands) == settle_round(washington(), COMMUNITY, hands, 0)
    banked = catalog.table_rules("california-1", catalog.STATED)
    assert settle_banked(banked, COMMUNITY, hands[1:], 10_000)[2] == settle_round(banked, COMMUNITY, hands[1:])[2]


def test_cover_all_is_not_paid_without_a_number_of_hands() -> None:
    with pytest.raises(InvalidData, match="expected 1 to 7 hands for the cover_all wager, got 0"):
        settle_round(washington(count="base_hands"), COMMUNITY, [hand(1, TRIPS, "cover_all")])
    pays = washington().pays["cover_all"]
    assert settle_own(washington(), "three_card", 500, NOTHING).fate == "lost"
    with pytest.raises(InvalidData, match="expected 1 to 7 hands for the cover_all wager, got 0"):
        settle_wager(pays, "cover_all", 500, Category.FLUSH)


@pytest.mark.parametrize(
    ("cap", "most", "scope", "paid"),
    [
        ("none", 1_200, "hand", [1500, 1500, 1500]),
        ("maximum", None, "hand", [1500, 1500, 1500]),
        ("maximum", 4_500, "hand", [1500, 1500, 1500]),
        ("maximum", 2_000, "hand", [1500, 500, 0]),
        ("maximum", 1_200, "wager", [1200, 1200, 1200]),
        ("maximum", 1_200, "player_round", [1200, 0, 0]),
    ],
)
def test_base_payouts_are_cut_down_to_the_maximum_where_there_is_one(
    cap: str, most: int | None, scope: str, paid: list[int]
) -> None:
    table = ruled("nsw-1", "payout", cap=cap, cents_max=most, scope=scope)
    results = settle_round(table, COMMUNITY, [hand(1, TRIPS, *BASE_SPOTS)])[1]
    assert [one.paid_cents for one in results] == paid
    assert {(one.fate, one.back_cents) for one in results} == {("won", 500)}
    lost = settle_round(table, COMMUNITY, [hand(1, NOTHING, *BASE_SPOTS, withdrawn={"base-1"})])[1]
    assert [(one.fate, one.net_cents) for one in lost] == [("withdrawn", 0), ("lost", -500), ("lost", -500)]
