"""Sequential impacts: an optional stage between the assembly of a step's rows and their solution.

Reads the rows of the step, writes velocities. While a bouncing contact of an island approaches, the fastest such pair of bodies
collides in isolation: impulses λ along its normals, each with restitution e,

    v' >= -e v,   λ >= 0,   λ (v' + e v) = 0,

then friction within the bounds from λ; that with a limit of its own, a force, is left to the step's own solution. Hard rows of
joints respond to every impulse (`hard_rows.py`), so pendulums and linkages collide with their effective mass at the contact.
Resting contacts, those slower than `bounce_velocity` and those without restitution are left to the step's own solution. With e
= 1, energy and momentum are conserved for any number of touching bodies. (J. J. Moreau's law of impact for a pair; sequences of
pairs: G. Han, B. J. Gilmore 1993.)

Layout of the floats, behind the hard rows: RECORD numbers for each bouncing contact. Integers: its link.
"""

from __future__ import annotations

from math import inf, isfinite, sqrt

from opendynamics.core import types
from opendynamics.core.algebra.vec3 import add_scaled, dot, get3, get3_from, set3
from opendynamics.core.arrays.bodies import MOTIONS
from opendynamics.core.arrays.contacts import BOUNCE, CONTACTS, SPECULATIVE
from opendynamics.core.arrays.islands import CONTACT, ISLAND_BODIES, ISLAND_LINKS, ISLANDS, LINKS
from opendynamics.core.arrays.report import CHOICES, FLOATS, INTEGERS, REPORTS
from opendynamics.core.arrays.rows import ROWS, UNBOUNDED
from opendynamics.core.arrays.table import TABLES
from opendynamics.core.arrays.worlds import WORLDS
from opendynamics.core.bodies.integrators import VERLET
from opendynamics.core.constrain.assemble import complete_rows, fill_joints, row_velocity
from opendynamics.core.constrain.parts.contact import normal_motion
from opendynamics.core.constrain.parts.hard_row import softest_joint
from opendynamics.core.kernels import entry, kernel
from opendynamics.core.solve.dense import piece
from opendynamics.core.solve.hard_rows import (
    PLACE,
    RECORD,
    REGULARISATION,
    ROW,
    VALUE,
    factorize_hard_rows,
    hard_rows_end,
    list_hard_rows,
    solve_hard_rows,
)
from opendynamics.core.solve.prepared import inverse_mass_of, response

IMPACTS = types.int64(TABLES, types.float64)

# Of a bouncing contact, in the floats: normal velocity before its pair collides, impulses of its rows, that of the normal first,
# and their effective masses, -1 until computed.
BEFORE, IMPULSE = range(2)
MASS = IMPULSE + 6
CONTACT_RECORD = MASS + 6

# Impacts that end slower than this fraction of the fastest approach are left to the step.
SLOW = 1e-9

# Limits: MAX_IMPACTS (1 + n) impacts for n contacts, and this many iterations for a pair with several contacts.
MAX_IMPACTS, ITERATIONS = 100, 500

# Change of a pair's impulses in an iteration, relative to their sum, at which they have converged.
CONVERGED = 1e-14

# Response of a contact with its joints, relative to that without, below which it is rounding error: the joints hold its bodies.
HELD = 1e-12


@entry(IMPACTS, nogil=True)
def resolve_impacts(tables, h):
    """Collide the bouncing contacts one after another. 0: out of memory, nothing has changed."""
    softest = softest_joint(tables) * (1.0 / h)
    for k in range(ISLANDS.used(tables)):
        island = ISLANDS.rows(tables)[k]
        if CHOICES.rows(tables)[island.solver].solves_impacts and not complete_rows(tables, island, h):
            return 0
        if _fastest_approach(tables, island) > 0.0 and _list_contacts(tables, island, softest) < 0:
            return 0
    for k in range(ISLANDS.used(tables)):
        island = ISLANDS.rows(tables)[k]
        fastest = _fastest_approach(tables, island)
        if fastest > 0.0:
            contacts = _list_contacts(tables, island, softest)
            hard = list_hard_rows(tables, island, island.first_row, softest)
            if hard > 0 and WORLDS.rows(tables)[0].integrator != VERLET:  # which has projected the velocities
                _project_velocities(tables, island, hard)
            factorize_hard_rows(tables, island, hard, 0.0)
            _collide_in_turn(tables, island, hard, contacts, SLOW * fastest, h)
    return 1


