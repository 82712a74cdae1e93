"""Bodies that turn slowly, eight at a time: velocities and poses after the step. What they are for one body is in `move`.

The world's integrator is ENERGY_MOMENTUM; bodies that joints hold are DEFERRED. The mean angular velocity is that of
`free_rotation` about principal axes, found by substitution.
"""

from __future__ import annotations

from typing import Any

from opendynamics.core.algebra.lanes import (
    LANES,
    Numbers,
    Records,
    Registers,
    cross,
    dot,
    equal,
    has_bit,
    in_any_lane,
    lane_kernel,
    plus,
    select,
    times,
)
from opendynamics.core.algebra.simd import long
from opendynamics.core.algebra.vec3 import dot as dot3
from opendynamics.core.algebra.vec3 import get3
from opendynamics.core.arrays.bodies import DAMPED, GYROSCOPIC, HELD, INERTIAS, MOTIONS
from opendynamics.core.arrays.rows import CORRECTIONS
from opendynamics.core.bodies.free_rotation import FEW_SUBSTITUTIONS, SLOW, SMALL
from opendynamics.core.constrain.body_lanes import FEW
from opendynamics.core.kernels import LazyModule, kernel

ir = LazyModule("llvmlite.ir")
cgutils = LazyModule("numba.core.cgutils")

# Square of twice the factor by which a substitution reduces the error of the mean angular velocity, and how many leave no more
# than rounding errors.
CONVERGES, SUBSTITUTIONS = 0.004, 10

# Places of numbers in the records of bodies.
FLAGS, POSITION, QUATERNION, MOMENTS, LAST_MOMENT, WORLD_INVERSE = 7, 0, 3, 1, 9, 19


@kernel
def is_for_lanes(tables, island, body, w, h, corrections):
    """Whether a body with angular velocity `w` is to be moved in lanes."""
    flags, inertia = MOTIONS.rows(tables)[body].flags, INERTIAS.rows(tables)[body]
    i, j = inertia.inertia, inertia.inverse
    if flags & (GYROSCOPIC | DAMPED) != GYROSCOPIC or not MOTIONS.rows(tables)[body].inverse_mass > 0.0:
        return False
    if island.bodies < FEW and MOTIONS.rows(tables)[body].flags & HELD:
        return False
    if i[1] != 0.0 or i[2] != 0.0 or i[5] != 0.0:
        return False
    square, turn = h * h * dot3(w, w), 0.0
    if corrections:
        c = get3(CORRECTIONS.rows(tables)[body].angular)
        turn = h * h * h * h * dot3(c, c)
    x, y, z = (i[4] - i[8]) * j[0], (i[8] - i[0]) * j[4], (i[0] - i[4]) * j[8]
    return square + turn < SMALL and square * (x * x + y * y + z * z) < CONVERGES


@lane_kernel(("motions", "poses", "inertias", "loads", "velocities", "corrections"))
def move_slow_bodies(  # type: ignore[no-untyped-def]
    builder, members, motions, poses, inertias, loads, velocities, corrections, h, correcting, given
):
    """Move the bodies `members` by their new `velocities`.

    correcting, given: positive with corrections, and if these contain the free rotation of bodies that joints hold.
    """
    places = [builder.load(builder.gep(members, [long(lane)])) for lane in range(LANES)]
    motion, pose, inertia = (Records(builder, each, places) for each in (motions, poses, inertias))
    old, new = motion.read(0), Records(builder, velocities, places).read(0, 6)
    at, moments = pose.read(POSITION), (*inertia.read(MOMENTS), *inertia.read(LAST_MOMENT))
    held = has_bit(builder, old[FLAGS], HELD)
    v, w, q = new[:3], new[3:], at[QUATERNION : QUATERNION + 4]
    a, b, c, over_a, over_b = moments[0], moments[4], moments[8], moments[9], moments[13]
    isotropic = builder.and_(equal(builder, a, b), equal(builder, b, c))
    turned, free, mean = _turn_freely(builder, (a, b, c), ((b - c) * over_a, (c - a) * over_b, (a - b) / c), q, w, h)
    w = select(builder.or_(held, isotropic), w, free)
    mean = select(builder.and_(held, given > 0.0), select(isotropic, new[3:], mean), [h.broadcast(0.0)] * 3)
    push = [_where_or_zero(correcting > 0.0, each) for each in Records(builder, corrections, places).read(0, 6)]
    turn = _from_spin([_where_or_zero(correcting > 0.0, h * push[3 + k] - mean[k]) for k in range(3)], h)
    x = [at[POSITION + k] + h * v[k] + h * h * push[k] for k in range(3)]
    rotation = _to_matrix(turn)
    w = select(isotropic, w, times(rotation, w))
    turned = select(correcting > 0.0, _normalized(_multiply(turn, turned)), turned)
    motion.write(0, [*v, *w, *old[6:]])
    pose.write(POSITION, [*x, *turned, *_to_matrix(turned)])
    Records(builder, loads, places).write(0, [h.broadcast(0.0)] * 6)
    keeps = builder.or_(isotropic, builder.not_(correcting > 0.0))
    _turn_inertia(builder, inertia, rotation, held, keeps, h.broadcast(0.0))


