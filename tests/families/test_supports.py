"""Shapes by support functions: like the equivalent built-in shapes, against every shape, and exact for ellipsoids."""

import numba
import numpy as np
import pytest

import opendynamics as od

close = np.testing.assert_allclose


@numba.njit
def ellipsoid(radii, d):
    x, y, z = radii[0] * d[0], radii[1] * d[1], radii[2] * d[2]
    k = 1.0 / np.sqrt(x * x + y * y + z * z)
    return k * x * radii[0], k * y * radii[1], k * z * radii[2]


@numba.njit
def point(parameters, d):
    return 0.0, 0.0, 0.0


@numba.njit
def segment(parameters, d):
    return 0.0, 0.0, parameters[0] if d[2] > 0.0 else -parameters[0]


@numba.njit
def block(half, d):
    x, y, z = half[0], half[1], half[2]
    return x if d[0] > 0.0 else -x, y if d[1] > 0.0 else -y, z if d[2] > 0.0 else -z


@numba.njit
def drum(size, d):
    across = np.sqrt(d[0] * d[0] + d[1] * d[1])
    k = size[0] / across if across > 0.0 else 0.0
    half = 0.5 * size[1]
    return k * d[0], k * d[1], half if d[2] >= 0.0 else -half


@numba.njit
def cloud(points, d):
    """The hull of any number of points."""
    best, most = 0, -np.inf
    for k in range(0, points.size, 3):
        height = points[k] * d[0] + points[k + 1] * d[1] + points[k + 2] * d[2]
        if height > most:
            best, most = k, height
    return points[best], points[best + 1], points[best + 2]


Ellipsoid, Point, Segment, Block, Drum, Cloud = (
    od.SupportClass(function.__name__, function) for function in (ellipsoid, point, segment, block, drum, cloud)
)
CORNERS = np.random.default_rng(3).normal(size=(20, 3)) / 3

# Each shape by a support function, its built-in model, and to how much of a length their depths agree: cores that may be
# curved are followed to a ten-millionth of the depth, and polished where they are smooth.
MODELS = {
    "ball": (lambda: Ellipsoid((0.4, 0.4, 0.4)), lambda: od.Sphere(0.4), 1e-7),
    "point": (lambda: Point(radius=0.4), lambda: od.Sphere(0.4), 1e-11),
    "capsule": (lambda: Segment((0.3,), radius=0.2), lambda: od.Capsule(0.2, 0.6), 1e-7),
    "block": (lambda: Block((0.3, 0.2, 0.4)), lambda: od.Convex.hull(corners_of((0.3, 0.2, 0.4))), 1e-7),
    "drum": (lambda: Drum((0.3, 0.5)), lambda: od.Cylinder(0.3, 0.5), 1e-7),
    "cloud": (lambda: Cloud(CORNERS), lambda: od.Convex.hull(CORNERS), 1e-7),
}
OTHERS = {
    "sphere": lambda: od.Sphere(0.3),
    "box": lambda: od.Box((0.5, 0.7, 0.4)),
    "capsule": lambda: od.Capsule(0.2, 0.5),
    "cylinder": lambda: od.Cylinder(0.3, 0.5),
    "convex": lambda: od.Convex.hull(CORNERS),
    "plane": lambda: od.Plane((0.6, 0, 0.8), 0.1),
    "ellipsoid": lambda: Ellipsoid((0.2, 0.3, 0.5)),
}


def corners_of(half):
    return [(x, y, z) for x in (-half[0], half[0]) for y in (-half[1], half[1]) for z in (-half[2], half[2])]


def placed(shape, rng, spread=0.7):
    shape.position, shape.quaternion = rng.uniform(-spread, spread, 3), rng.normal(size=4)
    return shape


def deepest(contacts):
    return max((c.depth for c in contacts), default=-1.0)


