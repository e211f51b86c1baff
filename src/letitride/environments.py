"""Environments: tells Gymnasium, where it is loaded, of the game's environment; it loads neither."""

from __future__ import annotations

import sys
from typing import Final

ENV_ID: Final = "LetItRide-v1"


def register_environments() -> None:
    """Register the environment with Gymnasium, if that is loaded and does not know it yet."""
    registration = sys.modules.get("gymnasium.envs.registration")
    if registration is not None and ENV_ID not in registration.registry:
        registration.register(
            ENV_ID,
            entry_point="letitride.rl.env:LetItRideEnv",
            vector_entry_point="letitride.rl.vector:LetItRideVectorEnv",
        )
