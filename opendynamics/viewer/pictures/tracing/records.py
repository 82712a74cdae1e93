"""What kernels get of camera, light, effort, and of the look of every geom. Colours are linear, 0 to 1."""

from __future__ import annotations

import numpy as np

from opendynamics.core import types
from opendynamics.core.bodies.triangles.bvh8 import BRANCHES

# The ray through a point (x, y) of the picture, in pixels from its upper left corner: corner + x right + y down.
VIEW = np.dtype(
    [
        ("eye", "f8", (3,)),  # m
        ("corner", "f8", (3,)),
        ("right", "f8", (3,)),  # the length that one pixel has at distance 1
        ("down", "f8", (3,)),
        ("breadth", "f8"),  # the length of `right`
    ]
)

LIGHT = np.dtype(
    [
        ("up", "f8", (3,)),
        ("sun", "f8", (3,)),  # unit vector towards the middle of the sun
        ("sun_right", "f8", (3,)),  # across it, as long as its radius seen from distance 1
        ("sun_up", "f8", (3,)),
        ("sun_colour", "f8", (3,)),  # of the light on a surface that faces the sun
        ("zenith", "f8", (3,)),  # of the sky, straight above
        ("horizon", "f8", (3,)),
        ("nadir", "f8", (3,)),  # below the horizon, where nothing is
        ("sky", "f8", (3,)),  # of the light on a surface that looks up, without the sun
        ("ground", "f8", (3,)),  # of the light on a surface that looks down
        ("reach", "f8"),  # m, how near things must be to keep the sky's light away
        ("haze", "f8"),  # m, at which distance half of the haze is between
    ]
)

EFFORT = np.dtype(
    [
        ("samples", "i8"),  # a pixel
        ("shadows", "i8"),  # rays towards the sun, a sample; 0: no shadows
        ("ambient", "i8"),  # rays to see how much of the sky is hidden, a sample; 0: none of it is
        ("marks", "i8"),  # 1: there are marks
    ]
)

# Patterns: one colour; squares of the second colour along two directions; eighths of the frame; dark edges of boxes.
PLAIN, SQUARES, EIGHTHS, EDGES = range(4)

LOOK = np.dtype(
    [
        ("pattern", "i8"),
        ("colour", "f8", (3,)),
        ("second", "f8", (3,)),
        ("along", "f8", (3,)),  # of squares: unit vectors in the world
        ("across", "f8", (3,)),
        ("origin", "f8", (3,)),  # m, corner of a square
        ("cell", "f8"),  # m, side of squares, breadth of edges
        ("gloss", "f8"),  # part of the sun's light that is mirrored
    ]
)

# Lists are kept for geoms by their places, the sun's before the sky's; then comes the view's.
KEPT, MAX_OCCLUDERS = 8, BRANCHES * BRANCHES

# What rays may meet that start in a ball, at one geom; the count is -1 if that is more than the list holds. The heightfield
# that the ball is on is not listed.
OCCLUDER_LIST = np.dtype(
    [
        ("geom", "i8"),
        ("middle", "f8", (3,)),  # m, of the ball
        ("radius", "f8"),
        ("slowest", "f8", (3,)),  # least components of their directions, of any length
        ("fastest", "f8", (3,)),
        ("count", "i8"),
        ("places", "i8", (MAX_OCCLUDERS,)),
        # Two levels of a BVH8: boxes around groups of eight, then the groups.
        ("boxes", "f8", (1 + MAX_OCCLUDERS // BRANCHES, 6 * BRANCHES)),
        ("address", "i8"),  # of the boxes
        ("ground", "i8"),  # 1: rays may meet the heightfield that the ball is on
        ("slopes", "f8", (4,)),  # least and largest of it along its x and its z, as far as the rays go
    ]
)

# Category bits by which rays select what they are to meet: what is seen, what is seen through it, what hides the sun.
SOLID, MARK, SHADING = 1, 2, 4

VIEWS, LIGHTS, EFFORTS, LOOKS, OCCLUDERS = (
    types.Array(dtype, 1, "C") for dtype in (VIEW, LIGHT, EFFORT, LOOK, OCCLUDER_LIST)
)
