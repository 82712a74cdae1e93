"""Heightfields that hide no sun, or none of the sky, from points on them.

Over a triangle that faces a ray's direction from above, the ray gains height over the surface: with the slope g of the surface
and the direction d, d_y - g . d_h > 0. So a ray from a point on the surface never meets it again if every cell on its way either
faces it, or lies wholly below it. Of rays in all directions within a reach, those are sure not to meet it that gain height over
every slope there is between the least and the largest within reach.

Reads GEOMS and the grid of a heightfield, in its frame (y up), and the ball and the range of directions of an occluder list.
"""

from __future__ import annotations

from math import floor, inf, sqrt

from opendynamics.core.algebra.mat3 import get9, transposed_times
from opendynamics.core.algebra.vec3 import get3, length, subtract
from opendynamics.core.bodies.triangles import surface_of
from opendynamics.core.bodies.triangles.grid import grid_at, sample
from opendynamics.core.kernels import kernel

MAX_CELLS = 4096  # that are looked at for one list
CLEAR = 1.0e-6  # rise of a ray over a surface of slope 1 below which it is not said to rise


@kernel
def hides_no_sun(geom, listed):
    """Whether no ray of the list, which starts in its ball, on the heightfield's surface, meets the heightfield."""
    grid = grid_at(surface_of(geom).data)
    if grid.wrap != 0:
        return False
    turn = get9(geom.rotation)
    middle = transposed_times(turn, subtract(get3(listed.middle), get3(geom.position)))
    slow, fast = get3(listed.slowest), get3(listed.fastest)
    mean = (0.5 * (slow[0] + fast[0]), 0.5 * (slow[1] + fast[1]), 0.5 * (slow[2] + fast[2]))
    spread = 0.5 * length(subtract(fast, slow))
    along, radius = transposed_times(turn, mean), listed.radius
    rise = along[1] - spread
    if rise <= CLEAR:
        return False
    # As long as the ray is not above the highest sample, it is over one of these cells.
    until = max(grid.high - middle[1] + radius, 0.0) / rise
    i0, i1 = _cells(middle[0], radius, along[0], spread, until, grid.first_x, grid.cell_x, grid.columns)
    k0, k1 = _cells(middle[2], radius, along[2], spread, until, grid.first_z, grid.cell_z, grid.rows)
    if (i1 - i0 + 1) * (k1 - k0 + 1) > MAX_CELLS:
        return False
    pace = sqrt(along[0] * along[0] + along[2] * along[2])
    half = 0.5 * sqrt(grid.cell_x * grid.cell_x + grid.cell_z * grid.cell_z)
    for k in range(k0, k1 + 1):
        for i in range(i0, i1 + 1):
            a, b, c, d = sample(grid, i, k), sample(grid, i + 1, k), sample(grid, i, k + 1), sample(grid, i + 1, k + 1)
            if _faces(along, spread, (b[1] - a[1]) / grid.cell_x, (c[1] - a[1]) / grid.cell_z) and _faces(
                along, spread, (d[1] - c[1]) / grid.cell_x, (d[1] - b[1]) / grid.cell_z
            ):
                continue
            x, z = 0.5 * (a[0] + d[0]) - middle[0], 0.5 * (a[2] + d[2]) - middle[2]
            away = max(sqrt(x * x + z * z) - half - radius, 0.0)
            soon = away / (pace + spread)
            aside = abs(x * along[2] - z * along[0]) - (half + radius) * pace - spread * until * pace
            if aside > 0.0 or middle[1] - radius + rise * soon > max(max(a[1], b[1]), max(c[1], d[1])) + CLEAR:
                continue
            return False
    return True


@kernel
def note_slopes(geom, listed, reach):
    """Note the least and largest slopes within reach of the ball; they stay infinite where those are too many cells."""
    grid, slopes = grid_at(surface_of(geom).data), listed.slopes
    if grid.wrap != 0:
        return
    middle = transposed_times(get9(geom.rotation), subtract(get3(listed.middle), get3(geom.position)))
    far = listed.radius + reach
    i0, i1 = _cells(middle[0], far, 0.0, 0.0, 0.0, grid.first_x, grid.cell_x, grid.columns)
    k0, k1 = _cells(middle[2], far, 0.0, 0.0, 0.0, grid.first_z, grid.cell_z, grid.rows)
    if (i1 - i0 + 1) * (k1 - k0 + 1) > MAX_CELLS:
        return
    slopes[0], slopes[1], slopes[2], slopes[3] = inf, -inf, inf, -inf
    for k in range(k0, k1 + 1):
        for i in range(i0, i1 + 1):
            a, b = sample(grid, i, k)[1], sample(grid, i + 1, k)[1]
            c, d = sample(grid, i, k + 1)[1], sample(grid, i + 1, k + 1)[1]
            slopes[0], slopes[1] = min(slopes[0], min(b - a, d - c)), max(slopes[1], max(b - a, d - c))
            slopes[2], slopes[3] = min(slopes[2], min(c - a, d - b)), max(slopes[3], max(c - a, d - b))
    for at in range(4):
        slopes[at] /= grid.cell_x if at < 2 else grid.cell_z


@kernel
def leaves_ground(geom, listed, along):
    """Whether no ray in this direction, which starts in the list's ball, on the heightfield's surface, meets that in reach."""
    x, y, z = transposed_times(get9(geom.rotation), along)
    slopes = listed.slopes
    return y > CLEAR + max(slopes[0] * x, slopes[1] * x) + max(slopes[2] * z, slopes[3] * z)


@kernel
def _faces(along, spread, x, z):
    """Whether a surface with this slope is left upwards by all directions that differ from `along` by at most `spread`."""
    steep = sqrt(1.0 + x * x + z * z)
    return along[1] - x * along[0] - z * along[2] > (spread + CLEAR) * steep


@kernel
def _cells(start, radius, along, spread, until, first, width, samples):
    """First and last cell that rays pass over on an axis."""
    low = start - radius + min((along - spread) * until, 0.0)
    high = start + radius + max((along + spread) * until, 0.0)
    return max(int(floor((low - first) / width)), 0), min(int(floor((high - first) / width)), samples - 2)
