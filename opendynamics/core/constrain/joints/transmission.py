"""Transmission: two bodies turn about axes of theirs as wheels that mesh, or that a chain joins. One row, see `mesh`.

With u_i the direction from centre a_i to contact point c_i, and its initial direction on the body:

    φ_i = the angle about n_i from that to u_i, followed over full turns; minus what the body has turned
    δ = w0 r0 φ0 + w1 r1 φ1                         how far the teeth, or the chain, are out of step, m
    l0·v(c0) - l1·v(c1) = -k (δ ∓ backlash)         J = (l0, r0 x l0 | -l1, -(r1 x l1)), and dδ/dt = J v

Without backlash the row is two-sided. With backlash it has no content while |δ| is below it, and pushes one way only
beyond. Of a chain it is the stretched strand that pulls, which one the sign of δ says. The radii in δ are the distances
|c_i - a_i| as they are now; the signs w are 1, 1 for wheels, 1, -1 for a chain, and for bevel gears follow from where
the wheels are.

Wheels with parallel axes need not be in one plane: u_i, the radii and l_i are taken at right angles to the axes. ODE takes
c_i - a_i as it is, so that phases of such wheels do not grow evenly; LIKE_ODE in `mode` brings that back.

The first step after something was set notes the radii and u_i; n0 is axis0, or against it if it points against axis1.
What a step finds is kept in `numbers`: the phases φ, and the angles between -pi and pi they were read off. A step that
is done again finds these angles unchanged and leaves the phases alone. A body that spins fast is expected to have
turned by its velocity since: for the last step, whose size may be another than this one's, or for half a step of Verlet, whose
rows are filled in between the halves and at the end.
"""

from __future__ import annotations

from math import atan, atan2, inf, pi

from opendynamics.core.algebra.mat3 import get9, transposed_times
from opendynamics.core.algebra.vec3 import (
    add,
    add_scaled,
    cross,
    dot,
    get3,
    get3_from,
    length,
    negate,
    normalize,
    put3_at,
    scale,
    subtract,
)
from opendynamics.core.arrays.bodies import FINITE_ROTATION, MOTIONS, POSES
from opendynamics.core.arrays.joints import JOINTS
from opendynamics.core.arrays.rows import ROWS
from opendynamics.core.arrays.worlds import WORLDS
from opendynamics.core.bodies.integrators import EULER, VERLET, integrator_of
from opendynamics.core.constrain.joints import COUNT, FILL, MEASURE
from opendynamics.core.constrain.parts.frame import centre, turned_by
from opendynamics.core.constrain.parts.gear_mesh import bevel_mesh, chain_mesh, has_mesh, spur_mesh
from opendynamics.core.constrain.parts.row import set_jacobian
from opendynamics.core.kernels import entry, kernel

KIND = 17

# Values of JOINT.mode, but for the bits that the API keeps there.
MODES = 12
PARALLEL, INTERSECTING, CHAIN = 0, 4, 8
LIKE_ODE = 16  # an option: arms keep what they have along the axis

# Places in `numbers`. Those of pairs hold that of body0, then that of body1.
START = 0  # u at first, in the frames of the bodies
RATIO = 6  # parallel axes: the user's
RADIUS = 7  # chain: the user's; otherwise found
PHASE = 9
BACKLASH = 11
STEP = 12  # s, the step that began when the phases were read off; 0: something was set since
SEEN = 13  # the angles that the phases were read off; inf: none yet
CONTACT = 15  # c in the world
SIGN = 21  # w
FLIP = 23  # -1: n0 is axis0 turned round


@kernel
def wheels(tables, joint):
    """Centres and axes in the world."""
    a0 = add(centre(tables, joint.body0), turned_by(tables, joint.body0, joint.anchor0))
    a1 = add(centre(tables, joint.body1), turned_by(tables, joint.body1, joint.anchor1))
    n0 = scale(joint.numbers[FLIP], turned_by(tables, joint.body0, joint.axis0))
    return a0, a1, n0, turned_by(tables, joint.body1, joint.axis1)


@kernel
def mesh(joint, a0, a1, n0, n1, side):
    if joint.mode & MODES == PARALLEL:
        return spur_mesh(a0, a1, n0, n1, joint.numbers[RATIO], joint.mode & LIKE_ODE == 0)
    if joint.mode & MODES == INTERSECTING:
        return bevel_mesh(a0, a1, n0, n1)
    return chain_mesh(a0, a1, n0, joint.numbers[RADIUS], joint.numbers[RADIUS + 1], side)


@kernel
def arm_of(joint, c, a, n):
    """From the centre of a wheel to where it touches, at right angles to its axis."""
    d = subtract(c, a)
    if joint.mode & LIKE_ODE:
        return d
    return add_scaled(d, -dot(d, n), n)


