"""Rows of a link that are solved together, as explicit vector instructions.

Hard rows of a joint are a block, whose impulses follow from one linear system. It has J by columns, so that each lane of a vector
is a row, M⁻¹ Jᵀ by rows, the inverse of J M⁻¹ Jᵀ + s, and one vector each of the velocities aimed at with bias and in relaxation,
of s = CFM / h', of the impulses of the sub-step and of their sums. Lanes without a row are zero. J v needs no horizontal sum in
this form, and the inverse no chain of dependent numbers, as substitution with a factor does: a third of the time.

A row with bounds, of a stop or a motor, would violate the block's rows: with the coupling g = J M⁻¹ jᵀ and G = K⁻¹ g, K the
block's matrix, its impulse λ is accompanied by the impulses -G λ of the block, and its effective mass is
1 / (j M⁻¹ jᵀ + s - g G). Without that, an arm that hits a stop is thrown back faster than it came: the next sub-step starts from
impulses that are not yet in balance.

The normal row and the friction of a contact read and write the velocities once; their couplings do the rest.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from opendynamics.core.algebra.lanes import LANES, Numbers, transposed
from opendynamics.core.algebra.simd import FUSED, broadcast, data_of, doubles, element, load, long, store
from opendynamics.core.arrays.rows import ROW as ROW_FIELDS
from opendynamics.core.kernels import LazyModule, intrinsic
from opendynamics.core.solve.prepared import responses_of_lanes
from opendynamics.core.solve.soft.plan.layout import MAX_HARD, MOVED, ROW, VELOCITY
from opendynamics.core.solve.soft.plan.layout import RESPONSE as OF_ROW

ir = LazyModule("llvmlite.ir")
types = LazyModule("numba.core.types")
cgutils = LazyModule("numba.core.cgutils")

# Numbers of a block.
JACOBIAN, RESPONSE = 0, 12 * LANES
INVERSE = RESPONSE + 12 * MAX_HARD
AIM, REST, CFM, IMPULSE, TOTAL, COUPLED = (INVERSE + LANES * (MAX_HARD + k) for k in range(6))

# Doubles of a row of the table: both Jacobians, bias, CFM and bounds are the first sixteen.
ROW_SIZE = np.dtype(ROW_FIELDS).itemsize // 8

# Pivot relative to its diagonal, at most: it is a rounding error of zero, and the row is redundant.
REDUNDANT = 1e-10

# Pivot relative to its diagonal, at most, of a row that is redundant, too, if the pivot is hardly more than the row's own CFM.
# Otherwise a motor of unlimited force in a direction that the joint constrains would exert more than the next sub-step can
# balance.
ONLY_CFM, TIMES_CFM = 1e-5, 4.0


@intrinsic
def load_block(typingctx, block, rows, first, count, rest, hard, mass0, inertia0, mass1, inertia1, over_step):
    """Fill a block from the first `hard` rows of a joint, and the inverse masses and inertias of its bodies.

    Row r of the joint is row `first` + r of the table if r is less than `count`, and `rest` + r otherwise. `over_step`: 1 / h'.
    Impulses and their sums, and the velocities of relaxation, stay.
    """

    def codegen(context, builder, signature, args):
        block, rows, first, count, rest, hard, mass0, inertia0, mass1, inertia1, over_step = args
        block, rows = (data_of(context, builder, signature, k, array) for k, array in enumerate((block, rows)))
        rows = builder.bitcast(rows, ir.DoubleType().as_pointer())
        places = _places(builder, first, count, rest, hard)
        columns, bias, cfm = _columns(builder, rows, places, hard)
        cfm = cfm * Numbers(builder, broadcast(builder, over_step, LANES))
        responses = responses_of_lanes(builder, columns[:6], mass0, inertia0) + responses_of_lanes(
            builder, columns[6:], mass1, inertia1
        )
        for k, column in enumerate(columns):
            _put(builder, column, block, JACOBIAN + LANES * k)
        _put(builder, bias, block, AIM)
        _put(builder, cfm, block, CFM)
        _put_rows(builder, responses, block)
        products = _products(builder, rows, places, responses, cfm, hard)
        for k, row in enumerate(_inverse(builder, products, cfm, hard)):
            _put(builder, row, block, INVERSE + LANES * k)
        return context.get_dummy_value()

    integer, number, nine = types.int64, types.float64, types.UniTuple(types.float64, 9)
    return types.none(block, rows, *[integer] * 4, number, nine, number, nine, number), codegen


@intrinsic
def solve_block(typingctx, block, a, b, aim, mass_scale, impulse_scale, summed, changes):
    """Solve for the impulses of a block and apply them: λ <- λ + mass_scale K⁻¹ (c - J v - s λ) - impulse_scale λ.

    a, b: the bodies, whose velocities change; `aim`: where c begins in the block. `changes` becomes the largest change of each
    lane, and the impulses times `summed` are added to their sums.
    """

    def codegen(context, builder, signature, args):
        block, a, b, aim, mass_scale, impulse_scale, summed, changes = args
        block, a, b = (data_of(context, builder, signature, k, array) for k, array in enumerate((block, a, b)))
        changes = data_of(context, builder, signature, 7, changes)
        mass_scale, impulse_scale, summed = (
            Numbers(builder, broadcast(builder, each, LANES)) for each in (mass_scale, impulse_scale, summed)
        )
        old = _get(builder, block, IMPULSE)
        sums = [Numbers(builder, load(builder, block, aim, LANES)) - _get(builder, block, CFM) * old, None, None]
        for k in range(12):
            speed = broadcast(builder, builder.load(builder.gep(a if k < 6 else b, [long(k % 6)])), LANES)
            product = _get(builder, block, JACOBIAN + LANES * k) * Numbers(builder, speed)
            part = sums[k % 3]
            sums[k % 3] = product if part is None else part - product if k % 3 == 0 else part + product
        residual = sums[0] - (sums[1] + sums[2])
        parts = [_get(builder, block, INVERSE + LANES * k) * _lane(builder, residual, k) for k in range(MAX_HARD)]
        step = (
            mass_scale * ((parts[0] + parts[1]) + (parts[2] + parts[3]) + (parts[4] + parts[5])) - impulse_scale * old
        )
        new = old + step
        _put(builder, new, block, IMPULSE)
        _put(builder, _get(builder, block, TOTAL) + summed * new, block, TOTAL)
        _put(builder, _get(builder, changes, 0).maximum(abs(step)), changes, 0)
        _push(builder, block, a, b, step)
        return context.get_dummy_value()

    integer, number = types.int64, types.float64
    return types.none(block, a, b, integer, number, number, number, changes), codegen


@intrinsic
def apply_block(typingctx, block, a, b):
    """Apply the impulses of a block to the velocities of its bodies."""

    def codegen(context, builder, signature, args):
        block, a, b = (data_of(context, builder, signature, k, array) for k, array in enumerate(args))
        _push(builder, block, a, b, _get(builder, block, IMPULSE))
        return context.get_dummy_value()

    return types.none(block, a, b), codegen


@intrinsic
def couple_row(typingctx, block, at, row):
    """Write G of a row, with J and M⁻¹ Jᵀ in its numbers, to the block from number `at` on. Returns g G."""

    def codegen(context, builder, signature, args):
        block, at, row = args
        block, row = (data_of(context, builder, signature, k, array) for k, array in ((0, block), (2, row)))
        sums = [None, None]
        for k in range(12):
            answer = broadcast(builder, builder.load(builder.gep(row, [long(OF_ROW + k)])), LANES)
            product = _get(builder, block, JACOBIAN + LANES * k) * Numbers(builder, answer)
            sums[k % 2] = product if sums[k % 2] is None else sums[k % 2] + product
        coupling = sums[0] + sums[1]
        parts = [_get(builder, block, INVERSE + LANES * k) * _lane(builder, coupling, k) for k in range(MAX_HARD)]
        impulses = (parts[0] + parts[1]) + (parts[2] + parts[3]) + (parts[4] + parts[5])
        store(builder, impulses.value, block, at)
        products = (coupling * impulses).value
        total = element(builder, products, 0)
        for k in range(1, MAX_HARD):
            total = builder.fadd(total, element(builder, products, k))
        return total

    return types.float64(block, types.int64, row), codegen


@intrinsic
def hold_block(typingctx, block, at, a, b, change, summed):
    """Apply the impulses of the block that accompany the change of a row's impulse, whose G is at number `at`."""

    def codegen(context, builder, signature, args):
        block, at, a, b, change, summed = args
        block, a, b = (data_of(context, builder, signature, k, array) for k, array in ((0, block), (2, a), (3, b)))
        change, summed = (Numbers(builder, broadcast(builder, each, LANES)) for each in (change, summed))
        step = -(change * Numbers(builder, load(builder, block, at, LANES)))
        _put(builder, _get(builder, block, IMPULSE) + step, block, IMPULSE)
        _put(builder, _get(builder, block, TOTAL) + summed * step, block, TOTAL)
        _push(builder, block, a, b, step)
        return context.get_dummy_value()

    number = types.float64
    return types.none(block, types.int64, a, b, number, number), codegen


