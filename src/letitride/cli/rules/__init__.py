"""Rules: commands about rule books, paytables and hands."""
