"""Cylinders, convex polyhedra, geom transforms and distances, through the public API."""

import numpy as np
import pytest

import opendynamics as od
from opendynamics.core.bodies.hulls.quickhull import hull_polygons

CORNERS = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
FACES = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]


def test_a_hull_has_the_mass_of_the_box_that_it_is():
    rng = np.random.default_rng(0)
    quaternion = rng.normal(size=4)
    turn = od.rotation.matrix_from_quaternion(quaternion / np.linalg.norm(quaternion))
    hull = od.Convex.hull(CORNERS * (0.5, 1.0, 1.5) @ turn.T + (100, 200, 300))
    assert len(hull.points) == 8 and sorted(map(len, hull.polygons)) == [4] * 6
    assert hull.volume == pytest.approx(6.0, rel=1e-11)
    assert hull.centroid == pytest.approx([100, 200, 300], rel=1e-14)
    body = od.World().add_body(hull, density=7.0)
    box = od.Mass.box((1, 2, 3), density=7.0).rotate(turn)
    assert body.mass == pytest.approx(42.0, rel=1e-11)
    assert body.inertia == pytest.approx(box.inertia, rel=1e-9)
    assert body.position == pytest.approx([100, 200, 300], rel=1e-14)


@pytest.mark.parametrize("count", [4, 10, 100])
def test_a_hull_holds_all_its_points_and_nothing_more(count):
    rng = np.random.default_rng(count)
    points = rng.normal(size=(count, 3))
    hull = od.Convex.hull(points)
    heights = points @ hull.planes[:, :3].T - hull.planes[:, 3]
    assert heights.max() < 1e-12
    assert {tuple(p) for p in hull.points} <= {tuple(p) for p in points}
    edges = {(a, b) for loop in hull.polygons for a, b in zip(loop, (*loop[1:], loop[0]), strict=True)}
    assert edges == {(b, a) for a, b in edges}
    sampled = rng.normal(size=(20_000, 3))
    inside = (sampled @ hull.planes[:, :3].T <= hull.planes[:, 3]).all(axis=1)
    depths = [hull.point_depth(point) > 0 for point in sampled[:200]]
    assert depths == inside[:200].tolist()


def test_points_on_a_grid_give_whole_faces():
    grid = np.array([[x, y, z] for x in range(5) for y in range(4) for z in range(3)], float)
    polygons = hull_polygons(grid)
    assert sorted(map(len, polygons)) == [4] * 6


def test_depths_of_points():
    hull, cylinder = od.Convex.hull(CORNERS), od.Cylinder(1.0, 4.0)
    assert hull.point_depth((0.5, 0, 0)) == 0.5 and hull.point_depth((2, 2, 2)) == pytest.approx(-np.sqrt(3))
    assert hull.point_depth((3, 0, 0)) == -2.0 and hull.point_depth((2, 2, 0)) == pytest.approx(-np.sqrt(2))
    assert cylinder.point_depth((0.25, 0, 0)) == 0.75 and cylinder.point_depth((0, 0, 1.9)) == pytest.approx(0.1)
    assert cylinder.point_depth((0, 4, 6)) == -5.0 and cylinder.point_depth((3, 0, 0)) == -2.0


def test_bounds_are_tight():
    rng = np.random.default_rng(3)
    for geom in (od.Convex.hull(rng.normal(size=(60, 3))), od.Cylinder(0.7, 2.0)):
        geom.position, geom.quaternion = rng.normal(size=3), rng.normal(size=4)
        angle = np.linspace(0, 2 * np.pi, 2000)
        rim = np.column_stack([0.7 * np.cos(angle), 0.7 * np.sin(angle)])
        points = geom.points if geom.shape == "convex" else np.vstack([np.c_[rim, np.full(2000, z)] for z in (-1, 1)])
        placed = points @ geom.rotation.T + geom.position
        expected = np.column_stack([placed.min(axis=0), placed.max(axis=0)]).reshape(6)
        assert geom.aabb == pytest.approx(expected, abs=1e-12 if geom.shape == "convex" else 1e-5)


