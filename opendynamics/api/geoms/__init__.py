"""Geoms: one file a shape."""
