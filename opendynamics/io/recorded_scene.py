"""Recorded scenes: what ODE did, to be done again and compared (schema "ode-golden/1").

A file is JSON, perhaps gzipped, with `scene`, everything that is needed to rebuild it, and `trajectory`, the state
after each step. Contacts come from rules (a sphere on a plane, points on a plane, sphere on sphere), so that no
collision code takes part.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from opendynamics.api.body import Body
from opendynamics.api.contact import Contact
from opendynamics.api.joint_group import JointGroup
from opendynamics.api.joints.joint import Joint
from opendynamics.api.joints.sliding import OdesRows
from opendynamics.api.mass import Mass
from opendynamics.api.surface import Surface
from opendynamics.api.world import World

SCHEMA = "ode-golden/1"

# What the file calls it, and what a world or a body does.
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


@dataclass
class RecordedScene:
    """A scene built anew, and the recording to hold against it."""

    name: str
    world: World
    bodies: list[Body]
    joints: list[Joint]
    scene: dict[str, Any]
    trajectory: dict[str, Any]

    @property
    def h(self) -> float:
        """Step size, s."""
        return float(self.scene["world"]["h"])

    @property
    def steps(self) -> int:
        """Steps that were recorded."""
        return int(self.scene["world"]["steps"])

    def play(self) -> Iterator[int]:
        """Step through the recording; yields the number of each step that was done, from 1 on."""
        for s in range(self.steps):
            self._step(s)
            yield s + 1

    def play_from_recorded_states(self) -> Iterator[int]:
        """The same, but every step begins with the bodies where the recording has them."""
        for s in range(self.steps):
            for body, recorded in zip(self.bodies, self.trajectory["bodies"], strict=True):
                body.position, body.quaternion = recorded["pos"][s], recorded["quat"][s]
                body.linear_velocity, body.angular_velocity = recorded["linvel"][s], recorded["angvel"][s]
            self._step(s)
            yield s + 1

    def _step(self, s: int) -> None:
        """What happens in step `s`, counted from 0: events, contacts, the step itself."""
        for event in self.scene["events"]:
            if event["from"] <= s < event.get("to", event["from"] + 1):
                _apply(self, event)
        contacts = JointGroup()
        for rule in self.scene["contacts"]:
            _make_contacts(self, rule, contacts)
        stepper = self.world.step if self.scene["world"]["stepper"] == "step" else self.world.quick_step
        stepper(self.h)
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
                theirs = np.array(recorded[field][step])
                if field == "quat" and ours @ theirs < 0.0:
                    ours = -ours
                worst = max(worst, float((abs(ours - theirs) / np.maximum(1.0, abs(theirs))).max()))
        return worst


def read_recorded_scene(path: str | Path) -> RecordedScene:
    """Read and build a recorded scene. ValueError tells what in the file is not understood."""
    data = Path(path).read_bytes()
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    try:
        recording = json.loads(data)
        schema = recording["scene"]["schema"]
    except (ValueError, KeyError, TypeError):
        raise ValueError(f"{path} is not a recorded scene: JSON with scene and trajectory was expected") from None
    if schema != SCHEMA:
        raise ValueError(f"{path} has the schema {schema!r}; this version reads {SCHEMA!r}")
    return build_recorded_scene(recording)


def build_recorded_scene(recording: dict[str, Any]) -> RecordedScene:
    """Build a recorded scene that has been read already."""
    scene = recording["scene"]
    world = World(gravity=scene["world"]["gravity"])
    world.quickstep_order = "ode"
    for key, value in scene["world"].items():
        if key not in _PLAIN:
            setattr(world, _known(world, _WORLD.get(key, key)), _number(value))
    bodies = [_build_body(world, item) for item in scene["bodies"]]
    joints = [_build_joint(world, bodies, item) for item in scene["joints"]]
    return RecordedScene(scene["name"], world, bodies, joints, scene, recording["trajectory"])


def _known(target: Any, attribute: str) -> str:
    if not hasattr(type(target), attribute):
        raise ValueError(f"the recorded scene sets {attribute!r} of a {type(target).__name__}, which has no such thing")
    return attribute


def _number(value: Any) -> Any:
    """Infinities are written as words."""
    return float(value) if isinstance(value, str) else value


def _number_or_word(value: Any) -> Any:
    return float(value) if value in ("inf", "-inf") else value


def _build_body(world: World, item: dict[str, Any]) -> Body:
    body = Body(world)
    a, b, c, ab, ac, bc = item["inertia"]
    body.mass_properties = Mass(item["mass"], [[a, ab, ac], [ab, b, bc], [ac, bc, c]])
    body.position, body.quaternion = item["pos"], item["quat"]
    body.linear_velocity, body.angular_velocity = item["linvel"], item["angvel"]
    for key, value in item.items():
        if key not in _STATE:
            setattr(body, _known(body, _BODY.get(key, key)), _number(value))
    return body


def _build_joint(world: World, bodies: list[Body], item: dict[str, Any]) -> Joint:
    one, two = (None if index < 0 else bodies[index] for index in item["bodies"])
    add = getattr(world, f"add_{item['type']}", None)
    if add is None:
        raise ValueError(f"the recorded scene has a joint of type {item['type']!r}, which is not known")
    joint: Joint = add(one, two)
    if isinstance(joint, OdesRows):  # what was recorded is what ODE did
        joint.like_ode = True
    for call in item["calls"]:
        _call_joint(joint, *call)
    return joint


def _call_joint(joint: Any, name: str, *arguments: Any) -> None:
    """Do what a setter of ODE's did: a parameter, a method `set_...`, or a property."""
    if name == "param":
        _set_parameter(joint, *arguments)
    elif name in _PLANE2D:
        parameter, value = arguments
        _set_parameter(joint, f"{parameter}{_PLANE2D[name]}", value)
    elif name == "set_fixed":
        joint.fix()
    elif hasattr(joint, f"set_{name}"):
        getattr(joint, f"set_{name}")(*arguments)
    else:
        setattr(joint, _known(joint, _JOINT.get(name, name)), *map(_number_or_word, arguments))


