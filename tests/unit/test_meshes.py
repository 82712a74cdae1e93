"""Mesh and heightfield data: their properties, and bad input, rejected before anything changes."""

import sys

import numpy as np
import pytest

import opendynamics as od
from opendynamics.api.colliders import is_like_ode

CORNERS = np.array([(x, y, z) for x in (0.0, 1.0) for y in (0.0, 2.0) for z in (0.0, 3.0)])
FACES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
BLOCK = np.array([t for a, b, c, d in FACES for t in ((a, b, c), (a, c, d))])


def test_a_block_tells_what_it_is():
    data = od.MeshData(CORNERS, BLOCK)
    assert len(data) == 12 and data.closed and data.volume == pytest.approx(6.0)
    assert data.vertices.tolist() == CORNERS.tolist() and data.triangles.tolist() == BLOCK.tolist()
    mass, box = od.Mass.trimesh(data, density=2.0), od.Mass.box((1, 2, 3), density=2.0).translate((0.5, 1.0, 1.5))
    assert mass.mass == pytest.approx(box.mass) and mass.center == pytest.approx(box.center)
    assert mass.inertia == pytest.approx(box.inertia)


def test_mass_far_from_the_origin_is_as_exact():
    far = np.array([1e4, -1e4, 2e4])
    here, there = (od.Mass.trimesh(od.MeshData(CORNERS + shift, BLOCK), mass=6.0) for shift in (0.0, far))
    there.translate(-far)
    assert there.inertia == pytest.approx(here.inertia, abs=1e-4)


def test_a_body_made_of_a_mesh_has_its_mass_and_turns_as_it_should():
    world = od.World()
    body = world.add_body(od.Trimesh(CORNERS, BLOCK), position=(0, 0, 5), density=100.0)
    assert body.mass == pytest.approx(600.0)
    assert body.inertia == pytest.approx(od.Mass.box((1, 2, 3), density=100.0).inertia)


def test_triangles_without_numbers_are_neighbours_where_they_meet():
    soup = od.MeshData(CORNERS[BLOCK].reshape(-1, 3))
    assert soup.closed and len(soup) == 12 and soup.volume == pytest.approx(6.0)


def test_two_geoms_share_data_and_it_lives_as_long_as_they_do():
    data = od.MeshData(CORNERS, BLOCK)
    one, other = od.Trimesh(data), od.Trimesh(data, position=(0.0, 0.0, 10.0))
    assert one.mesh is other.mesh is data
    del data
    assert one.point_depth((0.5, 1.0, 1.5)) == pytest.approx(0.5)
    assert other.point_depth((0.5, 1.0, 11.5)) == pytest.approx(0.5)
    assert one.point_depth((0.5, 1.0, -2.0)) == pytest.approx(-2.0)
    one.mesh = od.MeshData(2.0 * CORNERS, BLOCK)
    assert one.point_depth((1.0, 2.0, 3.0)) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("vertices", "triangles", "message"),
    [
        ([], [], "shape|at least one"),
        (CORNERS, [], "at least one triangle"),
        (CORNERS, [(0, 1, 8)], r"triangle 0 .*do not exist"),
        (CORNERS, [(0, 1, -1)], "do not exist"),
        (CORNERS, [(0, 1, 3), (0, 1, 1)], r"no area.*triangle 1 .*repair=True"),
        (CORNERS, [(0, 1, 3), (3, 0, 1)], "corners of another one"),
        (CORNERS, [(0, 1)], "shape"),
        (CORNERS[:, :2], [(0, 1, 3)], "shape"),
        (np.where(CORNERS == 3.0, np.nan, CORNERS), BLOCK, "finite"),
        (np.where(CORNERS == 3.0, np.inf, CORNERS), BLOCK, "finite"),
        (CORNERS[:4], None, "each three vertices"),
    ],
)
def test_bad_meshes_are_refused(vertices, triangles, message):
    with pytest.raises(ValueError, match=message):
        od.MeshData(vertices, triangles)


def test_triangles_must_be_whole_numbers():
    with pytest.raises(TypeError, match="whole numbers"):
        od.MeshData(CORNERS, BLOCK + 0.5)
    with pytest.raises(TypeError, match="must be numbers"):
        od.MeshData("a mesh", BLOCK)


def test_repair_leaves_out_what_is_wrong():
    wrong = np.concatenate([BLOCK, [(0, 1, 1)], BLOCK[:2]])
    data = od.MeshData(CORNERS, wrong, repair=True)
    assert len(data) == 12 and data.closed
    with pytest.raises(ValueError, match="none of the 1 triangles"):
        od.MeshData(CORNERS, [(0, 1, 1)], repair=True)


