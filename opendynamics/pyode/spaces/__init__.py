"""Spaces and collision."""
