"""Spaces like ODE kept their order when `world.positions` moved bodies, and where `add_bodies` put new ones into them."""

from __future__ import annotations

import opendynamics as od


def pairs_after(move):
    """Pairs of bodies in a space like ODE with four balls that overlap: after the first was moved, and then `move`."""
    world, space = od.World(), od.SimpleSpace(like="ode")
    for k in range(4):
        world.add_body(od.Sphere(1), position=(0.1 * k, 0, 0), space=space, name=str(k))
    pairs = []
    for act in (lambda world: None, lambda world: setattr(world.bodies[0], "position", (0, 0, 0)), move):
        act(world)
        pairs.clear()
        space.collide(lambda a, b: pairs.append((a.body.name, b.body.name)))
    return pairs


def one_by_one(world):
    for body in world.bodies:
        body.position = body.position + 0.01


def at_once(world):
    world.positions = world.positions + 0.01


def test_positions_set_at_once_give_the_order_of_those_set_one_by_one():
    assert pairs_after(at_once) == pairs_after(one_by_one) != pairs_after(lambda world: None)


def order_after(add):
    """Names of the spaces in a space like ODE, after `add` put a ball into the one behind."""
    world, outer = od.World(), od.SimpleSpace(like="ode")
    inner = [od.SimpleSpace([od.Sphere(1)], like="ode", space=outer, name=name) for name in ("behind", "in front")]
    outer.collide(lambda a, b: None)
    add(world, inner[0])
    return [space.name for space in outer]


def test_a_space_comes_to_the_front_when_bodies_are_added_at_once():
    expected = order_after(lambda world, space: world.add_body(od.Sphere(1), space=space))
    assert order_after(lambda world, space: world.add_bodies(od.Sphere(1), [(0, 0, 0)], space=space)) == expected
    assert expected == ["behind", "in front"]
