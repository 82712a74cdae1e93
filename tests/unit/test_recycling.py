"""Contacts of geoms that have hardly moved are carried along (`core/collide/recycling.py`)."""

import copy
import pickle

import numpy as np
import pytest

import opendynamics as od
from opendynamics.core.arrays.contacts import POINTS
from opendynamics.core.arrays.report import REPORTS

H = 0.01


def ground_mesh(height=0.0):
    x = np.linspace(-3.0, 3.0, 7)
    vertices = np.array([(a, b, height) for a in x for b in x])
    corner = np.array([7 * i + j for i in range(6) for j in range(6)])
    triangles = np.vstack([np.stack(np.array(each), axis=1) for each in (
        (corner, corner + 7, corner + 8), (corner, corner + 8, corner + 1))])  # fmt: skip
    return od.Trimesh(vertices, triangles)


def heightfield():
    return od.Heightfield(np.zeros((5, 5)), width=6.0, depth=6.0, up="z")


HULL = np.array([(x, y, z) for x in (-0.2, 0.2) for y in (-0.3, 0.3) for z in (-0.1, 0.1)])


def table():
    return od.Convex.hull(10 * HULL, position=(0, 0, -1.0))


GROUNDS = {"mesh": ground_mesh, "heightfield": heightfield, "hull": table}
BODIES = {"box": lambda: od.Box((0.4, 0.5, 0.2)), "hull": lambda: od.Convex.hull(HULL)}  # 0.2 m high


def resting(ground="mesh", body="box", **options):
    """A world with a body at rest on a ground, and the body."""
    world = od.World(gravity=(0, 0, -9.81), **options)
    world.auto_disable = False
    world.add_geom(GROUNDS[ground]())
    block = world.add_body(BODIES[body](), position=(0.13, 0.21, 0.1), density=500)
    world.advance(H, steps=100)
    return world, block


def recycled(world, steps=1):
    world.advance(H, steps=steps)
    return world.statistics.recycled


def contacts_of(world):
    return np.array([(*c.position, *c.normal, c.depth) for c in world.contacts])


@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("body", BODIES)
def test_contacts_at_rest_are_recycled_and_those_of_the_narrowphase(ground, body):
    world, block = resting(ground, body)
    assert recycled(world) == 1
    other = copy.deepcopy(world)
    other.recycle_contacts = False
    before = contacts_of(world)
    for _ in range(20):
        world.advance(H)
        other.advance(H)
        assert world.statistics.recycled == 1
        assert other.statistics.recycled == 0
    ours, fresh = contacts_of(world), contacts_of(other)
    assert ours == pytest.approx(before, abs=1e-7)
    assert ours[:, 6].max() == pytest.approx(fresh[:, 6].max(), abs=1e-9)
    assert ours[:, :3].min(axis=0) == pytest.approx(fresh[:, :3].min(axis=0), abs=1e-6)
    assert block.position == pytest.approx(other.bodies[0].position, abs=1e-8)


def test_stacked_bodies_recycle_while_they_move_together():
    world = od.World(gravity=(0, 0, 0))
    low = world.add_body(od.Convex.hull(2 * HULL), position=(0, 0, -0.1), density=500)
    high = world.add_body(od.Convex.hull(HULL), position=(0, 0, 0.2 - 1e-8), density=500)
    for body in (low, high):
        body.linear_velocity = (1.0, 0.0, 0.0)
    world.advance(H)
    count = world.statistics.contacts
    assert count >= 3
    for step in range(2, 12):
        world.advance(H)
        assert world.statistics.recycled == 1
        assert world.statistics.contacts == count
        assert np.mean(contacts_of(world)[:, 0]) == pytest.approx(H * (step - 1), abs=1e-4)


def test_turning_together_turns_the_normals():
    world = od.World(gravity=(0, 0, 0))
    world.stabilization = "split"
    low = world.add_body(od.Convex.hull(2 * HULL), position=(0, 0, -0.1), density=500)
    high = world.add_body(od.Convex.hull(HULL), position=(0, 0, 0.2), density=500)
    turning = 1e-4
    for body in (low, high):
        body.angular_velocity = (turning, 0.0, 0.0)
        body.linear_velocity = np.cross((turning, 0, 0), body.position)
    world.advance(H, steps=5)
    assert world.statistics.recycled == 1
    normal = world.contacts[0].normal
    assert abs(normal[1]) == pytest.approx(4 * H * turning, rel=1e-3)