def _turn_inertia(builder: Any, inertia: Records, rotation: Any, held: Any, keeps: Any, zero: Numbers) -> None:
    """The inverse inertia in the world: turned with bodies that joints hold, or kept; that of others is to be computed anew."""
    with builder.if_else(in_any_lane(builder, held)) as (some, none):
        with some:
            one = inertia.read(WORLD_INVERSE, 9)
            x, y, z = rotation[:3], rotation[3:6], rotation[6:]
            columns = [times(one, each) for each in (x, y, z)]
            ends = [dot(row, column) for column in columns for row in (x, y, z)]
            known = builder.and_(builder.not_(keeps), one[0] > 0.0)
            new = select(known, ends, one)
            inertia.write(WORLD_INVERSE, [new[0].where(held, zero), *new[1:]])
        with none:
            inertia.write(WORLD_INVERSE, [zero])


def _turn_freely(builder: Any, moments: Any, ratios: Any, q: Any, w: Any, h: Numbers) -> tuple[Any, Any, Any]:
    """Orientation and angular velocity after h, and the mean one: see `free_rotation`."""
    spin = _rotated((q[0], -q[1], -q[2], -q[3]), w)
    momentum = [moments[k] * spin[k] for k in range(3)]
    energy, square = dot(momentum, spin), dot(momentum, momentum)
    s = h * _tangent_ratio(_where_or_zero(square > 0.0, h * h * 0.25 * energy * (energy / square)))
    rates = [s * 0.5 * each for each in ratios]
    x = _mean_spin(builder, rates, spin)
    half = [s * 0.5 * each for each in x]
    shorter = 1.0 / (dot(half, half) + 1.0).sqrt()
    turned = _unit(_multiply(q, (shorter, *(shorter * each for each in half))))
    after = [x[k] + (x[k] - spin[k]) for k in range(3)]
    return turned, _rotated(turned, after), _rotated(q, x)


def _mean_spin(builder: Any, rates: Any, spin: Any) -> tuple[Numbers, Numbers, Numbers]:
    """x about principal axes; after the first substitutions only of bodies that turn fast enough for others to matter."""

    def next_of(x: Any) -> tuple[Numbers, Numbers, Numbers]:
        return plus(spin, (rates[0] * x[1] * x[2], rates[1] * x[2] * x[0], rates[2] * x[0] * x[1]))

    first = spin
    for _ in range(1 + FEW_SUBSTITUTIONS):
        first = next_of(first)
    x, turn = Registers(builder, list(first)), dot(rates, rates) * dot(spin, spin) * 4.0
    unfinished = turn > SLOW
    with builder.if_then(in_any_lane(builder, unfinished)):
        for _ in range(SUBSTITUTIONS - FEW_SUBSTITUTIONS):
            for k, each in enumerate(select(unfinished, next_of(x.three(0)), x.three(0))):
                x[k] = each
    return x.three(0)


def _tangent_ratio(x: Numbers) -> Numbers:
    """tan(a)/a of a = sqrt(x)."""
    tail = x * (x * (21844 / 6081075) + 1382 / 155925) + 62 / 2835
    return x * (x * (x * (x * tail + 17 / 315) + 2 / 15) + 1 / 3) + 1.0


def _from_spin(w: Any, h: Numbers) -> tuple[Numbers, ...]:
    """The exact turn of an angular velocity held for h."""
    half = h * 0.5
    x = dot(w, w) * half * half
    s = half * (x * (x * (x * (x * (1 / 362880) - 1 / 5040) + 1 / 120) - 1 / 6) + 1.0)
    c = x * (x * (x * (x * (1 / 40320) - 1 / 720) + 1 / 24) - 0.5) + 1.0
    return c, *(s * each for each in w)


def _rotated(q: Any, v: Any) -> tuple[Numbers, Numbers, Numbers]:
    """`v` turned by `q`."""
    turn = [each * 2.0 for each in cross(q[1:], v)]
    again = cross(q[1:], turn)
    x, y, z = (v[k] + (again[k] + q[0] * turn[k]) for k in range(3))
    return x, y, z


def _multiply(a: Any, b: Any) -> list[Numbers]:
    """The Hamilton product a b."""
    sides = plus(cross(a[1:], b[1:]), [a[0] * b[1 + k] + b[0] * a[1 + k] for k in range(3)])
    return [a[0] * b[0] - dot(a[1:], b[1:]), *sides]


def _unit(q: Any) -> list[Numbers]:
    """`q` at length one, from nearly that, with an even error."""
    k = ((-q[0] + 1.0) * (q[0] + 1.0) - dot(q[1:], q[1:])) * 0.5
    return [each + k * each for each in q]


def _normalized(q: Any) -> list[Numbers]:
    """`q` at length one."""
    k = 1.0 / (q[0] * q[0] + dot(q[1:], q[1:])).sqrt()
    return [each * k for each in q]


def _to_matrix(q: Any) -> list[Numbers]:
    """Rotation matrix of a unit quaternion, row by row."""
    w, x, y, z = q
    xx, yy, zz = (each * 2.0 * each for each in (x, y, z))
    xy, xz, yz, wx, wy, wz = x * y, x * z, y * z, w * x, w * y, w * z
    sides = [(xy - wz) * 2.0, (xz + wy) * 2.0, (xy + wz) * 2.0, (yz - wx) * 2.0, (xz - wy) * 2.0, (yz + wx) * 2.0]
    return [-yy - zz + 1.0, *sides[:3], -xx - zz + 1.0, *sides[3:], -xx - yy + 1.0]


def _where_or_zero(condition: Any, number: Numbers) -> Numbers:
    return number.where(condition, 0.0)
