"""Reinforcement learning: the game as Gymnasium and PettingZoo environments; needs the extra `rl`.

`LetItRide-v1` is registered with Gymnasium by `import letitride`, before or after it, and by the import of this room.
`table` holds the seven-seat environment for PettingZoo.
Where a signature has `Info`, it is Gymnasium's or PettingZoo's own.
"""

from letitride.extras import explained

try:
    import gymnasium.envs.registration  # noqa: F401 - it is asked for before anything that needs it
except ImportError as error:
    raise explained("letitride.rl", error) from None

from letitride.environments import ENV_ID, register_environments
from letitride.rl.env import LetItRideEnv
from letitride.rl.observations import CLASSES, RIDE, WITHDRAW, best_actions
from letitride.rl.vector import LetItRideVectorEnv

__all__ = ["CLASSES", "ENV_ID", "RIDE", "WITHDRAW", "LetItRideEnv", "LetItRideVectorEnv", "best_actions"]

register_environments()