@intrinsic
def contact_velocities(typingctx, rows, first, a, b):
    """J v of the three rows of a contact from number `first`, and J d of its normal row, d the displacements."""

    def codegen(context, builder, signature, args):
        rows, first, a, b = args
        rows, a, b = (data_of(context, builder, signature, k, array) for k, array in ((0, rows), (2, a), (3, b)))
        sums = []
        for r, at in ((0, VELOCITY), (1, VELOCITY), (2, VELOCITY), (0, MOVED)):
            halves = []
            for begin, width in ((0, 4), (4, 2)):
                own, other = (
                    load(builder, rows, builder.add(first, long(ROW * r + side + begin)), width) for side in (0, 6)
                )
                near, far = (load(builder, body, long(at + begin), width) for body in (a, b))
                product = builder.fmul(own, near, flags=FUSED)
                halves.append(builder.fadd(product, builder.fmul(other, far, flags=FUSED), flags=FUSED))
            wide = builder.shuffle_vector(halves[1], ir.Constant(doubles(2), [0.0, 0.0]), _lanes([0, 1, 2, 3]))
            sums.append(builder.fadd(halves[0], wide))
        pairs = [_add_shuffled(builder, sums[k], sums[k + 1], [0, 4, 2, 6], [1, 5, 3, 7]) for k in (0, 2)]
        total = _add_shuffled(builder, *pairs, [0, 1, 4, 5], [2, 3, 6, 7])
        return cgutils.pack_array(builder, [element(builder, total, k) for k in range(4)])

    return types.UniTuple(types.float64, 4)(rows, types.int64, a, b), codegen