@kernel
def begin(tables, joint):
    """Take where the bodies are now as the start: phases are 0 here."""
    numbers = joint.numbers
    numbers[FLIP] = 1.0
    a0, a1, n0, n1 = wheels(tables, joint)
    if dot(n0, n1) < 0.0:
        numbers[FLIP] = -1.0
        n0 = negate(n0)
    c0, c1, l0, _ = mesh(joint, a0, a1, n0, n1, 1.0)
    arm0, arm1 = arm_of(joint, c0, a0, n0), arm_of(joint, c1, a1, n1)
    u0, u1 = normalize(arm0), normalize(arm1)
    numbers[SIGN] = 1.0
    numbers[SIGN + 1] = 1.0
    if joint.mode & MODES == CHAIN:
        numbers[SIGN + 1] = -1.0
    else:
        numbers[RADIUS] = length(arm0)
        numbers[RADIUS + 1] = length(arm1)
    if joint.mode & MODES == INTERSECTING:
        numbers[SIGN] = -1.0 if dot(l0, cross(n0, u0)) > 0.0 else 1.0
        numbers[SIGN + 1] = 1.0 if dot(l0, cross(n1, u1)) > 0.0 else -1.0
    p = POSES.rows(tables)
    put3_at(numbers, START, transposed_times(get9(p[joint.body0].rotation), u0))
    put3_at(numbers, START + 3, transposed_times(get9(p[joint.body1].rotation), u1))
    put3_at(numbers, CONTACT, c0)
    put3_at(numbers, CONTACT + 3, c1)
    for k in range(2):
        numbers[PHASE + k] = 0.0
        numbers[SEEN + k] = inf


@kernel
def seen_angle(tables, joint, body, start, n, u):
    """Angle about n to u from its initial direction on the body; as ODE's where u is not at right angles to n."""
    first = turned_by(tables, body, get3_from(joint.numbers, start))
    return atan2(dot(u, cross(n, first)), dot(u, first))


@kernel
def follow(tables, joint, k, body, n, angle, time):
    """Note the phase of wheel k, which is seen at `angle`: of all angles that look so, that nearest to the expected.

    `time`: since the last one was noted.
    """
    numbers = joint.numbers
    last = numbers[SEEN + k]
    numbers[SEEN + k] = angle
    if angle == last or last == inf:
        return
    motion = MOTIONS.rows(tables)[body]
    turn = dot(n, get3(motion.angular_velocity)) * time
    if integrator_of(tables, body) == EULER and not motion.flags & FINITE_ROTATION:
        turn = 2.0 * atan(0.5 * turn)
    expected = numbers[PHASE + k] - turn
    numbers[PHASE + k] = angle + 2.0 * pi * round((expected - angle) / (2.0 * pi))


@entry(COUNT)
def count(tables, index):
    return 1


@entry(FILL)
def fill(tables, index, first, h):
    joint = JOINTS.rows(tables)[index]
    numbers = joint.numbers
    if numbers[STEP] == 0.0:
        begin(tables, joint)
        numbers[STEP] = h
        if h == inf:  # Verlet's rows at the beginning; those of the step are half of it later
            numbers[SEEN] = numbers[SEEN + 1] = 0.0
    a0, a1, n0, n1 = wheels(tables, joint)
    c0, c1, l0, l1 = mesh(joint, a0, a1, n0, n1, 1.0)
    arm0, arm1 = arm_of(joint, c0, a0, n0), arm_of(joint, c1, a1, n1)
    if h < inf:  # for velocities alone, phases are not asked for, and no turn can be expected
        angle0 = seen_angle(tables, joint, joint.body0, START, n0, normalize(arm0))
        angle1 = seen_angle(tables, joint, joint.body1, START + 3, n1, normalize(arm1))
        time = 0.5 * h if WORLDS.rows(tables)[0].integrator == VERLET else numbers[STEP]
        follow(tables, joint, 0, joint.body0, n0, angle0, time)
        follow(tables, joint, 1, joint.body1, n1, angle1, time)
        numbers[STEP] = h
    delta = numbers[SIGN] * length(arm0) * numbers[PHASE]
    delta += numbers[SIGN + 1] * length(arm1) * numbers[PHASE + 1]
    if joint.mode & MODES == CHAIN and delta < 0.0:
        c0, c1, l0, l1 = mesh(joint, a0, a1, n0, n1, -1.0)
    put3_at(numbers, CONTACT, c0)
    put3_at(numbers, CONTACT + 3, c1)
    row = ROWS.rows(tables)[first]
    beyond = abs(delta) - numbers[BACKLASH]
    if (numbers[BACKLASH] > 0.0 and beyond <= 0.0) or not has_mesh(l0, l1, arm0, arm1):
        row.cfm = 1.0  # no content, and whatever keeps the row from dividing by zero
        return
    d0 = cross(subtract(c0, centre(tables, joint.body0)), l0)
    d1 = cross(subtract(c1, centre(tables, joint.body1)), l1)
    set_jacobian(row, l0, d0, negate(l1), negate(d1))
    row.cfm = joint.cfm
    row.bias = -joint.erp / h * (beyond if delta > 0.0 else -beyond)
    if numbers[BACKLASH] > 0.0:
        row.lo, row.hi = (-inf, 0.0) if delta > 0.0 else (0.0, inf)


@entry(MEASURE)
def measure(tables, index, what):
    """The phases, as the last step found them; ODE reports no rates."""
    joint = JOINTS.rows(tables)[index]
    if joint.numbers[STEP] == 0.0:
        begin(tables, joint)
    return joint.numbers[PHASE + what // 2]
