"""Many bodies at once: the same result as `world.add_body` for each, bit for bit, with NumPy operations for all.

Checks the user's arrays, writes the rows of bodies and geoms, and creates their handles. Masses are computed by `placing.py`,
once for each kind of shape, density and mass.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from opendynamics.api import checks
from opendynamics.api.body import Body
from opendynamics.api.body_settings import kept_samples
from opendynamics.api.geoms.geom import Geom
from opendynamics.api.home import FREE
from opendynamics.api.mass import Mass
from opendynamics.api.member import note_change, set_first
from opendynamics.api.placing import plain_mass, put_shape, require_free_shapes, total_mass
from opendynamics.api.rotation import matrix_numbers
from opendynamics.api.spaces.member_list import bring_to_front
from opendynamics.api.waking import some_asleep
from opendynamics.core.arrays.bodies import BODY_SETTINGS, INERTIAS, KINEMATIC, MOTIONS, POSES, SAMPLES
from opendynamics.core.arrays.geoms import GEOMS, OFFSET

if TYPE_CHECKING:
    from opendynamics.api.color import Rgb
    from opendynamics.api.spaces.space import Space
    from opendynamics.api.world import World

Array = npt.NDArray[np.float64]
LABEL = "of the new bodies"

_UNTURNED = np.eye(3).reshape(9)
_COPIED = ("_carrier", "_color", "_material", "_sensor", "_surface_velocity", "_track")


class Masses(NamedTuple):
    """Masses (n,), inertia tensors (n, 3, 3) about the centres of mass, and these centres (n, 3) in the frames of the shapes."""

    mass: Array
    inertia: Array
    center: Array


# -- arguments ---------------------------------------------------------------------------------------------------------


def checked_rows(what: str, values: Any, width: int, count: int | None = None) -> Array:
    """`values` as an array (n, width) of finite numbers; one row applies to all, if their number is known."""
    array = checks.array(what, values)
    if count is not None and array.shape == (width,):
        array = np.tile(array, (count, 1))
    if array.size == 0 and not count:
        array = array.reshape(0, width)
    if array.ndim != 2 or array.shape[1] != width or (count is not None and len(array) != count):
        raise ValueError(f"{what} must have the shape ({'n' if count is None else count}, {width}), not {array.shape}")
    return array


def unit_quaternions(what: str, q: Array) -> Array:
    """Normalised quaternions (n, 4), as `checks.quaternion` does."""
    x = q.T
    length = np.sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3])
    wrong = np.flatnonzero(~((length > 0.0) & (length < np.inf)))
    if wrong.size:
        k = int(wrong[0])
        raise ValueError(f"{what} must have a finite length above 0, but number {k} is {q[k].tolist()}")
    return np.asarray(q * (1.0 / length)[:, None])


def matrices_of(quaternions: Array) -> Array:
    """Rotation matrices (n, 3, 3) of unit quaternions (n, 4)."""
    return np.stack(matrix_numbers(quaternions.T), axis=1).reshape(-1, 3, 3)


def checked_shapes(shapes: Any, count: int) -> Sequence[Geom] | Geom | None:
    """One geom to be copied, or one for each body, all without a body; None: no geoms."""
    if shapes is None:
        return None
    if isinstance(shapes, Geom):
        require_free_shapes(LABEL, (shapes,))
        if not shapes.size_count or hasattr(shapes, "__dict__"):
            raise ValueError(
                f"{shapes.name} is not described by sizes alone and is not copied: give a list, a geom for each body"
            )
        return shapes
    given = tuple(shapes) if hasattr(shapes, "__iter__") else (shapes,)
    require_free_shapes(LABEL, given)
    if len(given) != count:
        raise ValueError(f"the shapes {LABEL} must be one geom, or {count}, one for each position, not {len(given)}")
    return given


def _each(what: str, value: Any, count: int) -> list[Any]:
    """`value` for each of so many: the value itself, or one of a sequence of numbers for each."""
    if value is None or isinstance(value, Mass) or np.ndim(value) == 0:
        return [value] * count
    numbers: list[Any] = checks.array(what, value).tolist()
    if len(numbers) != count:
        raise ValueError(f"{what} must be one number, or {count}, not {len(numbers)}")
    return numbers


def masses_of(shapes: Sequence[Geom] | Geom | None, count: int, density: Any, mass: Any) -> Masses:
    """The masses of bodies with these shapes, computed once for equal ones."""
    known: dict[Any, int] = {}
    found: list[tuple[float, Any, Any]] = []
    numbers = []
    each_density, each_mass = (_each(f"the {n} {LABEL}", v, count) for n, v in (("density", density), ("mass", mass)))
    for k, (rho, kilograms) in enumerate(zip(each_density, each_mass, strict=True)):
        shape = shapes if shapes is None or isinstance(shapes, Geom) else shapes[k]
        key = _solid_key(shape), rho, id(kilograms) if isinstance(kilograms, Mass) else kilograms
        if key not in known:
            known[key] = len(found)
            found.append(_mass_of(() if shape is None else (shape,), rho, kilograms))
        numbers.append(known[key])
    return Masses(*(np.array([mass[part] for mass in found], np.float64)[numbers] for part in range(3)))


def _mass_of(shapes: tuple[Geom, ...], density: Any, mass: Any) -> tuple[float, Any, Any]:
    """Mass, inertia about the centre of mass, and this centre in the frame of the shapes."""
    plain = plain_mass(LABEL, shapes, density, mass)
    if plain is not None:
        return plain[0], np.diag(plain[1]), plain[2]
    total = total_mass(LABEL, shapes, density, mass) or Mass(1.0, np.eye(3))
    return total.mass, total.centered().inertia, total.center


def _solid_key(shape: Geom | None) -> Any:
    """The properties of a shape that determine its mass at density 1."""
    if shape is None or type(shape)._solid is not Geom._solid:
        return id(shape)
    record = shape._values
    return type(shape), *(record[field].tobytes() for field in ("size", "position", "rotation"))


def checked_names(names: Any, count: int) -> list[str]:
    """A name for each of so many bodies."""
    given = list(names)
    if len(given) != count or not all(isinstance(name, str) for name in given):
        raise ValueError(f"the names {LABEL} must be {count} names, one for each position, not {names!r}")
    return given


# -- rows and handles --------------------------------------------------------------------------------------------------


def make_bodies(
    world: World,
    masses: Masses,
    places: tuple[Array, Array],
    velocities: tuple[Array, Array],
    kinematic: bool,
    color: Rgb | None,
    names: Sequence[str] | None,
) -> list[Body]:
    """Bodies with these masses, positions of the shapes' frames, unit quaternions, and velocities in the world frame."""
    positions, quaternions = places
    turns, (x, y, z) = matrices_of(quaternions), masses.center.T
    at = positions + np.stack([turns[:, k, 0] * x + turns[:, k, 1] * y + turns[:, k, 2] * z for k in range(3)], axis=1)
    stored = unit_quaternions("the quaternions", quaternions)  # again, as the property does
    rows, generations = world._bodies_rows.take_many(len(positions))
    store, settings = world._store, world._settings
    poses, motions, inertias = store[POSES], store[MOTIONS], store[INERTIAS]
    poses["position"][rows], poses["quaternion"][rows] = at, stored
    poses["rotation"][rows] = matrices_of(stored).reshape(-1, 9)
    motions["flags"][rows] = settings["new_body_flags"] | (KINEMATIC if kinematic else 0)
    motions["linear_velocity"][rows], motions["angular_velocity"][rows] = velocities
    inertias["mass"][rows], inertias["inertia"][rows] = masses.mass, masses.inertia.reshape(-1, 9)
    if not kinematic:
        motions["inverse_mass"][rows] = 1.0 / masses.mass
        inertias["inverse"][rows] = np.linalg.inv(masses.inertia).reshape(-1, 9)
    _give_settings(world, rows)
    note_change()
    world._orders_stale = True
    made = []
    for k, (row, generation) in enumerate(zip(rows, generations, strict=True)):
        body: Body = object.__new__(Body)
        body._be_new(world, row, generation, None if names is None else names[k], color)
        world._bodies[row] = body
        made.append(body)
    return made


