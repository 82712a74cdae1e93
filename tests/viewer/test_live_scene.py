"""The scene sent to the browser: batches, colours, overlays; without a browser."""

import numpy as np
import pytest

import opendynamics as od

pytest.importorskip("viser", reason="the live view needs viser")

from opendynamics.viewer.live.measures import contact_forces
from opendynamics.viewer.live.overlays.drawing.arrows import Arrows
from opendynamics.viewer.live.panels.picked import numbers_of
from opendynamics.viewer.meshes import place_of
from opendynamics.viewer.srgb import encoded
from tests.viewer.showing import batch_of, ids_of, show


def test_geoms_are_shown_in_batches_where_they_are(viewer, world):
    batches = viewer._session.batches
    assert [len(b.members) for b in batches.batches] == [1, 1, 2, 1, 1]  # plane, wall, balls, hammer's two
    for _ in range(30):
        world.advance(0.01)
    viewer.sync()
    for batch in batches.batches:
        for handle in batch.handles:
            for k, number in enumerate(batch.members):
                geom = batches.geoms[number]
                if geom.shape != "plane":
                    np.testing.assert_allclose(handle.batched_positions[k], geom.position, atol=1e-5)
                    q = handle.batched_wxyzs[k].astype(float)
                    turn = od.rotation.matrix_from_quaternion(q / np.linalg.norm(q))
                    np.testing.assert_allclose(turn, geom.rotation, atol=1e-5)
    np.testing.assert_allclose(batch_of(viewer, "sphere").handles[0].batched_scales, [[0.5] * 3, [0.25] * 3])


def test_every_shape_is_shown_where_its_record_is_told():
    """Poses of all at once, against those that the kernels give one by one."""
    corners = [(0, 0, 0), (1, 0, 0), (0, 2, 0), (0, 0, 3)]
    faces = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
    turn = (0.5, 0.1, -0.3, 0.8)
    world, space = od.World(), od.HashSpace()
    places = [{}, {"position": (1, 2, 3)}, {"position": (1, 2, 3), "quaternion": turn}]
    for k, place in enumerate(places):
        shapes = [
            od.Box((1, 2, 3), **place),
            od.Capsule(0.2, 1.0, **place),
            od.Convex(corners, faces, **place),
            od.Trimesh(corners, faces, **place),
            od.GeomTransform(od.Cylinder(0.2, 1.0, position=(0, 1, 0), quaternion=turn), **place),
        ]
        body = world.add_body(*shapes, position=(k, -k, 5), quaternion=(1, k, 2, 3), angular_velocity=(1, 2, 3))
        body.linear_velocity = (3, 2, 1)
        world.add_geom(od.Cylinder(0.3, 0.4, **place))
        space.add(od.Sphere(0.3 + k, **place))
    space.add(od.Plane((0, 1, 1), 0.5))
    with show(world, threaded=False, spaces=[space]) as viewer:
        world.step(0.1)
        viewer.sync()
        batches = viewer._session.batches
        assert len(batches.geoms) == 3 * 7 + 1
        for batch in batches.batches:
            for k, number in enumerate(batch.members):
                position, rotation = place_of(batches.geoms[number], batches.detail)
                np.testing.assert_allclose(batch.handles[0].batched_positions[k], position, atol=1e-5)
                q = batch.handles[0].batched_wxyzs[k].astype(float)
                found = od.rotation.matrix_from_quaternion(q / np.linalg.norm(q))
                np.testing.assert_allclose(found, rotation, atol=1e-5)


def test_two_tones_are_all_of_the_mesh(viewer):
    batch = batch_of(viewer, "sphere")
    assert [handle.name.rpartition("/")[2] for handle in batch.handles] == ["0", "1"]
    assert sum(len(handle.faces) for handle in batch.handles) == len(batch.mesh.faces)
    assert min(len(handle.faces) for handle in batch.handles) > 0


def test_walls_of_glass(viewer, world):
    viewer._session.batches.see_through_walls(True)
    assert batch_of(viewer, "box", moves=False).handles[0].opacity < 0.5
    assert batch_of(viewer, "plane", moves=False).handles[0].opacity is None
    assert batch_of(viewer, "box").handles[0].opacity is None
    world.add_geom(od.Box((1, 1, 1), position=(0, 8, 1)))
    viewer.sync()
    assert batch_of(viewer, "box", moves=False).handles[0].opacity < 0.5
    viewer._session.batches.see_through_walls(False)
    assert batch_of(viewer, "box", moves=False).handles[0].opacity is None


