"""Single bodies that are solved together move like those that are solved alone."""

import numpy as np
import pytest

import opendynamics as od
from opendynamics.core.arrays.islands import ISLANDS
from opendynamics.core.solve.islands import MIN_BODIES

STEP = 0.01
APART = 3.0
SHAPES = (
    lambda: od.Box((0.4, 0.5, 0.6)),
    lambda: od.Sphere(0.3),
    lambda: od.Capsule(0.2, 0.5),
    lambda: od.Cylinder(0.3, 0.4),
)


def poses(count):
    """Positions above the ground, rotations and velocities, which make bodies land, slide, roll and rest."""
    random = np.random.default_rng(5)
    for k in range(count):
        rotation = random.normal(size=4)
        yield (
            (APART * k, 0.0, random.uniform(0.3, 0.4)),
            rotation / np.linalg.norm(rotation),
            0.3 * random.normal(size=3),
        )


def fall(world, numbers, steps):
    """Bodies with these numbers after some steps, and the largest number of islands solved together in any step."""
    world.gravity = (0, 0, -9.81)
    world.add_geom(od.Plane((0, 0, 1), 0))
    bodies = []
    for number, (position, quaternion, velocity) in enumerate(poses(max(numbers) + 1)):
        if number in numbers:
            body = world.add_body(SHAPES[number % len(SHAPES)](), position=position, quaternion=quaternion)
            body.linear_velocity = velocity
            bodies.append(body)
    together = 0
    for _ in range(steps):
        world.advance(STEP)
        islands = world._store[ISLANDS][: world._store.used(ISLANDS)]
        together = max(together, int(islands["solved"].sum()))
    return bodies, together


def test_bodies_move_as_if_they_were_alone():
    many, together = fall(od.World(), range(16), 120)
    assert together >= MIN_BODIES
    for number, body in enumerate(many):
        (alone,), separately = fall(od.World(), [number], 120)
        assert separately == 0
        np.testing.assert_allclose(body.position, alone.position, rtol=0, atol=1e-9)
        np.testing.assert_allclose(body.angular_velocity, alone.angular_velocity, rtol=0, atol=1e-7)


def test_forces_satisfy_the_complementarity_problem():
    world = od.World()
    fall(world, range(40), 120)
    islands = world._store[ISLANDS][: world._store.used(ISLANDS)]
    solved = islands[islands["solved"] == 1]
    assert len(solved) >= MIN_BODIES
    assert solved["residual"].max() < 1e-12


def slide(count):
    """Boxes and balls that slide on the ground from the first step on."""
    world = od.World(solver="exact")
    world.gravity = (0, 0, -9.81)
    world.add_geom(od.Plane((0, 0, 1), 0))
    random = np.random.default_rng(5)
    bodies = []
    for k in range(count):
        shape = od.Sphere(0.3) if k % 3 else od.Box((0.4, 0.5, 0.6))
        bodies.append(world.add_body(shape, position=(APART * k, 0, 0.3)))
        bodies[-1].linear_velocity = (*random.normal(size=2), 0)
    for _ in range(60):
        world.advance(STEP)
        assert world._store[ISLANDS]["solved"][:count].sum() >= MIN_BODIES
    return bodies


def test_grouping_does_not_change_a_bit():
    for one, two in zip(slide(24), slide(43), strict=False):  # with others in the other lanes
        assert one.position.tobytes() == two.position.tobytes()
        assert one.angular_velocity.tobytes() == two.angular_velocity.tobytes()


def test_threads_do_not_change_a_bit():
    worlds = [od.World(), od.World()]
    worlds[1].threads = 2
    (one, _), (two, _) = (fall(world, range(300), 100) for world in worlds)
    assert np.array([body.position for body in one]).tobytes() == np.array([body.position for body in two]).tobytes()


def test_a_fault_stays_in_its_lane():
    world = od.World()
    bodies, _ = fall(world, range(16), 120)
    positions = [body.position for body in bodies]
    bodies[3].add_force((1e308, 1e308, 1e308))
    with pytest.warns(od.FaultWarning):
        world.advance(STEP)
    for number, body in enumerate(bodies):
        assert np.isfinite(body.position).all()
        assert number == 3 or np.abs(body.position - positions[number]).max() < 0.1
