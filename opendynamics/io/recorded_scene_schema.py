"""Schema of a recorded scene (schema "ode-golden/1"), checked before a world is built from it.

Numbers of steps and bodies must match the trajectory. Values of bodies and joints are checked by their setters.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from opendynamics.api.files import Fail
from opendynamics.io.schema import anything, number, numbers, positive, require, whole, word

SCHEMA = "ode-golden/1"
FOREIGN = "this is not a recorded scene, which is JSON with scene and trajectory"

# Limit of steps of a scene without bodies, which has no trajectory to tell the number of recorded steps.
MAX_STEPS = 100_000

_WIDTHS = {"pos": 3, "quat": 4, "linvel": 3, "angvel": 3}
_CALL = "a list of a name and arguments"

_RULES: dict[str, dict[str, Any]] = {
    "sphere_sphere": {"radii": numbers(2)},
    "sphere_plane": {"normal": numbers(3), "d": number, "radius": number},
    "points_plane": {"normal": numbers(3), "d": number, "points": [numbers(3)]},
}


def _one_of(*choices: str) -> Any:
    return lambda value: None if isinstance(value, str) and value in choices else f"one of {', '.join(choices)}"


def _call(value: Any) -> str | None:
    return None if isinstance(value, list) and value and isinstance(value[0], str) else _CALL


def _bodies(count: int) -> Any:
    index = whole(-1, count - 1)
    wanted = f"two bodies, from 0 to {count - 1}, or -1 for the world,"
    return lambda value: None if isinstance(value, list) and len(value) == 2 and not any(map(index, value)) else wanted


_WORLD = {"gravity": numbers(3), "h": positive, "steps": whole(0, MAX_STEPS), "stepper": _one_of("step", "quick")}
_STATE = {"pos": numbers(3), "quat": numbers(4), "linvel": numbers(3), "angvel": numbers(3)}
_BODY = {"mass": positive, "inertia": numbers(6), **_STATE}


def require_recorded_scene(recording: Any, fail: Fail) -> None:
    """Raise what `fail` returns unless `recording` contains a complete scene and its trajectory."""
    require(recording, {"scene": {"schema": word}}, partial(fail, remedy=FOREIGN))
    if recording["scene"]["schema"] != SCHEMA:
        found = recording["scene"]["schema"]
        raise fail("scene.schema", f"the schema is {found[:40]!r}; this version reads {SCHEMA!r}")
    fail = partial(fail, remedy="this is not a complete recorded scene: record it again")
    require(recording, {"scene": {"name": word, "world": _WORLD, "bodies": [_BODY]}}, fail)
    scene = recording["scene"]
    count = len(scene["bodies"])
    bodies, whole_number = _bodies(count), whole(0, MAX_STEPS)
    joint = {"type": word, "bodies": bodies, "calls": [_call]}
    rule = {
        "rule": _one_of(*_RULES),
        "bodies": bodies,
        "surface": {"mode": [word], "mu": anything},
        "fdir1?": numbers(3),
    }
    require(scene, {"joints": [joint], "contacts": [rule], "events": [{"op": word}]}, fail, "scene")
    event = {
        "from": whole_number,
        "to?": whole_number,
        "body?": whole(0, count - 1),
        "joint?": whole(0, len(scene["joints"]) - 1),
        "args?": _list,
        "call?": _call,
    }
    require(scene, {"events": [event]}, fail, "scene")
    for k, item in enumerate(scene["contacts"]):
        require(item, _RULES[item["rule"]], fail, f"scene.contacts[{k}]")
    _require_trajectory(recording, count, scene["world"]["steps"], fail)


def _list(value: Any) -> str | None:
    return None if isinstance(value, list) else "a list"


def _require_trajectory(recording: Any, bodies: int, steps: int, fail: Fail) -> None:
    """A state of each body at the start and after each step."""
    series = {field: _states(steps + 1, width) for field, width in _WIDTHS.items()}
    require(recording, {"trajectory": {"bodies": [series]}}, fail)
    found = len(recording["trajectory"]["bodies"])
    if found != bodies:
        raise fail("trajectory.bodies", f"{found} bodies have a trajectory, and the scene has {bodies}")


def _states(count: int, width: int) -> Any:
    """`count` lists of `width` numbers, which may be nan where the recorded program failed."""

    def rule(value: Any) -> str | None:
        right = isinstance(value, list) and len(value) == count
        for state in value if right else ():
            if not (isinstance(state, list) and len(state) == width and all(type(x) in (float, int) for x in state)):
                right = False
        return None if right else f"{count} states, one for the start and one for each step, of {width} numbers each"

    return rule
