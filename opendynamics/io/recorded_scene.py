"""Recorded scenes: recordings of ODE, to be repeated and compared (schema "ode-golden/1").

A file is JSON, optionally gzipped, with `scene`, everything needed to rebuild it, and `trajectory`, the state after each
step. Contacts come from rules (a sphere on a plane, points on a plane, sphere on sphere), so that no collision code is
involved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from opendynamics.api.body import Body
from opendynamics.api.contact import Contact
from opendynamics.api.files import Fail, FileError, located, parse_json, quoted, read_bytes
from opendynamics.api.joint_group import JointGroup
from opendynamics.api.joint_methods import joint_class
from opendynamics.api.joints.joint import Joint
from opendynamics.api.mass import mass_as_given
from opendynamics.api.surface import Surface
from opendynamics.api.world import World
from opendynamics.io.recorded_scene_schema import FOREIGN, require_recorded_scene

# Limits of a decompressed file, and of the memory for its JSON.
MAX_BYTES, MAX_MEMORY = 1 << 24, 1 << 27

# Settings of the machine, such as the number of threads, are not taken from the file.
_NOT_OF_THE_FILE = {"threads"}

# Names in the file, and the corresponding ones of worlds and bodies.
_WORLD = {
    "quickstep_w": "quickstep_relaxation",
    "rand_seed": "random_seed",
    "auto_disable_flag": "auto_disable",
    "auto_disable_average_samples": "auto_disable_samples",
}
_BODY = {
    "gyroscopic": "gyroscopic_mode",
}
_PLAIN = {"gravity", "h", "steps", "stepper"}
_STATE = {"mass", "inertia", "pos", "quat", "linvel", "angvel"}
_LIMITS = {
    "LoStop": "low",
    "HiStop": "high",
    "Vel": "velocity",
    "FMax": "max_force",
    "FudgeFactor": "fudge",
    "Bounce": "bounce",
    "CFM": "cfm",
    "StopERP": "stop_erp",
    "StopCFM": "stop_cfm",
}
_OWN = {"ERP": "erp", "CFM": "cfm", "SuspensionERP": "suspension_erp", "SuspensionCFM": "suspension_cfm"}
_JOINT = {"axisP": "prismatic_axis"}
_PLANE2D = {"xparam": 1, "yparam": 2, "angleparam": 3}
_SURFACE = {
    "Mu2": ("mu2", "mu2"),
    "Bounce": ("bounce", "bounce"),
    "SoftERP": ("soft_erp", "soft_erp"),
    "SoftCFM": ("soft_cfm", "soft_cfm"),
    "Motion1": ("motion1", "motion1"),
    "Motion2": ("motion2", "motion2"),
    "MotionN": ("motion_normal", "motionN"),
    "Slip1": ("slip1", "slip1"),
    "Slip2": ("slip2", "slip2"),
    "Rolling": ("rolling", "rho"),
}

# Events, as the functions and the methods of joints that repeat them.
_ON_BODY: dict[str, Callable[..., Any]] = {
    "add_force": Body.add_force,
    "add_torque": Body.add_torque,
    "add_rel_force": partial(Body.add_force, local=True),
    "add_rel_torque": partial(Body.add_torque, local=True),
    "add_force_at_pos": lambda body, f, p: body.add_force(f, at=p),
    "add_force_at_rel_pos": lambda body, f, p: body.add_force(f, at_local=p),
    "add_rel_force_at_pos": lambda body, f, p: body.add_force(f, local=True, at=p),
    "add_rel_force_at_rel_pos": lambda body, f, p: body.add_force(f, local=True, at_local=p),
    "set_linvel": lambda body, v: setattr(body, "linear_velocity", v),
    "set_angvel": lambda body, w: setattr(body, "angular_velocity", w),
}
_ON_JOINT = {
    "slider_force": "add_force",
    "hinge_torque": "add_torque",
    "universal_torques": "add_torques",
    "hinge2_torques": "add_torques",
    "amotor_torques": "add_torques",
    "piston_force": "add_force",
    "pr_torque": "add_torque",
    "pu_torques": "add_torques",
}


class RecordedSceneError(FileError):
    """A recorded scene that cannot be read or played: names the file, the key or step, and the problem."""


@dataclass
class RecordedScene:
    """A rebuilt scene, and the recording to compare it with."""

    name: str
    world: World
    bodies: list[Body]
    joints: list[Joint]
    scene: dict[str, Any]
    trajectory: dict[str, Any]
    path: str | Path = "the recorded scene"

    @property
    def h(self) -> float:
        """Step size, s."""
        return float(self.scene["world"]["h"])

    @property
    def steps(self) -> int:
        """Number of recorded steps."""
        return int(self.scene["world"]["steps"])

    def play(self) -> Iterator[int]:
        """Step through the recording; yields the number of each completed step, from 1 on."""
        for s in range(self.steps):
            self._step(s)
            yield s + 1

    def play_from_recorded_states(self) -> Iterator[int]:
        """The same, but every step starts from the recorded state."""
        for s in range(self.steps):
            for body, recorded in zip(self.bodies, self.trajectory["bodies"], strict=True):
                body.position, body.quaternion = recorded["pos"][s], np.asarray(recorded["quat"][s])
                body.linear_velocity, body.angular_velocity = recorded["linvel"][s], recorded["angvel"][s]
            self._step(s)
            yield s + 1

    def _step(self, s: int) -> None:
        """Step `s`, counted from 0: events, contacts, the step itself."""
        contacts = JointGroup()
        try:
            with located(partial(RecordedSceneError, self.path), f"step {s}"):
                for event in self.scene["events"]:
                    if event["from"] <= s < event.get("to", event["from"] + 1):
                        _apply(self, event)
                for rule in self.scene["contacts"]:
                    _make_contacts(self, rule, contacts)
                stepper = self.world.step if self.scene["world"]["stepper"] == "step" else self.world.quick_step
                stepper(self.h)
        finally:
            contacts.empty()

    def deviation(self, step: int) -> float:
        """Largest difference from the recording after `step`: relative to the recorded number, absolute below 1."""
        worst = 0.0
        for body, recorded in zip(self.bodies, self.trajectory["bodies"], strict=True):
            state = {
                "pos": body.position,
                "quat": body.quaternion,
                "linvel": body.linear_velocity,
                "angvel": body.angular_velocity,
            }
            for field, ours in state.items():
                theirs = np.array(recorded[field][step], np.float64)
                if field == "quat" and ours @ theirs < 0.0:
                    ours = -ours
                with np.errstate(over="ignore", invalid="ignore"):  # non-finite numbers agree with nothing
                    found = float((abs(ours - theirs) / np.maximum(1.0, abs(theirs))).max())
                worst = max(worst, found if found == found else np.inf)
        return worst


def read_recorded_scene(path: str | Path) -> RecordedScene:
    """Read and build a recorded scene. RecordedSceneError, a ValueError, names an error and its place in the file."""
    fail = partial(RecordedSceneError, path)
    data = read_bytes(Path(path), MAX_BYTES, fail)
    recording = parse_json(data, MAX_MEMORY, partial(fail, remedy=FOREIGN), infinite=True)
    return build_recorded_scene(recording, path)


def build_recorded_scene(recording: dict[str, Any], path: str | Path = "the recorded scene") -> RecordedScene:
    """Build a recorded scene from parsed data; `path` is for messages."""
    fail = partial(RecordedSceneError, path)
    require_recorded_scene(recording, fail)
    scene = recording["scene"]
    world = World(gravity=scene["world"]["gravity"], like="ode")
    for key, value in scene["world"].items():
        if key not in _PLAIN:
            with located(fail, f"scene.world.{quoted(key)}"):
                _set(world, _WORLD.get(key, key), _number(value))
    bodies, joints = [], []
    for k, item in enumerate(scene["bodies"]):
        with located(fail, f"scene.bodies[{k}]"):
            bodies.append(_build_body(world, item))
    for k, item in enumerate(scene["joints"]):
        joints.append(_build_joint(world, bodies, item, fail, f"scene.joints[{k}]"))
    return RecordedScene(scene["name"], world, bodies, joints, scene, recording["trajectory"], path)


def _set(target: Any, attribute: str, *values: Any) -> None:
    """Set a property; ValueError if no settable property has this name."""
    found = getattr(type(target), attribute, None)
    settable = hasattr(found, "__set__") and getattr(found, "fset", found) is not None
    if attribute.startswith("_") or attribute in _NOT_OF_THE_FILE or not settable:
        raise ValueError(f"a {type(target).__name__} has no property {quoted(attribute)!r} that a file may set")
    setattr(target, attribute, *values)


def _number(value: Any) -> Any:
    """Infinities are written as strings."""
    return float(value) if isinstance(value, str) else value


def _number_or_word(value: Any) -> Any:
    return float(value) if value in ("inf", "-inf") else value


def _build_body(world: World, item: dict[str, Any]) -> Body:
    body = Body(world)
    a, b, c, ab, ac, bc = item["inertia"]
    body.mass_properties = mass_as_given(item["mass"], [[a, ab, ac], [ab, b, bc], [ac, bc, c]])
    body.position, body.quaternion = item["pos"], np.asarray(item["quat"])
    body.linear_velocity, body.angular_velocity = item["linvel"], item["angvel"]
    for key, value in item.items():
        if key not in _STATE:
            _set(body, _BODY.get(key, key), _number(value))
    return body


def _build_joint(world: World, bodies: list[Body], item: dict[str, Any], fail: Fail, place: str) -> Joint:
    one, two = (None if index < 0 else bodies[index] for index in item["bodies"])
    with located(fail, place):
        kind = joint_class(item["type"])
        if kind is None:
            raise ValueError(f"there is no joint of type {quoted(item['type'])!r}")
        joint: Joint = kind(world, one, two)
    for k, call in enumerate(item["calls"]):
        with located(fail, f"{place}.calls[{k}]"):
            _call_joint(joint, *call)
    return joint


def _call_joint(joint: Any, name: str, *arguments: Any) -> None:
    """Apply one of ODE's setters: a parameter, a method `set_...`, or a property."""
    if name == "param":
        _set_parameter(joint, *arguments)
    elif name in _PLANE2D:
        parameter, value = arguments
        _set_parameter(joint, f"{parameter}{_PLANE2D[name]}", value)
    elif name == "set_fixed":
        joint.fix()
    elif callable(getattr(type(joint), f"set_{name}", None)):
        getattr(joint, f"set_{name}")(*arguments)
    else:
        _set(joint, _JOINT.get(name, name), *map(_number_or_word, arguments))


