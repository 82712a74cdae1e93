"""Programs of calls to ODE's functions, run alike on this engine and on libode, with their results compared.

A program is data: calls by name, with numbers, arrays and references to the results of earlier calls. Calls whose references are
missing are left out, so that any part of a program is a program (`shrinking.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.differential.contacts import collide, read_feedback, touch

TOLERANCE = 1e-9  # of numbers, relative to the largest of an array where that is above 1
# Forces of constraints that share what they hold are less exact than their sum; the box of a cylinder has the square root of
# what rounding leaves of 1 - x².
_TOLERANCES = {"read_feedback": 1e-7, "dGeomGetAABB": 1e-7}
_POINTERS = 1 << 40  # IDs of libode are addresses, above all small numbers


@dataclass(frozen=True)
class Ref:
    """The result of the call with this number."""

    number: int

    def __repr__(self) -> str:
        return f"v{self.number}"


@dataclass(frozen=True)
class Call:
    """A call; its number names its result."""

    number: int
    name: str
    arguments: tuple[Any, ...]

    def __repr__(self) -> str:
        return f"v{self.number} = {self.name}({', '.join(map(repr, self.arguments))})"


@dataclass(frozen=True)
class Raised:
    """The exception that a call raised instead of returning."""

    text: str


class Left:
    """A call that was left out."""


_SPECIAL = {"collide": collide, "read_feedback": read_feedback, "touch": touch}


class Machine:
    """Runs calls on one engine: `c_api` or a LibOde."""

    def __init__(self, ode: Any) -> None:
        self.ode = ode
        self.results: dict[int, Any] = {}
        self.numbers: dict[int, int] = {}  # of IDs
        self.worlds: list[Any] = []

    def run(self, program: Sequence[Call]) -> Iterator[tuple[Call, Any]]:
        """Each call with its result, in which IDs are references."""
        for call in program:
            yield call, self.do(call)

    def do(self, call: Call) -> Any:
        """Make a call; its result, or Raised, or Left."""
        try:
            arguments = [self._resolved(argument) for argument in call.arguments]
        except KeyError:
            return Left
        try:
            special = _SPECIAL.get(call.name)
            result = special(self, *arguments) if special else getattr(self.ode, call.name)(*arguments)
        except (ValueError, TypeError, RuntimeError) as error:
            return Raised(f"{type(error).__name__}: {error}")
        self.results[call.number] = result
        if call.name == "dWorldCreate":
            self.worlds.append(result)
        if self._is_id(result):
            if "Create" in call.name:  # maybe where a destroyed object was
                self.numbers[_key(result)] = call.number
            self.numbers.setdefault(_key(result), call.number)
        return self.seen(result)

    def number_of(self, result: Any) -> int:
        """The call that made an object, -1 if none did."""
        return self.numbers.get(_key(result), -1)

    def close(self) -> None:
        """Destroy the worlds that the program made."""
        for world in self.worlds:
            self.ode.dWorldDestroy(world)

    def _resolved(self, argument: Any) -> Any:
        if isinstance(argument, Ref):
            return self.results[argument.number]
        if isinstance(argument, tuple) and any(isinstance(part, Ref) for part in argument):
            return tuple(map(self._resolved, argument))
        return argument

    def _is_id(self, result: Any) -> bool:
        if isinstance(result, int):
            return result > _POINTERS and result != (1 << 64) - 1
        return not isinstance(result, (float, str, list, tuple, np.ndarray, np.generic)) and result is not None

    def seen(self, result: Any) -> Any:
        """A result as it is compared."""
        if hasattr(result, "mass") and hasattr(result, "I"):  # dMass
            return (result.mass, np.array(result.c[:3]), np.array(result.I[:12]))
        if isinstance(result, (list, tuple)):
            return tuple(map(self.seen, result))
        if isinstance(result, (float, np.ndarray, np.generic, str)) or result is None:
            return result
        if self._is_id(result):
            return Ref(self.number_of(result))
        return result


def _key(result: Any) -> int:
    """An ID of libode is its address; our objects are kept by `results`, so that theirs stay theirs."""
    return result if isinstance(result, int) else id(result)


def difference(call: Call, ours: Any, theirs: Any) -> str:
    """The difference between two results of a call; "" if they agree."""
    return _difference(ours, theirs, _TOLERANCES.get(call.name, TOLERANCE))


def _difference(ours: Any, theirs: Any, tolerance: float) -> str:
    if ours is Left or theirs is Left:
        return "" if ours is theirs else "one engine lacks what the call needs"
    if isinstance(ours, tuple) and isinstance(theirs, tuple):
        if len(ours) != len(theirs):
            return f"{len(ours)} != {len(theirs)} parts: {ours!r} != {theirs!r}"
        found = (_difference(*pair, tolerance) for pair in zip(ours, theirs, strict=True))
        return next((text for text in found if text), "")
    if isinstance(ours, (float, np.ndarray)) or isinstance(theirs, (float, np.ndarray)):
        return _difference_of_numbers(np.asarray(ours, np.float64), np.asarray(theirs, np.float64), tolerance)
    return "" if ours == theirs else f"{ours!r} != {theirs!r}"


def _difference_of_numbers(ours: Any, theirs: Any, tolerance: float) -> str:
    if ours.shape != theirs.shape:
        return f"{ours} != {theirs}"
    with np.errstate(invalid="ignore"):
        finite = theirs[np.isfinite(theirs)]
        allowed = tolerance * max(1.0, float(abs(finite).max(initial=0.0)))
        same = (ours == theirs) | (abs(ours - theirs) <= allowed) | (np.isnan(ours) & np.isnan(theirs))
    return "" if same.all() else f"{ours} != {theirs}"