def test_what_needs_a_closed_mesh_says_what_is_open():
    open_block, inverted = od.MeshData(CORNERS, BLOCK[1:]), od.MeshData(CORNERS, BLOCK[:, ::-1])
    turned = BLOCK.copy()
    turned[0] = turned[0, ::-1]
    for data in (open_block, od.MeshData(CORNERS, turned)):
        assert not data.closed
        with pytest.raises(ValueError, match=r"3 edges of this one|6 edges of this one"):
            od.Mass.trimesh(data, mass=1.0)
    with pytest.raises(ValueError, match=r"look outward.*reverse"):
        od.Mass.trimesh(inverted, mass=1.0)
    with pytest.raises(ValueError, match="closed surface"):
        od.Trimesh(open_block).point_depth((0, 0, 0))
    world = od.World()
    with pytest.raises(ValueError, match="closed surface"):
        world.add_body(od.Trimesh(open_block))
    assert len(world.bodies) == 0


def test_callbacks_that_raise_reach_the_caller_and_change_nothing():
    mesh, ball = od.Trimesh(CORNERS, BLOCK), od.Sphere(0.5, position=(0.5, 1.0, 3.2))
    before = od.collide(ball, mesh)
    mesh.callback = lambda *_: 1 / 0
    with pytest.raises(ZeroDivisionError):
        od.collide(ball, mesh)
    mesh.callback = None
    assert [c.depth for c in od.collide(ball, mesh)] == [c.depth for c in before]
    with pytest.raises(ValueError, match="at most 11"):
        mesh.triangle(12)


def test_the_tree_of_many_triangles_finds_all_of_them():
    """Balls at every corner of a large mesh touch what a search through all triangles says."""
    rng = np.random.default_rng(1)
    soup = rng.uniform(-5.0, 5.0, (3000, 1, 3)) + rng.uniform(-0.4, 0.4, (3000, 3, 3))
    mesh = od.Trimesh(soup.reshape(-1, 3))
    asked = []
    mesh.callback = lambda m, o, triangle: asked.append(triangle) or True
    for _ in range(50):
        spot = rng.uniform(-5.0, 5.0, 3)
        found = {c.side2 for c in od.collide(od.Ray(12.0, start=spot, direction=(1, 0.1, 0.2)), mesh, max_contacts=96)}
        d = np.array((1, 0.1, 0.2)) / np.linalg.norm((1, 0.1, 0.2))
        a, b, c = soup[:, 0] - spot, soup[:, 1] - spot, soup[:, 2] - spot
        volumes = [np.cross(q, p) @ d for p, q in ((a, b), (b, c), (c, a))]
        inside = np.all(np.array(volumes) > 0.0, axis=0) | np.all(np.array(volumes) < 0.0, axis=0)
        normals = np.cross(b - a, c - a)
        t = np.einsum("ni,ni->n", a, normals) / (normals @ d)
        assert found == set(np.flatnonzero(inside & (t >= 0.0) & (t <= 12.0)).tolist())


@pytest.mark.parametrize("ending", ["stl", "obj", "ply", "off", "glb", "dae"])
def test_files_of_every_format(tmp_path, ending):
    trimesh = pytest.importorskip("trimesh")
    if ending == "dae":
        pytest.importorskip("collada")
    path = tmp_path / f"block.{ending}"
    normals = np.full((len(CORNERS), 3), 3**-0.5)  # of any direction: trimesh 4.4 computes those of .dae files by SciPy
    trimesh.Trimesh(CORNERS, BLOCK, process=False, vertex_normals=normals).export(str(path))
    data = od.MeshData.load(path, scale=2.0)
    assert data.closed and len(data) == 12 and data.volume == pytest.approx(48.0, rel=1e-6)
    assert od.Trimesh.load(path).triangle_count == 12


def test_files_that_are_none(tmp_path, monkeypatch):
    pytest.importorskip("trimesh")
    with pytest.raises(FileNotFoundError, match="no mesh file"):
        od.MeshData.load(tmp_path / "missing.stl")
    bad = tmp_path / "bad.stl"
    bad.write_text("this is no mesh")
    with pytest.raises(ValueError, match=r"cannot be read as a mesh|has no triangles"):
        od.MeshData.load(bad)
    monkeypatch.setitem(sys.modules, "trimesh", None)
    with pytest.raises(ImportError, match=r"pip install 'opendynamics\[mesh\]'"):
        od.MeshData.load(bad)


