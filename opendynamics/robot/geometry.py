"""Shapes of links: primitives and triangle meshes with a pose on the link. Round ones are aligned with z, as in the engine."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from opendynamics.api.suggestions import explain_calls, explain_function

Array = npt.NDArray[np.float64]
Indices = npt.NDArray[np.int64]


@explain_calls
@dataclass(frozen=True)
class Box:
    """A box of the edge lengths `size`, m."""

    size: tuple[float, float, float]


@explain_calls
@dataclass(frozen=True)
class Sphere:
    """A sphere of `radius`, m."""

    radius: float


@explain_calls
@dataclass(frozen=True)
class Cylinder:
    """A cylinder along z, of `radius` and `length`, m."""

    radius: float
    length: float


@explain_calls
@dataclass(frozen=True)
class Capsule:
    """A capsule along z, of `radius` and `length` without the caps, m."""

    radius: float
    length: float


@explain_calls
@dataclass(frozen=True)
class Cone:
    """A cone along z, with the base of `radius` at z = -length/2 and the apex at z = length/2, m."""

    radius: float
    length: float


@explain_calls
@dataclass(frozen=True, eq=False)
class Mesh:
    """A triangle mesh: `vertices`, m, (n, 3), and `triangles`, vertex indices, counterclockwise from outside, (m, 3)."""

    vertices: Array
    triangles: Indices

    def __post_init__(self) -> None:
        self.vertices.flags.writeable = self.triangles.flags.writeable = False

    def __repr__(self) -> str:
        return f"Mesh({len(self.vertices)} vertices, {len(self.triangles)} triangles)"


Geometry = Box | Sphere | Cylinder | Capsule | Cone | Mesh


@explain_calls
@dataclass(frozen=True)
class Appearance:
    """Colour (red, green, blue) and transparency, 0 to 1 each."""

    color: tuple[float, float, float] = (0.8, 0.8, 0.8)
    transparency: float = 0.0


@explain_calls
@dataclass(frozen=True, eq=False)
class Shape:
    """A geometry with its pose on a link.

    Args:
        geometry: a primitive or a mesh.
        transform: homogeneous matrix from the geometry's frame to the link's, shape (4, 4); it may scale and shear.
        appearance: colour.
    """

    geometry: Geometry
    transform: Array = field(default_factory=lambda: np.eye(4))
    appearance: Appearance = Appearance()

    def __post_init__(self) -> None:
        self.transform.flags.writeable = False


@explain_function
def triangles_of(geometry: Geometry, divisions: int = 24) -> Mesh:
    """The surface of a geometry as a closed mesh; round ones with `divisions` segments around."""
    if isinstance(geometry, Mesh):
        return geometry
    if isinstance(geometry, Box):
        signs = np.array([[(k >> a & 1) - 0.5 for a in range(3)] for k in range(8)])
        return Mesh(signs * geometry.size, np.array(_BOX_TRIANGLES, np.int64))
    profile = _profile(geometry, divisions)
    return _revolved(profile, divisions)


_BOX_TRIANGLES = (
    (0, 2, 3), (0, 3, 1), (4, 5, 7), (4, 7, 6), (0, 1, 5), (0, 5, 4),
    (2, 6, 7), (2, 7, 3), (0, 4, 6), (0, 6, 2), (1, 3, 7), (1, 7, 5),
)  # fmt: skip


def _profile(geometry: Sphere | Cylinder | Capsule | Cone, divisions: int) -> Array:
    """Half the outline from the lowest point on the axis to the highest: (radius, z), shape (n, 2)."""
    if isinstance(geometry, Cylinder):
        r, h = geometry.radius, geometry.length / 2
        return np.array([(0, -h), (r, -h), (r, h), (0, h)], np.float64)
    if isinstance(geometry, Cone):
        r, h = geometry.radius, geometry.length / 2
        return np.array([(0, -h), (r, -h), (0, h)], np.float64)
    h = geometry.length / 2 if isinstance(geometry, Capsule) else 0.0
    count = max(divisions // 4, 2)
    angles = np.linspace(-np.pi / 2, 0, count + 1)
    lower = np.column_stack([np.cos(angles), np.sin(angles)]) * geometry.radius
    lower[0, 0] = 0.0
    upper = lower[::-1] * (1, -1)
    if h:
        shift = np.array([0.0, h])
        return np.concatenate([lower - shift, upper + shift])
    return np.concatenate([lower, upper[1:]])


def _revolved(profile: Array, divisions: int) -> Mesh:
    """The surface swept by the profile about the z axis; its ends are on the axis."""
    angles = 2 * np.pi * np.arange(divisions) / divisions
    ring = np.column_stack([np.cos(angles), np.sin(angles)])
    rings = profile[1:-1]
    vertices = [np.array([[0, 0, profile[0, 1]]])]
    vertices += [np.column_stack([ring * r, np.full(divisions, z)]) for r, z in rings]
    vertices.append(np.array([[0, 0, profile[-1, 1]]]))
    k = np.arange(divisions)
    following = (k + 1) % divisions
    last = 1 + divisions * len(rings)
    triangles = [np.column_stack([np.zeros_like(k), 1 + following, 1 + k])]
    for n in range(len(rings) - 1):
        a, b = 1 + n * divisions, 1 + (n + 1) * divisions
        triangles.append(np.column_stack([a + k, a + following, b + following]))
        triangles.append(np.column_stack([a + k, b + following, b + k]))
    top = last - divisions
    triangles.append(np.column_stack([top + k, top + following, np.full_like(k, last)]))
    return Mesh(np.concatenate(vertices), np.concatenate(triangles))
