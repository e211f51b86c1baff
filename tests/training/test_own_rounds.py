"""Own rounds and their statistics: result = expectation - mistakes + luck, against a count over every card not seen."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from letitride.analysis.base import price
from letitride.records.rounds import PlayedRound
from letitride.rules.cards import DECK, Card
from letitride.rules.hands import Category, evaluate
from letitride.rules.paytables import Pays
from letitride.rules.table_rules import TableRules
from letitride.training.own_rounds import OwnRound, own_rounds
from letitride.training.statistics import PAUSE_MS, best_hands, by_book, points_of, session_of, sums_of
from tests.server.journals import HOUSES, fuzzed, past_of

BASE_ALONE = {"base-1", "base-2", "base-$"}


@cache
def played(house: str) -> tuple[tuple[PlayedRound, OwnRound], ...]:
    """Every hand of a fuzzed table, as its player knows it."""
    return tuple(
        (one, mine)
        for one in past_of(fuzzed(house), "t1").rounds()
        for name in sorted(set(one.players.values()))
        for mine in own_rounds(one, "t1", frozenset({name}))
    )


def everything() -> list[OwnRound]:
    return [mine for house in HOUSES for _, mine in played(house)]


def average(pays: Pays, held: tuple[str, ...]) -> Fraction:
    """What one bet wins on average with these cards, counted over every way to complete them."""
    seen = [Card.parse(card) for card in held]
    rest = [card for card in DECK if card not in seen]
    ways = list(combinations(rest, 5 - len(seen)))
    nets = {category: pays.net(pays.pay(category)) for category in Category}
    return sum((nets[evaluate([*seen, *way]).category] for way in ways), Fraction(0)) / len(ways)


def is_paid_in_full(rules: TableRules, stake_cents: int) -> bool:
    """Whether no maximum payout can bind three bets, which would make them depend on each other."""
    payout = rules.rules.payout
    best = max(rules.base_pays.net(rules.base_pays.pay(category)) for category in Category)
    return payout.cap != "maximum" or payout.cents_max is None or 3 * best * stake_cents <= payout.cents_max


@pytest.mark.parametrize("house", HOUSES)
def test_what_each_decision_cost_is_the_average_over_every_card_not_seen(house: str) -> None:
    judged = 0
    for one, mine in played(house):
        rules = one.last.rules
        if mine.worth is None or not is_paid_in_full(rules, mine.base_cents):
            continue
        assert Fraction(mine.worth.mistakes.exact) == sum(
            Fraction(made.cost.exact) for made in mine.decisions if made.cost
        )
        if len(mine.decisions) < 2:
            continue  # a tuck is one decision for two bets
        for made in mine.decisions:
            if not made.best or made.cost is None or judged > 8:
                continue
            held = (*mine.cards, *mine.community[: made.bet - 1])
            worth = average(rules.base_pays, held) * made.stake_cents
            rides = made.chosen == "ride"
            assert Fraction(made.cost.exact) == max(0, -worth if rides else worth)
            judged += 1
    assert judged > 2


@pytest.mark.parametrize("house", HOUSES)
def test_what_base_bets_were_worth_is_the_edge_of_the_paytable(house: str) -> None:
    compared = 0
    for one, mine in played(house):
        rules = one.last.rules
        plain = is_paid_in_full(rules, mine.base_cents)
        if mine.worth is not None and plain and {wager.wager for wager in mine.wagers} == BASE_ALONE:
            assert Fraction(mine.worth.expected.exact) == -price(rules.base_pays).house_edge * mine.base_cents
            compared += 1
    assert compared


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_the_sums_add_up_whatever_rounds_they_are_of(data: st.DataObject) -> None:
    every = everything()
    rounds = data.draw(st.lists(st.sampled_from(every), max_size=30))
    sums = sums_of(rounds)
    expected, mistakes, luck, judged, rest = Fraction(0), Fraction(0), Fraction(0), 0, 0
    for one in rounds:  # the same by hand, round by round
        won = sum(wager.net_cents for wager in one.wagers)
        if one.worth is None:
            rest += won
            continue
        judged += won
        expected += Fraction(one.worth.expected.exact)
        given_away = sum((Fraction(made.cost.exact) for made in one.decisions if made.cost), Fraction(0))
        mistakes += given_away
        luck += won - Fraction(one.worth.expected.exact) + given_away
    assert (Fraction(sums.expected_cents.exact), Fraction(sums.mistakes_cents.exact)) == (expected, mistakes)
    assert Fraction(sums.luck_cents.exact) == luck
    assert sums.judged_cents == judged == expected - mistakes + luck
    fees, banks = sum(one.fee_cents for one in rounds), sum(one.bank_net_cents for one in rounds)
    assert sums.result_cents == judged + rest + banks - fees == sum(one.result_cents for one in rounds)
    assert (sums.unjudged_cents, sums.fees_cents, sums.bank_cents) == (rest, fees, banks)
    of_books = [book.sums for book in by_book(rounds)]
    assert sum(book.result_cents for book in of_books) == sums.result_cents
    assert sum(Fraction(book.luck_cents.exact) for book in of_books) == luck
    points = points_of(rounds)
    assert (points[0].hands, points[0].result_cents) == (0, 0)
    assert (points[-1].hands, points[-1].result_cents) == (sums.judged_hands, judged)
    assert points[-1].sigma_cents == pytest.approx(sums.sigma_cents)


def test_a_players_cards_are_those_they_were_dealt_and_no_one_elses() -> None:
    shown = 0
    for house in HOUSES:
        for one, mine in played(house):
            dealt = {str(card.face) for moment in one.moments for card in moment.after.at(f"hand:{mine.seat}")}
            assert set(mine.cards) <= dealt
            lain = {str(card.face) for moment in one.moments for card in moment.after.community() if card.up}
            assert set(mine.community) <= lain
            shown += len(mine.cards) == 3
    assert shown > 20


def test_a_bank_counts_with_what_it_won_and_its_fee() -> None:
    banks = [(one, mine) for one, mine in played("california-1") if mine.bank_stake_cents]
    assert banks
    for one, mine in banks:
        lost = sum(result.net_cents for results in one.results.values() for result in results)
        fee = 0 if one.status == "void" else one.last.seats[mine.seat].fee_cents
        assert mine.result_cents == -lost - fee + mine.wagers_cents


def test_a_session_ends_where_there_was_a_long_pause() -> None:
    first = everything()[0]
    rounds = [
        replace(first, began_ms=at, ended_ms=at + 1_000) for at in (0, 10_000, PAUSE_MS * 2, PAUSE_MS * 2 + 5_000)
    ]
    assert session_of(rounds) == rounds[2:]
    assert session_of(rounds[:2]) == rounds[:2]
    assert session_of([]) == []


def test_the_best_hands_come_first() -> None:
    best = best_hands(everything())
    values = [evaluate(Card.parse(card) for card in (*one.cards, *one.community)) for one in best]
    assert len(best) == 5
    assert values == sorted(values, reverse=True)
    assert values[0].category == max(one.hand for one in everything() if one.status == "settled")
