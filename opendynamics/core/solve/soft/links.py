"""Classification of an island's links: solved in lanes, or one after another.

In lanes: contact manifolds (points of one pair of bodies with one normal and one surface) without own CFM, whose friction in both
directions is bounded by the normal force; and hard joints of some kinds. One after another: all other links, those without a
colour, and all links of islands too small to fill the lanes, unless several are solved in a batch.

A joint and a motor of the same bodies, such as a ball joint and the stops of an angular motor, are one link.
"""

from __future__ import annotations

from math import inf

from opendynamics.core.algebra.vec3 import dot, subtract
from opendynamics.core.arrays import contacts
from opendynamics.core.arrays.contacts import APPROX1_1, APPROX1_2, ELLIPTIC, FDIR1, SPECULATIVE
from opendynamics.core.arrays.islands import CONTACT, ISLAND_LINKS, LINKS, SLOTS
from opendynamics.core.arrays.joints import JOINTS
from opendynamics.core.arrays.report import FLOATS, INTEGERS
from opendynamics.core.constrain.joints.ball import KIND as BALL_JOINT
from opendynamics.core.constrain.look_ahead import AHEAD, look_ahead
from opendynamics.core.constrain.parts.contact import (
    apart_of,
    contact_normal,
    first_motion,
    normal_motion,
    second_motion,
    second_mu,
)
from opendynamics.core.constrain.parts.hard_row import SPRING
from opendynamics.core.kernels import kernel
from opendynamics.core.solve.dense import vector
from opendynamics.core.solve.soft.axis_lanes import fits
from opendynamics.core.solve.soft.manifolds import link_of
from opendynamics.core.solve.soft.plan.layout import (
    ALONE,
    AT,
    AXES,
    BALLS,
    BLOCKS,
    BODY,
    BODY_A,
    BODY_B,
    COLOUR,
    CONTACTS,
    COUNT,
    FILLED,
    FIRST,
    FIRST_ROW,
    GROUPS,
    HARD,
    IS_SLENDER,
    ITEM,
    ITEMS,
    JOINTS_HERE,
    KINDS,
    LINK,
    LINKS_HERE,
    MOTOR,
    NUMBER,
    ORDER,
    PLACE_OF,
    PLAN,
    POINTS,
    ROWS_HERE,
    STARTED,
    coloured_of,
    scratch_of,
)
from opendynamics.core.solve.soft.plan.motors import follows, motor_of

# Number of manifolds or joints above which lanes are filled well enough.
WORTH_COLOURING = 24

# Tolerance within which normals are equal.
SAME = 1e-7

# LINK.traits: 1 + the kind of lanes that a link fits, 0 for none; whether a contact continues the manifold of the link before.
LANE_KIND, CONTINUES = 3, 4

# Bits of ORDER: the bodies of each manifold rise, or fall, from one to the next, so that none has the bodies of another.
RISING, FALLING = 1, 2

# Contact flags that exclude it from lanes: own friction directions, own CFM, slip.
SPECIAL = FDIR1 | contacts.SOFT_ERP | contacts.SOFT_CFM | contacts.SLIP1 | contacts.SLIP2


@kernel
def classify_links(tables, island, first, end):
    """Write the traits of the links from `first` up to `end`."""
    for k in range(first, end):
        look_ahead(tables, island, k + AHEAD)
        link = link_of(tables, island, k)
        kind = _kind_of(tables, ISLAND_LINKS.rows(tables)[island.first_link + k])
        continues = kind == CONTACTS and k > 0 and _continues(tables, island, k)
        link.traits = kind + 1 + (CONTINUES if continues else 0)


@kernel
def list_links(tables, island):
    """List the links that may be coloured, and the others, by their traits."""
    plan = INTEGERS.rows(tables)
    for k in range(PLAN):
        plan[k] = 0
    manifold, plan[ORDER] = False, RISING | FALLING
    for k in range(island.links):
        link = link_of(tables, island, k)
        kind = (link.traits & LANE_KIND) - 1
        if manifold and link.traits & CONTINUES:
            vector(coloured_of(tables, island, CONTACTS).items, ITEM, plan[ITEMS + CONTACTS] - 1)[POINTS] += 1
            continue
        if kind >= 0 and _is_slender(tables, island, link):
            kind = -1
        manifold = kind == CONTACTS
        if kind >= 0:
            _add_item(tables, island, k, kind)
        elif link.row_count > 0 and not follows(tables, ISLAND_LINKS.rows(tables)[island.first_link + k]):
            add_link(tables, island, k)


@kernel
def _kind_of(tables, at):
    """In which lanes the link in row `at` is solved, -1: in none."""
    link = LINKS.rows(tables)[at]
    if link.kind == CONTACT:
        return CONTACTS if _is_plain(tables, link) else -1
    if motor_of(tables, at) >= 0:
        return -1
    joint = JOINTS.rows(tables)[link.index]
    if joint.kind == BALL_JOINT:
        return BALLS if joint.cfm <= SPRING else -1
    return AXES if fits(tables, link) else -1


@kernel
def is_worth_colouring(tables, island):
    """Whether the island, or the batch, has enough links for lanes to pay."""
    plan, items = INTEGERS.rows(tables), 0
    for kind in range(KINDS):
        items += plan[ITEMS + kind]
    return island.batch != 0 or items >= WORTH_COLOURING


