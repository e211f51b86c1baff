"""Data: settled wagers and simulation results as files for programs."""