FLAT = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: od.Convex.hull(FLAT), "lie in one plane"),
        (lambda: od.Convex.hull([[0, 0, 0]] * 8), "lie in one plane"),
        (lambda: od.Convex.hull(FLAT[:3]), "at least 4"),
        (lambda: od.Convex.hull([[0, 0, np.nan], *FLAT]), "finite"),
        (lambda: od.Convex.hull(np.zeros((5, 2))), r"shape \(n, 3\)"),
        (lambda: od.Convex(CORNERS, FACES[:5]), "not closed"),
        (lambda: od.Convex(CORNERS, [face[::-1] for face in FACES]), "not convex, or polygon . is listed clockwise"),
        (lambda: od.Convex(CORNERS, [FACES[0][::-1], *FACES[1:]]), "same direction"),
        (lambda: od.Convex(CORNERS, [[0, 1, 3, 9], *FACES[1:]]), "at most 7"),
        (lambda: od.Convex(CORNERS, [[0, 1], *FACES[1:]]), "at least 3 corners"),
        (lambda: od.Convex(CORNERS, [4, 0, 1, 3]), "number of corners, corners"),
        (lambda: od.Convex(CORNERS, 7), "must be lists"),
        (lambda: od.Convex([*CORNERS[:7], (1, 1, 5)], FACES), "not flat"),
        (lambda: od.Convex(CORNERS, FACES, planes=np.zeros((6, 4))), "matches none"),
        (lambda: od.Convex(CORNERS, FACES, planes=np.zeros((5, 4))), "must be 6"),
        (lambda: od.Cylinder(-1.0, 1.0), "greater than 0"),
        (lambda: od.Cylinder(1.0, np.inf), "finite"),
        (lambda: od.Ray(1.0, (0, 0, 0), position=(1, 1, 1)), "not both"),
        (
            lambda: od.Ray(1.0, direction=(1, 0, 0), rotation=np.eye(3)),
            "direction of a ray, or its quaternion or rotation",
        ),
        (lambda: od.HeightfieldData(np.zeros((2, 2)), 1.0, -1.0), "depth of a heightfield must be greater than 0"),
        (lambda: od.boxes_touch(od.Box((1, 1, 1)), od.Sphere(1.0)), "boxes_touch takes two boxes, not <Sphere"),
        (lambda: od.World().add_body(od.Ray(1.0)), "mass"),
        (lambda: od.World().add_body(od.GeomTransform()), "holds no geom"),
    ],
)
def test_bad_input_is_refused_with_the_reason(make, message):
    with pytest.raises((ValueError, TypeError), match=message):
        make()


def test_start_and_direction_of_a_ray_can_be_set():
    ray = od.Ray(2.0, (0, 0, 1), (1, 0, 0))
    ray.start, ray.direction = (3, 4, 5), (0, -2, 0)
    assert ray.start.tolist() == ray.position.tolist() == [3, 4, 5]
    assert ray.direction.tolist() == [0, -1, 0]
    other = od.Ray(2.0)
    other.set((3, 4, 5), (0, -2, 0))
    assert (other.rotation == ray.rotation).all()
    for values in (((1, 1, 1), (0, 0, 0)), ((1, 1), (1, 0, 0))):
        with pytest.raises(ValueError, match=r"zero vector|must be 3 numbers"):
            ray.set(*values)
    assert ray.start.tolist() == [3, 4, 5] and ray.direction.tolist() == [0, -1, 0]


def test_a_dent_is_found():
    dented = CORNERS.copy()
    dented[7] = 0.0
    triangles = [[a, b, c] for face in FACES for a, b, c in ((face[0], face[1], face[2]), (face[0], face[2], face[3]))]
    with pytest.raises(ValueError, match="not convex"):
        od.Convex(dented, triangles)


def test_reshaping_keeps_what_was_if_it_fails():
    convex = od.Convex(CORNERS, FACES)
    with pytest.raises(ValueError, match="not closed"):
        convex.reshape(CORNERS, FACES[:5])
    assert convex.aabb.tolist() == [-1, 1, -1, 1, -1, 1]
    convex.reshape(3 * CORNERS, FACES)
    assert convex.aabb.tolist() == [-3, 3, -3, 3, -3, 3]


def test_a_needle_is_no_trouble():
    needle = od.Convex.hull(CORNERS * (1e-6, 1e-6, 1.0))
    (contact,) = od.collide(od.Sphere(0.5, position=(0.4, 0, 0)), needle)
    assert contact.depth == pytest.approx(0.1 + 1e-6)
    assert od.collide(needle, od.Box((1, 1, 1)))[0].depth == pytest.approx(0.5 + 1e-6)


def test_transforms_move_what_they_hold():
    held = od.Box((1, 1, 1), position=(2, 0, 0))
    transform = od.GeomTransform(held, position=(0, 0, 1))
    assert transform.aabb.tolist() == [1.5, 2.5, -0.5, 0.5, 0.5, 1.5]
    held.lengths = 2, 2, 2
    held.position = 0, 3, 0
    assert transform.aabb.tolist() == [-1, 1, 2, 4, 0, 2] and transform.position.tolist() == [0, 0, 1]
    assert transform.point_depth((0, 3, 1)) == 1.0
    transform.quaternion = np.array((0, 0, 0, 1))
    assert transform.aabb == pytest.approx([-1, 1, -4, -2, 0, 2])
    world = od.World()
    body = od.Body(world)
    body.position = 10, 0, 0
    transform.body = body
    assert transform.aabb == pytest.approx([9, 11, 2, 4, -1, 1])
    transform.offset_position = 0, 0, 5
    assert transform.aabb == pytest.approx([9, 11, 2, 4, 4, 6])
    held.position = 0, 0, 0
    assert transform.aabb == pytest.approx([9, 11, -1, 1, 4, 6]) and transform.offset_position.tolist() == [0, 0, 5]
    transform.position = 0, 0, 0
    assert body.position.tolist() == [0, 0, -5]
    for wrong in (lambda: setattr(held, "body", body), lambda: world.add_geom(held), lambda: world.add_body(held)):
        with pytest.raises(ValueError, match="is in geom"):
            wrong()
    transform.geom = None
    assert not od.collide(transform, od.Sphere(100.0))
    held.body = body


