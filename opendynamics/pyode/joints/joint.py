"""Base class of joints."""

from __future__ import annotations

from collections.abc import Callable
from sys import is_finalizing
from typing import Any, ClassVar

from opendynamics import c_api as c
from opendynamics.api import checks
from opendynamics.pyode.body import Body
from opendynamics.pyode.handle import Attributed, id_of, set_slot
from opendynamics.pyode.joints.group import JointGroup
from opendynamics.pyode.joints.params import JointParams
from opendynamics.pyode.lifetime import clean_up, forget, keep
from opendynamics.pyode.sequences import Vector, vector
from opendynamics.pyode.world import World

_NOWHERE = (0.0, 0.0, 0.0)
_NOTHING = (None, None)

Feedback = tuple[Vector, Vector, Vector, Vector]


class Joint(Attributed):
    """A joint between two bodies, or between a body and the static world, None.

    Without a group it is destroyed when it is no longer referenced. While it is not attached, setting anchors and axes has no
    effect, as in ODE, and reading them returns zeros.
    """

    __slots__ = ("_ode_bodies", "_ode_feedback", "_ode_keeps", "_ode_world")

    _ode_noun = "Joint"
    _ode_bodies: tuple[Body | None, Body | None]
    _ode_feedback: Any
    _ode_kind: ClassVar[str]  # dJointCreate... of this joint
    _ode_parameters: ClassVar[str] = ""  # dJointSet...Param of this joint, if it has parameters

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if not hasattr(type(self), "_ode_kind"):
            raise NotImplementedError("Joint is the base class of all joints: create one of a derived class")
        super().__init__(*args, **kwargs)

    def _ode_make(self, world: World, jointgroup: JointGroup | None = None) -> Any:
        return getattr(c, f"dJointCreate{self._ode_kind}")(*self._ode_places(world, jointgroup))

    def _ode_places(self, world: Any, jointgroup: Any) -> tuple[Any, Any]:
        """The C IDs of world and group of a new joint."""
        identifiers = (
            id_of(World, "the world of a joint", world),
            id_of(JointGroup, "the group of a joint", jointgroup, none=True),
        )
        clean_up()
        set_slot(self, "_ode_world", world)
        set_slot(self, "_ode_bodies", _NOTHING)
        set_slot(self, "_ode_feedback", None)
        if jointgroup is not None:
            jointgroup._addjoint(self)
        return identifiers

    def _ode_made(self) -> None:
        keep(self._ode_id)

    def __del__(self, is_finalizing: Callable[[], bool] = is_finalizing) -> None:
        if not is_finalizing() and self._ode_arguments is None:
            forget(self._ode_id)

    def _destroyed(self) -> None:
        """Record that the joint was destroyed with its group."""
        set_slot(self, "_ode_bodies", _NOTHING)

    # -- bodies ----------------------------------------------------------------------------------------------------

    def attach(self, body1: Body | None, body2: Body | None) -> None:
        """Attach two bodies, or a body and None, the static world; None twice detaches the joint."""
        one = id_of(Body, "the first body of a joint", body1, none=True)
        two = id_of(Body, "the second body of a joint", body2, none=True)
        c.dJointAttach(self._ode_id, one, two)
        self._ode_bodies = (body1, body2)

    def getBody(self, index: int) -> Body | None:
        """Return the first (0) or second (1) body in the order of attachment."""
        if index not in (0, 1):
            raise IndexError(f"a joint has body 0 and body 1, not {index!r}")
        return self._ode_bodies[index]

    def enable(self) -> None:
        c.dJointEnable(self._ode_id)

    def disable(self) -> None:
        c.dJointDisable(self._ode_id)

    def isEnabled(self) -> int:
        return int(c.dJointIsEnabled(self._ode_id))

    # -- feedback --------------------------------------------------------------------------------------------------

    def setFeedback(self, flag: Any = 1, *, release: Any = None) -> None:
        """Record forces and torques from now on, or with `flag` 0 stop it; `release` is Debian's name of `flag`."""
        wanted = flag if release is None else release
        if wanted and self._ode_feedback is None:
            feedback = c.dJointFeedback()
            c.dJointSetFeedback(self._ode_id, feedback)
            self._ode_feedback = feedback
        elif not wanted and self._ode_feedback is not None:
            c.dJointSetFeedback(self._ode_id, None)
            self._ode_feedback = None

    def getFeedback(self) -> Feedback | None:
        """Return (force1, torque1, force2, torque2) of the last step, N and N m; None unless they are recorded."""
        noted = self._ode_feedback
        return noted and (vector(noted.f1), vector(noted.t1), vector(noted.f2), vector(noted.t2))

    # -- parameters ------------------------------------------------------------------------------------------------

    def setParam(self, param: int, value: float) -> None:
        """Set a parameter: ParamVel and so on. Those that the joint does not have are ignored, as in ODE."""
        if self._ode_has(param):
            getattr(c, f"dJointSet{self._ode_parameters}Param")(self._ode_id, param, value)

    def getParam(self, param: int) -> float:
        """Return a parameter; 0 if the joint does not have it."""
        return (
            float(getattr(c, f"dJointGet{self._ode_parameters}Param")(self._ode_id, param))
            if self._ode_has(param)
            else 0.0
        )

    def _ode_has(self, param: int) -> bool:
        code = checks.count("a joint parameter", param, -checks.MOST)
        return bool(self._ode_parameters) and code % c.dParamGroup < c.dParamsInGroup and 0 <= code < 3 * c.dParamGroup

    @property
    def param(self) -> JointParams:
        """The parameters as attributes."""
        return JointParams(self.getParam, self.setParam)

    # -- calls of the C names --------------------------------------------------------------------------------------

    @property
    def _ode_known(self) -> bool:
        """Whether the C names can answer: the joint is attached, or was destroyed, which they report."""
        return self._ode_bodies != _NOTHING or not self._ode_id.alive

    def _ode_set(self, function: Callable[..., Any], *numbers: Any) -> None:
        """Call `function` of the joint, unless it is not attached."""
        if self._ode_known:
            function(self._ode_id, *numbers)

    def _ode_vector(self, function: Callable[..., Any], *numbers: Any) -> Vector:
        """The result of `function` of the joint, a vector."""
        return vector(function(self._ode_id, *numbers)) if self._ode_known else _NOWHERE

    def _ode_float(self, function: Callable[..., Any], *numbers: Any) -> float:
        """The result of `function` of the joint, a number."""
        return float(function(self._ode_id, *numbers)) if self._ode_known else 0.0
