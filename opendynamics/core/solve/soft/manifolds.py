"""Contact manifolds straight from contacts to lanes, and their forces back. See `contact_lanes` for the numbers of a lane.

Reads CONTACTS, where the bodies are, their inverse masses, and FORCES to start from; writes the lanes, at the end FORCES.
"""

from __future__ import annotations

from math import inf, pi

from opendynamics.core.algebra.vec3 import add, cross, dot, get3, negate, plane_space, subtract
from opendynamics.core.arrays import contacts
from opendynamics.core.arrays.bodies import INERTIAS, MOTIONS
from opendynamics.core.arrays.contacts import BOUNCE, ELLIPTIC, MOTION1, MOTION2, MOTION_N, REVERSED, SPECULATIVE
from opendynamics.core.arrays.islands import ISLAND_LINKS, LINKS
from opendynamics.core.arrays.report import INTEGERS
from opendynamics.core.arrays.rows import FORCES
from opendynamics.core.arrays.worlds import WORLDS
from opendynamics.core.constrain.parts.contact import second_mu
from opendynamics.core.constrain.parts.frame import centre
from opendynamics.core.kernels import kernel
from opendynamics.core.solve.dense import piece, vector
from opendynamics.core.solve.soft.contact_lanes import NEVER
from opendynamics.core.solve.soft.layout import (
    BOUNCES,
    COLOUR,
    CONTACTS,
    GROUPS,
    IMPULSES,
    ITEM,
    ITEMS,
    LANE,
    MANIFOLD,
    PLACE_OF,
    POINT,
    POINTS,
    SUM,
    WIDTH,
    coloured_of,
    lanes_of,
)
from opendynamics.core.solve.soft.parameters import PARAMETERS

W = WIDTH

# A contact follows its frequency up to this part of the sub-steps' one.
FOLLOWED = 0.25

# Friction that never slides, as a coefficient.
ENDLESS = 1e30


@kernel
def soft_constraint(tables, step, held):
    """Rate at which overlap is mended, 1/s, and the part of the impulse that is lost meanwhile; stiffer on what cannot move."""
    parameters = PARAMETERS.rows(tables)[0]
    omega = 2.0 * pi * min(parameters.hertz, FOLLOWED / step)
    if held:
        omega *= 2.0
    yields = 2.0 * parameters.damping_ratio + step * omega
    return omega / yields, 1.0 / (1.0 + step * omega * yields)


@kernel
def rebound_of(contact, motion, velocity):
    """The velocity that restitution asks for, if the bodies part with `velocity` before the step; -infinity: none."""
    surface = contact.surface
    if surface.mode & BOUNCE and surface.bounce_velocity >= 0.0 and motion - velocity > surface.bounce_velocity:
        return surface.bounce * (motion - velocity) + motion
    return -inf


@kernel
def begin_manifolds(tables, island, h, substeps):
    """Fill in all lanes: in the order of the links, so that what is read is read in its order."""
    own, lanes, plan = coloured_of(tables, island, CONTACTS), lanes_of(tables, island), INTEGERS.rows(tables)
    _clear_open_lanes(own, lanes, plan[GROUPS + CONTACTS])
    for k in range(plan[ITEMS + CONTACTS]):
        record = vector(own.items, ITEM, k)
        if record[COLOUR] < 0:
            continue
        g, i = record[LANE] // W, record[LANE] % W
        manifold = piece(lanes.manifolds, MANIFOLD * W * g, MANIFOLD * W)
        _begin_manifold(tables, island, record, manifold, i, h / substeps)
        _begin_points(tables, island, record, manifold, lanes, own.first[g], i, h, substeps)
        for n in range(own.first[g] + record[POINTS], own.first[g + 1]):
            _clear_point(lanes, n, i)


@kernel
def _clear_open_lanes(own, lanes, groups):
    for g in range(groups):
        for i in range(W):
            if own.lanes[W * g + i] < 0:
                for k in range(MANIFOLD):
                    lanes.manifolds[W * (MANIFOLD * g + k) + i] = 0.0
                for n in range(own.first[g], own.first[g + 1]):
                    _clear_point(lanes, n, i)


@kernel
def _clear_point(lanes, n, i):
    for k in range(POINT):
        lanes.points[W * (POINT * n + k) + i] = 0.0
    for k in range(IMPULSES):
        lanes.impulses[W * (IMPULSES * n + k) + i] = 0.0


@kernel
def normal_of(contact):
    """Unit normal, into body0."""
    normal = get3(contact.point.normal)
    return negate(normal) if contact.flags & REVERSED else normal


@kernel
def link_of(tables, island, k):
    """Link k of the island."""
    return LINKS.rows(tables)[ISLAND_LINKS.rows(tables)[island.first_link + k]]


@kernel
def _begin_manifold(tables, island, record, c, i, step):
    link = link_of(tables, island, record[PLACE_OF])
    contact = contacts.CONTACTS.rows(tables)[link.index]
    surface, mode = contact.surface, contact.surface.mode
    normal = normal_of(contact)
    t, _ = plane_space(normal)
    for k in range(3):
        c[W * k + i], c[W * (3 + k) + i] = normal[k], t[k]
    _put_inertia(_inertia_of(tables, link.body0), c, 6, i)
    _put_inertia(_inertia_of(tables, link.body1), c, 12, i)
    c[W * 18 + i] = min(surface.mu, ENDLESS)
    c[W * 19 + i] = min(second_mu(surface), ENDLESS)
    c[W * 20 + i] = 1.0 if mode & ELLIPTIC else 0.0
    held = not (
        MOTIONS.rows(tables)[link.body0].inverse_mass > 0.0 and MOTIONS.rows(tables)[link.body1].inverse_mass > 0.0
    )
    rate, lost = soft_constraint(tables, step, held)
    c[W * 21 + i], c[W * 22 + i], c[W * 23 + i] = rate, 1.0 - lost, lost
    c[W * 24 + i] = surface.motion_normal if mode & MOTION_N else 0.0
    c[W * 25 + i] = surface.motion1 if mode & MOTION1 else 0.0
    c[W * 26 + i] = surface.motion2 if mode & MOTION2 else 0.0


