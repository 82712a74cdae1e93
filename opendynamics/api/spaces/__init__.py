"""Spaces: one file per broadphase."""
