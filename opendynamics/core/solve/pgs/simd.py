"""The inner loops of the block solver, written as vector instructions: LLVM finds none in blocks as small as these.

A body's acceleration is two vectors of four numbers, linear and angular, the last of each unused. All arrays are
float64; products and sums may become one instruction, in an order that is fixed when this is compiled.
"""

from __future__ import annotations

from typing import Any

from opendynamics.core.algebra.simd import FUSED, broadcast, data_of, element, load, long, store
from opendynamics.core.kernels import LazyModule, intrinsic

ir = LazyModule("llvmlite.ir")
types = LazyModule("numba.core.types")

# Of a contact's record (`contact_block`): columns of J, four numbers each for normal, tangents and none: linear 3, angular of
# body 0 and of body 1 3 each; right-hand sides and CFM, four each; rows of M⁻¹ Jᵀ, four numbers for x, y, z and none:
# directions 3, turns of body 0 and of body 1 3 each; inverse masses, that of body 1 negative.
COLUMNS, RHS, CFM, PUSHES, TURNS0, TURNS1, MASSES = 0, 36, 40, 44, 56, 68, 80


def _at(builder, data, k):
    return builder.gep(data, [long(k)])


def _load(builder, data, k, width=4):
    return load(builder, data, long(k), width)


def _store(builder, value, data, k):
    store(builder, value, data, long(k))


def _multiply_add(builder, total, a, b):
    product = builder.fmul(a, b, flags=FUSED)
    return product if total is None else builder.fadd(total, product, flags=FUSED)


def _sum_columns(builder, data, first, width, factors):
    """Σ column_k factor_k in as many as three sums at a time: the processor waits for each sum's last addition."""
    sums: list[Any] = [None] * 3
    for k, factor in enumerate(factors):
        column = _load(builder, data, first + width * k, width)
        sums[k % 3] = _multiply_add(builder, sums[k % 3], column, broadcast(builder, factor, width))
    total = sums[0]
    for part in sums[1 : len(factors)]:
        total = builder.fadd(total, part, flags=FUSED)
    return total


def _components(builder, data):
    """Six numbers of a body."""
    return [builder.load(_at(builder, data, k)) for k in (0, 1, 2, 4, 5, 6)]


def _residual(builder, own, forces, rhs, cfm, width, motion):
    """rhs - cfm λ - J q."""
    rest = builder.fsub(
        _load(builder, own, rhs, width),
        builder.fmul(_load(builder, own, cfm, width), _load(builder, forces, 0, width), flags=FUSED),
        flags=FUSED,
    )
    return builder.fsub(rest, motion, flags=FUSED)


@intrinsic
def contact_residuals(typingctx, own, forces, a, b):
    """rhs - J q - cfm λ of normal and tangents; for the layout of `own` see `contact_block`."""

    def codegen(context, builder, signature, args):
        own, forces, a, b = (data_of(context, builder, signature, k, args[k]) for k in range(4))
        one, two = _components(builder, a), _components(builder, b)
        along = [builder.fsub(x, y, flags=FUSED) for x, y in zip(one[:3], two[:3], strict=True)]
        motion = _sum_columns(builder, own, COLUMNS, 4, along + one[3:] + two[3:])
        error = _residual(builder, own, forces, RHS, CFM, 4, motion)
        return context.make_tuple(builder, signature.return_type, [element(builder, error, k) for k in range(3)])

    return types.UniTuple(types.float64, 3)(own, forces, a, b), codegen


@intrinsic
def push_contact(typingctx, own, a, b, normal, one, two):
    """Change the bodies' accelerations by a change of the three forces."""

    def codegen(context, builder, signature, args):
        own, a, b = (data_of(context, builder, signature, k, args[k]) for k in range(3))
        changes = [broadcast(builder, change, 4) for change in args[3:]]
        sums = []
        for first in (PUSHES, TURNS0, TURNS1):
            total = None
            for k, change in enumerate(changes):
                total = _multiply_add(builder, total, _load(builder, own, first + 4 * k), change)
            sums.append(total)
        push, turn0, turn1 = sums
        mass0, mass1 = (broadcast(builder, builder.load(_at(builder, own, MASSES + k)), 4) for k in range(2))
        _store(builder, _multiply_add(builder, _load(builder, a, 0), mass0, push), a, 0)
        _store(builder, builder.fadd(_load(builder, a, 4), turn0, flags=FUSED), a, 4)
        _store(builder, _multiply_add(builder, _load(builder, b, 0), mass1, push), b, 0)
        _store(builder, builder.fadd(_load(builder, b, 4), turn1, flags=FUSED), b, 4)
        return context.get_dummy_value()

    number = types.float64
    return types.none(own, a, b, number, number, number), codegen


def lanes(n):
    """Numbers of a vector with one for each of n rows."""
    return 4 if n <= 4 else 8


def joint_relaxer(n):
    """An intrinsic `relax(own, forces, a, b)` for joints of n rows; for the layout of `own` see `joint_block`."""
    width = lanes(n)

    def typer(typingctx, own, forces, a, b):
        def codegen(context, builder, signature, args):
            own, forces, a, b = (data_of(context, builder, signature, k, args[k]) for k in range(4))
            motion = _sum_columns(builder, own, 0, width, _components(builder, a) + _components(builder, b))
            error = _residual(builder, own, forces, 12 * width, 13 * width, width, motion)
            change = _sum_columns(builder, own, 14 * width, width, [element(builder, error, k) for k in range(n)])
            _store(builder, builder.fadd(_load(builder, forces, 0, width), change, flags=FUSED), forces, 0)
            spread = (14 + n) * width
            for body, side in ((a, 0), (b, 8)):
                total = _load(builder, body, 0, 8)
                for k in range(n):
                    factor = broadcast(builder, element(builder, change, k), 8)
                    row = _load(builder, own, spread + 16 * k + side, 8)
                    total = _multiply_add(builder, total, row, factor)
                _store(builder, total, body, 0)
            return context.get_dummy_value()

        return types.none(own, forces, a, b), codegen

    return intrinsic(typer)


@intrinsic
def row_product(typingctx, own, a, b):
    """J q of a row alone, whose Jacobian is laid out as its bodies are."""

    def codegen(context, builder, signature, args):
        own, a, b = (data_of(context, builder, signature, k, args[k]) for k in range(3))
        total = builder.fmul(_load(builder, own, 0, 8), _load(builder, a, 0, 8), flags=FUSED)
        total = _multiply_add(builder, total, _load(builder, own, 8, 8), _load(builder, b, 0, 8))
        while total.type.count > 1:
            half = total.type.count // 2
            places = [ir.Constant(ir.VectorType(ir.IntType(32), half), [k + s for k in range(half)]) for s in (0, half)]
            undefined = ir.Constant(total.type, ir.Undefined)
            low, high = (builder.shuffle_vector(total, undefined, place) for place in places)
            total = builder.fadd(low, high, flags=FUSED)
        return element(builder, total, 0)

    return types.float64(own, a, b), codegen


@intrinsic
def push_row(typingctx, spread, a, b, change):
    """Change the bodies' accelerations by a change of a row's force, by its M⁻¹ Jᵀ, laid out as its bodies are."""

    def codegen(context, builder, signature, args):
        spread, a, b = (data_of(context, builder, signature, k, args[k]) for k in range(3))
        factor = broadcast(builder, args[3], 8)
        for body, side in ((a, 0), (b, 8)):
            total = _multiply_add(builder, _load(builder, body, 0, 8), _load(builder, spread, side, 8), factor)
            _store(builder, total, body, 0)
        return context.get_dummy_value()

    return types.none(spread, a, b, types.float64), codegen
