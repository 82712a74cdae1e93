"""Mass properties of links: combination about a common centre, and checks of values from files.

Parallel axis theorem: I_c = Σ R I Rᵀ + m ((d·d) 1 - d dᵀ), with d from the common centre of mass to that of each part.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from opendynamics.robot.geometry import Geometry, Mesh, Shape, triangles_of

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Inertia:
    """Mass, kg; centre of mass, m, shape (3,); inertia about it, kg m², shape (3, 3); in one frame."""

    mass: float
    center: Array
    tensor: Array

    def moved(self, transform: Array) -> Inertia:
        """The same in the frame after a rigid transform (4, 4)."""
        turn = transform[:3, :3]
        return Inertia(self.mass, turn @ self.center + transform[:3, 3], turn @ self.tensor @ turn.T)


def combined(parts: Iterable[Inertia]) -> Inertia:
    """All parts combined; parts without mass still add their inertia."""
    parts = list(parts)
    if len(parts) == 1:
        return parts[0]
    mass = sum(part.mass for part in parts)
    center = np.zeros(3)
    if mass > 0.0:
        center = np.sum([part.mass * part.center for part in parts], axis=0) / mass
    tensor = np.zeros((3, 3))
    for part in parts:
        d = part.center - center
        tensor += part.tensor + part.mass * (d @ d * np.eye(3) - np.outer(d, d))
    return Inertia(mass, center, tensor)


def of_shapes(shapes: Iterable[Shape], density: float) -> Inertia | None:
    """Mass properties of solid shapes of one density, kg/m³; overlaps count twice. None if they enclose no volume."""
    parts = [part for part in (_of_mesh(_placed(shape), density) for shape in shapes) if part is not None]
    return combined(parts) if parts else None


def _placed(shape: Shape) -> tuple[Array, npt.NDArray[np.int64]]:
    geometry: Geometry = shape.geometry
    mesh: Mesh = triangles_of(geometry, 96)
    vertices = mesh.vertices @ shape.transform[:3, :3].T + shape.transform[:3, 3]
    corners = mesh.triangles if np.linalg.det(shape.transform[:3, :3]) > 0 else mesh.triangles[:, ::-1]
    return vertices, corners


def _of_mesh(placed: tuple[Array, npt.NDArray[np.int64]], density: float) -> Inertia | None:
    """By tetrahedra from the mean vertex: ∫ x xᵀ dV = Σ det/120 (Σ v vᵀ + s sᵀ), with s the sum of the corners."""
    vertices, triangles = placed
    middle = vertices.mean(axis=0)
    corners = (vertices - middle)[triangles]
    volumes = np.einsum("ni,ni->n", corners[:, 0], np.cross(corners[:, 1], corners[:, 2]))
    volume = volumes.sum() / 6.0
    if not volume > 0.0:
        return None
    sums = corners.sum(axis=1)
    center = (volumes @ sums) / 24.0 / volume
    products = np.einsum("n,nki,nkj->ij", volumes, corners, corners) + np.einsum("n,ni,nj->ij", volumes, sums, sums)
    about = products / 120.0 - volume * np.outer(center, center)
    tensor = np.trace(about) * np.eye(3) - about
    return Inertia(density * volume, middle + center, density * tensor)


def obstacle(mass: float, tensor: Array) -> str:
    """Why a body of these cannot be simulated; "" if it can."""
    if not mass > 0.0:
        return f"the mass is {mass:g} kg"
    moments = np.linalg.eigvalsh(tensor)
    if not moments[0] > 0.0:
        return f"the inertia has the principal moments {_short(moments)} kg m2, which are not all positive"
    return ""


def complaint(mass: float, tensor: Array) -> str:
    """Why no rigid body can have these; "" if one can. Tensors of flat or thin bodies may be off by rounding."""
    problem = obstacle(mass, tensor)
    if problem:
        return problem
    moments = np.linalg.eigvalsh(tensor)
    if moments[2] > (moments[0] + moments[1]) * 1.001:
        return f"the inertia has the principal moments {_short(moments)} kg m2, of which one is more than the sum of the others"
    return ""


def _short(numbers: Any) -> str:
    return ", ".join(f"{x:.4g}" for x in numbers)