def _set_parameter(joint: Any, name: str, value: Any) -> None:
    """A parameter of an axis, whose number from 2 on is at the end of the name, or of the joint itself."""
    axis = int(name[-1]) - 1 if name[-1].isdigit() else 0
    name = name.rstrip("0123456789")
    motors = joint.limit_motors
    if name in _LIMITS and motors:
        setattr(motors[axis], _LIMITS[name], _number(value))
    elif name in _OWN:
        _set(joint, _OWN[name], _number(value))
    else:
        raise ValueError(f"a {type(joint).__name__} has no parameter {quoted(name)!r}")


def _apply(played: RecordedScene, event: dict[str, Any]) -> None:
    """Do what the program of the recorded scene did before a step."""
    operation = event["op"]
    if operation in _ON_BODY:
        _ON_BODY[operation](played.bodies[event["body"]], *event["args"])
    elif operation in _ON_JOINT:
        getattr(played.joints[event["joint"]], _ON_JOINT[operation])(*event["args"])
    elif operation == "joint_call":
        _call_joint(played.joints[event["joint"]], *event["call"])
    else:
        raise ValueError(f"there is no event {quoted(operation)!r}")


def _make_contacts(played: RecordedScene, rule: dict[str, Any], group: JointGroup) -> None:
    one, two = (None if index < 0 else played.bodies[index] for index in rule["bodies"])
    surface = _surface(rule)
    for contact in _contacts(rule, one, two):
        played.world.add_contact(contact, surface, one, two, group=group)


