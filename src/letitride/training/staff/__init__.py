"""Drills for those who run a table: to deal by the book, to pay, to notice what is wrong, to rule; no keys are kept."""
