"""Ball joint."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opendynamics.api import checks
from opendynamics.api.joints.joint import Array, OwnSoftness
from opendynamics.api.read_only import read_only
from opendynamics.api.types import SpringOptions, Vector

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from opendynamics.api.body import Body
    from opendynamics.api.world import World


def _say_of_new(what: str) -> str:
    return f"{what} of a ball joint"


class Ball(OwnSoftness):
    """Ball joint: two bodies share a point and rotate freely about it.

    Args:
        world, body1, body2: see `Joint`.
        anchor: the shared point, m, in the world frame; by default body1's origin, or that of the only body.
        options: `stiffness`, `damping`: a spring and a damper instead of a rigid joint, see `set_spring`; `group`, `name`.
    """

    __slots__ = ()

    kind = "ball"

    def __init__(
        self,
        world: World,
        /,
        body1: Body | None = None,
        body2: Body | None = None,
        *,
        anchor: Vector | None = None,
        **options: Unpack[SpringOptions],
    ) -> None:
        if anchor is None:
            super().__init__(world, body1, body2, **options)
            return
        point = checks.three(_say_of_new, "the anchor", anchor)
        self._require_world(world)
        self._require_bodies(world, body1, body2)
        super().__init__(world, **options)
        if body1 is not None or body2 is not None:
            self._link(body1, body2)  # its rest position is the anchor
        self._set_anchors(point)

    def _note_rest_position(self) -> None:
        self._set_anchors(self._rest_anchor(self._inner(0)))

    @property
    def anchor(self) -> Array:
        """The shared point on body1, m, shape (3,), in the world; body1's origin unless given. Setting it sets both."""
        return read_only(self._anchor(self._inner(0)))

    @anchor.setter
    def anchor(self, value: Vector) -> None:
        self._set_anchors(checks.three(self._say, "the anchor", value))

    @property
    def anchor2(self) -> Array:
        """The shared point on body2, m, shape (3,); differs from `anchor` by the joint's error."""
        return read_only(self._anchor(self._inner(1)))

    @anchor2.setter
    def anchor2(self, value: Vector) -> None:
        point = checks.vector(self._say("the second anchor"), value)
        self._set_anchor(self._inner(1), point)

    def set_local_anchor2(self, point: Vector) -> None:
        """Set the second anchor in its body's frame, as dJointSetBallAnchor2 does.

        If one of the bodies is the static world, the second anchor is in the world frame, whichever body came first.
        """
        self._require_attached()
        self._record["anchor1"] = checks.vector(self._say("the second anchor"), point)
