"""SQL: all stores in one database, SQLite or PostgreSQL, in the same words; never a rule of the game."""
