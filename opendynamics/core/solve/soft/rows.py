"""Rows in the sub-steps: those of contacts are prepared once a step, those of joints in every sub-step, at the current poses.
While bodies have hardly turned, hard joint rows keep their Jacobians (as contact rows always do); only their errors are
recomputed.

A row's impulse λ is that of a sub-step h', and it aims at a velocity c:

    J v + s λ = c,    s = CFM / h'

Contacts keep their Jacobians; their separation is that of the beginning plus J times the displacement. Where they penetrate,
they are a soft constraint (mass-spring-damper by frequency and damping ratio: E. Catto, Soft constraints, 2011; Solver2D,
2024), whose bias is removed by relaxation. Joints' hard rows correct `erp` of their error in a sub-step, and relaxation
removes that velocity as well. Intentionally soft rows (CFM of springs and stops, servos) keep their stiffness: their bias is
erp/h of the error as in a whole step, with the same CFM, and so they keep erp/(h CFM); relaxation does not change them.
"""

from __future__ import annotations

from math import inf

from opendynamics.core import types
from opendynamics.core.algebra.lanes import LANES
from opendynamics.core.algebra.vec3 import add_scaled, dot, get3_from
from opendynamics.core.arrays.contacts import CONTACTS, SOFT_CFM, SOFT_ERP
from opendynamics.core.arrays.islands import CONTACT, ISLAND_LINKS, ISLAND_RECORD, LINKS
from opendynamics.core.arrays.joints import AT_LOW, FREE, JOINT_KERNELS, JOINTS
from opendynamics.core.arrays.report import INTEGERS, REPORTS
from opendynamics.core.arrays.rows import FORCES, ROWS, VARIANTS
from opendynamics.core.arrays.table import TABLES
from opendynamics.core.arrays.worlds import WORLDS
from opendynamics.core.constrain.assemble import call_count, call_fill, fill_contact, fill_if_skipped
from opendynamics.core.constrain.parts.contact import contact_normal, details_of
from opendynamics.core.constrain.parts.hard_row import SPRING, is_hard
from opendynamics.core.constrain.parts.row import clear_row
from opendynamics.core.kernels import entry, kernel
from opendynamics.core.solve.dense import dot12, piece, put6, vector
from opendynamics.core.solve.prepared import effective_mass, inverse_mass_here, response
from opendynamics.core.solve.soft import blocks
from opendynamics.core.solve.soft.blocks import couple_row, load_block
from opendynamics.core.solve.soft.links import slot_of
from opendynamics.core.solve.soft.manifolds import link_of, soft_constraint
from opendynamics.core.solve.soft.parameters import stop_correction
from opendynamics.core.solve.soft.plan.layout import (
    AT,
    BODY,
    BODY0,
    BODY1,
    BOUNCES,
    CFM,
    COUNT,
    COUPLING,
    COUPLING1,
    DRIVE,
    EFFECTIVE_MASS,
    FILLED,
    FIRST,
    FIRST_ROW,
    GUESSED,
    HARD,
    HI,
    IMPULSE,
    IMPULSE_SCALE,
    JOINT,
    LINK,
    LINKS_HERE,
    LO,
    MASS_SCALE,
    MAX_COUPLED,
    MAX_HARD,
    MOTOR,
    MOTOR_STATES,
    MOVED,
    NORMAL,
    NUMBER,
    NUMBERS,
    NUMBERS_OF_JOINT,
    PAIR,
    PLACE,
    RATE,
    REBOUND,
    RESPONSE,
    REST,
    ROW,
    SEPARATION,
    SOURCE,
    STARTED,
    STATES,
    TARGET,
    TOGETHER,
    TOTAL,
    first_joint,
    scratch_of,
)
from opendynamics.core.solve.warm_starting import (
    attempt_to_solve,
    manifold_size,
    place_of,
    put_contact_force,
    spread_load,
    start_link,
)

ZERO = (0.0, 0.0, 0.0)

# rad, rotation of both bodies since the step began, below which hard rows of joints keep their Jacobians.
STILL = 1e-2

# Relative tolerance within which a row's CFM is the same in the step and in a sub-step.
UNCHANGED = 1e-9


