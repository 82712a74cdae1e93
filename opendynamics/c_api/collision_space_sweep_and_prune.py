"""collision_space.h: sweep and prune."""

from __future__ import annotations

from opendynamics.api.spaces.space import Space
from opendynamics.api.spaces.sweep_and_prune import SweepAndPruneSpace
from opendynamics.c_api.common.identifiers import dSpaceID
from opendynamics.c_api.ids import Null, or_null

# The first axis, the second << 2, the third << 4.
dSAP_AXES_XYZ = 0 | 1 << 2 | 2 << 4
dSAP_AXES_XZY = 0 | 2 << 2 | 1 << 4
dSAP_AXES_YXZ = 1 | 0 << 2 | 2 << 4
dSAP_AXES_YZX = 1 | 2 << 2 | 0 << 4
dSAP_AXES_ZXY = 2 | 0 << 2 | 1 << 4
dSAP_AXES_ZYX = 2 | 1 << 2 | 0 << 4


def dSweepAndPruneSpaceCreate(space: dSpaceID | Null, axisorder: int) -> dSpaceID:
    """In `space`, if that is not null; `axisorder` is one of dSAP_AXES_XYZ and so on."""
    axes = {
        dSAP_AXES_XYZ: "xyz",
        dSAP_AXES_XZY: "xzy",
        dSAP_AXES_YXZ: "yxz",
        dSAP_AXES_YZX: "yzx",
        dSAP_AXES_ZXY: "zxy",
        dSAP_AXES_ZYX: "zyx",
    }.get(axisorder)
    if axes is None:
        raise ValueError(f"the order of the axes must be one of dSAP_AXES_XYZ and so on, not {axisorder!r}")
    return SweepAndPruneSpace(axes=axes, space=or_null(Space, space), like="ode")
