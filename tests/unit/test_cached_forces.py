"""Forces of joints that the next step starts from: see `core/solve/warm_starting.py`."""

import pytest

import opendynamics as od
from opendynamics.core.arrays.contact_cache import CONTACT_FORCES, CONTACT_TORQUES, JOINT_FORCES
from opendynamics.core.arrays.islands import ISLANDS
from opendynamics.core.arrays.report import REPORTS
from opendynamics.core.arrays.store import ALIGNED
from opendynamics.core.solve.warm_starting import MAX_ATTEMPTS, MAX_SOLUTIONS, attempt_to_solve

numba = pytest.importorskip("numba")


@numba.njit
def attempt_of_first_island(tables):
    return attempt_to_solve(tables, ISLANDS.rows(tables)[0])


def test_leading_rows_without_bounds_are_counted():
    """Only these are used once the joint has reached a stop or left it."""
    world = od.World(gravity=(0, 0, -9.81), solver="soft")
    arms = [world.add_body(od.Box((1, 0.1, 0.1)), position=(0.5, 2 * k, 0), mass=2) for k in range(3)]
    hinges = [world.add_hinge(arm, None, anchor=(0, 2 * k, 0), axis=(0, 1, 0)) for k, arm in enumerate(arms[:2])]
    hinges[1].motor(velocity=1.0, max_torque=5.0)
    world.add_ball(arms[2], None, anchor=(0, 4, 0))
    world.advance(0.01)
    cached = world._store[JOINT_FORCES][:3]
    assert cached["rows"].tolist() == [5, 6, 3]
    assert cached["free_rows"].tolist() == [5, 5, 3]


def test_cached_torques_have_rows_only_where_a_contact_rolls():
    """A cached contact takes one cache line; rolling friction, which few have, is apart from it."""
    world = od.World(gravity=(0, 0, -9.81), solver="soft")
    world.add_plane(normal=(0, 0, 1))
    ball = world.add_body(od.Sphere(0.5), position=(0, 0, 0.499), mass=1)
    ball.linear_velocity = 1, 0, 0
    world.advance(0.01, steps=2)
    store = world._store
    assert CONTACT_FORCES.dtype.itemsize == ALIGNED
    assert (store.used(CONTACT_FORCES), store.used(CONTACT_TORQUES), len(store[CONTACT_TORQUES])) == (1, 0, 0)

    world.surfaces.default = od.Surface(mu=1, rolling=0.05)
    world.advance(0.01)
    assert store.used(CONTACT_TORQUES) == 1
    assert abs(store[CONTACT_TORQUES]["torque"][0]).max() > 0.0

    world.surfaces.default = od.Surface(mu=1)
    world.advance(0.01)
    assert store.used(CONTACT_TORQUES) == 0


def test_attempts_count_from_one_again():
    """They fit into CONTACT_FORCE.taken, and none has the number 0, by which no contact took a cached force."""
    world = od.World(gravity=(0, 0, -9.81), solver="soft")
    world.add_plane()
    world.add_body(od.Box((1, 1, 1)), position=(0, 0, 0.499))
    world.advance(0.01)
    last = (MAX_ATTEMPTS - 1) // MAX_SOLUTIONS
    found = []
    for attempts in (0, last - 1, last, last + 1, 2 * last):
        world._store[REPORTS]["attempts"] = attempts
        found.append(attempt_of_first_island(world._store.tables))
    assert min(found) >= 1 and max(found) <= MAX_ATTEMPTS < 2**31
    assert len(set(found)) == len(found)
