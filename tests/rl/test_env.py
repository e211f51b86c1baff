"""One seat: the environment follows Gymnasium's rules, deals what a simulation deals and settles as the table does."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import InvalidAction, ResetNeeded
from gymnasium.utils.env_checker import check_env

import letitride
from letitride.analysis.features import feature_of
from letitride.errors import InvalidData
from letitride.rl import CLASSES, ENV_ID, RIDE, WITHDRAW
from letitride.rules.cards import DECK
from letitride.rules.settlement import BASE_SPOTS, Hand, settle_round
from letitride.simulation.game import BLOCK
from tests.simulation.test_same_game import SHORT

CAPPED: dict[str, Any] = {
    "rulebook": "nsw-1",
    "overrides": {"payout.cap": "maximum", "payout.cents_max": 1_200, "limit.cents_max": 10_000},
}
TERMS: dict[str, dict[str, Any]] = {
    "as it comes": {},
    "classes": {"observation": "classes"},
    "another paytable": {"paytable": "LIRX-03"},
    "capped": CAPPED,
    **{house: {"rulebook": house} for house in letitride.rulebook_ids()},
}


def one(**terms: Any) -> Any:
    return gymnasium.make(ENV_ID, **terms).unwrapped


@pytest.mark.parametrize("terms", TERMS.values(), ids=list(TERMS))
def test_gymnasium_finds_nothing_to_warn_of(terms: dict[str, Any]) -> None:
    env = one(**terms)
    check_env(env)
    assert env.spec.id == "LetItRide-v1"


def test_it_is_found_by_its_module_in_a_fresh_process() -> None:
    code = "import gymnasium; print(gymnasium.make('letitride.rl:LetItRide-v1').reset(seed=1)[1])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "{'seed': 1, 'round': 0}\n"


@pytest.mark.parametrize("order", ["gymnasium, letitride", "letitride, gymnasium"])
def test_it_is_registered_by_importing_letitride_before_or_after_gymnasium(order: str) -> None:
    code = (
        f"import {order}, sys; assert 'letitride.rl' not in sys.modules; print(gymnasium.make('LetItRide-v1').spec.id)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "LetItRide-v1\n"


@pytest.mark.parametrize(("extra", "module"), [("gymnasium", "letitride.rl"), ("pettingzoo", "letitride.rl.table")])
def test_a_missing_extra_is_named(extra: str, module: str) -> None:
    code = f"import sys; sys.modules['{extra}'] = None; import {module}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "pip install 'letitride[rl]'" in done.stderr.splitlines()[-1]


def test_an_observation_shows_the_cards_as_they_become_known() -> None:
    env = one()
    first, info = env.reset(seed=5)
    cards = [card.index + 1 for card in letitride.deck(5, 0)[:5]]
    own, community = sorted(cards[:3]), cards[3:]
    second, *_ = env.step(RIDE)
    third, *_ = env.step(WITHDRAW)
    assert info == {"seed": 5, "round": 0}
    assert first.tolist() == [0, 0, 0, *own, 0, 0]
    assert second.tolist() == [1, 2, 0, *own, community[0], 0]
    assert third.tolist() == [2, 2, 1, *own, *community]


@pytest.mark.parametrize("action", [WITHDRAW, RIDE])
def test_a_class_is_what_a_player_sees_in_their_cards(action: int) -> None:
    env = one(observation="classes")
    for number in range(300):
        seen, _ = env.reset(seed=9 if number == 0 else None)
        cards = letitride.deck(9, number)
        assert CLASSES[seen] == feature_of(cards[:3])
        seen, *_ = env.step(action)
        assert CLASSES[seen - 33 * action] == feature_of(cards[:4])
        seen, *_ = env.step(action)
        assert seen == 99


def test_round_after_round_is_dealt_as_in_a_simulation() -> None:
    env = one()
    for number in range(BLOCK + 20):
        _, info = env.reset(seed=77 if number == 0 else None)
        env.step(RIDE)
        seen, *_ = env.step(RIDE)
        if number % 100 == 0 or number >= BLOCK - 2:
            assert info == {"seed": 77, "round": number}
            assert {DECK[face - 1] for face in seen[3:].tolist()} == set(letitride.deck(77, number)[:5])


def test_a_seed_that_was_not_given_is_told_and_repeats_the_round() -> None:
    env, other = one(), one()
    seen, info = env.reset()
    again, _ = other.reset(seed=info["seed"])
    assert seen.tolist() == again.tolist()
    assert info["seed"] != one().reset()[1]["seed"]


@pytest.mark.parametrize("house", ["nsw-1", "washington-1", "shufflemaster-1", "hand-dealt-1"])
def test_the_reward_is_what_the_table_settles_per_unit_bet(house: str) -> None:
    env = one(rulebook=house)
    table, cents = env.terms.table, env.terms.stake_cents
    for number in range(200):
        actions = number & 1, number >> 1 & 1
        env.reset(seed=3 if number == 0 else None)
        _, nothing, over, *_ = env.step(actions[0])
        _, reward, ended, *_ = env.step(actions[1])
        cards = letitride.deck(3, number)
        back = frozenset(spot for spot, action in zip(BASE_SPOTS, actions, strict=False) if action == WITHDRAW)
        hand = Hand(1, cards[:3], dict.fromkeys(BASE_SPOTS, cents), back)
        net = sum(result.net_cents for result in settle_round(table, cards[3:5], [hand])[1])
        assert (nothing, over, ended) == (0, False, True)
        assert reward == net / cents


def test_a_maximum_payout_is_kept() -> None:
    capped, free = one(**CAPPED), one(rulebook="nsw-1")
    cents = capped.terms.stake_cents
    rewards = []
    for seed in range(3_000):
        for env in (capped, free):
            env.reset(seed=seed)
            env.step(RIDE)
        rewards.append((capped.step(RIDE)[1], free.step(RIDE)[1]))
    assert max(ours for ours, _ in rewards) == 1_200 / cents
    assert {ours for ours, _ in rewards if ours > 0} == {min(full, 1_200 / cents) for _, full in rewards if full > 0}
    assert all(ours == full for ours, full in rewards if full <= 1_200 / cents)


def test_a_paytable_of_ones_own_pays_by_itself(tmp_path: Path) -> None:
    file = tmp_path / "short.toml"
    file.write_text(SHORT, encoding="utf-8")
    env = one(paytable=str(file))
    rewards = set()
    for seed in range(300):
        env.reset(seed=seed)
        env.step(WITHDRAW)
        rewards.add(env.step(WITHDRAW)[1])
    assert {-1.0, 2.0} <= rewards
    assert 1.0 not in rewards  # tens or better lose here


def test_a_round_is_drawn_as_its_player_sees_it() -> None:
    env = one(render_mode="ansi")
    assert env.render() == "LIRX-01\nno round yet\n"
    env.reset(seed=5)
    assert env.render() == (
        "LIRX-01\ncards      9d Kh Ac\ncommunity  [] []\nbet 1: take it back (0) or let it ride (1)?\n"
    )
    env.step(RIDE)
    env.step(WITHDRAW)
    drawn = env.render()
    assert drawn == (
        "LIRX-01\ncards      9d Kh Ac\ncommunity  5h 7d\nbets       bet 1 rides, bet 2 taken back, bet $ rides\n"
        "ace high: -2 units\n"
    )


def test_a_round_is_drawn_in_colors_as_far_as_its_player_knows_it() -> None:
    env = one(render_mode="rgb_array")
    env.reset(seed=5)
    images = [env.render()]
    for action in (RIDE, WITHDRAW):
        env.step(action)
        images.append(env.render())
    assert {((120, 240, 3), np.dtype(np.uint8))} == {(image.shape, image.dtype) for image in images}
    other = one(render_mode="rgb_array")
    other.reset(seed=5)
    np.testing.assert_array_equal(images[0], other.render())
    changed = [(np.argwhere((before != after).any(axis=2))[:, 1].min()) for before, after in pairwise(images)]
    assert (
        150 < changed[0] < changed[1] or changed[1] < 150
    )  # a card is turned on the right; then bet 2 goes, on the left
    assert len({image.tobytes() for image in images}) == 3


def test_side_bets_and_the_size_of_bets_are_part_of_the_reward() -> None:
    plain, sided = one(rulebook="washington-1"), one(rulebook="washington-1", side_bets={"bonus": 100})
    for number in range(20):
        for env in (plain, sided):
            env.reset(seed=number)
            env.step(RIDE)
        _, reward, *_, info = plain.step(RIDE)
        expected = reward + info["side_bets"]["bonus"] * 100 / plain.unwrapped.terms.stake_cents
        assert expected == pytest.approx(sided.step(RIDE)[1])
        plain.reset(seed=number, options={"stake_cents": 2 * plain.unwrapped.terms.stake_cents})
        plain.step(RIDE)
        assert 2 * reward == plain.step(RIDE)[1]
    wrong = {"lucky": 100}, {"three_card": 10**9}, {"bonus": 0}, 5
    for bets, said in zip(
        wrong, ("got 'lucky'", "for three_card, got", "cents on bonus", "side_bets by wager"), strict=True
    ):
        with pytest.raises(InvalidData, match=said):
            plain.reset(options={"side_bets": bets})
    with pytest.raises(InvalidData, match="expected a rule book that offers side bets"):
        one(side_bets={"bonus": 100})
    with pytest.raises(InvalidData, match="expected stake_cents and side_bets as options, got 'bets'"):
        plain.reset(options={"bets": 3})


def test_it_is_registered_when_letitride_is_imported() -> None:
    code = "import gymnasium, letitride; print('LetItRide-v1' in gymnasium.registry, 'letitride.rl' in __import__('sys').modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "True False\n"


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "no such paytable": ({"paytable": "LIRX-99"}, "expected a path ending in .toml or the id of a paytable"),
    "no base wager": ({"paytable": "3CB-1"}, "expected"),
    "no such book": ({"rulebook": "nevada-1"}, "expected a path ending in .toml or the id of a rule book"),
    "not allowed by the book": ({"rulebook": "nsw-1", "paytable": "LIRX-03"}, "expected"),
    "own values of no book": ({"overrides": {"payout.cap": "maximum"}}, "expected a rule book"),
    "no stake": ({"stake_cents": 0}, "expected a stake of a cent or more, got 0 cents"),
    "a stake over the limit": ({"rulebook": "nsw-1", "stake_cents": 10**9}, "expected"),
    "an encoding": ({"observation": "pictures"}, "expected 'cards' or 'classes'"),
    "a render mode": ({"render_mode": "human"}, "expected one of 'ansi', 'rgb_array'"),
}


@pytest.mark.parametrize(("terms", "sentence"), WRONG.values(), ids=list(WRONG))
def test_terms_that_cannot_be_are_refused_in_a_sentence(terms: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InvalidData, match=sentence):
        letitride.rl.LetItRideEnv(**terms)
    with pytest.raises(InvalidData, match=sentence):
        letitride.rl.LetItRideVectorEnv(2, **terms)


@pytest.mark.parametrize("seed", [-1, 2**63])
def test_a_seed_out_of_range_is_refused(seed: int) -> None:
    with pytest.raises(InvalidData, match="expected a seed from 0 to"):
        one().reset(seed=seed)


def test_what_is_no_decision_is_refused() -> None:
    env = one()
    with pytest.raises(ResetNeeded):
        env.step(RIDE)
    env.reset(seed=1)
    for action in (2, -1, 0.5, "ride", None):
        with pytest.raises(InvalidAction):
            env.step(action)
    env.step(np.int32(RIDE))
    env.step(RIDE)
    with pytest.raises(ResetNeeded):
        env.step(RIDE)


def test_every_class_of_three_and_four_cards_has_its_number() -> None:
    assert len(CLASSES) == len(set(CLASSES)) == 66
    assert all(a.cards <= b.cards for a, b in pairwise(CLASSES))


def test_the_last_info_of_a_round_says_what_side_bets_would_have_come_to() -> None:
    env: Any = gymnasium.make(ENV_ID, rulebook="washington-1", paytable="LIRB-06").unwrapped
    env.reset(seed=5)
    assert env.step(1)[4] == {}
    info = env.step(1)[4]
    five, table = letitride.deck(5, 0)[:5], env.terms.table
    assert table is not None
    assert list(info["side_bets"]) == [wager.spot for wager in table.sides]
    for wager in table.sides:
        result = settle_round(table, five[3:], [Hand(1, five[:3], {wager.spot: 100})])[1][0]
        assert info["side_bets"][wager.spot] == result.net_cents / 100
    plain = gymnasium.make(ENV_ID)
    plain.reset(seed=5)
    assert [plain.step(1)[4], plain.step(1)[4]] == [{}, {}]
