"""Simulator: robots and surroundings in a World, with controllers, actuation, materials, and settings from one list of fields."""
