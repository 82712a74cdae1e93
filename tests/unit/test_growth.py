"""Growing tables: replaced memory is released, unless kernels may still have its address."""

from __future__ import annotations

import weakref
from itertools import count

import numpy as np
import pytest

import opendynamics as od
from opendynamics.core.arrays.bodies import MOTIONS
from opendynamics.core.arrays.report import FLOATS
from opendynamics.core.arrays.rows import ROWS
from opendynamics.core.arrays.store import LARGE, Store
from opendynamics.core.arrays.table import ADDRESS, CAPACITY, DECLARED, FIELDS, SHORTAGE


def kernels_see(store, table):
    first = FIELDS * table.position
    return store.tables[first + ADDRESS], store.tables[first + CAPACITY]


def test_memory_that_was_outgrown_is_let_go_of():
    store = Store()
    old = weakref.ref(store[FLOATS])
    store.make_room(FLOATS, FLOATS.room + 1)
    assert old() is None
    assert kernels_see(store, FLOATS) == (store[FLOATS].ctypes.data, len(store[FLOATS]))


@pytest.mark.parametrize("again", [False, True])
def test_memory_is_kept_until_kernels_have_the_new_address(monkeypatch, again):
    """An interrupt comes before they are given it; a growth of the same table may follow before the next step."""
    store = Store()
    old = weakref.ref(store[FLOATS])
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(Store, "_note", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        store.make_room(FLOATS, FLOATS.room + 1)
    assert kernels_see(store, FLOATS)[0] == old().ctypes.data
    if again:
        store.make_room(SHORTAGE, 100)
        assert old() is not None
    store.begin_step("world")
    store.end_step()
    assert old() is None
    assert kernels_see(store, FLOATS) == (store[FLOATS].ctypes.data, len(store[FLOATS]))


def test_an_interrupt_among_the_initial_rows_leaves_all_tables_usable(monkeypatch):
    """Each table is interrupted in turn, after its array is there and before kernels have its address."""
    note = Store._note
    for last in count():
        store, notes = Store(allocated=False), count()

        def interrupted(*arguments, last=last, notes=notes):
            if next(notes) == last:
                raise KeyboardInterrupt
            note(*arguments)

        with monkeypatch.context() as patch:
            patch.setattr(Store, "_note", interrupted)
            try:
                store.allocate()
            except KeyboardInterrupt:
                pass
            else:
                break
        store.begin_step("world")
        store.end_step()
        for table in DECLARED:
            assert len(store[table]) >= table.room
            assert kernels_see(store, table) == (store[table].ctypes.data, len(store[table]))
            assert table.common or table is SHORTAGE or not store[table].view(np.uint8).any()
    assert last > 30


def test_tables_grow_by_half_at_least():
    store = Store()
    for _ in range(3):
        before = len(store[FLOATS])
        store.make_room(FLOATS, before + 1)
        assert len(store[FLOATS]) == before + before // 2


def test_large_tables_grow_by_an_eighth():
    store = Store()
    rows = LARGE // FLOATS.dtype.itemsize
    store.make_room(FLOATS, rows)
    store.make_room(FLOATS, rows + 1)
    assert len(store[FLOATS]) == rows + rows // 8


def test_what_a_kernel_lacks_is_made_with_an_eighth_to_spare():
    store = Store()
    store[SHORTAGE][:] = FLOATS.position, 80_000
    store.make_missing_room()
    assert len(store[FLOATS]) == 90_000


def test_large_tables_have_less_to_spare():
    store = Store()
    store[SHORTAGE][:] = FLOATS.position, 1_600_000
    store.make_missing_room()
    assert len(store[FLOATS]) == 1_700_000


@pytest.mark.parametrize("solver", ["auto", "exact", "soft"])
def test_the_first_step_of_many_islands_is_not_begun_again_for_each(monkeypatch, solver):
    """Not for each table of bodies or geoms, each doubling of the contacts, or each island's rows."""
    world, shortages = od.World(gravity=(0, 0, -9.81), solver=solver), []
    world.threads = 1
    world.add_plane()
    world.add_bodies(od.Box((1, 1, 1)), [(2 * k, 0, 0.5) for k in range(400)])
    make = Store.make_missing_room

    def note(store):
        shortages.append(DECLARED[int(store[SHORTAGE][0])])
        make(store)

    monkeypatch.setattr(Store, "make_missing_room", note)
    world.advance(0.01)
    assert len(world.contacts) == 1600
    assert all(shortages.count(table) <= 2 for table in shortages)
    grown = [table.rows_of for table in shortages if table.rows_of]
    assert len(grown) == len(set(grown)) == 2
    for table in DECLARED:
        if table.rows_of == "bodies":
            assert len(world._store[table]) >= world._store.used(MOTIONS)


def test_rows_of_contacts_that_the_user_made_fit_with_every_solver():
    """The soft step needs none of its own, but contact joints may have feedback."""
    world = od.World(gravity=(0, 0, -9.81), solver="soft")
    world.add_plane()
    world.add_bodies(od.Box((1, 1, 1)), [(2 * k, 0, 0.5) for k in range(100)])
    world.add_contacts(world.space.contacts(), surface=od.Surface(mu=0.5))
    world.step(0.01, solver="soft")
    assert world.statistics.rows == 1200
    assert len(world._store[ROWS]) >= 1200
