"""Which boxes of a node of `bvh8.py`, or triangles of a leaf, meet a box or a sphere: vector instructions.

LLVM makes none of loops that do little more than compare. Arguments: the floats of the node or leaf, the box (low, high), or a
point and the squared radius around it. Results: bit k is set if box or triangle k meets it, a triangle with its box.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from opendynamics.core.algebra.lanes import Numbers
from opendynamics.core.algebra.simd import broadcast, data_of, load, long
from opendynamics.core.bodies.triangles.mesh import LEAF
from opendynamics.core.kernels import LazyModule, intrinsic

ir = LazyModule("llvmlite.ir")
types = LazyModule("numba.core.types")

# Boxes of a node.
BRANCHES = 8

Vectors = list[Numbers]


def _box_in_node(builder: Any, data: Any) -> tuple[Vectors, Vectors]:
    """Lowest and highest coordinates of the boxes of a node."""
    sides = [Numbers(builder, load(builder, data, long(BRANCHES * k), BRANCHES)) for k in range(6)]
    return sides[:3], sides[3:]


def _box_in_leaf(builder: Any, data: Any) -> tuple[Vectors, Vectors]:
    """Lowest and highest coordinates of the triangles of a leaf."""
    corners = [Numbers(builder, load(builder, data, long(LEAF * k), LEAF)) for k in range(9)]
    a, b, c = corners[:3], corners[3:6], corners[6:]
    low = [x.minimum(y.minimum(z)) for x, y, z in zip(a, b, c, strict=True)]
    return low, [x.maximum(y.maximum(z)) for x, y, z in zip(a, b, c, strict=True)]


def _misses_box(builder: Any, box: tuple[Vectors, Vectors], low: Vectors, high: Vectors) -> Any:
    """In which lanes a box does not overlap (low, high)."""
    sides = [one > other for one, other in zip((*box[0], *low), (*high, *box[1]), strict=True)]
    missed = sides[0]
    for side in sides[1:]:
        missed = builder.or_(missed, side)
    return missed


def _misses_sphere(builder: Any, box: tuple[Vectors, Vectors], p: Vectors, square: Vectors) -> Any:
    """In which lanes a box is further from p than the root of `square`."""
    zero = square[0] - square[0]
    gaps = [(low - x).maximum(x - high).maximum(zero) for low, high, x in zip(*box, p, strict=True)]
    return (gaps[0] * gaps[0] + gaps[1] * gaps[1] + gaps[2] * gaps[2]) > square[0]


def _test(width: int, box_in: Callable[..., Any], misses: Callable[..., Any]) -> Any:
    """An intrinsic `test(floats, one, other)`; both arguments are vectors or numbers."""

    def made(typingctx: Any, floats: Any, one: Any, other: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            box = box_in(builder, data_of(context, builder, signature, 0, args[0]))
            query = [
                _broadcast(builder, kind, value, width)
                for kind, value in zip(signature.args[1:], args[1:], strict=True)
            ]
            met = builder.not_(misses(builder, box, *query))
            return builder.zext(builder.bitcast(met, ir.IntType(width)), ir.IntType(64))

        return types.int64(floats, one, other), codegen

    return intrinsic(made)


def _broadcast(builder: Any, kind: Any, value: Any, width: int) -> Vectors:
    """The numbers of a vector, or one number, in all lanes."""
    numbers = [builder.extract_value(value, k) for k in range(3)] if isinstance(kind, types.BaseTuple) else [value]
    return [Numbers(builder, broadcast(builder, number, width)) for number in numbers]


boxes_overlapped = _test(BRANCHES, _box_in_node, _misses_box)
boxes_near = _test(BRANCHES, _box_in_node, _misses_sphere)
triangles_overlapped = _test(LEAF, _box_in_leaf, _misses_box)
triangles_near = _test(LEAF, _box_in_leaf, _misses_sphere)
