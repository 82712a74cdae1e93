"""Stage: the rows of every island, and their right-hand sides.

First all rows are counted, and those of joints filled in; then islands get their solvers; then the rows of contacts are filled
in, for solvers that read them. Of the others' contacts only those that the user made have rows: they may have feedback. Where
nobody reads feedback after a step (`skips_rows`), hard joints have rows only for solvers that read them, too. Every row has a
number, which FORCES go by; ROWS and VARIANTS have room for those that are filled in.

For each row: c/h - J a, and cfm/h on the diagonal, with the acceleration a = v/h + M⁻¹ f that its bodies would have without
constraints (`bodies`). (ODE facts: rows are written as velocities c and scaled by 1/h afterwards.) With free rotation integrated
exactly, v is its mean over the step for hard rows of joints, and for the normals of contacts that ask for less then.

Verlet's rows are those of the bodies half a step ahead, marked by a tilde. Hard rows of joints, but no springs, then ask for

    J~ v' = c + J v - J~ v~

with J of the beginning and the velocity c that a motor asks for there: the mean of both sides' velocities is what moves the row
in this step, and J~ v~ has what the motion's curvature makes of it. Projecting it away instead (J~ v' = c) was rejected: it
loses (h w)²/2 of the energy in each step. So was mending the joint's drift here: that does work against the row's force.
`update/projection.py` does both after the step. Contacts keep the arms with which they were found, at the beginning: measured
from centres that have moved on, normal forces would turn the bodies, and a rolling ball gain speed.
"""

from __future__ import annotations

from math import inf

from opendynamics.core import types
from opendynamics.core.algebra.mat3 import set9
from opendynamics.core.algebra.quat import get4, set4, to_matrix
from opendynamics.core.algebra.vec3 import add_scaled, dot, get3, get3_from, set3
from opendynamics.core.arrays.blocks.load_ahead import load_ahead
from opendynamics.core.arrays.bodies import MOTIONS, POSES
from opendynamics.core.arrays.contacts import CONTACTS, SPECULATIVE
from opendynamics.core.arrays.islands import CONTACT, ISLAND_BODIES, ISLAND_LINKS, ISLAND_RECORD, ISLANDS, LINKS, SLOTS
from opendynamics.core.arrays.joints import JOINT_KERNELS, JOINT_ORDER, JOINTS
from opendynamics.core.arrays.report import CHOICES, FLOATS, REPORTS
from opendynamics.core.arrays.rows import (
    CORRECTIONS,
    EXTERNALS,
    FORCES,
    LEADS,
    REACTIONS,
    ROWS,
    UNCONSTRAINED,
    VARIANTS,
)
from opendynamics.core.arrays.table import TABLES
from opendynamics.core.arrays.worlds import ODES_METHOD, WORLDS
from opendynamics.core.bodies.free_rotation import turn_freely
from opendynamics.core.bodies.integrators import ENERGY_MOMENTUM, VERLET, integrator_of
from opendynamics.core.constrain.bodies import prepare_bodies, prepare_body, set_unconstrained
from opendynamics.core.constrain.joints import COUNT, FILL
from opendynamics.core.constrain.look_ahead import AHEAD, look_ahead
from opendynamics.core.constrain.parts.contact import fill_contact_rows
from opendynamics.core.constrain.parts.hard_row import SPRING, is_hard, softest_joint
from opendynamics.core.constrain.parts.row import clear_row, is_bounded
from opendynamics.core.kernels import caller, entry, kernel

# Numbers of a body's beginning in the floats: position 3, quaternion 4, rotation 9, angular velocity 3.
BEGINNING = 19

# More contacts than there can be.
MAX_CONTACTS = 1 << 31

call_count = caller(COUNT)
call_fill = caller(FILL)


