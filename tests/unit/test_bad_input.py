"""Every public setter and constructor argument rejects invalid values before anything has changed.

Setters and arguments are found by introspection: a new one is tried with everything that no number, vector, flag, name
or object can be. What is bad for some and good for others (0, -1, infinity) stands in tables below.
"""

from __future__ import annotations

import inspect
import math
import warnings
from functools import partial

import numpy as np
import pytest

import opendynamics as od
from opendynamics.api.aliases import Alias
from tests.unit.joint_kinds import JOINT_KINDS, make_joint, usual_bodies
from tests.unit.snapshots import snapshot

pytestmark = pytest.mark.filterwarnings(
    "ignore:joints of:opendynamics.api.conflicts.ConflictWarning"
)  # all joints between two bodies

REFUSALS = (ValueError, TypeError, od.DestroyedError)
NAN, INF = math.nan, math.inf


def make_scene():
    """A world with one of everything, and a second world."""
    world, other = od.World(gravity=(0, 0, -1), name="probe"), od.World(name="other")
    anchor = world.add_body(name="probe's anchor", position=(0, 0, 2))
    body = world.add_body(od.Sphere(0.5, name="ball"), name="probe", position=(3, 0, 2))
    things = {"World": world, "Body": body, "Mass": od.Mass(1.0, (1, 1, 1)), "Contact": od.Contact()}
    for name, geom in {
        "Sphere": od.Sphere(0.5, name="probe"),
        "Box": od.Box((1, 1, 1), name="probe"),
        "Capsule": od.Capsule(0.5, 1, name="probe"),
    }.items():
        geom.body = body
        things[name] = geom
    things["Plane"] = world.add_plane(name="probe")
    for kind, cls in JOINT_KINDS.items():
        things[cls.__name__] = make_joint(world, kind, *usual_bodies(kind, body, anchor), name="probe")
    things["LimitMotor"] = things["Hinge"].limit_motor
    for cls in (od.HashSpace, od.SimpleSpace, od.SweepAndPruneSpace, od.TreeSpace):
        things[cls.__name__] = cls(name="probe")
    things["QuadTreeSpace"] = od.QuadTreeSpace((0, 0, 0), (9, 9, 9), 4, name="probe")
    things["Surfaces"] = world.surfaces
    return world, other, things


# Parts of a contact point that are checked when a joint is made from it.
PLAIN = {f"Contact.{name}" for name in ("depth", "geom1", "geom2", "side1", "side2")}


def setters_of(thing):
    """Names of the attributes of a thing that can be set, other than plain slots."""
    names = []
    for name in dir(type(thing)):
        attribute = inspect.getattr_static(type(thing), name)
        if isinstance(attribute, Alias):
            attribute = inspect.getattr_static(type(thing), attribute.name)
        if name.startswith("_") or inspect.ismemberdescriptor(attribute) or f"{type(thing).__name__}.{name}" in PLAIN:
            continue
        if (isinstance(attribute, property) and attribute.fset) or (
            not isinstance(attribute, property) and hasattr(type(attribute), "__set__")
        ):
            names.append(name)
    return names


# Nothing takes these: not a number, no vector, flag, name or object of ours.
UNIVERSAL = {
    "nan": NAN,
    "object": object(),
    "complex": 1j,
    "rubbish": "rubbish",
    "empty": (),
    "nan vector": (NAN, NAN, NAN),
    "ragged": ((1, 2), (3,)),
    "five numbers": (1, 2, 3, 4, 5),
    "strings": ("1", "2", "3"),
    "huge": 10**400,
    "None": None,
}

# Values that some setters and arguments accept, by name.
TAKES = {
    "name": set(UNIVERSAL),  # anything can be said in a message
    "material": {"rubbish", "None"},
    "body": {"None"},
    "color": {"None"},
    "track": {"None"},
    **{name: {"None"} for name in ("moved_callback", "contact_filter", "contact_modifier")},
    "geoms": {"empty"},
    "axes": {"empty"},
    "shapes": {"empty"},
    "SweepAndPruneSpace.axes": set(),
    "broadphase": {"None"},
    "direction1": {"None"},
}

