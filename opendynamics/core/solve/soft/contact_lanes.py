"""Contact manifolds, WIDTH at a time: a lane is a pair of bodies, whose points are solved sequentially.

Of a manifold (float32, as all coefficients and impulses; arithmetic and bodies are float64):

    0 normal n, into body a   3 first tangent t (the second is n x t)   6, 12 inverse inertia of both (xx xy xz yy yz zz)
    18, 19 friction coefficients   20 1 for a friction cone   21 bias rate, 1/s, 22 mass scale, 23 impulse scale of the soft
    constraint   24 surface velocity along n, 25 along t, 26 along n x t   27 arm of b minus arm of a

and of a point:

    0 arm of a   3 separation at the beginning   4 effective masses along n, t, n x t   7 couplings n t, n (n x t), t (n x t)
    10 velocity of restitution, or NEVER

Where a lane has fewer points than others, the missing ones have no effective mass. Jacobians are those of the beginning of the
step. Points are solved like the rows of `iterations`. A group's movable bodies are all different; impulses do not change the
velocities of immovable ones. An iteration is bound by memory, so its data is compact and read once.

Lanes are filled from drafts (`manifolds`), which are contiguous per manifold. Effective masses and couplings are J M⁻¹ Jᵀ.
"""

from __future__ import annotations

from typing import Any

from opendynamics.core.algebra.lanes import (
    LANES,
    Memory,
    Numbers,
    Registers,
    cross,
    dot,
    in_any_lane,
    minus,
    plus,
    repeat,
)
from opendynamics.core.algebra.simd import long
from opendynamics.core.arrays.report import INTEGERS
from opendynamics.core.kernels import LazyModule, kernel
from opendynamics.core.solve.dense import piece
from opendynamics.core.solve.soft.lane_bodies import Pair, gathered, symmetric_times, tensors_of
from opendynamics.core.solve.soft.plan.layout import (
    CONTACTS,
    ELAPSED,
    GROUPS,
    IMPULSES,
    INVERSE_MASS,
    INVERSE_STEP,
    ITEM,
    MANIFOLD,
    MANIFOLD_DRAFT,
    MAX_BIAS,
    MOVED,
    PLACE_OF,
    POINT,
    POINT_DRAFT,
    POINTS,
    SUBSTEP_CFM,
    SUM,
    WIDTH,
    coloured_of,
    lane_kernel,
    lanes_of,
    scratch_of,
)

ir = LazyModule("llvmlite.ir")

W = WIDTH

# Velocity of restitution of points that do not bounce.
NEVER = -1e30

# Of a manifold and of a point.
TANGENT, INERTIA0, INERTIA1, MU, MU2, CONE = 3, 6, 12, 18, 19, 20
RATE, MASS_SCALE, IMPULSE_SCALE, MOTION, BETWEEN = 21, 22, 23, 24, 27
SEPARATION, MASSES, COUPLINGS, REBOUND = 3, 4, 7, 10

# After the sub-steps, in place of the separation: the impulse of restitution.
RESTORED = SEPARATION


class _Drafts:
    """Drafts of the manifolds in eight lanes: eight numbers of each at a time, zeros in lanes that are empty."""

    def __init__(self, builder: Any, items: Any, drafts: Any, lanes: Any) -> None:
        self._builder = builder
        self._places, self._counts = [], []
        for lane in range(LANES):
            item = builder.load(builder.gep(lanes, [long(lane)]))
            there = builder.icmp_signed(">=", item, long(0))
            item = builder.select(there, item, long(0))
            record = builder.gep(items, [builder.mul(item, long(ITEM))])
            first, points = (builder.load(builder.gep(record, [long(k)])) for k in (PLACE_OF, POINTS))
            place = builder.add(builder.mul(item, long(MANIFOLD_DRAFT)), builder.mul(first, long(POINT_DRAFT)))
            self._places.append(builder.gep(drafts, [place]))
            self._counts.append(builder.select(there, points, long(0)))

    def manifold(self, first: int) -> list[Numbers]:
        """Eight numbers of the manifolds."""
        there = [self._builder.icmp_signed(">", count, long(0)) for count in self._counts]
        return gathered(self._builder, self._places, [long(first)] * LANES, there)

    def has(self, n: Any) -> Any:
        """A condition: in which lanes there is a point n."""
        there = ir.Constant(ir.VectorType(ir.IntType(1), LANES), [0] * LANES)
        for lane, count in enumerate(self._counts):
            known = self._builder.icmp_signed("<", n, count)
            there = self._builder.insert_element(there, known, ir.Constant(ir.IntType(32), lane))
        return there

    def point(self, n: Any) -> list[Numbers]:
        """The numbers of each manifold's point n."""
        there = [self._builder.icmp_signed("<", n, count) for count in self._counts]
        known = [self._builder.select(each, n, long(0)) for each in there]
        places = [self._builder.add(self._builder.mul(each, long(POINT_DRAFT)), long(MANIFOLD_DRAFT)) for each in known]
        return gathered(self._builder, self._places, places, there)


