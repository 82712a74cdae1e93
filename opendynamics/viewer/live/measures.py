"""Numbers of all bodies at once, from the tables."""

from __future__ import annotations

import numpy as np

from opendynamics.api.world import World
from opendynamics.core.arrays.bodies import INERTIAS, MOTIONS, POSES, WEIGHTLESS


def energies(world: World) -> tuple[float, float]:
    """Kinetic and potential energy, J: Σ ½ m v² + ½ ω·R I Rᵀ ω, and -Σ m g·x of those that feel gravity."""
    rows = list(world._bodies)
    if not rows:
        return 0.0, 0.0
    motions, poses, inertias = (world._store[table][rows] for table in (MOTIONS, POSES, INERTIAS))
    v, mass = motions["linear_velocity"], inertias["mass"]
    spin = np.einsum("nji,nj->ni", poses["rotation"].reshape(-1, 3, 3), motions["angular_velocity"])
    turning = np.einsum("ni,nij,nj->", spin, inertias["inertia"].reshape(-1, 3, 3), spin)
    heavy = motions["flags"] & WEIGHTLESS == 0
    with np.errstate(over="ignore", invalid="ignore"):
        kinetic = 0.5 * (mass @ (v * v).sum(axis=1) + turning)
        potential = -float((mass * heavy) @ (poses["position"] @ world.gravity))
    return float(kinetic), potential


def usual_size(world: World, sizes: np.ndarray) -> float:
    """A length of the order of the things that are shown, m: the median of `sizes` (n,); 1 if there are none."""
    known = sizes[np.isfinite(sizes) & (sizes > 0.0)]
    return float(np.median(known)) if len(known) else 1.0


def usual_weight(world: World) -> float:
    """The mean weight of bodies, N; 1 without gravity or bodies."""
    rows = list(world._bodies)
    masses = world._store[INERTIAS]["mass"][rows] if rows else np.zeros(0)
    weight = float(masses.mean() * np.linalg.norm(world.gravity)) if len(masses) else 0.0
    return weight if weight > 0.0 else 1.0
