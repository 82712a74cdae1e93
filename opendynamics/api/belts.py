"""Geoms with a moving surface, such as conveyor belts and tracks: contacts of `advance` aim at the surface velocity.

With surface velocities u_a and u_b the geoms do not slide if v_a + u_a = v_b + u_b at the point. The first friction direction is
that of w = u_b - u_a, projected perpendicular to the normal, and the row's bias velocity is |w|; both are negated for a contact
with b first.

The surface of a track runs around an axis s: where the normal n points into the geom, its velocity is
u = -speed (s x n) / |s x n|, for either geom of the contact. Side faces, which the axis pierces, do not move.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from opendynamics.api import checks
from opendynamics.api.suggestions import explain_calls
from opendynamics.core.arrays.contacts import (
    CONTACT_DETAILS,
    CONTACTS,
    DETAILED,
    FDIR1,
    MOTION1,
    MU2,
    REVERSED,
    SPECULATIVE,
)
from opendynamics.core.arrays.report import REPORTS
from opendynamics.core.arrays.store import Store

if TYPE_CHECKING:
    from opendynamics.api.geoms.geom import Geom

Array = npt.NDArray[Any]

# m/s; slower surfaces are at rest.
SLOWEST = 1e-12

# |s x n| below which a normal is parallel to the axis of a track.
ALONG_AXIS = 1e-5


@explain_calls
class Track(NamedTuple):
    """A surface that runs around a geom, like a crawler track.

    Args:
        axis: axis of rotation, in the geom's frame.
        speed: surface speed, m/s. With axis +y, a positive speed drives a vehicle standing on the track along +x.
        depth: penetration depth, m, above which contacts have friction but no surface velocity, so that a track does not climb
            out of what it has sunk into.
        across: friction along the axis while the track runs, relative to that along the track. Below 1, a vehicle whose
            tracks are longer than their distance can turn on the spot.
    """

    axis: Any
    speed: float
    depth: float = math.inf
    across: float = 1.0


def checked_track(what: str, track: Any) -> Track:
    """A track with a unit axis and finite numbers; TypeError or ValueError naming `what` otherwise."""
    if not isinstance(track, Track):
        raise TypeError(f"{what} must be a Track or None, not {track!r}")
    axis = checks.direction(f"the axis of {what}", track.axis)
    speed = checks.finite(f"the speed of {what}", track.speed)
    depth = checks.not_negative(f"the depth of {what}", track.depth, infinite=True)
    across = checks.not_negative(f"the friction across {what}", track.across)
    return Track(tuple(float(x) for x in axis), speed, depth, across)


def move_surface(geom: Geom, velocity: tuple[float, ...] | None, track: Track | None) -> None:
    """Set a geom's surface velocity and track, None for none; wake what touches the geom if they change."""
    if (velocity, track) == (geom._surface_velocity, geom._track):
        return
    ran = geom.runs
    geom._changes()
    geom._surface_velocity, geom._track = velocity, track
    if geom.runs != ran and geom._space is not None:
        geom._space._changed()  # which lists the geoms that run


def drive_contacts(store: Store, first: int, belts: Sequence[Geom]) -> None:
    """Write surface velocities to the contacts that `advance` has just made, from row `first`."""
    contacts = store[CONTACTS][first : first + int(store[REPORTS]["contacts"][0])]
    if not len(contacts):
        return
    points = contacts["point"]
    normals = points["normal"]
    slip, across = np.zeros((len(contacts), 3)), np.ones(len(contacts))
    for belt in belts:
        for side, sign in (("geom_a", 1.0), ("geom_b", -1.0)):
            own = np.flatnonzero(points[side] == belt._row)
            if len(own):
                slip[own] -= sign * _surface_velocities(belt, sign * normals[own], points["depth"][own])
                across[own] *= 1.0 if belt.track is None else belt.track.across
    slip -= (slip * normals).sum(axis=1)[:, None] * normals
    speeds = np.linalg.norm(slip, axis=1)
    moving = np.flatnonzero(speeds > SLOWEST)
    turned = np.where(contacts["flags"][moving] & REVERSED, -1.0, 1.0)
    details, own = _details_of(store, contacts, moving, first)
    surface = contacts["surface"]
    details["direction1"][own] = slip[moving] * (turned / speeds[moving])[:, None]
    motion = np.where(surface["mode"][moving] & MOTION1, details["motion1"][own], 0.0)
    details["motion1"][own] = motion + speeds[moving]
    surface["mode"][moving] |= FDIR1 | MOTION1
    uneven = moving[across[moving] != 1.0]
    mu2 = np.where(surface["mode"][uneven] & MU2, surface["mu2"][uneven], surface["mu"][uneven])
    surface["mu2"][uneven] = across[uneven] * mu2
    surface["mode"][uneven] |= MU2


def _details_of(store: Store, contacts: Array, moving: Array, first: int) -> tuple[Array, Array]:
    """The table of details, and the rows of those of some contacts, which all have details then."""
    surface, report = contacts["surface"], store[REPORTS][0]
    without = moving[(surface["mode"][moving] & DETAILED == 0) & (contacts["flags"][moving] & SPECULATIVE == 0)]
    begin = first + int(report["details"])
    store.make_room(CONTACT_DETAILS, begin + len(without))
    surface["detail"][without] = begin + np.arange(len(without))
    report["details"] += len(without)
    return store[CONTACT_DETAILS], surface["detail"][moving]


def _surface_velocities(belt: Geom, inward: Array, depths: Array) -> Array:
    """Surface velocities relative to the geom, m/s, shape (n, 3), for normals `inward` that point into it."""
    result = np.broadcast_to(np.array(belt.surface_velocity), inward.shape)
    track = belt.track
    if track is None:
        return result
    across = np.cross(belt.rotation @ track.axis, inward)
    lengths = np.linalg.norm(across, axis=1)
    runs = (lengths > ALONG_AXIS) & (depths <= track.depth)
    return np.asarray(result - across * np.where(runs, track.speed / np.maximum(lengths, ALONG_AXIS), 0.0)[:, None])