@lane_kernel
def fill_manifolds(  # type: ignore[no-untyped-def]
    builder, c, p, f, drafts, items, tensors, lanes, near, far, blocks, rate, scale, held_rate, held_scale, cfm
):
    """Fill in a group's manifolds and points. `rate`, `scale`: bias rate and impulse scale; `held_`: if one body is immovable."""
    known = _Drafts(builder, items, drafts, lanes)
    *axes, mu, mu2 = known.manifold(0)
    cone, *rest = known.manifold(LANES)
    one, other = tensors_of(builder, tensors, near), tensors_of(builder, tensors, far)
    m, m1 = one[6], other[6]
    moves = builder.and_(m > 0.0, m1 > 0.0)
    rate, scale = rate.where(moves, held_rate), scale.where(moves, held_scale)
    numbers = [*axes, *one[:6], *other[:6], mu, mu2, cone, rate, -scale + 1.0, scale, *rest[:6]]
    for k, each in enumerate(numbers):
        c[k] = each
    normal, tangent, between = axes[:3], axes[3:], rest[3:6]
    directions = normal, tangent, cross(normal, tangent)
    with repeat(builder, blocks) as n:
        point, impulse = p.moved(n, POINT), f.moved(n, IMPULSES)
        x, y, z, separation, rebound, *impulses = known.point(n)
        masses = _masses(directions, (x, y, z), plus((x, y, z), between), one, other, cfm, cone > 0.0)
        there, zero = known.has(n), x.broadcast(0.0)
        for k, each in enumerate([x, y, z, separation, *masses, rebound]):
            point[k] = each.where(there, zero)
        for k, each in enumerate(impulses):
            impulse[k], impulse[SUM + k] = each, zero


def _masses(directions: Any, r: Any, q: Any, one: Any, other: Any, cfm: Any, cone: Any) -> list[Numbers]:
    """Effective masses along the directions n, t, n x t, and couplings n t, n (n x t), t (n x t), of the arms r and q."""
    near, far = [cross(r, each) for each in directions], [cross(q, each) for each in directions]
    spins, spins1 = [symmetric_times(one, each) for each in near], [symmetric_times(other, each) for each in far]

    def response(i: int, j: int) -> Numbers:
        return dot(near[i], spins[j]) + dot(far[i], spins1[j])

    m = one[6] + other[6]
    along, t, b = (_inverse(m + response(i, i) + (cfm if i else 0.0)) for i in range(3))
    less, zero = t.minimum(b), t.broadcast(0.0)  # in a cone, both are projected on a circle, and so take the same step
    masses = [along, less.where(cone, t), less.where(cone, b)]
    return [*masses, response(1, 0), response(2, 0), zero.where(cone, response(2, 1))]


def _inverse(diagonal: Numbers) -> Numbers:
    zero = diagonal.broadcast(0.0)
    return (1.0 / diagonal).where(diagonal > 0.0, zero)


class _Touching(Pair):
    """Pairs with a manifold's directions."""

    def __init__(self, builder: Any, c: Memory, bodies: Any, near: Any, far: Any) -> None:
        super().__init__(builder, bodies, near, far)
        self.normal, self.tangent, self.between = c.three(0), c.three(TANGENT), c.three(BETWEEN)
        self.across = cross(self.normal, self.tangent)
        self._c = c

    def velocity_at(self, r: Any) -> tuple[Numbers, Numbers, Numbers]:
        """Relative velocity of both bodies at a point."""
        return self.velocity(r, plus(r, self.between))

    def push_along(self, r: Any, along: Any) -> None:
        """Apply impulses along n, t and n x t at a point to both bodies."""
        parts = zip(self.normal, self.tangent, self.across, strict=True)
        impulse = [n * along[0] + t * along[1] + b * along[2] for n, t, b in parts]
        self.push(self._c, INERTIA0, r, plus(r, self.between), impulse)


