"""drawstuff.h: shapes and their looks. `pos` and `R` in ODE's format; lengths in m.

The live view shows shapes in their colours, and textures as patterns (`looks.py`). Opacity is stored (`headless`), but not shown.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from opendynamics.api import checks
from opendynamics.drawstuff.canvas import CANVAS, DS_POLYFILL, DS_SKY, DS_WIREFRAME

_HERE = (0.0, 0.0, 0.0)


def dsDrawBox(pos: Any, R: Any, sides: Any) -> None:
    """Draw a box with these three side lengths."""
    CANVAS.draw("box", pos, R, list(sides)[:3])


def dsDrawSphere(pos: Any, R: Any, radius: float) -> None:
    """Draw a sphere."""
    CANVAS.draw("sphere", pos, R, [radius])


def dsDrawCylinder(pos: Any, R: Any, length: float, radius: float) -> None:
    """Draw a cylinder along its z axis."""
    CANVAS.draw("cylinder", pos, R, [radius, length])


def dsDrawCapsule(pos: Any, R: Any, length: float, radius: float) -> None:
    """Draw a capsule along its z axis; `length` is that between the caps."""
    CANVAS.draw("capsule", pos, R, [radius, length])


def dsDrawLine(pos1: Any, pos2: Any) -> None:
    """Draw a line from one point to another."""
    CANVAS.draw("line", _HERE, np.eye(3), [*list(pos1)[:3], *list(pos2)[:3]])


def dsDrawTriangle(pos: Any, R: Any, v0: Any, v1: Any, v2: Any, solid: int) -> None:
    """Draw a triangle; `solid`: filled."""
    CANVAS.draw("triangles", pos, R, [*list(v0)[:3], *list(v1)[:3], *list(v2)[:3]])


def dsDrawTriangles(pos: Any, R: Any, v: Any, n: int, solid: int) -> None:
    """Draw `n` triangles; `v` has the coordinates of their vertices in sequence."""
    corners = checks.array("the corners of triangles", v).ravel()
    if corners.size < 9 * checks.count("the number of triangles", n, 1):
        raise ValueError(f"{n} triangles have {9 * n} coordinates, not {corners.size}")
    CANVAS.draw("triangles", pos, R, corners[: 9 * n])


def dsDrawConvex(
    pos: Any, R: Any, _planes: Any, _planecount: int, _points: Any, _pointcount: int, _polygons: Any
) -> None:
    """Draw a convex polyhedron, described as for dCreateConvex."""
    points = checks.array("the points of a convex", _points).ravel()[: 3 * _pointcount]
    CANVAS.draw("convex", pos, R, points, [int(number) for number in _polygons])


def dsSetTexture(texture_number: int) -> None:
    """Select DS_NONE, DS_WOOD, DS_CHECKERED, DS_GROUND or DS_SKY for the shapes drawn next."""
    CANVAS.texture = checks.count("the texture", texture_number, most=DS_SKY)


def dsSetColor(red: float, green: float, blue: float) -> None:
    """Set the colour, 0 to 1 each."""
    dsSetColorAlpha(red, green, blue, 1.0)


def dsSetColorAlpha(red: float, green: float, blue: float, alpha: float) -> None:
    """Set the colour and the opacity."""
    parts = zip(("red", "green", "blue", "alpha"), (red, green, blue, alpha), strict=True)
    CANVAS.colour = tuple(checks.finite(name, value) for name, value in parts)


def dsSetDrawMode(mode: int) -> None:
    """Select DS_POLYFILL or DS_WIREFRAME; stored only, as the view has its own switch."""
    CANVAS.mode = checks.count("the draw mode", mode, DS_POLYFILL, DS_WIREFRAME)


def dsSetSphereQuality(n: int) -> None:
    """No effect: the view's spheres are round."""
    checks.count("the quality of spheres", n)


def dsSetCapsuleQuality(n: int) -> None:
    """No effect: the view's capsules are round."""
    checks.count("the quality of capsules", n)


dsDrawBoxD, dsDrawSphereD, dsDrawCylinderD, dsDrawCapsuleD = dsDrawBox, dsDrawSphere, dsDrawCylinder, dsDrawCapsule
dsDrawLineD, dsDrawTriangleD, dsDrawTrianglesD, dsDrawConvexD = (
    dsDrawLine,
    dsDrawTriangle,
    dsDrawTriangles,
    dsDrawConvex,
)
dsDrawCappedCylinder, dsDrawCappedCylinderD, dsSetCappedCylinderQuality = (
    dsDrawCapsule,
    dsDrawCapsule,
    dsSetCapsuleQuality,
)
