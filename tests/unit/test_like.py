"""`od.World(like="ode")`: one switch for all settings whose defaults differ from ODE's."""

import re
from pathlib import Path

import pytest

import opendynamics as od
from opendynamics import c_api
from opendynamics.api.like import ODE


@pytest.mark.parametrize("setting", ODE)
def test_a_setting_is_odes_where_the_world_is_like_ode_and_only_there(setting):
    assert getattr(od.World(like="ode"), setting) == ODE[setting]
    assert getattr(od.World(), setting) != ODE[setting]
    assert f"`{setting}`" in od.World.like.__doc__


@pytest.mark.parametrize("setting", ODE)
def test_every_default_that_is_not_odes_is_a_deviation_with_its_test(setting):
    root = Path(__file__).parents[2]
    rows = (root / "docs" / "deviations.md").read_text().splitlines()
    listed = [row for row in rows if f'`world.{setting} = "{ODE[setting]}"`' in row]
    assert listed
    for test in re.findall(r"`(tests/[^`]*\.py)`", " ".join(listed)):
        assert (root / test).exists()
    assert all("`tests/" in row for row in listed)


def test_worlds_of_c_names_are_like_ode():
    assert c_api.dWorldCreate().like == "ode"
    assert od.World().like == "opendynamics"


@pytest.mark.parametrize("kind", ["pr", "pu"])
def test_joints_have_the_rows_of_their_world(kind):
    for like in ("ode", "opendynamics"):
        world = od.World(like=like)
        joint = getattr(world, f"add_{kind}")(world.add_body(mass=1.0), None)
        assert joint.like_ode == (like == "ode")


def test_a_model_that_is_none():
    with pytest.raises(ValueError, match="the model of a world must be one of 'opendynamics', 'ode', not 'bullet'"):
        od.World(like="bullet")


def test_copies_are_like_the_original():
    world = od.World(like="ode")
    world.advance(0.01)
    assert od.World.load(world.save()).like == "ode"
