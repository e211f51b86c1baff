"""The table: decide(table, command) gives events, evolve(table, event) the next table; no I/O, clock or chance."""