@kernel
def _inertia_of(tables, body):
    """Inverse inertia in the world (xx xy xz yy yz zz)."""
    t = INERTIAS.rows(tables)[body].world_inverse
    k = 1.0 if MOTIONS.rows(tables)[body].inverse_mass > 0.0 else 0.0
    return k * t[0], k * t[1], k * t[2], k * t[4], k * t[5], k * t[8]


@kernel
def _put_inertia(tensor, c, first, i):
    for k in range(6):
        c[W * (first + k) + i] = tensor[k]


@kernel
def _begin_points(tables, island, record, c, lanes, block, i, h, substeps):
    """Arms, separation, J M⁻¹ Jᵀ, restitution, and the impulses to start from, of all points."""
    link = link_of(tables, island, record[PLACE_OF])
    world, first = WORLDS.rows(tables)[0], contacts.CONTACTS.rows(tables)[link.index]
    one, other = MOTIONS.rows(tables)[link.body0], MOTIONS.rows(tables)[link.body1]
    mass, softness = one.inverse_mass + other.inverse_mass, world.cfm * substeps
    near, far = _inertia_of(tables, link.body0), _inertia_of(tables, link.body1)
    x0, x1 = centre(tables, link.body0), centre(tables, link.body1)
    normal = normal_of(first)
    t, across = plane_space(normal)
    circle, bouncing, held = first.surface.mode & ELLIPTIC, first.surface.mode & BOUNCE, link.body1 != 0
    for k in range(record[POINTS]):
        link = link_of(tables, island, record[PLACE_OF] + k)
        contact = contacts.CONTACTS.rows(tables)[link.index]
        p = piece(lanes.points, POINT * W * (block + k), POINT * W)
        f = piece(lanes.impulses, IMPULSES * W * (block + k), IMPULSES * W)
        position = get3(contact.point.position)
        r0, r1 = subtract(position, x0), (0.0, 0.0, 0.0)
        if contact.flags & SPECULATIVE:
            position = add(position, get3(contact.apart))
        if held:
            r1 = subtract(position, x1)
        a, b, u, v = _response(r0, r1, normal, near, far)
        along, beside, fu, fv = _response(r0, r1, t, near, far)
        sideways, there, su, sv = _response(r0, r1, across, near, far)
        along_t = _inverse(mass + dot(along, fu) + dot(beside, fv) + softness)
        along_b = _inverse(mass + dot(sideways, su) + dot(there, sv) + softness)
        coupling = dot(sideways, fu) + dot(there, fv)
        if circle:  # both are projected on a circle, and so take the same step
            along_t = along_b = min(along_t, along_b)
            coupling = 0.0
        p[i], p[W + i], p[2 * W + i] = r0
        p[3 * W + i], p[4 * W + i], p[5 * W + i] = r1
        p[6 * W + i] = world.contact_surface_layer - contact.point.depth
        p[7 * W + i], p[8 * W + i], p[9 * W + i] = _inverse(mass + dot(a, u) + dot(b, v)), along_t, along_b
        p[10 * W + i] = dot(along, u) + dot(beside, v)
        p[11 * W + i], p[12 * W + i] = dot(sideways, u) + dot(there, v), coupling
        p[13 * W + i] = NEVER
        if bouncing:
            leaving = dot(normal, subtract(get3(one.linear_velocity), get3(other.linear_velocity)))
            leaving += dot(a, get3(one.angular_velocity)) - dot(b, get3(other.angular_velocity))
            rebound = rebound_of(contact, c[W * 24 + i], leaving)
            if rebound > NEVER:
                p[13 * W + i] = rebound
                INTEGERS.rows(tables)[BOUNCES] += 1
        for r in range(3):
            f[W * r + i] = FORCES.rows(tables)[link.first_row + r] * (h / substeps)
            f[W * (SUM + r) + i] = 0.0


@kernel
def _response(r0, r1, u, near, far):
    """Of an impulse along u: torques on both bodies, and what they make of the angular velocities."""
    a, b = cross(r0, u), cross(r1, u)
    return a, b, _times(near, a), _times(far, b)


@kernel
def _times(t, x):
    """A symmetric matrix (xx xy xz yy yz zz) times x."""
    return (
        t[0] * x[0] + t[1] * x[1] + t[2] * x[2],
        t[1] * x[0] + t[3] * x[1] + t[4] * x[2],
        t[2] * x[0] + t[4] * x[1] + t[5] * x[2],
    )


@kernel
def _inverse(diagonal):
    return 1.0 / diagonal if diagonal > 0.0 else 0.0


@kernel
def write_manifold_forces(tables, island, h):
    """The points' forces, as means over the step."""
    own, lanes = coloured_of(tables, island, CONTACTS), lanes_of(tables, island)
    for n in range(INTEGERS.rows(tables)[ITEMS + CONTACTS]):
        record = vector(own.items, ITEM, n)
        if record[COLOUR] < 0:
            continue
        g, i = record[LANE] // W, record[LANE] % W
        for k in range(record[POINTS]):
            link = link_of(tables, island, record[PLACE_OF] + k)
            at = W * (IMPULSES * (own.first[g] + k) + SUM) + i
            for r in range(3):
                FORCES.rows(tables)[link.first_row + r] = lanes.impulses[at + W * r] / h
