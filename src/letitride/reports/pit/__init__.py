"""Pit: all tables of a house over a gaming day or a month, on paper and for programs."""
