"""Silent mistakes raise errors or warnings: unknown names, writes to copies, missing contacts."""

import copy
import dataclasses
import inspect
import pickle
import warnings

import numpy as np
import pytest

import opendynamics as od
from tests.unit.test_bad_input import make_scene

pytestmark = pytest.mark.filterwarnings(
    "ignore:joints of:opendynamics.api.conflicts.ConflictWarning"
)  # all joints between two bodies


@pytest.fixture
def world():
    return od.World(gravity=(0, 0, -9.81))


@pytest.fixture
def ball(world):
    return world.add_body(od.Sphere(0.1), position=(0, 0, 2), density=1000, name="ball")


# -- attributes ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "name", "nearest"),
    [
        (lambda world, ball: world, "gravty", "gravity"),
        (lambda world, ball: world, "maxContacts", "max_contacts"),
        (lambda world, ball: world.space, "enable", "enabled"),
        (lambda world, ball: world.surfaces, "defaults", "default"),
        (lambda world, ball: ball, "positon", "position"),
        (lambda world, ball: ball, "velocity", "linear_velocity"),
        (lambda world, ball: ball.geoms[0], "categorybits", "category_bits"),
        (lambda world, ball: world.add_hinge(ball, None), "axes", "axis"),
        (lambda world, ball: world.add_hinge(ball, None).limit_motor, "maxforce", "max_force"),
        (lambda world, ball: od.Batch([world]), "thread", "threads"),
        (lambda world, ball: od.Mass.sphere(1, mass=1), "masss", "mass"),
    ],
)
def test_setting_or_reading_an_unknown_attribute_names_the_nearest(world, ball, make, name, nearest):
    thing = make(world, ball)
    with pytest.raises(AttributeError, match=f"no attribute '{name}'; did you mean '{nearest}'"):
        setattr(thing, name, 1)
    with pytest.raises(AttributeError, match=f"no attribute '{name}'; did you mean '{nearest}'"):
        getattr(thing, name)


def test_what_cannot_be_set_says_why(world, ball):
    with pytest.raises(AttributeError, match="'step' of World 'world' is a method: call it"):
        world.step = 0.01
    with pytest.raises(AttributeError, match="'add_force' of Body 'ball' is a method"):
        ball.add_force = 3
    with pytest.raises(AttributeError, match="'bodies' of World 'world' can only be read"):
        world.bodies = ()
    with pytest.raises(AttributeError, match="into its 'data', or derive a class"):
        ball.colour_of_the_day = "red"
    with pytest.raises(dataclasses.FrozenInstanceError, match=r"dataclasses.replace\(surface, mu=0.1\)"):
        world.surfaces.default.mu = 0.1


def test_names_of_other_engines_are_understood(world, ball):
    with pytest.raises(AttributeError, match="did you mean 'position'"):
        ball.getPosition()
    with pytest.raises(AttributeError, match="did you mean 'add_body'"):
        world.addBody()


def test_the_error_of_a_setter_or_getter_is_its_own(world):
    class Odd(od.Body):
        @property
        def strange(self):
            raise AttributeError("from within the getter")

        @strange.setter
        def strange(self, value):
            raise AttributeError("from within the setter")

    odd = Odd(world)
    with pytest.raises(AttributeError, match="from within the setter"):
        odd.strange = 1
    with pytest.raises(AttributeError, match="from within the getter"):
        odd.strange  # noqa: B018


def test_classes_of_the_users_may_have_more(world):
    class Crane(od.World):
        pass

    class Wheel(od.Body):
        pass

    crane = Crane()
    crane.reach, crane.gravity = 4.0, (0, 0, -1)
    wheel = Wheel(crane)
    wheel.spin = 3
    twin = copy.deepcopy(crane)
    assert (twin.reach, twin.bodies[0].spin, twin.gravity[2]) == (4.0, 3, -1)


# -- keywords ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda world: od.World(gravty=1),
            r"World\(\) has no argument 'gravty'; did you mean 'gravity'\? .* gravity, erp",
        ),
        (
            lambda world: od.Sphere(0.1, pos=1),
            r"Sphere\(\) has no argument 'pos'; did you mean 'position'\? .* radius, pos",
        ),
        (
            lambda world: od.HashSpace(level=1),
            r"HashSpace\(\) .*'levels'\? .* geoms, levels, space, cleanup, like, name",
        ),
        (lambda world: od.Surface(frictoin=1), r"Surface\(\) .* did you mean 'friction'"),
        (lambda world: od.Mass.sphere(1, densty=1), r"Mass.sphere\(\) .* did you mean 'density'"),
        (lambda world: world.advance(dt=0.1), r"World.advance\(\) .* did you mean 'h'\? Its arguments are h, steps"),
        (lambda world: world.add_body(od.Sphere(1), pos=1), r"World.add_body\(\) .* did you mean 'position'"),
        (lambda world: world.add_hinge(None, None, anchr=1), r"Hinge\(\) .* did you mean 'anchor'\? .* group, name"),
        (lambda world: world.space.cast_rays(0, 0, lenght=1), r"Space.cast_rays\(\) .* did you mean 'length'"),
        (
            lambda world: od.Batch([world], workers=2),
            r"Batch\(\) has no argument 'workers'\. Its arguments are worlds, thr",
        ),
        (
            lambda world: od.Body(world).add_force((1, 0, 0), at_locl=1),
            r"Body.add_force\(\) .* did you mean 'at_local'",
        ),
    ],
)
def test_an_unknown_keyword_names_the_call_and_its_arguments(world, call, message):
    with pytest.raises(TypeError, match=message):
        call(world)


