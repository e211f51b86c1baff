"""Torture: an outside checker of a house under fault injection, by the documented formats; imports no letitride."""
