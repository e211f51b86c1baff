"""Settlement: every wager's result, against a second computation that shares neither hands nor paytables with it."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from phevaluator import evaluate_cards

from letitride.rules import catalog
from letitride.rules.cards import DECK, Card
from letitride.rules.settlement import BASE_SPOTS, Hand, settle_round

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