@intrinsic
def push_contact(typingctx, rows, first, a, b, impulses):
    """Apply the changes of the three impulses of a contact to its bodies."""

    def codegen(context, builder, signature, args):
        rows, first, a, b, impulses = args
        rows, a, b = (data_of(context, builder, signature, k, array) for k, array in ((0, rows), (2, a), (3, b)))
        factors = [builder.extract_value(impulses, k) for k in range(3)]
        _add_responses(builder, rows, builder.add(first, long(OF_ROW)), ROW, a, b, factors)
        return context.get_dummy_value()

    return types.none(rows, types.int64, a, b, impulses), codegen


def _add_shuffled(builder: Any, one: Any, other: Any, first: list[int], second: list[int]) -> Any:
    """Sum of two selections of the numbers of two vectors."""
    return builder.fadd(
        builder.shuffle_vector(one, other, _lanes(first)), builder.shuffle_vector(one, other, _lanes(second))
    )


def _lanes(places: list[int]) -> Any:
    return ir.Constant(ir.VectorType(ir.IntType(32), len(places)), places)


def _places(builder: Any, first: Any, count: Any, rest: Any, hard: Any) -> list[Any]:
    """Offset of each hard row in the table; in lanes without one, that of the first."""
    places = []
    for r in range(MAX_HARD):
        row = builder.select(builder.icmp_signed("<", long(r), hard), long(r), long(0))
        begin = builder.select(builder.icmp_signed("<", row, count), first, rest)
        places.append(builder.mul(builder.add(begin, row), long(ROW_SIZE)))
    return places


def _columns(builder: Any, rows: Any, places: list[Any], hard: Any) -> tuple[list[Numbers], Numbers, Numbers]:
    """The twelve columns of J, bias and CFM of the hard rows."""
    halves: list[list[Any]] = [[], []]
    for r in range(LANES):
        inside = builder.icmp_signed("<", long(r), hard)
        for half, numbers in enumerate(halves):
            if r < MAX_HARD:
                value = load(builder, rows, builder.add(places[r], long(LANES * half)), LANES)
                numbers.append(builder.select(inside, value, _zeros()))
            else:
                numbers.append(_zeros())
    columns = [Numbers(builder, column) for half in halves for column in transposed(builder, half)]
    return columns[:12], columns[12], columns[13]


def _products(
    builder: Any, rows: Any, begins: list[Any], responses: list[Numbers], cfm: Numbers, hard: Any
) -> list[Numbers]:
    """The rows of J M⁻¹ Jᵀ + s."""
    places = [cgutils.alloca_once_value(builder, _zeros()) for _ in range(MAX_HARD)]
    for i, place in enumerate(places):
        with builder.if_then(builder.icmp_signed("<", long(i), hard)):
            own = builder.gep(rows, [begins[i]])
            sums = [cfm.where(_only(i), cfm.broadcast(0.0)), cfm.broadcast(0.0)]
            for k, answer in enumerate(responses):
                factor = broadcast(builder, builder.load(builder.gep(own, [long(k)])), LANES)
                sums[k % 2] = sums[k % 2] + Numbers(builder, factor) * answer
            builder.store((sums[0] + sums[1]).value, place)
    return [Numbers(builder, builder.load(place)) for place in places]