def test_other_type_errors_are_as_they_were(world):
    with pytest.raises(TypeError, match=r"^Sphere\(\) lacks the argument 'radius'\. Its arguments are radius, "):
        od.Sphere()
    with pytest.raises(TypeError, match="the radius"):
        od.Sphere("big")
    assert list(inspect.signature(od.Sphere).parameters) == ["radius", "place"]


# -- arrays --------------------------------------------------------------------------------------------------------


def test_arrays_that_properties_return_cannot_be_written():
    world, _, things = make_scene()
    world.advance(0.01)
    things |= {"geom": things["Sphere"], "mesh": od.Convex.hull([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])}
    arrays = 0
    for thing in things.values():
        for name in dir(type(thing)):
            if isinstance(inspect.getattr_static(type(thing), name), property):
                try:
                    value = getattr(thing, name)
                except ValueError:  # of this kind of joint, or of a body without one
                    continue
                if isinstance(value, np.ndarray):
                    assert not value.flags.writeable, (thing, name)
                    arrays += 1
    assert arrays > 100


def test_writing_a_copy_is_an_error(world, ball):
    with pytest.raises(ValueError, match="read-only"):
        ball.position[2] = 5
    with pytest.raises(ValueError, match="read-only"):
        world.positions[0] = (0, 0, 5)
    ball.position = np.add(ball.position, (0, 0, 3))
    assert ball.position.tolist() == [0, 0, 5]


# -- contacts that no call makes -----------------------------------------------------------------------------------


@pytest.mark.parametrize("step", ["step", "quick_step"])
def test_stepping_through_the_floor_warns_once_and_names_advance(world, ball, step):
    world.add_plane(name="floor")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for _ in range(200):
            getattr(world, step)(0.01)
    assert [warning.category for warning in caught] == [od.MissingContactsWarning]
    assert "ball and floor overlap" in str(caught[0].message)
    assert "world.advance(h)" in str(caught[0].message)
    assert caught[0].filename == __file__


def test_geoms_that_are_in_no_space_are_warned_of_once(world):
    world.add_plane()
    for k in range(2):
        body = world.add_body(position=(k, 0, 1), mass=1, name=f"stone {k}")
        od.Sphere(0.1, body=body)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        world.advance(0.01)
        od.Box((1, 1, 1), body=body)
        world.advance(0.01, steps=2)
    assert [warning.category for warning in caught] == [
        od.MissingContactsWarning
    ] * 2  # of the first, and of the next made
    assert "is on stone 0, but in no space" in str(caught[0].message)
    assert "world.add_body(Sphere(...))" in str(caught[0].message)
    assert caught[0].filename == __file__


def test_geoms_for_queries_rays_sensors_and_the_users_own_loop_are_not_warned_of(world, ball):
    od.Ray(1.0, body=ball)  # on a body with a geom in the world's space
    od.Sphere(0.5, body=ball)  # for queries
    od.Ray(1.0, body=world.add_body(mass=1, position=(0, 0, 9)))
    od.Sphere(0.5, sensor=True, body=world.add_body(mass=1, position=(0, 0, 8)))
    od.Sphere(0.1, body=world.add_body(mass=1, position=(0, 0, 7)), space=od.SimpleSpace())
    probe = od.Sphere(0.3)
    tetrahedron = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
    world.add_body(od.Trimesh(*tetrahedron), mass=1, position=(0, 9, 5))
    world.advance(0.01)
    od.collide(probe, ball.geoms[0])
    own = od.World(gravity=(0, 0, -9.81))
    od.Sphere(0.1, body=own.add_body(mass=1))
    own.step(0.01)  # collided by the user


def test_nobody_is_warned_without_need(world, ball):
    """Contacts of the user's; bodies that a joint connects; a collision loop that finds nothing; what does not move."""
    world.add_plane()
    hanging = od.World(gravity=(0, 0, -9.81))
    one, two = (hanging.add_body(od.Box((1, 1, 1)), position=(0.9 * k, 0, 0)) for k in range(2))
    hanging.add_ball(one, two)
    still = od.World()
    still.add_body(od.Box((1, 1, 1)), kinematic=True)
    still.add_plane()
    like_ode = od.World(like="ode")
    like_ode.add_body(od.Box((1, 1, 1)))
    like_ode.add_plane()
    group = od.JointGroup()
    for _ in range(100):
        world.space.collide(lambda a, b: [world.add_contact(c, group=group) for c in od.collide(a, b)])
        for each in (world, hanging, still, like_ode):
            each.step(0.01)
        group.empty()
    assert ball.position[2] > 0.05


def test_looking_for_overlaps_ends(world, monkeypatch):
    looks = []
    for k in range(40):
        world.add_body(od.Sphere(0.1), position=(k, 0, 0))
    listed = type(world.space)._listed_pairs
    monkeypatch.setattr(type(world.space), "_listed_pairs", lambda space: looks.append(1) or listed(space))
    for _ in range(400):
        world.step(0.01)
    assert 100 < len(looks) < 300


def test_what_assigns_a_property_again_may_add_to_it():
    body = od.World().add_body(position=(0, 0, 1))
    body.position += (0, 0, 1)
    body.position *= 2
    body.position -= (1, 0, 0)
    body.position /= 4
    assert body.position.tolist() == [-0.25, 0, 1]
    place = body.position
    assert type(place + 1) is type(place / 2) is type(np.cross(place, place)) is np.ndarray
    assert type(place @ place) is np.float64
    assert pickle.loads(pickle.dumps(place)).tolist() == place.tolist()