@kernel
def _project_velocities(tables, island, hard):
    """Give the bodies velocities that the joints allow where the bodies are now; the last step's were allowed at its beginning.

    What the joints will take away in this step must not count as approach: impacts would return it.
    """
    beyond = REPORTS.rows(tables)[0].rows
    factorize_hard_rows(tables, island, hard, REGULARISATION)
    fill_joints(tables, island, beyond, inf)
    for i in range(hard):
        joint = ROWS.rows(tables)[beyond + INTEGERS.rows(tables)[island.bodies + PLACE * i + ROW]]
        FLOATS.rows(tables)[RECORD * i + VALUE] = joint.bias - row_velocity(tables, island, joint)
    solve_hard_rows(tables, island, hard)
    _apply_joint_impulses(tables, island, hard)


@kernel
def _bounces(link, contact):
    """Whether a link is a contact with restitution that is not speculative."""
    if link.kind != CONTACT:
        return False
    surface = contact.surface
    return surface.mode & BOUNCE != 0 and surface.bounce_velocity >= 0.0 and contact.flags & SPECULATIVE == 0


@kernel
def _separating_velocity(tables, island, link):
    """Relative velocity along a contact's normal, less its surface velocity, m/s; negative: approaching."""
    surface = CONTACTS.rows(tables)[link.index].surface
    motion = normal_motion(tables, surface)
    return row_velocity(tables, island, ROWS.rows(tables)[link.first_row]) - motion


@kernel
def _fastest_approach(tables, island):
    """Fastest approach of the bouncing contacts, m/s; 0: none approaches."""
    fastest = 0.0
    for k in range(island.first_link, island.first_link + island.links):
        link = LINKS.rows(tables)[ISLAND_LINKS.rows(tables)[k]]
        if link.kind == CONTACT and _bounces(link, CONTACTS.rows(tables)[link.index]):
            approach = -_separating_velocity(tables, island, link)
            if approach > CONTACTS.rows(tables)[link.index].surface.bounce_velocity:
                fastest = max(fastest, approach)
    return fastest


@kernel
def _list_contacts(tables, island, softest):
    """List the contacts with restitution after the hard rows; returns their number, -1 if there is no memory."""
    hard = list_hard_rows(tables, island, island.first_row, softest)
    integers, floats = hard_rows_end(tables, island, max(hard, 0))
    if hard > 0 and not ROWS.has_room(tables, 2 * REPORTS.rows(tables)[0].rows):
        return -1
    has_room = INTEGERS.has_room(tables, integers + island.links)
    if hard < 0 or not (has_room and FLOATS.has_room(tables, floats + CONTACT_RECORD * island.links)):
        return -1
    count = 0
    for k in range(island.first_link, island.first_link + island.links):
        at = ISLAND_LINKS.rows(tables)[k]
        link = LINKS.rows(tables)[at]
        if link.kind == CONTACT and _bounces(link, CONTACTS.rows(tables)[link.index]):
            INTEGERS.rows(tables)[integers + count] = at
            for m in range(CONTACT_RECORD):
                FLOATS.rows(tables)[floats + CONTACT_RECORD * count + m] = -1.0
            count += 1
    return count


@kernel
def _collide_in_turn(tables, island, hard, contacts, slow, h):
    """Collide pairs, the fastest first, until none approaches."""
    integers, _ = hard_rows_end(tables, island, hard)
    for _ in range(MAX_IMPACTS + MAX_IMPACTS * contacts):
        fastest, first = 0.0, -1
        for c in range(contacts):
            link = LINKS.rows(tables)[INTEGERS.rows(tables)[integers + c]]
            approach = -_separating_velocity(tables, island, link)
            least = max(slow, CONTACTS.rows(tables)[link.index].surface.bounce_velocity)
            if approach > max(fastest, least):
                fastest, first = approach, c
        if first < 0:
            return
        if not _collide_pair(tables, island, hard, contacts, first, h):
            return


