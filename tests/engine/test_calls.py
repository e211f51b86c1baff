"""Calls: how many functions of the package a command passes on its way through the engine; nothing is timed."""

from __future__ import annotations

import sys
from pathlib import Path
from types import FrameType
from typing import Final

import pytest

import letitride
from letitride.engine.decide import play
from tests.engine.recorded import recorded

PACKAGE: Final = str(Path(letitride.__file__).parent)
CALLS_MAX: Final = {"california": 77, "hand-dealt": 63, "manufacturer": 73, "new-south-wales": 65, "washington": 73}
"""For each command of a record; a list that is walked once more for every step, or a rule that is found anew, is more."""


@pytest.mark.parametrize(("name", "most"), CALLS_MAX.items())
def test_a_command_passes_no_more_functions_than_it_did(name: str, most: int) -> None:
    steps = recorded(f"examples/{name}").steps
    done, calls = [(step.before, step.command) for step in steps if step.command is not None], 0

    def count(frame: FrameType, event: str, _: object) -> None:
        nonlocal calls
        calls += event == "call" and frame.f_code.co_filename.startswith(PACKAGE)

    for table, command in done:  # what is remembered by rules is found once
        play(table, command)
    before = sys.getprofile()
    sys.setprofile(count)
    try:
        for table, command in done:
            play(table, command)
    finally:
        sys.setprofile(before)
    assert 0 < calls <= most * len(done), calls / len(done)
