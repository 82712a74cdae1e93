"""Eight lanes at a time, as explicit vector instructions: intermediate results stay in registers.

LLVM vectorizes loops over the lanes as well, but one loop at a time: between them, everything would go through memory. Here a
kernel is a Python function over `Numbers`, vectors of eight float64, which runs at compile time. Products and sums may be fused
(FMA).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from opendynamics.core.algebra.simd import FUSED, broadcast, doubles, load, long, store
from opendynamics.core.kernels import LazyModule, intrinsic

ir = LazyModule("llvmlite.ir")
types = LazyModule("numba.core.types")
cgutils = LazyModule("numba.core.cgutils")
arrayobj = LazyModule("numba.np.arrayobj")

# Lanes of a vector: as many as a register of AVX-512 holds.
LANES = 8


class Numbers:
    """One float64 per lane, of eight lanes; Python numbers are broadcast."""

    def __init__(self, builder: Any, value: Any) -> None:
        self.builder = builder
        self.value = value

    def _of(self, other: Any) -> Any:
        return other.value if isinstance(other, Numbers) else ir.Constant(self.value.type, [float(other)] * LANES)

    def _made(self, value: Any) -> Numbers:
        return Numbers(self.builder, value)

    def __add__(self, other: Any) -> Numbers:
        return self._made(self.builder.fadd(self.value, self._of(other), flags=FUSED))

    def __sub__(self, other: Any) -> Numbers:
        return self._made(self.builder.fsub(self.value, self._of(other), flags=FUSED))

    def __mul__(self, other: Any) -> Numbers:
        return self._made(self.builder.fmul(self.value, self._of(other), flags=FUSED))

    def __truediv__(self, other: Any) -> Numbers:
        return self._made(self.builder.fdiv(self.value, self._of(other), flags=FUSED))

    def __rtruediv__(self, other: float) -> Numbers:
        return self.broadcast(other) / self

    def __neg__(self) -> Numbers:
        return self._made(self.builder.fneg(self.value))

    def __gt__(self, other: Any) -> Any:
        """A condition, for `where`."""
        return self.builder.fcmp_ordered(">", self.value, self._of(other))

    def broadcast(self, number: float) -> Numbers:
        """Broadcast a Python number."""
        return self._made(self._of(number))

    def where(self, condition: Any, other: Any) -> Numbers:
        """Select these where the condition holds, the others elsewhere."""
        return self._made(self.builder.select(condition, self.value, self._of(other)))

    def maximum(self, other: Any) -> Numbers:
        """Maximum of both; NaN in these lanes is kept."""
        less = self.builder.fcmp_ordered("<", self.value, self._of(other))
        return self._made(self.builder.select(less, self._of(other), self.value))

    def minimum(self, other: Any) -> Numbers:
        """Minimum of both; NaN in these lanes is kept."""
        return self._made(self.builder.select(self > other, self._of(other), self.value))

    def clip(self, low: Any, high: Any) -> Numbers:
        """Bounded by `low` and `high`; `high` where they contradict each other."""
        return self.maximum(low).minimum(high)

    def __abs__(self) -> Numbers:
        """The absolute value."""
        return self.maximum(-self)

    def sqrt(self) -> Numbers:
        """The square root."""
        kind = ir.FunctionType(self.value.type, [self.value.type])
        function = cgutils.get_or_insert_function(self.builder.module, kind, f"llvm.sqrt.v{LANES}f64")
        return self._made(self.builder.call(function, [self.value]))


class Memory:
    """Numbers of eight lanes in memory, float32 or float64: `memory[k]` is number k of each."""

    def __init__(self, builder: Any, pointer: Any) -> None:
        self.builder = builder
        self.pointer = pointer
        self.single = isinstance(pointer.type.pointee, ir.FloatType)

    def _address(self, k: int) -> Any:
        pointer = self.builder.gep(self.pointer, [long(LANES * k)])
        return self.builder.bitcast(pointer, ir.VectorType(self.pointer.type.pointee, LANES).as_pointer())

    def __getitem__(self, k: int) -> Numbers:
        value = self.builder.load(self._address(k), align=4 if self.single else 8)
        return Numbers(self.builder, self.builder.fpext(value, doubles(LANES)) if self.single else value)

    def __setitem__(self, k: int, numbers: Numbers) -> None:
        value = numbers.value
        if self.single:
            value = self.builder.fptrunc(value, ir.VectorType(ir.FloatType(), LANES))
        self.builder.store(value, self._address(k), align=4 if self.single else 8)

    def three(self, k: int) -> tuple[Numbers, Numbers, Numbers]:
        """Numbers k to k + 2, a vector of each lane."""
        return self[k], self[k + 1], self[k + 2]

    def moved(self, n: Any, size: Any) -> Memory:
        """Record n of contiguous records of `size` numbers."""
        lanes = long(LANES * size) if isinstance(size, int) else self.builder.mul(size, long(LANES))
        return Memory(self.builder, self.builder.gep(self.pointer, [self.builder.mul(n, lanes)]))


class Records:
    """A record of float64 numbers in each lane, of an array of records: `read` and `write` them from number `first` on."""

    def __init__(self, builder: Any, data: Any, places: list[Any]) -> None:
        self._builder = builder
        kind = ir.DoubleType().as_pointer()
        self._records = [builder.bitcast(builder.gep(data, [place]), kind) for place in places]

    def read(self, first: int, count: int = LANES) -> list[Numbers]:
        """`count` numbers of each record."""
        size, builder = min(count, LANES), self._builder
        rows = [load(builder, record, long(first), size) for record in self._records]
        if size < LANES:
            undefined, places = ir.Constant(doubles(size), ir.Undefined), [min(k, size) for k in range(LANES)]
            rows = [builder.shuffle_vector(row, undefined, _places(places)) for row in rows]
        numbers = [Numbers(builder, each) for each in transposed(builder, rows)[:size]]
        return numbers + self.read(first + size, count - size) if count > size else numbers

    def write(self, first: int, numbers: Sequence[Numbers]) -> None:
        """Write the numbers to each record."""
        size, builder = min(len(numbers), LANES), self._builder
        given = [each.value for each in numbers[:size]]
        rows = transposed(builder, given + [ir.Constant(doubles(LANES), ir.Undefined)] * (LANES - size))
        for record, row in zip(self._records, rows, strict=True):
            part = row if size == LANES else builder.shuffle_vector(row, row, _places(list(range(size))))
            store(builder, part, record, long(first))
        if len(numbers) > size:
            self.write(first + size, numbers[size:])


class Registers:
    """Variables of a loop: LLVM keeps them in registers as far as there are any."""

    def __init__(self, builder: Any, numbers: list[Numbers]) -> None:
        self._builder = builder
        self._places = [cgutils.alloca_once_value(builder, each.value) for each in numbers]

    def __getitem__(self, k: int) -> Numbers:
        return Numbers(self._builder, self._builder.load(self._places[k]))

    def __setitem__(self, k: int, numbers: Numbers) -> None:
        self._builder.store(numbers.value, self._places[k])

    def three(self, k: int) -> tuple[Numbers, Numbers, Numbers]:
        """Numbers k to k + 2, a vector of each lane."""
        return self[k], self[k + 1], self[k + 2]


def in_any_lane(builder: Any, condition: Any) -> Any:
    """Whether a condition holds in any lane, as a condition of a branch."""
    bits = builder.bitcast(condition, ir.IntType(LANES))
    return builder.icmp_unsigned("!=", bits, ir.Constant(bits.type, 0))


def dot(x: Any, y: Any) -> Numbers:
    """Dot product of two vectors per lane."""
    total: Numbers = x[0] * y[0] + x[1] * y[1] + x[2] * y[2]
    return total


def cross(x: Any, y: Any) -> tuple[Numbers, Numbers, Numbers]:
    """Cross product of two vectors per lane."""
    return x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]


def plus(x: Any, y: Any) -> tuple[Numbers, Numbers, Numbers]:
    """Sum of two vectors of each lane."""
    return x[0] + y[0], x[1] + y[1], x[2] + y[2]


def minus(x: Any, y: Any) -> tuple[Numbers, Numbers, Numbers]:
    """Difference of two vectors of each lane."""
    return x[0] - y[0], x[1] - y[1], x[2] - y[2]


def times(matrix: Any, v: Any) -> tuple[Numbers, Numbers, Numbers]:
    """Product of a matrix, row by row, and a vector."""
    return dot(matrix[:3], v), dot(matrix[3:6], v), dot(matrix[6:], v)


def symmetric_inverse(matrix: Sequence[Numbers]) -> list[Numbers]:
    """The inverse of a symmetric matrix (xx xy xz yy yz zz); zero where its determinant is not positive."""
    xx, xy, xz, yy, yz, zz = matrix
    cofactors = yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy
    determinant = dot((xx, xy, xz), cofactors)
    nothing = determinant.broadcast(0.0)
    over = (nothing + 1.0) / determinant
    over = over.where(determinant > 0.0, nothing)
    return [each * over for each in (*cofactors, xx * zz - xz * xz, xy * xz - xx * yz, xx * yy - xy * xy)]


def select(condition: Any, these: Sequence[Numbers], others: Sequence[Numbers]) -> list[Numbers]:
    """These numbers where the condition holds, the others elsewhere."""
    return [each.where(condition, other) for each, other in zip(these, others, strict=True)]


def equal(builder: Any, one: Numbers, other: Numbers) -> Any:
    """In which lanes two numbers are equal."""
    return builder.fcmp_ordered("==", one.value, other.value)


def has_bit(builder: Any, flags: Numbers, bit: int) -> Any:
    """In which lanes a number's first 32 bits, which are flags, have a bit."""
    kind = ir.VectorType(ir.IntType(64), LANES)
    bits = builder.and_(builder.bitcast(flags.value, kind), ir.Constant(kind, [bit] * LANES))
    return builder.icmp_unsigned("!=", bits, ir.Constant(kind, [0] * LANES))


