"""Reinforcement learning: the game as Gymnasium and PettingZoo environments; needs the extra `rl`.

Importing this room registers `LetItRide-v1` with Gymnasium. `table` holds the seven-seat environment for PettingZoo.
Where a signature has `Info`, it is Gymnasium's or PettingZoo's own.
"""

from letitride.extras import explained

try:
    import gymnasium
except ImportError as error:
    raise explained("letitride.rl", error) from None

from letitride.rl.env import LetItRideEnv
from letitride.rl.observations import CLASSES, RIDE, WITHDRAW, best_actions
from letitride.rl.vector import LetItRideVectorEnv

ENV_ID = "LetItRide-v1"

__all__ = ["CLASSES", "ENV_ID", "RIDE", "WITHDRAW", "LetItRideEnv", "LetItRideVectorEnv", "best_actions"]

if ENV_ID not in gymnasium.registry:
    gymnasium.register(
        ENV_ID,
        entry_point="letitride.rl.env:LetItRideEnv",
        vector_entry_point="letitride.rl.vector:LetItRideVectorEnv",
    )
