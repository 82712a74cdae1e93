"""Hashes of a world's state: of its tables, and of what Python keeps of the settings that affect motion."""

from __future__ import annotations

import hashlib
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Any

import numpy as np

from opendynamics.api.saving.reports import forget_old_manifolds
from opendynamics.core.arrays.contacts import MANIFOLDS, POINTS
from opendynamics.core.arrays.geoms import GEOMS
from opendynamics.core.arrays.joints import JOINTS
from opendynamics.core.arrays.report import REPORTS
from opendynamics.core.arrays.store import saved_tables
from opendynamics.core.arrays.table import Table

if TYPE_CHECKING:
    from opendynamics.api.surfaces import Surfaces
    from opendynamics.api.world import World


def hash_of(world: World) -> str:
    """The hash of a world between two steps, in hexadecimal."""
    world._list_changes()
    store = world._store
    forget_old_manifolds(store)
    digest = hashlib.blake2b(digest_size=16)
    for table in saved_tables():
        digest.update(table.name.encode())
        digest.update(_rows_of(store, table).tobytes())
    if store.used(MANIFOLDS):  # their contacts may be recycled
        digest.update(store[POINTS][: int(store[REPORTS]["contacts"][0])].tobytes())
    for order in (world._bodies, [joint._row for joint in world._attached], world.space._rows()):
        digest.update(np.array(list(order), np.int64).tobytes())
    for belt in world.space.belts:
        track = belt.track
        running = () if track is None else (*track.axis, *track[1:])
        digest.update(np.array([belt._row, *belt.surface_velocity, *running]).tobytes())
    digest.update(repr(_settings_of(world)).encode())
    return digest.hexdigest()


def _rows_of(store: Any, table: Table) -> Any:
    """The rows of a saved table, with zeros for what does not affect motion."""
    rows = store[table][: store.used(table)].copy()
    for field in table.derived:
        rows[field] = 0
    if table is JOINTS:
        rows["first_row"][rows["row_count"] == 0] = 0  # of an earlier step
    if table is GEOMS:
        carried = rows["body"] > 0
        rows["position"][carried] = 0.0
        rows["rotation"][carried] = 0.0
    return rows


def _settings_of(world: World) -> tuple[Any, ...]:
    """What is in no table: how the world is stepped, and the limits and springs of joints and surfaces."""
    limits = sorted((joint._row, *strength[:2]) for joint, strength in world._strengths.items())
    joints = sorted(
        (-1 if one is None else one._row, place, *spring) for (one, place), spring in world._springs.items()
    )
    contacts = sorted((row, *surface.spring) for row, surface in world._contact_rows.sprung.items() if surface.spring)
    return world.solver, world.impacts, world.substeps, limits, joints, contacts, _springs_of(world.surfaces)


def _springs_of(surfaces: Surfaces) -> list[tuple[float, ...]]:
    """The springs between materials, by their rows in the table."""
    if not surfaces._has_springs:
        return []
    pairs = combinations_with_replacement(enumerate(surfaces.materials), 2)
    found = [(one, other, surfaces[first, second].spring) for (one, first), (other, second) in pairs]
    return [(one, other, *spring) for one, other, spring in found if spring]
