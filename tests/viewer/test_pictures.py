"""Pictures: known scenes, cameras and colours, and pixels where they must be."""

import math

import numba
import numpy as np
import pytest

import opendynamics as od
from opendynamics.viewer.colours import colours_of
from opendynamics.viewer.meshes import MESHES
from opendynamics.viewer.pictures.tracing.rows import encoded as encode
from opendynamics.viewer.pictures.tracing.rows import encoding
from opendynamics.viewer.srgb import linear

SIZE = (96, 64)
PLAIN = {"shadows": 0, "ambient": 0, "threads": 1}
NO_AIR = od.Light(sun=(0, 0, 1), air=False)


def world_of(*geoms):
    world = od.World()
    for geom in geoms:
        world.add_geom(geom)
    return world


def at(picture, camera, point):
    """The pixel in which a point of the world is."""
    ((x, y),) = camera.project(point, picture.shape[1::-1])
    return picture[int(y), int(x)].astype(float)


def encoded(light):
    """sRGB, 0 to 255, of an amount of light: the inverse of `linear`, written independently."""
    light = np.clip(light, 0.0, 1.0)
    return 255 * np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)


def differs(one, other, by=6):
    return (abs(one.astype(int) - other.astype(int)) > by).any(axis=2)


# -- where things are ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("distance", [3.0, 8.0])
def test_the_silhouette_of_a_sphere(distance):
    camera = od.Camera((0, -distance, 0), (0, 0, 0), field_of_view=50)
    settings = {"size": (192, 128), "samples": 8, **PLAIN}
    covered = differs(world_of(od.Sphere(0.7)).render(camera, **settings), world_of().render(camera, **settings), by=2)
    pixel = 2 * math.tan(math.radians(25)) / 128
    radius = 0.7 / math.sqrt(distance**2 - 0.49) / pixel
    rows, columns = np.nonzero(covered)
    assert math.sqrt(covered.sum() / math.pi) == pytest.approx(radius, abs=1.0)
    assert np.ptp(rows) + 1 == pytest.approx(2 * radius, abs=2) and np.ptp(columns) + 1 == pytest.approx(
        2 * radius, abs=2
    )
    assert rows.mean() == pytest.approx(63.5, abs=0.3) and columns.mean() == pytest.approx(95.5, abs=0.3)


def test_the_horizon_is_level_with_the_eye():
    camera = od.Camera((0, 0, 2), (0, 10, 0), field_of_view=60)
    picture = world_of(od.Plane()).render(camera, (48, 200), **PLAIN)
    dip = math.atan2(2, 10)
    row = 100 - math.tan(dip) / (2 * math.tan(math.radians(30)) / 200)
    jumps = abs(np.diff(picture.mean(axis=(1, 2))))[50:80]
    assert 51 + int(np.argmax(jumps)) == pytest.approx(row, abs=1)


def test_the_shadow_is_where_the_sun_says():
    light = od.Light(sun=(0.5, 0.3, 1.0), sun_angle=0.5, air=False)
    world = world_of(od.Plane(), od.Sphere(0.5, position=(0, 0, 2)))
    camera = od.Camera((0, -6, 9), (-1, -0.5, 0), field_of_view=50)
    settings = {"size": (192, 128), "light": light, "ambient": 0}
    seen, unshaded = (world.render(camera, shadows=rays, **settings) for rays in (4, 0))
    middle = -2.0 * np.array(light.sun) / light.sun[2] + (0, 0, 2)
    for away, dark in ((0.0, True), (0.4, True), (0.7, False)):
        point = middle + np.array((0, away, 0))
        found, free = at(seen, camera, point), at(unshaded, camera, point)
        if dark:
            # Only the sky's light is left.
            part = linear(found) / linear(free)
            facing = light.sun[2]
            sky = np.array(light.sky)
            assert part == pytest.approx(sky / (sky + facing * np.array(light.sun_color)), rel=0.05)
        else:
            assert np.array_equal(found, free)


