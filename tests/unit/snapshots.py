"""The state of a world as bytes, to check that a rejected call changed nothing."""

from __future__ import annotations

import gc

from opendynamics.api.home import FREE
from opendynamics.core.arrays.store import saved_tables


def snapshot(*worlds):
    """Rows in use of every table that is saved, of these worlds and of the geoms without a world; and the members."""
    # Geoms that earlier tests let go of give their rows back now, not between two snapshots. What is still there need not
    # be looked at again by the next one: compiled kernels are many objects.
    gc.collect()
    gc.freeze()
    stores = [world._store for world in worlds] + [FREE.store]
    tables = [store[table][: store.used(table)].tobytes() for store in stores for table in saved_tables()]
    members = [(world.bodies, world.joints, tuple(world.space), world.surfaces.materials) for world in worlds]
    return tables, members