@pytest.mark.parametrize("other", OTHERS)
@pytest.mark.parametrize("name", MODELS)
def test_they_touch_as_their_models_do(name, other):
    make, model, tolerance = MODELS[name]
    rng = np.random.default_rng(5)
    mine, theirs, opposite = make(), model(), OTHERS[other]()
    # Pairs with boxes prefer some directions to others; those with hulls always give the least overlap.
    known = od.Convex.hull(corners_of((0.25, 0.35, 0.2))) if other == "box" else opposite
    touching = 0
    for _ in range(60):
        placed(mine, rng)
        theirs.position, theirs.quaternion = mine.position, mine.quaternion
        found, expected = od.collide(mine, opposite, max_contacts=30), od.collide(theirs, known, max_contacts=30)
        turned = od.collide(opposite, mine, max_contacts=30)
        assert bool(found) == bool(expected) == bool(turned)
        if not found:
            continue
        touching += 1
        assert deepest(found) == pytest.approx(deepest(expected), abs=tolerance)
        assert deepest(turned) == pytest.approx(deepest(found), abs=tolerance)
        for contact in (*found, *turned):
            assert np.linalg.norm(contact.normal) == pytest.approx(1.0, abs=1e-12)
            # Contacts are half way between the surfaces, or on one of them.
            near = 0.5 * contact.depth + 1e-6
            if other != "plane":
                assert -od.distance(mine, od.Sphere(1e-9, position=contact.position))[0] > -near
    assert touching > 10


def test_bounds_fit():
    rng = np.random.default_rng(6)
    for _ in range(20):
        geom = placed(Ellipsoid((0.2, 0.3, 0.5)), rng)
        reach = np.sqrt((geom.rotation**2) @ np.square([0.2, 0.3, 0.5]))
        close(geom.aabb[0::2], geom.position - reach, atol=1e-14)
        close(geom.aabb[1::2], geom.position + reach, atol=1e-14)
        rounded = placed(Block((0.2, 0.3, 0.5), radius=0.1), rng)
        reach = abs(rounded.rotation) @ [0.2, 0.3, 0.5] + 0.1
        close(rounded.aabb[1::2], rounded.position + reach, atol=1e-14)


def test_depth_of_an_ellipsoid_in_a_plane_is_exact():
    rng = np.random.default_rng(7)
    radii = np.array([0.2, 0.3, 0.5])
    for _ in range(50):
        geom = placed(Ellipsoid(radii), rng, 0.2)
        expected = np.linalg.norm(radii * geom.rotation[2]) - geom.position[2]
        (contact,) = od.collide(geom, od.Plane())
        assert contact.depth == pytest.approx(expected, abs=1e-14)


@pytest.mark.parametrize("distance", [1.0, 1e4])
def test_two_ellipsoids_touch_with_opposite_normals_anywhere(distance):
    """Where they come closest, the surface of each is square to the connection: the gradients say so, not the collider."""
    rng = np.random.default_rng(8)
    shift = distance * np.array([0.6, -0.7, 0.4])
    radii = np.array([(0.2, 0.3, 0.5), (0.4, 0.25, 0.3)])
    for _ in range(40):
        geoms = [placed(Ellipsoid(r), rng) for r in radii]
        for geom in geoms:
            geom.position = geom.position + shift
        gap, p, q = od.distance(*geoms)
        contacts = od.collide(*geoms)
        assert bool(contacts) == (gap <= 0.0)
        n = (q - p) / gap
        for geom, r, at, sign in zip(geoms, radii, (p, q), (1, -1), strict=True):
            local = geom.point_from_world(at)
            assert np.square(local / r).sum() == pytest.approx(1.0, abs=1e-6)
            gradient = geom.vector_to_world(local / r**2)
            close(sign * gradient / np.linalg.norm(gradient), n, atol=2e-4 if distance > 1.0 else 1e-4)
        if contacts:
            assert contacts[0].depth == pytest.approx(-gap, abs=1e-7)
            close(contacts[0].normal, -n, atol=1e-4)


def test_faces_rest_on_faces_with_several_contacts():
    tall = Block((0.3, 0.3, 0.5), position=(0, 0, 0.49))
    for ground in (od.Plane(), od.Box((2, 2, 1), position=(0, 0, -0.5)), Block((1, 1, 0.5), position=(0, 0, -0.5))):
        contacts = od.collide(tall, ground, max_contacts=8)
        assert len(contacts) == 4
        assert {tuple(np.round(c.position[:2], 6)) for c in contacts} == {
            (x, y) for x in (-0.3, 0.3) for y in (-0.3, 0.3)
        }
        close([c.depth for c in contacts], 0.01, atol=1e-9)
        close([c.normal for c in contacts], [(0, 0, 1)] * 4, atol=1e-7)
    assert len(od.collide(Ellipsoid((0.3, 0.3, 0.3), position=(0, 0, 0.29)), od.Plane())) == 1
    assert len(od.collide(Drum((0.3, 0.5), position=(0, 0, 0.24)), od.Plane())) >= 3


