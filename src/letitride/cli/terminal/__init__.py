"""A table in the terminal: a session that one person plays with the house's bots, line by line or full-screen."""