@entry(types.boolean(TABLES, types.float64))
def assemble_joints(tables, h):
    """Count the rows of all islands, and fill in those of joints. False: no memory."""
    integrator = WORLDS.rows(tables)[0].integrator
    if integrator == VERLET or not _may_need_no_rows(tables):
        REPORTS.rows(tables)[0].skips_rows = 0
    total = draws = joints = 0
    for k in range(ISLANDS.used(tables)):
        island = ISLANDS.rows(tables)[k]
        island.first_row, island.bounded_rows = total, 0
        total, joints = _count_rows(tables, island, total, joints)
        island.rows = total - island.first_row
        island.draws_before = draws
        draws += max(island.rows - 1, 0)
    bodies = MOTIONS.used(tables)
    if not (
        FORCES.has_room(tables, total)
        and EXTERNALS.has_room(tables, bodies)
        and UNCONSTRAINED.has_room(tables, bodies)
        and LEADS.has_room(tables, bodies)
        and REACTIONS.has_room(tables, bodies)
        and CORRECTIONS.has_room(tables, bodies)
    ):
        return False
    if integrator == VERLET:
        floats = FLOATS.has_room(tables, BEGINNING * bodies)
        if not (floats and ROWS.has_room(tables, 2 * total) and VARIANTS.has_room(tables, total)):
            return False
    elif JOINT_ORDER.used(tables) > 0 and not ROWS.has_room(tables, total):
        return False
    REPORTS.rows(tables)[0].rows = total
    ROWS.use(tables, total if JOINT_ORDER.used(tables) > 0 else 0)
    FORCES.use(tables, total)
    _note_rows(tables)
    leads = integrator != VERLET and prepare_bodies(tables, h)
    for k in range(ISLANDS.used(tables)):
        island = ISLANDS.rows(tables)[k]
        if integrator == VERLET:
            _fill_ahead(tables, island, h)
        else:
            _fill_island(tables, island, h, joints > 0, leads)
    return True


@kernel
def _may_need_no_rows(tables):
    """Whether a solver of the world needs no rows of hard joints."""
    some = False
    for k in range(CHOICES.used(tables)):
        some |= CHOICES.rows(tables)[k].solves_impacts != 0
    return some


@kernel
def assemble_contacts(tables, h):
    """Fill in the rows of contacts, for solvers that read them, and the right-hand sides. False: no memory."""
    users, end = CONTACTS.used(tables), 0
    for k in range(ISLANDS.used(tables)):
        island = ISLANDS.rows(tables)[k]
        if users > 0 or not CHOICES.rows(tables)[island.solver].solves_impacts:
            end = max(end, island.first_row + island.rows)
    if not (ROWS.has_room(tables, end) and VARIANTS.has_room(tables, end)):
        return False
    for k in range(ISLANDS.used(tables)):
        island = ISLANDS.rows(tables)[k]
        if not CHOICES.rows(tables)[island.solver].solves_impacts:
            complete_rows(tables, island, h)
        elif users > 0:
            fill_contacts(tables, island, h, users)
    return True


@kernel
def has_room_for_rows(tables, island):
    """Whether all rows of an island, or of the islands of a batch, which are anywhere, can be filled in."""
    end = REPORTS.rows(tables)[0].rows if island.batch != 0 else island.first_row + island.rows
    return ROWS.has_room(tables, end) and VARIANTS.has_room(tables, end)


@entry(types.boolean(TABLES, ISLAND_RECORD, types.float64))
def complete_rows(tables, island, h):
    """Fill in the rows of all contacts of an island, and all right-hand sides. False: no memory."""
    if not has_room_for_rows(tables, island):
        return False
    if WORLDS.rows(tables)[0].integrator != VERLET:
        _fill_rest(tables, island, h)
        _set_right_sides(tables, island)
    _note_impacts(tables, island)
    return True