def test_standing_geoms_follow_when_they_are_put_elsewhere(viewer, world):
    wall = next(geom for geom in world.geoms if geom.name == "wall")
    wall.position, wall.quaternion = (7, 0, 1), (1, 0, 0, 1)
    viewer.sync()
    handle = batch_of(viewer, "box", moves=False).handles[0]
    np.testing.assert_allclose(handle.batched_positions, [(7, 0, 1)], atol=1e-6)
    np.testing.assert_allclose(abs(handle.batched_wxyzs), [(0.5**0.5, 0, 0, 0.5**0.5)], atol=1e-6)


def test_only_batches_whose_members_change_are_made_anew(viewer, world):
    before = {shape: ids_of(viewer, shape) for shape in ("sphere", "capsule")}
    new = world.add_body(od.Sphere(0.1), position=(0, 3, 1))
    viewer.sync()
    assert len(batch_of(viewer, "sphere").members) == 3
    assert ids_of(viewer, "capsule") == before["capsule"]
    assert ids_of(viewer, "sphere") != before["sphere"]
    same = ids_of(viewer, "sphere")
    for _ in range(5):
        world.advance(0.01)
        viewer.sync()
    assert ids_of(viewer, "sphere") == same
    for geom in new.geoms:
        geom.destroy()
    new.destroy()
    viewer.sync()
    assert len(batch_of(viewer, "sphere").members) == 2
    world.bodies[2].geoms[0].destroy()  # the last capsule there is
    viewer.sync()
    with pytest.raises(StopIteration):
        batch_of(viewer, "capsule")


def test_what_server_keeps_does_not_grow_with_bodies_that_come_and_go(viewer, world):
    def kept():
        return len(viewer._server._websock_server._broadcast_buffer.message_from_id)

    def come_and_go():
        body = world.add_body(od.Sphere(0.1), position=(0, 3, 1))
        viewer.sync()
        for geom in body.geoms:
            geom.destroy()
        body.destroy()
        viewer.sync()

    come_and_go()
    before = kept()
    for _ in range(20):
        come_and_go()
    assert kept() <= before


def test_a_changed_size_is_shown_by_the_same_batch(viewer, world):
    same = ids_of(viewer, "sphere")
    world.bodies[0].geoms[0].radius = 0.75
    viewer.sync()
    assert ids_of(viewer, "sphere") == same
    np.testing.assert_allclose(batch_of(viewer, "sphere").handles[0].batched_scales[0], [0.75] * 3)


def test_moving_surfaces_and_boxes_of_users_are_followed(world):
    field = od.HeightfieldData(np.zeros((3, 3)), 2, 2)
    world.add_geom(od.Heightfield(field))
    reach = [1.0]
    box = od.GeomClass("box", bounds=lambda geom: (0, reach[0], 0, 1, 0, 1), collider=lambda a, b, n: [])
    world.add_geom(box())
    with show(world, threaded=False) as viewer:
        assert abs(batch_of(viewer, "heightfield", moves=False).mesh.vertices[:, 1]).max() == 0
        field.update(np.ones((3, 3)))
        reach[0] = 3.0
        viewer.sync()
        assert batch_of(viewer, "heightfield", moves=False).mesh.vertices[:, 1].max() == 1
        sizes = batch_of(viewer, "box", moves=False).handles[0].batched_scales
        np.testing.assert_allclose(sizes.max(axis=0)[0], 3.0)


def colours_shown(handle):
    """sRGB, 0 to 255: viser takes colours of batches for amounts of light."""
    return encoded(handle.batched_colors / 255.0).astype(int)


def test_colours_tell_the_state(viewer, world):
    handle = batch_of(viewer, "sphere").handles[0]
    active = colours_shown(handle)[1]
    world.bodies[1].enabled = False
    viewer.sync()
    assert abs(colours_shown(handle)[1] - active).max() > 50
    viewer._session.batches.painter.by = "body"
    viewer.sync()
    assert abs(colours_shown(handle)[0] - colours_shown(handle)[1]).max() > 30


def test_a_given_colour_is_that_of_the_picture(viewer, world):
    """(255, 165, 0), taken for light, would be shown as (255, 208, 0)."""
    world.bodies[0].color = "orange"
    viewer.sync()
    assert np.allclose(colours_shown(batch_of(viewer, "sphere").handles[0])[0], (255, 165, 0), atol=2)
    arrows = Arrows(viewer._server.scene, "/arrows", (240, 60, 120))
    arrows.show(np.eye(3)[None, :2], 1.0)
    assert np.allclose(encoded(arrows._handle.colors / 255.0), (240, 60, 120), atol=2)


