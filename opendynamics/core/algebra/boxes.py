"""Axis-aligned boxes (x min, x max, y min, y max, z min, z max), as vector instructions. They are float64 arrays or tuples."""

from __future__ import annotations

from typing import Any

from opendynamics.core.algebra.simd import data_of, doubles, load, long
from opendynamics.core.kernels import LazyModule, intrinsic

ir = LazyModule("llvmlite.ir")
types = LazyModule("numba.core.types")


@intrinsic
def are_apart(typingctx, one, other):
    """Whether two boxes do not intersect."""

    def codegen(context, builder, signature, args):
        x, y = (_numbers(context, builder, signature, k, args[k]) for k in range(2))
        opposite = builder.shuffle_vector(y, y, ir.Constant(ir.VectorType(ir.IntType(32), 6), [1, 0, 3, 2, 5, 4]))
        is_lower = ir.Constant(ir.VectorType(ir.IntType(1), 6), [1, 0, 1, 0, 1, 0])
        above, below = builder.fcmp_ordered(">", x, opposite), builder.fcmp_ordered("<", x, opposite)
        bits = builder.bitcast(builder.select(is_lower, above, below), ir.IntType(6))
        return builder.icmp_unsigned("!=", bits, ir.Constant(ir.IntType(6), 0))

    return types.boolean(one, other), codegen


def _numbers(context: Any, builder: Any, signature: Any, k: int, box: Any) -> Any:
    """The six numbers of argument k."""
    if isinstance(signature.args[k], types.BaseTuple):
        vector = ir.Constant(doubles(6), ir.Undefined)
        for place in range(6):
            number = builder.extract_value(box, place)
            vector = builder.insert_element(vector, number, ir.Constant(ir.IntType(32), place))
        return vector
    return load(builder, data_of(context, builder, signature, k, box), long(0), 6)
