"""The exact solver's further entries, by number."""

CONE, HARD, LARGE, COUPLED, CHAIN, ELIMINATING = range(6)
