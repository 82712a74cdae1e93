"""Pipeline stage: current pose and axis-aligned box of every geom."""

from __future__ import annotations

from math import inf

from opendynamics.core import types
from opendynamics.core.algebra.mat3 import get9, product, set9, times
from opendynamics.core.algebra.vec3 import add, get3, set3
from opendynamics.core.arrays.blocks.load_ahead import load_ahead
from opendynamics.core.arrays.bodies import POSES
from opendynamics.core.arrays.geoms import ALIVE, GEOMS, OFFSET
from opendynamics.core.arrays.table import TABLES
from opendynamics.core.arrays.worlds import ODES_METHOD, WORLDS
from opendynamics.core.bodies.shapes import BOUNDS, contracts
from opendynamics.core.collide.narrowphase.collider import NEAR
from opendynamics.core.kernels import caller, entry, kernel

call_bounds = caller(BOUNDS)


@entry(types.void(TABLES))
def update_bounds(tables):
    """Update the pose and box of every geom; boxes are enlarged by NEAR, so that geoms apart by rounding are a pair."""
    wider = NEAR if WORLDS.rows(tables)[0].collider != ODES_METHOD else 0.0
    for index in range(GEOMS.used(tables)):
        geom = GEOMS.rows(tables)[index]
        load_ahead(tables)
        if geom.flags & ALIVE:
            if geom.body != 0:
                place_geom(geom, POSES.rows(tables)[geom.body])
            call_bounds(contracts()[geom.kind].bounds, GEOMS.address(tables, index))
            if wider > 0.0:
                widen(geom.bounds, wider)


@kernel
def widen(bounds, fraction):
    """Enlarge a finite box on all sides by a fraction of its size."""
    near = fraction * (bounds[1] - bounds[0] + bounds[3] - bounds[2] + bounds[5] - bounds[4])
    if not near < inf:
        return
    for k in range(0, 6, 2):
        bounds[k] -= near
        bounds[k + 1] += near


@kernel
def place_geom(geom, pose):
    """Update a geom's pose from its body."""
    position, rotation = get3(pose.position), get9(pose.rotation)
    if geom.flags & OFFSET:
        position = add(position, times(rotation, get3(geom.offset_position)))
        rotation = product(rotation, get9(geom.offset_rotation))
    set3(geom.position, position)
    set9(geom.rotation, rotation)


@entry(types.void(TABLES, types.int64))
def refresh_geom(tables, index):
    """Update one geom's pose and box, for Python."""
    geom = GEOMS.rows(tables)[index]
    if geom.body != 0:
        place_geom(geom, POSES.rows(tables)[geom.body])
    call_bounds(contracts()[geom.kind].bounds, GEOMS.address(tables, index))