def _inverse(builder: Any, rows: list[Numbers], cfm: Numbers, hard: Any) -> list[Numbers]:
    """The inverse of a symmetric matrix by Gauss-Jordan elimination; zero in redundant rows."""
    places = [cgutils.alloca_once_value(builder, row.value) for row in rows]
    diagonal = [element(builder, row.value, k) for k, row in enumerate(rows)]
    smallest = [_least_pivot(builder, number, element(builder, cfm.value, k)) for k, number in enumerate(diagonal)]
    zero = rows[0].broadcast(0.0)
    for k in range(MAX_HARD):
        with builder.if_then(builder.icmp_signed("<", long(k), hard)):
            now = [Numbers(builder, builder.load(place)) for place in places]
            pivot = element(builder, now[k].value, k)
            over = builder.fdiv(ir.Constant(ir.DoubleType(), 1.0), pivot)
            over = builder.select(
                builder.fcmp_ordered(">", pivot, smallest[k]), over, ir.Constant(ir.DoubleType(), 0.0)
            )
            inverse = Numbers(builder, broadcast(builder, over, LANES))
            own = inverse.where(_only(k), now[k] * inverse)
            for i in range(MAX_HARD):
                rest = zero.where(_only(k), now[i]) - _lane(builder, now[i], k) * own
                builder.store((own if i == k else rest).value, places[i])
    return [Numbers(builder, builder.load(place)) for place in places]


def _least_pivot(builder: Any, diagonal: Any, cfm: Any) -> Any:
    """The largest pivot of a redundant row."""
    rounding, share, softness = (
        builder.fmul(number, ir.Constant(ir.DoubleType(), factor))
        for number, factor in ((diagonal, REDUNDANT), (diagonal, ONLY_CFM), (cfm, TIMES_CFM))
    )
    softness = builder.select(builder.fcmp_ordered("<", softness, share), softness, share)
    return builder.select(builder.fcmp_ordered(">", rounding, softness), rounding, softness)


def _put_rows(builder: Any, columns: list[Numbers], block: Any) -> None:
    """Write the rows of M⁻¹ Jᵀ."""
    values = [column.value for column in columns] + [_zeros()] * (2 * LANES - len(columns))
    near, far = transposed(builder, values[:LANES]), transposed(builder, values[LANES:])
    for r in range(MAX_HARD):
        at = long(RESPONSE + 12 * r)
        store(builder, near[r], block, at)
        store(
            builder, builder.shuffle_vector(far[r], far[r], _lanes([0, 1, 2, 3])), block, builder.add(at, long(LANES))
        )


def _push(builder: Any, block: Any, a: Any, b: Any, impulses: Numbers) -> None:
    """Add M⁻¹ Jᵀ λ of a block to the velocities."""
    factors = [element(builder, impulses.value, r) for r in range(MAX_HARD)]
    _add_responses(builder, block, long(RESPONSE), 12, a, b, factors)


def _add_responses(builder: Any, numbers: Any, first: Any, size: int, a: Any, b: Any, factors: list[Any]) -> None:
    """Add factors times the twelve numbers of rows to the velocities of two bodies, as four and two numbers each: vectors that
    `add6` and `dot_sides` read and write alike, so that loads need not wait for stores.
    """
    for body, side in ((a, 0), (b, 6)):
        for begin, width in ((0, 4), (4, 2)):
            total = load(builder, body, long(VELOCITY + begin), width)
            for r, factor in enumerate(factors):
                response = load(builder, numbers, builder.add(first, long(size * r + side + begin)), width)
                product = builder.fmul(broadcast(builder, factor, width), response, flags=FUSED)
                total = builder.fadd(total, product, flags=FUSED)
            store(builder, total, body, long(VELOCITY + begin))


def _get(builder: Any, block: Any, at: int) -> Numbers:
    return Numbers(builder, load(builder, block, long(at), LANES))


def _put(builder: Any, numbers: Numbers, block: Any, at: int) -> None:
    store(builder, numbers.value, block, long(at))


def _lane(builder: Any, numbers: Numbers, k: int) -> Numbers:
    """Number k in every lane."""
    return Numbers(builder, builder.shuffle_vector(numbers.value, numbers.value, _lanes([k] * LANES)))


def _only(k: int) -> Any:
    """The condition that holds in lane k alone."""
    return ir.Constant(ir.VectorType(ir.IntType(1), LANES), [int(lane == k) for lane in range(LANES)])


def _zeros() -> Any:
    return ir.Constant(doubles(LANES), [0.0] * LANES)
