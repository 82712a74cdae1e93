"""Worlds that are restored after bodies, joints, geoms, groups and spaces were made, moved or destroyed."""

from __future__ import annotations

import gc

import pytest

import opendynamics as od
from opendynamics.api.saving.manifest import Manifest
from opendynamics.api.saving.snapshot import Snapshot
from opendynamics.core.arrays.geoms import GEOMS
from opendynamics.core.arrays.store import saved_tables
from tests.saving.trials import pile


def members(world):
    """Who is there, with what users see of it."""
    return (
        world.bodies,
        world.joints,
        world.geoms,
        [(body, body.name, body.data, body.geoms, body.joints) for body in world.bodies],
        [(joint, joint.bodies, joint.group, joint.enabled) for joint in world.joints],
        [(geom, geom.body, geom.space, geom.material, geom.position.tolist()) for geom in world.geoms],
        world.surfaces.materials,
    )


def continued(world, steps=6):
    found = [world.state_hash()]
    for _ in range(steps):
        world.advance(0.01)
        found.append(world.state_hash())
    return found


def destroy_all(world, bodies):
    for body in bodies:
        for geom in body.geoms:
            geom.destroy()
        body.destroy()


def replace_bodies(world, bodies):
    destroy_all(world, bodies[:4])
    for k in range(6):
        world.add_body(od.Sphere(0.2), position=(k, 0, 1))


def undo_joints(world, bodies):
    world.joints[0].destroy()
    world.joints[0].attach(bodies[3], bodies[4])
    world.add_slider(bodies[5], bodies[6], axis=(0, 0, 1))


def move_geoms(world, bodies):
    elsewhere = od.World()
    shape = bodies[2].geoms[0]
    shape.body = None
    world.space.remove(shape)
    shape.body = bodies[3]
    further = bodies[5].geoms[0]
    world.space.remove(further)
    od.HashSpace([further])
    ground = next(geom for geom in world.geoms if geom.body is None)
    world.space.remove(ground)
    elsewhere.add_geom(od.Plane((0, 0, 1)))


def nest_spaces(world, bodies):
    inner = od.SimpleSpace(space=world.space)
    shape = bodies[1].geoms[0]
    world.space.remove(shape)
    inner.add(shape)
    inner.enabled = False


def rename(world, bodies):
    bodies[0].name, bodies[1].data, world.name = "other", [1, 2], "another"
    bodies[2].geoms[0].material = "new"
    world.surfaces["new", "ice"] = od.Surface(mu=3.0)
    bodies[3].moved_callback = print


def reshape(world, bodies):
    bodies[0].geoms[0].lengths = (2.0, 0.1, 0.1)
    bodies[1].mass = 77.0
    bodies[1].geoms[0].radius = 0.5
    bodies[4].geoms[0].enabled = False


@pytest.mark.parametrize(
    "change",
    [destroy_all, replace_bodies, undo_joints, move_geoms, nest_spaces, rename, reshape, lambda *_: gc.collect()],
)
@pytest.mark.parametrize("steps", [0, 3])
def test_whatever_changed_since_is_undone(change, steps):
    world, bodies = pile()
    bodies[3].data = "kept"
    world.advance(0.01, steps=45)
    snapshot, before = world.save(), members(world)
    first = continued(world)
    change(world, bodies)
    if steps:
        world.advance(0.01, steps=steps)
    world.restore(snapshot)
    assert members(world) == before
    assert continued(world) == first
    change(world, bodies)
    world.restore(snapshot)
    assert members(world) == before
    assert continued(world) == first


def test_new_handles_are_dead_and_old_ones_are_valid():
    world, bodies = pile()
    group = od.JointGroup()
    snapshot = world.save()
    body = world.add_body(od.Sphere(1.0), name="newcomer")
    geom = body.geoms[0]
    joint = world.add_ball(body, bodies[0], group=group)
    bodies[5].destroy()
    world.restore(snapshot)
    for new in (body, geom, joint):
        assert not new.alive
    for use in (
        lambda: body.position,
        lambda: geom.radius,
        lambda: joint.anchor,
        body.destroy,
        joint.destroy,
    ):
        with pytest.raises(od.DestroyedError):
            use()
    assert len(group) == 0
    group.empty()
    bodies[5].position = (1, 2, 3)
    # Whatever takes the rows of those that are gone does not bring them back.
    for _ in range(3):
        world.add_body(od.Sphere(1.0))
    assert not body.alive
    assert not geom.alive


def test_one_can_go_to_and_fro_between_snapshots_of_different_structure():
    world, _ = pile(4)
    seen = []
    for k in range(5):
        seen.append((world.save(), members(world), continued(world)))
        world.add_body(od.Sphere(0.1), position=(0, 0, 3 + k), name=f"further {k}")
        if k % 2:
            world.bodies[k].destroy()
    for k in (0, 4, 2, 3, 1, 1, 4, 0):
        snapshot, there, then = seen[k]
        world.restore(snapshot)
        assert members(world) == there
        assert continued(world) == then


