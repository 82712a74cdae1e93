"""The state of worlds as a few structured arrays ("tables"), one file each, and how they are kept and reached.

The order below is the order of the tables in memory; compiled code relies on it.
"""

from opendynamics.core.arrays import table  # isort: skip
from opendynamics.core.arrays import bodies, contacts, geoms, islands, joints, report, rows, worlds  # isort: skip
from opendynamics.core.arrays import cones, contact_cache, dynamic_tree, hits, swept_motion  # isort: skip

__all__ = [
    "bodies",
    "cones",
    "contact_cache",
    "contacts",
    "geoms",
    "hits",
    "islands",
    "joints",
    "dynamic_tree",
    "report",
    "rows",
    "swept_motion",
    "table",
    "worlds",
]
