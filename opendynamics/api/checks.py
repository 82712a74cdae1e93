"""Checks of arguments. Each raises before anything has changed, and names the object, the value and the remedy."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from opendynamics.api.warning import warn

Vector = npt.NDArray[np.float64]

# Counts are stored in 32 bits.
MOST = (1 << 31) - 1

# Category and collide bits of a geom that collides with everything.
ALL_BITS = (1 << 64) - 1

# Types that are numbers without a further check.
_PLAIN = {float, np.float64}
_REAL = {float, int}

# Whether numbers outside their meaningful range are accepted, as in ODE.
_BEYOND_BOUNDS: ContextVar[bool] = ContextVar("beyond bounds", default=False)

# Smallest masses and moments whose inverse does not overflow.
MAX_INVERSE = 1e300

# Error of the product of a rotation matrix with its transpose that comes from rounding.
ROUNDING = 1e-14

# m; fifth powers of coordinates, in moments of inertia, fit a float.
FURTHEST = 1e60


def require_name(what: str, name: Any) -> None:
    """TypeError unless it is a name, or None."""
    if name is not None and not isinstance(name, str):
        raise TypeError(f"{what} must be a string or None, not {name!r}")


class DestroyedError(ReferenceError, ValueError):
    """An object was used after it, or its world, had been destroyed."""


def finite(what: str, value: Any) -> float:
    """`value` as a finite float."""
    if type(value) is float and math.isfinite(value):
        return value
    number = _number(what, value)
    if not math.isfinite(number):
        raise ValueError(f"{what} must be finite, not {number}")
    return number


def number(what: str, value: Any) -> float:
    """`value` as a float that may be infinite but is a number."""
    if type(value) is float and not math.isnan(value):
        return value
    result = _number(what, value)
    if math.isnan(result):
        raise ValueError(f"{what} must be a number, not nan")
    return result


def positive(what: str, value: Any, *, infinite: bool = False, remedy: str = "") -> float:
    """`value` as a float above zero; `remedy` ends the message if it is not."""
    result = number(what, value) if infinite else finite(what, value)
    if result <= 0.0:
        raise ValueError(f"{what} must be greater than 0, not {result}{remedy}")
    return result


def mass(what: str, value: Any) -> float:
    """`value` as a mass, kg."""
    return positive(
        what, value, remedy="; something that never moves is a geom without a body: world.add_geom(od.Box((1, 1, 1)))"
    )


def not_negative(what: str, value: Any, *, infinite: bool = False) -> float:
    """`value` as a float of at least zero, or any within `beyond_bounds`."""
    result = number(what, value) if infinite else finite(what, value)
    if result < 0.0 and not _BEYOND_BOUNDS.get():
        raise ValueError(f"{what} must be at least 0, not {result}")
    return result


not_negative_or_infinite = partial(not_negative, infinite=True)


def fraction(what: str, value: Any) -> float:
    """`value` as a float in [0, 1], or any finite one within `beyond_bounds`."""
    result = finite(what, value)
    if not (0.0 <= result <= 1.0 or _BEYOND_BOUNDS.get()):
        raise ValueError(f"{what} must be between 0 and 1, not {result}")
    return result


def usual(what: str, value: Any, low: float = 0.0, high: float = math.inf) -> float:
    """`value` as a finite float; warns if it is outside the meaningful range [low, high], unless within `beyond_bounds`."""
    result = finite(what, value)
    if not (low <= result <= high or _BEYOND_BOUNDS.get()):
        bounds = f"at least {low:g}" if high == math.inf else f"between {low:g} and {high:g}"
        warn(f"{what} is {result}, but should be {bounds}: the motion will make no sense", UserWarning)
    return result


usual_fraction = partial(usual, high=1.0)


@contextmanager
def beyond_bounds() -> Iterator[None]:
    """Accept numbers outside their meaningful range, such as a negative ERP, CFM or damping, silently, as ODE does."""
    token = _BEYOND_BOUNDS.set(True)
    try:
        yield
    finally:
        _BEYOND_BOUNDS.reset(token)


def flag(what: str, value: Any) -> bool:
    """`value` as True or False; integers are accepted as in C."""
    if not isinstance(value, (bool, int, np.bool_, np.integer)):
        raise TypeError(f"{what} must be True or False, not {value!r}")
    return bool(value)


def choice(what: str, value: Any, choices: Sequence[str]) -> int:
    """`value` as one of the `choices`."""
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{what} must be one of {', '.join(map(repr, choices))}, not {value!r}")
    return choices.index(value)


def count(what: str, value: Any, least: int = 0, most: int = MOST) -> int:
    """`value` as a whole number from `least` to `most`."""
    if type(value) is int and least <= value <= most:
        return value
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise TypeError(f"{what} must be a whole number, not {value!r}")
    if value < least:
        raise ValueError(f"{what} must be at least {least}, not {value}")
    if value > most:
        raise ValueError(f"{what} must be at most {most}, not {value}")
    return int(value)


def bits(what: str, value: Any) -> int:
    """`value` as 64 bits; negative numbers are taken as two's complement, so that -1 means all."""
    number = int(value) if isinstance(value, (int, np.integer)) else None
    if number is None or isinstance(value, bool):
        raise TypeError(f"{what} must be a whole number, not {value!r}")
    if not -(1 << 63) <= number <= ALL_BITS:
        raise ValueError(f"{what} must fit in 64 bits, not {number}")
    return number & ALL_BITS