# Other values that they reject, by class and name or by name alone. Numbers in general are in [0, inf), lengths above 0.
BELOW_ZERO = (-1.0, -INF)
POSITIVE = (0.0, *BELOW_ZERO, INF)
FRACTION = (-0.1, 1.1, INF, *BELOW_ZERO)
FINITE_VECTOR = ((INF, 0, 0), (0, -INF, 0), (1, 2), (1, 2, 3, 4), np.zeros((3, 1)), np.zeros((1, 3)))
DIRECTION = ((0, 0, 0), *FINITE_VECTOR)
QUATERNION = ((0, 0, 0, 0), (INF, 0, 0, 0), (1, 0, 0), (1e200, 1e200, 0, 0))
MATRIX = (np.zeros((3, 3)), np.diag([1, 1, -1]), 2 * np.eye(3), np.eye(4), np.full((3, 3), INF))
INERTIA = (
    np.zeros((3, 3)),
    -np.eye(3),
    np.diag([1, 1, 0]),
    [[1, 1, 0], [0, 1, 0], [0, 0, 1]],
    (1, 2, -3),
    np.diag([INF, INF, INF]),
)
COUNT = (-1, 1.5, INF, 2**70)
FLAG = (0.5, INF, "no", (True, False))
BITS = (0.5, INF, 2**64, -(2**63) - 1, True)
STOPS = ((1, -1), (NAN, 1), (INF, INF), (-INF, -INF), (1, 2, 3), 1.0)

MORE = {
    "mass": POSITIVE,
    "radius": POSITIVE,
    "density": POSITIVE,
    "Capsule.length": (*BELOW_ZERO, INF),
    "lengths": ((0, 1, 1), (1, -1, 1), *FINITE_VECTOR),
    "d": (INF, -INF),
    "normal": DIRECTION,
    "axis": DIRECTION,
    "direction1": DIRECTION,
    "quaternion": QUATERNION,
    "offset_quaternion": QUATERNION,
    "rotation": MATRIX,
    "offset_rotation": MATRIX,
    "inertia": INERTIA,
    "mass_properties": (od.Mass(), od.Mass(1.0), od.Mass(1, (1, 1, 1), (1, 0, 0)), od.Mass(1e-310, (1, 1, 1)), 2.0),
    # Out of their bounds ERP, damping and CFM are warned of, not refused.
    **dict.fromkeys(("erp", "stop_erp", "linear_damping", "angular_damping", "cfm", "stop_cfm"), (INF,)),
    "bounce": FRACTION,
    "fudge": FRACTION,
    "soft_cfm": (*BELOW_ZERO, INF),
    "soft_erp": (*BELOW_ZERO, INF),
    "slip1": (*BELOW_ZERO, INF),
    "slip2": (*BELOW_ZERO, INF),
    "bounce_velocity": (*BELOW_ZERO, INF),
    "mu": BELOW_ZERO,
    "mu2": BELOW_ZERO,
    "rolling": BELOW_ZERO,
    "rolling2": BELOW_ZERO,
    "spinning": BELOW_ZERO,
    "motion1": (INF, -INF),
    "motion2": (INF, -INF),
    "motion_normal": (INF, -INF),
    "friction": ("cone", ("box", "box"), ("box", "box", "cone"), 5),
    "max_force": BELOW_ZERO,
    "max_angular_speed": BELOW_ZERO,
    "contact_max_correcting_velocity": BELOW_ZERO,
    "contact_surface_layer": (*BELOW_ZERO, INF),
    "speculative_margin": (*BELOW_ZERO, INF),
    "linear_damping_threshold": (*BELOW_ZERO, INF),
    "angular_damping_threshold": (*BELOW_ZERO, INF),
    "auto_disable_linear_threshold": BELOW_ZERO,
    "auto_disable_angular_threshold": BELOW_ZERO,
    "auto_disable_time": (*BELOW_ZERO, INF),
    "auto_disable_steps": COUNT,
    "auto_disable_samples": (2**16, *COUNT),
    "max_contacts": (0, 2**16, *COUNT),
    "velocity": (INF, -INF),
    "low": (INF,),
    "high": (-INF,),
    "stops": STOPS,
    "levels": ((3, 1), (1,), (0.5, 1), (0, 10**6), 7),
    "SweepAndPruneSpace.axes": ("xy", "xxz", "XYZ", ("x", "y", "z"), 36),
    "extents": ((0, 1, 1), (1, -1, 1), *FINITE_VECTOR),
    "depth": (11, *COUNT),
    "sublevel": (0.5, INF, 2**70),
    "category_bits": BITS,
    "collide_bits": BITS,
    "body": ("ball", 1),
    "space": ("hash", 1),
    "group": ("contacts", 1),
    "material": (1, ("ice",)),
    **dict.fromkeys(("moved_callback", "contact_filter", "contact_modifier"), (1, "print")),
    "quaternions": (
        np.zeros((2, 4)),
        np.full((2, 4), INF),
        np.ones((1, 4)),
        np.ones(4),
        [[1, 0, 0, 0], [1e200, 1e200, 0, 0]],
    ),
    "broadphase": ("magic", "__init__", 1),
    "solver": ("magic", "dense", 1),
    **dict.fromkeys(
        (
            "position",
            "offset_position",
            "linear_velocity",
            "angular_velocity",
            "force",
            "torque",
            "gravity",
            "anchor",
            "anchor2",
            "finite_rotation_axis",
            "center",
        ),
        FINITE_VECTOR,
    ),
    **{
        name: (np.zeros((1, 3)), np.zeros(6), np.zeros((2, 4)), np.full((2, 3), INF), [[0, 0, 0], [0, NAN, 0]])
        for name in ("positions", "linear_velocities", "angular_velocities")
    },
}


