"""Spaces: one file for each broadphase."""