def test_a_larger_sun_makes_softer_shadows():
    world = world_of(od.Plane(), od.Box((1, 1, 1), position=(0, 0, 2)))
    camera = od.Camera((-2, -6, 5), (-1, 0, 0), field_of_view=45)

    def greys(angle):
        light = od.Light(sun=(0.5, 0, 1), sun_angle=angle, air=False)
        lit, dark = (world.render(camera, SIZE, light=light, ambient=0, shadows=n, samples=4) for n in (0, 16))
        part = linear(dark[..., 1]) / linear(lit[..., 1])
        return int(((part > 0.55) & (part < 0.9)).sum())

    assert greys(20.0) > 3 * greys(1.0)


def test_what_stands_on_the_ground_throws_its_shadow_from_its_foot():
    world = world_of(od.Plane(), od.Box((1, 1, 1), position=(0, 0, 0.5)))
    camera = od.Camera((2, -3, 8), (0.5, 0, 0), field_of_view=30)
    light = od.Light(sun=(-1, 0, 1), sun_angle=0.1, air=False)
    picture = world.render(camera, (384, 256), light=light, ambient=0)
    lit = linear(at(picture, camera, (-0.9, 0, 0)))
    for away in (0.02, 0.1, 0.5, 0.9):
        assert (linear(at(picture, camera, (0.5 + away, 0.3, 0))) < 0.6 * lit).all()


def test_a_surface_throws_no_shadow_on_itself():
    ball = od.Sphere(1.0, position=(3.0, -200.0, 40.0))
    world = world_of(ball, od.Capsule(0.5, 1.0, position=(6, -200, 40)), od.Cylinder(0.5, 1.5, position=(0, -200, 40)))
    camera = od.Camera((-5, -210, 47), (3, -200, 40))
    light = od.Light(sun=(-0.5, -0.5, 0.7), sun_angle=0.0)
    plain, shaded = (world.render(camera, SIZE, light=light, ambient=0, shadows=n) for n in (0, 1))
    assert np.array_equal(plain, shaded)


def test_corners_are_darker_under_the_sky():
    world = world_of(od.Plane(), od.Box((4, 0.2, 2), position=(0, 1, 1)))
    camera = od.Camera((0, -8, 3), (0, 0, 0))
    light = od.Light(sun=(0, -0.3, 1), air=False)
    settings = {"size": (192, 256), "light": light, "shadows": 0, "samples": 2}
    free, near = (world.render(camera, ambient=n, **settings) for n in (0, 16))
    ratio = [
        float((linear(at(near, camera, (0.3, y, 0))) / linear(at(free, camera, (0.3, y, 0))))[1])
        for y in (0.85, 0.6, -2.0)
    ]
    assert ratio[0] < ratio[1] < 1.0 and ratio[2] == pytest.approx(1.0, abs=0.01)


def test_the_quick_look_for_things_near_the_ground_misses_none():
    camera = od.Camera((0, -4, 6))
    settings = {"size": SIZE, "samples": 2, "shadows": 2, "ambient": 4}

    def world():
        return world_of(od.Plane(), od.Sphere(0.5, position=(0, 0, 0.5)), od.Box((1, 1, 1), position=(1.5, 1, 0.6)))

    # With a second plane, far behind, every point is looked at in full.
    full = world()
    full.add_plane((0, -1, 0), -1000.0)
    assert np.array_equal(world().render(camera, **settings), full.render(camera, **settings))