@kernel
def fill_contacts(tables, island, h, end):
    """Fill in the rows of the island's contacts before number `end`."""
    for at in range(island.first_link, island.first_link + island.links):
        link = LINKS.rows(tables)[ISLAND_LINKS.rows(tables)[at]]
        if link.kind == CONTACT and link.index < end:
            fill_contact(tables, ISLAND_LINKS.rows(tables)[at], island.first_row, h)


@kernel
def _fill_rest(tables, island, h):
    """Fill in the rows of all contacts, and of joints whose rows were left out."""
    for k in range(island.first_link, island.first_link + island.links):
        at = ISLAND_LINKS.rows(tables)[k]
        if LINKS.rows(tables)[at].kind == CONTACT:
            fill_contact(tables, at, island.first_row, h)
        else:
            fill_if_skipped(tables, at, h)


@kernel
def _note_rows(tables):
    """Let contacts know their rows; contacts and joints that are in no island have none."""
    for at in range(LINKS.used(tables)):
        link = LINKS.rows(tables)[at]
        if link.kind == CONTACT:
            contact = CONTACTS.rows(tables)[link.index]
            contact.first_row, contact.row_count = link.first_row, link.row_count
            if not link.visited:
                contact.row_count = 0
        elif not link.visited:
            JOINTS.rows(tables)[link.index].row_count = 0


@kernel
def _fill_island(tables, island, h, joints, leads):
    """Rows of joints, and accelerations without rows, where the bodies are; with `leads`, for the means of their rotations."""
    for k in range(island.links if joints else 0):
        look_ahead(tables, island, k + AHEAD)
        at = ISLAND_LINKS.rows(tables)[island.first_link + k]
        link = LINKS.rows(tables)[at]
        if link.kind != CONTACT and not _is_skipped(tables, link):
            island.bounded_rows += _fill_joint_rows(tables, at, h, leads)
    if island.rows > 0:
        for b in range(island.first_body, island.first_body + island.bodies):
            set_unconstrained(tables, ISLAND_BODIES.rows(tables)[b], h)


@kernel
def _is_skipped(tables, link):
    """Whether the rows of a joint are filled in only for solvers that read them: none has bounds, and nobody reads feedback."""
    if not REPORTS.rows(tables)[0].skips_rows:
        return False
    return link.row_count == JOINT_KERNELS.rows(tables)[JOINTS.rows(tables)[link.index].kind].hard_rows


@kernel
def fill_if_skipped(tables, at, h):
    """Fill in the rows of the joint of link `at` if they were left out."""
    if _is_skipped(tables, LINKS.rows(tables)[at]):
        _fill_joint_rows(tables, at, h, WORLDS.rows(tables)[0].integrator == ENERGY_MOMENTUM)


@kernel
def _fill_ahead(tables, island, h):
    """The same with the bodies half a step later; then their poses are restored."""
    links = range(island.first_link, island.first_link + island.links)
    fill_joints(tables, island, 0, inf)
    for k in links:
        link = LINKS.rows(tables)[ISLAND_LINKS.rows(tables)[k]]
        if link.kind != CONTACT:
            for r in range(link.first_row, link.first_row + link.row_count):
                row = ROWS.rows(tables)[r]
                FORCES.rows(tables)[r] = row.bias + row_velocity(tables, island, row)
    for b in range(island.bodies):
        body = ISLAND_BODIES.rows(tables)[island.first_body + b]
        _move_ahead(tables, body, BEGINNING * b, 0.5 * h)
        prepare_body(tables, body, h)
    _fill_island(tables, island, h, True, False)
    for b in range(island.bodies):  # contacts were found there
        _restore_position(tables, ISLAND_BODIES.rows(tables)[island.first_body + b], BEGINNING * b)
    fill_contacts(tables, island, h, MAX_CONTACTS)
    for k in links:
        _balance(tables, island, LINKS.rows(tables)[ISLAND_LINKS.rows(tables)[k]], h)
    _set_right_sides(tables, island)
    for b in range(island.bodies):
        _restore(tables, ISLAND_BODIES.rows(tables)[island.first_body + b], BEGINNING * b)


