"""How a body turns while no torque acts on it: angular momentum L and kinetic energy are constant.

In the body's frame, with inertia I and angular velocity W, Euler's equation d(I W)/dt = (I W) x W is stepped by the conserving
midpoint rule, whose x is the mean of the W before and after,

    I x - (s/2) (I x) x x = I W,    W' = 2 x - W,    q' = q (1, (s/2) x) normalised,

solved by Newton's method. It carries R I W over to R' I W' exactly, and keeps W·I W for any s: the energy's change is a triple
product with x twice. s = 2 tan(h w/2)/w, w = W·I W / |I W|, is of second order, and turns a body that spins about a principal
axis by exactly h w. (J. C. Simo, K. K. Wong, Unconditionally stable algorithms for rigid body dynamics that exactly preserve
energy and momentum, Int. J. Numer. Meth. Engng. 31, 1991.)
"""

from __future__ import annotations

from math import isfinite, sqrt, tan

from opendynamics.core.algebra.mat3 import cross_matrix, determinant, get9, inverse, product, times, transposed_times
from opendynamics.core.algebra.quat import conjugate, from_spin, get4, multiply, normalize4
from opendynamics.core.algebra.vec3 import add, add_scaled, cross, dot, scale, subtract
from opendynamics.core.arrays.bodies import GYROSCOPIC, INERTIAS, MOTIONS, POSES
from opendynamics.core.kernels import kernel

# rad, turned at once; faster bodies take several steps. Beyond MAX_STEPS of them the axis is held.
LARGEST_TURN, MAX_STEPS = 1.0, 64

# rad, rotation up to which a body's mean angular velocity represents the motion of its points.
LARGEST_MEAN = 0.5

# Newton's method: at a relative change this small, the next one would be a rounding error.
CLOSE, MAX_ITERATIONS = 1e-9, 12


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
    """The mean angular velocity of the next `h` s, w + h/2 dw/dt, which is accurate enough for rows."""
    motion, inertia = MOTIONS.rows(tables)[body], INERTIAS.rows(tables)[body]
    pose = POSES.rows(tables)[body]
    if motion.flags & GYROSCOPIC == 0 or motion.inverse_mass == 0.0 or is_isotropic(inertia.inertia):
        return w
    if h * h * dot(w, w) > LARGEST_TURN * LARGEST_TURN:
        _, _, mean = turn_freely(tables, body, get4(pose.quaternion), w, h)
        return mean
    rotation = get9(pose.rotation)
    momentum = times(rotation, times(get9(inertia.inertia), transposed_times(rotation, w)))
    return add_scaled(w, 0.5 * h, times(get9(inertia.world_inverse), cross(momentum, w)))


@kernel
def spin_in_contact(tables, body, w, h):
    """The angular velocity for contacts of a body: the mean one, or `w` if it rotates by too much for a mean.

    A point that is held at that rate does work on the body, as w is another; a force that stops it from approaching takes more,
    unless the two differ by as much as the point moves.
    """
    return w if h * h * dot(w, w) > LARGEST_MEAN * LARGEST_MEAN else mean_spin(tables, body, w, h)


@kernel
def turn_freely(tables, body, q, w, h):
    """Orientation and angular velocity after `h` s without torque, and the mean angular velocity meanwhile (world frame)."""
    motion, inertia = MOTIONS.rows(tables)[body], INERTIAS.rows(tables)[body].inertia
    if motion.flags & GYROSCOPIC == 0 or motion.inverse_mass == 0.0 or is_isotropic(inertia):
        return normalize4(multiply(from_spin(w, h), q)), w, w
    return _turned(get9(inertia), q, w, h)


@kernel
def _turned(inertia, q, w, h):
    turn = h * sqrt(dot(w, w))
    if not turn <= LARGEST_TURN * MAX_STEPS:
        return normalize4(multiply(from_spin(w, h), q)), w, w
    steps = int(turn / LARGEST_TURN) + 1
    part = h / steps
    spin = _rotated(conjugate(q), w)
    mean = (0.0, 0.0, 0.0)
    for _ in range(steps):
        x, s = _mean_spin(inertia, spin, part)
        mean = add_scaled(mean, 1.0 / steps, _rotated(q, x))
        spin = subtract(scale(2.0, x), spin)
        half = scale(0.5 * s, x)
        q = _unit(normalize4(multiply(q, (1.0, half[0], half[1], half[2]))))
    return q, _rotated(q, spin), mean


@kernel
def _rotated(q, v):
    """`v` turned by `q`, as a change of `v`: the errors of a matrix on its diagonal are those of both senses, and add up."""
    u = (q[1], q[2], q[3])
    turn = scale(2.0, cross(u, v))
    return add(v, add_scaled(cross(u, turn), q[0], turn))


@kernel
def _unit(q):
    """Once more: the factor of an even turn is rounded alike in every step, and 1e5 steps would add that up."""
    k = 0.5 * ((1.0 - q[0]) * (1.0 + q[0]) - (q[1] * q[1] + q[2] * q[2] + q[3] * q[3]))
    return q[0] + k * q[0], q[1] + k * q[1], q[2] + k * q[2], q[3] + k * q[3]


@kernel
def _mean_spin(inertia, spin, h):
    """x and s of the rule above. Where Newton's method fails, the axis is held: that keeps the energy too."""
    momentum = times(inertia, spin)
    length = sqrt(dot(momentum, momentum))
    rate = dot(momentum, spin) / length
    if not rate > 0.0:
        return spin, h
    s = 2.0 * tan(0.5 * h * rate) / rate
    x = spin
    for _ in range(MAX_ITERATIONS):
        carried = times(inertia, x)
        error = subtract(subtract(momentum, carried), scale(-0.5 * s, cross(carried, x)))
        matrix = _derivative(inertia, carried, x, 0.5 * s)
        d = determinant(matrix)
        if d == 0.0 or not isfinite(d):
            return spin, s
        change = times(inverse(matrix, d), error)
        x = add(x, change)
        if dot(change, change) <= CLOSE * CLOSE * dot(x, x):
            return x, s
    return spin, s


@kernel
def _derivative(inertia, carried, x, half):
    """Of I x - half (I x) x x with respect to x: I - half ([I x]x - [x]x I)."""
    one, two = cross_matrix(carried), product(cross_matrix(x), inertia)
    return (
        inertia[0] - half * (one[0] - two[0]),
        inertia[1] - half * (one[1] - two[1]),
        inertia[2] - half * (one[2] - two[2]),
        inertia[3] - half * (one[3] - two[3]),
        inertia[4] - half * (one[4] - two[4]),
        inertia[5] - half * (one[5] - two[5]),
        inertia[6] - half * (one[6] - two[6]),
        inertia[7] - half * (one[7] - two[7]),
        inertia[8] - half * (one[8] - two[8]),
    )