def test_rays_against_lists_and_against_all_geoms_make_the_same_picture():
    """Lists of occluders without room, here for balls inside of a box, have rays cast against all geoms."""
    random = np.random.default_rng(7)

    def shapes():
        place = np.random.default_rng(8).uniform((-2, -2, 0.3), (2, 2, 1.5), (12, 3))
        kinds = ("box", "capsule", "cylinder", "sphere", "convex", "trimesh")
        for k, position in enumerate(place):
            geom = GEOMS[kinds[k % len(kinds)]]()
            geom.position = position
            yield geom

    def ground():
        heights = np.random.default_rng(9).uniform(-0.2, 0.3, (9, 9))
        yield od.Heightfield(heights, width=9, depth=9, up="z")
        yield from (od.Plane(), od.Plane((1, 0, 0), -6), od.Box((1, 1, 1), position=(0, 0, 0.5)))

    hidden = [od.Sphere(0.01, position=place) for place in random.uniform((-0.4, -0.4, 0.1), (0.4, 0.4, 0.9), (80, 3))]
    camera = od.Camera((3, -5, 3.5), (0, 0, 0.5))
    settings = {"size": (160, 120), "samples": 2, "shadows": 3, "ambient": 3}
    few, many = (world_of(*ground(), *shapes(), *more).render(camera, **settings) for more in ([], hidden))
    assert np.array_equal(few, many)


@pytest.mark.parametrize("height", [0.02, 0.3, 1.0])
@pytest.mark.parametrize("sun", [(1, 0.3, 0.26), (-0.4, 1, 0.5), (-0.55, -0.5, 0.9)])
def test_ground_that_is_said_to_hide_no_sun_hides_none(height, sun):
    """Rays are cast against a field that wraps wherever they start: far from its border, it makes the same picture."""
    heights = np.zeros((81, 81))
    heights[30:51, 30:51] = np.random.default_rng(3).uniform(0, height, (21, 21))
    camera, light = od.Camera((0.3, -1.2, 6), (0, 0, 0)), od.Light(sun=sun, sun_angle=8)
    pictures = [field_picture(heights, wrap, camera, light=light, shadows=n) for wrap, n in ((0, 4), (1, 4), (0, 0))]
    assert np.array_equal(pictures[0], pictures[1])
    assert height < 1.0 or differs(pictures[0], pictures[2]).any()


@pytest.mark.parametrize("height", [0.02, 0.3, 1.0])
@pytest.mark.parametrize("up", ["z", "y"])
def test_sky_that_the_ground_is_said_not_to_hide_is_not_hidden(height, up):
    """On slopes and among hills, against the same field with all rays cast, on which bodies lie besides."""
    hill = np.roll(np.hanning(81), 7)
    heights = -4.0 * height * np.outer(hill, hill)  # a hollow, whose sides slope in all directions
    heights[30:51, 30:51] += np.random.default_rng(3).uniform(0, height, (21, 21))
    camera = od.Camera((0.3, -1.2, 6) if up == "z" else (0.3, 6, 1.2), (0, 0, 0))
    settings = {"up": up, "light": od.Light(sun=(0, 0, 1) if up == "z" else (0, 1, 0))}
    pictures = [field_picture(heights, wrap, camera, ambient=n, **settings) for wrap, n in ((0, 9), (1, 9), (0, 0))]
    assert np.array_equal(pictures[0], pictures[1])
    assert height < 0.3 or differs(pictures[0], pictures[2]).any()


def field_picture(heights, wrap, camera, up="z", light=None, **rays):
    """A heightfield of 16 m with a ball and a box on it; one that wraps has all rays cast against it."""
    world = od.World(gravity=(0, 0, -9.81) if up == "z" else (0, -9.81, 0))
    world.add_geom(od.Heightfield(heights, width=16, depth=16, up=up, wrap=bool(wrap)))
    world.add_geom(od.Sphere(0.3, position=(0.5, 0.5, 0.5)))
    world.add_geom(od.Box((0.5, 0.5, 0.5), position=(-0.7, 0.4, 0.3)))
    renderer = od.Renderer(world, (120, 90), samples=2, light=light, **{"shadows": 0, "ambient": 0, **rays})
    renderer.extent = 4.0
    return renderer.render(camera)


def test_colours_are_encoded_as_srgb():
    steps = encoding()
    amounts = np.concatenate([np.linspace(0, 1, 5001), steps[:255] * (1 + 1e-9), steps[:255] * (1 - 1e-9), [-1.0, 2.0]])
    found = [encode.py_func(float(amount), steps) for amount in amounts]
    assert np.array_equal(found, np.floor(encoded(amounts) + 0.5))


