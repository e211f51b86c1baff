"""Payouts: a maximum over a hand, a player or a whole round, and who gets what of it, to the cent."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from letitride.rules.cards import DECK, Card, parse_cards
from letitride.rules.settlement import Hand, Results, settle_less, share_payouts
from letitride.rules.settlement import settle_hands as settle_round
from letitride.rules.table_rules import TableRules
from letitride.rules.wager_table import BASE_SPOTS
from tests.rules.test_settlement import ruled

COMMUNITY = parse_cards("4s Js")
TRIPS, KINGS, NOTHING = (parse_cards(cards) for cards in ("9c 9d 9h", "Kc Kd 2h", "2c 5d 8h"))


def limited(most: int, scope: str, direction: str = "left_to_right") -> TableRules:
    """Return a table with a maximum payout, at which hands are settled in a direction."""
    table = ruled("nsw-1", "payout", cap="maximum", cents_max=most, scope=scope)
    reveal: Any = msgspec.structs.replace(table.rules.reveal, direction=direction)
    return replace(table, book=replace(table.book, rules=msgspec.structs.replace(table.rules, reveal=reveal)))


def hand(seat: int, cards: tuple[Card, ...], player: str = "", stake: int = 500, **more: Any) -> Hand:
    return Hand(seat, cards, dict.fromkeys(BASE_SPOTS, stake), player=player, **more)


def paid(results: Results) -> dict[int, list[int]]:
    return {seat: [row.paid_cents for row in rows if row.wager in BASE_SPOTS] for seat, rows in results.items()}


def total(results: Results) -> int:
    return sum(sum(cents) for cents in paid(results).values())


@pytest.mark.parametrize(
    ("direction", "expected"),
    [
        ("left_to_right", {1: [1500, 1500, 1500], 2: [500, 0, 0], 3: [500] * 3}),
        ("right_to_left", {1: [1500, 1500, 500], 2: [500, 500, 500], 3: [500] * 3}),
    ],
)
def test_all_hands_of_a_player_use_up_one_maximum_in_the_order_in_which_they_are_settled(
    direction: str, expected: dict[int, list[int]]
) -> None:
    hands = [hand(1, TRIPS, "Ann"), hand(2, KINGS, "Ann"), hand(3, parse_cards("Jc 7d 3h"), "Bob")]
    table = limited(5_000, "player_round", direction)
    for order in (hands, hands[::-1]):
        assert expected == paid(settle_round(table, COMMUNITY, order))
    apart = [replace(one, player="") for one in hands]  # hands without a name are each a player's only one
    assert {1: [1500] * 3, 2: [500] * 3, 3: [500] * 3} == paid(settle_round(table, COMMUNITY, apart))
    each = settle_round(limited(5_000, "hand", direction), COMMUNITY, hands)
    assert {1: [1500] * 3, 2: [500] * 3, 3: [500] * 3} == paid(each)


def test_players_share_the_maximum_of_a_round_in_proportion_and_the_first_get_the_odd_cents() -> None:
    hands = [hand(1, TRIPS), hand(2, NOTHING), hand(3, KINGS, withdrawn=frozenset({"base-1"}))]
    assert {1: [1500] * 3, 2: [0] * 3, 3: [0, 500, 500]} == paid(
        settle_round(limited(5_500, "round"), COMMUNITY, hands)
    )
    half = settle_round(limited(2_750, "round"), COMMUNITY, hands)
    assert {1: [750] * 3, 2: [0] * 3, 3: [0, 250, 250]} == paid(half)
    assert [("won", 500), ("won", 500), ("won", 500)] == [(row.fate, row.back_cents) for row in half[1]]
    # 1,000 of 5,500: 272.7 and 90.9 cents; four cents are left over, one for each of the first four winners.
    assert {1: [273] * 3, 2: [0] * 3, 3: [0, 91, 90]} == paid(settle_round(limited(1_000, "round"), COMMUNITY, hands))
    turned = settle_round(limited(1_000, "round", "right_to_left"), COMMUNITY, hands)
    assert {1: [273, 273, 272], 2: [0] * 3, 3: [0, 91, 91]} == paid(turned)


@given(st.lists(st.integers(0, 10**7), min_size=1, max_size=21), st.integers(1, 10**7))
def test_shares_are_proportional_to_the_cent_and_come_to_the_maximum(won: list[int], most: int) -> None:
    shared = share_payouts(won, most)
    assert min(sum(won), most) == sum(shared)
    for cents, share in zip(won, shared, strict=True):
        assert 0 <= share <= cents
        assert abs(share * sum(won) - cents * min(most, sum(won))) < max(sum(won), 1)


@given(st.permutations(DECK[:30]), st.sampled_from(["round", "player_round", "hand", "wager"]), st.integers(500, 9_000))
def test_every_scope_pays_what_a_second_computation_says(deck: list[Card], scope: str, most: int) -> None:
    names = ("Ann", "Bob", "Ann")
    hands = [hand(seat, tuple(deck[2 + 3 * seat : 5 + 3 * seat]), names[seat]) for seat in range(3)]
    community = deck[:2]
    free = paid(settle_round(limited(10**9, scope), community, hands))
    found = paid(settle_round(limited(most, scope), community, hands))
    won = {seat: sum(cents) for seat, cents in free.items()}
    got = {seat: sum(cents) for seat, cents in found.items()}
    match scope:
        case "round":
            assert min(sum(won.values()), most) == sum(got.values())
        case "player_round":
            assert (min(won[0] + won[2], most), min(won[1], most)) == (got[0] + got[2], got[1])
            assert got[0] == min(won[0], most)
        case "hand":
            assert {seat: min(cents, most) for seat, cents in won.items()} == got
        case _:
            assert {seat: [min(one, most) for one in cents] for seat, cents in free.items()} == found


@given(
    st.permutations(DECK[20:]),
    st.sampled_from(["round", "player_round", "hand", "wager"]),
    st.integers(500, 9_000),
    st.integers(1, 700),
)
def test_a_bet_that_became_smaller_leaves_the_others_and_the_maximum_as_they_are(
    deck: list[Card], scope: str, most: int, stake: int
) -> None:
    table, community, names = limited(most, scope), deck[:2], ("Ann", "Ann", "Bob")
    hands = [hand(seat, tuple(deck[2 + 3 * seat : 5 + 3 * seat]), names[seat], 700) for seat in range(3)]
    before = settle_round(table, community, hands)
    hands[0] = replace(hands[0], stakes=dict.fromkeys(BASE_SPOTS, stake))
    anew = settle_less(table, community, hands, before, 0)
    assert [stake] * 3 == [row.stake_cents for row in anew[0]]
    after = {**before, **anew}
    assert (before[2], True) == (after[2], set(anew) <= {0, 1})
    if scope == "round":
        assert (before[1], True) == (after[1], total(after) <= most)
        if total(settle_round(limited(10**9, scope), community, hands)) <= most and total(before) < most:
            assert settle_round(table, community, hands) == after  # nothing was cut: all is paid in full
    else:
        assert settle_round(table, community, hands) == after