@kernel
def _collide_pair(tables, island, hard, contacts, first, h):
    """Collide the bodies of contact `first`, at all their contacts. False: nothing moved."""
    integers, floats = hard_rows_end(tables, island, hard)
    pair = LINKS.rows(tables)[INTEGERS.rows(tables)[integers + first]]
    count = 0
    for c in range(contacts):
        link = LINKS.rows(tables)[INTEGERS.rows(tables)[integers + c]]
        own = piece(FLOATS.rows(tables), floats + CONTACT_RECORD * c, CONTACT_RECORD)
        if link.body0 == pair.body0 and link.body1 == pair.body1:
            own[BEFORE] = _separating_velocity(tables, island, link)
            own[IMPULSE:MASS] = 0.0
            count += 1
    total = 0.0
    for _ in range(ITERATIONS if count > 1 else 1):
        change = total = 0.0
        for c in range(contacts):
            link = LINKS.rows(tables)[INTEGERS.rows(tables)[integers + c]]
            if link.body0 == pair.body0 and link.body1 == pair.body1:
                own = piece(FLOATS.rows(tables), floats + CONTACT_RECORD * c, CONTACT_RECORD)
                e = CONTACTS.rows(tables)[link.index].surface.bounce
                wanted = -e * own[BEFORE] - _separating_velocity(tables, island, link)
                new = max(own[IMPULSE] + wanted * _effective_mass(tables, island, hard, link, 0, own), 0.0)
                change += abs(new - own[IMPULSE])
                total += new
                _set_impulse(tables, island, hard, link, 0, own, new)
        if not isfinite(total) or change <= CONVERGED * total:
            break
    if count > 1:
        _limit_energy(tables, island, hard, contacts, pair)
    _apply_friction(tables, island, hard, contacts, pair, count, h)
    return total > 0.0 and isfinite(total)


@kernel
def _set_impulse(tables, island, hard, link, k, own, new):
    _push(tables, island, hard, ROWS.rows(tables)[link.first_row + k], new - own[IMPULSE + k])
    own[IMPULSE + k] = new


@kernel
def _limit_energy(tables, island, hard, contacts, pair):
    """Scale the impulses of a pair that did positive work because its iterations did not converge: λ·(s + s')/2 with velocities s
    before and s' after."""
    integers, floats = hard_rows_end(tables, island, hard)
    against = stored = 0.0
    for c in range(contacts):
        link = LINKS.rows(tables)[INTEGERS.rows(tables)[integers + c]]
        own = piece(FLOATS.rows(tables), floats + CONTACT_RECORD * c, CONTACT_RECORD)
        if link.body0 == pair.body0 and link.body1 == pair.body1:
            against -= own[IMPULSE] * own[BEFORE]
            stored += own[IMPULSE] * (_separating_velocity(tables, island, link) - own[BEFORE])
    if stored <= 2.0 * against:
        return
    for c in range(contacts):
        link = LINKS.rows(tables)[INTEGERS.rows(tables)[integers + c]]
        own = piece(FLOATS.rows(tables), floats + CONTACT_RECORD * c, CONTACT_RECORD)
        if link.body0 == pair.body0 and link.body1 == pair.body1:
            _set_impulse(tables, island, hard, link, 0, own, own[IMPULSE] * (2.0 * against / stored))


@kernel
def _apply_friction(tables, island, hard, contacts, pair, count, h):
    """Friction impulses of a pair: they oppose the remaining sliding, within their bounds, at all `count` contacts together."""
    integers, floats = hard_rows_end(tables, island, hard)
    for _ in range(ITERATIONS if count > 1 else 1):
        change = total = 0.0
        for c in range(contacts):
            link = LINKS.rows(tables)[INTEGERS.rows(tables)[integers + c]]
            own = piece(FLOATS.rows(tables), floats + CONTACT_RECORD * c, CONTACT_RECORD)
            if link.body0 == pair.body0 and link.body1 == pair.body1:
                more, size = _correct_friction(tables, island, hard, link, own, h)
                change += more
                total += size
        if not isfinite(total) or change <= CONVERGED * total:
            return


@kernel
def _correct_friction(tables, island, hard, link, own, h):
    """Correct the friction impulses of one contact. Returns by how much, and how large they are."""
    change = total = 0.0
    for k in range(1, link.row_count):
        row = ROWS.rows(tables)[link.first_row + k]
        if row.pair < 0:
            continue  # it goes with the first of its pair
        most, two = _friction_bound(row, own[IMPULSE]), 0.0
        one = own[IMPULSE + k] + _stopping_impulse(tables, island, hard, link, k, own, h)
        if row.pair > 0:
            two = own[IMPULSE + k + 1] + _stopping_impulse(tables, island, hard, link, k + 1, own, h)
        length = sqrt(one * one + two * two)
        part = min(1.0, most / length) if length > 0.0 else 0.0
        change += abs(part * one - own[IMPULSE + k])
        total += part * length
        _set_impulse(tables, island, hard, link, k, own, part * one)
        if row.pair > 0:
            change += abs(part * two - own[IMPULSE + k + 1])
            _set_impulse(tables, island, hard, link, k + 1, own, part * two)
    return change, total


