"""Tree space: a bounding tree, as worlds use."""

from __future__ import annotations

from opendynamics.api.spaces.space import Space
from opendynamics.api.spaces.staging import best_broadphase


class TreeSpace(Space):
    """Keeps a tree of boxes between collisions, so that only geoms that have moved far are reinserted.

    The fastest for any number of geoms of any sizes, moving or not; a few are simply tested pair by pair. For the arguments
    see `Space`.
    """

    broadphase = "tree"

    def _broadphase_for(self, count: int) -> str:
        return best_broadphase(count)
