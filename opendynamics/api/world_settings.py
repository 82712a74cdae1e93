"""Settings of a world."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from opendynamics.api import checks
from opendynamics.api.body_settings import DampingAndSleep, is_damped
from opendynamics.api.like import Model
from opendynamics.api.member import note_change
from opendynamics.api.quickstep_settings import QuickstepSettings
from opendynamics.api.read_only import read_only
from opendynamics.api.solver_settings import SolverSettings
from opendynamics.api.types import Vector
from opendynamics.api.units import check_gravity
from opendynamics.api.waking import wake_bodies
from opendynamics.core.arrays import bodies as layout
from opendynamics.core.arrays.store import Store
from opendynamics.core.arrays.worlds import WORLDS
from opendynamics.core.bodies import integrators
from opendynamics.core.solve.loading import set_defaults

if TYPE_CHECKING:
    from opendynamics.api.home import Home

Stabilization: TypeAlias = Literal["split", "baumgarte"]
Restitution: TypeAlias = Literal["limited", "newton"]
FrictionBounds: TypeAlias = Literal["frozen", "coupled"]
Integrator: TypeAlias = Literal["euler", "energy-momentum", "verlet"]

INTEGRATORS: dict[Integrator, int] = {
    "euler": integrators.EULER,
    "energy-momentum": integrators.ENERGY_MOMENTUM,
    "verlet": integrators.VERLET,
}

_INTEGRATOR_NAMES = {number: name for name, number in INTEGRATORS.items()}

# ODE 0.16's defaults in double precision, except for the settings that `like="ode"` changes.
DEFAULTS = {
    "erp": 0.2,
    "cfm": 1e-10,
    "contact_max_velocity": np.inf,
    "max_contacts": 8,
    "recycle_contacts": 1,
    "collider": 1,
}
COLLIDERS = ("ode", "exact")  # by the number of the setting
NEW_BODY = {
    "linear_damping_threshold": 0.01,
    "angular_damping_threshold": 0.01,
    "max_angular_speed": np.inf,
    "linear_threshold": 0.01,
    "angular_threshold": 0.01,
    "idle_steps": 10,
    "samples": 1,
}

# By their values in the table of worlds; the first is ODE's.
STABILIZATIONS: tuple[Stabilization, ...] = ("baumgarte", "split")
FRICTION_BOUNDS: tuple[FrictionBounds, ...] = ("frozen", "coupled")
RESTITUTIONS: tuple[Restitution, ...] = ("newton", "limited")


def set_world_defaults(store: Store) -> None:
    """Write the default settings to a new store, including those of all solvers."""
    settings = store[WORLDS][0]
    for field, value in DEFAULTS.items():
        settings[field] = value
    for field, value in NEW_BODY.items():
        settings["new_body"][field] = value
    settings["integrator"] = INTEGRATORS["energy-momentum"]
    settings["stabilization"] = STABILIZATIONS.index("split")
    settings["restitution"] = RESTITUTIONS.index("limited")
    settings["new_body_flags"] = layout.ALIVE | layout.ENABLED | layout.GYROSCOPIC
    set_defaults(store)


class WorldSettings(DampingAndSleep, QuickstepSettings, SolverSettings):
    """Parameters of a world; damping and auto-disable settings apply to bodies created afterwards."""

    _store: Store
    _home: Home
    name: str

    _like: Model

    def _forget_spring(self) -> None:
        raise NotImplementedError

    def _say(self, what: str) -> str:
        return f"{what} of {'the world' if self.name == 'world' else self.name}"

    @property
    def _settings(self) -> Any:
        return self._store[WORLDS][0]

    def _change(self, field: str, value: Any) -> None:
        """Change a setting that acts on all bodies; wakes sleeping ones if the value changes."""
        settings = self._settings
        same = settings[field] == value
        if not (same.all() if same.ndim else same):
            wake_bodies(self._store)
            settings[field] = value

    def _body_settings(self) -> Any:
        return self._settings["new_body"]

    def _body_settings_changed(self) -> None:
        self._set_flag(layout.DAMPED, is_damped(self._body_settings()))

    def _flag(self, flag: int) -> bool:
        return bool(self._settings["new_body_flags"] & flag)

    def _set_flag(self, flag: int, value: bool) -> None:
        flags = int(self._settings["new_body_flags"])
        self._settings["new_body_flags"] = flags | flag if value else flags & ~flag

    @property
    def gravity(self) -> npt.NDArray[np.float64]:
        """Gravitational acceleration, m/s², shape (3,); zero unless given."""
        return read_only(self._settings["gravity"])

    @gravity.setter
    def gravity(self, value: Vector) -> None:
        gravity = checks.vector(self._say("the gravity"), value)
        self._change("gravity", gravity)
        if self._like != "ode":
            check_gravity(self._say("the gravity"), gravity)

    @property
    def erp(self) -> float:
        """Error reduction parameter: the fraction of a joint's or contact's error corrected in a step, 0 to 1; 0.2 by default."""
        return float(self._settings["erp"])

    @erp.setter
    def erp(self, value: float) -> None:
        erp = checks.usual_fraction(self._say("the ERP"), value)
        self._forget_spring()
        self._change("erp", erp)

    @property
    def cfm(self) -> float:
        """Constraint force mixing, the softness of constraints; 1e-10 by default, which keeps redundant ones solvable."""
        return float(self._settings["cfm"])

    @cfm.setter
    def cfm(self, value: float) -> None:
        cfm = checks.usual(self._say("the CFM"), value)
        self._forget_spring()
        self._change("cfm", cfm)

    @property
    def contact_max_correcting_velocity(self) -> float:
        """Maximum speed, m/s, at which penetration is corrected. Infinite by default."""
        return float(self._settings["contact_max_velocity"])

    @contact_max_correcting_velocity.setter
    def contact_max_correcting_velocity(self, value: float) -> None:
        speed = checks.not_negative(self._say("the contact max correcting velocity"), value, infinite=True)
        self._change("contact_max_velocity", speed)

    @property
    def contact_surface_layer(self) -> float:
        """Penetration, m, that is not corrected, so that resting contacts persist. 0 by default."""
        return float(self._settings["contact_surface_layer"])

    @contact_surface_layer.setter
    def contact_surface_layer(self, value: float) -> None:
        self._change("contact_surface_layer", checks.not_negative(self._say("the contact surface layer"), value))

    @property
    def integrator(self) -> Integrator:
        """Time integrator; see docs/integrators.md.

        "energy-momentum", the default: semi-implicit Euler, but free rotation conserves energy and angular momentum exactly.
        "euler": ODE's; the gyroscopic torque is damped, and impacts of rotating bodies may gain a little energy. "verlet":
        position Verlet, of second order with joints and contacts too; a step takes 1.4 to 4 times as long.
        """
        return _INTEGRATOR_NAMES[int(self._settings["integrator"])]

    @integrator.setter
    def integrator(self, value: Integrator) -> None:
        checks.choice(self._say("the integrator"), value, tuple(INTEGRATORS))
        note_change()
        self._change("integrator", INTEGRATORS[value])

    @property
    def stabilization(self) -> Stabilization:
        """Position correction of contacts. "split" by default.

        "split": split impulses. The correction adds no velocity; `erp` is the fraction of the penetration corrected in a step.
        Islands with considerable penetration are solved twice. "baumgarte": a bias velocity (Baumgarte 1972), as in ODE:
        overlapping bodies fly apart. Soft contacts (`soft_erp`, `soft_cfm`) are springs in both.
        """
        return STABILIZATIONS[int(self._settings["stabilization"])]

    @stabilization.setter
    def stabilization(self, value: Stabilization) -> None:
        number = checks.choice(self._say("the stabilization"), value, STABILIZATIONS)
        self._change("stabilization", number)

    @property
    def restitution(self) -> Restitution:
        """Law of restitution, for contacts whose surface has a `bounce` e. "limited" by default.

        "limited": Newton's rule with an energy limit. Contacts separate with e times the approach speed, or less where they would
        add energy, as simultaneous contacts, friction and spin can do. "newton": without the limit, as in ODE.
        """
        return RESTITUTIONS[int(self._settings["restitution"])]

    @restitution.setter
    def restitution(self, value: Restitution) -> None:
        if isinstance(value, float | int):
            raise ValueError(
                f"{self._say('the restitution')} is a law, one of {', '.join(map(repr, RESTITUTIONS))}, not {value!r}; the "
                "coefficient belongs to a surface: world.surfaces.default = od.Surface(restitution=0.5)"
            )
        number = checks.choice(self._say("the restitution"), value, RESTITUTIONS)
        self._change("restitution", number)

    @property
    def friction_bounds(self) -> FrictionBounds:
        """Normal forces that bound friction in the exact step.

        "frozen", the default: those of the solution without friction, as in ODE: leaning bodies slip too early. "coupled": those
        of the same solution (Coulomb's law); a step without such a solution uses frozen bounds, and `statistics.residual` is
        large. Bounds of the iterative solvers always follow their normal forces.
        """
        return FRICTION_BOUNDS[int(self._settings["friction_bounds"])]

    @friction_bounds.setter
    def friction_bounds(self, value: FrictionBounds) -> None:
        number = checks.choice(self._say("the friction bounds"), value, FRICTION_BOUNDS)
        self._change("friction_bounds", number)

    @property
    def max_contacts(self) -> int:
        """Limit of contacts that `advance` makes between two geoms; the deepest and those of the largest spread are kept.

        8 by default.
        """
        return int(self._settings["max_contacts"])

    @max_contacts.setter
    def max_contacts(self, value: int) -> None:
        self._change("max_contacts", checks.count(self._say("max contacts"), value, 1, 0xFFFF))

    @property
    def recycle_contacts(self) -> bool:
        """Whether `advance` recycles contacts of meshes, heightfields and convex polyhedra with each other and with boxes.

        True by default. As long as two geoms have moved against each other by less than 1e-4 of the smaller one's size, their
        contact points move along with them and are not computed again: bodies at rest cost less, and their contacts stay the
        same. No effect with `collider` "ode", and while there are contact joints of the user.
        """
        return bool(self._settings["recycle_contacts"])

    @recycle_contacts.setter
    def recycle_contacts(self, value: bool) -> None:
        self._settings["recycle_contacts"] = checks.flag(self._say("recycle contacts"), value)

    @property
    def collider(self) -> Literal["exact", "ode"]:
        """Contact generation of `advance` and `od.collide`.

        "exact", the default: the minimum translation that separates two shapes, and enough points for stable rest. "ode": ODE's
        contacts, even where their depth exceeds the actual penetration, or where there are too few of them. docs/deviations.md
        lists the differences.
        """
        return "exact" if self._settings["collider"] else "ode"

    @collider.setter
    def collider(self, value: Literal["exact", "ode"]) -> None:
        number = checks.choice(self._say("the collider"), value, COLLIDERS)
        note_change()
        self._change("collider", number)
        self._home.edition.number += 1

    @property
    def speculative_margin(self) -> float | Literal["auto"]:
        """Gap, m, up to which `advance` makes speculative contacts, before geoms touch; 0, the default: none.

        They allow the gap to close in the step, but no penetration. "auto": for all gaps that may close in the step. See
        docs/continuous.md.
        """
        margin = float(self._settings["margin"])
        return "auto" if margin == np.inf else margin

    @speculative_margin.setter
    def speculative_margin(self, value: float | Literal["auto"]) -> None:
        note_change()
        if isinstance(value, str) and value == "auto":
            self._settings["margin"] = np.inf
            return
        what = self._say("the speculative margin")
        try:
            self._settings["margin"] = checks.not_negative(what, value)
        except (TypeError, ValueError) as error:
            raise type(error)(f'{error}; "auto" covers all gaps that may close in a step') from None

    @property
    def collide_connected(self) -> bool:
        """Whether bodies connected by a joint collide in `advance`. False by default."""
        return bool(self._settings["collide_connected"])

    @collide_connected.setter
    def collide_connected(self, value: bool) -> None:
        self._change("collide_connected", checks.flag(self._say("collide connected"), value))
