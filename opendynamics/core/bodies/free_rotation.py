"""How a body turns while no torque acts on it: angular momentum L and kinetic energy are constant.

In the body's frame, with inertia I and angular velocity W, Euler's equation d(I W)/dt = (I W) x W is stepped by the conserving
midpoint rule, whose x is the mean of the W before and after,

    I x - (s/2) (I x) x x = I W,    W' = 2 x - W,    q' = q (1, (s/2) x) normalised,

solved by Newton's method, whose matrix serves several iterations. With principal axes, moments A, B, C, it is

    x1 = W1 + (s/2) (B - C)/A x2 x3,    and cyclically.

It carries R I W over to R' I W' exactly, and keeps W·I W for any s: the energy's change is a triple
product with x twice. s = 2 tan(h w/2)/w, w = W·I W / |I W|, is of second order, and turns a body that spins about a principal
axis by exactly h w. (J. C. Simo, K. K. Wong, Unconditionally stable algorithms for rigid body dynamics that exactly preserve
energy and momentum, Int. J. Numer. Meth. Engng. 31, 1991.)
"""

from __future__ import annotations

from math import isfinite, sqrt, tan

from opendynamics.core.algebra.mat3 import determinant, get9, inverse, times, transposed_times
from opendynamics.core.algebra.quat import conjugate, from_spin, get4, multiply, normalize4
from opendynamics.core.algebra.vec3 import add, add_scaled, cross, dot, scale, subtract
from opendynamics.core.arrays.bodies import GYROSCOPIC, INERTIAS, MOTIONS, POSES
from opendynamics.core.kernels import kernel

# rad, turned at once; faster bodies take several steps. Beyond MAX_STEPS of them the axis is held.
LARGEST_TURN, MAX_STEPS = 1.0, 64
FASTEST = (LARGEST_TURN * MAX_STEPS) ** 2

# rad, rotation up to which a body's mean angular velocity represents the motion of its points.
LARGEST_MEAN = 0.5

# Square of the largest change of half a step by such a turn, as a fraction of the angular velocity: (1/2)², and rounding.
FASTEST_CHANGE = 0.26

# Newton's method: most iterations, with one matrix and in all, and the square of the relative change that is far below rounding.
ITERATIONS, MAX_ITERATIONS, NEGLIGIBLE = 3, 36, 1e-34

# Square of the angle below which a series is as accurate as the tangent.
SMALL = 0.01

# Squares of rotations in a step, rad, below which this many substitutions of x in the rule leave only rounding errors.
SLOW, FEW_SUBSTITUTIONS = 1e-7, 4
MODERATE, SUBSTITUTIONS = 1e-4, 8


@kernel
def is_isotropic(inertia):
    """Whether every axis has the same moment of inertia, as in a ball or a cube."""
    return (
        inertia[0] == inertia[4]
        and inertia[4] == inertia[8]
        and inertia[1] == 0.0
        and inertia[2] == 0.0
        and inertia[5] == 0.0
    )


@kernel
def mean_spin(tables, body, w, h):
    """The mean angular velocity of the next `h` s, w + h/2 dw/dt, which is accurate enough for rows.

    It is `w` where this formula gives no mean: no rigid body that rotates by less than LARGEST_TURN changes faster, but links
    with the inertia of a rotor, of which one moment exceeds the sum of the others, do; rows for such a mean would drive them
    without end.
    """
    motion, inertia = MOTIONS.rows(tables)[body], INERTIAS.rows(tables)[body]
    pose = POSES.rows(tables)[body]
    if motion.flags & GYROSCOPIC == 0 or motion.inverse_mass == 0.0 or is_isotropic(inertia.inertia):
        return w
    if h * h * dot(w, w) > LARGEST_TURN * LARGEST_TURN:
        _, _, mean = turn_freely(tables, body, get4(pose.quaternion), w, h)
        return mean
    rotation = get9(pose.rotation)
    momentum = times(rotation, times(get9(inertia.inertia), transposed_times(rotation, w)))
    change = scale(0.5 * h, times(get9(inertia.world_inverse), cross(momentum, w)))
    return add(w, change) if dot(change, change) <= FASTEST_CHANGE * dot(w, w) else w


