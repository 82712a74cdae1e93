"""collision.h: user-defined geom classes, and replacements of ODE's colliders."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from opendynamics.api.colliders import set_collider
from opendynamics.api.geoms.box import Box
from opendynamics.api.geoms.capsule import Capsule
from opendynamics.api.geoms.convex import Convex
from opendynamics.api.geoms.custom import CustomGeom, GeomClass
from opendynamics.api.geoms.cylinder import Cylinder
from opendynamics.api.geoms.heightfield import Heightfield
from opendynamics.api.geoms.plane import Plane
from opendynamics.api.geoms.ray import Ray
from opendynamics.api.geoms.sphere import Sphere
from opendynamics.api.geoms.trimesh import Trimesh
from opendynamics.c_api.collision import classes
from opendynamics.c_api.collision.geom import dGeomGetClass
from opendynamics.c_api.common.identifiers import dGeomID
from opendynamics.c_api.contact import dContactGeom
from opendynamics.c_api.ids import Array, Null, the

dColliderFn = Callable[[dGeomID, dGeomID, int], list[dContactGeom]]
dGetColliderFnFn = Callable[[int], "dColliderFn | int | None"]
dGetAABBFn = Callable[[dGeomID], Any]
dAABBTestFn = Callable[[dGeomID, dGeomID, Array], int]
dGeomDtorFn = Callable[[dGeomID], Any]

_BUILT_IN = {
    classes.dSphereClass: Sphere,
    classes.dBoxClass: Box,
    classes.dCapsuleClass: Capsule,
    classes.dCylinderClass: Cylinder,
    classes.dPlaneClass: Plane,
    classes.dRayClass: Ray,
    classes.dConvexClass: Convex,
    classes.dTriMeshClass: Trimesh,
    classes.dHeightfieldClass: Heightfield,
}

_user_classes: list[GeomClass] = []
_makers: list[Any] = []


class dGeomClass:
    """Functions of a geom class.

    bytes: size of a geom's class data, or a function that creates the data; collider(num): the function that collides geoms
    of this class with those of class `num`, or None; aabb(geom): the six numbers of its box;
    aabb_test(o1, o2, aabb2): 1 if the box of o2 may touch o1, or None; dtor(o): called at dGeomDestroy, or None.
    """

    def __init__(
        self,
        bytes: Any = 0,
        collider: dGetColliderFnFn | None = None,
        aabb: dGetAABBFn | None = None,
        aabb_test: dAABBTestFn | None = None,
        dtor: dGeomDtorFn | None = None,
    ) -> None:
        self.bytes = bytes
        self.collider = collider
        self.aabb = aabb
        self.aabb_test = aabb_test
        self.dtor = dtor


def dCreateGeomClass(classptr: dGeomClass) -> int:
    """The number of the new class; at most dMaxUserClasses are possible."""
    if not isinstance(classptr, dGeomClass):
        raise TypeError(f"a geom class must be described by a dGeomClass, not {classptr!r}")
    find = classptr.collider
    if not callable(find):
        raise TypeError(f"the collider of a geom class must be a function of a class number, not {find!r}")

    def collide(geom: Any, other: Any, limit: int) -> Any:
        collider = find(dGeomGetClass(other))
        return collider(geom, other, limit) if callable(collider) else NotImplemented

    number = classes.dFirstUserClass + len(_user_classes)
    if number > classes.dLastUserClass:
        raise ValueError(
            f"there are {classes.dMaxUserClasses} user classes already; od.GeomClass makes any number of them"
        )
    made = GeomClass(
        f"user class {number}",
        bounds=classptr.aabb,  # type: ignore[arg-type]
        collider=collide,
        box_test=classptr.aabb_test or None,
        destroyed=classptr.dtor or None,
    )
    made.number = number
    _user_classes.append(made)
    _makers.append(classptr.bytes if callable(classptr.bytes) else lambda size=int(classptr.bytes): bytearray(size))
    return number


def dCreateGeom(classnum: int) -> dGeomID:
    """A geom of a class created by dCreateGeomClass."""
    place = classnum - classes.dFirstUserClass
    if not 0 <= place < len(_user_classes):
        raise ValueError(f"there is no user class {classnum}; dCreateGeomClass gives the numbers")
    geom = _user_classes[place]()
    geom.class_data = _makers[place]()
    return geom


def dGeomGetClassData(geom: dGeomID) -> Any:
    """The class data of this geom: that many bytes, initially zero, or the result of the class's function."""
    return the(CustomGeom, geom).class_data


def dSetColliderOverride(i: int, j: int, fn: dColliderFn | Null) -> None:
    """Make `fn` collide all geoms of class `i` with those of class `j`; None or 0 restores the previous collider."""
    set_collider(_class(i), _class(j), fn or None)


def _class(number: int) -> Any:
    place = number - classes.dFirstUserClass
    if 0 <= place < len(_user_classes):
        return _user_classes[place]
    if number not in _BUILT_IN:
        raise ValueError(f"the class {number} has no colliders; it must be one of a shape, such as dSphereClass")
    return _BUILT_IN[number]
