"""Sessions, knowledge, the bank's risk and design, each against a second method."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

from letitride.analysis import two_opponents
from letitride.analysis.advantage import edge_with
from letitride.analysis.bank import bank_risk
from letitride.analysis.base import CASES, HANDS, price, scaled
from letitride.analysis.dead_hand import bet1_with_hand
from letitride.analysis.design import table_of
from letitride.analysis.design_tables import price_batch
from letitride.analysis.distribution import Distribution
from letitride.analysis.par import base_sheet
from letitride.analysis.sessions import hold_band, risk_of_ruin, session
from letitride.analysis.strategy import best_strategy
from letitride.analysis.vector_hands import columns
from letitride.errors import InvalidData
from letitride.rules import catalog
from letitride.rules.wager_table import BASE_SPOTS
from letitride.simulation.figures import wager_figures
from letitride.simulation.plan import plan
from letitride.simulation.run import simulate
from tests.analysis import independent


def base(table_id: str) -> Any:
    return catalog.paytable(table_id).pays["base"]


COIN = Distribution({Fraction(-1): 3, Fraction(2): 1}, 4)


def test_a_session_is_the_sum_of_its_rounds() -> None:
    for rounds in (1, 2, 5):
        sums: dict[int, Fraction] = {}
        for draws in product([(-1, Fraction(3, 4)), (2, Fraction(1, 4))], repeat=rounds):
            total = sum(step for step, _ in draws)
            chance = Fraction(1)
            for _, one in draws:
                chance *= one
            sums[total] = sums.get(total, Fraction(0)) + chance
        found = session(COIN, rounds)
        assert found.ahead == pytest.approx(float(sum(p for total, p in sums.items() if total > 0)), abs=1e-12)
        assert found.even == pytest.approx(float(sums.get(0, 0)), abs=1e-12)
        assert found.expected == sum(total * p for total, p in sums.items())
        for probability, result in found.quantiles:
            assert sum(p for total, p in sums.items() if total <= result) >= Fraction(probability) - Fraction(1, 10**9)
    with pytest.raises(InvalidData, match="expected 1 to 10,000 rounds, got 0"):
        session(COIN, 0)


def test_ruin_is_that_of_every_way_a_session_can_go() -> None:
    for bankroll, rounds in ((3, 4), (4, 5), (5, 6)):
        ruined = Fraction(0)
        for draws in product([(-1, Fraction(3, 4)), (2, Fraction(1, 4))], repeat=rounds):
            chance, held, fell = Fraction(1), bankroll, False
            for step, one in draws:
                chance *= one
                held += step
                fell |= held < 3
            ruined += chance if fell else 0
        assert risk_of_ruin(COIN, bankroll, rounds) == pytest.approx(float(ruined), abs=1e-12)


def test_the_hold_band_narrows_with_the_root_of_the_rounds() -> None:
    sheet = base_sheet(base("LIRX-01"))
    wager = sheet.average_wager or Fraction(1)
    near, far = hold_band(sheet.results, wager, 10_000), hold_band(sheet.results, wager, 1_000_000)
    assert near.hold == far.hold == sheet.element_of_risk
    assert near.margin == pytest.approx(10 * far.margin)


def test_arrays_of_hands_are_told_apart_like_by_the_second_method() -> None:
    deals = np.random.default_rng(7).permuted(np.tile(np.arange(52), (200_000, 1)), axis=1)[:, :5]
    assert (columns(deals) == independent.columns(deals)).all()


@pytest.mark.parametrize("table_id", ["LIRX-01", "LIRX-03"])
def test_what_a_community_card_is_worth_by_a_second_method(table_id: str) -> None:
    pays = base(table_id)
    nets, unit = scaled(pays)
    counts, _ = independent.prospects()
    four = counts @ np.array(nets)
    always, three = int(four.sum()), int(np.maximum(four.sum(axis=1), 0).sum())
    on_four, on_five = int(np.maximum(four, 0).sum()), int((counts @ np.maximum(np.array(nets), 0)).sum())
    for sees, won in (
        ("nothing", three + on_four),
        ("community-1", 2 * on_four),
        ("community-2", on_four + on_five),
        ("both", 2 * on_five),
    ):
        assert edge_with(pays, sees) == -Fraction(always + won, CASES * unit)


def test_what_another_players_cards_are_worth_by_a_second_method() -> None:
    """Hands are drawn; for each, every dead card, and random dead hands, are gone through card by card."""
    pays = base("LIRX-01")
    nets, unit = scaled(pays)
    won_by = np.array(nets, dtype=np.float64) / unit
    chance = np.random.default_rng(11)
    gains_card, gains_hand = [], []
    pairs = np.array([(a, b) for a in range(52) for b in range(a)])
    for _ in range(1_500):
        deck = chance.permutation(52)
        hand, dead = deck[:3], deck[3:6]
        five = np.concatenate([np.broadcast_to(hand, (len(pairs), 3)), pairs], axis=1)
        value = won_by[independent.columns(five)]
        for known, gains in ((dead[:1], gains_card), (dead, gains_hand)):
            unseen = np.ones(52, dtype=bool)
            unseen[hand] = unseen[known] = False
            gains.append(max(0.0, value[unseen[pairs].all(axis=1)].mean()))
    exact_card = -float(edge_with(pays, "card")) - _bet3(pays) - _bet2_card(pays)
    assert np.mean(gains_card) == pytest.approx(exact_card, abs=5 * np.std(gains_card) / np.sqrt(1_500))
    assert float(edge_with(pays, "hand")) < float(edge_with(pays, "card")) < float(edge_with(pays, "nothing"))
    exact_hand = float(bet1_with_hand(pays))
    assert np.mean(gains_hand) == pytest.approx(exact_hand, abs=5 * np.std(gains_hand) / np.sqrt(1_500))


def _bet3(pays: Any) -> float:
    nets, unit = scaled(pays)
    counts, _ = independent.prospects()
    return float((counts @ np.array(nets)).sum()) / CASES / unit


def _bet2_card(pays: Any) -> float:
    """What bet 2 wins where one dead card is known, every dead card gone through."""
    nets, unit = scaled(pays)
    counts, _ = independent.prospects()
    four = counts @ np.array(nets)
    won = sum(float((counts[:, :, column] * np.maximum(four - nets[column], 0)).sum()) for column in range(10))
    return won / (HANDS * 49 * 48 * 47) / unit


def test_a_bank_of_any_stake_loses_no_more_than_it_and_a_large_one_everything() -> None:
    pays = base("LIRX-01")
    edge = price(pays).house_edge
    large = bank_risk(pays, 10**9, 1_000)
    free = price(pays)
    assert large.results.mean == 1_000 * free.house_edge
    assert large.uncovered == 0
    assert large.results.mean == large.full.mean == 1_000 * edge
    small = bank_risk(pays, 3_000, 1_000, fee_cents=200)
    assert min(small.results.cases) == -3_200
    assert max(small.results.cases) <= 3_000 - 200
    # Not covered is what would be paid more than the stake: three bets riding and a hand that pays more than $10 each.
    expected = sum(cases for result, cases in small.full.cases.items() if result + 200 < -3_000)
    assert small.uncovered == Fraction(expected, CASES)
    assert small.results.mean > small.full.mean
    assert (
        small.full.mean >= 1_000 * edge - 200
    )  # play that is best against a small stake is not best against a large one
    for cover in ("stake", "gross", "net"):
        assert bank_risk(pays, 3_000, 1_000, cover).results.total == CASES
    with pytest.raises(InvalidData, match="expected a stake and a bet"):
        bank_risk(pays, 0, 1_000)


def test_a_batch_prices_every_table_as_one_by_one() -> None:
    chance = np.random.default_rng(5)
    tables = np.sort(chance.integers(1, 1_000, size=(300, 9)), axis=1)[:, ::-1].copy()
    batch = price_batch(tables)
    for number, pays in enumerate(tables):
        found = price(table_of(tuple(int(pay) for pay in pays)))
        assert found.house_edge == Fraction(-int(batch.won[number]), CASES)
        assert found.bet1_ride_rate == Fraction(int(batch.bet1[number]), HANDS)
        assert found.bet2_ride_rate == Fraction(int(batch.bet2[number]), HANDS * 49)


@pytest.mark.slow
def test_a_bank_or_a_shared_maximum_against_two_opponents_by_random_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    pays = base("LIRX-01")
    joint = two_opponents.joint_results(pays)
    monkeypatch.setattr(two_opponents, "joint_results", lambda _: joint)
    found = two_opponents.bank_risk_of_two(pays, 30_000, 1_000)
    assert sum(found.full.cases.values()) == found.full.total
    assert found.full.mean == 2_000 * price(pays).house_edge
    nets, _ = scaled(pays)
    counts, hands = independent.prospects()
    four = counts @ np.array(nets)
    place = {tuple(hand): number for number, hand in enumerate(hands.tolist())}
    decks = np.random.default_rng(3).permuted(np.tile(np.arange(52), (20_000, 1)), axis=1)
    shown = decks[:, :2]
    parts = np.zeros((2, len(decks)), dtype=np.int64)
    for seat, packet in enumerate((decks[:, 2:5], decks[:, 5:8])):
        number = [place[hand] for hand in map(tuple, np.sort(packet, axis=1).tolist())]
        bets = 1 + (four[number].sum(axis=1) > 0) + (four[number, shown[:, 0]] > 0)
        parts[seat] = 1_000 * bets * np.array(nets)[independent.columns(np.concatenate([packet, shown], axis=1))]
    won = -parts.sum(axis=0)
    shared = two_opponents.shared_cap(pays, 1_000, 30_000)
    assert two_opponents.shared_cap(pays, 1_000, 10**9).mean == -2 * price(pays).house_edge
    assert shared.mean < -2 * price(pays).house_edge
    # Only what is won is cut down: a player's loss is nothing that the other could be paid from.
    both = np.minimum(np.maximum(parts, 0).sum(axis=0), 30_000) + np.minimum(parts, 0).sum(axis=0)
    assert np.mean(both) / 1_000 == pytest.approx(float(shared.mean), abs=5 * np.std(both) / 1_000 / np.sqrt(len(both)))
    bound = {"payout.cap": "maximum", "payout.cents_max": 6_000, "payout.scope": "round"}
    table = catalog.ready_rules("nsw-1", {"base.paytable": "LIRX-01", **bound})
    game = plan(table, 2, dict.fromkeys(BASE_SPOTS, 1_000), best_strategy(pays))
    simulated = wager_figures(game, simulate(game.game, 3, 1_000_000))[0].pooled
    assert simulated is not None
    exact_mean = float(two_opponents.shared_cap(pays, 1_000, 6_000).mean)
    assert 2 * simulated.mean == pytest.approx(exact_mean, abs=4 * 2 * simulated.se)
    assert simulated.cut > 10 * simulated.se  # where each had a maximum to itself, the mean would be another
    calm = np.maximum(won, -30_000)  # the rare large ones would hide everything else
    exact = sum(max(float(result), -30_000) * cases for result, cases in found.full.cases.items()) / found.full.total
    assert np.mean(calm) == pytest.approx(exact, abs=5 * np.std(calm) / np.sqrt(len(calm)))
    ahead = sum(cases for result, cases in found.full.cases.items() if result > 0) / found.full.total
    assert np.mean(won > 0) == pytest.approx(ahead, abs=0.02)


@pytest.mark.parametrize("stake", [1_500, 3_000, 30_000])
def test_a_bank_against_one_opponent_is_that_of_every_case_by_a_second_method(stake: int) -> None:
    """All bets of one hand win or lose together: the bank pays up to its stake and takes up to its stake."""
    pays = base("LIRX-01")
    listed = [int(pay) for pay in pays.columns[0].values()]
    won_by = {
        bets: np.array([*(min(bets * pay * 1_000, stake) for pay in listed), -min(bets * 1_000, stake)])
        for bets in (1, 2, 3)
    }
    counts, _ = independent.prospects()
    value = {bets: counts @ won_by[bets] for bets in (1, 2, 3)}
    kept, ridden = (np.maximum(value[a], value[b]).sum(axis=1) for a, b in ((1, 2), (2, 3)))
    opponent = int(np.maximum(kept, ridden).sum())
    assert bank_risk(pays, stake, 1_000).results.mean == Fraction(-opponent, CASES)
