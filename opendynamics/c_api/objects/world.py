"""objects.h: the world, its parameters and its steps."""

from __future__ import annotations

from typing import Any

from opendynamics.api import checks
from opendynamics.api.world import World
from opendynamics.c_api.common.identifiers import d_ERR_UNKNOWN, dWorldID
from opendynamics.c_api.error import dGetMessageHandler, dMessage, engine_messages
from opendynamics.c_api.ids import Array, the


def dWorldCreate() -> dWorldID:
    """A world with ODE's results; `World.like` lists the differences."""
    return World(like="ode")


def dWorldDestroy(world: dWorldID) -> None:
    """Destroy the world with its bodies and joints, including those in groups. Geoms remain where they are, without a body."""
    grouped = any(joint.group is not None for joint in the(World, world).joints)
    world.destroy()
    if grouped and dGetMessageHandler() is not None:
        dMessage(d_ERR_UNKNOWN, "a world with joints in groups was destroyed, and those joints with it")


def dWorldSetData(world: dWorldID, data: Any) -> None:
    the(World, world).data = data


def dWorldGetData(world: dWorldID) -> Any:
    return the(World, world).data


def dWorldSetGravity(w: dWorldID, x: float, y: float, z: float) -> None:
    """m/s²."""
    the(World, w).gravity = x, y, z


def dWorldGetGravity(w: dWorldID) -> Array:
    return the(World, w).gravity


@checks.beyond_bounds()
def dWorldSetERP(w: dWorldID, erp: float) -> None:
    the(World, w).erp = erp


def dWorldGetERP(w: dWorldID) -> float:
    return the(World, w).erp


@checks.beyond_bounds()
def dWorldSetCFM(w: dWorldID, cfm: float) -> None:
    the(World, w).cfm = cfm


def dWorldGetCFM(w: dWorldID) -> float:
    return the(World, w).cfm


def dWorldStep(w: dWorldID, stepsize: float) -> int:
    """Take one exact step of `stepsize` s; 1 for success."""
    with engine_messages():
        the(World, w).step(stepsize)
    return 1


def dWorldImpulseToForce(w: dWorldID, stepsize: float, ix: float, iy: float, iz: float) -> Array:
    """The force that is equivalent to the impulse in one step of `stepsize` s."""
    return the(World, w).impulse_to_force(stepsize, (ix, iy, iz))


def dWorldSetContactMaxCorrectingVel(w: dWorldID, vel: float) -> None:
    """Maximum velocity, m/s, at which penetration is corrected."""
    the(World, w).contact_max_correcting_velocity = vel


def dWorldGetContactMaxCorrectingVel(w: dWorldID) -> float:
    return the(World, w).contact_max_correcting_velocity


def dWorldSetContactSurfaceLayer(w: dWorldID, depth: float) -> None:
    """Penetration, m, that is not corrected."""
    the(World, w).contact_surface_layer = depth


def dWorldGetContactSurfaceLayer(w: dWorldID) -> float:
    return the(World, w).contact_surface_layer