@entry(types.void(TABLES, ISLAND_RECORD, types.float64, types.int64))
def begin_rows(tables, island, h, substeps):
    """Fill in all that stays the same in the sub-steps, and the impulses to start from."""
    s, factor, attempt = scratch_of(tables, island), first_joint(tables, island), attempt_to_solve(tables, island)
    for k in range(INTEGERS.rows(tables)[LINKS_HERE]):
        own = vector(s.links, LINK, k)
        link = link_of(tables, island, own[NUMBER])
        if link.kind == CONTACT:
            fill_contact(tables, ISLAND_LINKS.rows(tables)[island.first_link + own[NUMBER]], island.first_row, h)
        else:
            fill_if_skipped(tables, ISLAND_LINKS.rows(tables)[island.first_link + own[NUMBER]], h)
            own[AT] = factor
            factor += JOINT
            put_numbers(piece(s.floats, own[AT] + NUMBERS, NUMBERS_OF_JOINT), JOINTS.rows(tables)[link.index].numbers)
        if not INTEGERS.rows(tables)[GUESSED]:
            own[STARTED] = start_link(tables, link, 1.0, attempt)
            if own[MOTOR] >= 0:
                start_link(tables, LINKS.rows(tables)[own[MOTOR]], 1.0, attempt)
    if not INTEGERS.rows(tables)[GUESSED]:
        _spread_loads(tables, island)
    for k in range(INTEGERS.rows(tables)[LINKS_HERE]):
        own = vector(s.links, LINK, k)
        link = link_of(tables, island, own[NUMBER])
        a, b = slot_of(tables, island, link.body0), slot_of(tables, island, link.body1)
        for r in range(own[COUNT]):
            numbers, place = vector(s.rows, ROW, own[FIRST] + r), vector(s.places, PLACE, own[FIRST] + r)
            source = _source_of(tables, own, r)
            row = ROWS.rows(tables)[source]
            place[BODY0], place[BODY1], place[SOURCE] = a, b, source
            place[NORMAL] = row.normal + island.first_row - own[FIRST_ROW] + own[FIRST] if row.normal >= 0 else -1
            place[PAIR] = row.pair
            numbers[IMPULSE] = FORCES.rows(tables)[source] * (h / substeps)
            numbers[TOTAL] = 0.0
        if link.kind == CONTACT:
            _begin_contact(tables, island, link, own, h, substeps)


@kernel
def _source_of(tables, own, r):
    """Index of the world's row that is row r of a link."""
    if own[MOTOR] < 0:
        return own[FIRST_ROW] + r
    motor = LINKS.rows(tables)[own[MOTOR]]
    before = own[COUNT] - motor.row_count
    return own[FIRST_ROW] + r if r < before else motor.first_row + r - before


@kernel
def _spread_loads(tables, island):
    """Spread the cached wrench over round manifolds with contacts that found no cached force, if cached forces are left over."""
    s, at = scratch_of(tables, island), 0
    while at < INTEGERS.rows(tables)[LINKS_HERE]:
        first = vector(s.links, LINK, at)[NUMBER]
        link, count, started = link_of(tables, island, first), 0, 0
        if link.kind == CONTACT:
            count = manifold_size(tables, island, first)
        if at + count > INTEGERS.rows(tables)[LINKS_HERE]:
            count = 0
        for k in range(count):
            own = vector(s.links, LINK, at + k)
            started += own[STARTED] if own[NUMBER] == first + k else count  # not all are solved one by one
        if started < count:
            known, level, rate, friction = spread_load(tables, island, first, count, started)
            normal = contact_normal(CONTACTS.rows(tables)[link.index])
            for k in range(first, first + count if known else first):
                load = max(level + dot(rate, place_of(tables, island, k)), 0.0)
                put_contact_force(tables, link_of(tables, island, k), add_scaled(friction, load, normal), ZERO)
        at += max(count, 1)


@kernel
def _begin_contact(tables, island, link, own, h, substeps):
    s = scratch_of(tables, island)
    mass0, mass1 = _inverse_masses(tables, link)
    for r in range(own[COUNT]):
        row, numbers = ROWS.rows(tables)[link.first_row + r], vector(s.rows, ROW, own[FIRST] + r)
        _load_row(row, mass0, mass1, numbers, row.cfm * h * (substeps / h))
        bound = 1.0 if row.normal >= 0 else h / substeps
        numbers[LO], numbers[HI] = row.lo * bound, row.hi * bound
        numbers[TARGET] = numbers[REST] = row.bias * h
        if row.pair < 0:  # both are projected on a circle, and so take the same step
            first = vector(s.rows, ROW, own[FIRST] + r - 1)
            first[EFFECTIVE_MASS] = numbers[EFFECTIVE_MASS] = min(first[EFFECTIVE_MASS], numbers[EFFECTIVE_MASS])
    _begin_normal_row(tables, island, link, vector(s.rows, ROW, own[FIRST]), h, substeps)
    if own[COUNT] == 3 and _is_friction(s, own, 1) and _is_friction(s, own, 2):
        own[AT] = TOGETHER
        normal, one, other = (
            vector(s.rows, ROW, own[FIRST]),
            vector(s.rows, ROW, own[FIRST] + 1),
            vector(s.rows, ROW, own[FIRST] + 2),
        )
        one[COUPLING], one[COUPLING1] = dot12(one, 0, normal, RESPONSE), 0.0
        other[COUPLING], other[COUPLING1] = dot12(other, 0, normal, RESPONSE), dot12(other, 0, one, RESPONSE)