# -- colours ---------------------------------------------------------------------------------------------------------


def test_colours_are_as_the_formula_says():
    ball = od.Box((2, 2, 2))
    world = world_of(ball)
    camera = od.Camera((0.6, 0.4, 9), (0.6, 0.4, 0), field_of_view=20)
    light = od.Light(sun=(1, 0, 1), air=False)
    picture = world.render(camera, SIZE, light=light, **PLAIN)
    colour = linear(colours_of([ball])[0])
    facing = math.cos(math.pi / 4)
    expected = encoded(colour * (facing * np.array(light.sun_color) + np.array(light.sky)))
    assert at(picture, camera, (0.6, 0.4, 1.0)) == pytest.approx(expected, abs=1.5)


def test_the_sky_goes_from_the_horizon_to_the_zenith():
    light = od.Light()
    up = world_of().render(od.Camera((0, 0, 0), (0, 0, 1)), SIZE, **PLAIN)
    level = world_of().render(od.Camera((0, 0, 0), (0, 1, 0)), (9, 401), **PLAIN)
    assert up[32, 48] == pytest.approx(encoded(np.array(light.zenith)), abs=2)
    assert level[200, 4] == pytest.approx(encoded(np.array(light.horizon)), abs=2)
    assert (np.diff(level[:201].astype(int), axis=0) >= 0).all() and (
        np.diff(level[200:].astype(int), axis=0) <= 0
    ).all()


def test_squares_of_the_ground_are_a_metre_and_fade_into_the_distance():
    world = world_of(od.Plane())
    above = od.Camera((0.5, 0.5, 4), (0.5, 0.5, 0), up=(0, 1, 0))
    picture = world.render(above, SIZE, light=NO_AIR, **PLAIN)
    one, diagonal, beside = (at(picture, above, point) for point in ((0.5, 0.5, 0), (1.5, 1.5, 0), (1.5, 0.5, 0)))
    assert np.array_equal(one, diagonal) and abs(one - beside).max() > 15
    far = od.Camera((0, 0, 2), (10, 100, 0), field_of_view=30)
    rows = world.render(far, (96, 200), light=NO_AIR, **PLAIN).astype(float)
    contrast = np.ptp(rows[:, :, 1], axis=1)
    horizon = 100 - math.atan(2 / math.hypot(10, 100)) / (2 * math.tan(math.radians(15)) / 200)
    below = int(horizon) + 2
    assert contrast[below : below + 5].max() < 4 < 15 < contrast[-1]


def test_colours_by_state():
    world = od.World()
    ball = world.add_body(od.Sphere(1.0))
    camera = od.Camera((0, -5, 0))
    awake, own = (world.render(camera, SIZE, colors=by, **PLAIN) for by in ("state", "body"))
    ball.enabled = False
    asleep = world.render(camera, SIZE, colors="state", **PLAIN)
    assert differs(awake, asleep).sum() > 500
    assert np.array_equal(world.render(camera, SIZE, **PLAIN), own)


# -- drawing --------------------------------------------------------------------------------------------------------


def _bounds(geom):
    p = geom.position
    return p[0] - 0.5, p[0] + 0.5, p[1] - 0.5, p[1] + 0.5, p[2] - 0.5, p[2] + 0.5


def _ball_under_rays(geom, other, limit):
    """A ball of radius 0.5, which rays alone meet."""
    if not isinstance(other, od.Ray):
        return NotImplemented
    away = other.start - geom.position
    half, rest = away @ other.direction, away @ away - 0.25
    if half * half < rest:
        return []
    t = -half - math.sqrt(half * half - rest)
    if not 0.0 <= t <= other.length:
        return []
    point = other.start + t * other.direction
    return [od.Contact(point, -2 * (point - geom.position), t)]


KNOWS_RAYS = od.GeomClass("balls", bounds=_bounds, collider=_ball_under_rays)
KNOWS_NOTHING = od.GeomClass("things", bounds=_bounds, collider=lambda a, b, n: [])