def _contacts(rule: dict[str, Any], one: Body | None, two: Body | None) -> Iterator[Contact]:
    kind = rule["rule"]
    if kind == "sphere_sphere" and one is not None and two is not None:
        difference = one.position - two.position
        distance = float(np.sqrt(difference @ difference))
        first, second = rule["radii"]
        if first + second - distance >= 0.0:
            normal = difference / distance
            position = one.position + normal * (second - first - distance) / 2
            yield Contact(position, normal, first + second - distance)
        return
    if one is None or kind not in ("sphere_plane", "points_plane"):
        raise ValueError(f"the contact rule {kind!r} needs other bodies")
    normal, d = np.array(rule["normal"]), rule["d"]
    if kind == "sphere_plane":
        depth = rule["radius"] - (normal @ one.position - d)
        if depth >= 0.0:
            yield Contact(one.position - normal * rule["radius"], normal, depth)
        return
    for point in rule["points"]:
        at = one.point_to_world(point)
        if d - normal @ at >= 0.0:
            yield Contact(at, normal, d - normal @ at)


def _surface(rule: dict[str, Any]) -> Surface:
    numbers = {key: _number(value) for key, value in rule["surface"].items() if key != "mode"}
    modes = set(rule["surface"]["mode"])
    given: dict[str, Any] = {"mu": numbers["mu"], "bounce_velocity": numbers.get("bounce_vel", 0.0)}
    for mode, (argument, field) in _SURFACE.items():
        if mode in modes:
            given[argument] = numbers[field]
    if "Rolling" in modes and "Mu2" in modes:
        given |= {"rolling2": numbers["rho2"], "spinning": numbers["rhoN"]}
    if "FDir1" in modes:
        given["direction1"] = rule["fdir1"]
    follows = [bool({"Approx1", mode} & modes) for mode in ("Approx1_1", "Approx1_2", "Approx1_N")]
    one, two, spin = ("pyramid" if follow else "box" for follow in follows)
    return Surface(**given, friction_model=(one, two, spin))
