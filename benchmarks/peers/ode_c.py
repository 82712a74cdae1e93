"""ODE's own C library, driven without Python in the loop.

Reads a :class:`BenchScene`, builds it in the installed ``libode`` (double precision) through ctypes,
and steps it. The near callback and the loop over the steps are compiled by Numba and call the
library's functions directly, so that the measured time is ODE's: a driver written in C gives the same
trajectory to the last bit and, within the noise, the same times. No C compiler is needed. A near
callback in Python was rejected: it makes a whole step on a wall of boxes about 1.5 times slower.

The loop is the one of ODE's manual::

    dSpaceCollide(space, data, near)
    dWorldStep(world, h)
    dJointGroupEmpty(group)

where ``near`` skips pairs that share a joint, calls ``dCollide`` for at most 8 contacts and makes a
contact joint of each (mu 0.5, Approx1). A scene in which nothing can touch runs ``dWorldStep`` alone.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import functools
import time
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba import types
from numpy.typing import NDArray

from opendynamics.io.bench_scene import (
    BallItem,
    BenchScene,
    BodyItem,
    HingeItem,
    JointItem,
    Plane,
    Terrain,
    UniversalItem,
)

# dContact with 8-byte dReal and pointers, as doubles: dSurfaceParameters (an int padded to a double,
# then 14), dContactGeom (pos 4, normal 4, depth, two pointers, two ints), fdir1 (4).
_CONTACT_DOUBLES = 31
_CONTACT_BYTES = 8 * _CONTACT_DOUBLES
_SURFACE_MU = 1
_GEOM_BYTES = 8 * 15  # where dContactGeom starts
_APPROX1 = 0x7000
_CONTACT_JOINT = 4  # dJointTypeContact
_SAP_XYZ = 36  # dSAP_AXES_XYZ
_LO_STOP, _HI_STOP, _SECOND = 0, 1, 0x100
_ALL = 0xFFFFFFFF  # dAllocateMaskAll

# The near callback's data, as an int64 array.
_WORLD, _GROUP, _BUFFER, _MAX, _PAIRS, _CONTACTS, _SLOTS = 0, 1, 2, 3, 4, 5, 6

_V, _I, _D, _P = None, ctypes.c_int, ctypes.c_double, ctypes.c_int64
_XYZ = (_D, _D, _D)

# Pointers are declared as 64-bit integers: Numba converts those freely, and they travel the same way.
_SIGNATURES: dict[str, tuple[Any, ...]] = {  # name: (result, arguments...)
    "dInitODE2": (_I, ctypes.c_uint),
    "dAllocateODEDataForThread": (_I, ctypes.c_uint),
    "dCheckConfiguration": (_I, ctypes.c_char_p),
    "dSetMessageHandler": (_V, _P),
    "dRandSetSeed": (_V, ctypes.c_ulong),
    "dWorldCreate": (_P,),
    "dWorldDestroy": (_V, _P),
    "dWorldSetGravity": (_V, _P, *_XYZ),
    "dWorldStep": (_I, _P, _D),
    "dWorldQuickStep": (_I, _P, _D),
    "dWorldSetQuickStepNumIterations": (_V, _P, _I),
    "dHashSpaceCreate": (_P, _P),
    "dSweepAndPruneSpaceCreate": (_P, _P, _I),
    "dSpaceDestroy": (_V, _P),
    "dSpaceCollide": (_V, _P, _P, _P),
    "dJointGroupCreate": (_P, _I),
    "dJointGroupDestroy": (_V, _P),
    "dJointGroupEmpty": (_V, _P),
    "dBodyCreate": (_P, _P),
    "dBodySetMass": (_V, _P, _P),
    "dBodySetPosition": (_V, _P, *_XYZ),
    "dBodySetQuaternion": (_V, _P, _P),
    "dBodySetLinearVel": (_V, _P, *_XYZ),
    "dBodySetAngularVel": (_V, _P, *_XYZ),
    "dBodyGetPosition": (ctypes.POINTER(_D), _P),
    "dBodyGetQuaternion": (ctypes.POINTER(_D), _P),
    "dBodyGetLinearVel": (ctypes.POINTER(_D), _P),
    "dBodyGetAngularVel": (ctypes.POINTER(_D), _P),
    "dAreConnectedExcluding": (_I, _P, _P, _I),
    "dMassSetSphereTotal": (_V, _P, _D, _D),
    "dMassSetBoxTotal": (_V, _P, _D, *_XYZ),
    "dMassSetCapsuleTotal": (_V, _P, _D, _I, _D, _D),
    "dCreateSphere": (_P, _P, _D),
    "dCreateBox": (_P, _P, *_XYZ),
    "dCreateCapsule": (_P, _P, _D, _D),
    "dCreatePlane": (_P, _P, _D, _D, _D, _D),
    "dGeomDestroy": (_V, _P),
    "dGeomSetBody": (_V, _P, _P),
    "dGeomGetBody": (_P, _P),
    "dGeomSetPosition": (_V, _P, *_XYZ),
    "dGeomSetQuaternion": (_V, _P, _P),
    "dCollide": (_I, _P, _P, _I, _P, _I),
    "dGeomHeightfieldDataCreate": (_P,),
    "dGeomHeightfieldDataDestroy": (_V, _P),
    "dGeomHeightfieldDataBuildDouble": (_V, _P, _P, _I, _D, _D, _I, _I, _D, _D, _D, _I),
    "dCreateHeightfield": (_P, _P, _P, _I),
    "dGeomTriMeshDataCreate": (_P,),
    "dGeomTriMeshDataDestroy": (_V, _P),
    "dGeomTriMeshDataBuildDouble": (_V, _P, _P, _I, _I, _P, _I, _I),
    "dCreateTriMesh": (_P, _P, _P, _P, _P, _P),
    "dJointAttach": (_V, _P, _P, _P),
    "dJointCreateContact": (_P, _P, _P, _P),
    "dJointCreateBall": (_P, _P, _P),
    "dJointSetBallAnchor": (_V, _P, *_XYZ),
    "dJointCreateHinge": (_P, _P, _P),
    "dJointSetHingeAnchor": (_V, _P, *_XYZ),
    "dJointSetHingeAxis": (_V, _P, *_XYZ),
    "dJointSetHingeParam": (_V, _P, _I, _D),
    "dJointCreateUniversal": (_P, _P, _P),
    "dJointSetUniversalAnchor": (_V, _P, *_XYZ),
    "dJointSetUniversalAxis1": (_V, _P, *_XYZ),
    "dJointSetUniversalAxis2": (_V, _P, *_XYZ),
    "dJointSetUniversalParam": (_V, _P, _I, _D),
}


@functools.cache
def loaded_library() -> tuple[Any, str]:
    """The library with its signatures declared, and its version; or None and the reason why not."""
    if ctypes.sizeof(ctypes.c_void_p) != 8:
        return None, "needs a 64-bit Python"
    found = ctypes.util.find_library("ode")
    names = [found] if found else []
    names += ["libode.so.8", "libode.so", "libode.dylib", "ode_double.dll", "ode.dll"]
    for name in names:
        try:
            lib = ctypes.CDLL(name)
        except OSError:
            continue
        try:
            for function, (result, *arguments) in _SIGNATURES.items():
                getattr(lib, function).restype = result
                getattr(lib, function).argtypes = arguments
        except AttributeError as error:
            return None, f"{name} is too old: {error}"
        lib.dInitODE2(0)
        lib.dAllocateODEDataForThread(_ALL)
        if not lib.dCheckConfiguration(b"ODE_double_precision"):
            return None, f"{name} was built in single precision"
        lib.dSetMessageHandler(ctypes.cast(_quiet, ctypes.c_void_p).value)
        return lib, f"ODE in C ({name}, double)"
    return None, "libode is not installed (on Debian: apt install libode8)"


@ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
def _quiet(_number: int, _format: int, _arguments: int) -> None:
    """Drop ODE's messages ("LCP internal error, s <= 0"): printing them would be timed."""


