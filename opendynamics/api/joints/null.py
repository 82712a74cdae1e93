"""Null joint."""

from __future__ import annotations

from opendynamics.api.joints.joint import Joint


class Null(Joint):
    """Joint without constraints: links two bodies into one island, so that they sleep and wake together. See `Joint`."""

    __slots__ = ()

    kind = "null"
