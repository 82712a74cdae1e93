"""Spaces: one file a way of finding pairs."""