@functools.cache
def _compiled() -> tuple[int, Callable[..., None], Callable[..., int]]:
    """The near callback's address, the loop over steps, and the loop over one narrowphase call."""
    lib, _ = loaded_library()
    collide, attach, create = lib.dCollide, lib.dJointAttach, lib.dJointCreateContact
    body_of, connected = lib.dGeomGetBody, lib.dAreConnectedExcluding
    space_collide, empty = lib.dSpaceCollide, lib.dJointGroupEmpty
    step, quick_step = lib.dWorldStep, lib.dWorldQuickStep

    @numba.cfunc(types.void(types.CPointer(types.int64), types.int64, types.int64))
    def near(data, geom1, geom2):
        context = numba.carray(data, _SLOTS)
        body1, body2 = body_of(geom1), body_of(geom2)
        if body1 == 0 and body2 == 0:
            return
        if body1 != 0 and body2 != 0 and connected(body1, body2, _CONTACT_JOINT) != 0:
            return
        buffer = context[_BUFFER]
        found = collide(geom1, geom2, context[_MAX], buffer + _GEOM_BYTES, _CONTACT_BYTES)
        context[_PAIRS] += 1
        context[_CONTACTS] += found
        for i in range(found):
            attach(create(context[_WORLD], context[_GROUP], buffer + i * _CONTACT_BYTES), body1, body2)

    @numba.njit
    def advance(world, space, group, context, near_address, steps, h, kind):
        for _ in range(steps):
            if space != 0:
                space_collide(space, context, near_address)
            if kind == 1:
                step(world, h)
            elif kind == 2:
                quick_step(world, h)
            if space != 0:
                empty(group)

    @numba.njit
    def pair(geom1, geom2, limit, buffer, calls):
        found = 0
        for _ in range(calls):
            found = collide(geom1, geom2, limit, buffer + _GEOM_BYTES, _CONTACT_BYTES)
        return found

    advance(0, 0, 0, 0, 0, 0, 0.01, 0)  # compiles; with no steps nothing is called
    pair(0, 0, 0, 0, 0)
    near_address: int = near.address
    _keep.append(near)
    return near_address, advance, pair


