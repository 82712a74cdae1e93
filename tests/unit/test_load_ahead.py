"""Prefetching: of a batch, all rows in use of the next world, performed by steps; of a contact, the lines that passes read."""

import numpy as np
import pytest

import opendynamics as od
from opendynamics.core import step as stages
from opendynamics.core.arrays.blocks.load_ahead import LINE
from opendynamics.core.arrays.contacts import CONTACT_DETAILS, CONTACT_SURFACE, CONTACTS, DETAIL, SURFACE
from opendynamics.core.arrays.table import DECLARED
from opendynamics.core.batch import DONE, MAX_ENTRIES, SHARED, advance_run
from opendynamics.core.compile.loading import address_of

H = 0.005


@pytest.fixture
def worlds():
    made = []
    for count in (3, 20):
        world = od.World(gravity=(0, 0, -9.81), solver="pgs")
        world.threads = 1
        world.add_plane()
        for k in range(count):
            world.add_body(od.Box((0.2, 0.2, 0.2)), position=(0.3 * k, 0, 0.1), density=1000)
            if k:
                world.add_ball(world.bodies[-2], world.bodies[-1])
        made.append(world)
    return made


def lines_in(queue):
    """Numbers of the lines that contain entries."""
    found = set()
    for entry in queue.tolist():
        found |= {entry // LINE + k for k in range(entry % LINE)}
    return found


def test_a_batch_lists_the_rows_in_use_of_the_next_world(worlds):
    batch = od.Batch(worlds, threads=1)
    batch.advance(H, 3)
    addresses = np.array([world._store.tables.ctypes.data for world in worlds])
    states, faults = np.full(2, DONE), np.zeros(2, np.int64)
    queue = np.zeros(MAX_ENTRIES, np.int64)
    tables, advance = batch._workspaces[0].tables, address_of(stages.advance, stages.ADVANCE)
    advance_run(
        addresses, states, faults, tables, queue, 0, 2, advance, H, 1
    )  # both are done: the queue stays as it is
    assert tables[-1] == 0
    listed, store = lines_in(queue), worlds[1]._store
    assert len(listed) > 100
    seen = 0
    for table in DECLARED:
        rows = 0 if table in SHARED or table.common else store.used(table)
        for at in range(0, rows * table.dtype.itemsize, 8):
            assert (store[table].ctypes.data + at) // LINE in listed, table
            seen += 1
    assert seen > 1000


def test_steps_take_up_the_queue_and_no_result_depends_on_it(worlds):
    one, other = worlds[1], worlds[1].save()
    memory = np.zeros(8 * 40, np.int64)
    queue = memory.ctypes.data // LINE * LINE + LINE * np.arange(40) + 1
    tables = one._store.tables
    tables[-2:] = queue.ctypes.data, len(queue)
    one.advance(H, 2)
    assert tables[-1] == 0 and not memory.any()
    hashed = one.state_hash()
    one.restore(other)
    one.advance(H, 2)
    assert one.state_hash() == hashed


def test_what_most_contacts_need_is_in_two_lines():
    """The rest of a surface, which only some have, is in as many lines of another table."""
    assert CONTACTS.dtype.itemsize == CONTACT_DETAILS.dtype.itemsize == 2 * LINE
    shared = set(np.dtype(CONTACT_SURFACE).names) & set(np.dtype(SURFACE).names)
    assert shared == {"mode", "mu", "mu2", "bounce", "bounce_velocity"}
    assert shared | set(np.dtype(DETAIL).names) >= set(np.dtype(SURFACE).names) - {"padding"}


def test_tables_begin_at_lines():
    for _ in range(3):
        store = od.World()._store
        begins = [store[table].ctypes.data for table in DECLARED if len(store[table]) and not table.common]
        assert len(begins) > 10
        assert not any(begin % LINE for begin in begins)
