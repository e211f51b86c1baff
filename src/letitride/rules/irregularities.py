"""Irregularities: what can go wrong at a table, by name and in words; never what is ruled on it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

Irregularity = Literal[
    "exposed_card",
    "exposed_cards",
    "exposed_late",
    "exposed_burn",
    "exposed_community",
    "drawn_card",
    "hand_count",
    "dealer_count",
    "wrong_burn",
    "stray_hand",
    "deck",
    "stub_count",
    "unloaded",
    "device_miscount",
    "device_jam",
    "device_failure",
    "uneven_bets",
    "under_minimum",
    "over_maximum",
    "absent",
    "absent_uneven",
]
Survived = Literal[
    "exposed_card",
    "exposed_burn",
    "exposed_community",
    "drawn_card",
    "wrong_burn",
    "stray_hand",
    "stub_count",
    "unloaded",
    "device_miscount",
    "device_jam",
]
"""What concerns the cards and may leave a round standing, as a rule book says."""

WHAT: Final[Mapping[str, str]] = {
    "exposed_card": "a card is exposed during the deal",
    "exposed_cards": "more than one card is exposed during the deal",
    "exposed_late": "cards exposed during the deal are noticed after it",
    "exposed_burn": "the burn card of the dealer's packet is exposed during the deal",
    "exposed_community": "a community card is exposed too early",
    "drawn_card": "a card was drawn in error",
    "hand_count": "a hand does not have three cards",
    "dealer_count": "the dealer has too many or too few cards",
    "wrong_burn": "the wrong community card was burned",
    "stray_hand": "a hand was dealt to a seat without a bet",
    "deck": "the deck does not have the correct 52 cards",
    "stub_count": "the stub count is wrong",
    "unloaded": "the shuffler unloaded the rest of the deck before the dealer's packet was taken",
    "device_miscount": "the shuffler signals a miscount",
    "device_jam": "the shuffler jams or does not finish its cycle",
    "device_failure": "the shuffler has stopped working",
    "uneven_bets": "the three base bets are missing or not equal",
    "under_minimum": "a bet is below the minimum",
    "over_maximum": "a bet is above the maximum",
    "absent": "a player is away when a decision is due",
    "absent_uneven": "a player whose bets are not equal is away when a decision is due",
}
"""What is wrong, in words."""
