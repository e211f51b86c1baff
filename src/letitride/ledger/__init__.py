"""Money: double-entry accounts; what an event moves, and that nothing is made or lost."""
