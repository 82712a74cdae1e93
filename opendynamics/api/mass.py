"""Mass: mass, centre of mass and inertia of a body."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from opendynamics.api import checks
from opendynamics.api.suggestions import Strict, explain_calls
from opendynamics.api.types import Matrix, Vector
from opendynamics.api.warning import SetupWarning, warn
from opendynamics.core.families import SHAPES

if TYPE_CHECKING:
    from opendynamics.api.geoms.geom import Geom
    from opendynamics.api.geoms.mesh_data import MeshData

Array = npt.NDArray[np.float64]
ROUNDED = 1e-3  # relative error of moments given in few digits
_AXES = {"x": 0, "y": 1, "z": 2, 1: 0, 2: 1, 3: 2}


@explain_calls
class Mass(Strict):
    """Mass (kg), centre of mass (m) and inertia tensor about the origin of the frame (kg m²).

    Build one with `Mass.sphere`, `Mass.box`, `Mass.capsule`, `Mass.cylinder`, or from numbers; change it with
    `translate`, `rotate`, `adjust`; add masses with `+`. As with ODE, a body accepts a mass only if its centre is the
    origin: `mass.translate(-mass.center)` brings it there.

    A principal moment above the sum of the other two, which no distribution of mass has, gives a SetupWarning.
    """

    __slots__ = ("center", "inertia", "mass")

    def __init__(self, mass: float = 0.0, inertia: Matrix = ((0, 0, 0),) * 3, center: Vector = (0, 0, 0)) -> None:
        self.mass: float
        self.center: Array
        self.inertia: Array
        self.mass, self.center, self.inertia = _checked(mass, center, inertia)
        warn_of_moments("the inertia", self.inertia)

    @classmethod
    def sphere(cls, radius: float, *, density: float | None = None, mass: float | None = None) -> Mass:
        """A solid sphere of `radius` m, by density (kg/m³) or total mass (kg)."""
        return cls._of_shape("sphere", (checks.positive("the radius", radius),), density, mass)

    @classmethod
    def box(cls, lengths: Vector, *, density: float | None = None, mass: float | None = None) -> Mass:
        """A solid box with side `lengths` (3) m."""
        sides = checks.vector("the lengths", lengths)
        for side in sides:
            checks.positive("each length", side)
        return cls._of_shape("box", sides, density, mass)

    @classmethod
    def capsule(
        cls,
        radius: float,
        length: float,
        *,
        axis: str | int = "z",
        density: float | None = None,
        mass: float | None = None,
    ) -> Mass:
        """A capsule along `axis`; `length` is that of the cylinder between the caps, m."""
        size = checks.positive("the radius", radius), checks.not_negative("the length", length)
        return cls._of_shape("capsule", size, density, mass)._along(axis)

    @classmethod
    def cylinder(
        cls,
        radius: float,
        length: float,
        *,
        axis: str | int = "z",
        density: float | None = None,
        mass: float | None = None,
    ) -> Mass:
        """A solid cylinder along `axis`: moments m r²/2 along it and m (r²/4 + l²/12) across."""
        r, h = checks.positive("the radius", radius), checks.positive("the length", length)
        volume = np.pi * r * r * h
        across = volume * (0.25 * r * r + h * h / 12.0)
        return cls._scaled(volume, (across, across, 0.5 * volume * r * r), density, mass)._along(axis)

    @classmethod
    def trimesh(cls, mesh: Geom | MeshData, *, density: float | None = None, mass: float | None = None) -> Mass:
        """The mass of the solid bounded by a closed mesh: a Trimesh in its pose, or a MeshData in its own frame.

        ValueError: the mesh is open, or its triangles face inwards.
        """
        from opendynamics.api.geoms.geom import Geom
        from opendynamics.api.geoms.mesh_data import MeshData

        if not isinstance(mesh, (Geom, MeshData)):
            raise TypeError(f"Mass.trimesh takes a Trimesh or a MeshData, not {mesh!r}")
        volume, inertia, center = mesh._solid() if isinstance(mesh, Geom) else mesh.solid()
        k = _density_of(volume, density, mass)
        found = mass_as_given(k * volume, k * inertia, center)
        if isinstance(mesh, Geom):
            found.rotate(mesh.rotation).translate(mesh.position)
        return found

    @classmethod
    def _of_shape(cls, kind: str, size: tuple[float, ...], density: float | None, mass: float | None) -> Mass:
        solid = solid_of_size(kind, size)
        assert solid is not None
        return cls._scaled(*solid, density, mass)

    @classmethod
    def _scaled(cls, volume: float, moments: Any, density: float | None, mass: float | None) -> Mass:
        k = _density_of(volume, density, mass)
        return mass_as_given(k * volume, np.diag([k * moment for moment in moments]))

    def _along(self, axis: Any) -> Mass:
        """This mass, created along z, rotated to lie along `axis`."""
        if not isinstance(axis, (str, int)) or axis not in _AXES:
            raise ValueError(f"the axis must be 'x', 'y' or 'z' (or ODE's 1, 2, 3), not {axis!r}")
        across, along = self.inertia[0, 0], self.inertia[2, 2]
        moments = [across] * 3
        moments[_AXES[axis]] = along
        self.inertia = np.diag(moments)
        return self

    def translate(self, offset: Vector) -> Mass:
        """Move the mass by `offset` m in its frame (parallel axis theorem); returns itself."""
        shift = np.array(checks.vector("the offset", offset))
        after = self.center + shift
        self.inertia = self.inertia + self.mass * (_cross_squared(self.center) - _cross_squared(after))
        self.center = after
        return self

    def rotate(self, rotation: Matrix) -> Mass:
        """Rotate the mass about the origin by a rotation matrix (3, 3); returns itself."""
        r = checks.rotation("the rotation", rotation)
        self.inertia = _symmetric(r @ self.inertia @ r.T)
        self.center = r @ self.center
        return self

    def adjust(self, mass: float) -> Mass:
        """Set the total mass to `mass` kg, scaling the inertia with it; returns itself."""
        new = checks.positive("the mass", mass)
        if self.mass == 0.0:
            raise ValueError("a mass of 0 kg cannot be adjusted: set its shape first")
        self.inertia = self.inertia * (new / self.mass)
        self.mass = new
        return self

    def add(self, other: Mass) -> Mass:
        """Add another mass in the same frame; returns itself."""
        if not isinstance(other, Mass):
            raise TypeError(f"only a Mass can be added to a mass, not {other!r}")
        total = self.mass + other.mass
        if total > 0.0:
            self.center = (self.mass * self.center + other.mass * other.center) / total
        self.mass = total
        self.inertia = self.inertia + other.inertia
        return self

    def __add__(self, other: Mass) -> Mass:
        return self.copy().add(other)

    def copy(self) -> Mass:
        """An independent copy."""
        return Mass._of_valid(self.mass, self.center.copy(), self.inertia.copy())

    @classmethod
    def _of_valid(cls, mass: float, center: Array, inertia: Array) -> Mass:
        """A mass of numbers that have been checked."""
        made = object.__new__(cls)
        made.mass, made.center, made.inertia = mass, center, inertia
        return made

    def centered(self) -> Mass:
        """This mass relative to its centre: itself, or a translated copy."""
        return self.copy().translate(-self.center) if self.center.any() else self

    def check(self) -> bool:
        """Whether a rigid body can have this mass: above 0, with positive definite inertia, also about the centre of mass."""
        try:
            self.require_valid("the mass")
        except (TypeError, ValueError):
            return False
        return True

    def require_valid(self, what: str) -> None:
        """Raise ValueError with the reason if no rigid body can have this mass."""
        if checks.positive(what, self.mass) < 1.0 / checks.MAX_INVERSE:
            raise ValueError(f"{what} must not be so small that its inverse overflows: {self.mass} kg")
        center = np.array(checks.vector(f"the centre of {what}", self.center))
        inertia = tensor(f"the inertia of {what}", self.inertia)
        tensors = [(inertia, "the origin")]
        if center.any():
            tensors.append((inertia + self.mass * _cross_squared(center), "the centre of mass"))
        for about, where in tensors:
            if _is_clearly_positive(about):
                continue
            moments = np.linalg.eigvalsh(about)
            if not moments[0] > 1.0 / checks.MAX_INVERSE:
                raise ValueError(
                    f"the inertia of {what} about {where} must be positive definite, but its principal moments are "
                    f"{moments.tolist()} kg m2"
                )

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Mass)
            and self.mass == other.mass
            and bool((self.center == other.center).all())
            and bool((self.inertia == other.inertia).all())
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Mass({self.mass}, inertia={self.inertia.tolist()}, center={self.center.tolist()})"


def _density_of(volume: float, density: float | None, mass: float | None) -> float:
    """The density, kg/m³, of a solid of which either that or the total mass is given."""
    if density is not None and mass is not None:
        raise ValueError(f"give either the density or the mass, not both: {density!r} and {mass!r}")
    if density is None and mass is None:
        raise ValueError("give either the density or the mass; neither was given")
    return checks.positive("the density", density) if mass is None else checks.positive("the mass", mass) / volume


def solid_of_size(kind: str, size: Sequence[float]) -> tuple[float, tuple[float, float, float]] | None:
    """Volume and principal moments, at density 1, of a shape with these sizes; None: it has no closed form.

    Powers of huge sizes overflow in Python, where products are infinite; here both are.
    """
    try:
        return SHAPES[kind].mass_per_density(size)  # type: ignore[no-any-return]
    except OverflowError:
        return inf, (inf, inf, inf)


def mass_as_given(mass: float, inertia: Any, center: Any = (0.0, 0.0, 0.0)) -> Mass:
    """A Mass, without a warning of impossible moments: of computed ones, ODE's programs, and files, whose loaders report them."""
    return Mass._of_valid(*_checked(mass, center, inertia))


