"""The exact solver's further entries, by number."""

CONE, HARD, LARGE = range(3)