@kernel
def spin_in_contact(tables, body, w, h):
    """The angular velocity for contacts of a body: the mean one, or `w` if it rotates by too much for a mean.

    A force that holds a point at the mean rate does work on the body, whose angular velocity `w` differs from the mean. A force
    that stops an approach removes more energy than that, unless the difference is as large as the motion of the point.
    """
    return w if h * h * dot(w, w) > LARGEST_MEAN * LARGEST_MEAN else mean_spin(tables, body, w, h)


@kernel
def turn_freely(tables, body, q, w, h):
    """Orientation and angular velocity after `h` s without torque, and the mean angular velocity meanwhile (world frame)."""
    motion, inertia = MOTIONS.rows(tables)[body], INERTIAS.rows(tables)[body]
    if motion.flags & GYROSCOPIC == 0 or motion.inverse_mass == 0.0 or is_isotropic(inertia.inertia):
        return normalize4(multiply(from_spin(w, h), q)), w, w
    return _turned(get9(inertia.inertia), get9(inertia.inverse), q, w, h)


@kernel
def _turned(inertia, inverted, q, w, h):
    """`turn_freely` by an inertia and its inverse in the body's frame."""
    square = h * h * dot(w, w)
    if not square <= FASTEST:
        return normalize4(multiply(from_spin(w, h), q)), w, w
    steps, part, share = 1, h, 1.0
    if square >= LARGEST_TURN * LARGEST_TURN:
        steps = int(sqrt(square) / LARGEST_TURN) + 1
        part, share = h / steps, 1.0 / steps
    spin = _rotated(conjugate(q), w)
    mean = (0.0, 0.0, 0.0)
    for _ in range(steps):
        x, s = _mean_spin(inertia, inverted, spin, part)
        mean = add_scaled(mean, share, _rotated(q, x))
        spin = subtract(scale(2.0, x), spin)
        half = scale(0.5 * s, x)
        shorter = 1.0 / sqrt(1.0 + dot(half, half))
        q = _unit(multiply(q, (shorter, shorter * half[0], shorter * half[1], shorter * half[2])))
    return q, _rotated(q, spin), mean


@kernel
def _rotated(q, v):
    """`v` turned by `q`, as a change of `v`: errors on the diagonal of a matrix are the same for both senses, and add up."""
    u = (q[1], q[2], q[3])
    turn = scale(2.0, cross(u, v))
    return add(v, add_scaled(cross(u, turn), q[0], turn))


@kernel
def _unit(q):
    """`q`, nearly a unit quaternion, normalised. Errors of the factor itself, the same in each step of a steady turn, add up."""
    k = 0.5 * ((1.0 - q[0]) * (1.0 + q[0]) - (q[1] * q[1] + q[2] * q[2] + q[3] * q[3]))
    return q[0] + k * q[0], q[1] + k * q[1], q[2] + k * q[2], q[3] + k * q[3]


@kernel
def _mean_spin(inertia, inverted, spin, h):
    """x and s of the rule above. Where Newton's method fails, the axis is held: that keeps the energy too."""
    momentum = times(inertia, spin)
    energy, square = dot(momentum, spin), dot(momentum, momentum)
    if not (energy > 0.0 and square > 0.0):
        return spin, h
    s = h * _tangent_ratio(0.25 * h * h * energy * (energy / square))
    if inertia[1] == 0.0 and inertia[2] == 0.0 and inertia[5] == 0.0:
        a, b, c = inertia[0], inertia[4], inertia[8]
        rates = ((b - c) * inverted[0], (c - a) * inverted[4], (a - b) * inverted[8])
        return _principal_mean(scale(0.5 * s, rates), spin), s
    return _general_mean(inertia, inverted, momentum, spin, 0.5 * s), s


