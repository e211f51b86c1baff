"""All seats of a table: the environment follows PettingZoo's rules, plays the real engine, and shows what a seat sees."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, seed_test

import letitride
from letitride.errors import InvalidData
from letitride.rl import RIDE, WITHDRAW
from letitride.rl.table import LetItRideTable, env, parallel_env
from letitride.rules.banking import bank_fee, wagers_fee
from letitride.rules.cards import DECK
from letitride.rules.settlement import BASE_SPOTS, Hand, settle_round

HOUSES = letitride.rulebook_ids()
BANKED = "california-1"
HOUSE_BANKED = tuple(house for house in HOUSES if house != BANKED)


def cards(faces: Any) -> tuple[Any, ...]:
    return tuple(DECK[face - 1] for face in faces.tolist() if face)


def play(table: LetItRideTable, chance: np.random.Generator) -> tuple[dict[str, Any], dict[str, list[int]], list[str]]:
    """Play a dealt round at random; return what each agent saw last, what it did, and who acted in turn."""
    seen: dict[str, Any] = {}
    acts: dict[str, list[int]] = {agent: [] for agent in table.agents}
    order = []
    for agent in table.agent_iter():
        observation, _, over, _, _ = table.last()
        if over:
            seen[agent] = observation
            table.step(None)
            continue
        order.append(agent)
        acts[agent].append(int(chance.integers(2)))
        table.step(acts[agent][-1])
    return seen, acts, order


@pytest.mark.parametrize("house", HOUSES)
def test_pettingzoo_finds_nothing_to_warn_of(house: str) -> None:
    api_test(env(rulebook=house), num_cycles=20)
    api_test(LetItRideTable(house), num_cycles=20)


@pytest.mark.parametrize("house", HOUSES)
def test_a_seed_repeats_a_table(house: str) -> None:
    seed_test(lambda: env(rulebook=house), num_cycles=20)


@pytest.mark.parametrize("house", HOUSE_BANKED)
def test_all_seats_can_act_at_once(house: str) -> None:
    parallel_api_test(parallel_env(rulebook=house), num_cycles=20)


def test_where_a_player_banks_no_cycle_is_whole() -> None:
    with pytest.raises(AssertionError, match="is_parallelizable"):
        parallel_env(rulebook=BANKED)


@pytest.mark.parametrize("house", HOUSE_BANKED)
def test_seven_seats_are_rewarded_as_their_hands_are_settled(house: str) -> None:
    table = LetItRideTable(house)
    chance = np.random.default_rng(2)
    won = 0.0
    for number in range(12):
        table.reset(seed=5 if number == 0 else None)
        rewards: dict[str, float] = {}
        seats = table.agents
        for agent in table.agent_iter():
            observation, reward, over, _, info = table.last()
            assert info == {"seed": 5, "round": number}
            if not over:
                table.step(int(chance.integers(2)))
                continue
            rewards[agent] = reward
            stage, first, second, bet_1, bet_2, *own = observation[:8].tolist()
            assert (stage, len(set(own)), 0 in own) == (2, 3, False)
            back = frozenset(spot for spot, bet in zip(BASE_SPOTS, (bet_1, bet_2), strict=False) if bet == 1)
            hand = Hand(1, cards(np.array(own)), dict.fromkeys(BASE_SPOTS, table.stake_cents), back)
            settled = settle_round(table.rules, cards(np.array([first, second])), [hand])[1]
            assert reward == sum(result.net_cents for result in settled) / table.stake_cents
            table.step(None)
        assert (len(rewards), len(seats)) == (7, 0)
        won += sum(max(reward, 0) for reward in rewards.values())
    assert won > 0, "no one ever won: nothing was compared"


@pytest.mark.parametrize("house", HOUSE_BANKED)
def test_seats_act_in_the_books_order_on_both_bets(house: str) -> None:
    table = LetItRideTable(house)
    table.reset(seed=1)
    _, _, order = play(table, np.random.default_rng(0))
    assert order == table.possible_agents * 2


@pytest.mark.parametrize("house", HOUSES)
def test_an_agent_sees_its_own_cards_and_those_the_book_shows_it(house: str) -> None:
    table = LetItRideTable(house)
    hidden = table.rules.rules.cards.hidden
    chance = np.random.default_rng(3)
    for _ in range(4):
        table.reset(seed=int(chance.integers(10**6)))
        community: set[int] = set()
        while not any(table.terminations.values()):
            agent = table.agent_selection
            seen = table.observe(agent)
            stage, first, second = seen[:3].tolist()
            seats = seen[3:].reshape(7, 5)
            assert stage == (0 if not first else 1)
            assert second == 0
            assert len(set(seats[0, 2:].tolist())) == 3
            assert 0 not in seats[0, 2:]
            assert seats[0, stage] == 0, "the bet that is asked for is open"
            others = seats[1:, 2:]
            assert not hidden or not others.any()
            everything = [face for face in [*seats[:, 2:].ravel().tolist(), first] if face]
            assert len(set(everything)) == len(everything)
            community |= {first} - {0}
            table.step(int(chance.integers(2)))
        assert len(community) == 1, "the first community card stays the first"
        last = table.observe(table.agents[0])
        assert {int(last[1])} == community
        assert last[2] > 0


def test_choices_are_seen_clockwise_from_ones_own_seat() -> None:
    table = LetItRideTable("nsw-1")
    table.reset(seed=4)
    seen, acts, _ = play(table, np.random.default_rng(8))
    for place, agent in enumerate(table.possible_agents):
        clockwise = table.possible_agents[place:] + table.possible_agents[:place]
        choices = seen[agent][3:].reshape(7, 5)[:, :2].tolist()
        assert choices == [[1 + act for act in acts[other]] for other in clockwise]


def test_the_bank_goes_round_and_no_chip_is_lost() -> None:
    table = LetItRideTable(BANKED, bank_stake_cents=10_000)
    fees = (6 * wagers_fee(table.rules.rules, 3) + bank_fee(table.rules.rules)) / table.stake_cents
    assert fees > 0
    chance = np.random.default_rng(6)
    banks = []
    for number in range(10):
        table.reset(seed=6 if number == 0 else None)
        banks.append(table.agents[-1])
        bank_sees = table.observe(banks[-1])
        assert not bank_sees[3:8].any(), "the bank has neither bets nor cards"
        while not any(table.terminations.values()):
            assert table.agent_selection != banks[-1]
            table.step(int(chance.integers(2)))
        assert sum(table.rewards.values()) == pytest.approx(-fees)
    assert banks == ["seat_1", "seat_1", "seat_2", "seat_2", "seat_3", "seat_3", "seat_4", "seat_4", "seat_5", "seat_5"]


def test_a_maximum_payout_is_kept_at_the_table() -> None:
    values = {"payout.cap": "maximum", "payout.cents_max": 1_200, "limit.cents_max": 10_000}
    table = LetItRideTable("nsw-1", overrides=values)
    best = 0.0
    for seed in range(15):
        table.reset(seed=seed)
        while not any(table.terminations.values()):
            table.step(RIDE)
        best = max(best, *table.rewards.values())
    assert best == 1_200 / table.stake_cents


def test_a_round_left_early_is_finished_before_the_next_one() -> None:
    table = LetItRideTable("washington-1")
    table.reset(seed=1)
    table.step(RIDE)
    table.reset()
    assert table.infos["seat_1"] == {"seed": 1, "round": 1}
    assert table.observe("seat_1")[0] == 0
    table.reset(seed=1)
    again = LetItRideTable("washington-1")
    again.reset(seed=1)
    np.testing.assert_array_equal(again.observe("seat_3"), table.observe("seat_3"))


def test_a_table_is_drawn_with_every_hand_and_result() -> None:
    table = LetItRideTable("nsw-1", seats=2, render_mode="ansi")
    table.reset(seed=3)
    drawn = table.render()
    assert drawn is not None
    assert drawn.splitlines()[0] == "nsw-1, round 1, community [red] [red]"
    assert drawn.splitlines()[1].endswith("<")
    while not any(table.terminations.values()):
        table.step(WITHDRAW)
    ended = table.render()
    assert ended is not None
    assert "1:withdraw 2:withdraw" in ended
    assert f"{table.rewards['seat_2']:+g}" in ended.splitlines()[2]


@pytest.mark.parametrize(
    "terms",
    [
        {"rulebook": "nsw-1", "seats": 8},
        {"rulebook": "nsw-1", "seats": 0},
        {"rulebook": BANKED, "seats": 1},
        {"rulebook": "nowhere-1"},
        {"rulebook": "nsw-1", "stake_cents": -5},
        {"rulebook": "nsw-1", "render_mode": "human"},
        {"rulebook": BANKED, "bank_stake_cents": 0},
    ],
    ids=str,
)
def test_a_table_that_cannot_be_is_refused_in_a_sentence(terms: dict[str, Any]) -> None:
    with pytest.raises(InvalidData, match="expected"):
        LetItRideTable(**terms)


def test_what_is_no_decision_is_refused() -> None:
    table = LetItRideTable("nsw-1")
    table.reset(seed=1)
    for action in (2, -1, None, "ride"):
        with pytest.raises(InvalidData, match="expected 0"):
            table.step(action)
    with pytest.raises(InvalidData, match="expected a seed"):
        table.reset(seed=-1)
