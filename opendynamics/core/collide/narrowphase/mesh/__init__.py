"""Convex shapes, rays and meshes against triangle meshes and heightfields."""
