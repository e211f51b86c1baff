"""The documented example: a tabular learner finds the best play to within sampling error, and knows what it does not."""

from __future__ import annotations

import pytest
from examples.learn_to_ride import learn, ride_rates

import letitride
from letitride.rl import best_actions


@pytest.mark.parametrize(
    ("table", "unsure_1", "unsure_2"),
    [("LIRX-01", 0.010, 0.012), pytest.param("LIRX-03", 0.006, 0.006, marks=pytest.mark.slow)],
)
def test_a_learner_finds_the_ride_rates_of_best_play(table: str, unsure_1: float, unsure_2: float) -> None:
    learned = learn(table, 32_000_000, seed=1)
    best = best_actions(letitride.paytable(table).pays["base"])
    assert not (learned.sure & (learned.policy != best))[:99].any(), "what is decided is decided rightly"
    assert learned.sure[:99].sum() >= 75
    bet_1, bet_2 = ride_rates(table, learned, 2_000_000, seed=10**9)
    assert abs(bet_1.rides - float(bet_1.exact)) < bet_1.allowed
    assert abs(bet_2.rides - float(bet_2.exact)) < bet_2.allowed
    assert bet_1.unsure < unsure_1
    assert bet_2.unsure < unsure_2
