"""Many seats at once: the compiled environment is the plain one, seat by seat, and comes to what the analyser says."""

from __future__ import annotations

from math import sqrt
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import InvalidAction, ResetNeeded
from gymnasium.vector import AutoresetMode

import letitride
from letitride.analysis.base import distribution, price
from letitride.analysis.strategy import best_strategy, play_of
from letitride.errors import InvalidData
from letitride.rl import ENV_ID, RIDE, LetItRideVectorEnv, best_actions
from letitride.rules.cards import DECK
from letitride.simulation.game import BLOCK
from tests.rl.test_env import CAPPED, TERMS

SEATS = 64
Z = 4
"""Standard errors that a mean may be from the exact one; the seeds are fixed, so a test that passes once passes."""


def many(seats: int = SEATS, mode: str = "NextStep", **terms: Any) -> Any:
    return gymnasium.make_vec(
        ENV_ID, num_envs=seats, vectorization_mode="vector_entry_point", autoreset_mode=mode, **terms
    )


def plain(seats: int, mode: str, **terms: Any) -> Any:
    kind = {"autoreset_mode": AutoresetMode(mode)}
    return gymnasium.make_vec(ENV_ID, num_envs=seats, vectorization_mode="sync", vector_kwargs=kind, **terms)


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
@pytest.mark.parametrize("terms", TERMS.values(), ids=list(TERMS))
def test_it_is_the_plain_environment_hand_by_hand(terms: dict[str, Any], mode: str) -> None:
    ours, theirs = many(mode=mode, **terms), plain(SEATS, mode, **terms)
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    assert ours.metadata["autoreset_mode"] is theirs.metadata["autoreset_mode"]
    chance = np.random.default_rng(4)
    (seen, info), (expected, wanted) = ours.reset(seed=2**40), theirs.reset(seed=2**40)
    np.testing.assert_array_equal(expected, seen)
    for name in ("seed", "_seed", "round", "_round"):
        np.testing.assert_array_equal(wanted[name], info[name])
    assert ours.observation_space.contains(seen)
    won = 0.0
    for _ in range(40):
        actions = chance.integers(0, 2, SEATS)
        *found, info = ours.step(actions)
        *expected_all, wanted = theirs.step(actions)
        for one, other in zip(expected_all, found, strict=True):
            np.testing.assert_array_equal(one, other)
            assert one.dtype == other.dtype
        assert ("final_obs" in wanted) == ("final_obs" in info)
        if "final_obs" in info:
            np.testing.assert_array_equal(np.stack(list(wanted["final_obs"])), info["final_obs"])
        won += float(np.maximum(found[1], 0).sum())
    assert won > 0, "no one ever won: nothing was compared"


def test_the_rounds_go_on_over_the_end_of_a_block() -> None:
    envs = many(3, "SameStep")
    seen, _ = envs.reset(seed=[12, 5, 12])
    rides = np.full(3, RIDE)
    for number in range(BLOCK + 30):
        envs.step(rides)
        dealt, _, _, _, info = envs.step(rides)
        for seat, seed in ((0, 12), (1, 5)):
            if number % 100 == 0 or number >= BLOCK - 3:
                cards = {DECK[face - 1] for face in info["final_obs"][seat, 3:].tolist()}
                assert cards == set(letitride.deck(seed, number)[:5])
        np.testing.assert_array_equal(seen[0], seen[2])
        seen = dealt


def played(envs: Any, policy: Any, rounds: int, seed: int) -> np.ndarray[Any, Any]:
    """Return the rewards of so many rounds of every seat, dealt anew in the same step."""
    state, _ = envs.reset(seed=seed)
    found = []
    for _ in range(rounds):
        state, *_ = envs.step(policy[state])
        state, rewards, *_ = envs.step(policy[state])
        found.append(rewards)
    return np.concatenate(found)


@pytest.mark.parametrize("table", ["LIRX-01", "LIRX-03"])
def test_best_play_wins_what_the_analyser_says(table: str) -> None:
    pays = letitride.paytable(table).pays["base"]
    envs = many(8192, "SameStep", paytable=table, observation="classes")
    rewards = played(envs, best_actions(pays), 500, seed=21)
    exact = distribution(envs.terms.nets, envs.terms.best_play())
    assert exact.mean == -price(pays).house_edge
    error = exact.standard_deviation / sqrt(rewards.size)
    assert abs(rewards.mean() - float(exact.mean)) < Z * error
    assert error < 0.003


def test_under_a_maximum_payout_it_wins_what_the_analyser_says_there() -> None:
    envs = many(8192, "SameStep", observation="classes", **CAPPED)
    strategy = best_strategy(envs.terms.pays)
    exact = distribution(envs.terms.nets, play_of(strategy))
    rewards = played(envs, best_actions(envs.terms.pays), 400, seed=8)
    error = exact.standard_deviation / sqrt(rewards.size)
    assert rewards.max() == 1_200 / envs.terms.stake_cents
    assert abs(rewards.mean() - float(exact.mean)) < Z * error
    free = float(-price(envs.terms.pays).house_edge)
    assert abs(rewards.mean() - free) > 10 * error, "the maximum made no difference: nothing was proven"