@kernel
def _balance(tables, island, link, h):
    """Make hard rows and gaps constrain the mean of the velocities before and after."""
    if link.kind != CONTACT:
        softest = SPRING * (1.0 / h)  # as the rows are scaled, to the last bit
        for r in range(link.first_row, link.first_row + link.row_count):
            row = ROWS.rows(tables)[r]
            if is_hard(row, softest):
                row.bias = (FORCES.rows(tables)[r] - row_velocity(tables, island, row)) / h
    elif CONTACTS.rows(tables)[link.index].flags & SPECULATIVE:
        row, variant = ROWS.rows(tables)[link.first_row], VARIANTS.rows(tables)[link.first_row]
        if variant.corrected < 0.0:  # a gap never opens for it
            variant.corrected = min(2.0 * variant.corrected - row_velocity(tables, island, row) / h, 0.0)
            variant.resting = variant.corrected
            row.bias = max(variant.corrected, variant.rebound)


@kernel
def fill_joints(tables, island, offset, h):
    """The rows of the island's joints, as velocities, `offset` rows beyond their places."""
    for k in range(island.first_link, island.first_link + island.links):
        link = LINKS.rows(tables)[ISLAND_LINKS.rows(tables)[k]]
        if link.kind == CONTACT:
            continue
        _fill_joint(tables, link, link.first_row + offset, h)
        slot0, slot1 = _slots_of(tables, link)
        for r in range(link.first_row + offset, link.first_row + link.row_count + offset):
            row = ROWS.rows(tables)[r]
            row.slot0, row.slot1 = slot0, slot1


@kernel
def _fill_joint(tables, link, first, h):
    if link.row_count == 0:  # such as a servo whose joint is disabled, which would write one
        return
    cfm = WORLDS.rows(tables)[0].cfm
    for r in range(first, first + link.row_count):
        clear_row(ROWS.rows(tables)[r], cfm)
    call_fill(JOINT_KERNELS.rows(tables)[JOINTS.rows(tables)[link.index].kind].fill, tables, link.index, first, h)


@kernel
def _move_ahead(tables, body, at, h):
    """Note the body's pose and angular velocity in the floats, and move it on by `h` s without forces."""
    motion, pose, floats = MOTIONS.rows(tables)[body], POSES.rows(tables)[body], FLOATS.rows(tables)
    for k in range(3):
        floats[at + k] = pose.position[k]
        floats[at + 16 + k] = motion.angular_velocity[k]
    for k in range(4):
        floats[at + 3 + k] = pose.quaternion[k]
    for k in range(9):
        floats[at + 7 + k] = pose.rotation[k]
    set3(pose.position, add_scaled(get3(pose.position), h, get3(motion.linear_velocity)))
    q, w, _ = turn_freely(tables, body, get4(pose.quaternion), get3(motion.angular_velocity), h)
    set4(pose.quaternion, q)
    set9(pose.rotation, to_matrix(q))
    set3(motion.angular_velocity, w)


@kernel
def _restore_position(tables, body, at):
    pose, floats = POSES.rows(tables)[body], FLOATS.rows(tables)
    for k in range(3):
        pose.position[k] = floats[at + k]


@kernel
def _restore(tables, body, at):
    motion, pose, floats = MOTIONS.rows(tables)[body], POSES.rows(tables)[body], FLOATS.rows(tables)
    for k in range(3):
        motion.angular_velocity[k] = floats[at + 16 + k]
    for k in range(4):
        pose.quaternion[k] = floats[at + 3 + k]
    for k in range(9):
        pose.rotation[k] = floats[at + 7 + k]


