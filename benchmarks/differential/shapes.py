"""Spaces and geoms of programs."""

from __future__ import annotations

import numpy as np

from benchmarks.differential.program import Ref
from benchmarks.differential.writer import Writer, array, functions

_BOX_CORNERS = np.array([(x, y, z) for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
_BOX_FACES = (
    *((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)),
)  # counterclockwise from outside
_TETRAHEDRON = np.array([(1.0, 1.0, 1.0), (1.0, -1.0, -1.0), (-1.0, 1.0, -1.0), (-1.0, -1.0, 1.0)])
_TETRAHEDRON_FACES = ((0, 1, 2), (0, 2, 3), (0, 3, 1), (1, 3, 2))
_SAP_AXES = (36, 24, 9, 6, 33, 18)  # dSAP_AXES_XYZ and its kind

SPACES = {
    "dSimpleSpaceCreate": lambda w: (),
    "dHashSpaceCreate": lambda w: (),
    "dSweepAndPruneSpaceCreate": lambda w: (w.draw.choice(_SAP_AXES),),
    "dQuadTreeSpaceCreate": lambda w: ((0.0, 0.0, 0.0, 0.0), (8.0, 8.0, 8.0, 0.0), w.draw.randrange(1, 4)),
}
SOLIDS = {
    "Sphere": lambda w: (w.number(0.2, 0.8),),
    "Box": lambda w: (w.number(0.3, 1.2), w.number(0.3, 1.2), w.number(0.3, 1.2)),
    "Capsule": lambda w: (w.number(0.2, 0.5), w.number(0.2, 1)),
    "Cylinder": lambda w: (w.number(0.2, 0.5), w.number(0.2, 1)),
}

SIZES = {"Sphere": "Radius", "Box": "Lengths", "Capsule": "Params", "Cylinder": "Params"}


def add_space(w: Writer, parent: Ref | int) -> Ref:
    """A space with settings."""
    name = w.draw.choice(list(SPACES))
    space = w.call(name, parent, *SPACES[name](w))
    if name == "dHashSpaceCreate" and w.chance(0.5):
        low = w.draw.randrange(-4, 1)
        w.call("dHashSpaceSetLevels", space, low, low + w.draw.randrange(0, 5))
        w.call("dHashSpaceGetLevels", space)
    w.settings(
        {"dSpaceSetCleanup": lambda w: (w.draw.randrange(2),), "dSpaceSetSublevel": lambda w: (w.draw.randrange(3),)},
        0.3,
        space,
    )
    return space


def add_geom(w: Writer, space: Ref | int) -> Ref:
    """A geom of any class that can be on a body."""
    kind = w.draw.choice((*SOLIDS, *SOLIDS, "Convex", "TriMesh", "Ray", "Transform"))
    if kind in SOLIDS:
        return w.call(f"dCreate{kind}", space, *SOLIDS[kind](w))
    if kind == "Convex":
        return _add_convex(w, space)
    if kind == "TriMesh":
        return _add_mesh(w, space)
    if kind == "Ray":
        ray = w.call("dCreateRay", space, w.number(0.5, 4))
        w.call("dGeomRaySet", ray, *w.vector(), *w.vector())
        return ray
    held = w.draw.choice(list(SOLIDS))
    inner = w.call(f"dCreate{held}", 0, *SOLIDS[held](w))
    w.call("dGeomSetPosition", inner, *w.vector(0.3))
    transform = w.call("dCreateGeomTransform", space)
    w.call("dGeomTransformSetInfo", transform, 1)
    w.call("dGeomTransformSetGeom", transform, inner)
    return transform


def add_static(w: Writer, space: Ref | int) -> Ref:
    """A geom that is the ground."""
    if w.chance(0.7):
        return w.call("dCreatePlane", space, *w.unit(aligned=0.2), w.number(-1.5, -0.2))
    data = w.call("dGeomHeightfieldDataCreate")
    heights = array([w.number(-0.5, 0.5) for _ in range(20)])
    w.call("dGeomHeightfieldDataBuildDouble", data, heights, 0, 4.0, 5.0, 4, 5, 1.0, -2.0, 0.5, 0)
    low, high = float(heights.min()), float(heights.max())
    w.call("dGeomHeightfieldDataSetBounds", data, low, high)
    return w.call("dCreateHeightfield", space, data, 1)


def place(w: Writer, geom: Ref, body: Ref | None) -> None:
    """On a body, with or without an offset, or where it stays; and what all geoms have."""
    if body is not None:
        w.call("dGeomSetBody", geom, body)
        if w.chance(0.4):
            w.call("dGeomSetOffsetPosition", geom, *w.vector(0.3))
        if w.chance(0.2):
            w.call("dGeomSetOffsetRotation", geom, w.rotation())
        if w.chance(0.1):
            w.call("dGeomSetOffsetQuaternion", geom, w.turn())
        if w.chance(0.1):
            w.call("dGeomSetOffsetWorldPosition", geom, *w.vector(0.5))
        if w.chance(0.05):
            w.call("dGeomSetOffsetWorldRotation", geom, w.rotation())
        if w.chance(0.05):
            w.call("dGeomClearOffset", geom)
    else:
        w.call("dGeomSetPosition", geom, *w.vector(1.0))
        if w.chance(0.5):
            w.call("dGeomSetRotation", geom, w.rotation())
        if w.chance(0.2):
            w.call("dGeomSetQuaternion", geom, w.turn())
    if w.chance(0.2):
        w.call("dGeomSetCategoryBits", geom, w.draw.randrange(1, 8))
        w.call("dGeomSetCollideBits", geom, w.draw.randrange(1, 8))
    if w.chance(0.1):
        w.call("dGeomDisable", geom)


def change_geom(w: Writer, geom: Ref, name: str, body: Ref | None) -> None:
    """Another size or place, or other settings."""
    kind = name.removeprefix("dCreate")
    if kind in SIZES and w.chance(0.5):
        w.call(f"dGeom{kind}Set{SIZES[kind]}", geom, *SOLIDS[kind](w))
    if kind == "Plane" and w.chance(0.5):
        w.call("dGeomPlaneSetParams", geom, *w.unit(aligned=0.2), w.number(-1.5, -0.2))
    if kind == "Ray":
        w.call("dGeomRaySetLength", geom, w.number(0.5, 4))
        w.call("dGeomRaySetParams", geom, w.draw.randrange(2), w.draw.randrange(2))
        w.call("dGeomRaySetClosestHit", geom, w.draw.randrange(2))
    elif kind != "Plane" and w.chance(0.5):
        w.call("dGeomSetPosition", geom, *w.vector(1.0))
        w.call("dGeomSetRotation", geom, w.rotation())
    if w.chance(0.2):
        w.call(w.draw.choice(("dGeomDisable", "dGeomEnable")), geom)
    if w.chance(0.2):
        w.call("dGeomSetCollideBits", geom, w.draw.randrange(8))
    if body is not None and w.chance(0.2):
        w.call("dGeomSetOffsetPosition", geom, *w.vector(0.3))


def ask_geom(w: Writer, geom: Ref, name: str, body: Ref | None) -> None:
    """Every getter that this geom has."""
    kind = name.removeprefix("dCreate")
    if kind != "Heightfield":
        w.call("dGeomGetAABB", geom)
    general = ("Class", "Space", "Body", "CategoryBits", "CollideBits")
    for part in general:
        w.call(f"dGeomGet{part}", geom)
    w.call("dGeomIsEnabled", geom)
    w.call("dGeomIsSpace", geom)
    if kind == "Plane":
        w.call("dGeomPlaneGetParams", geom)
        w.call("dGeomPlanePointDepth", geom, *w.vector())
        return
    for part in ("Position", "Rotation", "Quaternion"):
        if kind != "Ray" or part == "Position":  # only the third column of a ray's rotation has a meaning
            w.call(f"dGeomGet{part}", geom)
    if kind != "Ray":
        for part in ("RelPointPos", "PosRelPoint"):
            w.call(f"dGeomGet{part}", geom, *w.vector())
        for part in ("VectorToWorld", "VectorFromWorld"):
            w.call(f"dGeom{part}", geom, *w.vector())
    w.call("dGeomIsOffset", geom)
    if body is not None:
        for part in ("OffsetPosition", "OffsetRotation", "OffsetQuaternion"):
            w.call(f"dGeomGet{part}", geom)
    for getter in functions(f"dGeom{kind}Get", but=_NOT_ASKED):
        if kind in (*SOLIDS, "Ray"):
            w.call(getter, geom)
    if kind in ("Sphere", "Capsule"):
        w.call(f"dGeom{kind}PointDepth", geom, *w.vector())


_NOT_ASKED = ("dGeomTriMeshGetData",)


def _add_convex(w: Writer, space: Ref | int) -> Ref:
    corners, faces = w.draw.choice(((_BOX_CORNERS, _BOX_FACES), (_TETRAHEDRON, _TETRAHEDRON_FACES)))
    points = corners * [w.number(0.2, 0.6) for _ in range(3)]
    planes = []
    for face in faces:
        a, b, c = (points[corner] for corner in face[:3])
        normal = np.cross(b - a, c - a)
        normal /= np.linalg.norm(normal)
        planes.append((*normal, float(normal @ a)))
    polygons = [number for face in faces for number in (len(face), *face)]
    parts = array(planes).reshape(-1), len(planes), array(points).reshape(-1), len(points), array(polygons, np.uint32)
    return w.call("dCreateConvex", space, *parts)


def _add_mesh(w: Writer, space: Ref | int) -> Ref:
    points = array(_TETRAHEDRON * [w.number(0.2, 0.6) for _ in range(3)])
    data = w.call("dGeomTriMeshDataCreate")
    faces = array(_TETRAHEDRON_FACES, np.uint32)
    w.call("dGeomTriMeshDataBuildDouble", data, points, 24, 4, faces, 12, 12)
    return w.call("dCreateTriMesh", space, data, 0, 0, 0)
