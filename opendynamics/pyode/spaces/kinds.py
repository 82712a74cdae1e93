"""The kinds of spaces."""

from __future__ import annotations

from typing import Any

from opendynamics import c_api as c
from opendynamics.api import checks
from opendynamics.pyode.sequences import three
from opendynamics.pyode.spaces.space import SpaceBase


class SimpleSpace(SpaceBase):
    """Tests every pair."""

    __slots__ = ()

    def _ode_make(self, space: Any = None) -> Any:
        return c.dSimpleSpaceCreate(self._ode_in(space))


class HashSpace(SpaceBase):
    """Finds pairs with cells of several sizes."""

    __slots__ = ()

    def _ode_make(self, space: Any = None) -> Any:
        return c.dHashSpaceCreate(self._ode_in(space))

    def setLevels(self, minlevel: int, maxlevel: int) -> None:
        """Set the smallest and the largest cell, as powers of two of a metre."""
        least, most = (checks.count("a level", level, -checks.MOST) for level in (minlevel, maxlevel))
        if least > most:
            raise ValueError(f"minlevel ({minlevel}) must be less than or equal to maxlevel ({maxlevel})")
        c.dHashSpaceSetLevels(self._ode_id, least, most)

    def getLevels(self) -> tuple[int, int]:
        """Return the smallest and the largest level."""
        least, most = c.dHashSpaceGetLevels(self._ode_id)
        return int(least), int(most)


class QuadTreeSpace(SpaceBase):
    """Finds pairs with a quad tree: `center` and half side lengths `extents` of the root, m, and `depth` of the tree."""

    __slots__ = ()

    def _ode_make(self, center: Any, extents: Any, depth: int, space: Any = None) -> Any:
        return c.dQuadTreeSpaceCreate(self._ode_in(space), three(center), three(extents), depth)


class SAPSpace(SpaceBase):
    """Finds pairs with sweep and prune; `sweep_order`: the axes, "XYZ" in any order."""

    __slots__ = ()

    def _ode_make(self, space: Any = None, sweep_order: str = "XYZ") -> Any:
        axes = getattr(c, f"dSAP_AXES_{sweep_order}", None)
        if axes is None:
            raise ValueError(f"the sweep order must be XYZ, XZY, YXZ, YZX, ZXY or ZYX, not {sweep_order!r}")
        return c.dSweepAndPruneSpaceCreate(self._ode_in(space), axes)


def Space(space_type: int = 0, **older: int) -> SpaceBase:
    """Return a new SimpleSpace (0) or HashSpace (1); before 2008 the argument was called `type`."""
    chosen = older.pop("type", space_type)
    if older:
        raise TypeError(f"Space() got an unexpected keyword argument {next(iter(older))!r}")
    if chosen == 0:
        return SimpleSpace()
    if chosen == 1:
        return HashSpace()
    raise ValueError(f"Unknown space type ({chosen}): 0 is a SimpleSpace, 1 a HashSpace")
