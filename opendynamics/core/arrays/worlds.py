"""Worlds: what all bodies of a world share. One row a world; bodies and geoms name theirs by its row."""

from __future__ import annotations

from opendynamics.core.arrays.bodies import BODY_SETTING
from opendynamics.core.arrays.table import Role, Table

# Bits of WORLD.sleep_rule. 0: every body falls asleep and is woken by itself, as in ODE.
ISLANDS_SLEEP = 1  # islands fall asleep and wake as a whole; kinematic bodies never sleep
SOME_ASLEEP = 2  # a body may be asleep: what changes has to look for whom it wakes

WORLD = [
    ("gravity", "f8", (3,)),  # m/s2
    ("erp", "f8"),  # error reduction parameter, the fraction of a joint's error corrected in a step
    ("cfm", "f8"),  # constraint force mixing, 1/kg; divided by the step size it softens a row
    ("contact_max_velocity", "f8"),  # m/s, the fastest that overlap is pushed apart
    ("contact_surface_layer", "f8"),  # m of overlap that is left alone
    ("new_body_flags", "u4"),  # flags that a new body starts with
    ("continuous", "i8"),  # 1 once a body is to be swept along its motion
    ("margin", "f8"),  # m, gap across which `advance` makes contacts, 0: none, infinite: all that may close in the step
    ("collide_connected", "u4"),  # whether `advance` lets bodies collide that a joint connects
    ("max_contacts", "i8"),  # most contacts a pair of geoms makes in `advance`
    ("recycle_contacts", "i8"),  # whether `advance` recycles contacts of geoms that have hardly moved
    # Which method is used where there are several; 0 is ODE's. `api/like.py` lists the properties.
    ("collider", "i4"),  # whose contact points
    ("sleep_rule", "i4"),  # what falls asleep, and what wakes it
    ("integrator", "i4"),  # forces and velocities to poses
    ("restitution", "i4"),  # law of impact
    ("stabilization", "i4"),  # how overlap is corrected
    ("friction_bounds", "i4"),  # which normal forces bound friction
    ("new_body", BODY_SETTING),
]

# Of those settings.
ODES_METHOD = 0

WORLDS = Table("worlds", WORLD, Role.STATE, room=1)