@pytest.mark.parametrize(
    ("heights", "options", "message"),
    [
        ([[1.0, 2.0]], {}, "at least 2 x 2"),
        ([1.0, 2.0, 3.0], {}, "at least 2 x 2"),
        ([[1.0, np.nan], [0.0, 0.0]], {}, "finite"),
        (np.zeros((3, 3)), {"samples": (2, 3)}, "needs 6 heights, not 9"),
        (np.zeros((2, 2)), {"width": -1.0}, "width"),
        (np.zeros((2, 2)), {"thickness": -1.0}, "thickness"),
        (np.full((2, 2), 1e300), {"scale": 1e300}, "too large"),
        (lambda i, k: 0.0, {}, "samples"),
        (lambda i, k: np.nan, {"samples": (2, 2)}, "height at 0, 0"),
    ],
)
def test_bad_heightfields_are_refused(heights, options, message):
    with pytest.raises(ValueError, match=message):
        od.HeightfieldData(heights, **{"width": 1.0, "depth": 1.0} | options)


def test_a_heightfield_follows_its_data():
    data = od.HeightfieldData(lambda i, k: tide[0] * i, width=2.0, depth=2.0, samples=(3, 3))
    field, tide[0] = od.Heightfield(data), 2.0
    assert field.aabb[2:4].tolist() == [0.0, 2.0]
    data.update()
    assert field.aabb[2:4].tolist() == [0.0, 4.0]
    assert od.collide(od.Sphere(0.1, position=(1.0, 4.05, 0.0)), field)
    with pytest.raises(ValueError, match="needs 9 heights"):
        data.update(np.zeros((2, 2)))
    data.update(np.zeros((3, 3)))
    assert field.aabb[2:4].tolist() == [0.0, 0.0]


tide = [1.0]


def test_sides_of_a_heightfield_are_its_cells_and_halves():
    field = od.Heightfield(np.zeros((3, 4)), width=3.0, depth=2.0)
    ball, sides = od.Sphere(0.1), []
    for k in range(2):
        for i in range(3):
            for near in (0.25, 0.75):
                ball.position = (i - 1.5 + near, 0.05, k - 1.0 + near)
                (contact,) = od.collide(ball, field)
                sides.append(contact.side2)
    assert sides == list(range(12))


def test_the_box_of_a_turned_heightfield_is_around_its_corners():
    data = od.HeightfieldData(np.arange(9.0).reshape(3, 3) - 2.0, width=2.0, depth=2.0, thickness=0.5)
    field = od.Heightfield(data, position=(1.0, 2.0, 3.0), quaternion=(1.0, 0.4, 0.2, 0.1))
    low, high = -2.5, 6.0
    corners = [field.point_to_world((x, y, z)) for x in (-1, 1) for y in (low, high) for z in (-1, 1)]
    box = np.stack([np.min(corners, axis=0), np.max(corners, axis=0)], axis=1).reshape(6)
    np.testing.assert_allclose(field.aabb, box, atol=1e-12)


@pytest.mark.parametrize("scale", [0.5, -0.5])
def test_bounds_are_those_of_samples_before_they_are_scaled(scale):
    data = od.HeightfieldData(np.zeros((3, 3)), width=2.0, depth=2.0, scale=scale, offset=1.0)
    data.set_bounds(-3.0, 6.0)
    heights = od.Heightfield(data).aabb[2:4]
    assert tuple(heights) == ((-0.5, 4.0) if scale > 0 else (-2.0, 2.5))


def test_a_turned_heightfield_has_a_finite_box_whatever_the_bounds():
    """ODE's box of a rotated field without finite bounds is NaN."""
    data = od.HeightfieldData(np.arange(9.0).reshape(3, 3), width=2.0, depth=2.0)
    data.set_bounds(-np.inf, np.inf)
    field = od.Heightfield(data, quaternion=(1.0, 0.4, 0.2, 0.1))
    assert np.isfinite(field.aabb).all()
    endless = od.HeightfieldData(np.zeros((3, 3)), width=2.0, depth=2.0, wrap=True)
    assert not np.isnan(od.Heightfield(endless, quaternion=(1.0, 0.4, 0.2, 0.1)).aabb).any()
    with pytest.raises(ValueError, match="lower bound"):
        data.set_bounds(1.0, 0.0)


