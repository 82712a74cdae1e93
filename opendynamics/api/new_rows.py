"""New rows of bodies and geoms, each written as a whole.

Reads the world's settings for new bodies; writes the tables of bodies and geoms.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from opendynamics.api.checks import ALL_BITS
from opendynamics.api.orientation import UNTURNED
from opendynamics.core.arrays.bodies import BODY_SETTINGS, INERTIAS, MOTIONS, POSES
from opendynamics.core.arrays.geoms import ALIVE, ENABLED, GEOMS, PLACEABLE
from opendynamics.core.arrays.store import column, packing, put_numbers
from opendynamics.core.arrays.worlds import WORLDS

if TYPE_CHECKING:
    from opendynamics.core.arrays.store import Store

Numbers = Sequence[float]

_NOTHING = (0.0,) * 9
_MOTION, _POSE, _INERTIA, _GEOM = packing(MOTIONS), packing(POSES), packing(INERTIAS), packing(GEOMS)
_AT_ORIGIN = _POSE.pack(0.0, 0.0, 0.0, *UNTURNED[0], *UNTURNED[1])
_UNIT_MASS = _INERTIA.pack(1.0, *UNTURNED[1], *UNTURNED[1], *_NOTHING)

# In bytes: a row of settings, and its offset in a row of worlds.
_SETTINGS, _FIRST = BODY_SETTINGS.dtype.itemsize, column(WORLDS, "new_body", 1)
_IDLE, _LEFT = column(BODY_SETTINGS, "idle_time", 1), column(BODY_SETTINGS, "time_left", 1)
_FLAGS = column(WORLDS, "new_body_flags", 4)
_INVERSE_MASS = column(MOTIONS, "inverse_mass")
assert column(BODY_SETTINGS, "idle_steps", 1) - _IDLE == column(BODY_SETTINGS, "steps_left", 1) - _LEFT == 8


def begin_body(store: Store, row: int) -> None:
    """Initialise an allocated row as ODE's default body, of unit mass at the origin, with the world's settings."""
    views, flags = store.bytes, store.words[WORLDS][_FLAGS]
    _MOTION.pack_into(views[MOTIONS], row * _MOTION.size, *_NOTHING[:6], 1.0, flags, 0)
    views[POSES][row * _POSE.size : (row + 1) * _POSE.size] = _AT_ORIGIN
    views[INERTIAS][row * _INERTIA.size : (row + 1) * _INERTIA.size] = _UNIT_MASS
    settings, at = views[BODY_SETTINGS], row * _SETTINGS
    settings[at : at + _SETTINGS] = views[WORLDS][_FIRST : _FIRST + _SETTINGS]
    settings[at + _LEFT : at + _LEFT + 16] = settings[at + _IDLE : at + _IDLE + 16]  # time and steps


def place(store: Store, row: int, position: Numbers, quaternion: Numbers, turn: Numbers) -> None:
    """Set a body's pose: m, unit quaternion, and its nine numbers as a matrix."""
    _POSE.pack_into(store.bytes[POSES], row * _POSE.size, *position, *quaternion, *turn)


def move(store: Store, row: int, linear: Numbers, angular: Numbers) -> None:
    """Set a body's velocities, m/s and rad/s."""
    put_numbers(store.doubles[MOTIONS], row * _MOTION.size // 8, (*linear, *angular))


def weigh(store: Store, row: int, mass: float, moments: Numbers) -> None:
    """Set the mass, kg, and the principal moments along its axes, kg m², of a dynamic body."""
    x, y, z = moments
    inertia = (x, 0.0, 0.0, 0.0, y, 0.0, 0.0, 0.0, z)
    inverse = (1.0 / x, 0.0, 0.0, 0.0, 1.0 / y, 0.0, 0.0, 0.0, 1.0 / z)
    _INERTIA.pack_into(store.bytes[INERTIAS], row * _INERTIA.size, mass, *inertia, *inverse, *_NOTHING)
    put_numbers(store.doubles[MOTIONS], row * _MOTION.size // 8 + _INVERSE_MASS, (1.0 / mass,))


def begin_geom(
    store: Store, row: int, kind: int, placeable: bool, size: Numbers, data: int, place: tuple[Numbers, Numbers]
) -> None:
    """Initialise an allocated row as a geom without a body, with a position and the nine numbers of a rotation."""
    shape = (
        kind,
        ALIVE | ENABLED | PLACEABLE * placeable,
        0,
        0,
        0,
        ALL_BITS,
        ALL_BITS,
        *size,
        *_NOTHING[len(size) : 4],
        data,
    )
    on_body = *_NOTHING[:3], *UNTURNED[1]
    _GEOM.pack_into(store.bytes[GEOMS], row * _GEOM.size, *shape, *on_body, *place[0], *place[1], *_NOTHING[:6])
