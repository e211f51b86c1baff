"""Torture: an outside checker of a house under faults, by the documented formats; it imports nothing of letitride."""
