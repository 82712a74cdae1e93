"""Every geom against every other."""

from __future__ import annotations

from opendynamics.api.spaces.space import Space


class SimpleSpace(Space):
    """Tests every pair: right for up to some dozens of geoms. For the arguments see `Space`."""

    broadphase = "simple"
