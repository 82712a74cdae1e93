"""Aliases of properties and arguments: each reads, sets and constructs like the name, and there is no third name."""

import importlib.util
import inspect
from pathlib import Path

import numpy as np
import pytest

import opendynamics as od
from opendynamics.api.aliases import argument_aliases, attribute_aliases, by_name
from opendynamics.api.joint_methods import FAMILY, joint_class
from opendynamics.api.suggestions import arguments_of

DOCS = Path(__file__).parents[2] / "docs"
KINDS = [value for name in od.__all__ if isinstance(value := getattr(od, name), type)]
WORDS = {"Surface", "Light", "Renderer"}  # values that are not numbers, or fixed: tested separately
PROPERTIES = [
    (kind, alias, name)
    for kind in KINDS
    if kind.__name__ not in WORDS
    for alias, name in attribute_aliases(kind).items()
]
METHODS = [
    (kind, method, alias, name)
    for kind in KINDS
    for method in dir(kind)
    if not method.startswith("_")
    for alias, name in argument_aliases(inspect.getattr_static(kind, method)).items()
]

# Something that is not the default, for every name that can be set.
VALUES = {
    "quaternion": (0, 1, 0, 0),
    "quaternions": [(0, 1, 0, 0), (0, 0, 1, 0)],
    "offset_quaternion": (0, 1, 0, 0),
    "lengths": (1.0, 2.0, 3.0),
    "offset": 2.0,
    "center": (1.0, 2.0, 3.0),
    "stops": (-0.5, 0.25),
    "stops1": (-0.5, 0.25),
    "stops2": (-0.5, 0.25),
    "angle_stops": (-0.5, 0.25),
    "max_torque": 3.0,
    "max_force": 3.0,
    "bounce": 0.25,
    "mu": 0.125,
    "prismatic_axis": (0.0, 0.0, 1.0),
    "length": 4.0,
}

# Further arguments that are needed to make one.
REQUIRED = {
    od.Capsule: {"radius": 0.1, "length": 1.0},
    od.Cone: {"radius": 0.1, "height": 1.0},
    od.Cylinder: {"radius": 0.1, "length": 1.0},
    od.Ellipsoid: {"radii": (1, 2, 3)},
    od.RoundedBox: {"lengths": (1.0, 1.0, 1.0), "radius": 0.1},
    od.Box: {"lengths": (1.0, 1.0, 1.0)},
    od.Sphere: {"radius": 0.1},
    od.Heightfield: {"data": np.zeros((2, 2)), "width": 1.0, "depth": 1.0},
    od.QuadTreeSpace: {"center": (0, 0, 0), "extents": (1, 1, 1), "depth": 2},
}
# Classes that are made otherwise; what their bases take is tested with the others.
ELSEWHERE = {"Convex", "CustomGeom", "GeomTransform", "Ray", "SupportGeom", "Trimesh", "Geom", "Plane2D"}


def make(kind, **options):
    """An instance of a public class; joints join two bodies, apart along y."""
    if issubclass(kind, od.Joint):
        world = od.World()
        pair = (world.add_body(mass=1, position=(0, 1, 0)), world.add_body(mass=1))
        return kind(world, *pair, **options)
    if kind is od.World:
        world = od.World()
        world.add_body(mass=1), world.add_body(mass=1)
        return world
    if kind is od.Body:
        return od.World().add_body(mass=1)
    if kind is od.LimitMotor:
        return make(od.Hinge).limit_motor
    needed = {key: value for key, value in REQUIRED.get(kind, {}).items() if key not in options}
    aliases = attribute_aliases(kind)
    taken = {aliases.get(key, key) for key in options}
    return kind(**{key: value for key, value in needed.items() if key not in taken}, **options)


def close(one, other):
    np.testing.assert_allclose(np.asarray(one, float), np.asarray(other, float), atol=1e-14)


def settable(kind, name):
    found = inspect.getattr_static(kind, name)
    return not isinstance(found, property) or found.fset is not None


@pytest.mark.parametrize(("kind", "alias", "name"), PROPERTIES, ids=lambda value: getattr(value, "__name__", value))
def test_the_alias_of_a_property_is_the_property(kind, alias, name):
    if name in ("quaternion", "offset_quaternion") and issubclass(kind, od.Geom):
        kind = od.Sphere if kind.__name__ in ELSEWHERE or not kind.placeable else kind
    thing = make(kind)
    if name == "offset_quaternion":
        thing.body = od.World().add_body(mass=1)
    if not settable(kind, name):
        close(getattr(thing, alias), getattr(thing, name))
        with pytest.raises(AttributeError, match="can only be read"):
            setattr(thing, alias, 1.0)
        return
    before = np.array(getattr(thing, name), float)
    setattr(thing, alias, VALUES[name])
    close(getattr(thing, name), VALUES[name])
    close(getattr(thing, alias), VALUES[name])
    assert (np.array(getattr(thing, name), float) != before).any()


def test_pictures_take_both_spellings():
    light, renderer = od.Light(sun_colour=(0.5, 0.25, 0.125)), od.Renderer(od.World(), colours="state")
    assert light.sun_color == light.sun_colour == (0.5, 0.25, 0.125)
    assert renderer.colors == renderer.colours == "state"
    renderer.colours = "body"
    assert renderer.colors == "body"


