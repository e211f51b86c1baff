"""Learn: progress in drills and what instructors assign, kept in the store."""
