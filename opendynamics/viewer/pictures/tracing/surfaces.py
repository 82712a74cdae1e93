"""Colour of a point of a surface: patterns that stay on the body, so that one sees it turn.

Edges of patterns are smooth over the breadth that a sample has on the surface. Squares are filtered exactly: the mean of a
square wave over an interval is the difference of two triangle waves, and that of their product over a parallelogram is
nearly the product of the means. So they fade into their mean towards the horizon instead of making moire.
"""

from __future__ import annotations

from math import floor

from opendynamics.core.algebra.mat3 import get9, transposed_times
from opendynamics.core.algebra.vec3 import add, dot, get3, scale, subtract
from opendynamics.core.kernels import kernel
from opendynamics.viewer.pictures.tracing.records import EDGES, EIGHTHS, SQUARES


@kernel
def colour_at(look, geom, point, dx, dy, breadth):
    """Linear colour. `dx`, `dy`: how the point moves on the surface from sample to sample; `breadth`: about how far, m."""
    first, second = get3(look.colour), get3(look.second)
    if look.pattern == SQUARES:
        offset = subtract(point, get3(look.origin))
        along, across = get3(look.along), get3(look.across)
        wide = (abs(dot(dx, along)) + abs(dot(dy, along))) / look.cell
        deep = (abs(dot(dx, across)) + abs(dot(dy, across))) / look.cell
        wave = square_wave(dot(offset, along) / look.cell, wide) * square_wave(dot(offset, across) / look.cell, deep)
        return mix(first, second, 0.5 - 0.5 * wave)
    if look.pattern == EIGHTHS:
        p = transposed_times(get9(geom.rotation), subtract(point, get3(geom.position)))
        wave = _side(p[0], breadth) * _side(p[1], breadth) * _side(p[2], breadth)
        return mix(first, second, 0.5 - 0.5 * wave)
    if look.pattern == EDGES:
        p = transposed_times(get9(geom.rotation), subtract(point, get3(geom.position)))
        return mix(first, second, _edge(geom.size, p, look.cell, breadth))
    return first


@kernel
def square_wave(x, breadth):
    """Mean over `breadth` about x of a wave that is 1 on (0, 1), -1 on (1, 2), and so on."""
    w = max(breadth, 1.0e-9)
    return (_triangle_wave(x + 0.5 * w) - _triangle_wave(x - 0.5 * w)) / w


@kernel
def _triangle_wave(x):
    """Integral of the square wave, but for a constant."""
    place = x - 2.0 * floor(0.5 * x)
    return place if place < 1.0 else 2.0 - place


@kernel
def _side(x, breadth):
    """The sign of x, passing zero over `breadth`."""
    return min(max(2.0 * x / breadth, -1.0), 1.0)


@kernel
def _edge(lengths, p, cell, breadth):
    """How much of a sample on a face of a box is within `cell` of an edge."""
    x, y, z = 0.5 * lengths[0] - abs(p[0]), 0.5 * lengths[1] - abs(p[1]), 0.5 * lengths[2] - abs(p[2])
    # The least is zero, on the face; the one after it is how far the next edge is.
    away = max(min(x, y), min(max(x, y), z))
    inside = min(max((cell - away) / breadth + 0.5, 0.0), 1.0)
    return inside * min(1.0, 2.0 * cell / breadth)


@kernel
def mix(a, b, part):
    """a where `part` is 0, b where it is 1."""
    return add(scale(1.0 - part, a), scale(part, b))