def bad_values(owner, name, usual):
    """Labelled values that this setter or argument, which is or may be `usual`, has to refuse."""
    takes = TAKES.get(f"{owner}.{name}", TAKES.get(name, set()))
    more = MORE.get(f"{owner}.{name}", MORE.get(name, ()))
    if isinstance(usual, bool) or name == "like_ode":
        takes, more = {"huge"}, FLAG  # flags take whole numbers, as in C
    for label, value in UNIVERSAL.items():
        if label not in takes:
            yield label, value
    for value in more:
        yield repr(value), value


SETTERS = [(owner, name) for owner, thing in make_scene()[2].items() for name in setters_of(thing)]


def same(a, b):
    return np.array_equal(a, b) if isinstance(a, np.ndarray) else a is b or a == b


@pytest.mark.parametrize(("owner", "name"), SETTERS)
def test_setter_refuses_and_nothing_changes(owner, name):
    world, other, things = make_scene()
    thing = things[owner]
    before_value, before = getattr(thing, name), snapshot(world, other)
    for label, value in bad_values(owner, name, before_value):
        with pytest.raises(REFUSALS) as refusal:
            setattr(thing, name, value)
            pytest.fail(f"{owner}.{name} took {label}")
        assert_telling(refusal.value, owner, value)
        assert snapshot(world, other) == before, f"{owner}.{name} = {label} was refused, but it changed something"
        assert same(getattr(thing, name), before_value)
    goes_on(world)


def assert_telling(refusal, owner, value):
    """The message says what is wrong with which value and, where the object has a name, names the object."""
    message = str(refusal)
    assert any(word in message for word in ("must", "cannot", "needs", "there are", "destroyed", "not")), message
    if owner not in ("Mass", "Contact", "Surfaces") and "there are" not in message:
        assert "probe" in message, message
    if "cannot be set" in message or " only" in message:
        return  # whatever the value
    if isinstance(value, (str, int, float)) and not isinstance(value, bool):
        assert str(value)[:20] in message, message


def goes_on(world):
    """A world that refused something still falls as it did."""
    free = world.add_body(position=(50, 0, 50))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        world.step(0.01)
        world.advance(0.01)
    assert free.linear_velocity.tolist() == [0.0, 0.0, -0.02]


def test_setters_are_found():
    # The net itself: if introspection broke, every test above would vanish without a word.
    assert len(SETTERS) > 100
    assert ("Body", "mass") in SETTERS
    assert ("Body", "linear_damping") in SETTERS
    assert ("LimitMotor", "low") in SETTERS
    assert ("Slider", "stops") in SETTERS


# -- constructors ------------------------------------------------------------------------------------------------------


