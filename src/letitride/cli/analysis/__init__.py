"""Analysis: commands that price exactly."""
