"""Rays, contacts and contact forces took bodies and geoms but no robots: `exclude=robot` raised TypeError."""

from pathlib import Path

import numpy as np
import pytest

import opendynamics as od

MODELS = Path(__file__).parents[1] / "data" / "models"
H = 0.001


@pytest.fixture
def standing():
    """A box robot of one body on the ground, and a humanoid robot next to it, in the air."""
    world = od.World(gravity=(0, 0, -9.81))
    ground = world.add_plane()
    box = od.load_robot(MODELS / "misc" / "box1.body")
    model = od.load_robot(MODELS / "SR1" / "SR1.body")
    low = od.Robot(world, box)
    bottom = min(geom.aabb[4] for geoms in low.geoms.values() for geom in geoms)
    low.place(box.state(position=low.read().position - (0, 0, bottom)))
    return world, ground, low, od.Robot(world, model, model.state(position=(5, 0, 2)))


def from_above(robot):
    """Where a vertical ray meets the robot."""
    return (*robot.read().position[:2], 9.0)


def test_rays_pass_through_robots(standing):
    world, ground, low, robot = standing
    above = [from_above(low), from_above(robot)]
    own = [{geom for geoms in each.geoms.values() for geom in geoms} for each in (low, robot)]
    hits = world.cast_rays(above, (0, 0, -1))
    assert [hits.geom_of(k) in own[k] for k in range(2)] == [True, True]
    for exclude in (robot, [robot], robot.bodies, robot.geoms, robot.bodies.values(), (g for g in own[1])):
        hits = world.cast_rays(above, (0, 0, -1), exclude=exclude)
        assert hits.geom_of(0) in own[0] and hits.geom_of(1) is ground
    hits = world.space.cast_rays(above, (0, 0, -1), exclude=[low, robot.bodies, ground, ()])
    assert not hits.hit.any()
    assert list(world.space.test_rays(above, (0, 0, -1), exclude=[ground, low])) == [False, True]


@pytest.mark.parametrize("wrong", ["robot", None, 3, ["robot"], [[3]]])
def test_what_has_no_geoms_is_named(standing, wrong):
    with pytest.raises(TypeError, match="exclude takes bodies, geoms and robots, one or several, not"):
        standing[0].cast_rays((0, 0, 9), (0, 0, -1), exclude=wrong)


def test_a_space_is_excluded_with_all_that_is_in_it():
    world = od.World()
    inner = od.SimpleSpace([od.Sphere(1.0), od.SimpleSpace([od.Sphere(2.0)])], space=world.space)
    assert world.cast_rays((0, 0, 9), (0, 0, -1)).hit.all()
    assert not world.cast_rays((0, 0, 9), (0, 0, -1), exclude=inner).hit.any()


def test_contacts_and_forces_of_a_robot(standing):
    world, ground, low, robot = standing
    world.contact_events  # noqa: B018
    world.advance(H)
    began = world.contact_events.begin
    assert began and all(low in pair and robot not in pair for pair in began)
    world.advance(H, steps=300)
    body = next(iter(low.bodies.values()))
    weight = (0, 0, 9.81 * body.mass)
    assert world.contact_force(low) == pytest.approx(weight, rel=1e-3, abs=1e-6)
    assert np.array_equal(world.contact_force(low), world.contact_force(body))
    assert np.array_equal(world.contact_force(ground, low), -world.contact_force(low))
    assert not world.contact_force(low, robot).any() and not world.contact_force(robot).any()
    contacts = world.contacts
    assert len(contacts.of(low)) == len(contacts) > 0 and contacts.of(robot) == []
    one = contacts.of(low)[0]
    assert np.array_equal(one.force_on(low), one.force_on(body)) and one.force_on(low)[2] > 0.0
    with pytest.raises(ValueError, match=f"{robot.name} is not one of the two"):
        one.force_on(robot)
    with pytest.raises(TypeError, match="a body, a geom or a robot, not of 3"):
        contacts.of(3)


def test_contacts_between_the_links_of_a_robot_push_in_both_directions():
    model = od.load_robot(MODELS / "SR1" / "SR1.body")
    world = od.World()
    robot = od.Robot(world, model, model.state(q={"LLEG_KNEE": 2.5, "LLEG_HIP_P": 1.0}), self_collision=True)
    world.advance(1e-4)
    contacts = world.contacts.of(robot)
    assert len(contacts) == len(world.contacts) > 0
    assert not any(contact.force_on(robot).any() for contact in contacts)
    assert not world.contact_force(robot).any()
