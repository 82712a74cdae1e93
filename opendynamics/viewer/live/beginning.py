"""The state of a world as it was when one began to look, to go back to.

Copies every table that is state, with the forces that a solver starts from; what is put back is the same to the last bit.
"""

from __future__ import annotations

from typing import Any

from opendynamics.api.world import World
from opendynamics.core.arrays.bodies import BODY_SETTINGS, INERTIAS, LOADS, MOTIONS, POSES, SAMPLES
from opendynamics.core.arrays.contact_cache import CONTACT_BUCKETS, CONTACT_FORCES, JOINT_FORCES
from opendynamics.core.arrays.contacts import CONTACTS, SURFACES
from opendynamics.core.arrays.geoms import GEOMS
from opendynamics.core.arrays.joints import JOINTS
from opendynamics.core.arrays.report import REPORTS
from opendynamics.core.arrays.worlds import WORLDS
from opendynamics.core.solve import loading

STATE = (BODY_SETTINGS, INERTIAS, LOADS, MOTIONS, POSES, SAMPLES, CONTACTS, SURFACES, GEOMS, JOINTS, WORLDS)
PARAMETERS = tuple(loading.PARAMETERS.values())
KEPT = (JOINT_FORCES, CONTACT_FORCES, CONTACT_BUCKETS, REPORTS)


class Beginning:
    """A world's state now."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._members = _members(world)
        self._faults_seen = world._faults_seen
        store = world._store
        self._saved = [(table, store[table].copy(), store.used(table)) for table in STATE + PARAMETERS + KEPT]

    def restore(self) -> None:
        """Put the state back. ValueError if bodies, joints or geoms have come or gone, or shapes have been replaced."""
        world = self.world
        if _members(world) != self._members:
            raise ValueError(
                f"{world.name} cannot be put back: bodies, joints, geoms or their shapes have changed since; view a scene, "
                "or give view() a rebuild function"
            )
        for table, rows, used in self._saved:
            world._store.use(table, used)
            array = world._store[table]
            array[: len(rows)] = rows
        world._faults_seen = self._faults_seen


def _members(world: World) -> tuple[Any, ...]:
    """Who is there, and where the memory of their shapes is."""
    store = world._store
    rows = (world._bodies_rows, world._joint_rows, world._home.geoms)
    records = store[GEOMS][: store.used(GEOMS)]
    shapes = tuple(records[field].tobytes() for field in ("kind", "data", "body"))
    return *(tuple(each.generations) for each in rows), world.bodies, world.joints, world.geoms, shapes
