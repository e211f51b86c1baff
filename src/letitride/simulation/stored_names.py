"""Stored names: what saved tallies call the counts of a game; they are kept, whatever a house calls its bets."""

from __future__ import annotations

from typing import Final

BY_THREES: Final = "three_card"
"""The counts by three-card category."""
SQUARED: Final = ("base", "bonus", BY_THREES)
"""The sums of squares of a round's results: of base bets, of a bet by cell, of one by three-card category."""
