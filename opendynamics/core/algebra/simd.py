"""Vectors of float64 in registers, for intrinsics that write vector instructions: load, store, broadcast.

The functions build LLVM code when an intrinsic is compiled. Arrays are given by the pointer to their data.
"""

from __future__ import annotations

from typing import Any

from opendynamics.core.kernels import LazyModule

ir = LazyModule("llvmlite.ir")
arrayobj = LazyModule("numba.np.arrayobj")

# A product and a sum may become one instruction.
FUSED = ("contract",)


def data_of(context: Any, builder: Any, signature: Any, k: int, array: Any) -> Any:
    """Pointer to the data of argument k, an array."""
    return arrayobj.make_array(signature.args[k])(context, builder, array).data


def long(number: int) -> Any:
    """A constant of 64 bits."""
    return ir.Constant(ir.IntType(64), number)


def doubles(width: int) -> Any:
    """Type of a vector of `width` float64."""
    return ir.VectorType(ir.DoubleType(), width)


def load(builder: Any, data: Any, at: Any, width: int) -> Any:
    """The `width` numbers from `at` on."""
    return builder.load(builder.bitcast(builder.gep(data, [at]), doubles(width).as_pointer()), align=8)


def store(builder: Any, value: Any, data: Any, at: Any) -> None:
    """Write a vector's numbers from `at` on."""
    builder.store(value, builder.bitcast(builder.gep(data, [at]), value.type.as_pointer()), align=8)


def broadcast(builder: Any, number: Any, width: int) -> Any:
    """A vector with `number`, of any type, in every place."""
    undefined = ir.Constant(ir.VectorType(number.type, width), ir.Undefined)
    one = builder.insert_element(undefined, number, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(one, undefined, ir.Constant(ir.VectorType(ir.IntType(32), width), [0] * width))


def element(builder: Any, vector: Any, k: int) -> Any:
    """Number k of a vector."""
    return builder.extract_element(vector, ir.Constant(ir.IntType(32), k))
