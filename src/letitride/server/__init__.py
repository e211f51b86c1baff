"""Network: one owner for each table, views out, commands in; decides nothing about the game."""
