"""Simulation: commands that simulate rounds, test the engine and write evidence packs."""