def _set_parameter(joint: Any, name: str, value: Any) -> None:
    """A parameter of an axis, whose number from 2 on ends the name, or of the joint itself."""
    axis = int(name[-1]) - 1 if name[-1].isdigit() else 0
    name = name.rstrip("0123456789")
    motors = joint.limit_motors
    if name in _LIMITS and motors:
        setattr(motors[axis], _LIMITS[name], _number(value))
    else:
        setattr(joint, _known(joint, _OWN[name]), _number(value))


def _apply(played: RecordedScene, event: dict[str, Any]) -> None:
    """Do what the user of the recorded scene did before a step."""
    on_body: dict[str, Callable[..., Any]] = {
        "add_force": lambda body, f: body.add_force(f),
        "add_torque": lambda body, t: body.add_torque(t),
        "add_rel_force": lambda body, f: body.add_force(f, local=True),
        "add_rel_torque": lambda body, t: body.add_torque(t, local=True),
        "add_force_at_pos": lambda body, f, p: body.add_force(f, at=p),
        "add_force_at_rel_pos": lambda body, f, p: body.add_force(f, at_local=p),
        "add_rel_force_at_pos": lambda body, f, p: body.add_force(f, local=True, at=p),
        "add_rel_force_at_rel_pos": lambda body, f, p: body.add_force(f, local=True, at_local=p),
        "set_linvel": lambda body, v: setattr(body, "linear_velocity", v),
        "set_angvel": lambda body, w: setattr(body, "angular_velocity", w),
    }
    on_joint: dict[str, Callable[..., Any]] = {
        "slider_force": lambda joint, f: joint.add_force(f),
        "hinge_torque": lambda joint, t: joint.add_torque(t),
        "universal_torques": lambda joint, *t: joint.add_torques(*t),
        "hinge2_torques": lambda joint, *t: joint.add_torques(*t),
        "amotor_torques": lambda joint, *t: joint.add_torques(*t),
        "piston_force": lambda joint, f: joint.add_force(f),
        "pr_torque": lambda joint, t: joint.add_torque(t),
        "pu_torques": lambda joint, *t: joint.add_torques(*t),
    }
    operation = event["op"]
    if operation in on_body:
        on_body[operation](played.bodies[event["body"]], *event["args"])
    elif operation in on_joint:
        on_joint[operation](played.joints[event["joint"]], *event["args"])
    elif operation == "joint_call":
        _call_joint(played.joints[event["joint"]], *event["call"])
    else:
        raise ValueError(f"the recorded scene does {operation!r}, which is not known")


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
        raise ValueError(f"the recorded scene has a contact rule {kind!r}, which is not known")
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
    return Surface(**given, friction=(one, two, spin))
