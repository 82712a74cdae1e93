"""Colliders of two shapes that have a closed form. One file of this family is one pair, named by it: `sphere_box.py`."""
