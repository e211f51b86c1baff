"""Training: drills and exams in the terminal."""