def test_groups_are_as_they_were():
    world, bodies = pile(4)
    group, other = od.JointGroup(), od.JointGroup()
    joints = [world.add_ball(bodies[k], bodies[k + 1], group=group) for k in range(3)]
    snapshot = world.save()
    joints[1].destroy()
    late = world.add_ball(bodies[0], bodies[2], group=group)
    world.add_ball(bodies[0], bodies[3], group=other)
    world.restore(snapshot)
    assert list(group) == joints
    assert not list(other)
    assert not late.alive
    group.empty()
    assert not any(joint.alive for joint in joints)
    world.restore(snapshot)
    assert list(group) == joints
    assert all(joint.group is group for joint in joints)


def test_the_classic_loop_with_a_space_and_ground_of_its_own():
    world = od.World(gravity=(0, 0, -9.81))
    space, contacts = od.HashSpace(), od.JointGroup()
    ground = od.Plane((0, 0, 1), space=space)
    bodies = [world.add_body(od.Box((1, 1, 1)), position=(0.1 * k, 0, 0.4 + 1.01 * k), space=space) for k in range(3)]

    def near(a, b):
        for contact in od.collide(a, b, max_contacts=8):
            world.add_contact(contact, surface=od.Surface(mu=0.5, bounce=0.2), group=contacts)

    def run(steps):
        found = []
        for _ in range(steps):
            space.collide(near)
            world.step(0.01)
            found.append(world.state_hash())
            contacts.empty()
        return found

    run(20)
    snapshot = world.save()
    first = run(10)
    ground.d, ground.enabled = 0.5, False
    world.restore(snapshot)
    assert ground.d == 0.0
    assert ground.enabled
    assert run(10) == first
    ground.destroy()
    bodies[1].geoms[0].destroy()
    box = od.Box((3, 3, 3), space=space)
    world.restore(snapshot)
    assert ground.alive
    assert box not in space
    assert box.space is None
    assert run(10) == first
    space.destroy()
    world.restore(snapshot)
    assert space.alive
    assert ground in space
    assert run(10) == first
    run(100)
    space.collide(near)  # mid-contact, with contacts in the group
    world.step(0.01)
    snapshot, feedback = world.save(), [joint.feedback.force1.tolist() for joint in contacts]
    assert any(any(force) for force in feedback)
    contacts.empty()
    second = run(5)
    world.restore(snapshot)
    assert [joint.feedback.force1.tolist() for joint in contacts] == feedback
    contacts.empty()
    assert run(5) == second


def test_geoms_in_no_space_and_on_no_body_are_saved_too():
    world, bodies = pile(3)
    shape = bodies[0].geoms[0]
    world.space.remove(shape)
    shape.body = None
    assert shape._home is world._home
    snapshot = world.save()
    world.add_geom(shape)
    world.restore(snapshot)
    assert shape.space is None
    assert shape not in world.space
    world.add_geom(shape)
    shape.destroy()
    world.restore(snapshot)
    assert shape.alive
    rows = sum(generation >= 0 for generation in world._home.geoms.generations)
    assert rows == len(world.geoms) + 1
    shape.destroy()
    assert world.save() is not snapshot
    Manifest.of(world)


def test_geoms_of_transforms_meshes_and_fields_are_as_they_were():
    world = od.World(gravity=(0, 0, -9.81))
    field = od.HeightfieldData([[0.0, 0.1, 0.0]] * 3, 4.0, 4.0)
    land = world.add_geom(od.Heightfield(field, up="z"))
    corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    faces = [(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)]
    mesh = od.Trimesh(corners, faces)
    world.add_body(mesh, position=(0.5, 0.5, 0.5))
    held = od.Sphere(0.2, position=(0, 0, 0.5))
    body = world.add_body(position=(-1, 0, 1), mass=1.0)
    carried = od.GeomTransform(held, body=body, space=world.space)
    hull = od.Convex.hull([*corners, (1, 1, 1)])
    world.add_body(hull, position=(-1, -1, 2))
    world.advance(0.01, steps=30)
    snapshot, first = world.save(), continued(world)
    before = held.radius, mesh.mesh, land.field.heights.tolist(), hull.points.tolist()
    field.update([[1.0, 1.1, 1.0]] * 3)
    held.radius = 0.7
    carried.geom = None
    mesh.mesh = od.MeshData([(2 * x, y, z) for x, y, z in corners], faces)
    hull.reshape([(3 * x, y, z) for x, y, z in hull.points], hull.polygons)
    world.advance(0.01, steps=5)
    world.restore(snapshot)
    assert carried.geom is held
    assert (held.radius, mesh.mesh, land.field.heights.tolist(), hull.points.tolist()) == before
    assert continued(world) == first
    written = Snapshot.from_bytes(snapshot.to_bytes())
    records, read = (each._tables[saved_tables().index(GEOMS)].view(GEOMS.dtype) for each in (snapshot, written))
    for name in ("data", "owner"):  # addresses and numbers of this process are for itself alone
        assert records[name].any() and not read[name].any()
    other, another = od.World.load(snapshot), od.World.load(written)
    field.update([[2.0, 2.1, 2.0]] * 3)
    assert continued(other) == continued(another) == first
