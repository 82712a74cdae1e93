"""Joints that keep an anchor on each body at a distance from each other."""

from __future__ import annotations

from typing import Any

import numpy as np

from opendynamics.api import checks
from opendynamics.api.joints.joint import Array, OwnSoftness
from opendynamics.api.read_only import read_only
from opendynamics.api.types import Vector
from opendynamics.core.constrain.parts.distance import LENGTH


class Rod(OwnSoftness):
    """A joint that keeps an anchor on each body at a distance from each other."""

    __slots__ = ()

    def _note_rest_position(self) -> None:
        self._note_distance()

    def _note_distance(self) -> None:
        """Set the distance to that of the anchors at the current poses."""
        self._record["numbers"][LENGTH] = np.linalg.norm(self._anchor(1) - self._anchor(0))

    def _set_end(self, which: int, what: str, value: Any) -> None:
        point = checks.vector(self._say(what), value)
        self._set_anchor(self._inner(which), point)
        self._note_distance()

    @property
    def anchor1(self) -> Array:
        """The end on body1, m, shape (3,), in the world. Setting it keeps the distance that the ends have then."""
        return read_only(self._anchor(self._inner(0)))

    @anchor1.setter
    def anchor1(self, value: Vector) -> None:
        self._set_end(0, "anchor 1", value)

    @property
    def anchor2(self) -> Array:
        """The end on body2, m, shape (3,), in the world. Setting it keeps the distance that the ends have then."""
        return read_only(self._anchor(self._inner(1)))

    @anchor2.setter
    def anchor2(self, value: Vector) -> None:
        self._set_end(1, "anchor 2", value)

    @property
    def distance(self) -> float:
        """The rod's length, m; the distance of the anchors differs from it by the joint's error."""
        return float(self._values["numbers"][LENGTH])
