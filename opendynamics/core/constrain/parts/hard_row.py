"""Hard rows: those of joints that hold, in contrast to motors, stops and contacts, which have bounds, and to springs."""

from __future__ import annotations

from opendynamics.core.arrays.worlds import WORLDS
from opendynamics.core.constrain.parts.row import is_bounded
from opendynamics.core.kernels import kernel

# Above this CFM a row yields by intention. In Verlet's steps and in the soft one joints are then springs even if the CFM is the
# world's: projection would stiffen them, and sub-steps that correct `erp` of the error each would make them depend on the step.
SPRING = 1e-9


@kernel
def softest_joint(tables):
    """The largest CFM of a hard row."""
    return max(WORLDS.rows(tables)[0].cfm, SPRING)


@kernel
def is_hard(row, softest):
    """Whether a row has neither bounds nor a CFM above `softest`."""
    return not is_bounded(row) and row.cfm <= softest