_keep: list[object] = []  # compiled callbacks whose address the library holds
_KINDS = {"none": 0, "step": 1, "quick": 2, "default": 2}


class OdePeer:
    """A benchmark scene in a world of ODE's C library.

    ``space`` is "hash" or "sap" (sweep and prune). Every world starts from the same random seed, so
    that repetitions do the same work. Raises ``RuntimeError`` if the library is not :meth:`available`.
    """

    name = "ODE C"
    steppers: tuple[str, ...] = ("step", "quick", "default")
    warm_up_steps = 0  # the glue is compiled when the first world is built

    @classmethod
    def available(cls) -> tuple[bool, str]:
        """Whether the library is here in double precision, and its name or what to install."""
        lib, text = loaded_library()
        return lib is not None, text

    def __init__(self, scene: BenchScene, *, space: str = "hash") -> None:
        if space not in ("hash", "sap"):
            raise ValueError(f"space {space!r} is unknown; write 'hash' or 'sap'")
        self._lib, text = loaded_library()
        if self._lib is None:
            raise RuntimeError(text)
        self._near, self._advance, self._pair = _compiled()
        lib = self._lib
        lib.dRandSetSeed(0)
        self._h = scene.timestep
        self._owned: list[tuple[Callable[[int], None], int]] = []  # destroyers, in order
        self._arrays: list[NDArray[Any]] = []  # what ODE points into
        self._world: int = lib.dWorldCreate()
        lib.dWorldSetGravity(self._world, *scene.gravity)
        self._group: int = lib.dJointGroupCreate(0)
        self._space: int = lib.dHashSpaceCreate(0) if space == "hash" else lib.dSweepAndPruneSpaceCreate(0, _SAP_XYZ)
        self._collides = scene.collides
        self._prepare_contacts(scene.friction, scene.max_contacts)
        for plane in scene.planes:
            self._add_plane(plane)
        for terrain in scene.terrains:
            (self._add_hfield if terrain.kind == "hfield" else self._add_trimesh)(terrain)
        self._bodies = [self._add_body(body) for body in scene.bodies]
        for joint in scene.joints:
            self._add_joint(joint)

    def run(self, steps: int, stepper: str = "step") -> float:
        """Advance by ``steps`` steps of the scene's timestep; the seconds ODE took.

        ``stepper`` is "step" (dWorldStep), "quick" or "default" (dWorldQuickStep, its 20 iterations) or "none"
        (collision and contact joints only, nothing moves).
        """
        kind = _KINDS[stepper]
        space = self._space if self._collides else 0
        self._context[_PAIRS : _CONTACTS + 1] = 0
        context = self._context.ctypes.data
        start = time.perf_counter()
        self._advance(self._world, space, self._group, context, self._near, steps, self._h, kind)
        seconds = time.perf_counter() - start
        self.contacts_per_step = int(self._context[_CONTACTS]) / max(steps, 1)
        self.pairs_per_step = int(self._context[_PAIRS]) / max(steps, 1)
        return seconds

    def narrowphase(self, first: BodyItem | Plane, second: BodyItem | Plane, calls: int) -> tuple[float, int]:
        """Seconds for ``calls`` calls of dCollide on one pair of shapes, and the contacts it finds."""
        geoms = [self._add_plane(item) if isinstance(item, Plane) else self._add_geom(item) for item in (first, second)]
        start = time.perf_counter()
        found = self._pair(geoms[0], geoms[1], self._context[_MAX], self._context[_BUFFER], calls)
        seconds = time.perf_counter() - start
        for geom in geoms:
            self._lib.dGeomDestroy(geom)
        return seconds, found

    def positions(self) -> NDArray[np.float64]:
        """The bodies' positions, shape (n, 3), m."""
        return self.state()[:, :3]

    def state(self) -> NDArray[np.float64]:
        """Position, quaternion (w, x, y, z), velocity and spin of every body, shape (n, 13), SI."""
        lib = self._lib
        rows = [
            lib.dBodyGetPosition(body)[:3]
            + lib.dBodyGetQuaternion(body)[:4]
            + lib.dBodyGetLinearVel(body)[:3]
            + lib.dBodyGetAngularVel(body)[:3]
            for body in self._bodies
        ]
        return np.array(rows, dtype=np.float64).reshape(-1, 13)

    def set_state(self, state: NDArray[np.float64]) -> None:
        """Put every body into ``state``, as :meth:`state` (of any engine) gave it."""
        lib = self._lib
        for body, row in zip(self._bodies, np.asarray(state, dtype=np.float64), strict=True):
            values = [float(value) for value in row]
            lib.dBodySetPosition(body, *values[:3])
            self._set_quaternion(lib.dBodySetQuaternion, body, values[3:7])
            lib.dBodySetLinearVel(body, *values[7:10])
            lib.dBodySetAngularVel(body, *values[10:13])

    def set_iterations(self, iterations: int) -> None:
        """How many iterations "quick" does, instead of ODE's 20."""
        self._lib.dWorldSetQuickStepNumIterations(self._world, iterations)

    def close(self) -> None:
        """Destroy the world and everything in it."""
        if self._world:
            lib = self._lib
            lib.dJointGroupDestroy(self._group)
            lib.dSpaceDestroy(self._space)  # and its geoms
            lib.dWorldDestroy(self._world)  # and its bodies and joints
            for destroy, owned in self._owned:
                destroy(owned)
            self._world = 0
            self._bodies = []

    def _prepare_contacts(self, friction: float, limit: int) -> None:
        """Fill in the surfaces once: dCollide writes only the geometric part of a contact."""
        contacts = np.zeros((limit, _CONTACT_DOUBLES))
        contacts.view(np.int32)[:, 0] = _APPROX1
        contacts[:, _SURFACE_MU] = friction
        self._arrays.append(contacts)
        self._context = np.zeros(_SLOTS, dtype=np.int64)
        self._context[_WORLD] = self._world
        self._context[_GROUP] = self._group
        self._context[_BUFFER] = contacts.ctypes.data
        self._context[_MAX] = limit

    def _set_quaternion(self, setter: Callable[[int, int], None], target: int, quaternion: Any) -> None:
        values = np.array(quaternion, dtype=np.float64)
        setter(target, values.ctypes.data)

    def _add_plane(self, plane: Plane) -> int:
        geom: int = self._lib.dCreatePlane(self._space, *plane.normal, plane.offset)
        return geom

    def _add_geom(self, item: BodyItem) -> int:
        """The item's geom, placed by the item; 0 if it has none."""
        lib = self._lib
        if item.kind == "nogeom":
            return 0
        create = {"sphere": lib.dCreateSphere, "box": lib.dCreateBox, "capsule": lib.dCreateCapsule}[item.kind]
        geom: int = create(self._space, *item.sizes)
        lib.dGeomSetPosition(geom, *item.position)
        self._set_quaternion(lib.dGeomSetQuaternion, geom, item.quaternion)
        return geom

    def _add_body(self, item: BodyItem) -> int:
        lib = self._lib
        mass = np.zeros(17)  # dMass: mass, centre (4), inertia (3 x 4)
        address = mass.ctypes.data
        if item.kind == "box":
            lib.dMassSetBoxTotal(address, item.mass, *item.sizes)
        elif item.kind == "capsule":
            lib.dMassSetCapsuleTotal(address, item.mass, 3, *item.sizes)
        else:
            lib.dMassSetSphereTotal(address, item.mass, item.sizes[0])
        body: int = lib.dBodyCreate(self._world)
        lib.dBodySetMass(body, address)
        lib.dBodySetPosition(body, *item.position)
        self._set_quaternion(lib.dBodySetQuaternion, body, item.quaternion)
        geom = self._add_geom(item)
        if geom:
            lib.dGeomSetBody(geom, body)
        return body

    def _add_joint(self, item: JointItem) -> None:
        lib = self._lib
        body1, body2 = (self._bodies[i] if i >= 0 else 0 for i in (item.body1, item.body2))
        if isinstance(item, BallItem):
            joint = lib.dJointCreateBall(self._world, 0)
            lib.dJointAttach(joint, body1, body2)
            lib.dJointSetBallAnchor(joint, *item.anchor)
        elif isinstance(item, HingeItem):
            joint = lib.dJointCreateHinge(self._world, 0)
            lib.dJointAttach(joint, body1, body2)
            lib.dJointSetHingeAnchor(joint, *item.anchor)
            lib.dJointSetHingeAxis(joint, *item.axis)
            lib.dJointSetHingeParam(joint, _LO_STOP, item.low)
            lib.dJointSetHingeParam(joint, _HI_STOP, item.high)
        else:
            self._add_universal(item, body1, body2)

    def _add_universal(self, item: UniversalItem, body1: int, body2: int) -> None:
        lib = self._lib
        joint = lib.dJointCreateUniversal(self._world, 0)
        lib.dJointAttach(joint, body1, body2)
        lib.dJointSetUniversalAnchor(joint, *item.anchor)
        lib.dJointSetUniversalAxis1(joint, *item.axis1)
        lib.dJointSetUniversalAxis2(joint, *item.axis2)
        lib.dJointSetUniversalParam(joint, _LO_STOP, item.low1)
        lib.dJointSetUniversalParam(joint, _HI_STOP, item.high1)
        lib.dJointSetUniversalParam(joint, _SECOND + _LO_STOP, item.low2)
        lib.dJointSetUniversalParam(joint, _SECOND + _HI_STOP, item.high2)

    def _add_hfield(self, terrain: Terrain) -> None:
        """ODE's height fields stand along Y; turned to Z up, their rows run against y."""
        lib = self._lib
        heights = np.array(terrain.heights()[::-1], dtype=np.float64)
        self._arrays.append(heights)
        n, width = terrain.samples, (terrain.samples - 1) * terrain.cell
        data = lib.dGeomHeightfieldDataCreate()
        # No copy, scale 1, offset 0, a floor 1 m below the lowest sample, no wrapping.
        lib.dGeomHeightfieldDataBuildDouble(data, heights.ctypes.data, 0, width, width, n, n, 1.0, 0.0, 1.0, 0)
        geom = lib.dCreateHeightfield(self._space, data, 1)
        self._set_quaternion(lib.dGeomSetQuaternion, geom, (np.sqrt(0.5), np.sqrt(0.5), 0.0, 0.0))
        self._owned.append((lib.dGeomHeightfieldDataDestroy, data))

    def _add_trimesh(self, terrain: Terrain) -> None:
        lib = self._lib
        corners, triangles = terrain.mesh()
        points = np.array(corners, dtype=np.float64)
        faces = np.array(triangles, dtype=np.uint32)
        self._arrays += [points, faces]
        data = lib.dGeomTriMeshDataCreate()
        lib.dGeomTriMeshDataBuildDouble(data, points.ctypes.data, 24, len(points), faces.ctypes.data, faces.size, 12)
        lib.dCreateTriMesh(self._space, data, 0, 0, 0)
        self._owned.append((lib.dGeomTriMeshDataDestroy, data))
