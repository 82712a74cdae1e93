"""Initial guess of contact forces: loads are propagated from the top of a pile to its supports.

A new or woken island has no cached forces. Starting from zero, Gauss-Seidel propagates weights by only a few layers per sub-step:
the lower layers of a stack yield first, the upper ones fall on them, and tall stacks do not survive the impact. Bodies are
processed from the top down, each after all that it carries. Its normal forces are those of a linear pressure over its supporting
contacts that balances weight, loads and their moments, as far as contacts only push:

    λ = max(a + b x + c y, 0),    Σ λ = F,  Σ λ x = Σ F x,  Σ λ y = Σ F y

Friction starts at 0. Islands with joints, or with a body without supports, get no guess: they fall or hang.

Reads links, contacts, bodies and the contact cache; writes FORCES of the island's rows. Layout of the integers: for each body the
number of unprocessed contacts on top of it, the start of its supporting contacts, and the queue; then the contacts. Floats:
loads.
"""

from __future__ import annotations

from math import sqrt

from opendynamics.core import types
from opendynamics.core.algebra.vec3 import dot, get3, plane_space, scale, subtract
from opendynamics.core.arrays.bodies import INERTIAS, MOTIONS, POSES
from opendynamics.core.arrays.contacts import CONTACTS
from opendynamics.core.arrays.islands import CONTACT, ISLAND_BODIES, ISLAND_LINKS, ISLAND_RECORD, LINKS, SLOTS
from opendynamics.core.arrays.report import FLOATS, INTEGERS
from opendynamics.core.arrays.rows import FORCES
from opendynamics.core.arrays.table import TABLES
from opendynamics.core.arrays.worlds import WORLDS
from opendynamics.core.constrain.parts.contact import contact_normal
from opendynamics.core.kernels import entry, kernel
from opendynamics.core.solve.dense import piece
from opendynamics.core.solve.warm_starting import first_cached, lasting_fraction

# Least vertical component of a supporting contact's normal: cosine of 60 degrees.
STEEP = 0.5

# Of a body: the load on it, and its moments about two horizontal axes.
LOAD = 3

# Relative spread of the supporting contacts below which they lie on a line, and bear no moment across it.
FLAT = 1e-6

# Spread that may be rounding, relative to the square of their distance from the centre of mass.
SAME = 1e-12


@kernel
def is_new(tables, island):
    """Whether the island has contacts alone, and none of them a cached force, but for those of a much smaller step."""
    lasting = lasting_fraction(tables) == 1.0
    for at in range(island.first_link, island.first_link + island.links):
        link = LINKS.rows(tables)[ISLAND_LINKS.rows(tables)[at]]
        if link.kind != CONTACT or (lasting and link.row_count > 0 and first_cached(tables, link) >= 0):
            return False
    return True


@kernel
def room_for_loads(tables, island):
    """Whether scratch memory is large enough."""
    return INTEGERS.has_room(tables, 3 * island.bodies + 1 + island.links) and FLOATS.has_room(
        tables, LOAD * island.bodies
    )


@entry(types.boolean(TABLES, ISLAND_RECORD))
def carry_loads(tables, island):
    """Write the guess to FORCES. Returns False, without a guess, if a body has no support."""
    g = get3(WORLDS.rows(tables)[0].gravity)
    strength = sqrt(dot(g, g))
    if strength == 0.0 or not _list_supports(tables, island, scale(-1.0 / strength, g)):
        return False
    up = scale(-1.0 / strength, g)
    n, floats = island.bodies, FLOATS.rows(tables)
    above, queue = piece(INTEGERS.rows(tables), 0, n), piece(INTEGERS.rows(tables), 2 * n + 1, n)
    for k in range(LOAD * n):
        floats[k] = 0.0
    for r in range(island.first_row, island.first_row + island.rows):
        FORCES.rows(tables)[r] = 0.0
    queued = done = 0
    for slot in range(n):
        if above[slot] == 0:
            queue[queued] = slot
            queued += 1
    while done < queued:
        slot = queue[done]
        done += 1
        queued = _hand_down(tables, island, slot, strength, up, queued)
    return done == n


@kernel
def _list_supports(tables, island, up):
    """List each body's supporting contacts, and count the contacts on top of it. False: a body has no support."""
    n, integers, end = island.bodies, INTEGERS.rows(tables), island.first_link + island.links
    above, first, listed = piece(integers, 0, n), piece(integers, n, n + 1), piece(integers, 3 * n + 1, island.links)
    for k in range(2 * n + 1):
        integers[k] = 0
    for at in range(island.first_link, end):
        upper, lower = _upper_and_lower(tables, at, up)
        if upper >= 0:
            first[upper] += 1
            if lower >= 0:
                above[lower] += 1
    total = 0
    for slot in range(n):
        body = ISLAND_BODIES.rows(tables)[island.first_body + slot]
        if first[slot] == 0 and MOTIONS.rows(tables)[body].inverse_mass > 0.0:
            return False
        total += first[slot]
        first[slot] = total  # the end; once they are listed, the beginning
    first[n] = total
    for at in range(island.first_link, end):
        upper, _ = _upper_and_lower(tables, at, up)
        if upper >= 0:
            first[upper] -= 1
            listed[first[upper]] = at
    return True


