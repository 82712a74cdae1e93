"""Read interface: recorders, viewers, savers and benchmarks read a world's tables and rows here, and cannot change them.

Arrays are read-only views. They are valid until objects are created or destroyed, so get them again each time. Units and
shapes are those of the tables (`core/arrays`).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from opendynamics.api.body import Body
from opendynamics.api.geoms.geom import Geom
from opendynamics.api.geoms.heightfield_data import HeightfieldData
from opendynamics.api.handle import Handle
from opendynamics.api.joints.joint import Joint
from opendynamics.api.spaces.staging import Stage
from opendynamics.api.sub_steps import mean_touches, touches_now
from opendynamics.api.world import World
from opendynamics.core.arrays.table import Table

Array = npt.NDArray[Any]


class Changes(NamedTuple):
    """Counter of bodies, joints and geoms created, destroyed or handed out for writing; steps do not count."""

    bodies: int
    joints: int
    geoms: int


def table_of(owner: World | Handle, table: Table) -> Array:
    """The rows of a table, up to its capacity, of a world or of the home of a body, joint or geom."""
    if isinstance(owner, World):
        owner._contact_rows.write()
    rows = owner._store[table].view()
    rows.flags.writeable = False
    return rows


def used_rows(world: World, table: Table) -> Array:
    """The rows of a table that are in use."""
    return table_of(world, table)[: world._store.used(table)]


def count_used(world: World, table: Table) -> int:
    """Number of rows of a table in use."""
    world._contact_rows.write()
    return world._store.used(table)


def kernel_tables(world: World) -> npt.NDArray[np.int64]:
    """The argument of compiled functions that read a world's tables."""
    world._contact_rows.write()
    return world._store.tables


def divided_contacts(world: World) -> tuple[Array, Array] | None:
    """If the last step was divided into sub-steps, the contact points and mean forces, N, of `world.contacts`; else None."""
    means = world._means_now()
    if means is None:
        return None
    return mean_touches(touches_now(world._store, world._first_contact), means.earlier)


def first_contact_of(world: World) -> int | None:
    """Row of the first contact of the last step, whose forces its rows have; None if they are means, or in a restored world."""
    return None if world._means_now() is not None else world._first_contact


def memory_of(world: World) -> int:
    """Bytes of all tables of a world."""
    return sum(array.nbytes for array in world._store.arrays)


def row_of(thing: Handle) -> int:
    """The row of a body, joint or geom in its tables; DestroyedError if it was destroyed."""
    return thing._row


def record_of(thing: Geom | Joint) -> Any:
    """A copy of the record of a joint, or of a geom with its current pose and box."""
    return thing._fresh if isinstance(thing, Geom) else thing._values.copy()


def bodies_by_row(world: World) -> Mapping[int, Body]:
    """The bodies, oldest first, by their rows."""
    return MappingProxyType(world._bodies)


def geom_in_row(world: World, row: int) -> Geom | None:
    """The geom with this row of the world's table, if it still exists."""
    return world._home.handles.get(row)


def lives_in(geom: Geom, world: World) -> bool:
    """Whether a geom's record is in the tables of this world."""
    return geom._home is world._home


def boxes_of(world: World) -> Array:
    """Current axis-aligned boxes of the geoms of the world's space, (n, 6): x min, x max, y min and so on, m."""
    return np.array(Stage(world.space.geoms()).refresh()["bounds"])


def changes_of(world: World) -> Changes:
    """While these are unchanged, so are the tables, except for what steps change."""
    return Changes(world._bodies_rows.changes, world._joint_rows.changes, world._home.geoms.changes)


def owners_of(world: World) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """For every row of joints and of geoms, a number that no other owner of the row has had."""
    return tuple(world._joint_rows.generations), tuple(world._home.geoms.generations)


def geoms_are_unlisted(world: World) -> bool:
    """Whether geoms were added to or removed from the world's space since the last step."""
    return world.space._order_stale


def users_contacts(world: World) -> int:
    """Number of rows of the contacts that the user made; those of `advance` follow."""
    return world._contact_rows.count


def steps_made(world: World) -> int:
    """Number of steps that a world has made; sub-steps count as steps."""
    return world._steps_made


def starts_of_last_step(world: World) -> tuple[int, ...]:
    """What `steps_made` was before the last step; in a restored world, which does not know, what it may have been."""
    steps, means = world._steps_made, world._means_now()
    if means is not None:
        return (steps - means.count,)
    return (steps - 1,) if world._means is not None else (steps - 1, steps - world.substeps)


def is_being_stepped(world: World) -> bool:
    """Whether a thread is stepping the world."""
    return world._store.stepping


def stage_seconds(world: World) -> dict[str, float]:
    """Time of each stage of the last step, s, if it was timed."""
    return dict(world._seconds)


def heights_of(field: HeightfieldData) -> Array:
    """The heights of a field, m, not copied: `.base` is a different array once they have changed."""
    heights = field._heights.view()
    heights.flags.writeable = False
    return heights


def grid_of(field: HeightfieldData) -> Any:
    """A copy of the record of a field: cells, thickness, bounds (`core/bodies/triangles/grid.py`)."""
    return field._record[0].copy()