@kernel
def _tangent_ratio(x):
    """tan(a)/a of a = sqrt(x)."""
    if x < SMALL:
        tail = 62 / 2835 + x * (1382 / 155925 + x * (21844 / 6081075))
        return 1.0 + x * (1 / 3 + x * (2 / 15 + x * (17 / 315 + x * tail)))
    a = sqrt(x)
    return tan(a) / a


@kernel
def _principal_mean(rates, spin):
    """x about principal axes; `rates`: (s/2) (B - C)/A, and cyclically."""
    x = add(spin, _products(rates, spin))
    turn = 4.0 * dot(rates, rates) * dot(spin, spin)
    if turn < MODERATE:
        for _ in range(FEW_SUBSTITUTIONS if turn < SLOW else SUBSTITUTIONS):
            x = add(spin, _products(rates, x))
        return x
    close = NEGLIGIBLE * dot(x, x)
    for _ in range(MAX_ITERATIONS // ITERATIONS):
        matrix = (
            1.0,
            -rates[0] * x[2],
            -rates[0] * x[1],
            -rates[1] * x[2],
            1.0,
            -rates[1] * x[0],
            -rates[2] * x[1],
            -rates[2] * x[0],
            1.0,
        )
        d = determinant(matrix)
        if d == 0.0 or not isfinite(d):
            return spin
        inverted, moved = inverse(matrix, d), 0.0
        for _ in range(ITERATIONS):
            change = times(inverted, subtract(add(spin, _products(rates, x)), x))
            x, square = add(x, change), dot(change, change)
            moved = max(moved, square)
            if _is_last(dot(rates, rates), moved, square, close):
                return x
    return spin


@kernel
def _products(rates, x):
    return rates[0] * x[1] * x[2], rates[1] * x[2] * x[0], rates[2] * x[0] * x[1]


@kernel
def _is_last(factor, moved, square, close):
    """Whether the next change is negligible, by squares: `factor` times the changes since the matrix, times the last one."""
    return 4.0 * factor * moved * square <= close


@kernel
def _general_mean(inertia, inverted, momentum, spin, half):
    """x with any inertia."""
    x = add_scaled(spin, half, times(inverted, cross(momentum, spin)))
    close = NEGLIGIBLE * dot(x, x)
    for _ in range(MAX_ITERATIONS // ITERATIONS):
        carried = times(inertia, x)
        matrix = _derivative(inertia, carried, x, half)
        d = determinant(matrix)
        if d == 0.0 or not isfinite(d):
            return spin
        solved, moved = inverse(matrix, d), 0.0
        for _ in range(ITERATIONS):
            error = add_scaled(subtract(momentum, carried), half, cross(carried, x))
            change = times(solved, error)
            x, square = add(x, change), dot(change, change)
            moved = max(moved, square)
            if _is_last(half * half, moved, square, close):
                return x
            carried = times(inertia, x)
    return spin


@kernel
def _derivative(inertia, carried, x, half):
    """Of I x - half (I x) x x with respect to x: I - half ([I x]x - [x]x I)."""
    a, b, c = (
        (inertia[0], inertia[1], inertia[2]),
        (inertia[3], inertia[4], inertia[5]),
        (inertia[6], inertia[7], inertia[8]),
    )
    one = subtract(scale(x[1], c), scale(x[2], b))
    two = subtract(scale(x[2], a), scale(x[0], c))
    three = subtract(scale(x[0], b), scale(x[1], a))
    return (
        a[0] + half * one[0],
        a[1] + half * (one[1] + carried[2]),
        a[2] + half * (one[2] - carried[1]),
        b[0] + half * (two[0] - carried[2]),
        b[1] + half * two[1],
        b[2] + half * (two[2] + carried[0]),
        c[0] + half * (three[0] + carried[1]),
        c[1] + half * (three[1] - carried[0]),
        c[2] + half * three[2],
    )