def test_a_heightfield_has_no_mass_and_perhaps_no_place():
    world = od.World()
    with pytest.raises(ValueError, match="no mass"):
        world.add_body(od.Heightfield(np.zeros((2, 2)), width=1.0, depth=1.0))
    still = od.Heightfield(np.zeros((2, 2)), width=1.0, depth=1.0, placeable=False, up="z")
    assert still.rotation @ (0.0, 1.0, 0.0) == pytest.approx((0.0, 0.0, 1.0))
    with pytest.raises(ValueError, match="cannot be set"):
        still.position = (0, 0, 1)
    with pytest.raises(ValueError, match="cannot be placed"):
        od.Heightfield(np.zeros((2, 2)), width=1.0, depth=1.0, placeable=False, position=(0, 0, 1))
    with pytest.raises(ValueError, match="up must be"):
        od.Heightfield(np.zeros((2, 2)), width=1.0, depth=1.0, up="x")
    assert still.point_depth((0.1, 0.1, -0.25)) == pytest.approx(0.25)


def test_a_mesh_inside_another_leaves_it_and_one_around_nothing_does_not_matter():
    """No triangles touch: what is wholly inside is pushed out; a sheet that passes beside the inside is not."""
    large = od.Trimesh(4.0 * CORNERS - (2.0, 4.0, 6.0), BLOCK)
    small = od.Trimesh(0.2 * (CORNERS - (0.5, 1.0, 1.5)), BLOCK, position=(1.5, 0.0, 0.0))
    (one,) = od.collide(small, large, max_contacts=1)
    assert one.normal == pytest.approx((1.0, 0.0, 0.0), abs=1e-12)
    assert one.depth == pytest.approx(2.0 - 1.5 + 0.1)
    ring = [(-9, -9, 9), (9, -9, 9), (9, 9, 9), (-9, 9, 9), (-9, -9, -9), (9, -9, -9)]
    around = od.Trimesh(ring, [(0, 1, 2), (0, 2, 3), (0, 4, 5)])
    assert od.collide(od.Trimesh(CORNERS, BLOCK), around) == []


def falling_on_halves(**callbacks):
    """A world with a square of two triangles whose callbacks are set, and a ball above each of the two."""
    world = od.World(gravity=(0, 0, -10))
    corners = [(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)]
    mesh = world.add_geom(od.Trimesh(corners, [(0, 1, 2), (0, 2, 3)]))
    for name, function in callbacks.items():
        setattr(mesh, name, function)
    balls = [world.add_body(od.Sphere(0.1), position=(x, -x, 0.15), mass=1) for x in (0.5, -0.5)]
    return world, mesh, balls


@pytest.mark.parametrize("top", [(0.0, 0.0, 1.0), (0.3, 0.3, 1.0)])
def test_points_beyond_sharp_corners_are_outside(top):
    """There one triangle of a corner may look at a point most directly from behind; all of them together do not."""
    corners = np.array([(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.1, 0.0), top])
    pyramid, ball = od.Trimesh(corners, [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]), od.Sphere(0.01)
    places = np.random.default_rng(4).uniform(-1.0, 1.5, (2000, 3))
    places[::2] = corners.mean(axis=0) + 0.2 * (places[::2] - 0.25)
    parts = np.linalg.solve(np.vstack([corners.T, np.ones(4)]), np.vstack([places.T, np.ones(len(places))]))
    inside = (parts > 0.0).all(axis=0)
    assert 20 < inside.sum() < 1000
    depths = np.array([pyramid.point_depth(place) for place in places])
    assert ((depths > 0.0) == inside).all()
    for place, depth in zip(places, depths, strict=True):
        ball.position = place
        found = od.collide(ball, pyramid, max_contacts=4)
        assert bool(found) == (depth > -0.01)


def test_a_sharp_mesh_that_meets_nothing_has_no_contact():
    corners = np.array([(0.0, 0.0, 0.0), (0.5, 0.0, 0.0), (0.0, 0.5, 0.0), (0.0, 0.0, 0.5)])
    pyramid = od.Trimesh(corners, [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])
    floor = od.Trimesh([(-5, -5, 0), (5, -5, 0), (5, 5, 0), (-5, 5, 0)], [(0, 1, 2), (0, 2, 3)])
    pyramid.quaternion = (0.9963, 0.0604, -0.0574, 0.0004)
    for height in (1e-4, 0.002, 0.1, 0.6):
        pyramid.position = (-0.03, -0.03, height)
        assert od.collide(pyramid, floor, max_contacts=8) == []
    pyramid.position = (-0.03, -0.03, -0.001)
    assert max(contact.depth for contact in od.collide(pyramid, floor, max_contacts=8)) == pytest.approx(0.001)


