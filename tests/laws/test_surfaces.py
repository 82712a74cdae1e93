"""Bodies on meshes and heightfields: nothing catches on internal edges, falls through ridges, or rests on fewer than three
points.
"""

import numpy as np
import pytest

import opendynamics as od


def tiles(count=21, cell=0.5, height=None):
    """Vertices and triangles of a square field of cells around the origin, z up."""
    line = (np.arange(count) - 0.5 * (count - 1)) * cell
    x, y = np.meshgrid(line, line)
    z = np.zeros_like(x) if height is None else height(x, y)
    corner = np.arange(count * count).reshape(count, count)
    a, b, c, d = corner[:-1, :-1], corner[:-1, 1:], corner[1:, :-1], corner[1:, 1:]
    triangles = np.concatenate([np.stack([a, b, c], -1).reshape(-1, 3), np.stack([b, d, c], -1).reshape(-1, 3)])
    return np.column_stack([x.ravel(), y.ravel(), z.ravel()]), triangles


def mesh_floor(height=None):
    return od.Trimesh(*tiles(height=height))


def field_floor(height=None):
    points, _ = tiles(height=height)
    # The rows of a heightfield run along -y of the world if its z is up.
    return od.Heightfield(points[:, 2].reshape(21, 21)[::-1], width=10.0, depth=10.0, thickness=1.0, up="z")


FLOORS = {"trimesh": mesh_floor, "heightfield": field_floor}
BODIES = {
    "sphere": lambda: od.Sphere(0.2),
    "box": lambda: od.Box((0.7, 0.4, 0.4)),
    "capsule": lambda: od.Capsule(0.2, 0.4),
    "cylinder": lambda: od.Cylinder(0.3, 0.4),
    "convex": lambda: od.Convex.hull([(x, y, z) for x in (-0.35, 0.35) for y in (-0.2, 0.2) for z in (-0.2, 0.2)]),
    "trimesh": lambda: od.Trimesh(*cube((0.7, 0.4, 0.4))),
}
BOTTOM = {"sphere": 0.2, "capsule": 0.4}


def cube(lengths):
    corners = 0.5 * np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * lengths
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return corners, [t for a, b, c, d in faces for t in ((a, b, c), (a, c, d))]


@pytest.mark.parametrize("floor", FLOORS)
@pytest.mark.parametrize("body", BODIES)
def test_nothing_catches_on_the_seams_of_a_flat_floor(floor, body):
    """Contacts along a sliding path, in any heading, push straight up, and as deep as the body is."""
    ground, rng = FLOORS[floor](), np.random.default_rng(1)
    depth = 0.003
    for _ in range(60):
        turn = rng.uniform(0.0, 2 * np.pi)
        geom = BODIES[body]()
        geom.position = (*rng.uniform(-3.0, 3.0, 2), BOTTOM.get(body, 0.2) - depth)
        geom.quaternion = (np.cos(turn / 2), 0.0, 0.0, np.sin(turn / 2))
        for _ in range(5):
            geom.position = geom.position + 0.11 * np.array([np.cos(turn), np.sin(turn), 0.0])
            contacts = od.collide(geom, ground, max_contacts=16)
            assert contacts
            for contact in contacts:
                assert abs(contact.normal - (0.0, 0.0, 1.0)).max() < 1e-12
                assert contact.depth == pytest.approx(depth, abs=1e-12)


@pytest.mark.parametrize("floor", FLOORS)
@pytest.mark.parametrize("body", ["sphere", "box", "cylinder", "convex"])
def test_a_sliding_body_keeps_its_normal_velocity(floor, body):
    world = od.World(gravity=(0, 0, -9.81))
    world.surfaces.default = od.Surface(mu=0.0)
    world.add_geom(FLOORS[floor]())
    slider = world.add_body(BODIES[body](), position=(-3.1, 0.07, BOTTOM.get(body, 0.2) - 1e-4), mass=1.0)
    world.advance(0.01, steps=100)
    height, turn = slider.position[2], slider.linear_velocity[2]
    assert abs(turn) < 1e-9
    slider.linear_velocity = (2.0, 0.3, turn)
    for _ in range(200):
        world.advance(0.01)
        assert abs(slider.linear_velocity[2]) < 1e-9
        assert abs(slider.position[2] - height) < 1e-9
    assert slider.linear_velocity[:2] == pytest.approx((2.0, 0.3), abs=1e-9)


