"""Angles, distances, their rates, and forces of joints: `joint:NAME.angle`.

Angles and distances are measured on a copy of the joint with its bodies, which is set to each frame.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from opendynamics.api.body import Body
from opendynamics.api.joint_methods import joint_class
from opendynamics.api.world import World
from opendynamics.io.recording.frame import Frames
from opendynamics.io.recording.replay import set_joint
from opendynamics.viewer.plots import Array, Curve, chosen, components, rate_of_change

MEASURES = {
    **dict.fromkeys(("angle", "angle1", "angle2"), "rad"),
    **dict.fromkeys(("position", "distance"), "m"),
}
# The coordinate of each rate: the first of these that the joint has.
RATES = {
    "rate": ("angle", "position"),
    "angle_rate": ("angle",),
    "angle1_rate": ("angle1",),
    "angle2_rate": ("angle2",),
    "position_rate": ("position",),
}
FORCES = {"force": ("N", 0), "torque": ("N m", 3)}


def words(frames: Frames) -> list[str]:
    """The coordinates of each joint's kind; and forces, if they were recorded."""
    found = []
    for description in frames.recording._ever.joints.values():
        kind = joint_class(description["kind"])
        quantities = [name for name in (*MEASURES, *RATES) if hasattr(kind, name)]
        quantities += [*FORCES] if frames.header["joint_forces"] else []
        found += [f"joint:{description['name']}.{quantity}" for quantity in quantities]
    return list(dict.fromkeys(found))


def curves(frames: Frames, rest: str) -> list[Curve]:
    """Of the joint with the longest name that is a prefix of the word; the oldest one, if there are several."""
    joints = frames.recording._ever.joints
    named = [number for number, description in joints.items() if rest.startswith(f"{description['name']}.")]
    number = max(named, key=lambda n: (len(joints[n]["name"]), -n), default=-1)
    name = joints[number]["name"] if named else ""
    quantity, _, part = rest[len(name) + 1 :].partition(".")
    label, axis = f"joint:{name}.{quantity}", quantity.replace("_", " ")
    if named and quantity in FORCES:
        unit, column = FORCES[quantity]
        forces = frames.joint_forces[:, frames._joint_places[number], column : column + 3]
        if not part:
            with np.errstate(over="ignore"):
                return [Curve(label, unit, axis, np.linalg.norm(forces, axis=1))]
        return chosen(components(label, unit, axis, forces), part)
    kind = joint_class(joints[number]["kind"]) if named else None
    if part or quantity not in (*MEASURES, *RATES) or not hasattr(kind, quantity):
        raise LookupError(rest)
    values, unit = _values(frames, number, kind, quantity)
    if values.shape[1] == 1:
        return [Curve(label, unit, axis, values[:, 0])]
    return components(label, unit, axis, values)


def _values(frames: Frames, number: int, kind: Any, quantity: str) -> tuple[Array, str]:
    """The numbers, a row for each frame, and their unit."""
    if quantity in MEASURES:
        return _measured(frames, number, quantity), MEASURES[quantity]
    base = next(name for name in RATES[quantity] if hasattr(kind, name))
    unit = f"{MEASURES[base]}/s"
    if frames.header["velocities"]:
        return _measured(frames, number, quantity), unit
    values = _measured(frames, number, base)
    if MEASURES[base] == "rad":
        values = np.unwrap(values, axis=0)
    return rate_of_change(values, frames.times), unit


def _measured(frames: Frames, number: int, quantity: str) -> Array:
    """A property of the joint in each frame; nan where it is not attached."""
    if not len(frames):
        return np.zeros((0, 1))
    recording, numbers = frames.recording, np.array(frames.numbers)
    found: dict[int, Array] = {}
    structures = list(recording._structures(int(numbers.min()), int(numbers.max())))
    ends = [frame for frame, _ in structures[1:]] + [len(recording)]
    states: dict[int, Array] = {}
    for (begin, structure), end in zip(structures, ends, strict=True):
        description = structure.joints.get(number)
        places = np.flatnonzero((begin <= numbers) & (numbers < end))
        if description is None or description["bodies"] == [None, None]:
            continue
        for body in description["bodies"]:
            if body is not None and body not in states:
                width = 13 if frames.header["velocities"] else 7
                states[body] = frames._of_body(int(recording._places[body]), slice(0, width))
        with recording._located(f"joint {description['id']}"):
            found |= zip(places.tolist(), _alone(description, quantity, states, places), strict=True)
    width = max((len(values) for values in found.values()), default=1)
    out = np.full((len(frames), width), np.nan)
    for place, values in found.items():
        out[place] = values
    return out


def _alone(description: dict[str, Any], quantity: str, states: dict[int, Array], places: Any) -> Iterator[Array]:
    """The property, measured in a World with only the joint and its bodies."""
    world = World()
    bodies = {number: Body(world) for number in description["bodies"] if number is not None}
    joint = joint_class(description["kind"])(world)
    set_joint(joint, description, bodies)
    for place in places:
        for number, body in bodies.items():
            state = states[number][place]
            body.position, body.quaternion = state[0:3], state[3:7]
            if len(state) > 7:
                body.linear_velocity, body.angular_velocity = state[7:10], state[10:13]
        yield np.atleast_1d(getattr(joint, quantity))
