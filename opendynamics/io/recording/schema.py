"""Schema of the JSON in a recording: its header, and descriptions of bodies, geoms and joints. See docs/recordings.md."""

from __future__ import annotations

from typing import Any

from opendynamics.api.files import Fail
from opendynamics.io.schema import flag, is_number, number, numbers, or_null, positive, require, whole, word

MAX_ID = (1 << 31) - 1
MAX_CHANNELS = 1 << 20  # numbers of all channels in a frame
COARSEST = 1e100  # m, m/s: size of a quantum
FINEST = 1 << 27  # quanta in a quaternion's length

_ID = whole(0, MAX_ID)
SORTS = ("bodies", "geoms", "joints")


def _shapes(value: Any) -> str | None:
    """Shapes of channels by name."""
    shape, count = numbers_of(_ID), 0
    right = isinstance(value, dict) and not any(map(word, value)) and not any(map(shape, value.values()))
    for sizes in value.values() if right else ():
        size = 1
        for length in sizes:
            size *= length
        count += size
    return None if right and count <= MAX_CHANNELS else f"shapes by name, of at most {MAX_CHANNELS} numbers together"


def numbers_of(rule: Any, size: int | None = None) -> Any:
    """A list of values that all satisfy a check, optionally of a certain length."""

    def listed(value: Any) -> str | None:
        right = isinstance(value, list) and size in (None, len(value)) and not any(map(rule, value))
        return None if right else f"a list of {'' if size is None else f'{size} '}numbers"

    return listed


def _step(value: Any) -> str | None:
    return None if is_number(value) and 0 < value <= COARSEST else f"a number above 0, up to {COARSEST:g}"


def _scale(value: Any) -> str | None:
    return None if is_number(value) and 1 <= value <= FINEST else f"a number from 1 to {FINEST}"


_MAYBE = numbers_of(or_null(number))
_THREE = numbers_of(or_null(number), 3)
_TWO_BODIES = numbers_of(or_null(_ID), 2)

HEADER = {
    "world": word,
    "gravity": numbers(3),
    "position_step": _step,
    "orientation_scale": _scale,
    "velocity_step": _step,
    "velocities": flag,
    "contacts": flag,
    "joint_forces": flag,
    "channels": _shapes,
    "about?": {},
    "program?": word,
}

BODY = {"id": _ID, "name": word, "mass": positive, "inertia": numbers(9)}
GEOM = {
    "id": _ID,
    "name?": or_null(word),
    "body": or_null(_ID),
    "enabled": flag,
    "shape": word,
    "position": numbers(3),
    "rotation": numbers(9),
    "size?": numbers(),
    "color?": numbers(3),
}
JOINT = {
    "id": _ID,
    "name": word,
    "kind": word,
    "bodies": _TWO_BODIES,
    "enabled": flag,
    "mode": _ID,
    **dict.fromkeys(("anchor0", "anchor1", "axis0", "axis1"), _THREE),
    "relative": _MAYBE,
    "numbers": _MAYBE,
    "stops": [numbers_of(or_null(number), 2)],
}
CHANGES = {
    "frame": _ID,
    **{
        f"{sort}?": {"set?": [one], "remove?": numbers_of(_ID)}
        for sort, one in zip(SORTS, (BODY, GEOM, JOINT), strict=True)
    },
}


class Descriptions:
    """Checks changes in their order: ids are assigned once, in the order of appearance."""

    def __init__(self) -> None:
        self._seen = dict.fromkeys(SORTS, 0)

    def require(self, changes: Any, fail: Fail) -> None:
        """Call `fail` unless these are changes whose ids have been assigned by now."""
        require(changes, CHANGES, fail)
        for sort in SORTS:
            described = changes.get(sort, {}).get("set", ())
            self._seen[sort] += len(described)
            for k, one in enumerate(described):
                if one["id"] >= self._seen[sort]:
                    problem = f"{one['id']} is no id: there are {self._seen[sort]} descriptions so far"
                    raise fail(f"{sort}.set[{k}].id", problem)
