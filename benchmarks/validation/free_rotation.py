"""A T handle that spins about its intermediate axis, in free fall: it flips repeatedly (Dzhanibekov)."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.peers import mujoco_peer
from benchmarks.peers.libode import LibOde
from benchmarks.validation import Row, at_most
from opendynamics import c_api

TITLE = "Free rotation"
TEXT = """
A rigid body without forces keeps its angular momentum L and its energy. A handle with principal moments of inertia 1, 2
and 3 kg m² that spins about the second axis, perturbed by 1e-3 rad/s, flips every few seconds, after 2 K(k)/λ (Landau,
Lifshitz, *Mechanics*, § 37). 60 s at steps of 1 ms, with `world.integrator = "energy-momentum"`: relative drift, and the
number of flips of a handle that flips 17 times in theory. ODE: `dWorldStep`; MuJoCo: RK4, four evaluations a step.
"""
INERTIA = (1.0, 2.0, 3.0)
SPIN = (1e-3, 6.0, 1e-3)
FLIPS = 17
H, STEPS = 1e-3, 60_000

Array = npt.NDArray[np.float64]


def complete_elliptic(k: float) -> float:
    """K(k), by the arithmetic-geometric mean."""
    a, b = 1.0, math.sqrt(1.0 - k * k)
    while abs(a - b) > 1e-15 * a:
        a, b = 0.5 * (a + b), math.sqrt(a * b)
    return math.pi / (2.0 * a)


def time_between_flips(spin: Any) -> float:
    """Half the period of the spin about the intermediate axis, s."""
    one, two, three = INERTIA
    w = np.array(spin)
    energy, square = float((w**2 * INERTIA).sum()), float(((w * INERTIA) ** 2).sum())  # 2 T and L²
    if square < energy * two:
        one, three = three, one
    rate = math.sqrt((three - two) * (square - energy * one) / (one * two * three))
    k = math.sqrt((two - one) * (energy * three - square) / ((three - two) * (square - energy * one)))
    return 2.0 * complete_elliptic(k) / rate


def spin_for(flips: int) -> tuple[float, float, float]:
    """The spin at which the handle turns over so many times in the time."""
    slow, fast = 1.0, 100.0
    for _ in range(60):
        middle = 0.5 * (slow + fast)
        # It begins half way between two flips; `flips` of them are over, and the next is half a period away.
        slow, fast = (middle, fast) if time_between_flips((1e-3, middle, 1e-3)) * flips > H * STEPS else (slow, middle)
    return 1e-3, slow, 1e-3


def spins(ode: Any, spin: Any, integrator: str = "euler") -> tuple[Array, Array]:
    """Rotations (n, 3, 3) and angular velocities (n, 3); `ode` is the C names or libode."""
    world = ode.dWorldCreate()
    if ode is c_api:
        world.integrator = integrator
    body, mass = ode.dBodyCreate(world), ode.dMass()
    ode.dMassSetParameters(mass, 1.0, 0.0, 0.0, 0.0, *INERTIA, 0.0, 0.0, 0.0)
    ode.dBodySetMass(body, mass)
    ode.dBodySetAngularVel(body, *spin)
    rotations, found = np.empty((STEPS, 3, 3)), np.empty((STEPS, 3))
    for k in range(STEPS):
        ode.dWorldStep(world, H)
        rotations[k] = ode.dBodyGetRotation(body).reshape(3, 4)[:, :3]
        found[k] = ode.dBodyGetAngularVel(body)
    ode.dWorldDestroy(world)
    return rotations, found


def drift(rotations: Array, found: Array, spin: Any) -> tuple[Array, Array, int]:
    """Relative errors of the vector L and of the energy, and the number of flips."""
    local = np.einsum("nji,nj->ni", rotations, found)  # in the body's frame
    momenta = np.einsum("nij,nj->ni", rotations, local * INERTIA)
    energies = (local**2 * INERTIA).sum(axis=1)
    first = np.array(spin)
    momentum, energy = first * INERTIA, float((first**2 * INERTIA).sum())
    side = np.sign(local[:, 1])
    flips = int((np.diff(side[side != 0.0]) != 0.0).sum())
    return np.linalg.norm(momenta - momentum, axis=1) / np.linalg.norm(momentum), abs(energies / energy - 1.0), flips


def measure() -> list[Row]:
    """Drift and flips."""
    spin = spin_for(FLIPS)
    ours = drift(*spins(c_api, spin, "energy-momentum"), spin)
    theirs = drift(*spins(LibOde(), spin), spin) if LibOde.available() else None
    mujocos = drift(*mujoco_peer.spins(INERTIA, spin, H, STEPS), spin) if mujoco_peer.available() else None
    of_ode, of_mujoco = (
        [float(errors[0].max()), float(errors[1].max()), errors[2]] if errors else [None] * 3
        for errors in (theirs, mujocos)
    )
    return [
        at_most("relative error of the angular momentum vector", float(ours[0].max()), 1e-12, of_ode[0], of_mujoco[0]),
        at_most("relative error of the energy", float(ours[1].max()), 1e-9, of_ode[1], of_mujoco[1]),
        Row("flips", ours[2], f"{FLIPS}", ours[2] == FLIPS, of_ode[2], of_mujoco[2]),
    ]


def plot(path: Path) -> None:
    """The relative errors of the energy over time."""
    from matplotlib.figure import Figure

    figure, spin = Figure(figsize=(8.0, 3.2), layout="constrained"), spin_for(FLIPS)
    axes, times = figure.subplots(), H * np.arange(1, STEPS + 1)[::50]
    for integrator in ("euler", "energy-momentum", "verlet"):
        errors = drift(*spins(c_api, spin, integrator), spin)[1][::50]
        axes.semilogy(times, np.maximum(errors, 1e-16), label=integrator)
    axes.set(xlabel="time, s", ylabel="relative error of the energy")
    axes.grid(visible=True, alpha=0.3)
    axes.legend()
    figure.savefig(path, metadata={"Date": None})
