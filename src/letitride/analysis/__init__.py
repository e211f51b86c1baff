"""Proof: exact results by counting, as fractions; it knows rules, not the table."""
