"""Ray: a thin prism from its start to its end."""

from __future__ import annotations

from typing import Any

from opendynamics.viewer.meshes.building.mesh import Mesh, join
from opendynamics.viewer.meshes.building.revolution import revolve

# Half the thickness: relative to the length, and maximum, m.
THIN, MOST = 0.005, 0.01

SIDES = 8


def key(geom: Any) -> tuple[str]:
    """All rays share one."""
    return ("ray",)


def mesh(geom: Any, detail: Any) -> Mesh:
    """A prism with edges at radius 1, from the origin to z = 1."""
    ends = revolve((0.0, 1.0), (0.0, 0.0), SIDES), revolve((1.0, 0.0), (1.0, 1.0), SIDES)
    return join([ends[0], revolve((1.0, 1.0), (0.0, 1.0), SIDES), ends[1]])


def scale(geom: Any, detail: Any) -> Any:
    """Half the thickness, twice, and the length, m."""
    thin = min(THIN * geom.length, MOST)
    return thin, thin, geom.length