@kernel
def _upper_and_lower(tables, at, up):
    """Slots of the body that a link's contact supports, and of the one below; -1: none."""
    link = LINKS.rows(tables)[ISLAND_LINKS.rows(tables)[at]]
    if link.row_count == 0:
        return -1, -1
    rise = dot(contact_normal(CONTACTS.rows(tables)[link.index]), up)
    if abs(rise) < STEEP:
        return -1, -1
    one, other = _slot(tables, link.body0), _slot(tables, link.body1)
    return (one, other) if rise > 0.0 else (other, one)


@kernel
def _slot(tables, body):
    """A body's slot in the island; -1 for an immovable one."""
    return SLOTS.rows(tables)[body] if body > 0 and MOTIONS.rows(tables)[body].inverse_mass > 0.0 else -1


@kernel
def _hand_down(tables, island, slot, strength, up, queued):
    """Distribute a body's weight and loads over its supporting contacts. Returns the number of bodies in the queue."""
    n, integers, floats = island.bodies, INTEGERS.rows(tables), FLOATS.rows(tables)
    above, first, listed = piece(integers, 0, n), piece(integers, n, n + 1), piece(integers, 3 * n + 1, island.links)
    if first[slot] == first[slot + 1]:
        return queued
    body = ISLAND_BODIES.rows(tables)[island.first_body + slot]
    load = piece(floats, LOAD * slot, LOAD)
    force = INERTIAS.rows(tables)[body].mass * strength + load[0]
    pressure = _pressure(tables, body, piece(listed, first[slot], first[slot + 1] - first[slot]), up, force, load)
    total = 0.0
    for k in range(first[slot], first[slot + 1]):
        total += _pressed(tables, listed[k], body, up, pressure)
    if not total > 0.0:  # pressure is positive at the contacts' mean, but for rounding where they are at one place
        pressure = 1.0, 0.0, 0.0
        total = float(first[slot + 1] - first[slot])
    for k in range(first[slot], first[slot + 1]):
        share = force * _pressed(tables, listed[k], body, up, pressure) / total
        link = LINKS.rows(tables)[ISLAND_LINKS.rows(tables)[listed[k]]]
        contact = CONTACTS.rows(tables)[link.index]
        FORCES.rows(tables)[link.first_row] = share / abs(dot(contact_normal(contact), up))
        _, lower = _upper_and_lower(tables, listed[k], up)
        if lower >= 0:
            x, y = _arm(tables, contact, ISLAND_BODIES.rows(tables)[island.first_body + lower], up)
            floats[LOAD * lower] += share
            floats[LOAD * lower + 1] += share * x
            floats[LOAD * lower + 2] += share * y
            above[lower] -= 1
            if above[lower] == 0:
                piece(integers, 2 * n + 1, n)[queued] = lower
                queued += 1
    return queued


@kernel
def _arm(tables, contact, body, up):
    """Horizontal position of a contact relative to a body's centre of mass."""
    p, q = plane_space(up)
    arm = subtract(get3(contact.point.position), get3(POSES.rows(tables)[body].position))
    return dot(arm, p), dot(arm, q)


@kernel
def _pressure(tables, body, supports, up, force, load):
    """a, b, c of the linear pressure on these links' contacts."""
    count, x_mean, y_mean = float(len(supports)), 0.0, 0.0
    for k in range(len(supports)):
        x, y = _support(tables, supports[k], body, up)
        x_mean += x / count
        y_mean += y / count
    xx = xy = yy = 0.0
    for k in range(len(supports)):
        x, y = _support(tables, supports[k], body, up)
        x, y = x - x_mean, y - y_mean
        xx, xy, yy = xx + x * x, xy + x * y, yy + y * y
    spread = FLAT * (xx + yy) + SAME * count * (x_mean * x_mean + y_mean * y_mean)
    xx, yy = xx + spread, yy + spread
    wide = xx * yy - xy * xy
    along, across = load[1] - force * x_mean, load[2] - force * y_mean
    b = (yy * along - xy * across) / wide if wide > 0.0 else 0.0
    c = (xx * across - xy * along) / wide if wide > 0.0 else 0.0
    return force / count - b * x_mean - c * y_mean, b, c


@kernel
def _support(tables, at, body, up):
    """Horizontal position of a link's contact."""
    return _arm(tables, CONTACTS.rows(tables)[LINKS.rows(tables)[ISLAND_LINKS.rows(tables)[at]].index], body, up)


@kernel
def _pressed(tables, at, body, up, pressure):
    x, y = _support(tables, at, body, up)
    return max(pressure[0] + pressure[1] * x + pressure[2] * y, 0.0)
