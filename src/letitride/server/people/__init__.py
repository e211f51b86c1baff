"""People: accounts, sessions, wallets, limits, invitations; knows no table."""
