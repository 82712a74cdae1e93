"""Geom classes of Python functions: like built-in shapes everywhere, and harmless whatever they raise or return."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import opendynamics as od

INF = np.inf


def box_of(geom):
    x, y, z = geom.position
    r = geom.data
    return x - r, x + r, y - r, y + r, z - r, z + r


def like_a_sphere(geom, other, limit):
    if isinstance(other, od.CustomGeom) and other.geom_class is geom.geom_class:
        other = od.Sphere(other.data, position=other.position)
    return od.collide(od.Sphere(geom.data, position=geom.position), other, max_contacts=limit)


def balls(**functions):
    return od.GeomClass("ball", **({"bounds": box_of, "collider": like_a_sphere} | functions))


Ball = balls()
MASS = od.Mass.sphere(0.5, density=1000)
TOUCH = od.Contact((0, 0, 0), (0, 0, 1), 0.1)


def raising(*arguments):
    raise LookupError("no idea")


def same(found, expected):
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose([*one.position, *one.normal], [*other.position, *other.normal], atol=1e-14)
        assert one.depth == pytest.approx(other.depth, abs=1e-14)
        assert (one.side1, one.side2) == (other.side1, other.side2)


def others():
    return [od.Sphere(0.4), od.Box((0.8, 0.5, 0.6)), od.Capsule(0.2, 0.7), od.Plane((0, 0.6, 0.8), 0.1)]


@pytest.mark.parametrize("other", others(), ids=lambda geom: geom.shape)
def test_contacts_are_those_of_the_sphere_in_both_orders(other):
    rng = np.random.default_rng(1)
    touching = 0
    for _ in range(60):
        place = {"position": rng.uniform(-0.6, 0.6, 3), "quaternion": rng.normal(size=4)}
        custom, sphere = Ball(0.3, **place), od.Sphere(0.3, **place)
        found = od.collide(custom, other)
        touching += len(found)
        same(found, od.collide(sphere, other))
        same(od.collide(other, custom), od.collide(other, sphere))
        assert all((c.geom1, c.geom2) == (custom, other) for c in found)
        same(od.collide(custom, Ball(0.3)), od.collide(sphere, od.Sphere(0.3)))
    assert touching > 10


def pile(shape, space=None, broadphase=None):
    world = od.World(gravity=(0, 0, -9.81), broadphase=broadphase)
    world.add_plane()
    inner = od.SimpleSpace(space=world.space) if space else None
    bodies = [
        world.add_body(shape(0.5), position=(0.2 * k, 0.1 * k, 0.6 + 1.1 * k), mass=MASS.copy(), space=inner)
        for k in range(3)
    ]
    world.add_body(od.Box((4, 4, 0.2)), position=(0, 0, 4.0), density=100)
    return world, bodies


@pytest.mark.parametrize("broadphase", [None, "simple", "hash", "tree", "sweep_and_prune"])
def test_trajectories_are_those_of_spheres_to_the_last_bit(broadphase):
    custom, mine = pile(Ball, space=broadphase is None, broadphase=broadphase)
    built_in, theirs = pile(od.Sphere)
    custom.advance(0.01, steps=80)
    built_in.advance(0.01, steps=80)
    assert custom.statistics.contacts == built_in.statistics.contacts > 0
    if broadphase is not None:  # a separate space changes the order of the geoms
        for one, other in zip(mine, theirs, strict=True):
            assert (one.position == other.position).all() and (one.angular_velocity == other.angular_velocity).all()
    assert min(body.position[2] for body in mine) > 0.49


def test_odes_loop_sees_them_through_nested_spaces():
    world = od.World(gravity=(0, 0, -9.81))
    world.add_plane()
    inner = od.HashSpace(space=world.space)
    body = world.add_body(Ball(0.5), position=(0, 0, 0.55), mass=MASS, space=inner)
    group = od.JointGroup()

    def near(a, b):
        if isinstance(a, od.Space) or isinstance(b, od.Space):
            od.collide2(a, b, near)
        else:
            for contact in od.collide(a, b):
                world.add_contact(contact, surface=od.Surface(mu=0.5), group=group)

    for _ in range(100):
        world.space.collide(near)
        world.step(0.01)
        group.empty()
    assert body.position[2] == pytest.approx(0.5, abs=1e-3)


def test_time_stages_steps_like_advance():
    one, (first, *_) = pile(Ball)
    other, (second, *_) = pile(Ball)
    one.advance(0.01, steps=20)
    other.time_stages(0.01, steps=20)
    assert (first.position == second.position).all()


@pytest.mark.parametrize("which", ["bounds", "collider", "box_test"])
def test_what_functions_raise_reaches_the_caller_and_nothing_has_moved(which):
    world, bodies = pile(Ball)
    world.advance(0.01, steps=30)
    function = {"bounds": box_of, "collider": like_a_sphere, "box_test": lambda *_: True}[which]
    moods = [function]

    def moody_function(*arguments):
        return moods[-1](*arguments)

    moody = balls(**{which: moody_function})
    extra = world.add_body(moody(0.5), position=(0, 0, 0.5), mass=MASS)
    moods.append(raising)
    before = [body.position for body in (*bodies, extra)]
    members = list(world.space)
    for asking in (
        lambda: world.advance(0.01, steps=5),
        lambda: world.space.collide(od.collide),
        lambda: world.space.overlaps(extra.geoms[0]),
    ):
        with pytest.raises(LookupError, match="no idea"):
            asking()
        assert all((body.position == p).all() for body, p in zip((*bodies, extra), before, strict=True))
        assert list(world.space) == members
    moods.pop()
    world.advance(0.01)
    world.space.remove(extra.geoms[0])
    assert len(world.space) == len(members) - 1


def test_an_interrupt_passes_through_compiled_code():
    def interrupted(*_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        od.collide(balls(collider=interrupted)(1.0), od.Plane())
    assert len(od.collide(Ball(1.0), od.Plane())) == 1


@pytest.mark.parametrize(
    ("answer", "error", "message"),
    [
        (None, TypeError, "must return a list of contacts"),
        (3, TypeError, "must return a list of contacts"),
        ([1.0], TypeError, "must return contacts"),
        ([TOUCH] * 9, ValueError, "9 contacts; it was asked for at most 8"),
        ([od.Contact((0, 0, 0), (0, 0, 2), 0.1)], ValueError, "whose length is 2"),
        ([od.Contact((0, 0, 0), (0, 0, 1), -0.1)], ValueError, "must not be negative"),
        ([od.Contact((0, 0, 0), (0, 0, 1), np.nan)], ValueError, "depth"),
        ([od.Contact((0, 0, 0), (0, 0, 1), "deep")], TypeError, "depth"),
        ([od.Contact((0, 0, 0), (0, 0, 1), 0.1, side1=1.5)], TypeError, "side"),
    ],
)
def test_nonsense_from_colliders_is_refused(answer, error, message):
    geom = balls(collider=lambda *_: answer)(0.5)
    with pytest.raises(error, match=message):
        od.collide(geom, od.Plane(), max_contacts=8)
    world = od.World()
    world.add_plane(offset=-0.4)
    body = world.add_body(geom, mass=MASS)
    if not (isinstance(answer, list) and len(answer) == 9):
        with pytest.raises(error, match=message):
            world.advance(0.01)
    assert (body.position == 0).all()


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (None, ValueError),
        ("box", TypeError),
        ((0, 1, 0, 1), ValueError),
        ((0, 1, 1, 0, 0, 1), ValueError),
        ((0, 1, np.nan, 0, 0, 1), ValueError),
    ],
)
def test_nonsense_for_boxes_is_refused(answer, error):
    geom = balls(bounds=lambda *_: answer)(0.5)
    for asking in (lambda: geom.aabb, lambda: od.SimpleSpace([geom, od.Plane()]).collide(print)):
        with pytest.raises(error, match="the box that ball's bounds gave"):
            asking()


@pytest.mark.parametrize(
    "change",
    [
        lambda world, body, joint: world.add_body(od.Sphere(1)),
        lambda world, body, joint: world.add_plane(),
        lambda world, body, joint: body.destroy(),
        lambda world, body, joint: body.geoms[0].destroy(),
        lambda world, body, joint: joint.destroy(),
        lambda world, body, joint: world.advance(0.01),
    ],
)
def test_colliders_cannot_change_what_is_colliding(change):
    world, bodies = pile(balls(collider=lambda *_: change(world, bodies[0], joint) or []))
    joint = world.add_ball(bodies[0], None)
    with pytest.raises(RuntimeError, match=r"note the change|being stepped"):
        world.advance(0.01, steps=100)
    assert len(world.bodies) == 4 and joint.alive and bodies[0].geoms[0].alive and len(world.space) == 5


def test_threads_do_not_mix_up_their_worlds():
    """Separate worlds, each stepped by a thread, give the same as one after the other."""
    alone, bodies = pile(Ball)
    alone.advance(0.01, steps=60)
    piles = [pile(Ball) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda k: [piles[k][0].advance(0.01) for _ in range(60)], range(4)))
    for _, others in piles:
        assert all((one.position == other.position).all() for one, other in zip(bodies, others, strict=True))


def test_a_pair_left_alone_goes_to_the_other_class_or_has_no_contacts():
    shy = od.GeomClass("shy", bounds=box_of, collider=lambda *_: NotImplemented)
    assert od.collide(shy(0.5), od.Sphere(0.5)) == od.collide(od.Sphere(0.5), shy(0.5)) == []
    flat = balls(collider=lambda geom, other, limit: [od.Contact((1, 2, 3), (0, 0.6, 0.8), 0.25, side1=4, side2=5)])
    (contact,) = od.collide(shy(0.5), flat(0.5))
    assert (contact.normal == (0, -0.6, -0.8)).all() and (contact.side1, contact.side2) == (5, 4)


def test_box_tests_keep_pairs_from_being_reported():
    asked = []

    def above(geom, other, box):
        asked.append((geom, other, box[4]))
        return box[4] < 1.0

    ground = od.GeomClass("ground", bounds=lambda _: (-INF, INF) * 3, collider=lambda *_: [TOUCH], box_test=above)()
    low, high = od.Sphere(0.5), od.Sphere(0.5, position=(0, 0, 5))
    for space in (od.TreeSpace, od.HashSpace, od.SimpleSpace, od.SweepAndPruneSpace):
        pairs = []
        members = space([ground, low, high])
        members.collide(lambda a, b: pairs.append({a, b}))  # noqa: B023
        assert pairs == [{low, ground}]
        assert members.aabb[0] == -INF
        for geom in tuple(members):
            members.remove(geom)
    assert len(asked) == 8


def test_rays_meet_them():
    space = od.TreeSpace([Ball(0.5, position=(0, 0, 1)), od.Sphere(0.5, position=(3, 0, 1))])
    hits = space.cast_rays([(0, 0, 5), (3, 0, 5), (6, 0, 5)], (0, 0, -1))
    np.testing.assert_allclose(hits.distance, [3.5, 3.5, INF])
    np.testing.assert_allclose(hits.normal[0], [0, 0, 1])
    assert hits.geom_of(0).shape == "custom"


def test_mass_has_to_be_given():
    world = od.World()
    for wanted in ({"density": 1000}, {"mass": 2.0}, {}):
        with pytest.raises(ValueError, match="give the body's mass as a Mass"):
            world.add_body(Ball(0.5), **wanted)
    assert not world.bodies and not len(world.space)
    assert world.add_body(Ball(0.5), mass=MASS).mass == MASS.mass


def test_what_cannot_be_is_refused():
    with pytest.raises(ValueError, match="give it an offset"):
        od.GeomTransform(Ball(0.5))
    with pytest.raises(TypeError, match="has no point depth"):
        Ball(0.5).point_depth((0, 0, 0))
    with pytest.raises(TypeError, match="is not known"):
        od.distance(Ball(0.5), od.Sphere(1))
    with pytest.raises(TypeError, match="collider of the geom class ball must be a function"):
        balls(collider=None)
    with pytest.raises(TypeError, match="must be a GeomClass"):
        od.CustomGeom("ball")
    with pytest.raises(TypeError, match="must be a string"):
        od.GeomClass(1, bounds=box_of, collider=like_a_sphere)


def test_destroying_tells_the_class():
    gone = []
    ball = balls(destroyed=lambda geom: gone.append(geom.data))(0.25)
    od.SimpleSpace([ball]).destroy()
    assert gone == [0.25] and not ball.alive
    with pytest.raises(od.DestroyedError):
        ball.destroy()
    assert gone == [0.25]
