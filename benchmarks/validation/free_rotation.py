"""A T handle that spins about its intermediate axis, in free fall: it flips again and again (Dzhanibekov)."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.peers.libode import LibOde
from benchmarks.validation import Row, at_most
from opendynamics import c_api

TITLE = "Free rotation"
TEXT = """
A rigid body without forces keeps its angular momentum L and its energy. A handle with principal moments of inertia 1, 2 and
3 kg m² that spins at 6 rad/s about the second axis, nudged by 1e-3 rad/s, turns over every few seconds. 60 s at steps of 1 ms;
relative drift, and the number of flips.
"""
INERTIA = (1.0, 2.0, 3.0)
SPIN = (1e-3, 6.0, 1e-3)
H, STEPS = 1e-3, 60_000

Array = npt.NDArray[np.float64]


def spins_by_c_names(ode: Any) -> tuple[Array, Array]:
    """Rotations (n, 3, 3) and angular velocities (n, 3) of ODE's integration, by the C names or by libode."""
    world = ode.dWorldCreate()
    body = ode.dBodyCreate(world)
    mass = ode.dMass()
    ode.dMassSetParameters(mass, 1.0, 0.0, 0.0, 0.0, *INERTIA, 0.0, 0.0, 0.0)
    ode.dBodySetMass(body, mass)
    ode.dBodySetAngularVel(body, *SPIN)
    rotations, spins = np.empty((STEPS, 3, 3)), np.empty((STEPS, 3))
    for k in range(STEPS):
        ode.dWorldStep(world, H)
        rotations[k] = ode.dBodyGetRotation(body).reshape(3, 4)[:, :3]
        spins[k] = ode.dBodyGetAngularVel(body)
    ode.dWorldDestroy(world)
    return rotations, spins


def drift(rotations: Array, spins: Array) -> tuple[float, float, int]:
    """Largest relative error of |L| and of the energy, and the number of flips."""
    local = np.einsum("nji,nj->ni", rotations, spins)  # in the body's frame
    momenta = np.linalg.norm(local * INERTIA, axis=1)
    energies = 0.5 * (local**2 * INERTIA).sum(axis=1)
    first = np.array(SPIN)
    momentum, energy = np.linalg.norm(first * INERTIA), 0.5 * float((first**2 * INERTIA).sum())
    side = np.sign(local[:, 1])
    flips = int((np.diff(side[side != 0.0]) != 0.0).sum())
    return float(abs(momenta / momentum - 1.0).max()), float(abs(energies / energy - 1.0).max()), flips


def measure() -> list[Row]:
    """Drift and flips."""
    ours = drift(*spins_by_c_names(c_api))
    theirs = drift(*spins_by_c_names(LibOde())) if LibOde.available() else (None, None, None)
    return [
        at_most("relative error of the angular momentum", ours[0], 1e-12, theirs[0]),
        at_most("relative error of the energy", ours[1], 1e-9, theirs[1]),
        Row("flips", ours[2], "as many as the reference", False, theirs[2]),
    ]
