"""Garbage: how often a server looks for what only holds itself; it holds nothing."""

from __future__ import annotations

import gc
from typing import Final

NEW_THINGS: Final = 50_000
"""How many things are new before garbage is looked for among them."""
THINGS_A_CONNECTION: Final = 60
"""How many things a connection has at most while a command, and what follows from it, are under way."""


def collect_rarely() -> None:
    """Look for garbage seldom: rules and tables are large and stay, and to walk them all makes every table wait."""
    gc.freeze()  # without a walk first: of a hundred thousand things that a start makes, five hundred are garbage
    gc.set_threshold(NEW_THINGS, 20, 50)


def expect_connections(many: int) -> None:
    """Let more be new before it is walked, where more people play.

    What is new is mostly commands under way: at 500 tables a hundred thousand things, which go by themselves a moment
    later. To walk those over and over took a fourteenth of the processor there, and found nothing.
    """
    new, *older = gc.get_threshold()
    wanted = max(NEW_THINGS, THINGS_A_CONNECTION * many)
    if new >= NEW_THINGS and new != wanted:  # less than that: a process that collects as others do
        gc.set_threshold(wanted, *older)
