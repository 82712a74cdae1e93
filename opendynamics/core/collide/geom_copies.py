"""Staged copies of geoms from any worlds, for spaces and single collisions.

A stage is its own Store. `gather` copies the records of a world's geoms to it and updates the copies, so that the same broadphase
and narrowphase serve spaces that mix geoms of several worlds. The world is not changed.
"""

from __future__ import annotations

from opendynamics.core import types
from opendynamics.core.arrays.bodies import POSES
from opendynamics.core.arrays.contacts import POINTS
from opendynamics.core.arrays.geoms import GEOMS
from opendynamics.core.arrays.report import FLOATS
from opendynamics.core.arrays.table import TABLES
from opendynamics.core.bodies.shapes import contracts
from opendynamics.core.collide.bounds import call_bounds, place_geom
from opendynamics.core.collide.narrowphase.dispatch import collide_two
from opendynamics.core.kernels import entry

INDICES = types.Array(types.int64, 1, "C")


@entry(types.void(TABLES, INDICES, TABLES, INDICES))
def gather(tables, rows, stage, places):
    """Copy the geoms `rows` to the rows `places` of the stage, with place and box as they are now."""
    for k in range(rows.size):
        copies = GEOMS.rows(stage)
        copies[places[k]] = GEOMS.rows(tables)[rows[k]]
        geom = copies[places[k]]
        if geom.body != 0:
            place_geom(geom, POSES.rows(tables)[geom.body])
        call_bounds(contracts()[geom.kind].bounds, GEOMS.address(stage, places[k]))


@entry(types.int64(TABLES, types.int64, types.int64, types.int64))
def collide_staged(stage, a, b, limit):
    """Contact points of two staged geoms, written to the points table; -1: a kernel has to be loaded first."""
    geoms = GEOMS.rows(stage)
    here, there = GEOMS.address(stage, a), GEOMS.address(stage, b)
    points, scratch = POINTS.address(stage, 0), FLOATS.address(stage, 0)
    return collide_two(stage, geoms[a].kind, geoms[b].kind, here, there, limit, points, scratch)
