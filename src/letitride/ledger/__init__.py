"""Money: the accounts it lies in, the transfers that move it, and the proof that nothing is made or lost."""