def tetrahedron():
    corners = np.array([(1, 1, 1), (-1, -1, 1), (-1, 1, -1), (1, -1, -1)]) * 0.7
    return od.Trimesh(corners, [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])


@numba.njit
def octahedron(parameters, d):
    x, y, z = abs(d[0]), abs(d[1]), abs(d[2])
    if x >= y and x >= z:
        return math.copysign(0.6, d[0]), 0.0, 0.0
    return (0.0, math.copysign(0.6, d[1]), 0.0) if y >= z else (0.0, 0.0, math.copysign(0.6, d[2]))


GEOMS = {
    "box": lambda: od.Box((1, 1, 1)),
    "capsule": lambda: od.Capsule(0.4, 0.6),
    "convex": lambda: od.Convex.hull(np.random.default_rng(0).normal(size=(30, 3)) / 3),
    "custom": KNOWS_RAYS,
    "cylinder": lambda: od.Cylinder(0.5, 1.0),
    "heightfield": lambda: od.Heightfield(np.ones((4, 4)), width=3, depth=3, up="z"),
    "plane": od.Plane,
    "ray": lambda: od.Ray(2.0, (0, 0, -1), (0, 0, 1)),
    "sphere": lambda: od.Sphere(0.5),
    "support": od.SupportClass("octahedron", octahedron),
    "transform": lambda: od.GeomTransform(od.Sphere(0.5)),
    "trimesh": tetrahedron,
}


def test_every_class_of_geoms_is_tried_here():
    assert set(MESHES.names) == set(GEOMS)


@pytest.mark.parametrize("name", GEOMS)
def test_every_class_of_geoms_is_drawn(name):
    camera = od.Camera((1.0, -4, 3))
    settings = {"size": (48, 32), **PLAIN}
    empty = world_of().render(camera, **settings)
    assert differs(world_of(GEOMS[name]()).render(camera, **settings), empty).sum() >= (8 if name == "ray" else 45)


def test_classes_that_know_no_rays_are_drawn_as_their_boxes():
    camera = od.Camera((1.0, -4, 3))
    thing = world_of(KNOWS_NOTHING(position=(0.2, 0, 0))).render(camera, SIZE, **PLAIN)
    box = world_of(od.Box((1, 1, 1), position=(0.2, 0, 0))).render(camera, SIZE, **PLAIN)
    assert np.array_equal(thing, box)


def test_what_a_collider_raises_comes_out():
    def fails(a, b, limit):
        raise ZeroDivisionError("in a collider")

    awkward = od.GeomClass("awkward", bounds=_bounds, collider=fails)
    with pytest.raises(ZeroDivisionError, match="in a collider"):
        world_of(awkward()).render(od.Camera((0, -4, 0)), (8, 8))


def test_geoms_that_do_not_collide_are_drawn_all_the_same():
    camera = od.Camera((0, -4, 0))
    shown = world_of(od.Sphere(0.5)).render(camera, SIZE, **PLAIN)
    ghost = od.Sphere(0.5)
    ghost.category_bits = ghost.collide_bits = 0
    assert np.array_equal(world_of(ghost).render(camera, SIZE, **PLAIN), shown)
    off = od.Sphere(0.5)
    world = world_of(off)
    off.enabled = False
    assert np.array_equal(world.render(camera, SIZE, **PLAIN), shown)
    assert ghost.category_bits == 0 and not off.enabled


def test_geoms_in_other_spaces():
    camera = od.Camera((0, -4, 0.5))
    world, space = od.World(), od.SimpleSpace()
    body = world.add_body()
    od.Sphere(0.5, body=body)  # in no space
    body_only = world.render(camera, SIZE, **PLAIN)
    assert differs(body_only, world_of().render(camera, SIZE, **PLAIN)).any()
    od.Plane(space=space, d=-0.5)
    assert np.array_equal(world.render(camera, SIZE, **PLAIN), body_only)
    assert differs(world.render(camera, SIZE, spaces=[space], **PLAIN), body_only).sum() > 1000


