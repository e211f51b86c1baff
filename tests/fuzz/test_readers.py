"""Every reader answers what it cannot read with a sentence: a short try of what `python -m tests.fuzz` does for longer."""

from __future__ import annotations

import random

import pytest

from tests.fuzz.__main__ import NAMES
from tests.fuzz.changes import changed
from tests.fuzz.readers import READERS

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
