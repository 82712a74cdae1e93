"""Writes random programs: what calls take is drawn by the names of their arguments, from one seed."""

from __future__ import annotations

import inspect
import math
import random
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from benchmarks.differential.exclusions import FUNCTIONS
from benchmarks.differential.program import Call, Ref
from opendynamics import c_api

# Joint parameters by code, and the values they are drawn from, also beyond their meaningful ranges.
_SPEEDS = (c_api.dParamVel, c_api.dParamLoVel, c_api.dParamHiVel)
_FRACTIONS = (
    *(c_api.dParamFudgeFactor, c_api.dParamBounce, c_api.dParamStopERP),
    *(c_api.dParamSuspensionERP, c_api.dParamERP),
)
_SOFTNESSES = (c_api.dParamCFM, c_api.dParamStopCFM, c_api.dParamSuspensionCFM)
_PARAMETERS: dict[int, Callable[[random.Random], float]] = {
    **dict.fromkeys(_SPEEDS, lambda draw: draw.choice((0.0, draw.gauss(0, 1), draw.gauss(0, 1)))),
    **dict.fromkeys(_FRACTIONS, lambda draw: draw.uniform(-0.1, 1.2)),
    **dict.fromkeys(_SOFTNESSES, lambda draw: 10 ** draw.uniform(-6, -1)),
    c_api.dParamFMax: lambda draw: draw.choice((draw.uniform(-1, 20), 10 ** draw.uniform(1, 4))),
}
STOPS = (c_api.dParamLoStop, c_api.dParamHiStop)
_BY_NAME: dict[str, Callable[[random.Random], Any]] = {
    "anum": lambda draw: draw.randrange(3),
    "rel": lambda draw: draw.randrange(3),
    "num": lambda draw: draw.randrange(4),
    "angle": lambda draw: draw.uniform(-1, 1),
    "offset1": lambda draw: draw.uniform(-1, 1),
    "offset2": lambda draw: draw.uniform(-1, 1),
    "dist": lambda draw: draw.uniform(0.1, 2),
    "ratio": lambda draw: draw.uniform(0.3, 3),
    "radius": lambda draw: draw.uniform(0.1, 1),
    "backlash": lambda draw: draw.choice((0.0, 0.01)),
    "mode": lambda draw: draw.randrange(2),
    "index": lambda draw: draw.randrange(3),
    "i": lambda draw: draw.randrange(6),
}


class Writer:
    """A program that grows, and the dice.

    Attributes:
        calls: the program.
        draw: the random numbers.
    """

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)
        self.calls: list[Call] = []

    def call(self, name: str, *arguments: Any) -> Ref:
        """Add a call."""
        self.calls.append(Call(len(self.calls), name, arguments))
        return Ref(len(self.calls) - 1)

    def chance(self, part: float) -> bool:
        """True in this part of all cases."""
        return self.draw.random() < part

    def number(self, low: float, high: float) -> float:
        """A number of few digits, so that programs can be read."""
        return round(self.draw.uniform(low, high), 3)

    def vector(self, reach: float = 1.0) -> tuple[float, float, float]:
        """Three normal numbers."""
        x, y, z = (round(self.draw.gauss(0.0, reach), 3) for _ in range(3))
        return x, y, z

    def unit(self, count: int = 3, aligned: float = 0.0) -> tuple[float, ...]:
        """A unit vector, or a unit quaternion; in the part `aligned` of all cases along an axis or halfway between axes."""
        some = self.chance(aligned)
        numbers = [float(self.draw.choice((0, 0, 1, -1)) if some else self.draw.gauss(0.0, 1.0)) for _ in range(count)]
        numbers[0] = numbers[0] if any(numbers) else 1.0
        length = math.sqrt(sum(x * x for x in numbers))
        return tuple(x / length for x in numbers)

    def turn(self) -> tuple[float, ...]:
        """A unit quaternion, which may be aligned with the axes."""
        return self.unit(4, aligned=0.2)

    def rotation(self) -> tuple[float, ...]:
        """A rotation as 12 numbers."""
        return tuple(map(float, c_api.dRfromQ(self.turn())))

    def settings(self, table: dict[str, Callable[[Writer], tuple[Any, ...]]], part: float, *first: Any) -> None:
        """Some calls of a table, in any order."""
        names = [name for name in table if self.chance(part)]
        self.draw.shuffle(names)
        for name in names:
            self.call(name, *first, *table[name](self))

    def arguments(self, name: str, *, alone: bool = False) -> list[Any]:
        """Arguments for a function by their names, but for the first; axes of a joint of one body have length one."""
        names = list(inspect.signature(getattr(c_api, name)).parameters)[1:]
        if names == ["parameter", "value"]:
            return list(self._parameter())
        if names == ["parameter"]:
            return [self.draw.choice(list(_PARAMETERS)) + 0x100 * self.draw.randrange(3)]
        if "Axis" in name and names[-3:] == ["x", "y", "z"]:
            return [*(_BY_NAME[other](self.draw) for other in names[:-3]), *self._axis(alone)]
        if names == ["axis1", "axis2"]:
            return [self.unit(), self.unit()]
        return [_BY_NAME.get(other, lambda draw: round(draw.gauss(0, 1), 3))(self.draw) for other in names]

    def _axis(self, alone: bool) -> tuple[float, ...]:
        length = 1.0 if alone else self.draw.uniform(0.5, 2)
        return tuple(length * x for x in self.unit())

    def _parameter(self) -> tuple[int, float]:
        code = self.draw.choice(list(_PARAMETERS))
        return code + 0x100 * self.draw.randrange(3), _PARAMETERS[code](self.draw)


def functions(prefix: str, *, but: Iterable[str] = ()) -> list[str]:
    """Names of `c_api` that begin so and are in no list of exclusions."""
    left_out = {*FUNCTIONS, *but}
    return [
        name
        for name in sorted(vars(c_api))
        if name.startswith(prefix) and name not in left_out and inspect.isfunction(getattr(c_api, name))
    ]


def array(values: Any, dtype: Any = np.float64) -> Any:
    """An array as the library takes it."""
    return np.ascontiguousarray(values, dtype)