@pytest.mark.parametrize("kind", ["sphere", "capsule", "cylinder", "box"])
def test_one_sees_bodies_turn(kind):
    camera, one, other = od.Camera((0, -4, 0)), GEOMS[kind](), GEOMS[kind]()
    other.quaternion = od.rotation.quaternion_from_axis_angle((0, 0, 1), 0.7)
    pictures = [world_of(geom).render(camera, SIZE, light=NO_AIR, **PLAIN) for geom in (one, other)]
    assert differs(*pictures).sum() > 20


def test_contacts_show_through_what_hides_them():
    world = od.World(gravity=(0, 0, -10))
    world.add_plane()
    ball = world.add_body(od.Sphere(0.5), position=(0, 0, 0.4999))
    world.advance(1e-5)
    camera = od.Camera((0, -4, 0.6), (0, 0, 0.3), field_of_view=30)
    plain, marked = (world.render(camera, SIZE, show=show, **PLAIN) for show in ((), "contacts"))
    before, after = (at(picture, camera, (0, 0, 0)) for picture in (plain, marked))
    assert after[0] - after[2] > before[0] - before[2] + 30
    assert 3 < differs(plain, marked).sum() < 400
    world.add_hinge(ball, None, anchor=(0, 0, 0.8), axis=(1, 0, 0))
    jointed = world.render(camera, SIZE, show=("joints", "centres"), **PLAIN)
    assert differs(plain, jointed).sum() > 20


def test_one_sees_into_a_room_of_planes():
    walls = [od.Plane((1, 0, 0), -2), od.Plane((-1, 0, 0), -2), od.Plane((0, 1, 0), -2), od.Plane((0, -1, 0), -2)]
    camera = od.Camera((3, -5, 4), (0, 0, 0.5))
    light = od.Light(sun=(-0.5, -0.5, 1), air=False)
    settings = {"size": SIZE, "light": light, "ambient": 0}
    room = world_of(od.Plane(), *walls, od.Sphere(0.5, position=(0, 0, 0.5))).render(camera, **settings)
    free = world_of(od.Plane(), od.Sphere(0.5, position=(0, 0, 0.5))).render(camera, **settings)
    # Ball, ground and shadow are as in the open; beyond are the two far walls.
    for point in ((0, 0, 1), (0.5, -0.5, 0), (0.6, 0.6, 0)):
        assert np.array_equal(at(room, camera, point), at(free, camera, point))
    assert differs(room, free)[:10].mean() > 0.9
    below = od.Camera((0, 0, -3), (0, 0.1, 0))
    assert np.array_equal(world_of(od.Plane()).render(below, SIZE), world_of().render(below, SIZE))


# -- the same picture again ------------------------------------------------------------------------------------------


def busy_world():
    random = np.random.default_rng(3)
    world = od.World(gravity=(0, 0, -9.81))
    world.add_plane()
    for k in range(40):
        shape = GEOMS[("box", "sphere", "capsule", "cylinder", "convex")[k % 5]]()
        world.add_body(shape, position=(*random.uniform(-2, 2, 2), 1 + 0.3 * k), quaternion=random.normal(size=4))
    return world


def test_pictures_are_the_same_again_and_with_any_number_of_threads():
    world = busy_world()
    first = world.render(size=SIZE, threads=1)
    for threads in (1, 2, 5):
        assert np.array_equal(world.render(size=SIZE, threads=threads), first)
    renderer = od.Renderer(world, SIZE, threads=2)
    assert np.array_equal(renderer.render(), first)
    world.advance(0.01, steps=20)
    later = renderer.render()
    assert not np.array_equal(later, first)
    # Earlier drawings leave no trace.
    other = od.Renderer(world, SIZE)
    other.extent = renderer.extent
    assert np.array_equal(later, other.render(renderer.camera))


