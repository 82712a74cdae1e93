"""Data of a frame, read from a world's tables: states of bodies, sums over them, contacts; and changes.

kinetic energy    sum of ½ m v² + ½ ω·I ω          momentum          sum of m v
potential energy  minus the sum of m g·x           angular momentum  sum of x × m v + I ω, about the origin
"""

from __future__ import annotations

import numpy as np

from opendynamics.core import types
from opendynamics.core.algebra.mat3 import get9, times, transposed_times
from opendynamics.core.algebra.vec3 import cross, dot, get3, scale
from opendynamics.core.arrays.bodies import ENABLED, FAULTY, INERTIAS, KINEMATIC, MOTIONS, POSES, WEIGHTLESS
from opendynamics.core.arrays.contacts import CONTACTS, REVERSED
from opendynamics.core.arrays.report import REPORTS
from opendynamics.core.arrays.table import TABLES
from opendynamics.core.arrays.worlds import WORLDS
from opendynamics.core.kernels import entry, kernel
from opendynamics.core.update.contact_forces import force_of

# Bit of a recorded body, next to ENABLED and KINEMATIC: its motion was not finite.
FROZEN = 8

# Sums over all bodies, in their order.
SUMS = 8
KINETIC, POTENTIAL, MOMENTUM, ANGULAR_MOMENTUM = 0, 1, 2, 5

# A contact of a frame: its position, its normal into the first body, its depth, the force on that body, and the bodies' rows.
TOUCH = np.dtype(
    [
        ("position", "<f4", (3,)),
        ("normal", "<f4", (3,)),
        ("depth", "<f4"),
        ("force", "<f4", (3,)),
        ("body1", "<i4"),
        ("body2", "<i4"),
    ]
)

ROWS_OF_BODIES = types.Array(types.int64, 1, "C")


@entry(
    types.void(
        TABLES,
        ROWS_OF_BODIES,
        types.Array(types.float64, 2, "C"),
        types.Array(types.uint8, 1, "C"),
        types.Array(types.float64, 1, "C"),
    )
)
def gather_bodies(tables, rows, states, flags, sums):
    """States of the bodies in these rows: position 3, quaternion 4 and, if there are columns, both velocities, 3 each."""
    gravity = get3(WORLDS.rows(tables)[0].gravity)
    sums[:] = 0.0
    for k in range(len(rows)):
        motion = MOTIONS.rows(tables)[rows[k]]
        pose = POSES.rows(tables)[rows[k]]
        for c in range(3):
            states[k, c] = pose.position[c]
        for c in range(4):
            states[k, 3 + c] = pose.quaternion[c]
        if states.shape[1] > 7:
            for c in range(3):
                states[k, 7 + c] = motion.linear_velocity[c]
                states[k, 10 + c] = motion.angular_velocity[c]
        flags[k] = (motion.flags & (ENABLED | KINEMATIC)) | (FROZEN if motion.flags & FAULTY else 0)
        _add_up(motion, pose, INERTIAS.rows(tables)[rows[k]], gravity, sums)


@kernel
def _add_up(motion, pose, inertia, gravity, sums):
    """Add a body's contribution to the sums."""
    m, x, v, w = inertia.mass, get3(pose.position), get3(motion.linear_velocity), get3(motion.angular_velocity)
    turn = get9(pose.rotation)
    local = transposed_times(turn, w)
    spin = times(get9(inertia.inertia), local)
    sums[KINETIC] += 0.5 * m * dot(v, v) + 0.5 * dot(local, spin)
    if not motion.flags & WEIGHTLESS:
        sums[POTENTIAL] -= m * dot(gravity, x)
    push, orbit, spin = scale(m, v), cross(x, scale(m, v)), times(turn, spin)
    for c in range(3):
        sums[MOMENTUM + c] += push[c]
        sums[ANGULAR_MOMENTUM + c] += orbit[c] + spin[c]


@entry(types.int64(TABLES, types.int64, types.Array(TOUCH, 1, "C")))
def gather_contacts(tables, users, touches):
    """The contacts of the last step, of which the user made the first `users`; returns the number of those with a body."""
    count = 0
    for index in range(users + REPORTS.rows(tables)[0].contacts):
        contact = CONTACTS.rows(tables)[index]
        if contact.body0 == 0 or not contact.flags:
            continue
        turned = contact.flags & REVERSED != 0
        sign = -1.0 if turned else 1.0
        force = force_of(tables, contact)
        touch = touches[count]
        for c in range(3):
            touch.position[c] = contact.point.position[c]
            touch.normal[c] = contact.point.normal[c]
            touch.force[c] = sign * force[c]
        touch.depth = contact.point.depth
        touch.body1 = contact.body1 if turned else contact.body0
        touch.body2 = contact.body0 if turned else contact.body1
        count += 1
    return count


@entry(
    types.int64(
        types.Array(types.int64, 2, "C", readonly=True),
        types.int64,
        ROWS_OF_BODIES,
        types.int64,
        types.int64,
        types.Array(types.int64, 2, "C"),
        ROWS_OF_BODIES,
    )
)
def list_changes(words, used, columns, always, body, kept, changed):
    """Rows of a table in use in which some columns differ from the stored copy, which is then updated; returns their number.

    A table is read as 64-bit words. Columns from number `always` on count only if the lower half of column
    `body` is 0: the pose of a geom without a body.
    """
    count = 0
    for r in range(used):
        differs = False
        end = len(columns)
        if body >= 0 and words[r, body] & 0xFFFFFFFF != 0:
            end = always
        for c in range(end):
            word = words[r, columns[c]]
            if word != kept[r, c]:
                kept[r, c] = word
                differs = True
        if differs:
            changed[count] = r
            count += 1
    return count
