"""Evidence: the pack a test lab is given for a rule book."""