@kernel
def _is_friction(s, own, r):
    """Whether row r of a contact is bounded by its normal row."""
    return vector(s.places, PLACE, own[FIRST] + r)[NORMAL] == own[FIRST]


@kernel
def _begin_normal_row(tables, island, link, numbers, h, substeps):
    """Set the correction of penetration: by a soft constraint, or by the surface's own ERP and CFM."""
    contact, world = CONTACTS.rows(tables)[link.index], WORLDS.rows(tables)[0]
    numbers[SEPARATION] = world.contact_surface_layer - contact.point.depth
    numbers[REST] = VARIANTS.rows(tables)[link.first_row].motion * h
    numbers[REBOUND] = VARIANTS.rows(tables)[link.first_row].rebound * h
    if numbers[REBOUND] > -inf:
        INTEGERS.rows(tables)[BOUNCES] += 1
    numbers[LO], numbers[HI] = 0.0, inf
    numbers[MASS_SCALE], numbers[IMPULSE_SCALE] = 1.0, 0.0
    if contact.surface.mode & (SOFT_ERP | SOFT_CFM):
        erp = details_of(tables, contact.surface).soft_erp if contact.surface.mode & SOFT_ERP else world.erp
        numbers[RATE] = erp / h
        return
    numbers[CFM] = 0.0
    held = not (_is_movable(tables, link.body0) and _is_movable(tables, link.body1))
    numbers[RATE], numbers[IMPULSE_SCALE] = soft_constraint(tables, h / substeps, held)
    numbers[MASS_SCALE] = 1.0 - numbers[IMPULSE_SCALE]


@kernel
def _is_movable(tables, body):
    return inverse_mass_here(tables, body)[0] > 0.0


@kernel
def _inverse_masses(tables, link):
    """M⁻¹ of both bodies of a link; zeros for what cannot be moved."""
    return inverse_mass_here(tables, link.body0), inverse_mass_here(tables, link.body1)


@kernel
def _load_row(row, mass0, mass1, numbers, cfm):
    """J, M⁻¹ Jᵀ and effective mass from a row."""
    diagonal = cfm + _load_side(row.j0, mass0, numbers, 0) + _load_side(row.j1, mass1, numbers, 6)
    numbers[CFM] = cfm
    numbers[EFFECTIVE_MASS] = effective_mass(diagonal, 1.0)


@kernel
def _load_side(j, inverse_mass, numbers, at):
    """Those of one body. Returns J M⁻¹ Jᵀ."""
    (x, y, z), (a, b, c) = response(inverse_mass, j)
    put6(numbers, at, (j[0], j[1], j[2], j[3], j[4], j[5]))
    put6(numbers, RESPONSE + at, (x, y, z, a, b, c))
    return (j[0] * x + j[1] * y + j[2] * z) + (j[3] * a + j[4] * b + j[5] * c)


@kernel
def fill_joints(tables, island, h, substeps, first):
    """Fill in the rows of all joints at the current poses.

    Rows of stops that a joint leaves stay, as it may reach them again; a stop that is reached within the step has none before the
    next step. What rows aim at without errors, such as a motor's velocity, is the same in all sub-steps but for restitution.
    """
    s = scratch_of(tables, island)
    beyond = REPORTS.rows(tables)[0].rows
    for k in range(INTEGERS.rows(tables)[LINKS_HERE]):
        own = vector(s.links, LINK, k)
        link = link_of(tables, island, own[NUMBER])
        if link.kind == CONTACT:
            continue
        motor = LINKS.rows(tables)[max(own[MOTOR], 0)]
        follows = own[MOTOR] >= 0
        own[FILLED], own[STATES] = _keep_rows(tables, link, own[STATES], first)
        if follows:
            filled, own[MOTOR_STATES] = _keep_rows(tables, motor, own[MOTOR_STATES], first)
            own[FILLED] &= filled
        if not own[FILLED]:
            continue
        if first or _bounces(tables, link) or (follows and _bounces(tables, motor)):
            _fill(tables, link, link, beyond, inf)
            if follows:
                _fill(tables, motor, link, beyond, inf)
            for r in range(own[COUNT]):
                row = ROWS.rows(tables)[beyond + vector(s.places, PLACE, own[FIRST] + r)[SOURCE]]
                vector(s.rows, ROW, own[FIRST] + r)[DRIVE] = row.bias
        _fill(tables, link, link, beyond, h / substeps)
        if follows:
            _fill(tables, motor, link, beyond, h / substeps)
    for k in range(INTEGERS.rows(tables)[LINKS_HERE]):  # apart: vectors that read what was just written wait for it
        own = vector(s.links, LINK, k)
        if own[FILLED]:
            still = not first and _is_still(s, own)
            _load_joint(tables, island, link_of(tables, island, own[NUMBER]), own, beyond, h, substeps, still)


