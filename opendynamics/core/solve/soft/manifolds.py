"""Contact manifolds: from contacts to lanes, without rows, and their forces back. See `contact_lanes` for the layout.

A manifold's draft: 0 normal, 3 first tangent, 6, 7 friction coefficients, 8 whether they are of a cone, 9 velocity of the
surface, 12 arm of b minus arm of a. Of a point's: 0 arm of a, 3 separation, 4 velocity of restitution, 5 impulses.

Reads CONTACTS, where the bodies are, their inverse masses, and the contact cache; writes the lanes, at the end FORCES.
"""

from __future__ import annotations

from math import inf, pi

from opendynamics.core.algebra.vec3 import add, add_scaled, cross, dot, get3, plane_space, put3_at, scale, subtract
from opendynamics.core.arrays import contacts
from opendynamics.core.arrays.blocks.load_ahead import prefetch
from opendynamics.core.arrays.bodies import POSES
from opendynamics.core.arrays.contacts import BOUNCE, ELLIPTIC, SPECULATIVE
from opendynamics.core.arrays.islands import ISLAND_LINKS, LINKS
from opendynamics.core.arrays.report import INTEGERS
from opendynamics.core.arrays.rows import FORCES
from opendynamics.core.arrays.worlds import WORLDS
from opendynamics.core.constrain.look_ahead import look_ahead
from opendynamics.core.constrain.parts.contact import (
    apart_of,
    contact_normal,
    first_motion,
    normal_motion,
    second_motion,
    second_mu,
)
from opendynamics.core.constrain.parts.frame import centre, velocities_of
from opendynamics.core.kernels import kernel
from opendynamics.core.solve.dense import piece, vector
from opendynamics.core.solve.soft.contact_lanes import (
    NEVER,
    fill_manifolds,
    group_of,
)
from opendynamics.core.solve.soft.parameters import PARAMETERS, frequency_of
from opendynamics.core.solve.soft.plan.layout import (
    BOUNCES,
    COLOUR,
    CONTACTS,
    GUESSED,
    IMPULSES,
    ITEM,
    ITEMS,
    LANE,
    MANIFOLD_DRAFT,
    PLACE_OF,
    POINT_DRAFT,
    POINTS,
    SUM,
    WIDTH,
    coloured_of,
    draft_of_manifold,
    lanes_of,
)
from opendynamics.core.solve.warm_starting import (
    attempt_to_solve,
    first_cached,
    look_ahead_at_bucket,
    look_ahead_in_cache,
    manifold_size,
    place_of,
    spread_load,
    take_cached,
)

W = WIDTH

# A contact follows its frequency up to this part of the sub-steps' one. With x = ω h', a sub-step moves the impulse by the part
# r = x / (2 ζ + x) of the overlap and loses b = 1 / (1 + x (2 ζ + x)) of it; relaxation adds a share without overlap. Slow modes
# of tall stacks, which Gauss-Seidel hardly reduces, are damped where b > r / 2: x² < 2 if ζ is large, 0.22 of the frequency.
FOLLOWED = 0.15

# Number of manifolds by which their data is prefetched, and before that the buckets that lead to their cached forces.
MANIFOLDS_AHEAD, BUCKETS_AHEAD = 3, 8

# Links of a world from which on this pays: less is in the caches anyway.
BEYOND_CACHES = 4096

# Friction that never slides, as a coefficient.
ENDLESS = 1e30

ZERO = (0.0, 0.0, 0.0)


@kernel
def soft_constraint(tables, step, held):
    """Rate at which penetration is corrected, 1/s, and the fraction of the impulse lost meanwhile; stiffer on immovable
    bodies.
    """
    parameters, hertz = PARAMETERS.rows(tables)[0], frequency_of(tables, step)
    omega = 2.0 * pi * min(2.0 * hertz if held else hertz, FOLLOWED / step)
    yields = 2.0 * parameters.damping_ratio + step * omega
    return omega / yields, 1.0 / (1.0 + step * omega * yields)


