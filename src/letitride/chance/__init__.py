"""Chance: where randomness comes from, in types that cannot be passed for one another."""
