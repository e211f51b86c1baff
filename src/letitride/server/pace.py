"""Pace: how long a table takes over things, in seconds; every clock of a table is set from here."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pace:
    """How long a table takes over things, in seconds."""

    step: float = 0.6
    bets: float = 15.0
    """From the first complete bet on."""
    choice: float = 30.0
    """What a player has for a decision."""
    grace: float = 60.0
    """How long a human dealer who is not connected keeps the shift."""
    retry: float = 0.5
    """Before the automatic dealer tries again what failed."""
    patience: float = 60.0
    """How long the store may stay away before a table is halted."""
