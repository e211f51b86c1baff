"""Records: commands that replay, export and verify what was played."""
