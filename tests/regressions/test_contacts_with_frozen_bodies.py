"""A frozen body, which keeps its velocity but stays where it is, was pushed aside by QuickStep's blocks, and threw bodies up.

The blocks took its mass for that of a body that forces move, as if it were free in each contact: a stack fell through it. And
restitution took the velocity that it has kept for that of the surface.
"""

from __future__ import annotations

import pytest

import opendynamics as od


def frozen_table(world, velocity):
    """A body that was frozen while it rose with a velocity, m/s."""
    table = world.add_body(od.Box((2, 2, 1)), position=(0, 0, -0.5), mass=1e-3, linear_velocity=(0, 0, velocity))
    table.force = (1e308, 0, 0)
    world.advance(0.01)
    assert world.faults == (table,)
    assert table.linear_velocity[2] == velocity
    return table


@pytest.mark.filterwarnings("ignore::opendynamics.FaultWarning")
def test_a_stack_rests_on_a_frozen_body():
    world = od.World(gravity=(0, 0, -9.81))
    frozen_table(world, 0.0)
    world.solver, world.quickstep_direct, world.quickstep_iterations = "pgs", False, 100
    boxes = [world.add_body(od.Box((0.5, 0.5, 0.5)), position=(0, 0, 0.25 + 0.5 * k), mass=1) for k in range(2)]
    world.advance(0.01, steps=50)
    assert boxes[0].position[2] == pytest.approx(0.25, abs=1e-3)
    assert boxes[1].position[2] == pytest.approx(0.75, abs=1e-3)


@pytest.mark.filterwarnings("ignore::opendynamics.FaultWarning")
def test_a_joint_to_a_frozen_body_holds():
    world = od.World(gravity=(0, 0, -9.81))
    table = frozen_table(world, 0.0)
    world.solver, world.quickstep_direct, world.quickstep_iterations = "pgs", False, 100
    links = [world.add_body(od.Box((0.1, 0.1, 0.1)), position=(3, 0, -0.5 - k), mass=1) for k in range(2)]
    world.add_ball(links[0], table, anchor=(3, 0, 0))
    world.add_ball(links[1], links[0], anchor=(3, 0, -1))
    world.advance(0.01, steps=50)
    assert links[0].position[2] == pytest.approx(-0.5, abs=1e-3)
    assert links[1].position[2] == pytest.approx(-1.5, abs=1e-3)


@pytest.mark.filterwarnings("ignore::opendynamics.FaultWarning")
@pytest.mark.parametrize("solver", ["exact", "pgs"])
def test_a_frozen_body_does_not_throw_up_what_rests_on_it(solver):
    world = od.World(gravity=(0, 0, -9.81), like="ode", surface=od.Surface(mu=0.5, bounce=0.8))
    frozen_table(world, 3.0)
    world.solver = solver
    box = world.add_body(od.Box((0.5, 0.5, 0.5)), position=(0, 0, 0.25), mass=1)
    world.advance(0.01, steps=30)
    assert box.position[2] == pytest.approx(0.25, abs=2e-3)


@pytest.mark.filterwarnings("ignore::opendynamics.FaultWarning")
def test_a_stop_does_not_bounce_by_the_velocity_of_a_frozen_body():
    world = od.World()
    table = frozen_table(world, 3.0)
    cart = world.add_body(od.Box((0.5, 0.5, 0.5)), position=(0, 0, 0.25), mass=1)
    slider = world.add_slider(cart, table, axis=(0, 0, 1), stops=(0, 1))
    slider.limit_motor.bounce = 0.5
    world.advance(0.01, steps=30)
    assert slider.position == pytest.approx(0.0, abs=1e-9)