def test_a_pair_is_collided_again_when_its_motion_adds_up():
    world, block = resting()
    world.gravity = (0, 0, 0)
    world.surfaces.default = od.Surface(mu=0.0)
    size = 0.5 * np.sqrt(0.4**2 + 0.5**2 + 0.2**2)
    speed = 0.3e-4 * size / H  # three tenths of the limit in each step
    block.linear_velocity = (speed, 0, 0)
    world.advance(H)
    pattern = [recycled(world) for _ in range(12)]
    assert 0 < sum(pattern) < 12
    runs = "".join(map(str, pattern)).strip("1").split("0")
    assert {len(run) for run in runs if run} == {3}


def test_contacts_end_where_surfaces_separate():
    world, block = resting()
    world.gravity = (0, 0, 0)
    world.recycle_contacts = False
    world.advance(H)
    world.recycle_contacts = True
    block.linear_velocity = (0, 0, 1e-5)  # 0.003 of the limit in each step, twice as far as contacts reach
    world.advance(H)
    assert world.statistics.contacts > 0
    world.advance(H, steps=4)
    assert world.statistics.contacts == 0


def test_sides_are_recycled_too():
    world, _ = resting()
    before = [(contact.side1, contact.side2) for contact in world.contacts]
    assert recycled(world) == 1
    assert max(max(sides) for sides in before) > 0
    assert [(contact.side1, contact.side2) for contact in world.contacts] == before


def reshaped_box(world, block):
    block.geoms[0].lengths = (0.2, 0.2, 0.2)


def destroyed_and_replaced(world, block):
    block.geoms[0].destroy()
    od.Box((0.2, 0.2, 0.2), body=block, space=world.space)


def sunk_mesh(world, block):
    world.geoms[0].mesh = ground_mesh(-0.05).mesh


CHANGES = {"lengths": reshaped_box, "another geom": destroyed_and_replaced, "mesh": sunk_mesh}


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_shape_is_collided_again(change):
    world, block = resting()
    assert recycled(world) == 1
    CHANGES[change](world, block)
    other = copy.deepcopy(world)
    other.recycle_contacts = False
    world.advance(H)
    other.advance(H)
    assert world.statistics.recycled == 0
    assert np.array_equal(contacts_of(world), contacts_of(other))


def test_changed_heights_are_collided_again():
    world, _ = resting("heightfield")
    assert recycled(world) == 1
    world.geoms[0].field.update(np.full((5, 5), -0.05))
    assert recycled(world) == 0
    assert world.statistics.contacts == 0


def test_a_reshaped_hull_is_collided_again():
    world, block = resting(body="hull")
    assert recycled(world) == 1
    points = 0.5 * HULL
    block.geoms[0].reshape(points, od.Convex.hull(points).polygons)
    assert recycled(world) == 0


def test_a_limit_of_contacts_counts_at_once():
    """Pairs with more contacts than the limit are collided in each step."""
    world, _ = resting()
    world.max_contacts = 2
    for _ in range(3):
        assert recycled(world) == 0
        assert world.statistics.contacts == 2
        assert world.statistics.contacts_left_out > 0
    world.max_contacts = 8
    world.advance(H)
    assert world.statistics.contacts > 2


def test_another_collider_is_called_at_once():
    world, _ = resting("hull", "hull")
    assert recycled(world) == 1
    calls = []
    od.set_collider(od.Convex, od.Convex, lambda *given: calls.append(given) or NotImplemented)
    try:
        assert recycled(world, 3) == 0
        assert len(calls) == 3
    finally:
        od.set_collider(od.Convex, od.Convex, None)
    assert recycled(world) == 0


def test_a_moved_geom_is_collided_again():
    world, block = resting()
    block.position += np.array((0.001, 0, 0))
    assert recycled(world) == 0
    assert recycled(world) == 1


def test_hooks_and_worlds_like_ode_recycle_nothing():
    world, _ = resting()
    assert recycled(world) == 1
    seen = []
    world.contact_modifier = seen.append
    assert recycled(world, 2) == 0
    world.contact_modifier = None
    world.contact_filter = lambda a, b: True
    assert recycled(world, 2) == 0
    world.contact_filter = None
    assert recycled(world, 2) == 1
    world.collider = "ode"
    assert recycled(world, 2) == 0
    world, _ = resting(like="ode")
    assert recycled(world, 2) == 0


