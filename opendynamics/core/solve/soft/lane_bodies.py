"""The two bodies of each of eight lanes: gathered, given impulses, and scattered. Records that lanes are filled from.

Used by the kernels of `contact_lanes`, `ball_lanes` and `axis_lanes`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from opendynamics.core.algebra.lanes import (
    LANES,
    Memory,
    Numbers,
    Registers,
    cross,
    dot,
    minus,
    plus,
    transposed,
)
from opendynamics.core.algebra.simd import doubles, long
from opendynamics.core.kernels import LazyModule
from opendynamics.core.solve.soft.plan.layout import BODY, INVERSE_MASS, TENSOR

ir = LazyModule("llvmlite.ir")


class Bodies:
    """Records of the bodies of eight lanes, transposed: `bodies.numbers` are those of a record."""

    def __init__(self, builder: Any, bodies: Any, slots: Any) -> None:
        self._builder = builder
        self._records = []
        for lane in range(LANES):
            slot = builder.load(builder.gep(slots, [long(lane)]))
            record = builder.gep(bodies, [builder.mul(slot, ir.Constant(slot.type, BODY))])
            self._records.append(builder.bitcast(record, doubles(LANES).as_pointer()))
        self.numbers = [Numbers(builder, each) for half in range(BODY // LANES) for each in self._half(half)]

    def _half(self, half: int) -> list[Any]:
        one = long(half)
        return transposed(
            self._builder, [self._builder.load(self._builder.gep(at, [one]), align=8) for at in self._records]
        )

    def store(self, speeds: list[Numbers]) -> None:
        """Write the first numbers of the records back."""
        first = [*speeds, *self.numbers[len(speeds) : LANES]]
        for at, record in zip(self._records, transposed(self._builder, [each.value for each in first]), strict=True):
            self._builder.store(record, at, align=8)


class Pair:
    """Bodies a and b of each lane: `one` and `other` as they were gathered, `speeds` as they are now."""

    def __init__(self, builder: Any, bodies: Any, near: Any, far: Any) -> None:
        self.one, self.other = Bodies(builder, bodies, near), Bodies(builder, bodies, far)
        self.speeds = Registers(builder, self.one.numbers[:6] + self.other.numbers[:6])

    def velocity(self, r: Any, q: Any) -> tuple[Numbers, Numbers, Numbers]:
        """Relative velocity of the ends of the arms r of a and q of b."""
        v, w = self.speeds.three(0), self.speeds.three(3)
        v1, w1 = self.speeds.three(6), self.speeds.three(9)
        return minus(plus(v, cross(w, r)), plus(v1, cross(w1, q)))

    def spin(self) -> tuple[Numbers, Numbers, Numbers]:
        """Relative angular velocity."""
        return minus(self.speeds.three(3), self.speeds.three(9))

    def push(self, inertias: Memory, k: int, r: Any, q: Any, impulse: Any, torque: Any = None) -> None:
        """Apply impulses to a at r, and the opposite ones to b at q; their inverse inertias are at number k.

        `torque`: angular impulses to a, and the opposite ones to b.
        """
        near, far = self.one.numbers[INVERSE_MASS], self.other.numbers[INVERSE_MASS]
        turn, turn1 = cross(r, impulse), cross(q, impulse)
        if torque is not None:
            turn, turn1 = plus(turn, torque), plus(turn1, torque)
        spin, spin1 = turned(inertias, k, turn), turned(inertias, k + 6, turn1)
        for i in range(3):
            self.speeds[i] = self.speeds[i] + near * impulse[i]
            self.speeds[3 + i] = self.speeds[3 + i] + spin[i]
            self.speeds[6 + i] = self.speeds[6 + i] - far * impulse[i]
            self.speeds[9 + i] = self.speeds[9 + i] - spin1[i]

    def turn(self, inertias: Memory, k: int, torque: Any) -> None:
        """Apply angular impulses to a, and the opposite ones to b."""
        spin, spin1 = turned(inertias, k, torque), turned(inertias, k + 6, torque)
        for i in range(3):
            self.speeds[3 + i] = self.speeds[3 + i] + spin[i]
            self.speeds[9 + i] = self.speeds[9 + i] - spin1[i]

    def store(self) -> None:
        """Write the velocities back."""
        self.one.store([self.speeds[k] for k in range(6)])
        self.other.store([self.speeds[6 + k] for k in range(6)])


def gathered(builder: Any, records: list[Any], places: list[Any], there: list[Any]) -> list[Numbers]:
    """Eight numbers of each record, float32, from a place on; zeros of those that are not there."""
    kind, rows = ir.VectorType(ir.FloatType(), LANES), []
    for record, place, known in zip(records, places, there, strict=True):
        at = builder.bitcast(builder.gep(record, [place]), kind.as_pointer())
        rows.append(builder.select(known, builder.load(at, align=4), ir.Constant(kind, [0.0] * LANES)))
    return [Numbers(builder, builder.fpext(each, doubles(LANES))) for each in transposed(builder, rows)]


def drafts_in(builder: Any, drafts: Any, lanes: Any, size: int) -> list[Numbers]:
    """The drafts, of `size` numbers, of the items in the lanes of a group; zeros in lanes that are empty."""
    items = [builder.load(builder.gep(lanes, [long(lane)])) for lane in range(LANES)]
    there = [builder.icmp_signed(">=", item, long(0)) for item in items]
    known = [builder.select(each, item, long(0)) for each, item in zip(there, items, strict=True)]
    numbers = []
    for part in range(0, size, LANES):
        places = [builder.add(builder.mul(item, long(size)), long(part)) for item in known]
        numbers += gathered(builder, [drafts] * LANES, places, there)
    return numbers


def tensors_of(builder: Any, tensors: Any, slots: Any) -> list[Numbers]:
    """Inverse inertia and inverse mass of a body in each lane."""
    yes = ir.Constant(ir.IntType(1), 1)
    places = [builder.mul(builder.load(builder.gep(slots, [long(lane)])), long(TENSOR)) for lane in range(LANES)]
    return gathered(builder, [tensors] * LANES, places, [yes] * LANES)


def turned(tensor: Memory, k: int, x: Any) -> tuple[Numbers, Numbers, Numbers]:
    """Product of the symmetric matrix (xx xy xz yy yz zz) at number k with a vector, in each lane."""
    return symmetric_times([tensor[k + i] for i in range(6)], x)


def symmetric_times(tensor: Sequence[Numbers], x: Any) -> tuple[Numbers, Numbers, Numbers]:
    """Product of a symmetric matrix (xx xy xz yy yz zz) with a vector, in each lane."""
    xx, xy, xz, yy, yz, zz = tensor[:6]
    return dot((xx, xy, xz), x), dot((xy, yy, yz), x), dot((xz, yz, zz), x)
