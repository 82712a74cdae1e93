"""The stages of a step one by one, for a profile: what `core/step.py` runs in one call, with Python's clock in between.

Reads and writes the same as the stages. `run_stage` is a separate entry, compiled for the first profile, so that it costs
steps nothing.
"""

from __future__ import annotations

from opendynamics.core import types
from opendynamics.core.arrays.report import CHOICES, REPORTS
from opendynamics.core.arrays.table import TABLES
from opendynamics.core.collide.contact_filter import any_may_collide
from opendynamics.core.collide.stages import collide_pairs, make_contacts
from opendynamics.core.constrain.islands import find_islands, list_links
from opendynamics.core.kernels import entry
from opendynamics.core.step import assemble_rows, bound_geoms, call_near, find_pairs
from opendynamics.core.update.sleeping import sleep_idle_bodies

# Parts of `collide` and of `constrain`, in their order.
BOUNDS, BROAD_PHASE, NARROW_PHASE, CONTACTS, ISLANDS, PREPARATION = range(6)


@entry(types.boolean(TABLES, types.float64, types.int64), nogil=True)
def run_stage(tables, h, stage):
    """Run one part; False if it lacks memory or a kernel: then the stage starts again."""
    choices = CHOICES.rows(tables)[0]
    if stage == BOUNDS:
        bound_geoms(tables)
        return True
    if stage <= CONTACTS and not any_may_collide(tables):
        return True
    if stage == BROAD_PHASE:
        return find_pairs(tables, h)
    if stage == NARROW_PHASE:
        return collide_pairs(tables)
    if stage == CONTACTS:
        if not make_contacts(tables):
            return False
        return choices.near_pairs == 0 or call_near(choices.near_contacts, tables, h) != 0
    if stage == ISLANDS:
        REPORTS.rows(tables)[0].h = h
        return list_links(tables) and sleep_idle_bodies(tables, h) and find_islands(tables)
    return assemble_rows(tables, h)
