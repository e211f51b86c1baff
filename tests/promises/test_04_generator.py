"""Promise 4: the simulation's generator passes a battery: a million words here, long runs in tests/simulation/."""

from __future__ import annotations

from letitride.simulation import shuffle_tests


def test_a_million_words_of_the_simulation_pass_the_battery() -> None:
    found = shuffle_tests.word_tests(20260401, 1 << 20)
    assert found.consistent, found
