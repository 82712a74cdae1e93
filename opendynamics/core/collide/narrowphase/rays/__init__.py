"""Colliders of a shape and a ray. One file of this family is one pair, named by it: `sphere_ray.py`."""