def vector(what: str, value: Any, size: int = 3) -> tuple[float, ...]:
    """`value` as `size` finite floats."""
    try:
        items = value.tolist() if isinstance(value, np.ndarray) else tuple(value)
        if isinstance(value, (bytes, dict, set)):
            raise TypeError
        convert = float if _PLAIN.issuperset(map(type, items)) else partial(_number, what)
        numbers = tuple(map(convert, items))
    except TypeError:
        named = {3: " (x, y, z)", 4: " (w, x, y, z)"}.get(size, "")
        raise TypeError(f"{what} must be {size} numbers{named}, not {value!r}") from None
    if len(numbers) != size:
        raise ValueError(f"{what} must be {size} numbers, not {len(numbers)}: {value!r}")
    if not all(map(math.isfinite, numbers)):
        raise ValueError(f"{what} must be finite, not {numbers}")
    return numbers


def positive_vector(what: str, value: Any) -> tuple[float, ...]:
    """`value` as 3 finite floats above zero."""
    numbers = vector(what, value)
    if min(numbers) <= 0.0:
        raise ValueError(f"{what} must be greater than 0, not {numbers}")
    return numbers


def three(say: Callable[[str], str], what: str, value: Any) -> tuple[float, ...]:
    """`value` as 3 finite floats: like `vector`, but the message text is built, by `say(what)`, only on an error."""
    try:
        kind = type(value)
        items: Any = value if kind is tuple or kind is list else value.tolist() if isinstance(value, np.ndarray) else ()
        x, y, z = items
        if type(x) in _REAL and type(y) in _REAL and type(z) in _REAL:
            x, y, z = x * 1.0, y * 1.0, z * 1.0
            if math.isfinite(x + y + z):  # False where a sum overflows, but also where one is infinite or NaN
                return x, y, z
    except (TypeError, ValueError, OverflowError):
        pass
    return vector(say(what), value)


def direction(what: str, value: Any) -> tuple[float, ...]:
    """`value` as a unit vector; its length may be anything but zero."""
    numbers = vector(what, value)
    largest = max(map(abs, numbers))
    if largest == 0.0:
        raise ValueError(f"{what} must not be the zero vector: it gives no direction")
    return normalized(numbers)


