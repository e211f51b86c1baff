"""Reinforcement learning: the game as Gymnasium and PettingZoo environments; needs the extra `rl`."""
