"""Contact manifolds straight from contacts to lanes, without rows, and their forces back. See `contact_lanes` for their numbers.

Reads CONTACTS, where the bodies are, their inverse masses, and the contact cache; writes the lanes, at the end FORCES.
"""

from __future__ import annotations

from math import inf, pi

from opendynamics.core.algebra.vec3 import add, cross, dot, get3, plane_space, subtract
from opendynamics.core.arrays import contacts
from opendynamics.core.arrays.bodies import INERTIAS, MOTIONS, POSES
from opendynamics.core.arrays.contacts import BOUNCE, ELLIPTIC, MOTION1, MOTION2, MOTION_N, SPECULATIVE
from opendynamics.core.arrays.islands import ISLAND_LINKS, LINKS
from opendynamics.core.arrays.report import INTEGERS
from opendynamics.core.arrays.rows import FORCES
from opendynamics.core.arrays.worlds import WORLDS
from opendynamics.core.constrain.look_ahead import look_ahead, prefetch
from opendynamics.core.constrain.parts.contact import contact_normal, second_mu
from opendynamics.core.constrain.parts.frame import centre
from opendynamics.core.kernels import kernel
from opendynamics.core.solve.dense import piece, vector
from opendynamics.core.solve.soft.contact_lanes import (
    BETWEEN,
    MASSES,
    NEVER,
    REBOUND,
    SEPARATION,
    prepare_points,
)
from opendynamics.core.solve.soft.layout import (
    BODY,
    BOUNCES,
    COLOUR,
    CONTACTS,
    IMPULSES,
    INVERSE_MASS,
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
    scratch_of,
)
from opendynamics.core.solve.soft.parameters import PARAMETERS
from opendynamics.core.solve.warm_starting import attempt_to_solve, first_cached, look_ahead_in_cache, take_cached

W = WIDTH

# A contact follows its frequency up to this part of the sub-steps' one. With x = ω h', a sub-step moves the impulse by the part
# r = x / (2 ζ + x) of the overlap and loses b = 1 / (1 + x (2 ζ + x)) of it; relaxation adds a share without overlap. Slow modes
# of tall stacks, which Gauss-Seidel hardly reduces, are damped where b > r / 2: x² < 2 if ζ is large, 0.22 of the frequency.
FOLLOWED = 0.15

# Friction that never slides, as a coefficient.
ENDLESS = 1e30

ZERO = (0.0, 0.0, 0.0)


@kernel
def soft_constraint(tables, step, held):
    """Rate at which overlap is mended, 1/s, and the part of the impulse that is lost meanwhile; stiffer on what cannot move."""
    parameters = PARAMETERS.rows(tables)[0]
    omega = 2.0 * pi * min(2.0 * parameters.hertz if held else parameters.hertz, FOLLOWED / step)
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
def begin_manifolds(tables, island, first, end, h, substeps):
    """Fill in the lanes of the items from `first` up to `end`, in the order of the links: what is read is read in its order."""
    own, lanes = coloured_of(tables, island, CONTACTS), lanes_of(tables, island)
    for k in range(first, end):
        record = vector(own.items, ITEM, k)
        _look_ahead_at_manifold(tables, island, own, k + 3)
        if record[COLOUR] < 0:
            continue
        g, i = record[LANE] // W, record[LANE] % W
        manifold = piece(lanes.manifolds, MANIFOLD * W * g, MANIFOLD * W)
        axes = _begin_manifold(tables, island, record, manifold, i, h / substeps)
        _begin_points(tables, island, record, axes, lanes, own.first[g], i, h, substeps)
        _clear_points(lanes, own.first[g] + record[POINTS], own.first[g + 1], i)


@kernel
def _clear_open_lanes(own, lanes, first, end):
    for g in range(first, end):
        for i in range(W):
            if own.lanes[W * g + i] < 0:
                for k in range(MANIFOLD):
                    lanes.manifolds[W * (MANIFOLD * g + k) + i] = 0.0
                _clear_points(lanes, own.first[g], own.first[g + 1], i)


@kernel
def _clear_points(lanes, first, end, i):
    """Points that a lane lacks."""
    for n in range(first, end):
        for k in range(POINT):
            lanes.points[W * (POINT * n + k) + i] = 0.0
        for k in range(IMPULSES):
            lanes.impulses[W * (IMPULSES * n + k) + i] = 0.0


@kernel
def prepare_manifolds(tables, island, first, end, substeps, member):
    """Effective masses and couplings of the points of groups, when their lanes have been filled in, by a thread of the team."""
    own, lanes = coloured_of(tables, island, CONTACTS), lanes_of(tables, island)
    bodies, mobility = scratch_of(tables, island).floats, piece(lanes.changes, 2 * W * member, W)
    softness = WORLDS.rows(tables)[0].cfm * substeps
    _clear_open_lanes(own, lanes, first, end)
    for g in range(first, end):
        for i in range(W):
            near, far = own.near[W * g + i], own.far[W * g + i]
            mobility[i] = bodies[BODY * near + INVERSE_MASS] + bodies[BODY * far + INVERSE_MASS]
        manifold = piece(lanes.manifolds, MANIFOLD * W * g, MANIFOLD * W)
        for n in range(own.first[g], own.first[g + 1]):
            prepare_points(manifold, piece(lanes.points, POINT * W * n, POINT * W), mobility, softness)


