"""Simulation: commands that repeat rounds and file the evidence."""
