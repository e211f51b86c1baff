"""The game: cards, hands, paytables, rule books; no table, no clock, no chance."""
