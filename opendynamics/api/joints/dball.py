"""Double ball joint."""

from __future__ import annotations

from typing import TYPE_CHECKING

from opendynamics.api import checks
from opendynamics.api.joints.joint import require_bodies_to_place
from opendynamics.api.joints.rod import Rod
from opendynamics.api.types import SpringOptions, Vector
from opendynamics.core.constrain.parts.distance import LENGTH

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from opendynamics.api.body import Body
    from opendynamics.api.world import World


class DBall(Rod):
    """Distance joint: a massless rod between two bodies, with a ball joint at each end.

    Args:
        world, body1, body2: see `Joint`.
        anchor1, anchor2: the rod's end on each body, m, in the world frame; by default the body's origin.
        distance: the rod's length, m; by default the distance of the anchors.
        options: `stiffness`, `damping`: a spring and a damper instead of a rigid joint, see `set_spring`; `group`, `name`.
    """

    __slots__ = ()

    kind = "dball"

    def __init__(
        self,
        world: World,
        /,
        body1: Body | None = None,
        body2: Body | None = None,
        *,
        anchor1: Vector | None = None,
        anchor2: Vector | None = None,
        distance: float | None = None,
        **options: Unpack[SpringOptions],
    ) -> None:
        one = None if anchor1 is None else checks.vector("anchor 1 of a dball joint", anchor1)
        two = None if anchor2 is None else checks.vector("anchor 2 of a dball joint", anchor2)
        length = None if distance is None else checks.not_negative("the distance of a dball joint", distance)
        require_bodies_to_place("a dball joint", body1, body2, one, two, length)
        super().__init__(world, body1, body2, **options)
        if one is not None:
            self.anchor1 = one
        if two is not None:
            self.anchor2 = two
        if length is not None:
            self.distance = length

    @property
    def distance(self) -> float:
        """The rod's length, m; the distance of the anchors differs from it by the joint's error.

        A length that was set applies until an anchor is set or other bodies are attached.
        """
        return float(self._values["numbers"][LENGTH])

    @distance.setter
    def distance(self, value: float) -> None:
        length = checks.not_negative(self._say("the distance"), value)
        self._require_attached()
        self._record["numbers"][LENGTH] = length
