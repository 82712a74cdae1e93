"""Joints of every kind, in random poses, for the tests of the joint family."""

from __future__ import annotations

import numpy as np

import opendynamics as od
from opendynamics.api.joint_methods import FAMILY, joint_class
from opendynamics.core.arrays.rows import ROWS

H = 0.01

# Contacts are tested separately.
KINDS = sorted(name for name in FAMILY.names if joint_class(name) is not None and name != "contact")

# The possible attachments of a joint, where not all are allowed.
ATTACHMENTS = {"hinge2": ["pair"], "transmission": ["pair"], "plane2d": ["world"]}


def attachments(kind):
    return ATTACHMENTS.get(kind, ["pair", "world", "reversed"])


def cases(kinds):
    return [(kind, attachment) for kind in kinds for attachment in attachments(kind)]


def unit(random):
    v = random.normal(size=3)
    return v / np.linalg.norm(v)


def across(random, axis):
    v = np.cross(axis, random.normal(size=3))
    return v / np.linalg.norm(v)


def add_body(world, random, speed=0.0):
    mass = od.Mass(random.uniform(0.5, 2), np.diag(random.uniform(0.2, 0.35, 3)))
    return world.add_body(
        mass=mass,
        position=random.uniform(-0.7, 0.7, 3),
        quaternion=random.normal(size=4),
        linear_velocity=speed * random.uniform(-1, 1, 3),
        angular_velocity=speed * random.uniform(-1, 1, 3),
    )


def place(joint, random):
    """Give a joint an anchor and axes; axes that have to be at right angles are."""
    first, second = unit(random), None
    second = across(random, first)
    anchor = random.uniform(-0.5, 0.5, 3)
    if hasattr(joint, "anchor"):
        joint.anchor = anchor
    elif hasattr(joint, "anchor1"):
        joint.anchor1, joint.anchor2 = anchor, anchor + 0.4 * second
    if hasattr(joint, "axis"):
        joint.axis = first
    if hasattr(joint, "axis1"):
        joint.set_axes(first, second)
    if hasattr(joint, "prismatic_axis"):
        joint.prismatic_axis = unit(random)


def make(kind, attachment, seed=1, speed=0.0, **options):
    """A world with two bodies, of which one or both have the joint."""
    random = np.random.default_rng([seed, *kind.encode()])
    world = od.World(**options)
    one, two = add_body(world, random, speed), add_body(world, random, speed)
    bodies = {"pair": (one, two), "world": (one, None), "reversed": (None, one)}[attachment]
    joint = getattr(world, f"add_{kind}")(*bodies)
    place(joint, random)
    return world, joint


def rows_of(joint):
    """The joint's rows in the last step: Jacobians, (n, 12), and the velocities that correct the errors, m/s or rad/s."""
    first, count = int(joint._record["first_row"]), int(joint._record["row_count"])
    rows = joint.world._store[ROWS][first : first + count]
    return np.hstack([rows["j0"], rows["j1"]]).copy(), rows["bias"] * H


def stop_bodies(world):
    for body in world.bodies:
        body.linear_velocity = body.angular_velocity = (0, 0, 0)