@pytest.mark.parametrize("floor", FLOORS)
@pytest.mark.parametrize("body", ["box", "cylinder", "convex", "trimesh"])
def test_a_body_on_a_face_has_three_contacts_from_the_first_step(floor, body):
    ground = FLOORS[floor]()
    for place in np.random.default_rng(2).uniform(-2.0, 2.0, (40, 2)):
        geom = BODIES[body]()
        geom.position = (*place, 0.2 - 1e-9)
        for most in (3, 4, 8):
            contacts = od.collide(geom, ground, max_contacts=most)
            assert 3 <= len(contacts) <= most
            spots = np.array([contact.position[:2] for contact in contacts])
            sides = spots[1:] - spots[0]
            areas = abs(sides[:, None, 0] * sides[None, :, 1] - sides[:, None, 1] * sides[None, :, 0])
            assert areas.max() > 0.08


@pytest.mark.parametrize("floor", FLOORS)
@pytest.mark.parametrize("size", [0.02, 0.1, 0.4])
def test_nothing_falls_through_ridges(floor, size):
    """Small and large balls and boxes let go above sharp ridges and peaks stay above the surface."""

    def height(x, y):
        return 0.45 * (np.round(2 * x) % 2) + 0.3 * (np.round(2 * y) % 2)

    ground = FLOORS[floor](height)
    world = od.World(gravity=(0, 0, -9.81))
    world.surfaces.default = od.Surface(mu=0.3)
    world.add_geom(ground)
    rng = np.random.default_rng(3)
    bodies = []
    for k in range(60):
        x, y = rng.integers(-7, 8, 2) * 0.5
        shape = od.Sphere(size) if k % 2 else od.Box((2 * size, 2 * size, 2 * size))
        bodies.append(world.add_body(shape, position=(x, y, 1.0 + size + 0.9 * k * size), density=1000))
    world.advance(0.01, steps=200)
    highest = np.array([surface_height(ground, body.position) for body in bodies])
    inside = abs(np.array([body.position[:2] for body in bodies])).max(axis=1) < 4.9
    assert inside.sum() > 30
    assert (np.array([body.position[2] for body in bodies]) > highest)[inside].all()


def surface_height(ground, position):
    """Height of the surface above or below a place."""
    ray = od.Ray(20.0, start=(position[0], position[1], 10.0), direction=(0, 0, -1), closest_hit=True)
    hits = od.collide(ray, ground)
    return hits[0].position[2] if hits else -np.inf


@pytest.mark.parametrize("body", [name for name in BODIES if name != "trimesh"])
def test_a_body_below_a_heightfield_comes_up(body):
    ground = field_floor()
    geom = BODIES[body]()
    geom.position = (0.13, 0.21, -3.0)
    (contact,) = od.collide(geom, ground)
    assert abs(contact.normal - (0.0, 0.0, 1.0)).max() < 1e-12
    assert contact.depth == pytest.approx(3.0 + BOTTOM.get(body, 0.2), abs=1e-9)
    geom.position = (0.13, 6.0, -3.0)
    assert od.collide(geom, ground) == []


@pytest.mark.parametrize("wrap", [False, True])
def test_depth_below_every_sample_of_a_heightfield(wrap):
    """The last row and the last column belong to the field, and so do all borders between its cells."""
    heights = np.random.default_rng(5).uniform(0.0, 1.0, (5, 4))
    heights[-1], heights[:, -1] = heights[0], heights[:, 0]  # so that it can wrap
    field = od.Heightfield(heights, width=3.0, depth=8.0, wrap=wrap, thickness=1.0)
    ball, box = od.Sphere(0.01), od.Box((0.02, 0.02, 0.02))
    for k in range(5):
        for i in range(4):
            x, z = i - 1.5, 2.0 * k - 4.0
            assert field.point_depth((x, -2.0, z)) == pytest.approx(heights[k, i] + 2.0, rel=1e-14)
            if i < 3:
                middle = 0.5 * (heights[k, i] + heights[k, i + 1])
                assert field.point_depth((x + 0.5, -2.0, z)) == pytest.approx(middle + 2.0, rel=1e-14)
            if k < 4:
                middle = 0.5 * (heights[k, i] + heights[k + 1, i])
                assert field.point_depth((x, -2.0, z + 1.0)) == pytest.approx(middle + 2.0, rel=1e-14)
            ball.position = box.position = (x, -0.5, z)
            (contact,) = od.collide(box, field)
            assert contact.depth == pytest.approx(heights[k, i] + 0.51, rel=1e-12)
            assert contact.position == pytest.approx([x, heights[k, i], z], abs=1e-12)
            (contact,) = od.collide(ball, field)  # a ball leaves by the nearest place, which may be aside
            assert 0.51 <= contact.depth <= heights[k, i] + 0.51 + 1e-12
    if not wrap:
        for x, z in ((1.5, 0.0), (-1.5, 0.0), (0.0, 4.0), (0.0, -4.0)):
            assert field.point_depth((x * (1.0 + 1e-9), -2.0, z * (1.0 + 1e-9))) == -np.inf


