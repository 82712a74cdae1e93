"""Light on a surface and the sky behind everything.

    light = colour * (sun * n.s * seen + sky(n) * open) + gloss * mirrored sun

`seen` is the part of the sun's disk that nothing hides: rays spread over it make soft shadows. The sky's light goes from
the ground's colour below to the sky's above; `open` is the part of it that comes through, by rays spread like the cosine
over the hemisphere (Malley's method), each hidden the more, the nearer it meets something. The mirror is Blinn's (Models
of light reflection for computer synthesized pictures, 1977).
"""

from __future__ import annotations

from math import exp, inf, sqrt

from opendynamics.core.algebra.vec3 import add, add_scaled, dot, get3, negate, normalize, plane_space, scale
from opendynamics.core.collide.ray_cast import ANY, NEAREST
from opendynamics.core.kernels import kernel
from opendynamics.viewer.pictures.tracing.casting import distance_among
from opendynamics.viewer.pictures.tracing.occluders import occluders_of_sky, occluders_of_sun
from opendynamics.viewer.pictures.tracing.samples import known, turned
from opendynamics.viewer.pictures.tracing.surfaces import mix

FAR = 1.0e10  # m
DARKEST = 0.15  # part of the sky's light that reaches the narrowest corner, from things beside it
SHININESS = 60  # whole: its power is a few products
HAZIEST = 0.7  # part that haze hides at most: the horizon stays visible
FALLOFF = 6.0  # of the sky's colour from the horizon to straight above


@kernel
def sky_colour(light, along):
    """What is seen where nothing is."""
    height = dot(along, get3(light.up))
    beyond = get3(light.zenith) if height > 0.0 else get3(light.nadir)
    return mix(beyond, get3(light.horizon), exp(-FALLOFF * abs(height)))


@kernel
def lit(tables, scene, place, colour, point, breadth, normal, along, sample, turn):
    """Colour of a point of the geom at `place` that is looked at along a ray, and whether all kernels were there.

    `point` is a little above the surface, `normal` looks towards the camera; `breadth` is that of a pixel there, m.
    """
    light, looks = scene[0], scene[2]
    seen = sun_seen(tables, scene, place, point, breadth, normal, sample, turn)
    free = sky_open(tables, scene, place, point, breadth, normal, sample, turn)
    if seen < 0.0 or free < 0.0:
        return colour, False
    sun, facing = get3(light.sun), dot(normal, get3(light.sun))
    level = 0.5 + 0.5 * dot(normal, get3(light.up))
    strength = scale(free, mix(get3(light.ground), get3(light.sky), level))
    shine, gloss = 0.0, looks[place].gloss
    if seen > 0.0:
        strength = add_scaled(strength, seen * facing, get3(light.sun_colour))
        if gloss > 0.0:
            halfway = normalize(add(sun, negate(along)))
            shine = seen * gloss * max(dot(normal, halfway), 0.0) ** SHININESS
    reflected = (colour[0] * strength[0], colour[1] * strength[1], colour[2] * strength[2])
    return add_scaled(reflected, shine, get3(light.sun_colour)), True


@kernel
def sun_seen(tables, scene, place, point, breadth, normal, sample, turn):
    """Part of the sun that is seen from a point; negative: a kernel has to be loaded."""
    light, effort, _, lists, disk, _ = scene
    middle = get3(light.sun)
    if dot(normal, middle) <= 0.0:
        return 0.0
    if effort.shadows == 0:
        return 1.0
    listed = occluders_of_sun(tables, light, lists, place, point, breadth)
    if listed.count == 0 and listed.ground == 0:
        return 1.0
    # Rays of all samples of a pixel together cover the disk evenly, and so do those of each.
    seen, turn = 0, known(turn)
    for j in range(effort.shadows):
        x, y = turned(disk[j * effort.samples + sample], turn)
        along = normalize(add_scaled(add_scaled(middle, x, get3(light.sun_right)), y, get3(light.sun_up)))
        if dot(normal, along) <= 0.0:
            continue
        distance = distance_among(tables, listed, point, along, FAR, ANY)
        if distance < 0.0:
            return -1.0
        seen += 1 if distance == inf else 0
    return seen / effort.shadows


@kernel
def sky_open(tables, scene, place, point, breadth, normal, sample, turn):
    """Part of the sky's light that reaches a point; negative: a kernel has to be loaded."""
    light, effort, _, lists, _, disk = scene
    if effort.ambient == 0:
        return 1.0
    listed = occluders_of_sky(tables, light, lists, place, point, breadth)
    if listed.count == 0 and listed.ground == 0:
        return 1.0
    p, q = plane_space(normal)
    hidden, turn = 0.0, known(turn)
    for j in range(effort.ambient):
        x, y = turned(disk[j * effort.samples + sample], turn)
        rise = sqrt(max(1.0 - x * x - y * y, 0.0))
        along = normalize(add_scaled(add_scaled(scale(rise, normal), x, p), y, q))
        distance = distance_among(tables, listed, point, along, light.reach, NEAREST)
        if distance < 0.0:
            return -1.0
        if distance < inf:
            near = 1.0 - distance / light.reach
            hidden += near
    return 1.0 - (1.0 - DARKEST) * hidden / effort.ambient


@kernel
def hazed(light, colour, distance):
    """`colour` as seen through the air."""
    return mix(colour, get3(light.horizon), HAZIEST * distance / (distance + light.haze))


@kernel
def mark_lit(colour, normal, along):
    """A mark's colour: as if light came from the camera."""
    return scale(0.45 + 0.55 * abs(dot(normal, along)), colour)
