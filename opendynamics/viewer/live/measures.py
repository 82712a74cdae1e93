"""Figures of all bodies at once, from the tables."""

from __future__ import annotations

from typing import Any

import numpy as np

from opendynamics.api import reading
from opendynamics.api.world import World
from opendynamics.core.arrays.bodies import ENABLED, INERTIAS, MOTIONS, POSES, WEIGHTLESS
from opendynamics.core.arrays.contacts import ALIVE, CONTACTS
from opendynamics.core.arrays.geoms import GEOMS
from opendynamics.core.arrays.report import REPORTS
from opendynamics.core.arrays.rows import FORCES
from opendynamics.viewer.colours import SLEEPING, states_of_flags


def energies(world: World) -> tuple[float, float]:
    """Kinetic and potential energy, J: Σ ½ m v² + ½ ω·R I Rᵀ ω, and -Σ m g·x of those with gravity."""
    rows = list(reading.bodies_by_row(world))
    if not rows:
        return 0.0, 0.0
    motions, poses, inertias = (reading.table_of(world, table)[rows] for table in (MOTIONS, POSES, INERTIAS))
    v, mass = motions["linear_velocity"], inertias["mass"]
    spin = np.einsum("nji,nj->ni", poses["rotation"].reshape(-1, 3, 3), motions["angular_velocity"])
    turning = np.einsum("ni,nij,nj->", spin, inertias["inertia"].reshape(-1, 3, 3), spin)
    heavy = motions["flags"] & WEIGHTLESS == 0
    with np.errstate(over="ignore", invalid="ignore"):
        kinetic = 0.5 * (mass @ (v * v).sum(axis=1) + turning)
        potential = -float((mass * heavy) @ (poses["position"] @ world.gravity))
    return float(kinetic), potential


def asleep(world: World) -> int:
    """Number of sleeping bodies."""
    rows = list(reading.bodies_by_row(world))
    return int((states_of_flags(reading.table_of(world, MOTIONS)["flags"][rows]) == SLEEPING).sum()) if rows else 0


def usual_size(sizes: np.ndarray) -> float:
    """A typical length of the shown geoms, m: the median of `sizes` (n,); 1 if there are none."""
    known = sizes[np.isfinite(sizes) & (sizes > 0.0)]
    return float(np.median(known)) if len(known) else 1.0


def usual_weight(world: World) -> float:
    """The mean weight of bodies, N; 1 without gravity or bodies."""
    rows = list(reading.bodies_by_row(world))
    masses = reading.table_of(world, INERTIAS)["mass"][rows] if rows else np.zeros(0)
    weight = float(masses.mean() * np.linalg.norm(world.gravity)) if len(masses) else 0.0
    return weight if weight > 0.0 else 1.0


def contact_forces(world: World) -> tuple[Any, Any]:
    """Positions of contacts, m, and their normal forces on the first geom, N, both (n, 3), in the last step."""
    contacts, strength = _contacts(world)
    return contacts["point"]["position"].copy(), contacts["point"]["normal"] * strength[:, None]


def loads_on(world: World, rows: Any) -> Any:
    """Sum of the normal forces at the contacts of each geom, N, shape (n,), by the rows of the geoms.

    Contact joints know only their bodies: their forces count for all geoms of these.
    """
    contacts, strength = _contacts(world)
    point, forces = contacts["point"], np.abs(strength)
    geoms, bodies = reading.table_of(world, GEOMS), reading.table_of(world, MOTIONS)
    found = _sums(forces, len(geoms), point["geom_a"], point["geom_b"])[rows]
    joints = point["geom_a"] < 0
    by_body = _sums(forces[joints], len(bodies), contacts["body0"][joints], contacts["body1"][joints])
    by_body[0] = 0.0  # static geoms
    return found + by_body[geoms["body"][rows]]


def _sums(forces: Any, size: int, *places: Any) -> Any:
    """The sum of the forces at each place from 0 to `size` - 1; places below 0 are none."""
    sums = np.zeros(size)
    for place in places:
        np.add.at(sums, place[place >= 0], forces[place >= 0])
    return sums


def _contacts(world: World) -> tuple[Any, Any]:
    """Records of the contacts of the last step, and their normal forces, N, shape (n,).

    The first row of a contact is its normal (`constrain/parts/contact.py`).
    """
    report = reading.table_of(world, REPORTS)[0]
    # Those made by `advance` follow those made by the user, and are not counted as in use.
    contacts = reading.table_of(world, CONTACTS)[: reading.count_used(world, CONTACTS) + int(report["contacts"])]
    contacts = contacts[contacts["flags"] & ALIVE != 0]
    rows = contacts["first_row"]
    # Sleeping bodies were not part of the step: the rows of their contacts are outdated.
    flags = reading.table_of(world, MOTIONS)["flags"]
    awake = (flags[contacts["body0"]] | flags[contacts["body1"]]) & ENABLED != 0
    solved = awake & (contacts["row_count"] > 0) & (rows >= 0) & (rows < int(report["rows"]))
    return contacts, np.where(solved, reading.table_of(world, FORCES)[np.where(solved, rows, 0)], 0.0)