def test_a_block_stands_and_an_egg_rocks():
    world = od.World(gravity=(0, 0, -9.81))
    world.add_plane()
    mass = od.Mass.box((0.6, 0.6, 1.0), density=500)
    tall = world.add_body(Block((0.3, 0.3, 0.5)), position=(0, 0, 0.55), mass=mass)
    egg = world.add_body(Ellipsoid((0.2, 0.2, 0.3)), position=(3, 0, 0.4), mass=od.Mass.sphere(0.2, density=500))
    egg.angular_velocity = (0, 0.5, 0)
    world.advance(0.01, steps=300)
    close(tall.position, [0, 0, 0.5], atol=1e-3)
    close(tall.rotation, np.eye(3), atol=1e-3)
    lowest = egg.position[2] - np.linalg.norm(np.array([0.2, 0.2, 0.3]) * egg.rotation[2])
    assert abs(lowest) < 2e-3 and egg.rotation[2, 2] < 0.99


@pytest.mark.parametrize("distance", [0.0, 1e4])
def test_rays_end_on_the_surface(distance):
    rng = np.random.default_rng(9)
    radii, scale = np.array([0.2, 0.3, 0.5]), max(1.0, distance)
    hits = inner = 0
    for _ in range(400):
        geom = placed(Ellipsoid(radii), rng, 0.2)
        geom.position = geom.position + distance * np.array([0.6, -0.7, 0.4])
        ray = od.Ray(rng.uniform(0.1, 3.0), geom.position + rng.uniform(-0.4, 0.4, 3), rng.normal(size=3))
        p, d = geom.point_from_world(ray.position) / radii, geom.vector_from_world(ray.direction) / radii
        a, b, c = d @ d, p @ d, p @ p - 1.0
        t = [(-b + sign * np.sqrt(b * b - a * c)) / a for sign in (-1, 1)] if b * b > a * c else []
        t = [x for x in t if 0.0 <= x <= ray.length][:1]
        contacts = od.collide(ray, geom)
        if not t or abs(b * b - a * c) < 1e-6 or abs(t[0] - ray.length) < 1e-6:
            assert len(contacts) <= bool(t) or abs(b * b - a * c) < 1e-6
            continue
        (contact,) = contacts
        hits += 1
        inner += c < 0.0
        assert contact.depth == pytest.approx(t[0], abs=1e-9 * scale)
        gradient = geom.vector_to_world((p + t[0] * d) / radii)
        outward = gradient / np.linalg.norm(gradient)
        close(contact.normal, outward if c > 0.0 else -outward, atol=2e-5)
    assert hits > 60 and inner > 20


def terrain(kind):
    x = np.linspace(-1, 1, 9)
    heights = 0.1 * np.sin(3.0 * x)[:, None] * np.cos(2.0 * x)
    if kind == "heightfield":
        return od.Heightfield(od.HeightfieldData(heights, width=2.0, depth=2.0))
    corners = [(x[i], x[j], heights[i, j]) for i in range(9) for j in range(9)]
    cells = [9 * i + j for i in range(8) for j in range(8)]
    return od.Trimesh(od.MeshData(corners, [t for k in cells for t in ((k, k + 9, k + 10), (k, k + 10, k + 1))]))


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("kind", ["trimesh", "heightfield"])
def test_on_surfaces_they_touch_as_their_models_do(kind, name):
    """Both touch in the same places. How deep differs a little where neither way out is the surface's own normal."""
    make, model, _ = MODELS[name]
    ground, mine, theirs = terrain(kind), make(), model()
    rng = np.random.default_rng(11)
    off = []
    for _ in range(60):
        theirs.position = mine.position = rng.uniform(-0.5, 0.5, 3)
        theirs.quaternion = mine.quaternion = rng.normal(size=4)
        found, expected = (od.collide(geom, ground, max_contacts=30) for geom in (mine, theirs))
        assert bool(found) == bool(expected)
        if found:
            off.append(abs(deepest(found) - deepest(expected)) / 0.4)
    assert len(off) > 20 and np.median(off) < 1e-9 and np.quantile(off, 0.9) < 0.2


