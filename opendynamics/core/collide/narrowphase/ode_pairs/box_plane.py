"""Box and plane as in `planes/`, but only corners that are not above the plane at all, as ODE has them."""

from __future__ import annotations

from opendynamics.core.collide.narrowphase.collider import PAIR
from opendynamics.core.collide.narrowphase.planes.box_plane import collide_raised
from opendynamics.core.kernels import entry


@entry(PAIR)
def collide(a, b, limit, points, scratch):
    return collide_raised(a, b, 0.0, limit, points, scratch, False)