@kernel
def link_of(tables, island, k):
    """Link k of the island."""
    return LINKS.rows(tables)[ISLAND_LINKS.rows(tables)[island.first_link + k]]


@kernel
def _look_ahead_at_manifold(tables, island, own, n):
    """Have manifold n loaded: contacts, their cached forces, and bodies."""
    if n < INTEGERS.rows(tables)[ITEMS + CONTACTS]:
        record = vector(own.items, ITEM, n)
        for k in range(record[PLACE_OF], record[PLACE_OF] + record[POINTS]):
            look_ahead(tables, island, k)
        link = link_of(tables, island, record[PLACE_OF])
        look_ahead_in_cache(tables, link, record[POINTS])
        for side in range(2):
            body = link.body1 if side else link.body0
            prefetch(POSES.rows(tables), body)
            prefetch(INERTIAS.rows(tables), body)


@kernel
def _begin_manifold(tables, island, record, c, i, step):
    """Returns the normal and both tangents."""
    link = link_of(tables, island, record[PLACE_OF])
    contact = contacts.CONTACTS.rows(tables)[link.index]
    surface, mode = contact.surface, contact.surface.mode
    normal = contact_normal(contact)
    t, across = plane_space(normal)
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
    between = subtract(centre(tables, link.body0), centre(tables, link.body1)) if link.body1 != 0 else ZERO
    if contact.flags & SPECULATIVE:
        between = add(between, get3(contact.apart))
    for k in range(3):
        c[W * (BETWEEN + k) + i] = between[k]
    return normal, t, across


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
def _begin_points(tables, island, record, axes, lanes, block, i, h, substeps):
    """Arms, separation, restitution, and the impulses to start from, of all points."""
    link = link_of(tables, island, record[PLACE_OF])
    world, attempt = WORLDS.rows(tables)[0], attempt_to_solve(tables, island)
    x0, (normal, t, across) = centre(tables, link.body0), axes
    cached = first_cached(tables, link)
    for k in range(record[POINTS]):
        link = link_of(tables, island, record[PLACE_OF] + k)
        contact = contacts.CONTACTS.rows(tables)[link.index]
        p = piece(lanes.points, POINT * W * (block + k), POINT * W)
        f = piece(lanes.impulses, IMPULSES * W * (block + k), IMPULSES * W)
        r = subtract(get3(contact.point.position), x0)
        p[i], p[W + i], p[2 * W + i] = r
        p[W * SEPARATION + i], p[W * MASSES + i] = world.contact_surface_layer - contact.point.depth, 1.0
        p[W * REBOUND + i] = NEVER
        if contact.surface.mode & BOUNCE:
            motion = contact.surface.motion_normal if contact.surface.mode & MOTION_N else 0.0
            rebound = rebound_of(contact, motion, _velocity_along(tables, link, contact, normal, r))
            if rebound > NEVER:
                p[W * REBOUND + i] = rebound
                INTEGERS.rows(tables)[BOUNCES] = 1
        _, force, _ = take_cached(tables, link, cached, attempt)
        f[i] = max(dot(force, normal), 0.0) * (h / substeps)
        f[W + i], f[2 * W + i] = dot(force, t) * (h / substeps), dot(force, across) * (h / substeps)
        for r in range(SUM, IMPULSES):
            f[W * r + i] = 0.0


@kernel
def _velocity_along(tables, link, contact, normal, r0):
    """By how fast the bodies part at the contact."""
    one, other = MOTIONS.rows(tables)[link.body0], MOTIONS.rows(tables)[link.body1]
    velocity = dot(normal, subtract(get3(one.linear_velocity), get3(other.linear_velocity)))
    velocity += dot(cross(r0, normal), get3(one.angular_velocity))
    r1 = ZERO
    if link.body1 != 0:
        r1 = subtract(get3(contact.point.position), centre(tables, link.body1))
        if contact.flags & SPECULATIVE:
            r1 = add(r1, get3(contact.apart))
    return velocity - dot(cross(r1, normal), get3(other.angular_velocity))


@kernel
def write_manifold_forces(tables, island, first, end, h):
    """The forces of the points of items, as means over the step."""
    own, lanes = coloured_of(tables, island, CONTACTS), lanes_of(tables, island)
    for n in range(first, end):
        record = vector(own.items, ITEM, n)
        if record[COLOUR] < 0:
            continue
        g, i = record[LANE] // W, record[LANE] % W
        first = link_of(tables, island, record[PLACE_OF]).first_row  # those of the other points follow
        for k in range(record[POINTS]):
            at = W * (IMPULSES * (own.first[g] + k) + SUM) + i
            for r in range(3):
                FORCES.rows(tables)[first + 3 * k + r] = lanes.impulses[at + W * r] / h
