"""Bodies created in one call equal those created one by one, to the last bit."""

import numpy as np
import pytest

import opendynamics as od

PLACES = np.random.default_rng(5).normal(size=(40, 3)) * 10
TURNS = np.random.default_rng(6).normal(size=(40, 4))
SPEEDS = np.random.default_rng(7).normal(size=(40, 3))


def used_world(**options):
    """A world in which rows of bodies and geoms have been freed, with non-default settings."""
    world = od.World(gravity=(0, 0, -9.81), **options)
    world.add_plane(offset=-30)
    gone = [world.add_body(od.Sphere(0.2), position=(0, 0, 50 + k)) for k in range(5)]
    world.auto_disable, world.auto_disable_samples, world.linear_damping = True, 3, 0.01
    for k in (3, 1):
        gone[k].destroy()
        world.add_geom(od.Sphere(0.1, position=(0, 0, -99))).destroy()
    return world


def one_by_one(world, shape_of, **each):
    """`add_body` for each of PLACES."""
    for k, place in enumerate(PLACES):
        shape = shape_of(k)
        options = {name: values if np.ndim(values) == 0 else values[k] for name, values in each.items()}
        world.add_body(*(() if shape is None else (shape,)), position=place, **options)


CASES = {
    "no shapes": (lambda k: None, {}, {}),
    "spheres": (lambda k: od.Sphere(0.25), {}, {}),
    "boxes that turn": (
        lambda k: od.Box((0.1, 0.2, 0.3)),
        {"quaternions": TURNS, "linear_velocities": SPEEDS, "angular_velocities": -SPEEDS},
        {"quaternion": TURNS, "linear_velocity": SPEEDS, "angular_velocity": -SPEEDS},
    ),
    "away from the origin": (
        lambda k: od.Capsule(0.1, 0.4, position=(0.1, 0.2, 0.3), quaternion=(1, 2, 3, 4), material="ice"),
        {"quaternions": TURNS, "density": 300.0},
        {"quaternion": TURNS, "density": 300.0},
    ),
    "masses": (lambda k: od.Sphere(0.25), {"mass": range(1, 41)}, {"mass": range(1, 41)}),
    "kinematic": (lambda k: od.Cylinder(0.2, 0.1), {"kinematic": True, "mass": 2}, {"kinematic": True, "mass": 2}),
    "a Mass": (
        lambda k: od.Sphere(0.25),
        {"mass": od.Mass(2, (1, 2, 3), (0.1, 0, 0))},
        {"mass": od.Mass(2, (1, 2, 3), (0.1, 0, 0))},
    ),
}


@pytest.mark.parametrize("listed", [False, True])
@pytest.mark.parametrize("name", CASES)
def test_they_are_those_made_one_by_one(name, listed):
    shape_of, many, each = CASES[name]
    world, other = used_world(), used_world()
    shapes = [shape_of(k) for k in range(40)] if listed else shape_of(0)
    bodies = world.add_bodies(None if shape_of(0) is None else shapes, PLACES, **many)
    one_by_one(other, shape_of, **each)
    assert bodies == list(world.bodies[-40:])
    assert [len(body.geoms) for body in bodies] == [0 if shape_of(0) is None else 1] * 40
    for _ in range(3):
        assert world.state_hash() == other.state_hash()
        world.advance(0.01, steps=5)
        other.advance(0.01, steps=5)
    bodies[3].destroy()
    other.bodies[-37].destroy()
    assert world.state_hash() == other.state_hash()
    if shape_of(0) is not None and not listed:
        assert shapes.body is None and shapes.space is None  # the geom that was copied


def test_shapes_of_all_kinds_in_one_list():
    mesh = od.MeshData([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])

    def shape_of(k):
        return (od.Sphere(0.1 + k / 100), od.Box((1, 1, 1)), od.Trimesh(mesh), od.Convex.hull(mesh.vertices))[k % 4]

    world, other = used_world(), used_world()
    bodies = world.add_bodies([shape_of(k) for k in range(40)], PLACES, names=[f"body {k}" for k in range(40)])
    one_by_one(other, shape_of)
    assert world.state_hash() == other.state_hash()
    assert [body.name for body in bodies[:2]] == ["body 0", "body 1"]


def test_a_copied_geom_is_one_of_its_own():
    world = od.World()
    model = od.Sphere(0.5, material="rubber", color="red", sensor=True, name="model")
    one, other = world.add_bodies(model, [(0, 0, 0), (5, 0, 0)])
    (geom,), (twin,) = one.geoms, other.geoms
    assert (geom.material, geom.color, geom.sensor, geom.radius) == ("rubber", (1, 0, 0), True, 0.5)
    geom.radius, geom.material = 0.1, None
    assert (twin.radius, twin.material, model.radius) == (0.5, "rubber", 0.5)
    assert {geom.space, twin.space} == {world.space}
    twin.destroy()
    assert world.geoms == (geom,)
    saved = world.save()
    one.destroy()
    world.restore(saved)
    assert one.geoms == (geom,) and geom.radius == 0.1


def test_they_wake_what_they_touch_and_join_the_space_that_is_asked_for():
    world, space = od.World(), od.HashSpace()
    sleeper = world.add_body(od.Sphere(0.5))
    sleeper.enabled = False
    bodies = world.add_bodies(od.Sphere(0.5), [(9, 0, 0), (19, 0, 0)], space=space)
    assert not sleeper.enabled
    world.add_bodies(od.Sphere(0.5), [(0, 0, 0.9)])
    assert sleeper.enabled
    assert len(world.space) == 2
    assert list(space) == [body.geoms[0] for body in reversed(bodies)]
    assert world.add_bodies(od.Sphere(1), []) == world.add_bodies(None, np.zeros((0, 3))) == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"positions": (1, 2, 3)}, r"positions of the new bodies must have the shape \(n, 3\)"),
        ({"positions": [(1, 2, np.nan)]}, "positions of the new bodies must be finite"),
        ({"quaternions": [(1, 0, 0, 0)] * 3}, r"quaternions of the new bodies must have the shape \(2, 4\)"),
        ({"quaternions": (0, 0, 0, 0)}, "length above 0, but number 0"),
        ({"linear_velocities": [(1, 0, 0)]}, r"must have the shape \(2, 3\)"),
        ({"mass": [1, 2, 3]}, "mass of the new bodies must be one number, or 2, not 3"),
        ({"mass": [1, 0]}, "mass of the new bodies must be greater than 0"),
        ({"mass": 1, "density": 1}, "density of the new bodies or its mass, not both"),
        ({"names": ["one"]}, "must be 2 names"),
        ({"shapes": [od.Sphere(1)]}, "must be one geom, or 2, one for each position, not 1"),
        ({"shapes": od.Plane()}, "cannot be put on a body"),
        ({"shapes": od.Convex.hull([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])}, "give a list, a geom for each body"),
        ({"space": od.World().space}, "belongs to another world"),
    ],
)
def test_what_is_wrong_is_refused_and_nothing_is_made(options, message):
    world = od.World()
    before = world.state_hash()
    with pytest.raises(ValueError, match=message):
        world.add_bodies(**{"shapes": od.Sphere(1), "positions": [(0, 0, 0), (1, 0, 0)]} | options)
    assert world.state_hash() == before and not world.bodies
    with pytest.raises(TypeError, match=r"add_bodies\(\) has no argument 'position'"):
        world.add_bodies(od.Sphere(1), position=(0, 0, 0))
