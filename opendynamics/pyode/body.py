"""Body."""

from __future__ import annotations

from collections.abc import Callable
from sys import is_finalizing
from typing import Any
from weakref import ref

from opendynamics import c_api as c
from opendynamics.api.body import Body as Connectable
from opendynamics.api.checks import DestroyedError
from opendynamics.api.compiled_calls.vectorcall import compiled_call
from opendynamics.pyode import loop_calls
from opendynamics.pyode.callbacks import call_back
from opendynamics.pyode.handle import Attributed, id_of
from opendynamics.pyode.lifetime import FORGOTTEN, clean_up, forget, keep
from opendynamics.pyode.mass import Mass
from opendynamics.pyode.sequences import (
    Quaternion,
    Vector,
    four,
    nine,
    orientation,
    quaternion,
    three,
    twelve,
    vector,
)
from opendynamics.pyode.world import World


class Body(Attributed):
    """A rigid body with ODE's unit mass at the origin; it is destroyed when it is no longer referenced."""

    __slots__ = ("_ode_world",)

    _ode_noun = "Body"

    def _ode_make(self, world: World) -> Any:
        identifier = id_of(World, "the world of a body", world)
        clean_up()
        self._ode_world = world
        return c.dBodyCreate(identifier)

    def _ode_made(self) -> None:
        c.dBodySetData(self._ode_id, ref(self))
        keep(self._ode_id)

    def __del__(self, is_finalizing: Callable[[], bool] = is_finalizing) -> None:
        if not is_finalizing() and self._ode_arguments is None:
            forget(self._ode_id)

    # -- pose and velocity -----------------------------------------------------------------------------------------

    def setPosition(self, pos: Any) -> None:
        """Set the position of the centre of mass, m."""
        c.dBodySetPosition(self._ode_id, *three(pos))

    def getPosition(self) -> Vector:
        return vector(c.dBodyGetPosition(self._ode_id))

    def setRotation(self, R: Any) -> None:
        """Set the orientation by a matrix, 9 numbers, row-major. One that is not a rotation has the same effect as in ODE."""
        q = orientation(R)
        if q is None:
            c.dBodySetRotation(self._ode_id, twelve(R))
        else:
            c.dBodySetQuaternion(self._ode_id, q)

    def getRotation(self) -> tuple[float, ...]:
        """Return the orientation as a matrix, 9 numbers, row-major."""
        return tuple(nine(c.dBodyGetRotation(self._ode_id)))

    def setQuaternion(self, q: Any) -> None:
        """Set the orientation by a quaternion (w, x, y, z)."""
        c.dBodySetQuaternion(self._ode_id, four(q))

    def getQuaternion(self) -> Quaternion:
        return quaternion(c.dBodyGetQuaternion(self._ode_id))

    def setLinearVel(self, vel: Any) -> None:
        """Set the velocity, m/s."""
        c.dBodySetLinearVel(self._ode_id, *three(vel))

    def getLinearVel(self) -> Vector:
        return vector(c.dBodyGetLinearVel(self._ode_id))

    def setAngularVel(self, vel: Any) -> None:
        """Set the angular velocity, rad/s, in the world frame."""
        c.dBodySetAngularVel(self._ode_id, *three(vel))

    def getAngularVel(self) -> Vector:
        return vector(c.dBodyGetAngularVel(self._ode_id))

    # -- mass and forces -------------------------------------------------------------------------------------------

    def setMass(self, mass: Mass) -> None:
        """Set mass and inertia; the centre of mass must be the origin."""
        c.dBodySetMass(self._ode_id, id_of(Mass, "the mass of a body", mass))

    def getMass(self) -> Mass:
        """Return a copy of mass and inertia."""
        mass = Mass()
        mass._ode_take(c.dBodyGetMass(self._ode_id))
        return mass

    def setForce(self, f: Any) -> None:
        """Set the force, N, that acts in the next step."""
        c.dBodySetForce(self._ode_id, *three(f))

    def getForce(self) -> Vector:
        return vector(c.dBodyGetForce(self._ode_id))

    def setTorque(self, t: Any) -> None:
        """Set the torque, N m, that acts in the next step."""
        c.dBodySetTorque(self._ode_id, *three(t))

    def getTorque(self) -> Vector:
        return vector(c.dBodyGetTorque(self._ode_id))

    def addForce(self, f: Any) -> None:
        c.dBodyAddForce(self._ode_id, *three(f))

    def addTorque(self, t: Any) -> None:
        c.dBodyAddTorque(self._ode_id, *three(t))

    def addRelForce(self, f: Any) -> None:
        """Add a force in the body's frame."""
        c.dBodyAddRelForce(self._ode_id, *three(f))

    def addRelTorque(self, t: Any) -> None:
        c.dBodyAddRelTorque(self._ode_id, *three(t))

    def addForceAtPos(self, f: Any, p: Any) -> None:
        """Add a force at a point of the world frame."""
        c.dBodyAddForceAtPos(self._ode_id, *three(f), *three(p))

    def addForceAtRelPos(self, f: Any, p: Any) -> None:
        """Add a force at a point of the body's frame."""
        c.dBodyAddForceAtRelPos(self._ode_id, *three(f), *three(p))

    def addRelForceAtPos(self, f: Any, p: Any) -> None:
        c.dBodyAddRelForceAtPos(self._ode_id, *three(f), *three(p))

    def addRelForceAtRelPos(self, f: Any, p: Any) -> None:
        c.dBodyAddRelForceAtRelPos(self._ode_id, *three(f), *three(p))

    # -- points and vectors ----------------------------------------------------------------------------------------

    def getRelPointPos(self, p: Any) -> Vector:
        """Return the world position of a point of the body's frame."""
        return vector(c.dBodyGetRelPointPos(self._ode_id, *three(p)))

    def getRelPointVel(self, p: Any) -> Vector:
        """Return the velocity of a point of the body's frame."""
        return vector(c.dBodyGetRelPointVel(self._ode_id, *three(p)))

    def getPointVel(self, p: Any) -> Vector:
        """Return the velocity of the body at a point of the world frame."""
        return vector(c.dBodyGetPointVel(self._ode_id, *three(p)))

    def getPosRelPoint(self, p: Any) -> Vector:
        """Return a world point in the body's frame."""
        return vector(c.dBodyGetPosRelPoint(self._ode_id, *three(p)))

    def vectorToWorld(self, v: Any) -> Vector:
        return vector(c.dBodyVectorToWorld(self._ode_id, *three(v)))

    def vectorFromWorld(self, v: Any) -> Vector:
        return vector(c.dBodyVectorFromWorld(self._ode_id, *three(v)))

    # -- modes -----------------------------------------------------------------------------------------------------

    def enable(self) -> None:
        c.dBodyEnable(self._ode_id)

    def disable(self) -> None:
        c.dBodyDisable(self._ode_id)

    def isEnabled(self) -> int:
        return int(c.dBodyIsEnabled(self._ode_id))

    def setKinematic(self) -> None:
        """Make the body kinematic: it moves at the velocity that is set, regardless of forces."""
        c.dBodySetKinematic(self._ode_id)

    def setDynamic(self) -> None:
        c.dBodySetDynamic(self._ode_id)

    def isKinematic(self) -> int:
        return int(c.dBodyIsKinematic(self._ode_id))

    def setGravityMode(self, mode: int) -> None:
        """Set whether gravity acts on the body."""
        c.dBodySetGravityMode(self._ode_id, mode)

    def getGravityMode(self) -> int:
        return int(c.dBodyGetGravityMode(self._ode_id))

    def setFiniteRotationMode(self, mode: int) -> None:
        """Set whether the orientation is integrated by the exact rotation of a step (1), or to first order (0)."""
        c.dBodySetFiniteRotationMode(self._ode_id, mode)

    def getFiniteRotationMode(self) -> int:
        return int(c.dBodyGetFiniteRotationMode(self._ode_id))

    def setFiniteRotationAxis(self, a: Any) -> None:
        c.dBodySetFiniteRotationAxis(self._ode_id, *three(a))

    def getFiniteRotationAxis(self) -> Vector:
        return vector(c.dBodyGetFiniteRotationAxis(self._ode_id))

    def setMaxAngularSpeed(self, max_speed: float) -> None:
        """Set the maximum angular velocity, rad/s."""
        c.dBodySetMaxAngularSpeed(self._ode_id, max_speed)

    def setMovedCallback(self, callback: Callable[[Body], Any] | None) -> None:
        """Set a function `callback(body)` that is called after each step in which the body moved; None: no function."""
        if callback is None:
            c.dBodySetMovedCallback(self._ode_id, None)
            return
        if not callable(callback):
            raise TypeError(f"the moved callback of a body must be a function, or None for none, not {callback!r}")
        wrapper = ref(self)  # the body references the callback, which must not reference the body

        def moved(identifier: Any) -> None:
            call_back("moved_callback", callback, wrapper())

        c.dBodySetMovedCallback(self._ode_id, moved)

    def getNumJoints(self) -> int:
        clean_up()
        return int(c.dBodyGetNumJoints(self._ode_id))


def body_of(identifier: Any) -> Any:
    """The body that has this C ID; None if it ended, or for None."""
    reference = None if identifier is None else identifier.data
    return reference() if isinstance(reference, ref) else None


is_connected = Connectable.is_connected_to  # quicker than as a method of what has a `__getattr__`


@compiled_call(loop_calls.connected, loop_calls.PYODE_LOOP)
def areConnected(body1: Body | None, body2: Body | None) -> bool:
    """Whether a joint connects two bodies; nothing is connected to the static world, None."""
    if type(body1) is Body and type(body2) is Body and not FORGOTTEN:
        try:
            return is_connected(body1._ode_id, body2._ode_id)
        except DestroyedError:  # raised below, with the name of the call
            pass
    one = id_of(Body, "the first body", body1, none=True)
    two = id_of(Body, "the second body", body2, none=True)
    if FORGOTTEN:
        clean_up()
    return one is not None and two is not None and bool(c.dAreConnected(one, two))
