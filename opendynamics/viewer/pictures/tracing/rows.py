"""Rows of a picture: rays from the camera, what they meet, and the light from there.

Reads the tables of a drawing (geoms in geom_order, and a ray after them), VIEW, LIGHT, EFFORT and LOOKS; writes pixels,
sRGB (IEC 61966-2-1), 0 to 255.
"""

from __future__ import annotations

from math import sqrt

import numpy as np
import numpy.typing as npt

from opendynamics.core import types
from opendynamics.core.algebra.vec3 import add, add_scaled, dot, get3, length, scale
from opendynamics.core.arrays.geoms import GEOMS
from opendynamics.core.arrays.hits import RAY_HITS
from opendynamics.core.arrays.table import TABLES
from opendynamics.core.collide.ray_cast import NEAREST, cast_ray, prepare_to_cast
from opendynamics.core.kernels import entry, kernel
from opendynamics.viewer.pictures.tracing.casting import MISSING, cast_among
from opendynamics.viewer.pictures.tracing.lighting import FAR, hazed, lit, mark_lit, sky_colour
from opendynamics.viewer.pictures.tracing.occluders import look_for, occluders_of_view
from opendynamics.viewer.pictures.tracing.records import EFFORTS, KEPT, LIGHTS, LOOKS, MARK, OCCLUDERS, SOLID, VIEWS
from opendynamics.viewer.pictures.tracing.samples import UNKNOWN, in_pixel, turn_of
from opendynamics.viewer.pictures.tracing.surfaces import colour_at, mix

DISK = types.Array(types.float64, 2, "C")
STEPS = types.Array(types.float64, 1, "C")
PIXELS = types.Array(types.uint8, 3, "C")

# Part of its distance from the camera by which a point is lifted off its surface, so that it does not hide itself: a
# hundredth of what a pixel covers, and far more than collision is inexact by.
LIFT = 1.0e-5

TILE = 8  # pixels

# Which pixels are traced. With EVEN and then ODD, an odd pixel whose four neighbours are alike is interpolated.
EVEN, ODD, EVERY = range(3)
ALIKE = 4  # by which colours of neighbours may differ, of 255

# Where the first guesses at a colour stand behind its 256 steps, and how many amounts of light they are for.
FIRST_GUESS, GUESSES = 256, 4096

# What of a solid is seen through a mark behind its surface, so that contacts inside of things show.
THROUGH = 0.45


@entry(
    types.int64(
        *(TABLES, OCCLUDERS, VIEWS, LIGHTS, EFFORTS, LOOKS, DISK, DISK, STEPS, PIXELS),
        *(types.int64, types.int64, types.int64),
    ),
    nogil=True,
)
def trace_rows(tables, lists, views, lights, efforts, looks, sun, sky, steps, pixels, which, first, last):
    """Fill in the rows from `first` up to `last`. Returns `last`, or `first` if room or a kernel was lacking.

    `sun` and `sky` are the points of the disk for all rays of a pixel to the sun, and to the sky; `steps` is
    `encoding()`; `which` pixels: EVERY, or those of one colour of a chessboard, EVEN before ODD. Pixels are taken in
    tiles, as neighbours share lists of occluders.
    """
    if not prepare_to_cast(tables):
        return first
    view, scene = views[0], (lights[0], efforts[0], looks, lists, sun, sky)
    right, down = get3(view.right), get3(view.down)
    for left in range(0, pixels.shape[1], TILE):
        seen, listed = lists[2 * KEPT], False
        for y in range(first, last):
            for x in range(left, min(left + TILE, pixels.shape[1])):
                if which != EVERY and ((x + y) % 2 != which or (which == ODD and interpolated(pixels, x, y))):
                    continue
                if not listed:
                    corner = add_scaled(add_scaled(get3(view.corner), left, right), first, down)
                    across, deep = scale(TILE, right), scale(last - first, down)
                    seen, listed = occluders_of_view(tables, lists, get3(view.eye), corner, across, deep), True
                colour, done = pixel(tables, view, seen, scene, x, y)
                if not done:
                    return first
                for c in range(3):
                    pixels[y, x, c] = encoded(colour[c], steps)
    return last