CONSTRUCTORS = [
    (kind, alias, name)
    for kind, alias, name in PROPERTIES
    if kind.__name__ not in ELSEWHERE | {"World", "Body", "LimitMotor"}
    and (kind is not od.Plane or name == "offset")
    and name in arguments_of(kind.__init__, kind)
]


@pytest.mark.parametrize(("kind", "alias", "name"), CONSTRUCTORS, ids=lambda value: getattr(value, "__name__", value))
def test_a_constructor_takes_the_alias(kind, alias, name):
    close(getattr(make(kind, **{alias: VALUES[name]}), name), VALUES[name])
    with pytest.raises(TypeError, match="two names of one argument"):
        make(kind, **REQUIRED.get(kind, {}) | {alias: VALUES[name], name: VALUES[name]})


@pytest.mark.parametrize(
    ("kind", "method", "alias", "name"), METHODS, ids=lambda value: getattr(value, "__name__", value)
)
def test_a_method_takes_the_alias(kind, method, alias, name):
    kind = od.SimpleSpace if kind is od.Space else kind

    def outcome(argument):
        thing = make(kind)
        given = {argument: VALUES[name]}
        if method == "servo":
            given |= {"stiffness": 1.0}
        elif method == "add_bodies":
            given |= {"shapes": None, "positions": np.zeros((2, 3))}
        elif method == "add_geom":
            given |= {"geom": od.Sphere(0.1)}
        elif "rays" in method:
            (thing.space if kind is od.World else thing).add(od.Sphere(0.1, position=(0, 0, 3)))
            given |= {"origins": (0, 0, 0), "directions": (0, 0, 1)}
        elif "motor" in method:
            given |= {"velocity": 1.0} | ({"number": 0} if kind in (od.AMotor, od.LMotor) else {})
        made = getattr(thing, method)(**given)
        if method == "servo":
            return made.max_torque
        if "motor" in method:
            motors = [thing] if kind is od.LimitMotor else thing.limit_motors
            return [motor.max_force for motor in motors]
        if "rays" in method:
            return made if method == "test_rays" else made.distance
        return made[0].quaternion if method == "add_bodies" else getattr(made, name)

    close(outcome(alias), outcome(name))
    assert np.any(np.asarray(outcome(name)) != 0.0)
    with pytest.raises(TypeError, match="has no argument 'nonsense'"):
        getattr(make(kind), method)(**{alias: VALUES[name], "nonsense": 1})
    with pytest.raises(TypeError, match="two names of one argument"):
        getattr(make(kind), method)(**{alias: VALUES[name], name: VALUES[name]})


def test_surfaces_never_change_by_an_alias_either():
    surface = od.Surface(friction=0.25, restitution=0.5)
    assert (surface.mu, surface.friction, surface.bounce, surface.restitution) == (0.25, 0.25, 0.5, 0.5)
    with pytest.raises(AttributeError, match=r"dataclasses.replace\(surface, mu=1\)"):
        surface.friction = 1
    with pytest.raises(TypeError, match="two names of one argument"):
        od.Surface(mu=1, friction=1)
    with pytest.raises(TypeError, match="for the model write friction_model='box'"):
        od.Surface(friction="box")


def test_there_are_pairs_of_every_sort():
    assert len(PROPERTIES) > 40 and len(CONSTRUCTORS) > 20 and len(METHODS) > 10


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_nothing_has_a_third_name(kind):
    found = attribute_aliases(kind)
    assert len(set(found.values())) == len(found)
    assert not set(found) & set(found.values())


def test_an_argument_cannot_be_given_by_both_names():
    assert by_name("call", {"d": "offset"}, {"d": 1, "other": 2}) == {"offset": 1, "other": 2}
    for options in ({"d": 1, "offset": 2}, {"offset": 2, "d": 1}):
        with pytest.raises(TypeError, match=r"call\(\) was given 'offset' and 'd'"):
            by_name("call", {"d": "offset"}, options)


def test_geoms_take_a_rotation_as_bodies_do():
    turned = od.rotation.from_axis_angle((0, 0, 1), 0.5)
    close(od.Sphere(1, rotation=turned).rotation, turned)
    with pytest.raises(ValueError, match="quaternion of the geom or its rotation, not both"):
        od.Sphere(1, rotation=turned, orientation=(1, 0, 0, 0))


def test_heightfields_take_every_argument_of_geoms():
    field = od.Heightfield(np.zeros((2, 2)), width=1, depth=1, sensor=True, rotation=np.eye(3))
    assert field.sensor


def test_the_rate_of_every_coordinate_follows_one_pattern():  # ODE measures no rates of wheels that mesh
    for kind in filter(None, (joint_class(name) for name in FAMILY.names)):
        names = set(dir(kind))
        for coordinate in ("angle", "angle1", "angle2", "position"):
            assert coordinate not in names or f"{coordinate}_rate" in names or kind is od.Transmission, kind


def test_the_page_on_names_is_up_to_date():
    spec = importlib.util.spec_from_file_location("names", DOCS / "names.py")
    names = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(names)
    assert (DOCS / "names.md").read_text(encoding="utf-8") == names.page()
