"""Stage: the rows of every island, and their right-hand sides.

For each body: external force f (user's loads, gravity, gyroscopic torque, motors at stops) and where it would go
without constraints, a = v/h + M⁻¹ f. For each row: c/h - J a, and cfm/h on the diagonal. (ODE facts: rows are written
as velocities c and scaled by 1/h afterwards.)
"""

from __future__ import annotations

from opendynamics.core.algebra.mat3 import cross_matrix, determinant, get9, inverse, set9, times, turned
from opendynamics.core.algebra.vec3 import add, dot, get3, get3_from, negate, scale
from opendynamics.core.arrays.bodies import GYROSCOPIC, INERTIAS, LOADS, MOTIONS, POSES, WEIGHTLESS
from opendynamics.core.arrays.contacts import CONTACTS
from opendynamics.core.arrays.islands import CONTACT, ISLAND_BODIES, ISLAND_LINKS, ISLANDS, LINKS, SLOTS
from opendynamics.core.arrays.joints import JOINT_KERNELS, JOINTS
from opendynamics.core.arrays.report import REPORTS
from opendynamics.core.arrays.rows import EXTERNALS, FORCES, REACTIONS, ROWS, UNCONSTRAINED
from opendynamics.core.arrays.worlds import WORLDS
from opendynamics.core.constrain.joints import COUNT, FILL
from opendynamics.core.constrain.parts.contact import count_contact_rows, fill_contact_rows
from opendynamics.core.constrain.parts.row import clear_row, is_bounded
from opendynamics.core.kernels import caller, kernel

call_count = caller(COUNT.return_type, len(COUNT.args))
call_fill = caller(FILL.return_type, len(FILL.args))


@kernel
def assemble_rows(tables, h):
    """Count, then fill in, the rows of all islands. False: no room."""
    total = 0
    draws = 0
    for k in range(ISLANDS.used(tables)):
        island = ISLANDS.rows(tables)[k]
        island.first_row = total
        total = _count_rows(tables, island, total)
        island.rows = total - island.first_row
        island.draws_before = draws
        draws += max(island.rows - 1, 0)
    bodies = MOTIONS.used(tables)
    if not (
        ROWS.has_room(tables, total)
        and FORCES.has_room(tables, total)
        and EXTERNALS.has_room(tables, bodies)
        and UNCONSTRAINED.has_room(tables, bodies)
        and REACTIONS.has_room(tables, bodies)
    ):
        return False
    ROWS.use(tables, total)
    REPORTS.rows(tables)[0].rows = total
    for k in range(ISLANDS.used(tables)):
        island = ISLANDS.rows(tables)[k]
        for b in range(island.first_body, island.first_body + island.bodies):
            _gather_externals(tables, ISLAND_BODIES.rows(tables)[b], h)
        for at in range(island.first_link, island.first_link + island.links):
            _fill_rows(tables, ISLAND_LINKS.rows(tables)[at], island.first_row, h)
        for b in range(island.first_body, island.first_body + island.bodies):
            _set_unconstrained(tables, ISLAND_BODIES.rows(tables)[b], h)
        _set_right_sides(tables, island)
    return True


@kernel
def _count_rows(tables, island, total):
    for at in range(island.first_link, island.first_link + island.links):
        link = LINKS.rows(tables)[ISLAND_LINKS.rows(tables)[at]]
        link.first_row = total
        if link.kind == CONTACT:
            link.row_count = count_contact_rows(CONTACTS.rows(tables)[link.index])
        else:
            kernels = JOINT_KERNELS.rows(tables)[JOINTS.rows(tables)[link.index].kind]
            link.row_count = call_count(kernels.count, tables, link.index)
        total += link.row_count
    return total


@kernel
def _gather_externals(tables, body, h):
    """The body's world inverse inertia, and every force on it that is known before the rows are."""
    motion = MOTIONS.rows(tables)[body]
    inertia = INERTIAS.rows(tables)[body]
    load = LOADS.rows(tables)[body]
    external = EXTERNALS.rows(tables)[body]
    torque = get3(load.torque)
    if _is_isotropic(inertia.inertia):
        set9(inertia.world_inverse, get9(inertia.inverse))  # turns into itself, and makes no gyroscopic torque
    else:
        rotation = get9(POSES.rows(tables)[body].rotation)
        set9(inertia.world_inverse, turned(rotation, get9(inertia.inverse)))
        if motion.flags & GYROSCOPIC and motion.inverse_mass > 0.0:
            torque = add(torque, _gyroscopic_torque(rotation, get9(inertia.inertia), get3(motion.angular_velocity), h))
    weight = 0.0 if motion.flags & WEIGHTLESS else inertia.mass
    gravity = WORLDS.rows(tables)[motion.world].gravity
    for k in range(3):
        external.linear[k] = load.force[k] + weight * gravity[k]
        external.angular[k] = torque[k]