@kernel
def interpolated(pixels, x, y):
    """Whether the four neighbours of a pixel are alike; it is then given their mean."""
    if x == 0 or y == 0 or x + 1 == pixels.shape[1] or y + 1 == pixels.shape[0]:
        return False
    for c in range(3):
        a, b, d, e = (
            int(pixels[y, x - 1, c]),
            int(pixels[y, x + 1, c]),
            int(pixels[y - 1, x, c]),
            int(pixels[y + 1, x, c]),
        )
        if max(max(a, b), max(d, e)) - min(min(a, b), min(d, e)) > ALIKE:
            return False
        pixels[y, x, c] = np.uint8((a + b + d + e + 2) // 4)
    return True


@kernel
def pixel(tables, view, seen, scene, x, y):
    """Mean colour of a pixel's samples, and whether all kernels were there."""
    effort = scene[1]
    total, turn = (0.0, 0.0, 0.0), ((x, y), turn_of(x, y) if effort.samples > 1 else UNKNOWN)
    for k in range(effort.samples):
        dx, dy = in_pixel(k, effort.samples)
        colour, done = seen_at(tables, view, seen, scene, x + dx, y + dy, k, turn)
        if not done:
            return total, False
        total = add(total, clipped(colour))
    return scale(1.0 / effort.samples, total), True


@kernel
def seen_at(tables, view, seen, scene, x, y, sample, turn):
    """Colour at a point of the picture, and whether all kernels were there."""
    light, effort, looks = scene[0], scene[1], scene[2]
    offset = add_scaled(add_scaled(get3(view.corner), x, get3(view.right)), y, get3(view.down))
    far = length(offset)
    along = scale(1.0 / far, offset)
    look_for(tables, SOLID)
    hit = cast_among(tables, seen, get3(view.eye), along, FAR)
    place, distance, _ = hit
    if place == MISSING:
        return along, False
    if place < 0:
        colour = sky_colour(light, along)
    else:
        colour, done = surface(tables, view, scene, hit, offset, far, along, sample, turn)
        if not done:
            return along, False
    if effort.marks == 0:
        return colour, True
    look_for(tables, MARK)
    found = cast_ray(tables, get3(view.eye), along, FAR, NEAREST)
    if found > 0:
        mark = RAY_HITS.rows(tables)[0]
        over = mark_lit(get3(looks[mark.geom].colour), get3(mark.normal), along)
        colour = over if mark.distance < distance * (1.0 + LIFT) else mix(over, colour, THROUGH)
    return colour, found >= 0


@kernel
def surface(tables, view, scene, hit, offset, far, along, sample, turn):
    """Colour of the surface that the ray has met; `far` is the length of its `offset` to the picture."""
    light, effort, looks = scene[0], scene[1], scene[2]
    place, distance, normal = hit
    point = add_scaled(get3(view.eye), distance, along)
    look, geom = looks[place], GEOMS.rows(tables)[place]
    # How the point moves when the ray goes through the next sample: it stays in the surface's tangent plane.
    root = sqrt(1.0 * effort.samples)
    apart = distance / (far * root)
    dx = scale(apart, moved(get3(view.right), offset, normal))
    dy = scale(apart, moved(get3(view.down), offset, normal))
    breadth = apart * view.breadth / max(-dot(normal, along), 0.1)
    colour = colour_at(look, geom, point, dx, dy, breadth)
    above = add_scaled(point, LIFT * distance, normal)
    colour, done = lit(tables, scene, place, colour, above, breadth * root, normal, along, sample, turn)
    return hazed(light, colour, distance), done


@kernel
def moved(step, offset, normal):
    """`step` of a ray's direction as a displacement along the plane that it meets."""
    rise = dot(normal, offset)
    return add_scaled(step, -dot(normal, step) / rise, offset) if rise != 0.0 else step


@kernel
def clipped(colour):
    """At most white, so that one bright sample does not outshine a pixel's others."""
    return min(colour[0], 1.0), min(colour[1], 1.0), min(colour[2], 1.0)


@kernel
def encoded(x, steps):
    """A colour of sRGB, 0 to 255, for an amount of light."""
    code = int(steps[FIRST_GUESS + int(min(max(x, 0.0), 1.0) * GUESSES)])
    while x >= steps[code]:
        code += 1
    return np.uint8(code)


def encoding() -> npt.NDArray[np.float64]:
    """What `encoded` looks up: the amounts of light from which on a colour is 1, 2 and so on, then colours at even amounts."""
    half = (np.arange(255) + 0.5) / 255.0
    steps = np.where(half <= 0.04045, half / 12.92, ((half + 0.055) / 1.055) ** 2.4)
    guesses = np.searchsorted(steps, np.arange(GUESSES + 1) / GUESSES, side="right")
    return np.concatenate([steps, [np.inf], guesses])
