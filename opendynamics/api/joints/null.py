"""Null joint."""

from __future__ import annotations

from opendynamics.api.joints.joint import Joint


class Null(Joint):
    """Two bodies that nothing holds together, but that rest and wake together. For the arguments see `Joint`."""

    __slots__ = ()

    kind = "null"
