"""Storage: what a table server remembers: journals, money, answers, leases; never what a rule is."""
