"""Banking: what a stake covers, against the words of each reading and against a second computation."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from letitride.rules import catalog
from letitride.rules.banking import (
    bank_fee,
    clockwise,
    cover_results,
    fee_tier,
    order_of_action,
    round_cents_min,
    seat_of_throw,
    wagers_fee,
)
from letitride.rules.banking import (
    settle_hands_banked as settle_banked,
)
from letitride.rules.cards import DECK, Card
from letitride.rules.keys import FeeTier, Rules
from letitride.rules.keys.wagers import Fee, Limit
from letitride.rules.settlement import Hand, WagerResult
from letitride.rules.settlement import settle_hands as settle_round
from letitride.rules.table_rules import TableRules
from letitride.rules.wager_table import BASE_SPOTS
from tests.clauses.helpers import STATED

COVERS = ("stake", "gross", "net")


def table(cover: str) -> TableRules:
    return catalog.table_rules("california-1", {**STATED, "bank.cover": cover})


def hands_of(deck: list[Card], seats: int, bets: list[int]) -> list[Hand]:
    return [
        Hand(
            n,
            tuple(deck[2 + 3 * n : 5 + 3 * n]),
            dict.fromkeys(BASE_SPOTS, bets[n]),
            frozenset(BASE_SPOTS[: n % 3][:2]),
        )
        for n in range(seats)
    ]


def by_the_words(cover: str, stake: int, outcomes: list[tuple[str, int]]) -> list[int]:
    """Settle (fate, amount) pairs by the words of the reading; return each wager's net, dollar by dollar."""
    paid = won = 0
    nets = []
    for fate, amount in outcomes:
        net = 0
        for _ in range(amount):
            if fate == "won":
                capacity = stake + won - paid if cover == "net" else stake - paid
                if capacity > 0:
                    paid, net = paid + 1, net + 1
            else:
                exhausted = cover == "stake" and paid >= stake
                room = stake - won if cover == "gross" else stake - (won - paid)
                if room > 0 and not exhausted:
                    won, net = won + 1, net - 1
        nets.append(net)
    return nets


@pytest.mark.parametrize("cover", COVERS)
@given(
    deck=st.permutations(DECK),
    seats=st.integers(1, 6),
    stake=st.integers(1, 400),
    bets=st.lists(st.integers(5, 20), min_size=6, max_size=6),
)
def test_the_cover_is_that_of_a_count_dollar_by_dollar(
    cover: str, deck: list[Card], seats: int, stake: int, bets: list[int]
) -> None:
    rules, community = table(cover), deck[:2]
    hands = hands_of(deck, seats, bets)
    raw = [r for hand in hands for r in settle_round(rules, community, hands)[hand.seat] if r.fate in {"won", "lost"}]
    expected = by_the_words(cover, stake, [(r.fate, r.paid_cents if r.fate == "won" else r.stake_cents) for r in raw])
    covered = settle_banked(rules, community, hands, stake)
    found = [r for hand in hands for r in covered[hand.seat] if r.fate != "withdrawn"]
    assert expected == [r.net_cents for r in found]
    paid = sum(r.paid_cents for r in found)
    collected = sum(r.stake_cents - r.back_cents for r in found)
    assert -stake <= collected - paid <= stake  # the bank neither wins nor loses more than its stake
    assert cover == "net" or paid <= stake
    assert all(0 <= r.back_cents <= r.stake_cents for r in found)


def test_the_dice_find_a_seat_by_counting_from_the_bank() -> None:
    assert [7, 1, 3, 7] == [seat_of_throw(throw, 5, [1, 3, 7]) for throw in (6, 3, 4, 5)]
    assert 7 == seat_of_throw(9, 5, [1, 3, 7])  # on the bank: the seat after it


def test_seats_go_clockwise_from_any_of_them() -> None:
    assert (3, 7, 1) == clockwise([1, 3, 7], 2)
    assert (1, 3, 7) == clockwise([7, 1, 3], 8)
    assert () == clockwise([], 3)
    rules = table("stake").rules
    assert (7, 3, 1) == order_of_action(rules, [1, 3, 7], 0)


@pytest.mark.parametrize("cover", COVERS)
def test_a_bank_pays_its_last_cent_and_then_sends_bets_back(cover: Any) -> None:
    won = [WagerResult("base-1", 100, "won", paid, 100) for paid in (99, 100, 100)]
    found = cover_results(cover, 100, won)
    assert [(one.fate, one.paid_cents, one.back_cents) for one in found] == [
        ("won", 99, 100),
        ("won", 1, 100),
        ("returned", 0, 100),
    ]


@pytest.mark.parametrize("cover", COVERS)
def test_a_bank_collects_its_stake_and_no_more(cover: Any) -> None:
    found = cover_results(cover, 150, [WagerResult("base-1", 100, "lost")] * 3)
    assert [(one.fate, one.back_cents) for one in found] == [("lost", 0), ("lost", 50), ("returned", 100)]


TIERS = (FeeTier(10_000, 50, 200), FeeTier(50_000, 100, 300))


@pytest.mark.parametrize(
    ("fee", "most", "wagers", "bank"),
    [
        (Fee(kind="flat", tiers=TIERS), 9_999, 150, 200),
        (Fee(kind="flat", tiers=TIERS), 10_000, 150, 200),
        (Fee(kind="flat", tiers=TIERS), 10_001, 300, 300),
        (Fee(kind="none", tiers=TIERS), 10_000, 0, 0),
        (Fee(), 10_000, 0, 0),
        (Fee(kind="flat", tiers=None), 10_000, 0, 0),  # a book whose table is still to state them
    ],
)
def test_the_fee_is_that_of_the_first_row_that_reaches_the_limit(fee: Fee, most: int, wagers: int, bank: int) -> None:
    rules = Rules(fee=fee, limit=Limit(cents_min=500, cents_max=most))
    assert (wagers_fee(rules, 3), bank_fee(rules)) == (wagers, bank)
    assert round_cents_min(rules) == 1_500 + wagers
    assert (fee_tier(rules) is None) == (wagers == 0)


def test_a_book_whose_table_is_still_to_state_its_limit_has_no_row_of_fees_yet() -> None:
    assert fee_tier(Rules(fee=Fee(kind="flat", tiers=TIERS), limit=Limit(cents_max=None))) is None
