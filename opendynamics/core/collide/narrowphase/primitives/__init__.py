"""Geometry of points, segments, boxes and polygons that several colliders share: closest points, box-box SAT, clipping,
reduction, intervals of rays.
"""