@lane_kernel
def solve_with_bias(builder, c, p, f, bodies, near, far, blocks, rate, elapsed, cfm, max_bias):  # type: ignore[no-untyped-def]
    """Solve a group's points with bias; penetration is corrected at up to `max_bias` m/s. `rate`: one over the sub-step.

    Where the bias velocity is limited, the impulse scale is reduced in proportion, so that the spring carries the same load.
    """
    pair = _Touching(builder, c, bodies, near, far)
    separation = _separation(c, pair, elapsed)
    with repeat(builder, blocks) as block:
        point, impulse = p.moved(block, POINT), f.moved(block, IMPULSES)
        r, s = point.three(0), separation(point)
        apart, (bias_rate, mass_scale, impulse_scale) = s > 0.0, c.three(RATE)
        zero, one = s.broadcast(0.0), s.broadcast(1.0)
        speed = -(bias_rate * s)
        bias = (-(s * rate)).where(apart, speed.minimum(max_bias))
        spring = Registers(builder, [one.where(apart, mass_scale), zero.where(apart, impulse_scale)])
        with builder.if_then(in_any_lane(builder, speed > max_bias)):  # a division
            limited = spring[1] * max_bias / speed
            spring[0] = (one - limited).where(speed > max_bias, spring[0])
            spring[1] = limited.where(speed > max_bias, spring[1])
        mass_scale, impulse_scale = spring[0], spring[1]
        v, old = pair.velocity_at(r), impulse.three(0)
        residual = c[MOTION] + bias - dot(pair.normal, v)
        new = (old[0] + point[MASSES] * mass_scale * residual - impulse_scale * old[0]).maximum(0.0)
        first, second = _friction(c, point, pair, v, old, new, cfm)
        impulse[0], impulse[1], impulse[2] = new, first, second
        pair.push_along(r, (new - old[0], first - old[1], second - old[2]))
    pair.store()


@lane_kernel
def relax(builder, c, p, f, changes, bodies, near, far, blocks, rate, elapsed, cfm):  # type: ignore[no-untyped-def]
    """Solve a group's points without bias. Sums impulses, and records the largest and its change."""
    pair = _Touching(builder, c, bodies, near, far)
    separation = _separation(c, pair, elapsed)
    largest = Registers(builder, [changes[0], changes[1]])
    with repeat(builder, blocks) as block:
        point, impulse = p.moved(block, POINT), f.moved(block, IMPULSES)
        r, s = point.three(0), separation(point)
        v, old = pair.velocity_at(r), impulse.three(0)
        residual = c[MOTION] - s.maximum(0.0) * rate - dot(pair.normal, v)
        new = (old[0] + point[MASSES] * residual).maximum(0.0)
        first, second = _friction(c, point, pair, v, old, new, cfm)
        steps = new - old[0], first - old[1], second - old[2]
        for k, value in enumerate((new, first, second)):
            impulse[k], impulse[SUM + k] = value, impulse[SUM + k] + value
        largest[0] = largest[0].maximum(abs(steps[0])).maximum(abs(steps[1])).maximum(abs(steps[2]))
        largest[1] = largest[1].maximum(new)
        pair.push_along(r, steps)
    changes[0], changes[1] = largest[0], largest[1]
    pair.store()


def _separation(c: Memory, pair: _Touching, elapsed: Numbers) -> Any:
    """Function that computes a point's separation at the current displacements.

    By displacements d and θ of the bodies it grows by n · (d + θ x r - d' - θ' x r') = n · (d - d' - θ' x between) +
    r · (n x (θ - θ')): the first part is the same for all points.
    """
    d, e = pair.one.numbers[MOVED:INVERSE_MASS], pair.other.numbers[MOVED:INVERSE_MASS]
    common = dot(pair.normal, minus(minus(d[:3], e[:3]), cross(e[3:], pair.between))) - c[MOTION] * elapsed
    lever = cross(pair.normal, minus(d[3:], e[3:]))
    return lambda point: point[SEPARATION] + common + dot(lever, point.three(0))


def _friction(c: Memory, point: Memory, pair: _Touching, v: Any, old: Any, new: Numbers, cfm: Numbers) -> Any:
    """Both friction impulses within a pyramid or a cone, for the normal impulse `new`."""
    change, cone, masses, couplings = new - old[0], c[CONE] > 0.0, point.three(MASSES), point.three(COUPLINGS)
    bound, bound2 = c[MU] * new, c[MU2] * new
    residual = c[MOTION + 1] - dot(pair.tangent, v) - couplings[0] * change - cfm * old[1]
    first = old[1] + masses[1] * residual
    first = first.where(cone, first.clip(-bound, bound))
    residual = c[MOTION + 2] - dot(pair.across, v) - couplings[1] * change - cfm * old[2]
    second = old[2] + masses[2] * (residual - couplings[2] * (first - old[1]))
    within = Registers(point.builder, [first, second])
    with point.builder.if_then(in_any_lane(point.builder, cone)):  # a square root and a division
        length = (first * first + second * second).sqrt()
        part = (bound / length).where(length > bound, 1.0)
        within[0], within[1] = first * part, second * part
    return within[0].where(cone, first), within[1].where(cone, second.clip(-bound2, bound2))


