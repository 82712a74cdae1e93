"""Bodies, split by access frequency: data of a solver's inner loop, data read once per step, and data seldom read. Row 0 of
each table is the static world: it never moves and has no inverse mass, so that a joint to the world needs no special case.
"""

from __future__ import annotations

from opendynamics.core.arrays.table import Role, Table

# Bits of MOTION.flags.
ALIVE = 1
ENABLED = 2  # takes part in the step; a sleeping or disabled body does not
KINEMATIC = 4  # moves at the velocity it is given and cannot be pushed
WEIGHTLESS = 8  # gravity does not act
GYROSCOPIC = 16
FINITE_ROTATION = 32
FINITE_AXIS = 64  # a finite rotation axis is set
AUTO_DISABLE = 128
DAMPED = 256  # some damping or a speed limit is set: the body is processed again after it moved
FAULTY = 512  # physics gave a number that is not finite; frozen until the user sets a state
CONTINUOUS = 1024  # swept along its motion in `advance`, and stopped where it meets something
HELD = 2048  # a joint that is enabled acted on it in the last step

# One cache line a body: all that the solver reads and writes.
MOTION = [
    ("linear_velocity", "f8", (3,)),  # m/s, world frame
    ("angular_velocity", "f8", (3,)),  # rad/s, world frame
    ("inverse_mass", "f8"),  # 1/kg, 0 for kinematic bodies
    ("flags", "u4"),
    ("world", "u4"),
]

POSE = [
    ("position", "f8", (3,)),  # m, of the centre of mass
    ("quaternion", "f8", (4,)),  # (w, x, y, z), body to world
    ("rotation", "f8", (9,)),  # the same as a matrix, row by row
]

INERTIA = [
    ("mass", "f8"),  # kg
    ("inertia", "f8", (9,)),  # kg m2, body frame
    ("inverse", "f8", (9,)),  # its inverse, zero for kinematic bodies
    ("world_inverse", "f8", (9,)),  # the inverse in the world frame, recomputed in every step
]

LOAD = [
    ("force", "f8", (3,)),  # N, world frame
    ("torque", "f8", (3,)),  # N m, world frame
]

# Damping, speed limit and sleep settings of a body, and how long it has been idle.
BODY_SETTING = [
    ("linear_damping", "f8"),  # fraction of the velocity lost in a step
    ("angular_damping", "f8"),
    ("linear_damping_threshold", "f8"),  # m/s, no damping at or below
    ("angular_damping_threshold", "f8"),  # rad/s
    ("max_angular_speed", "f8"),  # rad/s
    ("finite_axis", "f8", (3,)),
    ("linear_threshold", "f8"),  # m/s, at or below it the body counts as idle
    ("angular_threshold", "f8"),  # rad/s
    ("idle_time", "f8"),  # s it must be idle
    ("idle_steps", "i8"),  # steps it must be idle
    ("samples", "i8"),  # velocities averaged
    ("time_left", "f8"),
    ("steps_left", "i8"),
    ("sample_start", "i8"),  # first row of this body in the samples table
    ("sample_next", "i8"),
    ("samples_ready", "i8"),  # 1 once every sample has been taken
    ("samples_given", "i8"),  # rows of the samples table it has
]

SAMPLE = [("linear_velocity", "f8", (3,)), ("angular_velocity", "f8", (3,))]

MOTIONS = Table("motions", MOTION, Role.STATE, room=16)
POSES = Table("poses", POSE, Role.STATE, room=16)
INERTIAS = Table("inertias", INERTIA, Role.STATE, room=16)
LOADS = Table("loads", LOAD, Role.STATE, room=16)  # what the user added since the last step
BODY_SETTINGS = Table("body_settings", BODY_SETTING, Role.STATE, room=16)
SAMPLES = Table("samples", SAMPLE, Role.STATE, room=16)

# Bodies in the order of their creation.
BODY_ORDER = Table("body_order", "i8", Role.CACHE, room=16)

PER_BODY = (MOTIONS, POSES, INERTIAS, LOADS, BODY_SETTINGS)
