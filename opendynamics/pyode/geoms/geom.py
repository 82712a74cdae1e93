"""Base class of geoms; spaces are geoms, too, without a pose."""

from __future__ import annotations

from collections.abc import Callable
from sys import is_finalizing
from typing import Any, ClassVar
from weakref import ref

from opendynamics import c_api as c
from opendynamics.pyode.body import Body
from opendynamics.pyode.handle import Attributed, id_of
from opendynamics.pyode.lifetime import clean_up, forget, keep
from opendynamics.pyode.sequences import Quaternion, Vector, four, nine, quaternion, three, twelve, vector, whole


class GeomObject(Attributed):
    """A geom, which is destroyed, and removed from its space, when it is no longer referenced."""

    __slots__ = ("_ode_body", "_ode_space")

    _ode_noun = "geom"
    _ode_placeable: ClassVar[bool] = True
    _ode_body: Body | None

    def _ode_made(self) -> None:
        c.dGeomSetData(self._ode_id, ref(self))
        keep(self._ode_id)

    def _ode_in(self, space: Any) -> Any:
        """Record the space of a new geom; returns its C ID."""
        from opendynamics.pyode.spaces.space import SpaceBase

        identifier = id_of(SpaceBase, "the space of a geom", space, none=True)
        clean_up()
        self._ode_space, self._ode_body = space, None
        return identifier

    def __del__(self, is_finalizing: Callable[[], bool] = is_finalizing) -> None:
        if not is_finalizing() and self._ode_arguments is None:
            forget(self._ode_id)

    def _ode_no_attribute(self, name: str) -> str:
        return f"geom has no attribute {name!r}"

    @property
    def attribs(self) -> dict[str, Any]:
        """The attributes that the user set."""
        attributes: dict[str, Any] = self._ode_attributes
        return attributes

    def _id(self) -> int:
        """A number that is unique while this geom exists."""
        return id(self._ode_id)

    def placeable(self) -> bool:
        """Whether the geom has a pose and can be attached to a body."""
        return self._ode_placeable

    def isSpace(self) -> int:
        return int(c.dGeomIsSpace(self._ode_id))

    def getSpace(self) -> Any:
        """Return the space that was passed to the constructor, as PyODE does, or None."""
        return self._ode_space

    def _ode_require_placeable(self, message: str) -> None:
        if not self.placeable():
            raise ValueError(f"{message}: this is a {type(self).__name__}")

    # -- body and offset -------------------------------------------------------------------------------------------

    def setBody(self, body: Body | None) -> None:
        """Attach the geom to a body; None leaves it where it is."""
        self._ode_require_placeable("Non-placeable geoms cannot have a body associated to them")
        c.dGeomSetBody(self._ode_id, id_of(Body, "the body of a geom", body, none=True))
        self._ode_body = body

    def getBody(self) -> Body | None:
        return self._ode_body

    def _ode_require_body(self) -> None:
        self._ode_require_placeable("Non-placeable geoms cannot have an offset")
        if self._ode_body is None:
            raise ValueError("a geom without a body cannot have an offset: call setBody first")

    def setOffsetPosition(self, pos: Any) -> None:
        """Set the position in the body's frame, m."""
        self._ode_require_body()
        c.dGeomSetOffsetPosition(self._ode_id, *three(pos))

    def getOffsetPosition(self) -> Vector:
        self._ode_require_placeable("Non-placeable geoms cannot have an offset")
        return vector(c.dGeomGetOffsetPosition(self._ode_id))

    def setOffsetRotation(self, R: Any) -> None:
        """Set the orientation in the body's frame by a matrix, 9 numbers, row-major."""
        self._ode_require_body()
        c.dGeomSetOffsetRotation(self._ode_id, twelve(R))

    def getOffsetRotation(self) -> list[float]:
        self._ode_require_placeable("Non-placeable geoms cannot have an offset")
        return nine(c.dGeomGetOffsetRotation(self._ode_id))

    def setOffsetQuaternion(self, q: Any) -> None:
        """Set the orientation in the body's frame by a quaternion (w, x, y, z)."""
        self._ode_require_body()
        c.dGeomSetOffsetQuaternion(self._ode_id, four(q))

    def clearOffset(self) -> None:
        """Reset the geom to its body's frame."""
        self._ode_require_placeable("Non-placeable geoms cannot have an offset")
        c.dGeomClearOffset(self._ode_id)

    # -- pose ------------------------------------------------------------------------------------------------------

    def setPosition(self, pos: Any) -> None:
        """Set the position, m; this moves the geom's body, if there is one."""
        self._ode_require_placeable("Cannot set a position on non-placeable geoms")
        c.dGeomSetPosition(self._ode_id, *three(pos))

    def getPosition(self) -> Vector:
        self._ode_require_placeable("Non-placeable geoms do not have a position")
        return vector(c.dGeomGetPosition(self._ode_id))

    def setRotation(self, R: Any) -> None:
        """Set the orientation by a matrix, 9 numbers, row-major."""
        self._ode_require_placeable("Cannot set a rotation on non-placeable geoms")
        c.dGeomSetRotation(self._ode_id, twelve(R))

    def getRotation(self) -> list[float]:
        """Return the orientation as a matrix, a list of 9 numbers, row-major."""
        self._ode_require_placeable("Non-placeable geoms do not have a rotation")
        return nine(c.dGeomGetRotation(self._ode_id))

    def setQuaternion(self, q: Any) -> None:
        """Set the orientation by a quaternion (w, x, y, z)."""
        self._ode_require_placeable("Cannot set a quaternion on non-placeable geoms")
        c.dGeomSetQuaternion(self._ode_id, four(q))

    def getQuaternion(self) -> Quaternion:
        self._ode_require_placeable("Non-placeable geoms do not have an orientation")
        return quaternion(c.dGeomGetQuaternion(self._ode_id))

    def getAABB(self) -> tuple[float, ...]:
        """Return the bounding box: x min, x max, y min, y max, z min, z max, m."""
        clean_up()
        return tuple(c.dGeomGetAABB(self._ode_id).tolist())

    # -- collision filter ------------------------------------------------------------------------------------------

    def setCategoryBits(self, bits: int) -> None:
        c.dGeomSetCategoryBits(self._ode_id, _bits("the category bits of a geom", bits))

    def getCategoryBits(self) -> int:
        return int(c.dGeomGetCategoryBits(self._ode_id))

    def setCollideBits(self, bits: int) -> None:
        c.dGeomSetCollideBits(self._ode_id, _bits("the collide bits of a geom", bits))

    def getCollideBits(self) -> int:
        return int(c.dGeomGetCollideBits(self._ode_id))

    def enable(self) -> None:
        c.dGeomEnable(self._ode_id)

    def disable(self) -> None:
        c.dGeomDisable(self._ode_id)

    def isEnabled(self) -> int:
        return int(c.dGeomIsEnabled(self._ode_id))


class PointDepth(GeomObject):
    """A geom with a depth function."""

    __slots__ = ()

    def pointDepth(self, p: Any) -> float:
        """Return the signed depth of a world point inside the geom, m; negative outside."""
        return float(self._ode_id.point_depth(three(p)))


def _bits(what: str, bits: Any) -> int:
    """Bits converted as to C's unsigned long: fractions are truncated, negative numbers rejected."""
    number = whole(what, bits)
    if not 0 <= number < 1 << 64:
        raise OverflowError(f"{what} must be from 0 to 2**64 - 1, not {bits!r}")
    return number


def geom_of(identifier: Any) -> Any:
    """The geom or space that has this C ID; None if it was destroyed."""
    reference = identifier.data
    return reference() if isinstance(reference, ref) else None