def test_callbacks_choose_among_the_contacts_of_advance():
    asked, reported = [], []
    world, mesh, (held, fallen) = falling_on_halves(
        callback=lambda m, other, triangle: asked.append((m, other, triangle)) or triangle == 0,
        array_callback=lambda m, other, triangles: reported.append(triangles),
    )
    world.advance(0.01, steps=60)
    assert held.position[2] == pytest.approx(0.1, abs=1e-3)
    assert fallen.position[2] < -1
    assert {triangle for _, _, triangle in asked} == {0, 1}
    assert all(m is mesh and other in (held.geoms[0], fallen.geoms[0]) for m, other, _ in asked)
    assert [0] in reported and [1] in reported
    # Without it, the contacts are found as before.
    count = len(asked)
    mesh.callback = mesh.array_callback = None
    fallen.position, fallen.linear_velocity = (-0.5, 0.5, 0.15), (0, 0, 0)
    world.advance(0.01, steps=60)
    assert len(asked) == count
    assert fallen.position[2] == pytest.approx(0.1, abs=1e-3)


def test_a_world_follows_its_setting_once_its_mesh_callbacks_are_gone():
    world, mesh, _ = falling_on_halves(callback=lambda *_: True)
    world.advance(0.01)
    assert not is_like_ode(world._store)
    mesh.callback, world.collider = None, "ode"
    world.advance(0.01)
    assert is_like_ode(world._store)


def test_callbacks_that_let_everything_pass_change_no_bit_of_advance():
    places = []
    for callback in (None, lambda *_: True):
        world, _, balls = falling_on_halves(callback=callback)
        balls[0].angular_velocity = (3, 2, 1)
        world.advance(0.01, steps=50)
        places.append(world.positions.tobytes())
    assert places[0] == places[1]


def test_what_a_callback_raises_in_advance_is_raised_before_anything_moves():
    world, mesh, (ball, _) = falling_on_halves(callback=lambda *_: 1 / 0)
    world.advance(0.01, steps=5)
    before = world.positions.copy()
    with pytest.raises(ZeroDivisionError):
        for _ in range(20):
            before = world.positions.copy()
            world.advance(0.01)
    assert (world.positions == before).all()
    mesh.callback = None
    world.advance(0.01, steps=50)
    assert ball.position[2] == pytest.approx(0.1, abs=1e-3)


@pytest.mark.parametrize("most", [4, 8])
def test_a_large_mesh_that_is_nearly_level_on_a_plane_touches_it_at_its_corners(most):
    """More vertices than are looked at together: what was found among the first must not be forgotten."""
    count = 60
    x, y = np.meshgrid(*[np.linspace(-1.0, 1.0, count)] * 2, indexing="ij")
    k = np.arange(count * count).reshape(count, count)
    a, b, c, d = (part.ravel() for part in (k[:-1, :-1], k[1:, :-1], k[1:, 1:], k[:-1, 1:]))
    triangles = np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])
    data = od.MeshData(np.stack([x, y, 0.0 * x], axis=2).reshape(-1, 3), triangles)
    mesh = od.Trimesh(data, position=(0, 0, -0.01), quaternion=(1.0, 1e-3, 7e-4, 0.0))
    found = {tuple(np.round(contact.position[:2], 1)) for contact in od.collide(mesh, od.Plane(), max_contacts=most)}
    assert {(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)} <= found


@pytest.mark.parametrize("kind", ["box", "cylinder", "mesh"])
def test_what_is_below_a_heightfield_meets_the_triangle_above_it(kind):
    random = np.random.default_rng(4)
    field = od.Heightfield(random.uniform(0.0, 0.2, (4, 6)), width=5.0, depth=3.0)
    corners, triangles = (
        [(0, 0, 0), (0.01, 0, 0), (0, 0.01, 0), (0, 0, 0.01)],
        [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)],
    )
    sunk = {
        "box": lambda: od.Box((0.01, 0.01, 0.01)),
        "cylinder": lambda: od.Cylinder(0.01, 0.01),
        "mesh": lambda: od.Trimesh(corners, triangles),
    }[kind]()
    for x, z in random.uniform(-1.0, 1.0, (20, 2)) * (2.4, 1.4):
        sunk.position = (x, -1.0, z)
        (hit,) = od.collide(od.Ray(9.0, start=(x, 5.0, z), direction=(0, -1, 0)), field)
        (found,) = od.collide(sunk, field)
        assert found.depth > 0.9
        assert found.side2 == hit.side2