def normalized(v: Sequence[float]) -> tuple[float, ...]:
    """A vector that is not zero, divided by its length; to the last bit as ODE does it."""
    at = max(range(3), key=lambda k: abs(v[k]))
    largest = abs(v[at])
    k = 1.0 / largest
    if k == math.inf:  # of a denormal number
        return normalized([math.ldexp(x, 100) for x in v])
    scaled = [x * k for x in v]
    scaled[at] = math.copysign(1.0, v[at])
    one, other = (scaled[j] for j in range(3) if j != at)
    k = 1.0 / math.sqrt(1.0 + one * one + other * other)
    return tuple(x * k for x in scaled)


def quaternion(what: str, value: Any) -> tuple[float, ...]:
    """`value` as a unit quaternion (w, x, y, z); its length may be anything but zero."""
    numbers = vector(what, value, 4)
    length = math.sqrt(sum(x * x for x in numbers))
    if not 0.0 < length < math.inf:
        raise ValueError(f"{what} must be a quaternion (w, x, y, z) of finite length above 0, not {numbers}")
    k = 1.0 / length
    return tuple(x * k for x in numbers)


def rotation(what: str, value: Any) -> Vector:
    """`value` as a rotation matrix, shape (3, 3), orthogonalised if it is off by the digits that it was written with."""
    matrix = array(what, value)
    if matrix.size != 9:
        made = "; od.rotation.from_axis_angle(axis, angle) or od.rotation.from_roll_pitch_yaw(roll, pitch, yaw), rad, is one"
        raise ValueError(f"{what} must be a 3x3 matrix, not of shape {matrix.shape}{made}")
    matrix = matrix.reshape(3, 3)
    error = float(abs(matrix @ matrix.T - np.eye(3)).max()) if abs(matrix).max() < 2.0 else np.inf
    if error > 1e-3 or np.linalg.det(matrix) < 0.0:
        raise ValueError(
            f"{what} must be a rotation (rows of length 1, at right angles, determinant +1), not {matrix.tolist()}; "
            "for a quaternion use the quaternion property"
        )
    if error <= ROUNDING:
        return matrix
    x = matrix[0] / np.linalg.norm(matrix[0])
    y = matrix[1] - (x @ matrix[1]) * x
    y /= np.linalg.norm(y)
    (x0, x1, x2), (y0, y1, y2) = x.tolist(), y.tolist()
    return np.array([x, y, (x1 * y2 - x2 * y1, x2 * y0 - x0 * y2, x0 * y1 - x1 * y0)])


def array(what: str, value: Any) -> Vector:
    """`value` as an array of finite floats, of any shape; always a copy."""
    try:
        given = np.asarray(value)
        if given.dtype.kind not in "biufO":
            raise TypeError
        result = np.array(given, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"{what} must be numbers, not {value!r}") from None
    wrong = result[~np.isfinite(result)]
    if wrong.size:
        raise ValueError(f"{what} must be finite, but {wrong.size} of its numbers are not: {wrong[:4].tolist()}")
    return result


def require_near(what: str, points: Vector) -> None:
    """ValueError if a coordinate is so far away that moments of inertia would not be finite."""
    if points.size and abs(points).max() > FURTHEST:
        raise ValueError(f"{what} must be within {FURTHEST:g} m of the origin, not at {abs(points).max():g} m")


def step_size(value: Any) -> float:
    """A step size, s."""
    if type(value) is float and 0.0 < value < math.inf:
        return value
    result = finite("the step size", value)
    if result <= 0.0:
        raise ValueError(f"the step size must be greater than 0 s, not {result}; 0.01 is a good start")
    return result


def _number(what: str, value: Any) -> float:
    if type(value) is float:
        return value
    try:
        if type(value) is not int and (isinstance(value, (str, bytes)) or np.ndim(value)):
            raise TypeError
        return float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{what} must be a number, not {value!r}") from None
    except OverflowError:
        raise ValueError(f"{what} must be a number that fits a float, not {value!r}") from None
