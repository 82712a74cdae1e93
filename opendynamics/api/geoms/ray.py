"""Ray."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from opendynamics.api import checks
from opendynamics.api.geoms.geom import Array, Geom
from opendynamics.api.read_only import read_only
from opendynamics.api.types import Place, Vector
from opendynamics.core.bodies.shapes.ray import BACKFACE_CULL, CLOSEST_HIT, FIRST_CONTACT

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Ray(Geom):
    """A ray of finite length, for intersection queries. It causes no forces.

    `collide(ray, geom)` returns at most one contact: its position is the hit, its depth the distance from the start, its normal
    the surface's, facing the ray. A ray that starts inside a shape hits where it leaves.

    Args:
        length: m.
        start: origin of the ray, m; the same as `position`.
        direction: direction of the ray, of any length except zero; the z axis of the geom's frame.
        first_contact, backface_cull, closest_hit: see the properties.
        place: see `Geom`; with a quaternion, the ray points along its z axis.
    """

    __slots__ = ()

    shape = "ray"
    size_count = 1

    def __init__(
        self,
        length: float,
        start: Vector | None = None,
        direction: Vector | None = None,
        *,
        first_contact: bool = False,
        backface_cull: bool = False,
        closest_hit: bool = False,
        **place: Unpack[Place],
    ) -> None:
        reach = checks.positive("the length of a ray", length)
        if start is not None and place.get("position") is not None:
            raise ValueError("give the start of a ray or its position, not both: they are the same")
        turned = place.get("quaternion") is not None or place.get("rotation") is not None
        if direction is not None and turned:
            raise ValueError("give the direction of a ray, or its quaternion or rotation, not both")
        if start is not None:
            place["position"] = start
        if direction is not None:
            place["quaternion"] = _quaternion_along(checks.direction("the direction of a ray", direction))
        modes = (first_contact, FIRST_CONTACT), (backface_cull, BACKFACE_CULL), (closest_hit, CLOSEST_HIT)
        flags = sum(bit for wanted, bit in modes if checks.flag("each mode of a ray", wanted))
        super().__init__((reach, float(flags)), **place)

    @property
    def length(self) -> float:
        """Length, m."""
        return float(self._values["size"][0])

    @length.setter
    def length(self, length: float) -> None:
        self._set_size(checks.positive(self._say("the length"), length))

    @property
    def start(self) -> Array:
        """Origin of the ray, m, shape (3,), the same as `position`; zero unless given."""
        return read_only(self.position)

    @start.setter
    def start(self, start: Vector) -> None:
        self.position = checks.vector(self._say("the start"), start)

    @property
    def direction(self) -> Array:
        """Unit vector along the ray, shape (3,); z unless given. It may be set to a vector of any length except zero."""
        return read_only(self.rotation[:, 2])

    @direction.setter
    def direction(self, direction: Vector) -> None:
        along = checks.direction(self._say("the direction"), direction)
        self.quaternion = _quaternion_along(along)
        if self._body is None:  # without rounding: a level ray is parallel to the ground
            self._record["rotation"][2::3] = along

    def set(self, start: Vector, direction: Vector) -> None:
        """Set origin, m, and direction of the ray; the direction has any length except zero."""
        at = checks.vector(self._say("the start"), start)
        self.direction = direction
        self.position = at

    def _flag(self, bit: int) -> bool:
        return bool(int(self._values["size"][1]) & bit)

    def _set_flag(self, what: str, bit: int, wanted: Any) -> None:
        chosen = checks.flag(self._say(what), wanted)
        flags = int(self._values["size"][1])
        self._set_size(self.length, float(flags | bit if chosen else flags & ~bit))

    @property
    def first_contact(self) -> bool:
        """Whether any hit of a mesh is sufficient, even if it is not the nearest; False by default."""
        return self._flag(FIRST_CONTACT)

    @first_contact.setter
    def first_contact(self, wanted: bool) -> None:
        self._set_flag("first_contact", FIRST_CONTACT, wanted)

    @property
    def backface_cull(self) -> bool:
        """Whether the ray ignores triangles of a mesh that face away from its origin; False by default."""
        return self._flag(BACKFACE_CULL)

    @backface_cull.setter
    def backface_cull(self, wanted: bool) -> None:
        self._set_flag("backface_cull", BACKFACE_CULL, wanted)

    @property
    def closest_hit(self) -> bool:
        """Whether only the nearest hit of a mesh is reported; False by default."""
        return self._flag(CLOSEST_HIT)

    @closest_hit.setter
    def closest_hit(self, wanted: bool) -> None:
        self._set_flag("closest_hit", CLOSEST_HIT, wanted)


def _quaternion_along(direction: tuple[float, ...]) -> Array:
    """Shortest rotation from z to a unit vector d: (1 + z·d, z x d), normalised."""
    x, y, z = direction
    if z < 0.0:  # rotate to the half turn about x and from there, which avoids cancellation
        return np.array((-y, 1.0 - z, 0.0, x))
    return np.array((1.0 + z, -y, x, 0.0))
