"""Reports: what is filed on paper; rounds for print, and never computes a figure of the game."""
