"""Servos that hold joints at the position of a slider, stiff enough for any load on them.

With the mass M and the radius R of all bodies connected by joints, and gravity g, a stiffness

    k = M g R / sag,   c = 2 sqrt(k M R²)

holds the worst pose with an error below `sag` rad, critically damped; along an axis k = M g / (sag R), c = 2 sqrt(k M).
"""

from __future__ import annotations

import math

import numpy as np

from opendynamics.api.body import Body
from opendynamics.api.joints.contact import ContactJoint
from opendynamics.api.joints.hinge import Hinge
from opendynamics.api.joints.servo import Servo
from opendynamics.api.joints.slider import Slider
from opendynamics.api.world import World

SAG = 0.03  # rad; of the radius
MIN_GRAVITY = 1.0  # m/s², for worlds without gravity

Held = Hinge | Slider


def held_joints(world: World) -> tuple[Held, ...]:
    """Joints that a servo can hold."""
    return tuple(joint for joint in world.joints if isinstance(joint, Held) and joint.bodies != (None, None))


def servos(world: World) -> dict[Held, Servo]:
    """Servos by the joints that they drive."""
    found = (joint for joint in world.joints if isinstance(joint, Servo))
    return {servo.driven: servo for servo in found if isinstance(servo.driven, Held)}


def coordinate(joint: Held) -> float:
    """Angle, rad, or position, m."""
    return joint.angle if isinstance(joint, Hinge) else joint.position


def hold(joint: Held, target: float) -> Servo:
    """Hold a joint at an angle or a position with a new servo."""
    mass, radius = _held_by(joint)
    gravity = max(float(np.linalg.norm(joint.world.gravity)), MIN_GRAVITY)
    if isinstance(joint, Slider):
        stiffness = mass * gravity / (SAG * radius)
        return joint.servo(target, stiffness=stiffness, damping=2.0 * math.sqrt(stiffness * mass))
    stiffness = mass * gravity * radius / SAG
    return joint.servo(target, stiffness=stiffness, damping=2.0 * radius * math.sqrt(stiffness * mass))


def _held_by(joint: Held) -> tuple[float, float]:
    """Mass, kg, of all bodies connected to this joint's by joints, and the radius of the box around their centres, m."""
    waiting = [body for body in joint.bodies if body is not None]
    found: set[Body] = set()
    while waiting:
        body = waiting.pop()
        if body in found or body.kinematic:
            continue
        found.add(body)
        for other in body.joints:
            if not isinstance(other, ContactJoint):
                waiting += [end for end in other.bodies if end is not None]
    if not found:
        return 1.0, 1.0
    places = np.array([body.position for body in found])
    boxes = [geom.aabb.reshape(3, 2) for body in found for geom in body.geoms if np.isfinite(geom.aabb).all()]
    corners = np.concatenate([places, *(box.T for box in boxes)])
    return sum(body.mass for body in found), max(0.5 * float(np.linalg.norm(np.ptp(corners, axis=0))), 1e-3)
