"""What rows need of bodies, computed eight at a time, compared with one at a time and with NumPy.

A product of inertia that is far below rounding keeps a body out of the lanes, and changes nothing else.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

import opendynamics as od
from opendynamics.core.arrays.bodies import INERTIAS
from opendynamics.core.arrays.rows import EXTERNALS, LEADS, ROWS
from opendynamics.core.bodies.free_rotation import FASTEST_CHANGE
from opendynamics.core.profile import ISLANDS, PREPARATION, run_stage

pytestmark = pytest.mark.filterwarnings("ignore::opendynamics.SetupWarning")  # of the inertias of rotors

H, COUNT = 0.01, 19
GRAVITY = np.array([0.3, -0.2, -9.81])
SPEEDS = (
    0.0,
    1e-3,
    2.0,
    9.0,
    40.0,
    70.0,
    150.0,
)  # rad/s: in the last three the mean is that of contacts, of joints, and neither


def make_world(alone: bool, held: bool, products: bool = True) -> tuple[od.World, list[od.Body]]:
    """Bodies that fly apart, or hang in a chain; `alone` keeps them out of the lanes, as products of inertia do a few."""
    random, world, bodies = np.random.default_rng(4), od.World(gravity=GRAVITY), []
    for k in range(COUNT):
        moments = np.diag(0.01 * np.array([2.0, 3.0, 40.0 if k % 5 == 3 else 4.0]) * (1 + k % 3))  # some have a rotor's
        one, other = ((0, 1), (0, 2), (1, 2))[k % 3]
        moments[one, other] = moments[other, one] = 0.005 if products and k % 4 == 1 else 1e-300 if alone else 0.0
        body = world.add_body(position=(0.5 * k, 0, 0), mass=od.Mass(1.0 + k, inertia=moments))
        body.quaternion = random.normal(size=4)
        axis = random.normal(size=3)
        body.angular_velocity = SPEEDS[k % len(SPEEDS)] * axis / np.linalg.norm(axis)
        body.gravity_mode = k % 4 != 0
        bodies.append(body)
        if held and k:
            world.add_ball(bodies[k - 1], body, anchor=(0.5 * k - 0.25, 0, 0))
    return world, bodies


def prepare(world: od.World, bodies: list[od.Body]) -> dict[str, np.ndarray]:
    """Run the stages up to the rows, with forces on the bodies, and return what they made of these."""
    for k, body in enumerate(bodies):
        body.add_force((k, 1, -k))
        body.add_torque((0.1, -0.2 * k, 0.3))
    store = world._store
    assert run_stage(store.tables, H, ISLANDS)
    assert run_stage(store.tables, H, PREPARATION)
    rows = [body._row for body in bodies]
    return {
        "inverse inertias": store[INERTIAS]["world_inverse"][rows].reshape(-1, 3, 3).copy(),
        "angular velocities": np.array([body.angular_velocity for body in bodies]),
        "forces": store[EXTERNALS]["linear"][rows].copy(),
        "torques": store[EXTERNALS]["angular"][rows].copy(),
        "leads": store[LEADS]["angular"][rows].copy(),
    }


@pytest.mark.parametrize("held", [False, True])
def test_bodies_are_prepared_as_one_at_a_time(held):
    world, bodies = make_world(False, held)
    other, others = make_world(True, held)
    for each in (world, other):
        each.advance(H, steps=2)
    found, expected = prepare(world, bodies), prepare(other, others)
    assert np.any(expected["leads"])
    for name, values in expected.items():
        assert found[name] == pytest.approx(values, rel=1e-11, abs=1e-11 * np.abs(values).max()), name


@pytest.mark.parametrize("held", [False, True])
def test_they_obey_the_formulas(held):
    world, bodies = make_world(False, held)
    world.advance(H, steps=2)
    kept = [np.array(world._store[INERTIAS]["world_inverse"][body._row]).reshape(3, 3) for body in bodies]
    before = [body.angular_velocity for body in bodies]
    found = prepare(world, bodies)
    carried = rotors = 0
    for k, body in enumerate(bodies):
        rotation, w = np.asarray(body.rotation), found["angular velocities"][k]
        inertia = rotation @ np.asarray(body.inertia) @ rotation.T
        assert found["inverse inertias"][k] == pytest.approx(np.linalg.inv(inertia), rel=1e-12, abs=1e-12)
        if kept[k][0, 0] > 0.0:  # the last step left the change of its angular velocity to this one
            assert inertia @ w == pytest.approx(np.linalg.solve(kept[k], before[k]), rel=1e-11, abs=1e-12)
            carried += 1
        else:
            assert np.array_equal(w, before[k])
        assert found["forces"][k] == pytest.approx((k, 1, -k) + body.gravity_mode * body.mass * GRAVITY, rel=1e-13)
        assert found["torques"][k] == pytest.approx((0.1, -0.2 * k, 0.3), rel=1e-15)
        if np.linalg.norm(w) * H < 0.5:
            lead = 0.5 * np.linalg.solve(inertia, np.cross(inertia @ w, w))
            is_mean = H * np.linalg.norm(lead) <= math.sqrt(FASTEST_CHANGE) * np.linalg.norm(w)
            assert found["leads"][k] == pytest.approx(lead if is_mean else np.zeros(3), rel=1e-10, abs=1e-11)
            rotors += not is_mean
        elif not held:
            assert not np.any(found["leads"][k])
    assert carried == (COUNT if held else 0)
    assert held or rotors > 0


@pytest.mark.parametrize("cfm", [1e-10, 1e-2])
def test_rows_of_hard_joints_ask_for_mean_angular_velocities(cfm):
    world, bodies = make_world(False, True, products=False)
    for joint in world.joints:
        joint.cfm = cfm
    world.advance(H, steps=2)
    leads = prepare(world, bodies)["leads"]
    assert np.all(np.any(leads[:3], axis=1))
    for k, joint in enumerate(world.joints):
        first, gap = int(joint._record["first_row"]), joint.anchor2 - joint.anchor
        for row, error in zip(world._store[ROWS][first : first + 3], gap, strict=True):
            lead = row["j0"][3:] @ leads[k] + row["j1"][3:] @ leads[k + 1]
            expected = joint.erp / H**2 * error - (lead if cfm < 1e-9 else 0.0)
            assert row["bias"] == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_preparing_again_changes_no_bit():
    world, bodies = make_world(False, True)
    world.advance(H, steps=2)
    once = prepare(world, bodies)
    again = prepare(world, bodies)
    for name in ("inverse inertias", "angular velocities", "leads"):
        assert np.array_equal(once[name], again[name]), name
