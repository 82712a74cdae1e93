"""Geoms from any world side by side: what spaces and single collisions work on.

A stage is a Store of its own. `gather` brings a world's geoms up to date and copies their records to it, so that the
same broadphase and narrowphase serve a space that mixes geoms of several worlds and of none.
"""

from __future__ import annotations

from numba import types

from opendynamics.core.arrays.contacts import POINTS
from opendynamics.core.arrays.geoms import GEOMS
from opendynamics.core.arrays.report import FLOATS
from opendynamics.core.arrays.table import ADDRESS, FIELDS, TABLES
from opendynamics.core.collide.bounds import geom_address, refresh_geom
from opendynamics.core.collide.narrowphase.dispatch import collide_two
from opendynamics.core.kernels import entry

INDICES = types.Array(types.int64, 1, "C")

FLOATS_ADDRESS = FIELDS * FLOATS.position + ADDRESS
POINTS_ADDRESS = FIELDS * POINTS.position + ADDRESS


@entry(types.void(TABLES, INDICES, TABLES, INDICES))
def gather(tables, rows, stage, places):
    """Bring the geoms `rows` up to date and copy them to the rows `places` of the stage."""
    for k in range(rows.size):
        refresh_geom(tables, rows[k])
        GEOMS.rows(stage)[places[k]] = GEOMS.rows(tables)[rows[k]]


@entry(types.int64(TABLES, types.int64, types.int64, types.int64))
def collide_staged(stage, a, b, limit):
    """Contact points of two staged geoms, written to the points table; -1: a kernel has to be loaded first."""
    geoms = GEOMS.rows(stage)
    here, there = geom_address(stage, a), geom_address(stage, b)
    points, scratch = stage[POINTS_ADDRESS], stage[FLOATS_ADDRESS]
    return collide_two(stage, geoms[a].kind, geoms[b].kind, here, there, limit, points, scratch)