def _give_settings(world: World, rows: list[int]) -> None:
    """The world's settings for new bodies, and ranges of the samples table."""
    store, default = world._store, world._settings["new_body"]
    records = store[BODY_SETTINGS]
    records[rows] = default
    records["steps_left"][rows], records["time_left"][rows] = default["idle_steps"], default["idle_time"]
    number, runs = kept_samples(int(default["samples"])), world._sample_runs
    if number == int(default["samples_given"]):
        return
    used, starts = store.used(SAMPLES), []
    for row in rows:
        start, room = runs.get(row, (0, 0))
        if number > room:
            start, room = used, max(number, 2 * room)
            used += room
            runs[row] = start, room
        starts.append(start)
    store.use(SAMPLES, used)
    records["sample_start"][rows], records["samples_given"][rows] = starts, number
    records["sample_next"][rows] = records["samples_ready"][rows] = 0


def put_shapes(shapes: Sequence[Geom] | Geom, bodies: list[Body], centers: Array, space: Space) -> None:
    """Attach copies of a geom, or one geom each, to bodies whose origins are at `centers` of the frames of the shapes."""
    if isinstance(shapes, Geom):
        records = np.zeros(len(bodies), GEOMS.dtype)
        records[:] = shapes._fresh
        _place(bodies, records, [_copy_of(shapes) for _ in bodies], centers, space)
    elif all(shape.size_count and shape._home is FREE for shape in shapes):
        for shape in shapes:
            shape._refresh()
        rows = [shape._row for shape in shapes]
        records = FREE.store[GEOMS][rows]
        for row in rows:
            FREE.geoms.give_back(row)
        _place(bodies, records, shapes, centers, space)
    else:
        for shape, body, center in zip(shapes, bodies, centers, strict=True):
            put_shape(shape, body, center.tolist(), space)


