"""Geoms, one file each."""
