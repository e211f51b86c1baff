"""Training: drills and exams for players, dealers and floor supervisors, judged by analysis and engine."""
