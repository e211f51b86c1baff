"""Ruling desk: what a book rules on something that went wrong at a real table."""
