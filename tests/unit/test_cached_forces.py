"""Forces of joints that the next step starts from: see `core/solve/warm_starting.py`."""

import opendynamics as od
from opendynamics.core.arrays.contact_cache import JOINT_FORCES


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
