"""The names of ODE's C interface: what a program written for ODE calls, over the objects of opendynamics.

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

Every function has ODE's name and its arguments in ODE's order, but for these rules:

* An ID is an object (a World, a Body, a Geom...); None or 0 is the null ID. There is nothing to free: what nobody
  holds goes away by itself, as a geom without a space and a body does.
* Vectors go in as separate numbers where C has them so, otherwise as any sequence. Matrices are sequences of 12
  numbers, 3x4 by rows; quaternions of 4, (w, x, y, z).
* What C hands back through a pointer is the result, a tuple if that and C's own result are several. Arrays are
  copies: they do not follow the object, and writing to them does not change it; what is const in C cannot be written.
  The object to fill may also be passed where C has the pointer: a list, an array of NumPy or ctypes, or a dMass, as in
  dBodyCopyPosition(b, position).
* What C changes in place is changed in place: `dMass`, `dStopwatch`, and the arrays that are argument and result at
  once, which have to be NumPy arrays (or lists, for vectors and quaternions).
* A callback is a function of ODE's arguments. `dCollide` gives a list of contacts, or fills one: dCollide(o1, o2, 8,
  contacts) puts them into a list of dContact or dContactGeom and returns how many there are.
* Where ODE aborts, or computes nonsense, an exception names what was wrong.

One module a header, one file a joint and a shape; every public name in them is found and exported here.

What has no meaning in Python is there all the same, and does what makes sense: blocks of memory.h are bytearrays, the
threads of cooperative.h are NumPy's. Operators of macros are texts: dOPE(a, "+=", b). Types of vectors and matrices make
zeros: dVector3(). Left out are the macros that make code (dIASSERT and its kind). dWorldExportDIF writes to a text file.
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
    """Every name of ODE in the modules of this package."""
    for found in pkgutil.walk_packages(__path__, f"{__name__}."):
        for name, value in vars(importlib.import_module(found.name)).items():
            if _PUBLIC.match(name):
                yield name, named(name, with_outputs(name, value)) if inspect.isfunction(value) else value


globals().update(_names())

__all__ = [name for name in sorted(globals()) if _PUBLIC.match(name)]
