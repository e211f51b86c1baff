"""Tables: one owner for each table, its dealer, shuffles and watchers, and the house that holds them all."""
