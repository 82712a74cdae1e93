"""Colliders of a shape and a half-space. One file of this family is one pair, named by it: `sphere_plane.py`."""
