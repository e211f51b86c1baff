"""Counts: how often a test tries what is long and random: some of it in `make test`, all of it in `make prove`.

A test that asks here is marked `longer`, so that `make prove` runs it too.
"""

from __future__ import annotations

import os

PROVING = os.environ.get("HYPOTHESIS_PROFILE") == "prove"


def tries(some: int, every: int) -> int:
    """Return how often something is tried: some times, or every time that is worth while."""
    return every if PROVING else some