def test_a_transform_outlives_what_it_holds():
    transform = od.GeomTransform(od.Convex.hull(CORNERS), position=(0, 0, 1))
    transform.geom.reshape(2 * CORNERS, FACES)
    assert transform.aabb.tolist() == [-2, 2, -2, 2, -1, 3]
    held = transform.geom
    held.destroy()
    assert transform.geom is None and transform.position.tolist() == [0, 0, 1]
    transform.geom = od.Sphere(1.0)
    assert od.collide(transform, od.Plane((0, 0, 1), 0.5))[0].depth == 0.5
    kept = od.GeomTransform(held := od.Sphere(1.0), cleanup=False)
    kept.destroy()
    assert held.alive and not kept.alive
    world = od.World()
    gone = od.GeomTransform(held := od.Sphere(1.0), cleanup=True, space=world.space)
    gone.destroy()
    assert not held.alive and not gone.alive and len(world.space) == 0


def test_a_body_of_a_transform_has_the_mass_where_its_shape_is():
    transform = od.GeomTransform(od.Sphere(1.0, position=(1, 0, 0)), position=(0, 0, 2))
    body = od.World().add_body(transform, mass=3.0)
    assert body.position.tolist() == [1, 0, 2]
    assert body.inertia == pytest.approx(1.2 * np.eye(3))


def test_distances():
    gap, on_a, on_b = od.distance(od.Sphere(1.0), od.Box((2, 2, 2), position=(4, 0, 0)))
    assert gap == pytest.approx(2.0) and on_a == pytest.approx([1, 0, 0]) and on_b == pytest.approx([3, 0, 0])
    gap, on_a, on_b = od.distance(od.Plane((0, 0, 1), 1.0), od.Capsule(0.5, 2.0, position=(0, 0, 5)))
    assert (gap, on_a.tolist(), on_b.tolist()) == (2.5, [0, 0, 1], [0, 0, 3.5])
    assert od.distance(od.Box((2, 2, 2)), od.Cylinder(1.0, 2.0, position=(0, 0, 1.5)))[0] == pytest.approx(-0.5)
    assert od.distance(od.Sphere(1.0), od.Sphere(1.0, position=(0, 0, 1)))[0] == pytest.approx(-1.0)
    assert od.distance(od.Ray(2.0), od.Sphere(1.0, position=(0, 0, 4)))[0] == pytest.approx(1.0)
    with pytest.raises(TypeError, match="not known"):
        od.distance(od.Plane(), od.Plane())
    with pytest.raises(TypeError, match="two geoms"):
        od.distance(od.Sphere(1.0), 3)


def test_distances_are_proven_by_the_gap_along_them():
    rng = np.random.default_rng(5)
    makers = [
        lambda: od.Box(rng.uniform(0.2, 1, 3)),
        lambda: od.Cylinder(rng.uniform(0.1, 0.6), rng.uniform(0.2, 1)),
        lambda: od.Convex.hull(rng.normal(size=(12, 3)) / 3),
        lambda: od.Capsule(rng.uniform(0.1, 0.3), rng.uniform(0.1, 1)),
    ]
    apart = 0
    for k in range(200):
        a, b = makers[k % 4](), makers[(k // 4) % 4]()
        for geom in (a, b):
            geom.position, geom.quaternion = rng.uniform(-1, 1, 3), rng.normal(size=4)
        gap, on_a, on_b = od.distance(a, b)
        assert (gap > 0.0) == (not od.collide(a, b))
        if gap > 0.0:
            apart += 1
            normal = (on_b - on_a) / np.linalg.norm(on_b - on_a)
            assert np.linalg.norm(on_b - on_a) == pytest.approx(gap, rel=1e-12)
            # The half spaces beyond both points hold the geoms: nothing of them lies between.
            low = od.distance(od.Plane(normal, float(normal @ on_b)), b)[0]
            high = od.distance(od.Plane(-normal, float(-normal @ on_a)), a)[0]
            assert min(low, high) > -1e-12
        else:
            # The deepest points are the overlap apart, along the way that ends it.
            assert np.linalg.norm(on_a - on_b) == pytest.approx(-gap, rel=1e-9, abs=1e-12)
            b.position = b.position + (on_a - on_b) * (1.0 + 1e-5 / np.linalg.norm(on_a - on_b))
            assert not od.collide(a, b)
    assert apart > 50
