"""Position and motion of a body: `body:NAME.position.z`."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from opendynamics.io.recording.frame import Frames
from opendynamics.viewer.plots import Array, Curve, chosen, components, rate_of_change


def _positions(frames: Frames, body: int) -> Array:
    return frames._of_body(body, slice(0, 3))


def _velocities(frames: Frames, body: int) -> Array:
    """As recorded, or from the positions."""
    if frames.header["velocities"]:
        return frames._of_body(body, slice(7, 10))
    return rate_of_change(_positions(frames, body), frames.times)


def _speeds(frames: Frames, body: int) -> Array:
    with np.errstate(over="ignore"):
        return np.asarray(np.linalg.norm(_velocities(frames, body), axis=1)[:, None])


def _quaternions(frames: Frames, body: int) -> Array:
    return frames._of_body(body, slice(3, 7))


def _spins(frames: Frames, body: int) -> Array:
    frames._require("velocities")
    return frames._of_body(body, slice(10, 13))


# Unit, names of the components, and source of the numbers.
QUANTITIES: dict[str, tuple[str, str, Callable[[Frames, int], Array]]] = {
    "position": ("m", "xyz", _positions),
    "velocity": ("m/s", "xyz", _velocities),
    "speed": ("m/s", "", _speeds),
    "quaternion": ("", "wxyz", _quaternions),
    "angular_velocity": ("rad/s", "xyz", _spins),
}


def words(frames: Frames) -> list[str]:
    """Every quantity of every body, and its components."""
    found = []
    for name in dict.fromkeys(frames.bodies):
        for quantity, (_, parts, _) in QUANTITIES.items():
            found += [f"body:{name}.{quantity}", *(f"body:{name}.{quantity}.{part}" for part in parts)]
    return found


def curves(frames: Frames, rest: str) -> list[Curve]:
    """Of the body with the longest name that is a prefix of the word; the oldest one, if there are several."""
    named = [name for name in frames.bodies if rest.startswith(f"{name}.")]
    name = max(named, key=len, default="")
    quantity, _, part = rest[len(name) + 1 :].partition(".")
    if not named or quantity not in QUANTITIES:
        raise LookupError(rest)
    unit, parts, find = QUANTITIES[quantity]
    values = find(frames, frames.bodies.index(name))
    label, axis = f"body:{name}.{quantity}", quantity.replace("_", " ")
    found = components(label, unit, axis, values, parts) if parts else [Curve(label, unit, axis, values[:, 0])]
    return chosen(found, part)
