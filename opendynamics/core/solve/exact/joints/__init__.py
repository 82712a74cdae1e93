"""Joints that form chains or trees, eliminated in time proportional to their number."""