def test_many_geoms_show_one_tone_only():
    world = od.World()
    for k in range(700):
        world.add_body(od.Sphere(0.1), position=(k, 0, 0))
    with show(world, threaded=False) as viewer:
        assert len(batch_of(viewer, "sphere").handles) == 1


def test_contact_forces_carry_the_weight():
    world = od.World(gravity=(0, 0, -10))
    world.add_plane()
    box = world.add_body(od.Box((1, 1, 1)), position=(0, 0, 0.5), mass=3)
    world.advance(0.01, steps=50)
    places, forces = contact_forces(world)
    assert len(places) == 4
    np.testing.assert_allclose(forces.sum(axis=0), (0, 0, 30), atol=1e-6)
    np.testing.assert_allclose(
        np.sort(places[:, :2], axis=0), [[-0.5] * 2, [-0.5] * 2, [0.5] * 2, [0.5] * 2], atol=1e-6
    )
    assert numbers_of(box.geoms[0])["touches"] == "4 points"


def test_joints_are_shown_at_their_anchors_as_bodies_move():
    world = od.World(gravity=(0, 0, -9.81))
    arm = world.add_body(od.Box((1, 0.1, 0.1)), position=(0.5, 0, 0), mass=1)
    hand = world.add_body(od.Sphere(0.1), position=(1, 0, 0.5), mass=1)
    hinge = world.add_hinge(arm, None, anchor=(0, 0, 0), axis=(0, 1, 0))
    slider = world.add_slider(hand, arm, axis=(0, 0, 1))
    with show(world, threaded=False) as viewer:
        viewer.call(lambda: viewer._session.show_overlay("joints", True))
        for _ in range(40):
            world.advance(0.01)
        viewer.sync()
        overlay = viewer._session.overlays["joints"]
        ties, axes = overlay._ties._handle.points, overlay._axes._handle.points
        np.testing.assert_allclose(ties[0], [arm.position, hinge.anchor], atol=1e-5)
        middles, along = axes.mean(axis=1), axes[:, 1] - axes[:, 0]
        np.testing.assert_allclose(middles, [hinge.anchor, hand.position], atol=1e-5)
        unit = along / np.linalg.norm(along, axis=1, keepdims=True)
        np.testing.assert_allclose(unit, [hinge.axis, slider.axis], atol=1e-5)


def test_boxes_trails_and_centres(viewer, world):
    for name in ("boxes", "centres", "trails"):
        viewer._session.show_overlay(name, True)
    world.advance(0.01)
    viewer.sync()
    boxes = viewer._session.overlays["boxes"]._lines._handle.points.reshape(-1, 12, 2, 3)
    bounds = sorted(geom.aabb.tolist() for geom in world.geoms if np.isfinite(geom.aabb).all())
    found = sorted(np.stack([b.min(axis=(0, 1)), b.max(axis=(0, 1))], axis=1).reshape(6).tolist() for b in boxes)
    np.testing.assert_allclose(found, bounds, atol=2e-3)  # the step after the collision moved them on
    centres = viewer._session.overlays["centres"]._dots._handle.points
    np.testing.assert_allclose(centres, world.positions, atol=1e-5)
    viewer._session.source._steps = 10  # a tenth of a second later
    before = world.positions
    world.advance(0.01, steps=10)
    viewer.sync()
    trail = viewer._session.overlays["trails"]._lines._handle.points
    np.testing.assert_allclose(trail, np.stack([before, world.positions], axis=1), atol=1e-5)


def test_only_pulls_are_shown_at_first(viewer):
    assert viewer._session.shown == {"pulls"}


def test_overlays_show_nothing_where_there_is_nothing_any_more():
    world = od.World(gravity=(0, 0, -9.81))
    world.add_plane()
    ball = world.add_body(od.Sphere(0.5), position=(0, 0, 0.499))
    with show(world, threaded=False) as viewer:
        viewer._session.show_overlay("contacts", True)
        dots = viewer._session.overlays["contacts"]._dots
        lines = viewer._session.overlays["contacts"]._lines
        for height, seen in ((0.499, True), (5.0, False), (0.499, True)):
            ball.position = (0, 0, height)
            world.advance(0.001)
            viewer.sync()
            assert dots._handle.visible == lines._handle.visible == seen
        np.testing.assert_allclose(dots._handle.points, [[0, 0, 0]], atol=0.01)
        viewer._session.show_overlay("contacts", False)
        assert not dots._handle.visible and not lines._handle.visible