@kernel
def list_left_over(tables, island, all_of_them):
    """Add links without a colour to those solved one by one."""
    plan = INTEGERS.rows(tables)
    for kind in range(KINDS):
        items = coloured_of(tables, island, kind).items
        for n in range(plan[ITEMS + kind]):
            item = vector(items, ITEM, n)
            if all_of_them or item[COLOUR] < 0:
                for k in range(item[PLACE_OF], item[PLACE_OF] + (item[POINTS] if kind == CONTACTS else 1)):
                    add_link(tables, island, k)
        if all_of_them:
            plan[ITEMS + kind] = plan[GROUPS + kind] = plan[BLOCKS + kind] = 0


@kernel
def add_link(tables, island, k):
    """Add link k of the island to those solved one by one."""
    plan, link = INTEGERS.rows(tables), link_of(tables, island, k)
    own = vector(scratch_of(tables, island).links, LINK, plan[LINKS_HERE])
    own[NUMBER], own[FIRST], own[FIRST_ROW], own[COUNT] = k, plan[ROWS_HERE], link.first_row, link.row_count
    own[HARD], own[AT], own[FILLED], own[STARTED], own[MOTOR] = 0, ALONE, 0, 0, -1
    if link.kind != CONTACT:
        own[MOTOR] = motor_of(tables, ISLAND_LINKS.rows(tables)[island.first_link + k])
        if own[MOTOR] >= 0:
            own[COUNT] += LINKS.rows(tables)[own[MOTOR]].row_count
    plan[LINKS_HERE] += 1
    plan[ROWS_HERE] += own[COUNT]
    plan[JOINTS_HERE] += link.kind != CONTACT


@kernel
def _add_item(tables, island, k, kind):
    plan, link = INTEGERS.rows(tables), link_of(tables, island, k)
    item = vector(coloured_of(tables, island, kind).items, ITEM, plan[ITEMS + kind])
    # Joints with bounded rows are in groups of their own.
    bounded = link.kind != CONTACT and link.free_rows < link.row_count
    item[PLACE_OF], item[POINTS], item[COLOUR] = k, 2 if bounded else 1, -1
    item[BODY_A], item[BODY_B] = slot_of(tables, island, link.body0), slot_of(tables, island, link.body1)
    if kind == CONTACTS and plan[ITEMS + kind] > 0:
        before = link_of(
            tables, island, vector(coloured_of(tables, island, kind).items, ITEM, plan[ITEMS + kind] - 1)[PLACE_OF]
        )
        plan[ORDER] &= (RISING if _bodies(link) > _bodies(before) else 0) | (
            FALLING if _bodies(link) < _bodies(before) else 0
        )
    plan[ITEMS + kind] += 1


@kernel
def _bodies(link):
    """Both bodies of a link as one number."""
    return max(link.body0, link.body1) << 32 | min(link.body0, link.body1)


@kernel
def slot_of(tables, island, body):
    """A body's slot in the island; behind the others: immovable here."""
    slot = SLOTS.rows(tables)[body] if body != 0 else -1
    return slot if slot >= 0 else island.bodies


@kernel
def _is_slender(tables, island, link):
    """Whether either body is."""
    floats = FLOATS.rows(tables)
    a, b = slot_of(tables, island, link.body0), slot_of(tables, island, link.body1)
    return floats[BODY * a + IS_SLENDER] != 0.0 or floats[BODY * b + IS_SLENDER] != 0.0


@kernel
def _is_plain(tables, link):
    contact = contacts.CONTACTS.rows(tables)[link.index]
    surface = contact.surface
    mode, mu, mu2 = surface.mode, surface.mu, second_mu(surface)
    if link.row_count != 3 or mode & SPECIAL or not mode & APPROX1_1 or not mode & APPROX1_2:
        return False
    if mode & ELLIPTIC:
        return mu == mu2 and 0.0 < mu < inf
    return mu > 0.0 and mu2 > 0.0


@kernel
def _continues(tables, island, k):
    """Whether contact k belongs to the manifold of the one before it."""
    link, before = link_of(tables, island, k), link_of(tables, island, k - 1)
    if before.kind != CONTACT or link.body0 != before.body0 or link.body1 != before.body1:
        return False
    rows = contacts.CONTACTS.rows(tables)
    one, other = rows[before.index], rows[link.index]
    apart = subtract(contact_normal(one), contact_normal(other))
    if (one.flags ^ other.flags) & SPECULATIVE:
        return False
    if one.flags & SPECULATIVE:  # one displacement between the arms for all points
        wider = subtract(apart_of(tables, one), apart_of(tables, other))
        if dot(wider, wider) > SAME * SAME:
            return False
    a, b = one.surface, other.surface
    if dot(apart, apart) > SAME * SAME or a.mode != b.mode or a.mu != b.mu or second_mu(a) != second_mu(b):
        return False
    return _motions_of(tables, a) == _motions_of(tables, b)


@kernel
def _motions_of(tables, surface):
    return normal_motion(tables, surface), first_motion(tables, surface), second_motion(tables, surface)
