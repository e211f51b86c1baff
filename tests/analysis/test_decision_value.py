"""Decision value: what choices win on average, against the strategy, the price and the game under a maximum payout."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest

from letitride.analysis.base import HANDS, best_play, plain_nets, price, ride_rates
from letitride.analysis.caps import cap, changed_classes
from letitride.analysis.decision_value import decision_value, paid_nets
from letitride.analysis.strategy import class_values, rule_of, rules_ride
from letitride.errors import InvalidData
from letitride.rules import catalog
from letitride.rules.cards import DECK, Card, parse_cards
from letitride.rules.paytables import Pays


def base(ref: str) -> Pays:
    return catalog.paytable(ref).pays["base"]


def hands() -> Counter[tuple[Card, ...]]:
    """One of every kind of three cards that differ in more than the names of suits, and how many there are of it."""
    kinds: dict[tuple[tuple[int, int], ...], tuple[Card, ...]] = {}
    counted: Counter[tuple[Card, ...]] = Counter()
    for cards in combinations(DECK, 3):
        names: dict[str, int] = {}
        ordered = sorted(cards, key=lambda card: (card.rank, card.suit))
        kind = tuple((card.rank, names.setdefault(card.suit, len(names))) for card in ordered)
        counted[kinds.setdefault(kind, cards)] += 1
    return counted


@pytest.mark.parametrize(("stake", "most"), [(500, None), (10_000, 2_500_000)])
def test_the_better_choices_of_all_hands_come_to_the_price_of_the_game(stake: int, most: int | None) -> None:
    pays = base("LIRX-01")
    nets = paid_nets(pays, stake, most)
    every = hands()
    assert sum(every.values()) == HANDS
    won = sum(many * decision_value(nets, cards).best for cards, many in every.items())
    assert -won / HANDS == (price(pays) if most is None else cap(pays, stake, most)).house_edge


def test_what_riding_wins_is_what_the_strategy_says_of_the_class() -> None:
    pays = base("HD-BASE")
    nets = paid_nets(pays, 100)
    for text in (
        "Th Jh Qh",
        "9c 9d 2s",
        "Ah 2h 3h",
        "4c 7d Qs",
        "8s 8d 8c 2h",
        "Th Jh Qd Kc",
        "2c 3d 4h 5s",
        "6d 7d 8d 9d",
    ):
        cards = parse_cards(text)
        found = decision_value(nets, cards)
        (known,) = [one for one in class_values(pays, len(cards)) if one.feature == found.feature]
        assert found.gain == known.value
        assert (rule_of(pays, found.feature) is not None) == known.rides == rules_ride(pays, cards)
    assert (rule_of(pays, decision_value(nets, parse_cards("Th Td 4c")).feature) or "").startswith(
        "a hand that pays already"
    )


def test_a_bet_that_rode_counts_in_what_the_next_is_worth() -> None:
    nets = paid_nets(base("LIRX-01"), 500)
    pair = parse_cards("Th Td 4c 2s")
    one, two = decision_value(nets, pair), decision_value(nets, pair, ridden=True)
    assert (one.withdraw * 2, one.ride) == (two.withdraw, two.withdraw)
    assert one.gain == two.gain


def test_to_let_everything_ride_unseen_is_never_better() -> None:
    nets = paid_nets(base("LIRX-01"), 500)
    kicker, royal = decision_value(nets, parse_cards("4c 7d Qs")), decision_value(nets, parse_cards("Th Td Tc"))
    assert kicker.all_ride < kicker.ride < kicker.withdraw
    assert royal.all_ride == royal.ride == royal.best


def test_fractions_of_a_cent_are_not_paid() -> None:
    pays = base("LIRX-01")
    assert paid_nets(pays, 1)(0, 1) == 1000
    half = catalog.table_rules("washington-1").pays["base"]
    assert paid_nets(half, 333)(8, 3) == Fraction(3 * int(half.columns[0][half.listed[-1]] * 333), 333)


@pytest.mark.parametrize("many", [2, 5])
def test_other_numbers_of_cards_are_refused(many: int) -> None:
    with pytest.raises(InvalidData, match=f"expected three or four cards, got {many}"):
        decision_value(paid_nets(base("LIRX-01"), 100), DECK[:many])
    with pytest.raises(
        InvalidData, match="expected a stake in cents as a whole number from 1 to 100,000,000,000, got 0"
    ):
        paid_nets(base("LIRX-01"), 0)


def test_ride_rates_and_changed_classes_are_those_of_the_play() -> None:
    pays = base("LIRX-01")
    exact = price(pays)
    assert ride_rates(best_play(plain_nets(pays))) == (exact.bet1_ride_rate, exact.bet2_ride_rate)
    capped = cap(pays, 10_000, 2_500_000)
    changed = list(changed_classes(pays, capped))
    assert len([one for one in changed if one.feature.cards == 3]) == capped.changed_bet1 > 0
    assert {(one.rode, one.now) for one in changed} == {(True, "withdraw")}
    assert not list(changed_classes(pays, cap(pays, 500, 10**9)))