@kernel
def rebound_of(contact, motion, velocity):
    """The velocity required by restitution, if the relative velocity before the step is `velocity`; -infinity: none."""
    surface = contact.surface
    if surface.mode & BOUNCE and surface.bounce_velocity >= 0.0 and motion - velocity > surface.bounce_velocity:
        return surface.bounce * (motion - velocity) + motion
    return -inf


@kernel
def draft_manifolds(tables, island, first, end, h, substeps):
    """Write the drafts of the items from `first` up to `end`, in the order of the links, so that memory is read in its
    order. Drafts are small, and are filled into lanes group by group: each number of a lane has its own cache line."""
    own, lanes = coloured_of(tables, island, CONTACTS), lanes_of(tables, island)
    far = LINKS.used(tables) >= BEYOND_CACHES
    for k in range(first, end):
        item = vector(own.items, ITEM, k)
        if far:
            _look_ahead_at_bucket(tables, island, own, k + BUCKETS_AHEAD)
            _look_ahead_at_manifold(tables, island, own, k + MANIFOLDS_AHEAD)
        if item[COLOUR] >= 0:
            draft = piece(lanes.drafts, draft_of_manifold(item, k), MANIFOLD_DRAFT + POINT_DRAFT * item[POINTS])
            axes = _draft_manifold(tables, island, item, draft)
            _draft_points(tables, island, item, axes, draft, h, substeps)


@kernel
def begin_manifolds(tables, island, first, end, step, substeps):
    """Fill in the lanes of groups from their drafts."""
    own, lanes = coloured_of(tables, island, CONTACTS), lanes_of(tables, island)
    rate, lost = soft_constraint(tables, step, False)
    held_rate, held_lost = soft_constraint(tables, step, True)
    cfm, drafts, tensors, items = WORLDS.rows(tables)[0].cfm * substeps, lanes.drafts, lanes.tensors, own.items
    for g in range(first, end):
        c, p, f, near, far, blocks = group_of(own, lanes, g)
        here = piece(own.lanes, W * g, W)
        fill_manifolds(c, p, f, drafts, items, tensors, here, near, far, blocks, rate, lost, held_rate, held_lost, cfm)


@kernel
def link_of(tables, island, k):
    """Link k of the island."""
    return LINKS.rows(tables)[ISLAND_LINKS.rows(tables)[island.first_link + k]]


@kernel
def _look_ahead_at_bucket(tables, island, own, n):
    """Have the bucket of manifold n in the contact cache loaded."""
    if n < INTEGERS.rows(tables)[ITEMS + CONTACTS]:
        look_ahead_at_bucket(tables, link_of(tables, island, vector(own.items, ITEM, n)[PLACE_OF]))


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


@kernel
def _draft_manifold(tables, island, item, draft):
    """Returns the normal and both tangents."""
    link = link_of(tables, island, item[PLACE_OF])
    contact = contacts.CONTACTS.rows(tables)[link.index]
    surface, mode = contact.surface, contact.surface.mode
    normal = contact_normal(contact)
    t, across = plane_space(normal)
    between = subtract(centre(tables, link.body0), centre(tables, link.body1)) if link.body1 != 0 else ZERO
    if contact.flags & SPECULATIVE:
        between = add(between, apart_of(tables, contact))
    for k in range(3):
        draft[k], draft[3 + k], draft[12 + k] = normal[k], t[k], between[k]
    draft[6] = min(surface.mu, ENDLESS)
    draft[7] = min(second_mu(surface), ENDLESS)
    draft[8] = 1.0 if mode & ELLIPTIC else 0.0
    draft[9] = normal_motion(tables, surface)
    draft[10] = first_motion(tables, surface)
    draft[11] = second_motion(tables, surface)
    return normal, t, across


