"""Shapes that become a body: its mass, and where each shape sits on it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from opendynamics.api import checks
from opendynamics.api.body import Body
from opendynamics.api.geoms.geom import Geom
from opendynamics.api.mass import Mass
from opendynamics.core.families import SHAPES

Array = npt.NDArray[np.float64]

DEFAULT_DENSITY = 1000.0
_UNTURNED = np.eye(3).reshape(9).tolist()


def require_free_shapes(label: str, shapes: tuple[Any, ...]) -> None:
    """Raise unless `shapes` are distinct placeable geoms without a body or a space."""
    for shape in shapes:
        if not isinstance(shape, Geom):
            raise TypeError(f"the shapes {label} must be geoms, not {shape!r}; arguments like position go by name")
        if not shape.placeable:
            raise ValueError(f"{shape.name} is a {shape.shape} and cannot be put on a body; add it with world.add_geom")
        if shape.body is not None:
            raise ValueError(f"{shape.name} is already on {shape.body.name}; make another one for each body")
        if shape._carrier is not None:
            raise ValueError(f"{shape.name} is in {shape._carrier.name}; give that")
        if shape.space is not None:
            raise ValueError(f"{shape.name} is already in {shape.space.name}; remove it there first")
    if len(set(shapes)) != len(shapes):
        raise ValueError(f"the shapes {label} must be different geoms, but one is given twice")


def total_mass(label: str, shapes: tuple[Geom, ...], density: float | None, mass: float | Mass | None) -> Mass | None:
    """The mass of a body made of `shapes`, about the frame they are given in; None: ODE's unit mass.

    By `density`, or the shapes' inertia scaled to a `mass` in kg, or a Mass as it is.
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
        kilograms = checks.positive(f"the mass {label}", mass)
        return _valid(label, Mass(kilograms, np.eye(3) * kilograms))
    rho = DEFAULT_DENSITY if density is None else checks.positive(f"the density {label}", density)
    total = _plain_mass(shapes[0], rho) if len(shapes) == 1 else None
    if total is None:
        total = Mass()
        for shape in shapes:
            total.add(_mass_of(shape, rho))
        _valid(label, total)
    if mass is None:
        return total
    kilograms = checks.positive(f"the mass {label}", mass)
    return _valid(label, total.adjust(kilograms))


def _plain_mass(shape: Geom, density: float) -> Mass | None:
    """The same bits for a shape at the origin whose inertia is a closed form; None: it is none, or a body cannot have it."""
    if type(shape)._solid is not Geom._solid:
        return None
    place = shape._values
    solid = SHAPES[shape.shape].mass_per_density(tuple(place["size"].tolist()))
    if solid is None or place["position"].any() or place["rotation"].tolist() != _UNTURNED:
        return None
    numbers = [density * number for number in (solid[0], *solid[1])]
    if not all(1.0 / checks.MOST_INVERSE < number < math.inf for number in numbers):
        return None
    found = Mass()
    found.mass, found.inertia = numbers[0], np.diag(numbers[1:])
    return found


def _valid(label: str, mass: Mass) -> Mass:
    """`mass`, which a body can have."""
    mass.require_valid(f"the mass {label}")
    if mass.center.any():
        mass.copy().translate(-mass.center).require_valid(f"the mass {label}")
    return mass


def _mass_of(shape: Geom, density: float) -> Mass:
    """Mass of a free geom about the origin of the frame it is placed in."""
    volume, inertia, center = shape._solid()
    mass = Mass(density * volume, density * inertia, center)
    place = shape._values
    if type(shape)._solid is Geom._solid and not place["position"].any() and place["rotation"].tolist() == _UNTURNED:
        return mass  # to turn and to shift it would change no bit
    return mass.rotate(shape.rotation).translate(shape.position)


def put_shape(shape: Geom, body: Body, center: Array) -> None:
    """Put a free geom on `body`, whose origin is at `center` of the frame in which the geom was placed."""
    offset, turn = shape.position - center, shape.rotation
    shape.body = body
    if offset.any():
        shape.offset_position = offset
    if not np.array_equal(turn, np.eye(3)):
        shape.offset_rotation = turn
