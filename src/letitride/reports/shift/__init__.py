"""Shift: what happened at a table within a time, in figures and on paper."""
