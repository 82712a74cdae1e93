"""Simple space: every geom against every other."""

from __future__ import annotations

from opendynamics.api.spaces.space import Space


class SimpleSpace(Space):
    """Tests every pair; suitable for up to a few dozen geoms. For the arguments see `Space`."""

    broadphase = "simple"
