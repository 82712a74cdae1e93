"""Rows that joints are composed of, each with its equation."""