def _checked(mass: float, center: Any, inertia: Any) -> tuple[float, Array, Array]:
    kilograms, place = checks.not_negative("the mass", mass), np.array(checks.vector("the centre of mass", center))
    return kilograms, place, tensor("the inertia", inertia)


def tensor(what: str, value: Any) -> Array:
    """`value` as a symmetric 3x3 matrix: from 3x3, or from the three principal moments."""
    matrix = checks.array(what, value)
    if matrix.shape == (3,):
        matrix = np.diag(matrix)
    if matrix.shape != (3, 3):
        raise ValueError(f"{what} must be 3x3 numbers, or the three principal moments, not {value!r}")
    sizes = abs(matrix)
    if not (abs(matrix - matrix.T) <= 1e-9 * sizes + 1e-12 * sizes.max()).all():
        raise ValueError(f"{what} must be symmetric, not {matrix.tolist()}")
    return _symmetric(matrix)


def warn_of_moments(what: str, tensor: Array) -> None:
    """Warn if a principal moment exceeds the sum of the others: each is an integral of two of x², y² and z²."""
    moments = np.linalg.eigvalsh(tensor)
    if moments[0] > 0.0 and moments[2] > (moments[0] + moments[1]) * (1.0 + ROUNDED):
        warn(
            f"{what} has the principal moments {', '.join(f'{moment:.4g}' for moment in moments)} kg m², of which one "
            "exceeds the sum of the other two: no body has such an inertia; compute it by od.Mass.box, od.Mass.trimesh ...",
            SetupWarning,
        )


def _is_clearly_positive(tensor: Array) -> bool:
    """Whether Gershgorin's circles, which contain the principal moments, are within the range of rigid bodies."""
    xx, xy, xz, _, yy, yz, _, _, zz = tensor.reshape(9).tolist()
    xy, xz, yz = abs(xy), abs(xz), abs(yz)
    return bool(min(xx - xy - xz, yy - xy - yz, zz - xz - yz) > 1.0 / checks.MAX_INVERSE)


def _symmetric(tensor: Array) -> Array:
    return 0.5 * (tensor + tensor.T)


def _cross_squared(v: Array) -> Array:
    """[v]x²: minus the inertia of a unit mass at `v`."""
    return np.asarray(np.outer(v, v) - (v @ v) * np.eye(3))
