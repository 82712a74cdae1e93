"""Worlds: what all bodies of a world share. One row a world; bodies and geoms name theirs by its row."""

from __future__ import annotations

from opendynamics.core.arrays.bodies import HABIT
from opendynamics.core.arrays.table import Role, Table

# Values of WORLD.quickstep_order.
ODE_ORDER, BLOCK_ORDER = 0, 1

WORLD = [
    ("gravity", "f8", (3,)),  # m/s2
    ("erp", "f8"),  # error reduction parameter, the part of a joint's error mended in a step
    ("cfm", "f8"),  # constraint force mixing, 1/kg; divided by the step size it softens a row
    ("contact_max_velocity", "f8"),  # m/s, the fastest that overlap is pushed apart
    ("contact_surface_layer", "f8"),  # m of overlap that is left alone
    ("new_body_flags", "u4"),  # flags and habits that a new body starts with
    ("continuous", "i8"),  # 1 once a body was told to be swept along its motion
    ("margin", "f8"),  # m, gap across which `advance` makes contacts, 0: none, infinite: all that may close in the step
    ("collide_connected", "u4"),  # whether `advance` lets bodies collide that a joint connects
    ("max_contacts", "i8"),  # most contacts a pair of geoms makes in `advance`
    ("quickstep_iterations", "i8"),
    ("quickstep_relaxation", "f8"),  # w of ODE's order
    ("quickstep_block_relaxation", "f8"),  # and of the block form
    ("quickstep_order", "i8"),  # ODE_ORDER or BLOCK_ORDER: which form of QuickStep the world takes
    ("quickstep_warm_start", "f8"),  # part of the last step's forces that the block form starts from
    ("quickstep_exit_change", "f8"),  # m/s2 or rad/s2, change in a sweep below which QuickStep ends early, 0: never
    ("quickstep_extra", "f8"),  # most extra sweeps, in parts of quickstep_iterations
    ("quickstep_extra_change", "f8"),  # m/s2 or rad/s2, change below which no extra sweep is needed
    ("quickstep_sweeps", "i8"),  # done since the counts were set to zero, over all islands
    ("quickstep_early", "i8"),  # islands that ended before quickstep_iterations
    ("quickstep_prolonged", "i8"),  # islands that took extra sweeps
    ("quickstep_exhausted", "i8"),  # of these, the ones that had not settled after all of them
    ("random_state", "i8"),  # 32 bits, of the generator that shuffles QuickStep's rows
    ("shuffled", "i8"),  # numbers that a shuffle of all islands draws, summed up while rows are counted
    ("new_body", HABIT),
]

WORLDS = Table("worlds", WORLD, Role.STATE, room=1)