@kernel
def _is_isotropic(inertia):
    """Whether every axis has the same moment of inertia, as in a ball or a cube."""
    return (
        inertia[0] == inertia[4]
        and inertia[4] == inertia[8]
        and inertia[1] == 0.0
        and inertia[2] == 0.0
        and inertia[5] == 0.0
    )


@kernel
def _gyroscopic_torque(rotation, inertia, spin, h):
    """Implicit in the momentum's turning, as ODE has it: (I (I - h [L]x)⁻¹ - 1) L/h. It damps, and stays stable."""
    tensor = turned(rotation, inertia)
    momentum = times(tensor, spin)
    skew = cross_matrix(momentum)
    mixed = (
        tensor[0],
        tensor[1] - h * skew[1],
        tensor[2] - h * skew[2],
        tensor[3] - h * skew[3],
        tensor[4],
        tensor[5] - h * skew[5],
        tensor[6] - h * skew[6],
        tensor[7] - h * skew[7],
        tensor[8],
    )
    d = determinant(mixed)
    if d == 0.0:
        return 0.0, 0.0, 0.0
    rate = scale(1.0 / h, momentum)
    return add(times(tensor, times(inverse(mixed, d), rate)), negate(rate))


@kernel
def _fill_rows(tables, at, island_row, h):
    """Clear and fill in the rows of link `at`, then turn velocities into accelerations."""
    link = LINKS.rows(tables)[at]
    place = SLOTS.rows(tables)
    cfm = WORLDS.rows(tables)[MOTIONS.rows(tables)[link.body0].world].cfm
    end = link.first_row + link.row_count
    for r in range(link.first_row, end):
        clear_row(ROWS.rows(tables)[r], cfm)
    if link.kind == CONTACT:
        contact = CONTACTS.rows(tables)[link.index]
        contact.first_row = link.first_row
        contact.row_count = link.row_count
        fill_contact_rows(tables, contact, link.first_row, link.first_row - island_row, h)
    else:
        joint = JOINTS.rows(tables)[link.index]
        joint.first_row = link.first_row
        joint.row_count = link.row_count
        call_fill(JOINT_KERNELS.rows(tables)[joint.kind].fill, tables, link.index, link.first_row, h)
    slot0, slot1 = place[link.body0], -1
    if link.body1 != 0:
        slot1 = place[link.body1]
    rate = 1.0 / h
    for r in range(link.first_row, end):
        row = ROWS.rows(tables)[r]
        row.bias *= rate
        row.cfm *= rate
        row.slot0 = slot0
        row.slot1 = slot1
        row.link = at


@kernel
def _set_unconstrained(tables, body, h):
    motion = MOTIONS.rows(tables)[body]
    external = EXTERNALS.rows(tables)[body]
    free = UNCONSTRAINED.rows(tables)[body]
    turning = times(get9(INERTIAS.rows(tables)[body].world_inverse), get3(external.angular))
    rate = 1.0 / h
    for k in range(3):
        free.linear[k] = motion.linear_velocity[k] * rate + motion.inverse_mass * external.linear[k]
        free.angular[k] = motion.angular_velocity[k] * rate + turning[k]


@kernel
def _set_right_sides(tables, island):
    """rhs = c/h - J a, and how many rows are bounded, alone and in pairs."""
    bounded = pairs = 0
    for at in range(island.first_link, island.first_link + island.links):
        link = LINKS.rows(tables)[ISLAND_LINKS.rows(tables)[at]]
        linear0, angular0 = _free(tables, link.body0)
        linear1, angular1 = _free(tables, link.body1)
        for r in range(link.first_row, link.first_row + link.row_count):
            row = ROWS.rows(tables)[r]
            bounded += is_bounded(row)
            pairs += row.pair > 0
            value = row.bias
            if row.slot0 >= 0:
                value -= dot(get3(row.j0), linear0) + dot(get3_from(row.j0, 3), angular0)
            if row.slot1 >= 0:
                value -= dot(get3(row.j1), linear1) + dot(get3_from(row.j1, 3), angular1)
            row.rhs = value
    island.bounded_rows = bounded
    island.pairs = pairs


@kernel
def _free(tables, body):
    free = UNCONSTRAINED.rows(tables)[body]
    return get3(free.linear), get3(free.angular)
