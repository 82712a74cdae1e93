"""The exact solver's further entries, by number."""

CONE, HARD, LARGE, COUPLED = range(4)
