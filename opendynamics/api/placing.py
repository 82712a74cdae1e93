"""Shapes of a new body: its mass, and the offset of each shape."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from opendynamics.api import checks, new_rows
from opendynamics.api.body import Body
from opendynamics.api.frame import turned
from opendynamics.api.geoms.geom import Geom
from opendynamics.api.home import FREE
from opendynamics.api.mass import Mass, mass_as_given, solid_of_size
from opendynamics.api.member import set_first
from opendynamics.api.orientation import UNTURNED, orientation
from opendynamics.api.rotation import matrix_numbers
from opendynamics.core.arrays.geoms import GEOMS, OFFSET
from opendynamics.core.arrays.store import column, put_numbers

if TYPE_CHECKING:
    from opendynamics.api.spaces.space import Space
    from opendynamics.core.arrays.store import Store

Array = npt.NDArray[np.float64]
Numbers: TypeAlias = Sequence[float]
Plain: TypeAlias = tuple[float, Numbers, Numbers]  # mass, its principal moments about the centre, and the centre

DEFAULT_DENSITY = 1000.0
_ORIGIN = (0.0, 0.0, 0.0)
STILL = (0.0, 0.0, 0.0)  # velocities of a new body, unless others are given
_UNTURNED = list(UNTURNED[1])

# A row of geoms as doubles, and the offsets of its fields, in units of their own size.
_GEOM = GEOMS.dtype.itemsize // 8
_SIZE, _POSITION, _TURN = column(GEOMS, "size"), column(GEOMS, "position"), column(GEOMS, "rotation")
_OFFSET, _OFFSET_TURN = column(GEOMS, "offset_position"), column(GEOMS, "offset_rotation")
_FLAGS, _BODY, _MATERIAL = column(GEOMS, "flags", 4), column(GEOMS, "body", 4), column(GEOMS, "material", 4)
_OWNER = column(GEOMS, "owner")


def require_free_shapes(label: str, shapes: tuple[Any, ...]) -> None:
    """Raise unless `shapes` are distinct placeable geoms without a body or a space."""
    for shape in shapes:
        if not isinstance(shape, Geom):
            call = (
                f"; make one by od.{shape.__name__}(...)" if isinstance(shape, type) and issubclass(shape, Geom) else ""
            )
            if isinstance(shape, list | tuple) and shape and all(isinstance(one, Geom) for one in shape):
                call = "; without brackets: add_body(shape1, shape2)"
            raise TypeError(
                f"the shapes {label} must be geoms, not {shape!r}{call or '; arguments like position go by name'}"
            )
        if shape.placeable and shape._body is shape._carrier is shape._space is None and shape._row >= 0:
            continue
        if not shape.placeable:
            raise ValueError(f"{shape.name} is a {shape.shape} and cannot be put on a body; add it with world.add_geom")
        if shape.body is not None:
            raise ValueError(f"{shape.name} is already on {shape.body.name}; make another one for each body")
        if shape._carrier is not None:
            raise ValueError(f"{shape.name} is in {shape._carrier.name}; give that")
        if shape.space is not None:
            raise ValueError(f"{shape.name} is already in {shape.space.name}; remove it there first")
    if len(shapes) > 1 and len(set(shapes)) != len(shapes):
        raise ValueError(f"the shapes {label} must be different geoms, but one is given twice")


def checked_place(geom: Any, position: Any, quaternion: Any, rotation: Any) -> tuple[Numbers | None, Array | None]:
    """Position and rotation (3, 3) to give to a static geom, None where its own stays. Raise if it was created with them."""
    turned = quaternion is not None or rotation is not None
    if (position is None and not turned) or not isinstance(geom, Geom):  # what is no geom, the space refuses
        return None, None
    if geom.body is not None:
        raise ValueError(f"{geom.name} is on {geom.body.name} and moves with it; set the pose of the body")
    geom._require_placeable("the pose")
    at = None if position is None else checks.vector(f"the position of {geom.name}", position)
    turn = orientation(f"of {geom.name}", quaternion, rotation)[1]
    if at is not None and geom.position.any():
        raise ValueError(f"{geom.name} was created with the position {tuple(geom.position.tolist())}; give only one")
    if turned and geom.rotation.reshape(9).tolist() != _UNTURNED:
        raise ValueError(f"{geom.name} was created with an orientation; give only one")
    return at, np.reshape(turn, (3, 3)) if turned else None


def total_mass(label: str, shapes: tuple[Geom, ...], density: float | None, mass: float | Mass | None) -> Mass | None:
    """The mass of a body made of `shapes`, about the frame in which they are given; None: ODE's unit mass. See also
    `plain_mass`.

    By `density`, or the shapes' inertia scaled to a `mass` in kg, or a given Mass.
    """
    if density is not None and mass is not None:
        raise ValueError(f"give the density {label} or its mass, not both")
    if isinstance(mass, Mass):
        return _valid(label, mass)
    if not shapes:
        if density is not None:
            raise ValueError(f"the density {label} cannot be used without shapes; give a mass")
        if mass is None:
            return None
        kilograms = checks.mass(f"the mass {label}", mass)
        return _valid(label, Mass(kilograms, np.eye(3) * kilograms))
    rho = DEFAULT_DENSITY if density is None else checks.positive(f"the density {label}", density)
    total = Mass()
    for shape in shapes:
        total.add(_mass_of(shape, rho))
    _valid(label, total)
    if mass is None:
        return total
    kilograms = checks.mass(f"the mass {label}", mass)
    return _valid(label, total.adjust(kilograms))


def plain_mass(label: str, shapes: Sequence[Geom], density: Any, mass: Any) -> Plain | None:
    """The mass of no shape, or of an unrotated one with a closed form of its inertia; None: use `total_mass`."""
    if not shapes and density is None and mass is not None and not isinstance(mass, Mass):
        kilograms = checks.mass(f"the mass {label}", mass)
        plain = 1.0 / checks.MAX_INVERSE < kilograms < math.inf
        return (kilograms, [kilograms] * 3, [0.0, 0.0, 0.0]) if plain else None
    if len(shapes) != 1 or isinstance(mass, Mass) or (density is not None and mass is not None):
        return None
    shape = shapes[0]
    if type(shape)._solid is not Geom._solid:
        return None
    numbers, at = shape._store.doubles[GEOMS], _GEOM * shape._row
    if numbers[at + _TURN : at + _TURN + 9].tolist() != _UNTURNED:
        return None
    solid = solid_of_size(shape.shape, numbers[at + _SIZE : at + _SIZE + 4].tolist())
    if solid is None:
        return None
    rho = DEFAULT_DENSITY if density is None else checks.positive(f"the density {label}", density)
    total, (x, y, z) = rho * solid[0], solid[1]
    moments = [rho * x, rho * y, rho * z]
    if mass is not None and total:
        kilograms = checks.mass(f"the mass {label}", mass)
        moments = [moment * (kilograms / total) for moment in moments]
        total = kilograms
    x, y, z = moments
    least, most = 1.0 / checks.MAX_INVERSE, math.inf
    if not (least < total < most and least < x < most and least < y < most and least < z < most):
        return None
    return total, moments, numbers[at + _POSITION : at + _POSITION + 3].tolist()


def _valid(label: str, mass: Mass) -> Mass:
    """`mass`, checked to be one that a rigid body can have."""
    mass.require_valid(f"the mass {label}")
    return mass


def _mass_of(shape: Geom, density: float) -> Mass:
    """Mass of a free geom about the origin of the frame in which it is placed."""
    volume, inertia, center = shape._solid()
    mass = mass_as_given(density * volume, density * inertia, center)
    place = shape._values
    if type(shape)._solid is Geom._solid and place["rotation"].tolist() == _UNTURNED:
        return mass.translate(place["position"])  # rotating it would change no bit
    return mass.rotate(shape.rotation).translate(shape.position)


def put_body(
    body: Body,
    total: Plain | Mass | None,
    position: Numbers,
    turn: tuple[Numbers, Numbers],
    linear: Numbers,
    angular: Numbers,
) -> Numbers:
    """Set mass and velocities of a new body, and the pose of its shapes' frame: quaternion and matrix in `turn`.

    Returns its centre of mass, which becomes its origin, in that frame.
    """
    store, row, (quaternion, matrix) = body._rows.store, body._index, turn
    center: Numbers = _ORIGIN
    if isinstance(total, Mass):
        center = tuple(total.center.tolist())
        body._take_mass(total.centered())
    elif total is not None:
        mass, moments, center = total
        new_rows.weigh(store, row, mass, moments)
    if any(center):
        position = [x + arm for x, arm in zip(position, turned(matrix, *center), strict=True)]
    if turn is not UNTURNED:  # the same numbers as by setting the property
        quaternion = checks.quaternion("the quaternion", quaternion)
        matrix = matrix_numbers(quaternion)
    new_rows.place(store, row, position, quaternion, matrix)
    if linear is not STILL or angular is not STILL:
        new_rows.move(store, row, linear, angular)
    return center


def put_shape(shape: Geom, body: Body, center: Numbers | None, space: Space) -> None:
    """Attach a free geom to `body`, with its origin at `center` of the frame of the geom's pose, and add it to `space`.

    None: the geom is unrotated, and its position is the centre.
    """
    if shape.size_count and shape._home is FREE:
        _move_in(shape, body, center)
        space._take_in(shape)
        return
    offset, turn = shape.position - (shape.position if center is None else center), shape.rotation
    spaceless = body.world._spaceless
    shape.body = body
    body.world._spaceless = spaceless
    if offset.any():
        shape.offset_position = offset
    if not np.array_equal(turn, np.eye(3)):
        shape.offset_rotation = turn
    space.add(shape)


def _move_in(shape: Geom, body: Body, center: Numbers | None) -> None:
    """Attach a geom without a world to a body: its record moves as a whole."""
    home = body._world._home
    before, row = FREE.store.bytes[GEOMS], shape._index
    at, size = home.geoms.take(), GEOMS.dtype.itemsize
    first = at[0] * size
    home.store.bytes[GEOMS][first : first + size] = before[row * size : (row + 1) * size]
    FREE.geoms.give_back(row)
    shape._settle_at(home, *at)
    longs, words = home.store.longs[GEOMS], home.store.words[GEOMS]
    if shape._material is not None:  # the row of none is 0, and so is the record's
        words[first // 4 + _MATERIAL] = home.material_index(shape._material)
    words[first // 4 + _BODY] = body._index
    longs[first // 8 + _OWNER] = home.owner_number(body._index)
    if center is not None:
        _offset(home.store, first // 8, center)
    set_first(shape, "_body", body)  # `_settle_at` has counted the change
    body._geoms[shape] = None
    body._world._contact_rows.end_run()


def _offset(store: Store, first: int, center: Numbers) -> None:
    """Note the pose of the geom whose record begins with number `first` as its offset from the body."""
    words, numbers = store.words[GEOMS], store.doubles[GEOMS]
    place = numbers[first + _POSITION : first + _POSITION + 3].tolist()
    offset = [x - c for x, c in zip(place, center, strict=True)]
    turn = numbers[first + _TURN : first + _TURN + 9].tolist()
    if any(offset) or turn != _UNTURNED:
        words[2 * first + _FLAGS] |= OFFSET
        put_numbers(numbers, first + _OFFSET, offset)
    if turn != _UNTURNED:
        put_numbers(numbers, first + _OFFSET_TURN, checks.rotation("the rotation", [turn]).reshape(9).tolist())