@kernel
def _stopping_impulse(tables, island, hard, link, k, own, h):
    """The impulse along row k of a contact that would stop its sliding."""
    row = ROWS.rows(tables)[link.first_row + k]
    return (h * row.bias - row_velocity(tables, island, row)) * _effective_mass(tables, island, hard, link, k, own)


@kernel
def _friction_bound(row, impulse):
    """Bound of a friction row's impulse; 0 without a normal impulse, also for infinite friction.

    A limit of the force allows no impulse in no time: that of the whole step, limit times h, is left to the step's solution.
    """
    if row.normal < 0:
        return row.hi if row.hi >= UNBOUNDED else 0.0
    return row.hi * impulse if impulse > 0.0 else 0.0


@kernel
def _effective_mass(tables, island, hard, link, k, own):
    """Effective mass of row k of a contact, including the joints' response; 0 for a row without movable bodies."""
    if own[MASS + k] < 0.0:
        row = ROWS.rows(tables)[link.first_row + k]
        one, two = _response(tables, island, row.slot0, row.j0), _response(tables, island, row.slot1, row.j1)
        free = _along(row.j0, one) + _along(row.j1, two)
        inverse = free
        if hard > 0:
            _find_joint_impulses(tables, island, hard, row, one, two, 1.0)
            for i in range(hard):
                joint = _hard_row(tables, island, i)
                inverse += _shared(joint, row, one, two) * FLOATS.rows(tables)[RECORD * i + VALUE]
        own[MASS + k] = 1.0 / inverse if inverse > HELD * free else 0.0
    return own[MASS + k]


@kernel
def _push(tables, island, hard, row, impulse):
    """Apply an impulse along a row, and the joints' response."""
    if impulse == 0.0:
        return
    one, two = _response(tables, island, row.slot0, row.j0), _response(tables, island, row.slot1, row.j1)
    _apply_impulse(tables, island, row.slot0, one, impulse)
    _apply_impulse(tables, island, row.slot1, two, impulse)
    if hard > 0:
        _find_joint_impulses(tables, island, hard, row, one, two, impulse)
        _apply_joint_impulses(tables, island, hard)


@kernel
def _apply_joint_impulses(tables, island, hard):
    """Apply the impulses that were solved for."""
    for i in range(hard):
        joint, force = _hard_row(tables, island, i), FLOATS.rows(tables)[RECORD * i + VALUE]
        if force != 0.0:
            _apply_impulse(tables, island, joint.slot0, _response(tables, island, joint.slot0, joint.j0), force)
            _apply_impulse(tables, island, joint.slot1, _response(tables, island, joint.slot1, joint.j1), force)


@kernel
def _find_joint_impulses(tables, island, hard, row, one, two, impulse):
    """Impulses that keep the velocities of the hard rows, for an impulse along `row` that moves its bodies by `one` and `two`."""
    for i in range(hard):
        joint = _hard_row(tables, island, i)
        FLOATS.rows(tables)[RECORD * i + VALUE] = -impulse * _shared(joint, row, one, two)
    solve_hard_rows(tables, island, hard)


@kernel
def _hard_row(tables, island, i):
    return ROWS.rows(tables)[INTEGERS.rows(tables)[island.bodies + PLACE * i + ROW]]


@kernel
def _response(tables, island, slot, j):
    if slot < 0:
        return (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    return response(inverse_mass_of(tables, ISLAND_BODIES.rows(tables)[island.first_body + slot]), j)


@kernel
def _along(j, change):
    return dot(get3(j), change[0]) + dot(get3_from(j, 3), change[1])


@kernel
def _shared(joint, row, one, two):
    """Velocity along `joint` from the changes `one` and `two` of the bodies of `row`."""
    total = 0.0
    if row.slot0 >= 0:
        if joint.slot0 == row.slot0:
            total += _along(joint.j0, one)
        elif joint.slot1 == row.slot0:
            total += _along(joint.j1, one)
    if row.slot1 >= 0:
        if joint.slot0 == row.slot1:
            total += _along(joint.j0, two)
        elif joint.slot1 == row.slot1:
            total += _along(joint.j1, two)
    return total


@kernel
def _apply_impulse(tables, island, slot, change, impulse):
    if slot >= 0:
        motion = MOTIONS.rows(tables)[ISLAND_BODIES.rows(tables)[island.first_body + slot]]
        set3(motion.linear_velocity, add_scaled(get3(motion.linear_velocity), impulse, change[0]))
        set3(motion.angular_velocity, add_scaled(get3(motion.angular_velocity), impulse, change[1]))
