"""Tables of a new world: copies of a template, which is created once."""

from __future__ import annotations

from functools import cache

import numpy as np

from opendynamics.api.home import world_store
from opendynamics.api.surfaces import PLAIN
from opendynamics.api.world_settings import set_world_defaults
from opendynamics.core.arrays.bodies import PER_BODY, POSES
from opendynamics.core.arrays.contacts import SURFACES
from opendynamics.core.arrays.report import REPORTS
from opendynamics.core.arrays.store import Model, Store
from opendynamics.core.arrays.worlds import ISLANDS_SLEEP, WORLDS


def new_world_store() -> Store:
    """The tables of a world without bodies, with the default settings."""
    return Store(allocated=False, model=_model())


@cache
def _model() -> Model:
    store = world_store()
    store[REPORTS]["missing_a"] = -1
    set_world_defaults(store)
    store[WORLDS]["sleep_rule"] = ISLANDS_SLEEP
    for table in PER_BODY:
        store.use(table, 1)  # the static world: body of joints to None
    store[POSES]["quaternion"] = 1.0, 0.0, 0.0, 0.0
    store[POSES]["rotation"] = np.eye(3).reshape(9)
    store.use(SURFACES, 1)
    store[SURFACES][0] = PLAIN.row_at(0.0)
    return Model(store)
