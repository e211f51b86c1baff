"""Told: records written in a test, played, and what a refused one is told."""

from __future__ import annotations

import pytest

from letitride.errors import InvalidData
from letitride.records.reader import read_record
from letitride.records.replay import Replayed, replay


def played(text: str) -> Replayed:
    """Return the replay of a record."""
    return replay(read_record(text))


def refused(text: str) -> str:
    """Return the sentence with which a record is refused."""
    with pytest.raises(InvalidData) as error:
        played(text)
    return str(error.value)