@pytest.mark.parametrize("samples", [1, 4])
def test_adaptive_pictures_look_like_those_of_which_every_pixel_is_traced(samples):
    world, size = busy_world(), (320, 240)
    world.advance(0.01, steps=50)
    effort = {"samples": samples, "shadows": samples, "ambient": 0}
    full, adaptive = (world.render(size=size, adaptive=which, **effort) for which in (False, True))
    apart = abs(full.astype(int) - adaptive.astype(int))
    # Half of the pixels are the same in any case.
    even = (np.arange(size[0]) + np.arange(size[1])[:, None]) % 2 == 0
    assert np.array_equal(full[even], adaptive[even])
    assert 0 < apart.mean() < 0.3
    assert (apart > 6).any(axis=2).mean() < 0.005


def test_an_adaptive_picture_loses_no_line_a_pixel_wide():
    """A post as thin as a pixel, far away: pixels of either colour of the chessboard see it."""
    camera = od.Camera((0, -10, 1), (0, 0, 1))
    for x in (0.0, 0.03, 0.06):
        world = world_of(od.Box((0.06, 0.06, 1.2), position=(x, 0, 1)))
        full, adaptive = (world.render(camera, size=(160, 120), samples=1, adaptive=which) for which in (False, True))
        assert np.array_equal(full, adaptive) or differs(full, adaptive).sum() <= 2


def test_the_ground_stays_as_it_is_when_bodies_fly_apart():
    world = busy_world()
    renderer = od.Renderer(world, SIZE, **PLAIN)
    renderer.render()
    low = renderer.render(od.Camera((90, 0, 4), (95, 0, 0)))
    for k, body in enumerate(world.bodies):
        body.position = (0, 300 * k, 0)
    assert np.array_equal(renderer.render(od.Camera((90, 0, 4), (95, 0, 0))), low)


def test_rendering_changes_nothing():
    world, other = busy_world(), busy_world()
    for _ in range(5):
        world.render(size=(8, 8), show=("contacts", "joints"))
        world.advance(0.01, steps=5)
        other.advance(0.01, steps=5)
    assert np.array_equal(world.positions, other.positions)


# -- cameras ---------------------------------------------------------------------------------------------------------


def test_pictures_of_tiny_and_of_huge_scenes_are_alike():
    pictures = []
    for size in (1e-6, 1.0, 1e6):
        world = od.World(gravity=(0, 0, -9.81))
        world.add_plane()
        world.add_body(od.Sphere(size), position=(0, 0, size), density=1)
        pictures.append(world.render(size=SIZE, **PLAIN).astype(int))
    assert abs(pictures[0] - pictures[1]).max() <= 1 and abs(pictures[2] - pictures[1]).max() <= 1


def test_no_more_threads_are_used_than_there_are_rows_for():
    renderer = od.Renderer(od.World(), (32, 20), threads=1_000_000)
    renderer.render()
    assert len(renderer._drawings) == 3


def test_what_a_camera_frames_is_in_the_picture_and_fills_it():
    random = np.random.default_rng(5)
    for aspect in (0.5, 1.0, 16 / 9):
        low = random.uniform(-5, 5, (6, 3))
        boxes = np.stack([low, low + random.uniform(0.1, 2, (6, 3))], axis=2).reshape(6, 6)
        camera = od.Camera.framing(boxes, direction=random.normal(size=3), aspect=aspect)
        corners = [(b[i], b[j], b[k]) for b in boxes for i in (0, 1) for j in (2, 3) for k in (4, 5)]
        places = camera.project(corners, (aspect, 1.0))
        away = abs(places / (aspect, 1.0) - 0.5)
        assert 0.4 < away.max() < 0.5


