"""Ops: what operators need around the tables: settings, backups, health, digests, opening and recovery."""
