"""Geoms whose surface moves, such as conveyor belts: their contacts of `advance` aim at that velocity.

With surface velocities u_a and u_b the geoms do not slide if v_a + u_a = v_b + u_b at the point. The first friction direction is
that of w = u_b - u_a across the normal, and the row's velocity |w|; of a contact that names b first, both are turned round.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from opendynamics.core.arrays.contacts import CONTACTS, FDIR1, MOTION1, REVERSED
from opendynamics.core.arrays.geoms import GEOMS
from opendynamics.core.arrays.report import REPORTS
from opendynamics.core.arrays.store import Store

if TYPE_CHECKING:
    from opendynamics.api.geoms.geom import Geom

# m/s; slower surfaces stand still.
SLOWEST = 1e-12


def drive_contacts(store: Store, first: int, belts: Sequence[Geom]) -> None:
    """Let the contacts that `advance` has just made, from row `first` on, follow the surfaces of the belts."""
    contacts = store[CONTACTS][first : first + int(store[REPORTS]["contacts"][0])]
    if not len(contacts):
        return
    velocities = np.zeros((len(store[GEOMS]), 3))
    for belt in belts:
        velocities[belt._row] = belt.surface_velocity
    points = contacts["point"]
    normals = points["normal"]
    slip = velocities[points["geom_b"]] - velocities[points["geom_a"]]
    slip -= (slip * normals).sum(axis=1)[:, None] * normals
    speeds = np.linalg.norm(slip, axis=1)
    moving = np.flatnonzero(speeds > SLOWEST)
    turned = np.where(contacts["flags"][moving] & REVERSED, -1.0, 1.0)
    contacts["direction1"][moving] = slip[moving] * (turned / speeds[moving])[:, None]
    surface = contacts["surface"]
    own = np.where(surface["mode"][moving] & MOTION1, surface["motion1"][moving], 0.0)
    surface["motion1"][moving] = own + speeds[moving]
    surface["mode"][moving] |= FDIR1 | MOTION1
