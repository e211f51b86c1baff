"""Pace: how long a table takes over things, in seconds; every clock of a table is set from here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

LOOKED_AT: Final = frozenset(
    {
        *("deal_packet", "deal_card", "deal_dealer_packet", "deal_community", "slide_left", "slide_right"),
        *("push_back", "push_back_side", "turn_community", "open_hand", "take", "pay", "return_wager", "return_stake"),
    }
)
"""The steps at which cards or chips move before people's eyes."""
READ: Final = frozenset({"open_hand", "turn_community"})
"""Those after which people read a hand."""
HANDLING: Final = 0.04
"""Of a step's time, what is taken for a step that only prepares another."""

PaceName = Literal["normal", "fast", "turbo"]
SHARES: Final[dict[PaceName, float]] = {"normal": 1.0, "fast": 0.4, "turbo": 0.03}
"""What of a step's time is taken at a pace that a player chose who sits alone."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How long a table takes over things, in seconds."""

    step: float = 0.6
    """Over a step that people look at; others take a small part of it."""
    bets: float = 15.0
    """From the first complete bet on."""
    choice: float = 30.0
    """What a player has for a decision."""
    share: float = 2.0
    """How long the seats are waited for with their parts of a shuffle."""
    grace: float = 60.0
    """How long a human dealer who is not connected keeps the shift."""
    retry: float = 0.5
    """Before the automatic dealer tries again what failed."""
    patience: float = 60.0
    """How long the store may stay away before a table is halted."""
    sits_out: float = 0.0
    """How long the table waits for a player who is not connected before they sit out; 0: for ever."""
    leaves: float = 600.0
    """How long such a player keeps the seat."""

    def seconds_after(self, kind: str) -> float:
        """Return how long a dealer waits after a step: as long as people want to see what it did."""
        if kind in READ:
            return 1.5 * self.step
        return self.step if kind in LOOKED_AT else HANDLING * self.step