@kernel
def _draft_points(tables, island, item, axes, draft, h, substeps):
    """Arms, separation, restitution, and the impulses to start from, of all points."""
    link = link_of(tables, island, item[PLACE_OF])
    world, attempt = WORLDS.rows(tables)[0], attempt_to_solve(tables, island)
    x0, normal = centre(tables, link.body0), axes[0]
    guessed = INTEGERS.rows(tables)[GUESSED] != 0
    cached, started = first_cached(tables, link) if not guessed else -1, 0
    for k in range(item[POINTS]):
        link = link_of(tables, island, item[PLACE_OF] + k)
        contact = contacts.CONTACTS.rows(tables)[link.index]
        p = piece(draft, MANIFOLD_DRAFT + POINT_DRAFT * k, POINT_DRAFT)
        r = subtract(get3(contact.point.position), x0)
        put3_at(p, 0, r)
        p[3], p[4] = world.contact_surface_layer - contact.point.depth, NEVER
        if contact.surface.mode & BOUNCE:
            motion = normal_motion(tables, contact.surface)
            rebound = rebound_of(contact, motion, _velocity_along(tables, link, contact, normal, r))
            if rebound > NEVER:
                p[4] = rebound
                INTEGERS.rows(tables)[BOUNCES] = 1
        if guessed:
            force = scale(FORCES.rows(tables)[link.first_row], normal)
        else:
            found, force, _ = take_cached(tables, link, cached, attempt)
            started += found
        _put_impulse(p, force, axes, h / substeps)
    if cached >= 0 and started < item[POINTS]:
        _spread_over(tables, island, item, axes, draft, h / substeps, started)


@kernel
def _put_impulse(p, force, axes, step):
    normal, t, across = axes
    p[5], p[6], p[7] = max(dot(force, normal), 0.0) * step, dot(force, t) * step, dot(force, across) * step


@kernel
def _spread_over(tables, island, item, axes, draft, step, started):
    """Start a manifold that is the only one of its bodies from the wrench of the cached contacts, if some are left over."""
    if manifold_size(tables, island, item[PLACE_OF]) != item[POINTS]:
        return
    known, level, rate, friction = spread_load(tables, island, item[PLACE_OF], item[POINTS], started)
    for k in range(item[POINTS] if known else 0):
        load = max(level + dot(rate, place_of(tables, island, item[PLACE_OF] + k)), 0.0)
        p = piece(draft, MANIFOLD_DRAFT + POINT_DRAFT * k, POINT_DRAFT)
        _put_impulse(p, add_scaled(friction, load, axes[0]), axes, step)


@kernel
def _velocity_along(tables, link, contact, normal, r0):
    """By how fast the bodies part at the contact."""
    (v0, w0), (v1, w1) = velocities_of(tables, link.body0), velocities_of(tables, link.body1)
    velocity = dot(normal, subtract(v0, v1)) + dot(cross(r0, normal), w0)
    r1 = ZERO
    if link.body1 != 0:
        r1 = subtract(get3(contact.point.position), centre(tables, link.body1))
        if contact.flags & SPECULATIVE:
            r1 = add(r1, apart_of(tables, contact))
    return velocity - dot(cross(r1, normal), w1)


@kernel
def write_lane_forces(tables, island, kind, impulses, first, end, h):
    """The forces of items of a kind, as means over the step, in the order of the links. A ball joint has one point."""
    own = coloured_of(tables, island, kind)
    for n in range(first, end):
        record = vector(own.items, ITEM, n)
        if record[COLOUR] < 0:
            continue
        g, i = record[LANE] // W, record[LANE] % W
        first = link_of(tables, island, record[PLACE_OF]).first_row  # those of the other points follow
        for k in range(record[POINTS]):
            at = W * (IMPULSES * (own.first[g] + k) + SUM) + i
            for r in range(3):
                FORCES.rows(tables)[first + 3 * k + r] = impulses[at + W * r] / h
