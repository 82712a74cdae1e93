"""The reference built by `make docs` lists everything public; `make test` builds it first."""

import inspect
import zlib
from pathlib import Path
from types import FunctionType

import pytest

import opendynamics as od
from opendynamics.api.aliases import Alias

INVENTORY = Path(__file__).parents[2] / "build" / "docs" / "objects.inv"
MEMBERS = (property, FunctionType, classmethod, staticmethod, Alias)

pytestmark = pytest.mark.skipif(not INVENTORY.exists(), reason="the documentation has not been built: make docs")


@pytest.fixture(scope="module")
def inventory():
    """Names in the inventory, which Sphinx writes compressed behind four lines."""
    packed = INVENTORY.read_bytes().split(b"\n", 4)[4]
    return {line.split(" ", 1)[0] for line in zlib.decompress(packed).decode().splitlines() if " py:" in line}


def members_of(kind):
    """Methods, properties and aliases of a class that the package defines."""
    for name in dir(kind):
        owner = next((base for base in kind.__mro__ if name in vars(base)), object)
        ours = owner.__module__.startswith("opendynamics") and not name.startswith("_")
        if ours and isinstance(inspect.unwrap(inspect.getattr_static(kind, name)), MEMBERS):
            yield name


@pytest.mark.parametrize("name", [name for name in sorted(od.__all__) if not inspect.ismodule(getattr(od, name))])
def test_every_public_name_is_there_with_its_members(inventory, name):
    assert f"opendynamics.{name}" in inventory
    if inspect.isclass(thing := getattr(od, name)):
        missing = [member for member in members_of(thing) if f"opendynamics.{name}.{member}" not in inventory]
        assert not missing


def test_members_are_found():
    assert {"advance", "step", "gravity", "contacts", "add_hinge"} <= set(members_of(od.World))
