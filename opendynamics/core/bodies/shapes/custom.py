"""A shape of which only Python functions know anything. data and sizes are not used.

Python writes its box before any kernel reads it, so that `bounds` leaves it unchanged. Its colliders are called back through
addresses (`api/colliders.py`).
"""

from __future__ import annotations

from opendynamics.core.bodies.shapes import BOUNDS
from opendynamics.core.kernels import entry

KIND = 18
TRAITS = 0


@entry(BOUNDS)
def bounds(address):
    pass


def mass_per_density(size):
    """Its volume is unknown."""
    return None
