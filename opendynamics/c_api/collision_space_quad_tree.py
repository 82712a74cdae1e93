"""collision_space.h: quad trees."""

from __future__ import annotations

from typing import Any

from opendynamics.api.spaces.quad_tree import QuadTreeSpace
from opendynamics.api.spaces.space import Space
from opendynamics.c_api.common.identifiers import dSpaceID
from opendynamics.c_api.ids import Null, or_null


def dQuadTreeSpaceCreate(space: dSpaceID | Null, Center: Any, Extents: Any, Depth: int) -> dSpaceID:
    """In `space`, if that is not null; `Extents` are the half side lengths of the root block."""
    # ODE's vectors have a fourth number without meaning.
    return QuadTreeSpace(Center[:3], Extents[:3], Depth, space=or_null(Space, space), like="ode")