def test_rays_onto_the_border_of_a_heightfield_meet_it_however_it_is_turned():
    """Rounding tilts a ray a little, to either side: at the border it is still the field's, as at that of a mesh."""
    random = np.random.default_rng(7)
    heights = random.uniform(0.0, 1.0, (5, 4))
    for turn in [(1, 0, 0, 0), *random.normal(size=(8, 4))]:
        field = od.Heightfield(heights, width=3.0, depth=8.0, position=random.uniform(-5, 5, 3), quaternion=turn)
        for k in range(5):
            for i in range(4):
                start = field.point_to_world((i - 1.5, 6.0, 2.0 * k - 4.0))
                (hit,) = od.collide(od.Ray(9.0, start, -field.rotation[:, 1], closest_hit=True), field)
                assert hit.depth == pytest.approx(6.0 - heights[k, i], abs=1e-9)
        for beside in ((1.5 + 1e-9, 6.0, 0.0), (0.0, 6.0, -4.0 - 1e-9)):
            assert not od.collide(od.Ray(9.0, field.point_to_world(beside), -field.rotation[:, 1]), field)


def test_nothing_is_read_behind_the_last_row_of_a_heightfield():
    """The record of a field of 5 rows says 4: what is in memory behind them is not a number."""
    data = od.HeightfieldData(np.random.default_rng(5).uniform(0.0, 1.0, (5, 4)), width=3.0, depth=4.0)
    data._heights[4] = np.nan
    data._record["rows"], data._record["first_z"] = 4, -1.5  # a depth of 3 m
    field, heights = od.Heightfield(data), data._heights
    for i in range(4):
        x, y = i - 1.5, heights[3, i]
        assert field.point_depth((x, y - 2.0, 1.5)) == pytest.approx(2.0, rel=1e-14)
        below = od.Box((0.02, 0.02, 0.02), position=(x, -0.5, 1.5))
        assert [contact.depth for contact in od.collide(below, field)] == pytest.approx([y + 0.51], rel=1e-12)
        for shape in (od.Sphere(0.1), od.Box((0.2, 0.2, 0.2)), od.Capsule(0.1, 0.2), od.Cylinder(0.1, 0.2)):
            shape.position = (x, y, 1.5)
            contacts = od.collide(shape, field)
            assert contacts and all(np.isfinite([contact.depth, *contact.normal]).all() for contact in contacts)
        (hit,) = od.collide(od.Ray(9.0, (x, 5.0, 1.5), (0, -1, 0), closest_hit=True), field)
        assert hit.depth == pytest.approx(5.0 - y, rel=1e-12)


def corner():
    """Three sides of a hollow cube that meet at the origin."""
    points = [(0, 0, 0), (4, 0, 0), (0, 4, 0), (0, 0, 4), (4, 4, 0), (0, 4, 4), (4, 0, 4)]
    return od.Trimesh(points, [(0, 1, 4), (0, 4, 2), (0, 2, 5), (0, 5, 3), (0, 3, 6), (0, 6, 1)])


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("most", [3, 4, 6])
def test_few_contacts_in_a_corner_push_off_all_of_its_sides(body, most):
    """As many contacts as the corner has sides: one for each, not several of the same side."""
    ground, rng = corner(), np.random.default_rng(6)
    geom = BODIES[body]()
    for _ in range(40):
        pose = rng.normal(size=4)
        geom.position, geom.quaternion = (0, 0, 0), pose
        low = geom.aabb[::2]
        geom.position = -low - rng.uniform(0.001, 0.01, 3)
        contacts = od.collide(geom, ground, max_contacts=most)
        every = od.collide(geom, ground, max_contacts=64)
        sides = {tuple(np.round(contact.normal, 6)) for contact in every}
        assert sides >= set(map(tuple, np.eye(3)))
        if len(sides) == 3:
            assert {tuple(np.round(contact.normal, 6)) for contact in contacts} == sides
        assert max(contact.depth for contact in contacts) == max(contact.depth for contact in every)


def test_a_field_that_wraps_has_no_end():
    heights = 0.2 * np.sin(2 * np.pi * np.arange(9) / 8)[None, :] * np.ones((9, 1))
    field = od.Heightfield(heights, width=8.0, depth=8.0, wrap=True, up="z")
    assert np.isinf(field.aabb[:4]).all() and abs(field.aabb[4:]) == pytest.approx(0.2)
    ball = od.Sphere(0.3)
    found = []
    for far in (0.0, 80.0, -8000.0):
        ball.position = (2.3 + far, 1.1 - far, 0.05)
        contacts = od.collide(ball, field)
        assert contacts
        found.append((contacts[0].depth, *contacts[0].normal))
    assert found[1] == pytest.approx(found[0], abs=1e-10)
    assert found[2] == pytest.approx(found[0], abs=1e-8)
