"""Collusion: seats that share cards decide by exact values, on the decks of every simulation, whatever the threads."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from letitride.analysis.base import best_play, plain_nets, price
from letitride.analysis.strategy import advise
from letitride.errors import InvalidData
from letitride.rules import catalog
from letitride.rules.cards import DECK, Card
from letitride.rules.hands import evaluate
from letitride.rules.paytables import Pays, base_pays
from letitride.rules.plain import encoded
from letitride.rules.wager_table import BASE
from letitride.rules.wagers import Award
from letitride.simulation.collusion import (
    EXPECTED_GAIN,
    GAIN,
    Collusion,
    SharedTallies,
    collude,
    collusion_job,
    count,
    exact_gain_of_two,
    figures,
    linear_pays,
    shared_block,
    sharing,
)
from letitride.simulation.game import BLOCK
from letitride.simulation.generator import deck
from letitride.simulation.hand_tables import outcomes, packets
from letitride.simulation.jobs import CHUNK
from letitride.simulation.kernel import deal

SEED = 20260101
PAYS = base_pays(catalog.paytable("LIRX-01"))
LISTED = BASE.paying
# Tens or better lose, two pair push, and the rest have a common denominator of six.
ODD = Pays(
    BASE,
    Award.TO_ONE,
    LISTED[:-1],
    (dict(zip(LISTED, map(Fraction, ("500", "200", "50", "35/3", "9", "13/2", "7/2", "0")), strict=False)),),
)


def net(pays: Pays, cards: tuple[Card, ...]) -> Fraction:
    pay = pays.pay(evaluate(cards).category)
    return Fraction(-1) if pay is None else pay


def values_by_hand(pays: Pays, order: tuple[Card, ...], seats: int) -> list[tuple[Fraction, Fraction]]:
    """What bets 1 and 2 of each seat are worth, card by card, by the rules alone."""
    seen, first = order[: 3 * seats], order[3 * seats]
    unseen = [card for card in DECK if card not in seen]
    found = []
    for seat in range(seats):
        packet = seen[3 * seat : 3 * seat + 3]
        pairs = [net(pays, (*packet, *pair)) for pair in combinations(unseen, 2)]
        seconds = [net(pays, (*packet, first, card)) for card in unseen if card != first]
        found.append((sum(pairs, Fraction(0)) / len(pairs), sum(seconds, Fraction(0)) / len(seconds)))
    return found


@cache
def decks(seats: int) -> list[tuple[Card, ...]]:
    return [deck(SEED, index, seats) for index in range(60)]


def telling_rounds(hands: np.ndarray, seats: int) -> set[int]:
    """A few rounds as they come, some where sharing changes a choice, some with four cards of one suit."""
    changed = [int(at) for at in np.flatnonzero(((hands >> 2 ^ hands) & 3).any(axis=1)) if at < 60]
    suited = [
        index
        for index, order in enumerate(decks(seats))
        if any(len({card.suit for card in (*order[3 * s : 3 * s + 3], order[3 * seats])}) == 1 for s in range(seats))
    ]
    return {0, 1, 59, *changed[:2], *suited[:2]}


@pytest.mark.parametrize("seats", range(2, 8))
@pytest.mark.parametrize("pays", [PAYS, ODD], ids=["LIRX-01", "odd"])
def test_every_choice_is_by_the_value_over_all_unseen_cards(pays: Pays, seats: int) -> None:
    game = sharing(pays, seats)
    hands, values = shared_block(game, SEED, 0)
    over = game.unit * np.array([game.unseen * (game.unseen - 1), game.unseen - 1])
    for index in telling_rounds(hands, seats):
        order = decks(seats)[index]
        for seat, expected in enumerate(values_by_hand(pays, order, seats)):
            found = tuple(Fraction(int(v), int(by)) for v, by in zip(values[index, seat], over, strict=True))
            hand = int(hands[index, seat])
            assert found == expected, (index, seat)
            assert (bool(hand & 8), bool(hand & 4)) == (expected[0] > 0, expected[1] > 0)
            five = (*order[3 * seat : 3 * seat + 3], *order[3 * seats : 3 * seats + 2])
            assert Fraction(int(game.nets[hand >> 4]), game.unit) == net(pays, five)


def test_a_bet_that_is_worth_nothing_is_withdrawn() -> None:
    blocks = [shared_block(sharing(PAYS, 7), SEED, block) for block in range(5)]
    for bet, bit in ((0, 8), (1, 4)):
        worth_nothing = [hands[values[..., bet] == 0] for hands, values in blocks]
        assert sum(map(len, worth_nothing)) > 0
        assert not any((hands & bit).any() for hands in worth_nothing)


def test_alone_each_seat_plays_as_advised_by_its_own_cards() -> None:
    hands, _ = shared_block(sharing(PAYS, 3), SEED, 0)
    for index, order in enumerate(decks(3)[:20]):
        for seat in range(3):
            packet = order[3 * seat : 3 * seat + 3]
            advised = 2 * advise(PAYS, packet).rides + advise(PAYS, (*packet, order[9])).rides
            assert int(hands[index, seat]) & 3 == advised


@pytest.mark.parametrize("seats", [1, 2, 4, 7])
@pytest.mark.parametrize("block", [0, 977])
def test_hands_and_choices_alone_are_those_of_the_other_simulations(seats: int, block: int) -> None:
    play = best_play(plain_nets(PAYS))
    cells = np.empty(BLOCK * seats, np.uint8)
    deal(seats, packets(play), outcomes(play), SEED, block, BLOCK, cells, np.empty(0, np.uint8), None)
    cells = cells.reshape(BLOCK, seats)
    hands, _ = shared_block(sharing(PAYS, seats), SEED, block)
    assert np.array_equal(hands >> 4 << 2 | hands & 3, cells)


@pytest.mark.parametrize("pays", [PAYS, ODD], ids=["LIRX-01", "odd"])
def test_one_seat_has_no_one_to_share_with_and_plays_best(pays: Pays) -> None:
    tallies = count(sharing(pays, 1), SEED, (0, 100_000))
    assert sum(tallies.choices) == 100_000
    assert all(not many for choice, many in enumerate(tallies.choices) if choice >> 2 != choice & 3)
    assert (tallies.sums[GAIN], tallies.squares[GAIN]) == (0, 0)
    assert (tallies.sums[EXPECTED_GAIN], tallies.squares[EXPECTED_GAIN]) == (0, 0)


@pytest.mark.parametrize("seats", [2, 7])
def test_the_result_depends_on_neither_threads_nor_chunks(seats: int) -> None:
    rounds = 20 * BLOCK + 321
    one = collude(PAYS, seats, rounds, SEED)
    assert one == collude(PAYS, seats, rounds, SEED, threads=2, size=BLOCK)
    assert one == collude(PAYS, seats, rounds, SEED, threads=2, size=3 * BLOCK)
    assert one != collude(PAYS, seats, rounds, SEED + 1)
    game, parts = sharing(PAYS, seats), SharedTallies()
    for chunk in collusion_job(sharing(PAYS, seats), SEED, rounds, 7 * BLOCK).chunks():
        parts += count(game, SEED, chunk)
    assert parts == count(game, SEED, (0, rounds))
    assert one == figures(game, SEED, parts)


@pytest.mark.parametrize("pays", [PAYS, ODD], ids=["LIRX-01", "odd"])
def test_means_errors_and_rides_are_those_of_the_rounds(pays: Pays) -> None:
    seats, rounds = 5, BLOCK + 100
    game = sharing(pays, seats)
    blocks = [shared_block(game, SEED, block) for block in (0, 1)]
    hands = np.concatenate([block[0] for block in blocks])[:rounds].astype(np.int64)
    values = np.concatenate([block[1] for block in blocks])[:rounds]
    nets = game.nets[hands >> 4] / game.unit
    bits = [hands >> at & 1 for at in range(4)]
    worth = values / game.unit / np.array([game.unseen * (game.unseen - 1), game.unseen - 1])
    shared, alone = nets * (1 + bits[3] + bits[2]), nets * (1 + bits[1] + bits[0])
    by_value = (bits[3] - bits[1]) * worth[..., 0] + (bits[2] - bits[0]) * worth[..., 1]
    found = collude(pays, seats, rounds, SEED)
    for estimate, won in (
        (found.shared, shared),
        (found.alone, alone),
        (found.gain, shared - alone),
        (found.expected_gain, by_value),
    ):
        by_round = won.mean(axis=1)
        assert estimate.mean == pytest.approx(by_round.mean(), rel=1e-9)
        assert estimate.se == pytest.approx(by_round.std(ddof=1) / rounds**0.5, rel=1e-9)
    assert (found.bet1.shared, found.bet2.shared) == (bits[3].sum(), bits[2].sum())
    assert (found.bet1.alone, found.bet2.alone) == (bits[1].sum(), bits[0].sum())
    assert (found.bet1.changed, found.bet2.changed) == ((bits[3] != bits[1]).sum(), (bits[2] != bits[0]).sum())


def test_squares_beyond_64_bits_are_summed_without_loss() -> None:
    fine = {**PAYS.columns[0], LISTED[-1]: Fraction(999_999, 10**6)}  # whole numbers a million times as large
    game = sharing(Pays(BASE, Award.TO_ONE, LISTED, (fine,)), 7)
    hands, values = shared_block(game, SEED, 0)
    columns: list[list[int]] = [[], [], [], []]
    for row, worth in zip(hands.tolist(), values.tolist(), strict=True):
        nets = [int(game.nets[hand >> 4]) for hand in row]
        more = [((hand >> 3 & 1) - (hand >> 1 & 1), (hand >> 2 & 1) - (hand & 1)) for hand in row]
        columns[0].append(
            sum(net * (1 + (hand >> 3 & 1) + (hand >> 2 & 1)) for net, hand in zip(nets, row, strict=True))
        )
        columns[1].append(sum(net * (1 + (hand >> 1 & 1) + (hand & 1)) for net, hand in zip(nets, row, strict=True)))
        columns[2].append(columns[0][-1] - columns[1][-1])
        columns[3].append(
            sum(one * v1 + two * game.unseen * v2 for (one, two), (v1, v2) in zip(more, worth, strict=True))
        )
    tallies = count(game, SEED, (0, BLOCK))
    assert tallies.sums == [sum(column) for column in columns]
    assert tallies.squares == [sum(won * won for won in column) for column in columns]
    assert tallies.squares[EXPECTED_GAIN] > 2**64


@cache
def found(seats: int) -> Collusion:
    return collude(PAYS, seats, 200_000, SEED, threads=2)


@pytest.mark.parametrize("seats", [2, 3, 7])
def test_sharing_never_loses_by_its_values_and_both_gains_agree(seats: int) -> None:
    result = found(seats)
    assert result.expected_gain.mean > 5 * result.expected_gain.se > 0
    assert abs(result.gain.mean - result.expected_gain.mean) < 4 * result.gain.se
    assert result.gain.mean > -4 * result.gain.se
    assert 10 * result.expected_gain.se < result.gain.se < result.shared.se
    assert result.bet1.changed >= abs(result.bet1.shared - result.bet1.alone) > 0
    assert result.bet2.changed >= abs(result.bet2.shared - result.bet2.alone) > 0


def test_more_seats_gain_more() -> None:
    gains = [found(seats).expected_gain.mean for seats in (2, 3, 7)]
    assert gains == sorted(gains)


@pytest.mark.parametrize("seats", [2, 7])
def test_alone_agrees_with_the_exact_value(seats: int) -> None:
    result, exact = found(seats), price(PAYS)
    assert result.exact_alone == exact
    assert abs(result.alone.mean + float(exact.house_edge)) < 4 * result.alone.se
    assert result.bet1.alone / result.hands == pytest.approx(float(exact.bet1_ride_rate), abs=0.002)
    assert result.bet2.alone / result.hands == pytest.approx(float(exact.bet2_ride_rate), abs=0.002)


def test_two_seats_gain_what_knowing_another_hand_is_worth_exactly() -> None:
    result, exact = found(2), float(exact_gain_of_two(PAYS))
    assert abs(result.expected_gain.mean - exact) < 4 * result.expected_gain.se
    assert abs(result.gain.mean - exact) < 4 * result.gain.se
    assert result.house_edge.mean == pytest.approx(float(price(PAYS).house_edge) - exact, abs=5e-5)


def test_figures_are_plain_data() -> None:
    result = found(2)
    data = json.loads(encoded(result.as_data()))
    assert data["hands"] == 2 * data["rounds"] == 400_000
    assert data["gain"] == {"mean": result.gain.mean, "se": result.gain.se, "exact": None, "z": None}
    assert data["alone"]["exact"]["exact"] == str(-price(PAYS).house_edge)
    assert data["rides"]["bet1"] == {
        "shared": result.bet1.shared,
        "alone": result.bet1.alone,
        "changed": result.bet1.changed,
    }


@pytest.mark.parametrize(
    ("seats", "rounds", "seed", "words"),
    [
        (1, 100, 1, "expected 2 to 7 seats that share cards, got 1"),
        (8, 100, 1, "expected 1 to 7 seats, got 8"),
        (2, 1, 1, "expected 2 to 1,000,000,000,000 rounds, got 1"),
        (2, 100, -1, "expected a seed from 0 to 9223372036854775807, got -1"),
    ],
)
def test_what_cannot_be_simulated_is_refused(seats: int, rounds: int, seed: int, words: str) -> None:
    with pytest.raises(InvalidData) as refused:
        collude(PAYS, seats, rounds, seed)
    assert str(refused.value) == words


def test_only_the_base_wager_is_shared() -> None:
    bonus = catalog.paytable("LIRB-03").pays["bonus"]
    with pytest.raises(InvalidData) as refused:
        sharing(bonus, 2)
    assert str(refused.value) == "expected pays of the base wager, got those of the bonus wager"


@pytest.mark.parametrize("chunk", [(5, 100), (0, CHUNK + 1), (0, 0)])
def test_a_chunk_begins_where_a_block_does_and_is_not_too_long(chunk: tuple[int, int]) -> None:
    with pytest.raises(
        InvalidData, match=f"^expected 1 to 524,288 rounds from a multiple of 1024 on, got {chunk[0]} to"
    ):
        count(sharing(PAYS, 2), SEED, chunk)


TIERS = [{"limit_cents_max": 10_000, "wager_cents": 0, "bank_cents": 0}]


def test_a_house_banked_table_without_a_maximum_has_pays_to_share_on() -> None:
    table = catalog.table_rules("nsw-1")
    assert linear_pays(table, 7) == table.base_pays


@pytest.mark.parametrize(
    ("ref", "values", "seats", "words"),
    [
        (
            "california-1",
            {"limit.cents_min": 500, "limit.cents_max": 10_000, "fee.tiers": TIERS},
            2,
            "table by california-1: expected bank.mode 'house' for seats that share cards, got 'player'",
        ),
        (
            "nsw-1",
            {"payout.cap": "maximum", "payout.cents_max": 5_000_000},
            2,
            "table by nsw-1: expected payout.cap 'none' for seats that share cards, got 'maximum'",
        ),
        ("nsw-1", {}, 8, "table by nsw-1: expected 2 to 7 seats that share cards, got 8"),
        ("nsw-1", {}, 1, "table by nsw-1: expected 2 to 7 seats that share cards, got 1"),
    ],
)
def test_tables_where_bets_are_not_paid_by_themselves_are_refused(
    ref: str, values: dict[str, Any], seats: int, words: str
) -> None:
    with pytest.raises(InvalidData) as refused:
        linear_pays(catalog.table_rules(ref, values), seats)
    assert str(refused.value) == words