@kernel
def _bounces(tables, link):
    """Whether a joint has stops with restitution, which aim at what the velocity before the sub-step asks for.

    Those of the step's beginning, for the whole step, would drive a linkage whose stops are hit in turn.
    """
    limits = JOINTS.rows(tables)[link.index].limits
    return max(limits[0].bounce, limits[1].bounce, limits[2].bounce) > 0.0


@kernel
def _is_still(s, own):
    """Whether both bodies have turned so little since the step began that the Jacobians can be kept."""
    place, most = vector(s.places, PLACE, own[FIRST]), 0.0
    for k in range(BODY0, BODY1 + 1):
        x, y, z = get3_from(vector(s.floats, BODY, place[k]), MOVED + 3)
        most = max(most, x * x + y * y + z * z)
    return most < STILL * STILL


@kernel
def _keep_rows(tables, link, states, first):
    """Test a joint's stops again, and restore the `states` that its limits had when the step began, and so its rows.

    Returns whether it has as many rows as then, and those states, which the `first` sub-step records.
    """
    joint = JOINTS.rows(tables)[link.index]
    count = call_count(_kernels_of(tables, link).count, tables, link.index)
    noted = 0
    for k in range(3):
        limit, before = joint.limits[k], (states >> 2 * k) & 3
        if first:
            noted += limit.state << 2 * k
        elif limit.max_force == 0.0 and (limit.state == FREE) != (before == FREE):
            count += 1 if limit.state == FREE else -1
            limit.state = before
            if before != FREE:
                limit.error = max(limit.error, 0.0) if before == AT_LOW else min(limit.error, 0.0)
    return count == link.row_count, noted if first else states


@kernel
def restore_joints(tables, island):
    """Restore what sub-steps have noted of joints: phases of wheels, and at which stops they are, now that poses are restored.

    A solution may be begun again, and the next step expects what the bodies turn in a whole step.
    """
    s = scratch_of(tables, island)
    for k in range(INTEGERS.rows(tables)[LINKS_HERE]):
        own = vector(s.links, LINK, k)
        link = link_of(tables, island, own[NUMBER])
        if link.kind == CONTACT:
            continue
        put_numbers(JOINTS.rows(tables)[link.index].numbers, piece(s.floats, own[AT] + NUMBERS, NUMBERS_OF_JOINT))
        call_count(_kernels_of(tables, link).count, tables, link.index)
        if own[MOTOR] >= 0:
            motor = LINKS.rows(tables)[own[MOTOR]]
            call_count(_kernels_of(tables, motor).count, tables, motor.index)


@kernel
def put_numbers(to, numbers):
    """Copy a joint's `numbers`."""
    for k in range(NUMBERS_OF_JOINT):
        to[k] = numbers[k]


@kernel
def _kernels_of(tables, link):
    return JOINT_KERNELS.rows(tables)[JOINTS.rows(tables)[link.index].kind]


@kernel
def _fill(tables, link, leader, beyond, h):
    """Fill in a joint's rows, with the bodies in the order of the link's that it is solved with."""
    cfm, first = WORLDS.rows(tables)[0].cfm, beyond + link.first_row
    for r in range(first, first + link.row_count):
        clear_row(ROWS.rows(tables)[r], cfm)
    call_fill(_kernels_of(tables, link).fill, tables, link.index, first, h)
    if link.body0 != leader.body0:
        for r in range(first, first + link.row_count):
            row = ROWS.rows(tables)[r]
            for k in range(6):
                row.j0[k], row.j1[k] = row.j1[k], row.j0[k]


