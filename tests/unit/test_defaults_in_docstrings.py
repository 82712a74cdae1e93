"""The defaults in the docstrings of settings are true."""

import inspect
import re

import numpy as np
import pytest

import opendynamics as od
from opendynamics.api.aliases import Alias

# What is read like a setting, but is the state of the thing, or how it was made, or depends on its shapes.
STATE = {
    *(
        "name",
        "mass",
        "force",
        "torque",
        "mode",
        "body",
        "field",
        "mesh",
        "data",
        "last_transform",
        "distance",
        "depth",
    ),
    *("position", "rotation", "quaternion", "offset_rotation", "offset_quaternion", "anchor2", "axis1", "axis2"),
    *(
        "lengths",
        "length",
        "radius",
        "radii",
        "height",
        "radius1",
        "radius2",
        "anchor1",
        "prismatic_axis",
        "center",
        "extents",
    ),
    *("positions", "quaternions", "linear_velocities", "angular_velocities", "mass_properties", "inertia", "levels"),
}


def settings():
    world = od.World()
    body = world.add_body(od.Sphere(0.1))
    for thing in (world, body, body.geoms[0], world.add_hinge(body, None)):
        for name in dir(type(thing)):
            found = inspect.getattr_static(type(thing), name)
            if not isinstance(found, property) or found.fset is None or name in STATE:
                continue
            try:
                value = getattr(thing, name)
            except (ValueError, AttributeError):
                continue
            if isinstance(value, (bool, str)):
                yield pytest.param(value, inspect.getdoc(found) or "", id=f"{type(thing).__name__}.{name}")


@pytest.mark.parametrize(("value", "text"), list(settings()))
def test_a_choice_says_what_it_is_at_first(value, text):
    shown = f'"{value}"' if isinstance(value, str) else str(value)
    assert re.search(
        rf"{shown} (at first|by default)|{shown},? \(?the default|the default, {shown}", text.replace("\n", " ")
    ), text


def things():
    """One of everything that has settings; joints between bodies at the origin."""
    world = od.World()
    body, other = world.add_body(od.Sphere(0.1)), world.add_body()
    two = ("ball", "hinge", "slider", "universal", "hinge2", "piston", "pr", "pu", "dball", "dhinge", "transmission")
    yield from (
        world,
        body,
        body.geoms[0],
        world.space,
        od.SweepAndPruneSpace(),
        od.Plane(),
        od.Ray(1.0),
        od.Box((1, 1, 1)),
    )
    for kind in two:
        yield getattr(world, f"add_{kind}")(body, other)
    yield from (world.add_amotor(body, other), world.add_plane2d(body))
    hinge = world.add_hinge(body, other)
    yield from (world.add_servo(body, other), hinge.limit_motor)


def is_set(found):
    """Whether what stands in a class is a property that can be set, and no alias of another."""
    if isinstance(found, property):
        return found.fset is not None
    return hasattr(type(found), "__set__") and not inspect.ismemberdescriptor(found) and not isinstance(found, Alias)


def word_of(value):
    """How a docstring writes a value."""
    if isinstance(value, (bool, str)):
        return f'"{value}"' if isinstance(value, str) else str(value)
    numbers = np.ravel(value)
    if np.isinf(numbers).all():
        return "-?inf(inite)?"
    if np.ndim(value):
        return "zero" if not numbers.any() else r"\(0, 0, 1\)|\(1, 0, 0, 0\)|x|the origin"
    return "All bits" if value == (1 << 64) - 1 else re.escape(f"{value:g}")


def numbers():
    seen = set()
    for thing in things():
        for name in dir(type(thing)):
            owner = next((kind for kind in type(thing).__mro__ if name in vars(kind)), None)
            found = vars(owner).get(name) if owner else None
            if name.startswith("_") or name in STATE or (owner, name) in seen or not is_set(found):
                continue
            seen.add((owner, name))
            try:
                value = getattr(thing, name)
            except (ValueError, AttributeError):
                continue
            if isinstance(value, (int, float, tuple, np.ndarray)) and not (value is None or "anchor" in name):
                text = " ".join((inspect.getdoc(found) or "").split())
                yield pytest.param(word_of(value), text, id=f"{type(thing).__name__}.{name}")


@pytest.mark.parametrize(("word", "text"), list(numbers()))
def test_a_value_is_what_its_docstring_says(word, text):
    begins = rf"(?<![\w.])({word})"
    said = "at first|by default|unless (one is )?given|the default"
    at_first = rf"(?i:{begins},? \(?({said})|at first, {begins}|default, {begins})"
    others = "by default the world's when the joint was made", "by default the number of processors"
    assert (
        re.search(at_first, text) or any(words in text for words in others) or ("unless given" in text and "|" in word)
    ), text


def test_most_settings_are_compared():
    assert len(list(numbers())) > 60


@pytest.mark.parametrize(
    "name",
    [
        "max_contacts",
        "contact_surface_layer",
        "contact_max_correcting_velocity",
        "quickstep_iterations",
        "quickstep_relaxation",
        "quickstep_block_relaxation",
        "quickstep_extra_change",
    ],
)
def test_a_number_says_what_it_is_at_first(name):
    said = re.search(r"(\S+) by default", (inspect.getdoc(getattr(od.World, name)) or "").replace("\n", " "))
    assert said is not None and float(said[1].replace("Infinite", "inf")) == getattr(od.World(), name)


def arrays():
    """Properties of all public classes that return an array."""
    public = [found for found in (getattr(od, name) for name in od.__all__) if isinstance(found, type)]
    for kind in dict.fromkeys(base for found in public for base in found.__mro__):
        for name, found in vars(kind).items():
            if isinstance(found, property) and not name.startswith("_"):
                kept = str(inspect.signature(found.fget).return_annotation)
                if kept == "Array" or "NDArray" in kept:
                    yield pytest.param(found.fget.__doc__ or "", id=f"{kind.__name__}.{name}")


@pytest.mark.parametrize("text", list(arrays()))
def test_an_array_says_its_shape(text):
    """As a shape, as a matrix's, or as the numbers of a quaternion or a bounding box."""
    assert re.search(r"shape \(|\(\d, \d\)|\(w, x, y, z\)|x min", " ".join(text.split())), text


def test_many_arrays_are_looked_at():
    assert len(list(arrays())) > 80
