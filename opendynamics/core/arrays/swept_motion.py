"""Motion of bodies within a step: the predicted one for speculative contacts, the actual one for the sweep of fast bodies.
All of it is recomputed in every step that needs it.
"""

from __future__ import annotations

from opendynamics.core.arrays.table import Role, Table

# Motion of a body in this step, by its row. Speculative contacts predict it as the motion without constraints.
SWEEP = [
    ("position", "f8", (3,)),  # m, at the beginning of the step
    ("travel", "f8", (3,)),  # m, from there to where it is now
    ("spin", "f8", (3,)),  # rad, axis times the angle that it turned by
    ("angle", "f8"),  # rad, 0 or more
    ("fraction", "f8"),  # of its motion after which it is stopped; 1: it is not
    ("nudge", "f8", (3,)),  # m, from there to where it just touches
    ("missing", "f8"),  # J, energy that is to be removed from it and that it does not have
    ("fast", "i8"),  # 1 if it is to be stopped where it meets something
]

SWEPT_GEOM = [
    ("radius", "f8"),  # m, of its core from its body's centre of mass: what a turn can move it by
    ("bounds", "f8", (6,)),  # its box, while the record has a wider one
]

# Two geoms of which one is fast; the first is convex.
IMPACT = [
    ("a", "i4"),
    ("b", "i4"),
    ("time", "f8"),  # fraction of the step after which they meet, infinity: never
    ("normal", "f8", (3,)),  # from a to b
    ("nudge", "f8"),  # m, what is left to go along it
]

SWEEPS = Table("sweeps", SWEEP, Role.SCRATCH)
SWEPT_GEOMS = Table("swept_geoms", SWEPT_GEOM, Role.SCRATCH)
IMPACTS = Table("impacts", IMPACT, Role.SCRATCH)
