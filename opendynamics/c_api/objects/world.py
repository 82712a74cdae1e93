"""objects.h: the world, its parameters and its steps."""

from __future__ import annotations

from typing import Any

from opendynamics.api import checks
from opendynamics.api.world import World
from opendynamics.c_api.common.identifiers import dWorldID
from opendynamics.c_api.ids import Array, the


def dWorldCreate() -> dWorldID:
    """A world that gives ODE's results; `World.like` says in what they differ."""
    return World(like="ode")


def dWorldDestroy(world: dWorldID) -> None:
    """End the world with its bodies and joints. Geoms stay where they are, without a body."""
    the(World, world).destroy()


def dWorldSetData(world: dWorldID, data: Any) -> None:
    the(World, world).data = data


def dWorldGetData(world: dWorldID) -> Any:
    return the(World, world).data


def dWorldSetGravity(w: dWorldID, x: float, y: float, z: float) -> None:
    """m/s²."""
    the(World, w).gravity = x, y, z


def dWorldGetGravity(w: dWorldID) -> Array:
    return the(World, w).gravity


@checks.beyond_fractions()
def dWorldSetERP(w: dWorldID, erp: float) -> None:
    the(World, w).erp = erp


def dWorldGetERP(w: dWorldID) -> float:
    return the(World, w).erp


def dWorldSetCFM(w: dWorldID, cfm: float) -> None:
    the(World, w).cfm = cfm


def dWorldGetCFM(w: dWorldID) -> float:
    return the(World, w).cfm


def dWorldStep(w: dWorldID, stepsize: float) -> int:
    """One exact step of `stepsize` s; 1 for success."""
    the(World, w).step(stepsize)
    return 1


def dWorldImpulseToForce(w: dWorldID, stepsize: float, ix: float, iy: float, iz: float) -> Array:
    """The force that acting for one step of `stepsize` s gives the impulse."""
    return the(World, w).impulse_to_force(stepsize, (ix, iy, iz))


def dWorldSetContactMaxCorrectingVel(w: dWorldID, vel: float) -> None:
    """m/s that mending overlap never exceeds."""
    the(World, w).contact_max_correcting_velocity = vel


def dWorldGetContactMaxCorrectingVel(w: dWorldID) -> float:
    return the(World, w).contact_max_correcting_velocity


def dWorldSetContactSurfaceLayer(w: dWorldID, depth: float) -> None:
    """Overlap, m, that is left alone."""
    the(World, w).contact_surface_layer = depth


def dWorldGetContactSurfaceLayer(w: dWorldID) -> float:
    return the(World, w).contact_surface_layer