def _copy_of(shape: Geom) -> Geom:
    """A geom like another, without a row, a body, a space, a name or data."""
    copied: Geom = object.__new__(type(shape))
    for name in _COPIED:
        set_first(copied, name, getattr(shape, name))
    set_first(copied, "_name", None)
    set_first(copied, "_moved", True)
    set_first(copied, "data", None)
    return copied


def _place(bodies: list[Body], records: Any, shapes: Sequence[Geom], centers: Array, space: Space) -> None:
    """Attach free geoms with these records to bodies, in the tables of their world."""
    world = bodies[0]._world
    home = world._home
    records["material"] = [home.material_index(shape._material) for shape in shapes]
    records["body"] = [body._index for body in bodies]
    records["owner"] = [home.owner_number(body._index) for body in bodies]
    offsets, turned = records["position"] - centers, (records["rotation"] != _UNTURNED).any(axis=1)
    displaced = offsets.any(axis=1)
    records["offset_position"] = np.where(displaced[:, None], offsets, 0.0)
    records["offset_rotation"] = _UNTURNED
    for k in np.flatnonzero(turned).tolist():
        turn = checks.rotation("the rotation", records["rotation"][k].reshape(3, 3))
        records["offset_rotation"][k] = turn.reshape(9)
    records["flags"] &= ~np.uint32(OFFSET)
    records["flags"][displaced | turned] |= np.uint32(OFFSET)
    rows, generations = home.geoms.take_many(len(shapes))
    home.store[GEOMS][rows] = records
    note_change()
    world._contact_rows.end_run()
    home.edition.number += 1
    for shape, body, row, generation in zip(shapes, bodies, rows, generations, strict=True):
        set_first(shape, "_home", home)
        set_first(shape, "_rows", home.geoms)
        set_first(shape, "_index", row)
        set_first(shape, "_generation", generation)
        set_first(shape, "_body", body)
        set_first(shape, "_space", space)
        body._geoms[shape] = None
        home.handles[row] = shape
        space._enlist(shape)
    space._changed()
    bring_to_front(space)
    if some_asleep(home.store):
        for shape in shapes:
            shape._changes()
