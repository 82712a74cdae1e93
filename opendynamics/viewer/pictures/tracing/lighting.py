"""Light on a surface and the sky behind everything.

    light = colour * (sun * n.s * seen + sky(n) * open) + gloss * mirrored sun

`seen` is the part of the sun's disk that nothing hides: rays spread over it make soft shadows. The sky's light goes from
the ground's colour below to the sky's above; `open` is the part of it that comes through, by rays spread like the cosine
over the hemisphere (Malley's method), each hidden the more, the nearer it meets something. The mirror is Blinn's (Models
of light reflection for computer synthesized pictures, 1977).
"""

from __future__ import annotations

from math import exp, sqrt

from opendynamics.core.algebra.vec3 import add, add_scaled, dot, get3, negate, normalize, plane_space, scale
from opendynamics.core.arrays.dynamic_tree import NODES, PROXIES, TREE
from opendynamics.core.arrays.geoms import GEOMS
from opendynamics.core.arrays.hits import RAY_HITS
from opendynamics.core.collide.ray_cast import ANY, NEAREST, cast_ray
from opendynamics.core.kernels import kernel
from opendynamics.viewer.pictures.tracing.records import SHADING, SOLID
from opendynamics.viewer.pictures.tracing.samples import on_disk
from opendynamics.viewer.pictures.tracing.surfaces import mix

FAR = 1.0e10  # m
DARKEST = 0.15  # part of the sky's light that reaches the narrowest corner, from things beside it
SHININESS = 60.0
HAZIEST = 0.7  # part that haze hides at most: the horizon stays visible
FALLOFF = 6.0  # of the sky's colour from the horizon to straight above


@kernel
def look_for(tables, bits):
    """Let the rays that are cast from now on meet geoms of these category bits."""
    GEOMS.rows(tables)[TREE.rows(tables)[0].geoms].collide = bits


@kernel
def sky_colour(light, along):
    """What is seen where nothing is."""
    height = dot(along, get3(light.up))
    beyond = get3(light.zenith) if height > 0.0 else get3(light.nadir)
    return mix(beyond, get3(light.horizon), exp(-FALLOFF * abs(height)))


@kernel
def lit(tables, light, effort, look, place, colour, point, normal, along, sample, turn):
    """Colour of a point of the geom at `place` that is looked at along a ray, and whether all kernels were there.

    `point` is a little above the surface, `normal` looks towards the camera.
    """
    seen = sun_seen(tables, light, effort, point, normal, sample, turn)
    free = 1.0
    if effort.ambient > 0 and not is_alone(tables, light, place, point):
        free = sky_open(tables, light, effort, point, normal, sample, turn)
    if seen < 0.0 or free < 0.0:
        return colour, False
    sun, facing = get3(light.sun), dot(normal, get3(light.sun))
    level = 0.5 + 0.5 * dot(normal, get3(light.up))
    strength = scale(free, mix(get3(light.ground), get3(light.sky), level))
    shine = 0.0
    if seen > 0.0:
        strength = add_scaled(strength, seen * facing, get3(light.sun_colour))
        halfway = normalize(add(sun, negate(along)))
        shine = seen * look.gloss * max(dot(normal, halfway), 0.0) ** SHININESS
    reflected = (colour[0] * strength[0], colour[1] * strength[1], colour[2] * strength[2])
    return add_scaled(reflected, shine, get3(light.sun_colour)), True


@kernel
def sun_seen(tables, light, effort, point, normal, sample, turn):
    """Part of the sun that is seen from a point; negative: a kernel has to be loaded."""
    middle = get3(light.sun)
    if dot(normal, middle) <= 0.0:
        return 0.0
    if effort.shadows == 0:
        return 1.0
    look_for(tables, SHADING)
    # Rays of all samples of a pixel together cover the disk evenly, and so do those of each.
    total, seen = effort.shadows * effort.samples, 0
    for j in range(effort.shadows):
        x, y = on_disk(j * effort.samples + sample, total, turn)
        along = normalize(add_scaled(add_scaled(middle, x, get3(light.sun_right)), y, get3(light.sun_up)))
        if dot(normal, along) <= 0.0:
            continue
        found = cast_ray(tables, point, along, FAR, ANY)
        if found < 0:
            return -1.0
        seen += 1 - found
    return seen / effort.shadows


@kernel
def is_alone(tables, light, place, point):
    """Whether a point of a plane has nothing near it, at one look: nothing hides the sky of much of the ground."""
    tree = TREE.rows(tables)[0]
    if PROXIES.rows(tables)[place].node != 0 or tree.geoms - tree.bounded > 1:
        return False
    box, square = NODES.rows(tables)[1].bounds, 0.0
    for axis in range(3):
        away = max(max(box[2 * axis] - point[axis], point[axis] - box[2 * axis + 1]), 0.0)
        square += away * away
    return tree.bounded == 0 or square > light.reach * light.reach


@kernel
def sky_open(tables, light, effort, point, normal, sample, turn):
    """Part of the sky's light that reaches a point; negative: a kernel has to be loaded."""
    look_for(tables, SOLID)
    p, q = plane_space(normal)
    total, hidden = effort.ambient * effort.samples, 0.0
    for j in range(effort.ambient):
        x, y = on_disk(j * effort.samples + sample, total, turn)
        rise = sqrt(max(1.0 - x * x - y * y, 0.0))
        along = normalize(add_scaled(add_scaled(scale(rise, normal), x, p), y, q))
        found = cast_ray(tables, point, along, light.reach, NEAREST)
        if found < 0:
            return -1.0
        if found > 0:
            near = 1.0 - RAY_HITS.rows(tables)[0].distance / light.reach
            hidden += near
    return 1.0 - (1.0 - DARKEST) * hidden / effort.ambient


@kernel
def hazed(light, colour, along, distance):
    """`colour` as seen through the air."""
    part = HAZIEST * distance / (distance + light.haze)
    flat = add_scaled(along, -dot(along, get3(light.up)), get3(light.up))
    return mix(colour, sky_colour(light, flat), part)


@kernel
def mark_lit(colour, normal, along):
    """A mark's colour: as if light came from the camera."""
    return scale(0.45 + 0.55 * abs(dot(normal, along)), colour)
