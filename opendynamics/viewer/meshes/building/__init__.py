"""Shared parts of the meshes of several shapes."""