@pytest.mark.parametrize("kind", ["trimesh", "heightfield"])
def test_they_come_to_rest_on_surfaces(kind):
    world = od.World(gravity=(0, 0, -9.81))
    world.linear_damping = world.angular_damping = 0.02
    basin = np.add.outer(np.linspace(-1, 1, 9) ** 2, np.linspace(-1, 1, 9) ** 2)
    data = od.HeightfieldData(basin, width=4.0, depth=4.0)
    ground = od.Heightfield(data) if kind == "heightfield" else terrain(kind)
    world.space.add(ground)
    shapes = [Ellipsoid((0.2, 0.2, 0.1)), Block((0.15, 0.15, 0.1), radius=0.02), Cloud(CORNERS / 2)]
    up = (0, 1, 0) if kind == "heightfield" else (0, 0, 1)
    world.gravity = tuple(-9.81 * x for x in up)
    sides = [(0.0, -0.4, 0.4)[k] for k in range(3)]
    across = (1, 0, 0)
    bodies = [
        world.add_body(
            shape, position=np.multiply(up, 0.6) + np.multiply(across, side), mass=od.Mass.box((0.3,) * 3, mass=1)
        )
        for shape, side in zip(shapes, sides, strict=True)
    ]
    world.advance(0.005, steps=200)
    for body in bodies:
        contacts = od.collide(body.geoms[0], ground)
        assert np.dot(body.position, up) > -0.4
        assert deepest(contacts) < 0.02


def test_points_know_how_deep_they_are():
    geom = Block((0.3, 0.2, 0.4), radius=0.1, position=(1, 0, 0))
    for at, depth in (((1, 0, 0), 0.3), ((1, 0.25, 0), 0.05), ((1, 0.4, 0), -0.1), ((1.6, 0.6, 0), 0.1 - 0.5)):
        assert geom.point_depth(at) == pytest.approx(depth, abs=1e-9)
    space = od.SimpleSpace([geom, od.Sphere(0.1, position=(5, 0, 0))])
    hit = space.cast_rays((1, 0, 3), (0, 0, -1))
    assert hit.geom_of(0) is geom and hit.distance[0] == pytest.approx(2.5, abs=1e-9)


def test_a_shape_may_change_and_lie_in_a_transform():
    geom = Ellipsoid((0.2, 0.2, 0.2))
    geom.reshape((0.2, 0.2, 0.5), radius=0.1)
    close(geom.aabb, [-0.3, 0.3, -0.3, 0.3, -0.6, 0.6])
    close(geom.parameters, (0.2, 0.2, 0.5))
    close(geom.support((0, 0, -3)), (0, 0, -0.6))
    holder = od.GeomTransform(Ellipsoid((0.2, 0.2, 0.2), position=(0, 0, 1)))
    assert deepest(od.collide(holder, od.Plane((0, 0, 1), 0.9))) == pytest.approx(0.1)


def test_what_is_no_support_function_is_refused():
    @numba.njit
    def nowhere(parameters, d):
        return np.nan, 0.0, 0.0

    @numba.njit
    def inside_out(parameters, d):
        return -d[0], -d[1], -d[2]

    @numba.njit
    def flat(parameters, d):
        return 1.0, 2.0

    with pytest.raises(TypeError, match=r"decorate it with numba\.njit"):
        od.SupportClass("plain", lambda parameters, d: d)
    with pytest.raises(TypeError, match="must return UniTuple"):
        od.SupportClass("flat", flat)
    with pytest.raises(ValueError, match="must be finite"):
        od.SupportClass("nowhere", nowhere)()
    with pytest.raises(ValueError, match="is not that of a shape"):
        od.SupportClass("inside out", inside_out)()
    with pytest.raises(ValueError, match="flat or a point"):
        Point()
    with pytest.raises(ValueError, match="must be finite"):
        Ellipsoid((1, np.nan, 1))
    with pytest.raises(ValueError, match="radius"):
        Point(radius=-1)
    geom = Ellipsoid((0.2, 0.2, 0.2))
    with pytest.raises(ValueError, match="flat or a point"):
        geom.reshape((0, 0, 0))
    close(geom.parameters, (0.2, 0.2, 0.2))
    with pytest.raises(ValueError, match="give the body's mass as a Mass"):
        od.World().add_body(geom, density=1000)
