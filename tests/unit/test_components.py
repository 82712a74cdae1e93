"""Large islands are found without graph traversal: the result must be the same, in the order of memory."""

import numpy as np
import pytest

import opendynamics as od
from opendynamics.core.arrays.bodies import ENABLED, FAULTY, MOTIONS
from opendynamics.core.arrays.islands import ISLAND_BODIES, ISLAND_LINKS, ISLANDS, LINKS, SLOTS
from opendynamics.core.arrays.report import REPORTS
from opendynamics.core.constrain.components import LARGE

SIDE = 13  # 2 x 13 x 12 joints are more than LARGE


def net(world, at):
    """A square net of bodies with ball joints between neighbours."""
    places = [(x + at[0], y + at[1], at[2]) for y in range(SIDE) for x in range(SIDE)]
    bodies = [world.add_body(position=place, mass=1.0) for place in places]
    for k, body in enumerate(bodies):
        if k % SIDE:
            world.add_ball(bodies[k - 1], body, anchor=np.add(places[k], (-0.5, 0, 0)))
        if k >= SIDE:
            world.add_ball(bodies[k - SIDE], body, anchor=np.add(places[k], (0, -0.5, 0)))
    return bodies


def chain(world, at, length=4):
    places = [(at[0], at[1], at[2] + k) for k in range(length)]
    bodies = [world.add_body(position=place, mass=1.0) for place in places]
    for k in range(1, length):
        world.add_ball(bodies[k - 1], bodies[k], anchor=np.add(places[k], (0, 0, -0.5)))
    return bodies


def islands(world):
    """Bodies and links of each island, in the islands' order."""
    store = world._store
    found = []
    for island in store[ISLANDS][: store.used(ISLANDS)]:
        first_body, first_link = island["first_body"], island["first_link"]
        found.append(
            (
                store[ISLAND_BODIES][first_body : first_body + island["bodies"]].tolist(),
                store[ISLAND_LINKS][first_link : first_link + island["links"]].tolist(),
            )
        )
    return found


def walked(world, enabled, pass_sleepers):
    """What the walk finds, by sets: from every enabled body, newest first, over links to bodies that are not faulty."""
    store = world._store
    motions, links = store[MOTIONS], store[LINKS][: store.used(LINKS)]
    faulty = (motions["flags"] & FAULTY) != 0
    idle = [not enabled[row] and not faulty[row] and motions["inverse_mass"][row] > 0 for row in range(len(enabled))]
    asleep = [pass_sleepers and each for each in idle]
    of_body = {}
    for at, link in enumerate(links):
        for body in {int(link["body0"]), int(link["body1"])} - {0}:
            of_body.setdefault(body, []).append(at)
    result, seen = [], set()
    for seed in [body._row for body in reversed(world.bodies)]:
        if seed in seen or not enabled[seed]:
            continue
        members, ties, waiting = {seed}, set(), [seed]
        while waiting:
            body = waiting.pop()
            for at in of_body.get(body, ()):
                other = int(links[at]["body0"] + links[at]["body1"] - body)
                if other and asleep[other]:
                    continue
                ties.add(at)
                if other and not faulty[other] and other not in members:
                    members.add(other)
                    waiting.append(other)
        seen |= members
        result.append((members, ties))
    return result


def scene(sleep_rule):
    world = od.World(gravity=(0, 0, 0), solver="soft")
    world.sleep_rule = sleep_rule
    world.auto_disable = False
    one = net(world, (0, 0, 0))
    small = chain(world, (50, 0, 0))
    two = net(world, (0, 0, 9))
    three = net(world, (0, 0, 18))
    bridge = world.add_body(position=(30, 0, 0), mass=1.0, kinematic=True)
    world.add_ball(bridge, one[0])
    world.add_ball(bridge, small[0])
    world.add_ball(two[5])  # to the static world
    world.add_ball(two[7], three[9])
    world.add_body(position=(99, 0, 0), mass=1.0)
    return world, one, two, three


@pytest.mark.parametrize("sleep_rule", ["ode", "islands"])
@pytest.mark.parametrize("case", ["plain", "asleep", "faulty"])
def test_large_islands_are_those_of_a_walk(sleep_rule, case):
    world, one, _, three = scene(sleep_rule)
    world.advance(0.01)
    store = world._store
    if case == "asleep":
        for body in one[20:] + three:
            body.enabled = False
    elif case == "faulty":
        for body in three[SIDE : 2 * SIDE]:  # a row: it parts the net in two
            store[MOTIONS]["flags"][body._row] |= FAULTY | ENABLED
            store[MOTIONS]["flags"][body._row] ^= ENABLED
    enabled = (store[MOTIONS]["flags"] & ENABLED) != 0
    rows = {body._row for body in world.bodies}
    enabled = [bool(enabled[row]) and row in rows for row in range(store.used(MOTIONS))]
    pass_sleepers = sleep_rule == "islands"
    world.advance(0.01)
    if pass_sleepers and case == "asleep":  # links have woken what they lead to, one island's sleepers at a time
        enabled = [bool(store[MOTIONS]["flags"][row] & ENABLED) and row in rows for row in range(store.used(MOTIONS))]
    found, expected = islands(world), walked(world, enabled, pass_sleepers)
    assert [(set(bodies), set(links)) for bodies, links in found] == expected
    large = [k for k, (_, links) in enumerate(found) if len(links) >= LARGE]
    assert large
    for k in large:
        bodies, links = found[k]
        assert bodies == sorted(bodies)
        assert links == sorted(links)
        assert store[SLOTS][bodies].tolist() == list(range(len(bodies)))
    for bodies, _ in found:
        assert all(store[MOTIONS]["flags"][bodies] & ENABLED)
    assert store[REPORTS]["islands"][0] == len(found)
    inside = set().union(*(links for _, links in expected))
    assert {at for at in range(store.used(LINKS)) if store[LINKS]["visited"][at]} == inside


def test_joints_that_take_no_part_have_no_rows():
    """Where the rows of an earlier step stand, others have theirs by now."""
    world = od.World(gravity=(0, 0, -9.81))
    bodies = chain(world, (0, 0, 0))
    joint = world.add_hinge(bodies[0], axis=(1, 0, 0))
    world.advance(0.01, 3)
    assert np.any(joint.feedback.force1)
    for body in bodies:
        body.enabled = False
    world.advance(0.01)
    assert not np.any(joint.feedback.force1)


def test_there_is_room_for_as_many_islands_as_there_may_be():
    """Not for one a body, as most of a large world's bodies are in islands with others."""
    world = od.World(gravity=(0, 0, -9.81), solver="soft")
    net(world, (0, 0, 0))
    for k in range(30):
        chain(world, (3 * k, -5, 0))
    world.add_body(position=(0, 0, 50), mass=1.0)
    world.advance(0.01)
    store = world._store
    assert store.used(ISLANDS) == 32
    assert 32 <= len(store[ISLANDS]) < 40 < len(world.bodies)