@lane_kernel
def push_group(builder, c, p, f, bodies, near, far, blocks):  # type: ignore[no-untyped-def]
    """Apply the points' impulses to the bodies."""
    pair = _Touching(builder, c, bodies, near, far)
    with repeat(builder, blocks) as block:
        pair.push_along(p.moved(block, POINT).three(0), f.moved(block, IMPULSES).three(0))
    pair.store()


@lane_kernel
def restore_group(builder, c, p, f, bodies, near, far, blocks):  # type: ignore[no-untyped-def]
    """Restitution by Newton's rule, for points with an impulse that approached faster than their threshold."""
    pair = _Touching(builder, c, bodies, near, far)
    with repeat(builder, blocks) as block:
        point, impulse = p.moved(block, POINT), f.moved(block, IMPULSES)
        r, rebound = point.three(0), point[REBOUND]
        residual = rebound - dot(pair.normal, pair.velocity_at(r))
        zero = residual.broadcast(0.0)
        residual = residual.where(rebound > NEVER / 2, zero).where(impulse[SUM] > 0.0, zero)
        change = (point[MASSES] * residual).maximum(-impulse[0] - point[RESTORED])
        point[RESTORED] = point[RESTORED] + change
        pair.push_along(r, (change, zero, zero))
    pair.store()


@kernel
def iterate_contacts(tables, island, first, end, biased, member):
    """One iteration over the groups from `first` up to `end`, of one colour, by a thread of the team."""
    own, lanes, bodies = (
        coloured_of(tables, island, CONTACTS),
        lanes_of(tables, island),
        scratch_of(tables, island).floats,
    )
    settings, changes = lanes.settings, piece(lanes.changes, 2 * W * member, 2 * W)
    rate, elapsed, cfm, max_bias = settings[INVERSE_STEP], settings[ELAPSED], settings[SUBSTEP_CFM], settings[MAX_BIAS]
    for g in range(first, end):
        c, p, f, near, far, blocks = group_of(own, lanes, g)
        if biased:
            solve_with_bias(c, p, f, bodies, near, far, blocks, rate, elapsed, cfm, max_bias)
        else:
            relax(c, p, f, changes, bodies, near, far, blocks, rate, elapsed, cfm)


@kernel
def group_of(own, lanes, g):
    """Manifolds, points and impulses of a group, the indices of its bodies, and the largest number of points of a lane."""
    first, blocks = own.first[g], own.first[g + 1] - own.first[g]
    return (
        piece(lanes.manifolds, MANIFOLD * W * g, MANIFOLD * W),
        piece(lanes.points, POINT * W * first, POINT * W * blocks),
        piece(lanes.impulses, IMPULSES * W * first, IMPULSES * W * blocks),
        piece(own.near, W * g, W),
        piece(own.far, W * g, W),
        blocks,
    )


@kernel
def begin_to_restore(tables, island):
    """Clear the impulses of restitution."""
    own, lanes = coloured_of(tables, island, CONTACTS), lanes_of(tables, island)
    for g in range(INTEGERS.rows(tables)[GROUPS + CONTACTS]):
        for block in range(own.first[g], own.first[g + 1]):
            at = W * (POINT * block + RESTORED)
            for k in range(at, at + W):
                lanes.points[k] = 0.0


@kernel
def restore_contacts(tables, island):
    """Apply restitution to all groups."""
    own, lanes, bodies = (
        coloured_of(tables, island, CONTACTS),
        lanes_of(tables, island),
        scratch_of(tables, island).floats,
    )
    for g in range(INTEGERS.rows(tables)[GROUPS + CONTACTS]):
        c, p, f, near, far, blocks = group_of(own, lanes, g)
        restore_group(c, p, f, bodies, near, far, blocks)


@kernel
def apply_contacts(tables, island, first, end):
    """Warm starting: apply the impulses of groups of one colour."""
    own, lanes, bodies = (
        coloured_of(tables, island, CONTACTS),
        lanes_of(tables, island),
        scratch_of(tables, island).floats,
    )
    for g in range(first, end):
        c, p, f, near, far, blocks = group_of(own, lanes, g)
        push_group(c, p, f, bodies, near, far, blocks)
