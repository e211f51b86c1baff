"""Every reader answers what it cannot read with a sentence: a short try of what `python -m tests.fuzz` does for longer."""

from __future__ import annotations

import random

import pytest

from tests.fuzz.__main__ import NAMES, TooSlow, in_time, some_of
from tests.fuzz.changes import changed
from tests.fuzz.readers import READERS, Reader

TRIES = 150
REPLAYS = 15
"""Rounds that are played are dearer than texts that are only read."""


@pytest.mark.parametrize("name", READERS)
def test_a_reader_takes_our_own_files_and_refuses_others_in_a_sentence(name: str) -> None:
    reader = READERS[name]
    inputs = list(reader.begin())
    tries = REPLAYS if name == "replays" else TRIES
    assert 0 < sum(reader.try_one(data) for data in inputs[:tries])
    chance = random.Random(f"{name} 1")
    taken = [reader.try_one(changed(inputs, chance)) for _ in range(tries)]
    assert not all(taken)


def test_every_reader_can_be_fuzzed_for_longer() -> None:
    assert tuple(READERS) == NAMES


def test_a_short_time_is_given_to_few_readers_and_a_long_one_to_all() -> None:
    assert some_of(NAMES, 1_000, 1) == NAMES
    assert len(some_of(NAMES, 60, 1)) == 3
    assert len(some_of(NAMES, 5, 1)) == 1
    assert {name for seed in range(100) for name in some_of(NAMES, 20, seed)} == set(NAMES)


def test_an_input_that_takes_too_much_of_a_processors_time_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = Reader(read=lambda data: data * 100_000 and None, begin=list)
    assert in_time(slow, b"any")
    monkeypatch.setattr("tests.fuzz.__main__.ONE_SECONDS", 0)
    with pytest.raises(TooSlow, match="expected an input to be read within 0 s of a processor's time, got"):
        in_time(slow, b"any")
