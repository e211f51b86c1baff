"""Notation: rounds as text that a person can read and write, and their replay through the real engine."""