@kernel
def _load_joint(tables, island, link, own, beyond, h, substeps, still):
    """Load the rows that were filled in after the step's; of hard rows only the bias velocities, if bodies are `still`."""
    s = scratch_of(tables, island)
    step, softest, hard = h / substeps, SPRING, 0
    mass0, mass1 = _inverse_masses(tables, link)
    while hard < min(own[COUNT], MAX_HARD) and is_hard(_new_row(tables, s, own, beyond, hard), softest):
        hard += 1
    if hard != own[HARD]:
        _assign_block(s, own, hard)
        still = False
    if still:
        for r in range(hard):
            s.floats[own[AT] + blocks.AIM + r] = _new_row(tables, s, own, beyond, r).bias
    elif hard > 0:
        block, first, rest, own_rows = piece(s.floats, own[AT], JOINT), beyond + link.first_row, 0, link.row_count
        if own[MOTOR] >= 0:
            rest = beyond + LINKS.rows(tables)[own[MOTOR]].first_row - own_rows
        rows = ROWS.rows(tables)
        load_block(block, rows, first, own_rows, rest, hard, mass0[0], mass0[1], mass1[0], mass1[1], 1.0 / step)
    for r in range(hard, own[COUNT]):
        row = _new_row(tables, s, own, beyond, r)
        before = _new_row(tables, s, own, 0, r)
        numbers = vector(s.rows, ROW, own[FIRST] + r)
        _load_row(row, mass0, mass1, numbers, row.cfm / step)
        numbers[LO], numbers[HI] = row.lo * step, row.hi * step
        if hard > 0 and r < hard + MAX_COUPLED:
            _couple(piece(s.floats, own[AT], JOINT), blocks.COUPLED + LANES * (r - hard), numbers)
        _set_aims(numbers, row, before.cfm * h, softest, substeps)


@kernel
def _set_aims(numbers, row, cfm, softest, substeps):
    """Set the velocities that a joint's row aims at, with bias and in relaxation; `cfm`: in the whole step."""
    drive, target = numbers[DRIVE], row.bias
    rest = target
    if row.cfm > softest:
        if abs(row.cfm - cfm) <= UNCHANGED * row.cfm:  # a servo's depends on the size of the sub-step
            target = rest = drive + (row.bias - drive) / substeps
    elif not ((row.lo == 0.0 and row.bias < 0.0) or (row.hi == 0.0 and row.bias > 0.0)):  # of a stop that is left
        target, rest = drive + (row.bias - drive) * stop_correction(substeps), drive
    numbers[TARGET], numbers[REST] = target, rest


@kernel
def _new_row(tables, s, own, beyond, r):
    """Row r of a link, as filled in `beyond` the step's rows."""
    return ROWS.rows(tables)[beyond + vector(s.places, PLACE, own[FIRST] + r)[SOURCE]]


@kernel
def _couple(block, at, numbers):
    """Set a row's coupling with the block of its joint, and its effective mass.

    There is no coupling if the block already constrains the row's motion. Only the block's CFM then lets the row move, and a
    force without bounds would grow beyond what the next sub-step can balance: a row without bounds gets no force then.
    """
    diagonal = 1.0 / numbers[EFFECTIVE_MASS] if numbers[EFFECTIVE_MASS] > 0.0 else 0.0
    free = diagonal - couple_row(block, at, numbers)
    given = numbers[CFM]
    for k in range(MAX_HARD):
        given += block[blocks.CFM + k] * block[at + k] * block[at + k]
    if free > max(blocks.REDUNDANT * diagonal, min(blocks.ONLY_CFM * diagonal, 2.0 * given)):
        numbers[EFFECTIVE_MASS] = 1.0 / free
        return
    for k in range(at, at + LANES):
        block[k] = 0.0
    if numbers[LO] == -inf or numbers[HI] == inf:
        numbers[LO] = numbers[HI] = 0.0


@kernel
def _assign_block(s, own, hard):
    """Solve the first `hard` rows of a joint as a block from now on, with the impulses that they have."""
    block = piece(s.floats, own[AT], JOINT)
    for r in range(own[HARD]):
        numbers = vector(s.rows, ROW, own[FIRST] + r)
        numbers[IMPULSE], numbers[TOTAL] = block[blocks.IMPULSE + r], block[blocks.TOTAL + r]
    for r in range(LANES):
        inside = r < hard
        numbers = vector(s.rows, ROW, own[FIRST] + r if inside else own[FIRST])
        block[blocks.REST + r] = numbers[DRIVE] if inside else 0.0
        block[blocks.IMPULSE + r] = numbers[IMPULSE] if inside else 0.0
        block[blocks.TOTAL + r] = numbers[TOTAL] if inside else 0.0
    own[HARD] = hard
