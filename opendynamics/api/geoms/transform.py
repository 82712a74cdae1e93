"""Geom transform: a geom in another geom's frame. Deprecated in ODE: every geom can have its own offset."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from opendynamics.api import checks
from opendynamics.api.body import Body
from opendynamics.api.geoms.geom import Array, Geom
from opendynamics.api.mass import Mass
from opendynamics.api.read_only import read_only
from opendynamics.api.types import Matrix, Place, Vector
from opendynamics.core.families import SHAPES

if TYPE_CHECKING:
    from typing_extensions import Unpack


_SAME_PLACE = 1e-12  # the transform's pose, computed from that of the encapsulated geom
_NOWHERE = np.zeros(3), np.eye(3)


class GeomTransform(Geom):
    """Encapsulates another geom, whose pose is relative to this one's frame. Kernels use the encapsulated geom.

    Args:
        geom: the encapsulated geom, without body and space; it may be set later.
        cleanup: whether destroying this also destroys the encapsulated geom.
        info: whether contacts report this geom instead of the encapsulated one.
        place: see `Geom`.
    """

    __slots__ = ("_displaced", "_held", "_held_pose", "cleanup", "info")

    shape = "transform"

    def __init__(
        self, geom: Geom | None = None, *, cleanup: bool = False, info: bool = False, **place: Unpack[Place]
    ) -> None:
        self._held: Geom | None = None
        self._held_pose = _NOWHERE
        self._displaced = False  # whether an offset was set, which may be none
        self.cleanup = checks.flag("cleanup of a geom transform", cleanup)
        self.info = checks.flag("info of a geom transform", info)
        if geom is not None:
            self._require_holdable("the new transform", geom)
        super().__init__((), **place)
        self.geom = geom

    @property
    def geom(self) -> Geom | None:
        """The encapsulated geom."""
        self._row  # noqa: B018
        return self._held

    @geom.setter
    def geom(self, geom: Geom | None) -> None:
        self._row  # noqa: B018
        if geom is self._held:
            return
        if geom is not None:
            self._require_holdable(self.name, geom)
        before = self._held  # its shape data is needed until the record changes
        if before is not None:
            before._carrier = None
        self._held = geom
        if geom is not None:
            geom._carrier = self
        self._follow()
        del before

    @staticmethod
    def _require_holdable(what: str, geom: Any) -> None:
        if not isinstance(geom, Geom) or isinstance(geom, GeomTransform):
            raise TypeError(f"the geom of {what} must be a geom that is no transform itself, not {geom!r}")
        if geom.shape == "custom":
            raise ValueError(f"{geom.name} is of a class of Python functions; give it an offset on its body instead")
        if not geom.placeable:
            raise ValueError(f"{geom.name} is a {geom.shape} and cannot be placed by a transform")
        if geom.body is not None or geom.space is not None or geom._carrier is not None:
            raise ValueError(f"{geom.name} must be on no body, in no space and in no other transform")

    def _follow(self) -> None:
        """Copy shape and pose of the encapsulated geom after a change, without moving this geom."""
        position, rotation = self.position, self.rotation
        offset = (self.offset_position, self.offset_rotation) if self._body is not None else None
        displaced = self._displaced
        record, held = self._record, self._held
        if held is None:
            record["kind"], record["data"], record["size"] = self._kind, 0, 0.0
            self._held_pose = _NOWHERE
        else:
            record["kind"], record["data"] = held._kind, held._values["data"]
            record["size"] = held._values["size"]
            self._held_pose = held.position, held.rotation
        if offset is None:
            self._place(position, rotation)
        else:
            self.offset_position, self.offset_rotation = offset
            self._displaced = displaced

    @property
    def _data_address(self) -> int:
        return 0 if self._held is None else self._held._data_address

    def _reported(self) -> Geom:
        return self if self.info or self._held is None else self._held

    def _solid(self) -> tuple[float, Array, Array]:
        if self._held is None:
            raise ValueError(f"{self.name} holds no geom and so has no mass; set its geom first")
        at, turn = self._held_pose
        mass = Mass(*self._held._solid()).rotate(turn).translate(at)
        return mass.mass, mass.inertia, mass.center

    def point_depth(self, point: Vector) -> float:
        """Signed depth, m, of a point of the world frame, shape (3,), inside the encapsulated geom; negative outside."""
        p = checks.vector("the point", point)
        return float(SHAPES.by_kind[int(self._values["kind"])].point_depth(self._address, *p))

    def destroy(self) -> None:
        """Remove the geom from its space and its body, and destroy it; with `cleanup` also the encapsulated geom."""
        held = self.geom
        super().destroy()
        if held is not None:
            held._carrier = None
            self._held = None
            if self.cleanup:
                held.destroy()

    # -- pose: the record has that of the encapsulated geom, from which the transform's own follows ----------------

    def _place(self, position: Any, rotation: Any) -> None:
        if self._body is not None:
            Geom.rotation.__set__(self, rotation)  # type: ignore[attr-defined]
            Geom.position.__set__(self, position)  # type: ignore[attr-defined]
            return
        at, turn = self._held_pose
        self._record["rotation"] = (rotation @ turn).reshape(9)
        self._record["position"] = position + rotation @ at

    @property
    def position(self) -> Array:
        """Position of the transform in the world, m, shape (3,)."""
        return read_only(np.array(self._fresh["position"]) - self.rotation @ self._held_pose[0])

    @position.setter
    def position(self, value: Vector) -> None:
        self._place(np.array(checks.vector(self._say("the position"), value)), self.rotation)

    @property
    def rotation(self) -> Array:
        """Orientation of the transform in the world frame as a matrix (3, 3)."""
        return read_only(self._fresh["rotation"].reshape(3, 3) @ self._held_pose[1].T)

    @rotation.setter
    def rotation(self, value: Matrix) -> None:
        self._place(self.position, checks.rotation(self._say("the rotation"), value))

    @property
    def body(self) -> Body | None:
        """The transform's body."""
        return Geom.body.__get__(self)  # type: ignore[no-any-return]

    @body.setter
    def body(self, body: Body | None) -> None:
        if body is self._body:
            return
        Geom.body.__set__(self, body)  # type: ignore[attr-defined]
        if body is not None and self._held is not None:
            self.offset_position, self.offset_rotation = _NOWHERE
        self._displaced = False

    @property
    def has_offset(self) -> bool:
        """Whether the transform has an offset from its body's frame."""
        self._row  # noqa: B018
        if self._body is None or self._displaced:
            return self._displaced
        position, turn = self.offset_position, self.offset_rotation
        return bool(abs(position).max() > _SAME_PLACE or abs(turn - np.eye(3)).max() > _SAME_PLACE)

    @property
    def offset_position(self) -> Array:
        """Position of the transform in the body's frame, m, shape (3,)."""
        return read_only(self._values["offset_position"] - self.offset_rotation @ self._held_pose[0])

    @offset_position.setter
    def offset_position(self, value: Vector) -> None:
        at = np.array(checks.vector(self._say("the offset"), value))
        inner = at + self.offset_rotation @ self._held_pose[0]
        Geom.offset_position.__set__(self, inner)  # type: ignore[attr-defined]
        self._displaced = True

    @property
    def offset_rotation(self) -> Array:
        """Orientation of the transform in the body's frame as a matrix (3, 3)."""
        return read_only(self._values["offset_rotation"].reshape(3, 3) @ self._held_pose[1].T)

    @offset_rotation.setter
    def offset_rotation(self, value: Matrix) -> None:
        matrix, at = checks.rotation(self._say("the offset"), value), self.offset_position
        Geom.offset_rotation.__set__(self, matrix @ self._held_pose[1])  # type: ignore[attr-defined]
        self.offset_position = at

    def clear_offset(self) -> None:
        """Reset the transform to its body's frame."""
        super().clear_offset()
        if self._body is not None and self._held is not None:
            self.offset_position, self.offset_rotation = _NOWHERE
        self._displaced = False