def test_seats_with_one_seed_see_the_same_and_a_seed_repeats_all() -> None:
    ours, again = many(4), many(4)
    seen, info = ours.reset(seed=[7, None, 7, 8])
    repeated, _ = again.reset(seed=info["seed"].tolist())
    np.testing.assert_array_equal(seen, repeated)
    np.testing.assert_array_equal(seen[0], seen[2])
    assert seen[0].tolist() != seen[3].tolist()
    nobodys = many(4).reset()[1]["seed"]
    assert (np.diff(nobodys) == 1).all()


def test_one_seat_can_begin_again_while_the_others_go_on() -> None:
    envs = many(2)
    envs.reset(seed=[3, 4])
    seen, info = envs.reset(seed=[3, None])
    assert info["round"].tolist() == [0, 1]
    assert seen[0, 3:6].tolist() == sorted(card.index + 1 for card in letitride.deck(3, 0)[:3])
    assert seen[1, 3:6].tolist() == sorted(card.index + 1 for card in letitride.deck(4, 1)[:3])


@pytest.mark.parametrize("observation", ["cards", "classes"])
def test_seats_are_dealt_to_by_a_mask_where_nothing_is_reset_by_itself(observation: str) -> None:
    masked, plain = many(3, "Disabled", observation=observation), many(3, "SameStep", observation=observation)
    ride, first = np.ones(3, np.int64), np.array([True, False, True])
    for envs in (masked, plain):
        envs.reset(seed=1)
        envs.step(ride)
    seen, _, ended, *_ = masked.step(ride)
    following, _, _, _, info = plain.step(ride)
    np.testing.assert_array_equal(seen, info["final_obs"])
    assert ended.all()
    assert ([0, 0, 0], [1, 2, 3]) == (info["final_info"]["round"].tolist(), info["final_info"]["seed"].tolist())
    some, dealt = masked.reset(options={"reset_mask": first})
    np.testing.assert_array_equal(some[first], following[first])
    np.testing.assert_array_equal(some[~first], seen[~first])
    assert ([1, 0, 1], first.tolist()) == (dealt["round"].tolist(), dealt["_round"].tolist())
    with pytest.raises(ResetNeeded):
        masked.step(ride)
    for wrong in (first, np.zeros(3, np.bool_), [True, True, True], np.ones(2, np.bool_)):
        with pytest.raises(InvalidData, match="reset_mask"):
            masked.reset(options={"reset_mask": wrong})
    np.testing.assert_array_equal(masked.reset(options={"reset_mask": ~first})[0], following)
    np.testing.assert_array_equal(masked.step(ride)[0], plain.step(ride)[0])


def test_what_was_returned_is_the_callers() -> None:
    envs = many(8, "SameStep")
    first, _ = envs.reset(seed=1)
    kept = first.copy()
    actions = np.zeros(8, np.int64)
    envs.step(actions)
    actions[:] = 1
    _, rewards, *_ = envs.step(actions)
    before = rewards.copy()
    envs.step(actions)
    envs.step(actions)
    np.testing.assert_array_equal(kept, first)
    np.testing.assert_array_equal(before, rewards)


def test_what_is_no_decision_is_refused() -> None:
    envs = many(3)
    with pytest.raises(ResetNeeded):
        envs.step(np.zeros(3, np.int64))
    envs.reset(seed=1)
    for actions in ([0, 1, 2], [0, -1, 0], [0, 1], [0.0, 1.0, 0.0], 1):
        with pytest.raises(InvalidAction):
            envs.step(np.array(actions))
    for seeds in ([1, 2], [1, 2, -3]):
        with pytest.raises(InvalidData):
            envs.reset(seed=seeds)
    with pytest.raises(InvalidData, match="reset_mask"):
        envs.reset(options={"reset_mask": np.array([True, False, False])})
    with pytest.raises(InvalidData, match="for autoreset_mode, got 'Never'"):
        many(3, "Never")
    with pytest.raises(InvalidData, match="one environment or more"):
        LetItRideVectorEnv(0)


def test_the_rounds_are_drawn_as_the_plain_environment_draws_them() -> None:
    ours, theirs = many(3, render_mode="ansi"), plain(3, "NextStep", render_mode="ansi")
    for envs in (ours, theirs):
        envs.reset(seed=6)
    for actions in ([0, 1, 1], [1, 1, 0], [0, 0, 0]):
        assert tuple(theirs.render()) == ours.render()
        for envs in (ours, theirs):
            envs.step(np.array(actions))
    assert tuple(theirs.render()) == ours.render()
