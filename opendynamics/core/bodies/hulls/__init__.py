"""Convex polyhedra from points or from polygons: checked, measured and packed into a block for the kernels.

Plain NumPy, run once when a shape is made.
"""
