"""Double hinge."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opendynamics.api import checks
from opendynamics.api.joints.joint import Array, require_bodies_to_place
from opendynamics.api.joints.rod import Rod
from opendynamics.api.read_only import read_only
from opendynamics.api.types import SpringOptions, Vector

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from opendynamics.api.body import Body
    from opendynamics.api.world import World


class DHinge(Rod):
    """A massless rod between two bodies, with a hinge at each end; both hinges have the same axis, like a link of a chain.

    Args:
        world, body1, body2: see `Joint`.
        anchor1, anchor2: the hinge on each body, m, in the world frame; by default the body's origin.
        axis: direction of the common axis in the world frame; x by default.
        options: `stiffness`, `damping`: a spring and a damper instead of a rigid joint, see `set_spring`; `group`, `name`.
    """

    __slots__ = ()

    kind = "dhinge"

    def __init__(
        self,
        world: World,
        /,
        body1: Body | None = None,
        body2: Body | None = None,
        *,
        anchor1: Vector | None = None,
        anchor2: Vector | None = None,
        axis: Vector | None = None,
        **options: Unpack[SpringOptions],
    ) -> None:
        one = None if anchor1 is None else checks.vector("anchor 1 of a dhinge joint", anchor1)
        two = None if anchor2 is None else checks.vector("anchor 2 of a dhinge joint", anchor2)
        along = None if axis is None else checks.direction("the axis of a dhinge joint", axis)
        require_bodies_to_place("a dhinge joint", body1, body2, one, two, along)
        super().__init__(world, body1, body2, **options)
        if one is not None:
            self.anchor1 = one
        if two is not None:
            self.anchor2 = two
        if along is not None:
            self.axis = along

    def _note_rest_position(self) -> None:
        super()._note_rest_position()
        self._set_axes(self._axis(0))

    @property
    def axis(self) -> Array:
        """Direction of the axis of both hinges in the world, a unit vector, shape (3,); x unless given."""
        return read_only(self._axis(0))

    @axis.setter
    def axis(self, value: Vector) -> None:
        direction = checks.direction(self._say("the axis"), value)
        self._set_axes(direction)
