"""Joints of a model as joints of a World: hinges and sliders between parts, fixed joints, and extra joints.

Body 1 is the child and body 2 the parent, so that angles and positions have the signs of the model. They are created at zero
displacement, which is the joints' zero.

Damping and friction of a joint are additional servos, so that its motor remains free: -damping x rate, and -friction x rate /
SLIPPING of at most the friction, which holds a joint except for a creep below SLIPPING.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from opendynamics.api.body import Body
from opendynamics.api.joints.joint import Joint as EngineJoint
from opendynamics.api.joints.servo import Servo
from opendynamics.api.warning import warn
from opendynamics.api.world import World
from opendynamics.core.constrain.joints.hinge import NEAR
from opendynamics.robot.building.parts import Parts
from opendynamics.robot.kinematics.forward import Kinematics
from opendynamics.robot.link import ExtraJoint, Joint
from opendynamics.robot.model import Model
from opendynamics.robot.reading.findings import ModelWarning

SLIPPING = 1e-6  # rad/s or m/s, from which on friction is fully effective


def make_joints(
    world: World, model: Model, parts: Parts, bodies: list[Body], kinematics: Kinematics, limits: bool
) -> dict[str, EngineJoint]:
    """The joints of the tree by name."""
    result: dict[str, EngineJoint] = {}
    for k, part in enumerate(parts.parts):
        if part.parent < 0:
            continue
        link = model.links[part.head]
        joint, ends = link.joint, (bodies[k], bodies[part.parent])
        axis = kinematics.rotations[part.head] @ joint.axis
        stops = _stops(joint, model, world) if limits else None
        if joint.type == "revolute":
            anchor = kinematics.positions[part.head]
            result[joint.name] = world.add_hinge(*ends, anchor=anchor, axis=axis, stops=stops, name=joint.name)
        elif joint.type == "prismatic":
            result[joint.name] = world.add_slider(*ends, axis=axis, stops=stops, name=joint.name)
        else:
            result[joint.name] = world.add_fixed(*ends, name=joint.name)
    return result


def make_resistances(world: World, model: Model, joints: dict[str, EngineJoint]) -> dict[str, list[Servo]]:
    """Damping and friction of the joints that have any, by their names; they are destroyed with the robot."""
    result: dict[str, list[Servo]] = {}
    for joint in model.joints:
        engine: Any = joints[joint.name]
        linear = joint.type == "prismatic"
        for what, damping, most in (
            ("damping", joint.damping, math.inf),
            ("friction", joint.friction / SLIPPING, joint.friction),
        ):
            if damping > 0.0:
                servo = world.add_servo(
                    *engine.bodies,
                    axis=engine.axis,
                    damping=damping,
                    max_torque=most,
                    linear=linear,
                    name=f"{what} of {joint.name}",
                )
                result.setdefault(joint.name, []).append(servo)
    return result


def _stops(joint: Joint, model: Model, world: World) -> tuple[float, float] | None:
    if joint.lower == -math.inf and joint.upper == math.inf:
        return None
    beyond = joint.type == "revolute" and max(-joint.lower, joint.upper) > math.pi
    if world.like == "ode" and beyond and math.isfinite(joint.upper - joint.lower):
        text = (
            f"{joint.name} of {model.name} has no stops: a world like ODE ignores those of a hinge beyond half a turn"
        )
        warn(text, ModelWarning)
        return None
    return joint.lower, joint.upper


def counts_turns(joint: Joint) -> bool:
    """Whether the angle of a joint continues beyond half a turn, as its limits are near that or beyond it."""
    bounded = math.isfinite(joint.lower) or math.isfinite(joint.upper)
    return joint.type == "revolute" and bounded and max(-joint.lower, joint.upper) > NEAR


def make_extra_joint(
    world: World, extra: ExtraJoint, parts: Parts, bodies: list[Body], kinematics: Kinematics
) -> EngineJoint | None:
    """An extra joint at the current pose of link 1; None between two links that are fixed to each other."""
    one, two = parts.of_link[extra.link1], parts.of_link[extra.link2]
    if one == two:
        return None
    turn = kinematics.rotations[extra.link1]
    anchor = kinematics.positions[extra.link1] + turn @ extra.point1
    name = extra.name or f"extra {extra.type}"
    return add_extra_joint(world, extra.type, bodies[one], bodies[two], anchor, turn @ extra.axis, name)


EXTRA_JOINTS = ("fixed", "ball", "hinge", "piston")


def add_extra_joint(
    world: World, type: str, one: Body | None, two: Body | None, anchor: Any, axis: Any, name: str
) -> EngineJoint:
    """An extra joint of one of EXTRA_JOINTS; None is the world."""
    options: dict[str, Any] = {"name": name}
    if type != "fixed":
        options["anchor"] = anchor
    if type in ("hinge", "piston"):
        options["axis"] = np.asarray(axis)
    add: dict[str, Any] = dict(
        zip(EXTRA_JOINTS, (world.add_fixed, world.add_ball, world.add_hinge, world.add_piston), strict=True)
    )
    joint: EngineJoint = add[type](one, two, **options)
    return joint
