"""Geoms: one file per shape."""
