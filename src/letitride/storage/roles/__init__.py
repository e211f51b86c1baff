"""Roles: what a table server keeps, one contract for each role; never how it is kept."""
