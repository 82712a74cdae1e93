"""`state_hash` left out settings that are in no table, so that worlds that move differently had one hash."""

from __future__ import annotations

import pytest

import opendynamics as od

SPRING = od.Surface(stiffness=1e4, damping=10.0)


def hash_after(change):
    world = od.World(gravity=(0, 0, -9.81))
    world.add_plane(normal=(0, 0, 1))
    body = world.add_body(od.Box((1, 1, 1)), position=(0, 0, 0.5))
    body.geoms[0].material = "rubber"
    change(world, world.add_hinge(body, None, anchor=(0, 0, 0), axis=(0, 0, 1)))
    return world.state_hash()


def setting(name, value):
    return lambda world, hinge: setattr(world, name, value)


def of_joint(name, value):
    return lambda world, hinge: setattr(hinge, name, value)


CHANGES = {
    "solver": setting("solver", "exact"),
    "impacts": setting("impacts", "sequential"),
    "sub-steps": setting("substeps", 2),
    "break force": of_joint("break_force", 1e3),
    "break torque": of_joint("break_torque", 1e3),
    "spring of a stop": lambda world, hinge: hinge.limit_motors[0].set_stop_spring(1e4, 10.0),
    "spring of the world": lambda world, hinge: world.set_spring(1e4, 10.0),
    "default surface": lambda world, hinge: setattr(world.surfaces, "default", SPRING),
    "surface of a material": lambda world, hinge: world.surfaces.__setitem__("rubber", SPRING),
    "surface of a pair": lambda world, hinge: world.surfaces.__setitem__(("rubber", None), SPRING),
}


def test_equal_worlds_have_one_hash():
    assert hash_after(lambda world, hinge: None) == hash_after(lambda world, hinge: None)


@pytest.mark.parametrize("name", CHANGES)
def test_every_setting_counts(name):
    assert hash_after(CHANGES[name]) != hash_after(lambda world, hinge: None)


def test_so_does_the_damping_of_a_spring():
    one, other = (
        lambda world, hinge, damping=damping: setattr(
            world.surfaces, "default", od.Surface(stiffness=1e4, damping=damping)
        )
        for damping in (10.0, 20.0)
    )
    assert hash_after(one) != hash_after(other)
