"""The names of ODE's C interface, over the objects of opendynamics, for programs written for ODE.

    from opendynamics.c_api import *

    world = dWorldCreate()
    dWorldSetGravity(world, 0, 0, -9.81)
    space = dHashSpaceCreate(0)
    group = dJointGroupCreate(0)
    dCreatePlane(space, 0, 0, 1, 0)
    ball, mass = dBodyCreate(world), dMass()
    dMassSetSphere(mass, 1000, 0.1)
    dBodySetMass(ball, mass)
    dBodySetPosition(ball, 0, 0, 2)
    dGeomSetBody(dCreateSphere(space, 0.1), ball)

    def near(data, o1, o2):
        for found in dCollide(o1, o2, 8):
            contact = dContact(geom=found)
            contact.surface.mode, contact.surface.mu = dContactApprox1, 0.5
            dJointAttach(dJointCreateContact(world, group, contact), dGeomGetBody(o1), dGeomGetBody(o2))

    for _ in range(100):
        dSpaceCollide(space, None, near)
        dWorldStep(world, 0.01)
        dJointGroupEmpty(group)

Every function has ODE's name and its arguments in ODE's order, with these exceptions:

* An ID is an object (a World, a Body, a Geom...); None or 0 is the null ID. Nothing has to be freed: objects without
  references are released automatically, as are geoms without a space and a body.
* Vectors are separate numbers where C has them so, otherwise any sequence. Matrices are sequences of 12 numbers, 3x4,
  row-major; quaternions of 4, (w, x, y, z).
* What C returns through a pointer is returned, in a tuple together with C's own result if there is one. Arrays are
  copies: they do not follow the object, and writing to them does not change it; what is const in C is read-only.
  The object to fill may also be passed where C has the pointer: a list, an array of NumPy or ctypes, or a dMass, as in
  dBodyCopyPosition(b, position).
* What C changes in place is changed in place: `dMass`, `dStopwatch`, and arrays that are both argument and result, which must
  be NumPy arrays (or lists, for vectors and quaternions).
* A callback is a function with ODE's arguments. `dCollide` returns a list of contacts, or fills one: dCollide(o1, o2, 8,
  contacts) writes them to a list of dContact or dContactGeom and returns their number.
* Where ODE aborts, or returns nonsense, an exception names the error.

There is one module per header, one file per joint and shape; all their public names are found and exported here.

Names without a meaning in Python exist, with the closest equivalent: blocks of memory.h are bytearrays, the threads of
cooperative.h are NumPy's. Operators of macros are strings: dOPE(a, "+=", b). Types of vectors and matrices create
zeros: dVector3(). Macros that generate code (dIASSERT and so on) are omitted. dWorldExportDIF writes to a text file.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from opendynamics.c_api.naming import named
from opendynamics.c_api.outputs import with_outputs

if TYPE_CHECKING:

    def __getattr__(name: str) -> Any: ...


_PUBLIC = re.compile(r"d(?:_|[A-Z0-9]|u?int\d|sizeint)|M_|REAL$|CONTACTS_")


def _names() -> Iterator[tuple[str, Any]]:
    """All ODE names in the modules of this package."""
    for found in pkgutil.walk_packages(__path__, f"{__name__}."):
        for name, value in vars(importlib.import_module(found.name)).items():
            if _PUBLIC.match(name):
                yield name, named(name, with_outputs(name, value)) if inspect.isfunction(value) else value


globals().update(_names())

__all__ = [name for name in sorted(globals()) if _PUBLIC.match(name)]
