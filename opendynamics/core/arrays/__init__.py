"""The state of worlds as a few structured arrays ("tables"), one file each, and how they are kept and reached.

The order below is the order of the tables in memory; compiled code relies on it.
"""

from opendynamics.core.arrays import table  # isort: skip
from opendynamics.core.arrays import bodies, contacts, geoms, islands, joints, report, rows, worlds  # isort: skip
from opendynamics.core.arrays import cones, kept, proximity, hits, sweeps  # isort: skip

__all__ = [
    "bodies",
    "cones",
    "contacts",
    "geoms",
    "hits",
    "islands",
    "joints",
    "kept",
    "proximity",
    "report",
    "rows",
    "sweeps",
    "table",
    "worlds",
]
