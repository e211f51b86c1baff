"""Promise 21: one seed replays the whole world with its failures. 12 worlds here, as many as time allows in `make prove`."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.promises.world import live_through

SEEDS = range(1, 11)


@pytest.mark.parametrize("seed", [3, 16])
def test_the_same_seed_gives_the_same_journals_and_the_same_frames_byte_by_byte(seed: int) -> None:
    assert live_through(seed) == live_through(seed)


def test_another_seed_gives_another_world() -> None:
    assert len({live_through(seed)[0] for seed in (6, 10, 13)}) == 3


@pytest.mark.slow
def test_in_10_troubled_worlds_nothing_acknowledged_is_lost_nothing_is_done_twice_and_no_table_stays_stuck() -> None:
    """Every world ends with its journals and money checked, or with the command that shows it again."""
    found: Counter[str] = Counter()
    for seed in SEEDS:
        found += live_through(seed)[1]
    # The failures did happen, each of them, and play went on between them.
    assert all(found[what] for what in ("down_before", "down_after", "crash_before", "crash_after"))
    assert all(found[what] for what in ("kill", "clock", "thief"))
    assert found["rows"] > 200


def test_tables_that_share_the_meter_of_a_progressive_live_through_the_same_troubles() -> None:
    """The meter held what each hand took of it, no one was paid twice of it, and every cent of it is where it is told."""
    found: Counter[str] = Counter()
    for seed in (1, 3):
        found += live_through(seed, pots=True)[1]
    assert found["pots taken"] > 3
    assert all(found[what] for what in ("down_before", "down_after", "crash_before", "crash_after", "kill"))
