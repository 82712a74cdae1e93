"""State that files contain and poses do not determine: anchors, axes and rest positions of joints, and how long a body has
been idle; and a quaternion that differs from the rotation by more than rounding.

Writes the records of a joint or a body, each number checked first.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from opendynamics.api import checks
from opendynamics.api.body import Body
from opendynamics.api.joints.joint import Joint
from opendynamics.core.arrays.bodies import BODY_SETTINGS, POSES

_SIZES = {"anchor0": 3, "anchor1": 3, "axis0": 3, "axis1": 3, "relative": 4}


def restore_joint(joint: Joint, fields: Mapping[str | int, Any], mode: int | None = None) -> None:
    """Set fields of a joint's record without conversion.

    Args:
        joint: an attached joint; an unattached one keeps the values until it is attached.
        fields: anchors, m, and unit axes in the frames of the inner bodies, `relative`, a unit quaternion, `erp`, `cfm`; by a
            number: what the joint's kind has from that place of `numbers` on.
        mode: mode bits of the kind.
    """
    checked = {key: _checked(f"{key} of {joint.name}", key, value) for key, value in fields.items()}
    record = joint._record
    for key, value in checked.items():
        if isinstance(key, int):
            record["numbers"][key : key + len(value)] = value
        else:
            record[key] = value
    if mode is not None:
        record["mode"] = mode


def _checked(what: str, key: str | int, value: Any) -> Any:
    if isinstance(key, int):
        numbers = np.atleast_1d(np.asarray(value, np.float64))
        if np.isnan(numbers).any():
            raise ValueError(f"{what} must be numbers, not {numbers.tolist()}")
        return numbers
    if key in ("erp", "cfm"):
        return checks.usual(what, value)
    given = checks.vector(what, value, _SIZES[key])
    if key.startswith("axis"):
        unit = checks.direction(what, given)
        # Vectors that are unit vectors up to rounding are not changed.
        return given if np.allclose(given, unit, rtol=0.0, atol=1e-15) else unit
    if key == "relative":
        unit = checks.quaternion(what, given)
        return given if np.allclose(given, unit, rtol=0.0, atol=1e-15) else unit
    checks.require_near(what, np.array(given))
    return given


def restore_idling(body: Body, time_left: float, steps_left: int) -> None:
    """Set the time, s, and number of steps after which an idle body falls asleep."""
    record: Any = body._store[BODY_SETTINGS][body._row]
    record["time_left"] = checks.number(f"the time left of {body.name}", time_left)
    record["steps_left"] = checks.count(f"the steps left of {body.name}", steps_left, least=-checks.MOST)


def idling_of(body: Body) -> tuple[float, int]:
    """Time, s, and number of steps after which an idle body falls asleep."""
    record = body._store[BODY_SETTINGS][body._row]
    return float(record["time_left"]), int(record["steps_left"])


def restore_quaternion(body: Body, quaternion: Any) -> None:
    """Set the quaternion (w, x, y, z), of any length but zero, of a body whose rotation is set; the next step begins from it."""
    body._store[POSES]["quaternion"][body._row] = checks.quaternion(f"the quaternion of {body.name}", quaternion)