@kernel
def row_velocity(tables, island, row):
    """J v."""
    members = ISLAND_BODIES.rows(tables)
    velocity = 0.0
    if row.slot0 >= 0:
        motion = MOTIONS.rows(tables)[members[island.first_body + row.slot0]]
        velocity += dot(get3(row.j0), get3(motion.linear_velocity))
        velocity += dot(get3_from(row.j0, 3), get3(motion.angular_velocity))
    if row.slot1 >= 0:
        motion = MOTIONS.rows(tables)[members[island.first_body + row.slot1]]
        velocity += dot(get3(row.j1), get3(motion.linear_velocity))
        velocity += dot(get3_from(row.j1, 3), get3(motion.angular_velocity))
    return velocity


@kernel
def _count_rows(tables, island, total, joints):
    """Number the rows of an island, from `total` on, and count `joints` whose rows are not left out. Returns both."""
    for at in range(island.first_link, island.first_link + island.links):
        link = LINKS.rows(tables)[ISLAND_LINKS.rows(tables)[at]]
        if link.kind == CONTACT:  # its rows have been counted when it was listed, and how many are bounded
            island.bounded_rows += link.first_row
        else:
            kernels = JOINT_KERNELS.rows(tables)[JOINTS.rows(tables)[link.index].kind]
            link.row_count = call_count(kernels.count, tables, link.index)
            if _is_skipped(tables, link):
                JOINTS.rows(tables)[link.index].row_count, link.free_rows = 0, link.row_count
            else:
                joints += 1
        link.first_row = total
        total += link.row_count
    return total, joints


@kernel
def fill_contact(tables, at, island_row, h):
    """Fill in the rows of the contact of link `at`, as accelerations."""
    load_ahead(tables)
    link, cfm = LINKS.rows(tables)[at], WORLDS.rows(tables)[0].cfm
    end = link.first_row + link.row_count
    for r in range(link.first_row, end):
        clear_row(ROWS.rows(tables)[r], cfm)
    fill_contact_rows(tables, CONTACTS.rows(tables)[link.index], link.first_row, link.first_row - island_row, h)
    slot0, slot1 = _slots_of(tables, link)
    for r in range(link.first_row, end):
        _finish_row(ROWS.rows(tables)[r], at, slot0, slot1, 1.0 / h)


@kernel
def _fill_joint_rows(tables, at, h, leads):
    """Fill in the rows of the joint of link `at`, as accelerations; with `leads`, hard ones for the mean angular velocities.

    Returns how many have bounds; the link notes how many without stand before them.
    """
    load_ahead(tables)
    link, rate, bounded = LINKS.rows(tables)[at], 1.0 / h, 0
    joint = JOINTS.rows(tables)[link.index]
    joint.first_row, joint.row_count, link.free_rows = link.first_row, link.row_count, link.row_count
    _fill_joint(tables, link, link.first_row, h)
    softest = softest_joint(tables) * rate  # as the rows are scaled, to the last bit
    slot0, slot1 = _slots_of(tables, link)
    lead0, lead1 = get3(LEADS.rows(tables)[link.body0].angular), get3(LEADS.rows(tables)[link.body1].angular)
    for k in range(link.row_count):
        row = ROWS.rows(tables)[link.first_row + k]
        _finish_row(row, at, slot0, slot1, rate)
        if is_bounded(row):
            link.free_rows, bounded = min(link.free_rows, k), bounded + 1
        elif leads and row.cfm <= softest:
            if slot0 >= 0:
                row.bias -= dot(get3_from(row.j0, 3), lead0)
            if slot1 >= 0:
                row.bias -= dot(get3_from(row.j1, 3), lead1)
    return bounded


@kernel
def _slots_of(tables, link):
    """Places of both bodies of a link in their island, -1: the static world."""
    slots = SLOTS.rows(tables)
    return slots[link.body0], slots[link.body1] if link.body1 != 0 else -1


@kernel
def _finish_row(row, at, slot0, slot1, rate):
    """Turn velocities into accelerations, by `rate`, and note the row's link and bodies."""
    row.bias *= rate
    row.cfm *= rate
    row.slot0, row.slot1, row.link = slot0, slot1, at


