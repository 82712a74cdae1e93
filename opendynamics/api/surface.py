"""Surface: friction, restitution and softness of a pair of materials."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, dataclass, fields, replace
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

from opendynamics.api import checks
from opendynamics.api.aliases import Alias, attribute_aliases
from opendynamics.api.springs import Spring, given_spring
from opendynamics.api.suggestions import Suggesting, explain_calls
from opendynamics.api.types import Vector
from opendynamics.core.arrays import contacts as layout

# Flags that make the friction of direction 1, direction 2 and about the normal proportional to the normal force.
_FOLLOWS = (layout.APPROX1_1, layout.APPROX1_2, layout.APPROX1_N)
_MODELS = ("pyramid", "box")
_CONES = ("pyramid", "elliptic")
_SOFT = 6  # columns of ERP and CFM in a row


@explain_calls
@dataclass(frozen=True, repr=False)
class Surface(Suggesting):
    """Contact parameters of two materials. All but `mu` are optional.

    Friction along each of two directions is bounded by `mu` times the normal force (`friction_model="pyramid"`, ODE's
    dContactApprox1), or by a force in N independent of it (`friction_model="box"`, ODE's default in C). `math.inf` never slides.

    Args:
        mu: friction coefficient (pyramid) or largest friction force, N (box).
        mu2: the same for the second friction direction, if it differs.
        direction1: first friction direction in the world frame, a unit vector perpendicular to the normal; the second is
            normal x direction1. By default the directions follow from the normal.
        bounce: coefficient of restitution, 0 to 1.
        bounce_velocity: slowest approach velocity with restitution, m/s.
        soft_erp: error reduction parameter along the normal, instead of the world's.
        soft_cfm: constraint force mixing along the normal, instead of the world's.
        stiffness: stiffness of each contact point, N/m: `soft_erp` and `soft_cfm`, for any step size.
        damping: damping of each contact point, N s/m.
        motion1: surface velocity along direction 1, m/s, as of a conveyor belt.
        motion2: surface velocity along direction 2, m/s.
        motion_normal: surface velocity along the normal, m/s.
        slip1: sliding velocity along direction 1 per force (force-dependent slip), m/s per N.
        slip2: the same along direction 2.
        rolling: rolling friction about both directions, m times the normal force (pyramid) or N m (box). Each direction has its
            own bound, with either cone: along the diagonals it is up to √2 times as strong.
        rolling2: rolling friction about direction 2, if it differs.
        spinning: spinning friction about the normal, if it differs.
        cone: "pyramid": each direction has its own bound, so that friction along the diagonals is up to √2 times as strong;
            "elliptic": both forces lie within an ellipse with semi-axes mu and mu2 (a circle if they are equal), so that
            friction is isotropic for equal coefficients.
        friction_model: "pyramid" or "box"; or three of these, for direction 1, direction 2 and spinning.
    """

    mu: float = 0.5
    mu2: float | None = None
    direction1: Any = None
    bounce: float | None = None
    bounce_velocity: float = 0.0
    soft_erp: float | None = None
    soft_cfm: float | None = None
    motion1: float | None = None
    motion2: float | None = None
    motion_normal: float | None = None
    slip1: float | None = None
    slip2: float | None = None
    rolling: float | None = None
    rolling2: float | None = None
    spinning: float | None = None
    friction_model: str | tuple[str, str, str] = "pyramid"
    cone: str = "pyramid"
    stiffness: float | None = None
    damping: float | None = None

    _spring: ClassVar[Spring | None] = None

    friction = Alias[float, NoReturn]("mu")
    restitution = Alias["float | None", NoReturn]("bounce")

    if TYPE_CHECKING:  # with the aliases

        def __init__(
            self,
            mu: float = 0.5,
            mu2: float | None = None,
            direction1: Vector | None = None,
            bounce: float | None = None,
            bounce_velocity: float = 0.0,
            soft_erp: float | None = None,
            soft_cfm: float | None = None,
            motion1: float | None = None,
            motion2: float | None = None,
            motion_normal: float | None = None,
            slip1: float | None = None,
            slip2: float | None = None,
            rolling: float | None = None,
            rolling2: float | None = None,
            spinning: float | None = None,
            friction_model: str | tuple[str, str, str] = "pyramid",
            cone: str = "pyramid",
            stiffness: float | None = None,
            damping: float | None = None,
            *,
            friction: float = 0.5,
            restitution: float | None = None,
        ) -> None: ...

    def __post_init__(self) -> None:
        mu: Any = self.mu
        if mu in _MODELS:
            raise TypeError(
                f"friction of a surface is its mu, a coefficient; for the model write friction_model={mu!r}"
            )
        for name in ("mu", "mu2", "rolling", "rolling2", "spinning"):
            if name == "mu" or getattr(self, name) is not None:
                checks.not_negative(f"{name} of a surface", getattr(self, name), infinite=True)
        for name in ("slip1", "slip2", "soft_cfm", "bounce_velocity", "soft_erp"):
            if name == "bounce_velocity" or getattr(self, name) is not None:
                checks.not_negative(f"{name} of a surface", getattr(self, name))
        for name in ("motion1", "motion2", "motion_normal"):
            if getattr(self, name) is not None:
                checks.finite(f"{name} of a surface", getattr(self, name))
        if self.bounce is not None:
            checks.fraction("bounce of a surface", self.bounce)
        if self.direction1 is not None:
            object.__setattr__(self, "direction1", checks.direction("direction1 of a surface", self.direction1))
        if len(self._models) != 3 or not all(model in _MODELS for model in self._models):
            raise ValueError(
                f"friction_model of a surface must be one of {', '.join(map(repr, _MODELS))}, or three of them, "
                f"not {self.friction_model!r}"
            )
        checks.choice("cone of a surface", self.cone, _CONES)
        if self.cone == "elliptic" and self._models[0] != self._models[1]:
            raise ValueError(
                "friction_model of a surface with an elliptic cone must be the same model for directions 1 and 2, "
                f"not {self.friction_model!r}"
            )
        spring = given_spring("of a surface", self.stiffness, self.damping)
        if spring is not None and not (self.soft_erp is None and self.soft_cfm is None):
            raise ValueError(
                "a surface has either stiffness and damping or soft_erp and soft_cfm, which are equivalent; leave one pair out"
            )
        object.__setattr__(self, "_spring", spring)
        object.__setattr__(self, "_row", self._make_row())

    def with_spring(self, stiffness: float, damping: float, h: float | None = None) -> Surface:
        """This surface with spring-damper contacts: N/m and N s/m for each contact point.

        Without `h`, the surface has this `stiffness` and `damping` at every step size; with a step size `h`, s, it has the
        equivalent `soft_erp` and `soft_cfm`.
        """
        sprung = replace(self, stiffness=stiffness, damping=damping, soft_erp=None, soft_cfm=None)
        if h is None:
            return sprung
        erp, cfm = Spring(stiffness, damping).softness(h)
        return replace(sprung, stiffness=None, damping=None, soft_erp=erp, soft_cfm=cfm)

    @property
    def spring(self) -> Spring | None:
        """Spring and damper of each contact point; None: not set, or set by ERP and CFM."""
        return self._spring

    def row_at(self, h: float) -> tuple[float, ...]:
        """This surface as a row of the surfaces table, for steps of h s; 0: not known yet."""
        spring = self.spring
        if spring is None or not h:
            return self.row
        return (*self.row[:_SOFT], *spring.softness(h), *self.row[_SOFT + 2 :])

    @property
    def _models(self) -> tuple[str, ...]:
        model = self.friction_model
        return tuple(model) if isinstance(model, (tuple, list)) else (model,) * 3

    def __repr__(self) -> str:
        """`mu` and all arguments that differ from their defaults."""
        values = ((field.name, field.default, getattr(self, field.name)) for field in fields(self))
        given = [f"{name}={value!r}" for name, default, value in values if name == "mu" or value != default]
        return f"Surface({', '.join(given)})"

    @property
    def mode(self) -> int:
        """ODE's flags for this surface."""
        return int(self.row[0])

    @property
    def row(self) -> tuple[float, ...]:
        """This surface as a row of the surfaces table."""
        return self._row  # type: ignore[attr-defined, no-any-return]

    def _make_row(self) -> tuple[float, ...]:
        mode = sum(flag for flag, model in zip(_FOLLOWS, self._models, strict=True) if model == "pyramid")
        mode |= layout.ELLIPTIC if self.cone == "elliptic" else 0
        rolls = any(value is not None for value in (self.rolling, self.rolling2, self.spinning))
        axes_differ = any(value is not None for value in (self.mu2, self.rolling2, self.spinning))
        given = {
            layout.MU2: axes_differ or None,
            layout.FDIR1: self.direction1,
            layout.BOUNCE: self.bounce,
            layout.SOFT_ERP: self.soft_erp if self.spring is None else 0.0,
            layout.SOFT_CFM: self.soft_cfm if self.spring is None else 0.0,
            layout.MOTION1: self.motion1,
            layout.MOTION2: self.motion2,
            layout.MOTION_N: self.motion_normal,
            layout.SLIP1: self.slip1,
            layout.SLIP2: self.slip2,
            layout.ROLLING: rolls or None,
        }
        for flag, value in given.items():
            mode |= flag if value is not None else 0
        rolling = self.rolling or 0.0
        return (
            mode,
            0,
            self.mu,
            self.mu if self.mu2 is None else self.mu2,
            self.bounce or 0.0,
            self.bounce_velocity,
            self.soft_erp or 0.0,
            self.soft_cfm or 0.0,
            self.motion1 or 0.0,
            self.motion2 or 0.0,
            self.motion_normal or 0.0,
            self.slip1 or 0.0,
            self.slip2 or 0.0,
            rolling,
            rolling if self.rolling2 is None else self.rolling2,
            rolling if self.spinning is None else self.spinning,
        )


def _refuse_change(surface: Surface, name: str, value: Any) -> None:
    argument = attribute_aliases(Surface).get(name, name)
    raise FrozenInstanceError(
        f"a Surface never changes; make another one and assign it: dataclasses.replace(surface, {argument}={value!r})"
    )


Surface.__setattr__ = _refuse_change  # type: ignore[method-assign, assignment]
