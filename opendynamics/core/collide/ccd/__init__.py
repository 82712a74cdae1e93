"""Continuous collision detection: swept motion of a step, and time of impact."""