def transposed(builder: Any, rows: list[Any]) -> list[Any]:
    """Transpose of eight vectors of eight numbers: swaps off-diagonal blocks of one, two and four numbers."""
    for size in (1, 2, 4):
        low = [k if not k & size else LANES + k - size for k in range(LANES)]
        high = [k + size if not k & size else LANES + k for k in range(LANES)]
        changed = list(rows)
        for k in range(LANES):
            if not k & size:
                changed[k] = builder.shuffle_vector(rows[k], rows[k + size], _places(low))
                changed[k + size] = builder.shuffle_vector(rows[k], rows[k + size], _places(high))
        rows = changed
    return rows


@contextmanager
def repeat(builder: Any, count: Any, first: Any = None) -> Iterator[Any]:
    """A loop up to `count`, from 0 or `first`: `with repeat(builder, count) as k`."""
    start = long(0) if first is None else first
    with cgutils.for_range_slice(builder, start, count, ir.Constant(count.type, 1), count.type) as (k, _):
        yield k


def lane_kernel(of_all: tuple[str, ...] = ()) -> Callable[[Callable[..., None]], Any]:
    """Decorator for intrinsics that process the eight lanes of a group.

    The function `define(builder, *arguments)` gets the memory of the lanes, pointers to integers and to the arrays that `of_all`
    names, which are of all groups, integers unchanged, and other numbers broadcast.
    """

    def decorate(define: Callable[..., None]) -> Any:
        names = define.__code__.co_varnames[1 : define.__code__.co_argcount]

        def typer(typingctx: Any, *arguments: Any) -> Any:
            def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
                given = zip(names, arguments, args, strict=True)
                define(builder, *(_given(context, builder, kind, value, name in of_all) for name, kind, value in given))
                return context.get_dummy_value()

            return types.void(*arguments), codegen

        scope: dict[str, Any] = {"typer": typer}
        text = ", ".join(names)
        exec(f"def {define.__name__}(typingctx, {text}):\n    return typer(typingctx, {text})", scope)
        made = scope[define.__name__]
        made.__doc__ = define.__doc__
        return intrinsic(made)

    return decorate


def _given(context: Any, builder: Any, kind: Any, value: Any, of_all: bool) -> Any:
    """Convert an argument for `define`."""
    if isinstance(kind, types.Array):
        data = arrayobj.make_array(kind)(context, builder, value).data
        return data if of_all or isinstance(kind.dtype, types.Integer) else Memory(builder, data)
    if isinstance(kind, types.Integer):
        return value
    return Numbers(builder, broadcast(builder, value, LANES))


def _places(places: list[int]) -> Any:
    return ir.Constant(ir.VectorType(ir.IntType(32), len(places)), places)
