"""Every class and method of PyODE's variants exists, with ODE's constants, and is called with an asserted result.

tests/data/pyode/api.json.gz lists, for each class of any variant, its methods, and the constants of the variant that was
made for ODE 0.13 and later.
"""

import gzip
import importlib
import inspect
import json
import sys
from pathlib import Path

import pytest

from opendynamics import pyode as ode

HERE = Path(__file__).parent
API = json.loads(gzip.decompress((HERE.parents[1] / "data" / "pyode" / "api.json.gz").read_bytes()))

CALLS = [
    call
    for name in ("bodies", "geoms", "joints")
    for call in importlib.import_module(f"tests.faces.pyode.calls_of_{name}").CALLS
]


def owner(name):
    return ode if name == "<module>" else getattr(ode, name)


def test_every_class_and_method_is_there():
    missing = [
        f"{name}.{method}"
        for name, methods in API["classes"].items()
        for method in methods
        if not hasattr(owner(name), method)
    ]
    # The instance determines which axis the parameters belong to.
    assert not missing


def test_constants_are_odes():
    assert {name: str(getattr(ode, name)) for name in API["constants"]} == API["constants"]


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.__name__)
def test_calls(call):
    call()


def test_every_method_is_called():
    called = set()

    def note(frame, event, argument):
        if event == "call":
            called.add(frame.f_code)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        for call in CALLS:
            call()
    finally:
        sys.setprofile(before)
    left_out = [
        f"{name}.{method}"
        for name, methods in API["classes"].items()
        for method in methods
        if (code := code_of(inspect.getattr_static(owner(name), method))) is not None and code not in called
    ]
    assert not left_out


def code_of(member):
    """The code that runs when a member is used; None for classes and slots, which have none."""
    if isinstance(member, property):
        member = member.fget
    return getattr(member, "__code__", None)