def constructors():
    """How to call each public constructor: the callable made from a scene, and the arguments that it needs."""
    return {
        "World": (lambda world: od.World, {}),
        "Body": (lambda world: od.Body, None),
        "Sphere": (lambda world: od.Sphere, {"radius": 1.0}),
        "Box": (lambda world: od.Box, {"lengths": (1, 1, 1)}),
        "Capsule": (lambda world: od.Capsule, {"radius": 1.0, "length": 1.0}),
        "Plane": (lambda world: od.Plane, {}),
        "HashSpace": (lambda world: od.HashSpace, {}),
        "SimpleSpace": (lambda world: od.SimpleSpace, {}),
        "SweepAndPruneSpace": (lambda world: od.SweepAndPruneSpace, {}),
        "TreeSpace": (lambda world: od.TreeSpace, {}),
        "QuadTreeSpace": (lambda world: od.QuadTreeSpace, {"center": (0, 0, 0), "extents": (9, 9, 9), "depth": 4}),
        "Mass": (lambda world: od.Mass, {"mass": 1.0}),
        "Mass.sphere": (lambda world: od.Mass.sphere, {"radius": 1.0, "density": 1.0}),
        "Mass.box": (lambda world: od.Mass.box, {"lengths": (1, 1, 1), "density": 1.0}),
        "Mass.capsule": (lambda world: od.Mass.capsule, {"radius": 1.0, "length": 1.0, "density": 1.0}),
        "Mass.cylinder": (lambda world: od.Mass.cylinder, {"radius": 1.0, "length": 1.0, "density": 1.0}),
        "Surface": (lambda world: od.Surface, {}),
        "add_body": (lambda world: world.add_body, {}),
        **{f"add_{kind}": (lambda world, kind=kind: joint_maker(world, kind), {}) for kind in JOINT_KINDS},
    }


def joint_maker(world, kind):
    """`world.add_<kind>` between the world's two bodies, with an axis where there may be several."""
    make = getattr(world, f"add_{kind}")
    takes = arguments_of(JOINT_KINDS[kind])
    arguments = dict(zip(("body1", "body2"), usual_bodies(kind, *world.bodies), strict=True))
    arguments |= {name: value for name, value in (("contact", od.Contact()), ("axes", [(1, 0, 0)])) if name in takes}
    return partial(make, **arguments)


def arguments_of(cls):
    """Arguments of a class or function, with those that **options hands up the line of classes, and their defaults."""
    if not inspect.isclass(cls):
        return {n: p.default for n, p in named(cls)}
    found = {}
    for base in cls.__mro__:
        if "__init__" not in vars(base) or base is object:
            continue
        found = {n: p.default for n, p in named(base.__init__)} | found
        if not any(p.kind is p.VAR_KEYWORD for p in inspect.signature(base.__init__).parameters.values()):
            break
    return found


def named(function):
    parameters = inspect.signature(function).parameters.items()
    return [(n, p) for n, p in parameters if n != "self" and p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL)]


# What classes hand on to their bases and users cannot give, and what takes anything.
NOT_OURS = {"size", "rows", "world", "name"}
# An argument that is None was left out, except where there is no default.
OPTIONAL = {"None"}
REQUIRED = {"radius", "lengths", "length", "contact", "center", "extents", "depth"}


def _all_arguments():
    world, _, _ = make_scene()
    for owner, (find, needs) in constructors().items():
        if needs is None:
            continue
        target = JOINT_KINDS[owner[4:]] if owner.startswith("add_") and owner[4:] in JOINT_KINDS else find(world)
        for name, default in sorted(arguments_of(target).items()):
            if name not in NOT_OURS:
                yield pytest.param(owner, name, default, id=f"{owner}-{name}")


@pytest.mark.parametrize(("owner", "name", "default"), list(_all_arguments()))
def test_argument_is_refused_and_nothing_changes(owner, name, default):
    world, other, _ = make_scene()
    find, needs = constructors()[owner]
    before = snapshot(world, other)
    for label, value in bad_values(owner, name, default):
        if label in OPTIONAL and name not in REQUIRED:
            continue
        if f"{owner}.{name}" in ("Mass.mass", "Mass.inertia") and label not in UNIVERSAL:
            continue  # a Mass may be built up from nothing; what a body accepts is tested with the setters
        arguments = {**needs, name: value}
        if name == "mass" and owner.startswith("Mass."):
            arguments.pop("density")
        with pytest.raises(REFUSALS) as refusal:
            find(world)(**arguments)
            pytest.fail(f"{owner}({name}={label}) was taken")
        assert any(word in str(refusal.value) for word in ("must", "cannot", "there are", "not")), refusal.value
        assert snapshot(world, other) == before, f"{owner}({name}={label}) was refused, but it changed something"
    goes_on(world)
