"""Settings say what they are at first, and that is what they are."""

import inspect
import re

import pytest

import opendynamics as od

# What is read like a setting, but is the state of the thing, or how it was made.
STATE = {"name"}


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
    assert re.search(rf"{shown} at first|{shown},? \(?the default|the default, {shown}", text.replace("\n", " ")), text


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
    said = re.search(r"(\S+) at first", (inspect.getdoc(getattr(od.World, name)) or "").replace("\n", " "))
    assert said is not None and float(said[1].replace("Infinite", "inf")) == getattr(od.World(), name)