def test_contact_joints_of_the_user_are_not_mistaken_for_recycled_ones():
    world, _ = resting()
    assert recycled(world) == 1
    group = od.JointGroup()
    world.add_contact(od.collide(world.geoms[0], world.geoms[1])[0], group=group)
    world.state_hash()  # writes it where the last step's contacts are
    group.empty()
    assert recycled(world) == 0
    assert recycled(world) == 1
    world.add_contact(od.collide(world.geoms[0], world.geoms[1])[0], group=group)
    assert recycled(world, 2) == 0


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda world: pickle.loads(pickle.dumps(world))])
def test_copies_continue_with_the_same_bits(copied):
    world, block = resting("heightfield", "hull")
    block.linear_velocity = (1e-4, 0, 0)
    world.advance(H, steps=3)
    assert world.statistics.recycled == 1
    other = copied(world)
    for _ in range(30):
        world.advance(H)
        other.advance(H)
        assert world.statistics.recycled == other.statistics.recycled
        assert np.array_equal(contacts_of(world), contacts_of(other))
    assert np.array_equal(world.positions, other.positions)
    assert world.state_hash() == other.state_hash()


def test_steps_without_collision_end_recycling():
    world, block = resting()
    world.gravity = (0, 0, 0)
    assert recycled(world) == 1
    with pytest.warns(od.MissingContactsWarning):
        world.step(1e-6)  # in which nothing collides
    block.linear_velocity = (0, 0, 0)
    other = pickle.loads(pickle.dumps(world))
    assert other.state_hash() == world.state_hash()
    assert recycled(world) == recycled(other) == 0
    assert recycled(world) == 1


def test_the_hash_of_a_state_includes_recycled_contacts():
    world, _ = resting()
    before = world.state_hash()
    world._store[POINTS]["depth"][0] += 1e-9
    assert world.state_hash() != before


def test_a_state_without_its_contacts_is_collided():
    """As after an interrupt before the first collision of a call."""
    world, _ = resting()
    world._store[REPORTS]["contacts"] = 0
    other = pickle.loads(pickle.dumps(world))
    assert recycled(other) == 0
    assert other.statistics.contacts > 0


def test_a_restored_world_repeats_its_bits():
    world, _ = resting()
    world.gravity = (0.2, 0, -9.81)
    world.advance(H)
    saved = world.save()
    ends = []
    for _ in range(2):
        world.advance(H, steps=25)
        ends.append((world.positions.copy(), contacts_of(world)))
        world.restore(saved)
    assert np.array_equal(ends[0][0], ends[1][0])
    assert np.array_equal(ends[0][1], ends[1][1])


def test_memory_that_grows_within_a_step_changes_nothing():
    """A step that is begun again finds its own contacts, at the same poses."""
    counts, ends = [], []
    for spare in (True, False):
        world, _ = resting()
        places = [(x, y, 0.1) for x in (-2, -1, 1, 2) for y in (-2, -1, 1, 2)]
        world.add_bodies(od.Box((0.2, 0.2, 0.2)), places, density=500)
        counts.append([])
        for _ in range(40):
            counts[-1].append(recycled(world))
            if not spare:
                world = pickle.loads(pickle.dumps(world))
        ends.append(world.positions.copy())
    assert counts[0] == counts[1]
    assert counts[0][0] == 1
    assert counts[0][-1] > 10
    assert np.array_equal(*ends)


@pytest.mark.parametrize("shape", [od.Cylinder(0.2, 0.4), od.Capsule(0.2, 0.4), od.Sphere(0.2)])
def test_curved_surfaces_and_two_boxes_are_collided_in_every_step(shape):
    """Curved ones roll along their contacts."""
    world, _ = resting()
    assert recycled(world) == 1
    world.add_body(shape, position=(1, 1, 0.4), density=500)
    world.add_body(od.Box((0.4, 0.5, 0.2)), position=(0.13, 0.21, 0.3), density=500)
    assert recycled(world, 100) == 1
    assert world.statistics.pairs == 3


@pytest.mark.slow
def test_teams_recycle_with_the_same_bits():
    ends = []
    for threads in (1, 2):
        world = od.World(gravity=(0, 0, -9.81), solver="soft")
        world.auto_disable = False
        world.threads = threads
        world.add_geom(od.Box((60, 60, 1), position=(0, 0, -0.5)))
        places = [(x, y, 0.1) for x in np.arange(-26, 26) for y in np.arange(-26, 26)]
        for place in places:
            world.add_body(od.Convex.hull(HULL), position=place, density=500)
        world.advance(H, steps=30)
        assert world.statistics.recycled > 2000
        ends.append(world.positions.copy())
    assert np.array_equal(*ends)