def test_the_rays_of_a_camera_hit_what_its_picture_shows():
    world = world_of(od.Sphere(0.7, color="red"), od.Box((0.5, 3, 1), position=(1.5, 1, 0.2), color="lime"))
    camera, size = od.Camera((0.5, -4, 1), (0.3, 0, 0), up=(0.1, 0, 1), field_of_view=50), (48, 32)
    rays = camera.rays(size)
    assert rays.shape == (48 * 32, 3) and np.allclose(np.linalg.norm(rays, axis=1), 1)
    x, y = np.meshgrid(np.arange(48), np.arange(32))
    assert np.allclose(camera.project(camera.position + rays, size) - 0.5, np.column_stack([x.ravel(), y.ravel()]))
    hits = world.cast_rays(camera.position, rays)
    shown = np.array([-1 if geom < 0 else int(hits.geoms[geom].shape == "box") for geom in hits.geom]).reshape(32, 48)
    picture = world.render(camera, size, samples=1, adaptive=False, **PLAIN).astype(int)
    red, green = picture[..., 0] - picture[..., 2] > 60, picture[..., 1] - picture[..., 0] > 60
    assert np.array_equal(red, shown == 0) and np.array_equal(green, shown == 1) and red.any() and green.any()


@pytest.mark.parametrize("size", [(0, 3), (3,), 5, (2.5, 3)])
def test_rays_of_no_picture(size):
    with pytest.raises((TypeError, ValueError), match="of a picture must be"):
        od.Camera((0, -1, 0)).rays(size)


def test_a_world_without_a_camera_shows_its_bodies():
    world = od.World(gravity=(0, -9.81, 0))
    world.add_plane((0, 1, 0), -3.0)
    world.add_body(od.Sphere(0.3), position=(40, 2, -7))
    picture = world.render(size=SIZE, **PLAIN)
    middle = picture[24:40, 40:56].astype(int)
    assert (np.ptp(middle, axis=2) > 25).any()  # a coloured ball before grey ground
    assert world_of().render(size=SIZE).shape == (64, 96, 3)


def test_looking_straight_down():
    camera = od.Camera((0, 0, 5))
    picture = world_of(od.Plane(), od.Sphere(0.5)).render(camera, SIZE, **PLAIN)
    ground = world_of(od.Plane()).render(camera, SIZE, **PLAIN)
    rows, columns = np.nonzero(differs(picture, ground, by=2))
    assert (rows.mean(), columns.mean()) == pytest.approx((31.5, 47.5), abs=0.5)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: od.Camera((1, 2, 3), (1, 2, 3)), "looks at itself"),
        (lambda: od.Camera((0, 0, math.nan)), "position of a camera must be finite"),
        (lambda: od.Camera((1, 2)), "position of a camera must be 3 numbers"),
        (lambda: od.Camera((1, 2, 3), up=(0, 0, 0)), "up direction of a camera must not be the zero vector"),
        (lambda: od.Camera((1, 2, 3), field_of_view=180), "less than 180 degrees"),
        (lambda: od.Light(sun=(0, 0, 0)), "direction of the sun"),
        (lambda: od.Light(sky=(-1, 0, 0)), "light's sky must not be negative"),
        (lambda: world_of().render(size=(0, 10)), "width of a picture must be at least 1, not 0"),
        (lambda: world_of().render(size=(10, 10**6)), "height of a picture must be at most 16384"),
        (lambda: world_of().render(size=5), r"must be \(width, height\), not 5"),
        (lambda: world_of().render(samples=0), "samples of a picture must be at least 1"),
        (lambda: world_of().render(shadows=-1), "shadow rays of a picture must be at least 0"),
        (lambda: world_of().render(colours="red"), "colors must be one of 'body', 'state', not 'red'"),
        (
            lambda: world_of().render(show="forces"),
            "each mark of show must be one of 'contacts', 'joints', 'centres', not 'forces'",
        ),
        (lambda: world_of().render(show=3), "each mark of show must be one of 'contacts', 'joints', 'centres', not 3"),
        (lambda: world_of().render(spaces=[od.Sphere(1)]), "spaces of a picture must be spaces, not <Sphere"),
        (lambda: world_of().render(camera=(1, 2, 3)), r"must be a Camera, such as .* not \(1, 2, 3\)"),
        (lambda: world_of().render(light="sun"), "must be a Light, not 'sun'"),
        (lambda: world_of().render(threads=0), "threads of a picture must be at least 1"),
    ],
)
def test_bad_input(make, message):
    with pytest.raises((ValueError, TypeError), match=message):
        make()