@kernel
def _lead_along(tables, link, row):
    """By how much bodies approach less in the mean of their free rotation than at its beginning, over h.

    A contact may use that up, but ask for no more where the mean is less: its force would do work, as it acts at the beginning.
    """
    ahead = 0.0
    if row.slot0 >= 0 and integrator_of(tables, link.body0) == ENERGY_MOMENTUM:
        ahead += dot(get3_from(row.j0, 3), get3(LEADS.rows(tables)[link.body0].angular))
    if row.slot1 >= 0 and integrator_of(tables, link.body1) == ENERGY_MOMENTUM:
        ahead += dot(get3_from(row.j1, 3), get3(LEADS.rows(tables)[link.body1].angular))
    return ahead


@kernel
def _set_right_sides(tables, island):
    """rhs = c/h - J a, and how many rows are bounded, alone and in pairs."""
    bounded = pairs = 0
    leads = WORLDS.rows(tables)[0].integrator == ENERGY_MOMENTUM
    for at in range(island.first_link, island.first_link + island.links):
        link = LINKS.rows(tables)[ISLAND_LINKS.rows(tables)[at]]
        free0, free1 = _free(tables, link.body0), _free(tables, link.body1)
        for r in range(link.first_row, link.first_row + link.row_count):
            row = ROWS.rows(tables)[r]
            bounded += is_bounded(row)
            pairs += row.pair > 0
            _set_right_side(row, free0, free1)
        if leads and link.kind == CONTACT:
            row = ROWS.rows(tables)[link.first_row]
            row.rhs -= max(_lead_along(tables, link, row), 0.0)
    island.bounded_rows = bounded
    island.pairs = pairs


@kernel
def set_right_sides_of_joints(tables, island):
    """Right-hand sides of the rows of joints, for solvers that need none themselves."""
    for at in range(island.first_link, island.first_link + island.links):
        link = LINKS.rows(tables)[ISLAND_LINKS.rows(tables)[at]]
        if link.kind != CONTACT:
            free0, free1 = _free(tables, link.body0), _free(tables, link.body1)
            for r in range(link.first_row, link.first_row + link.row_count):
                _set_right_side(ROWS.rows(tables)[r], free0, free1)


@kernel
def _set_right_side(row, free0, free1):
    """c/h - J a, with the accelerations of both bodies, each linear and angular."""
    value = row.bias
    if row.slot0 >= 0:
        value -= dot(get3(row.j0), free0[0]) + dot(get3_from(row.j0, 3), free0[1])
    if row.slot1 >= 0:
        value -= dot(get3(row.j1), free1[0]) + dot(get3_from(row.j1, 3), free1[1])
    row.rhs = value


@kernel
def _note_impacts(tables, island):
    """Position corrections, bouncing and speculative contacts: what `solve/impacts.py` may be needed for."""
    world = WORLDS.rows(tables)[0]
    island.push = 0.0
    island.bounces = island.gaps = 0
    if world.stabilization == ODES_METHOD and world.restitution == ODES_METHOD:
        return
    for at in range(island.first_link, island.first_link + island.links):
        link = LINKS.rows(tables)[ISLAND_LINKS.rows(tables)[at]]
        if link.kind == CONTACT:
            row, variant = ROWS.rows(tables)[link.first_row], VARIANTS.rows(tables)[link.first_row]
            variant.filled_bias, variant.filled_rhs = row.bias, row.rhs
            island.push = max(island.push, variant.corrected - variant.resting)
            island.bounces += world.restitution != ODES_METHOD and variant.rebound > variant.resting
            island.gaps += CONTACTS.rows(tables)[link.index].flags & SPECULATIVE != 0


@kernel
def _free(tables, body):
    free = UNCONSTRAINED.rows(tables)[body]
    return get3(free.linear), get3(free.angular)
