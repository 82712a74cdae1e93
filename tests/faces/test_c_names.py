"""Every name of ODE's headers and manual exists, with the same number of arguments, and every function is called by a test.

tests/data/ode_names.json lists the functions (and macros that act like one) with the number of arguments each takes
here, where what C hands back through a pointer is none; and the constants with their values.
"""

import ast
import gzip
import inspect
import json
import re
from pathlib import Path

import pytest

from opendynamics import c_api as ode

HERE = Path(__file__).parent
NAMES = json.loads((HERE.parent / "data" / "ode_names.json").read_text())


@pytest.mark.parametrize("kind", ["functions", "constants"])
def test_every_name_is_there(kind):
    missing = [name for name in NAMES[kind] if not hasattr(ode, name)]
    assert not missing


def test_star_gives_all_names_and_no_others():
    names = {}
    exec("from opendynamics.c_api import *", names)
    del names["__builtins__"]
    assert {name for kind in NAMES.values() for name in kind} <= names.keys()
    assert all(re.match(r"d(_|[A-Z0-9]|u?int\d|sizeint)|M_|REAL$|CONTACTS_", name) for name in names)
    assert names["dWorldCreate"] is ode.dWorldCreate


# Lists to fill, as in C, which may be left out.
FILLED = {"dCollide": 2, "dConnectingJointList": 1, "dGeomTriMeshDataGet2": 1, "dGeomTriMeshDataGetBuffer": 2}


def test_functions_take_the_arguments_that_they_should():
    wrong = {}
    for name, number in NAMES["functions"].items():
        parameters = inspect.signature(getattr(ode, name)).parameters.values()
        varied = any(parameter.kind is parameter.VAR_POSITIONAL for parameter in parameters)
        if not varied and len(parameters) != number + FILLED.get(name, 0):
            wrong[name] = len(parameters), number
    assert not wrong


def test_constants_have_their_values():
    assert {name: getattr(ode, name) for name in NAMES["constants"]} == NAMES["constants"]
    assert ode.dInfinity == float("inf") and ode.dEpsilon == 2.0**-52 and ode.REAL(1) == 1.0
    assert ode.dODE_VERSION.startswith("0.16")


def test_every_function_is_called_by_a_test():
    """A name that occurs in a test file counts as called."""
    mentioned = set()
    for path in HERE.parent.rglob("test_*.py"):
        if path != Path(__file__):
            mentioned.update(re.findall(r"\bd[A-Z_]\w*", path.read_text()))
    functions = {name for name in ode.__all__ if inspect.isroutine(getattr(ode, name))}
    assert sorted(functions - mentioned) == []


def calls(node):
    """Names of the functions that are called somewhere in a piece of code."""
    for call in ast.walk(node):
        if isinstance(call, ast.Call) and isinstance(call.func, (ast.Attribute, ast.Name)):
            yield call.func.attr if isinstance(call.func, ast.Attribute) else call.func.id


def called_by_tests_that_check():
    """Functions that are called, by name, in a function of a test file that asserts something."""
    found = set()
    for path in HERE.parent.rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef):
                called = set(calls(node))
                if called & CHECKS or any(isinstance(inner, ast.Assert) for inner in ast.walk(node)):
                    found |= called
    return found


CHECKS = {"close", "assert_allclose", "assert_array_equal", "raises", "near"}


@pytest.mark.parametrize(("source", "count"), [("manual", 477), ("headers", 640)])
def test_every_function_of_the_manual_and_of_the_headers_is_called_and_checked(source, count):
    """Counts the functions of the ODE manual, and of the headers of ODE 0.16, that a test calls and checks."""
    lists = json.loads(gzip.decompress((HERE.parent / "data" / "ode_name_lists.json.gz").read_bytes()))
    wanted = set(lists[source])
    called = wanted & called_by_tests_that_check()
    assert sorted(wanted - called) == []
    assert len(called) == count and all(callable(getattr(ode, name)) for name in called)


@pytest.mark.parametrize(
    "name", [name for name in ode.__all__ if re.match("d(World|Body|Joint|Geom|Space)[A-Z]", name)]
)
def test_the_wrong_kind_of_id_is_refused(name):
    """Neither nothing, nor a number, nor an object of another kind passes for an ID; the message names call and argument."""
    function = getattr(ode, name)
    if not inspect.isfunction(function) or name == "dJointGroupCreate" or not inspect.signature(function).parameters:
        return
    others = [[1] * 12 if name == "R" else 1 for name in list(inspect.signature(function).parameters)[1:]]
    for wrong in (None, 0, 7, object(), ode.dMass()):
        with pytest.raises(TypeError, match=r"^(d\w+): (\w+) must be|must be a function") as caught:
            function(wrong, *others)
        called, argument = re.match(r"(\w+): (\w*)", str(caught.value)).groups()
        assert inspect.unwrap(getattr(ode, called)) is inspect.unwrap(function)
        assert argument in inspect.signature(function).parameters or "function" in str(caught.value)


FLAGS = {
    "dWorldSetAutoDisableFlag": "do_auto_disable",
    **{
        "dBodySetAutoDisableFlag": "do_auto_disable",
        "dBodySetGravityMode": "mode",
        "dBodySetGyroscopicMode": "enabled",
    },
    **{"dBodySetFiniteRotationMode": "mode", "dSpaceSetCleanup": "mode", "dGeomRaySetClosestHit": "closestHit"},
}


@pytest.mark.parametrize("name", FLAGS)
def test_flags_are_whole_numbers(name):
    world, space = ode.dWorldCreate(), ode.dSimpleSpaceCreate(0)
    body, ray = ode.dBodyCreate(world), ode.dCreateRay(space, 1)
    kind = re.match("d(World|Body|Space|GeomRay)", name)[1]
    identifier = {"World": world, "Body": body, "Space": space, "GeomRay": ray}[kind]
    set_flag, get_flag = getattr(ode, name), getattr(ode, name.replace("Set", "Get", 1))
    for value in (1, 0, True, 7):
        set_flag(identifier, value)
        assert get_flag(identifier) == bool(value)
    for wrong in (float("nan"), "x", None, 0.5, []):
        with pytest.raises(TypeError, match=f"^{name}: {FLAGS[name]} must be 0 or 1, not "):
            set_flag(identifier, wrong)
        assert get_flag(identifier) == 1


def test_errors_name_the_argument_of_the_kind_that_is_wrong():
    """Of several arguments with the same value."""
    world = ode.dWorldCreate()
    for call, wrong in (
        (lambda: ode.dJointCreateContact(world, None, None), "contact must be a dContact, not None"),
        (lambda: ode.dSpaceAdd(None, None), "geom must be the ID of a Geom"),
        (lambda: ode.dJointAttach(0, 0, 0), "j must be the ID of a Joint"),
        (lambda: ode.dCreateSphere(3, 3), "space must be the ID of a Space"),
    ):
        with pytest.raises(TypeError, match=f": {re.escape(wrong)}"):
            call()


def test_what_has_no_meaning_here_checks_its_arguments():
    for call, wrong in (
        (lambda: ode.dInitODE2("x"), "dInitODE2: uiInitFlags must be a whole number, not 'x'"),
        (
            lambda: ode.dAllocateODEDataForThread(None),
            "dAllocateODEDataForThread: uiAllocateFlags must be a whole number",
        ),
        (lambda: ode.dJointGroupCreate(0.5), "dJointGroupCreate: max_size must be a whole number, not 0.5"),
        (lambda: ode.dInfiniteAABB(7), "dInfiniteAABB: geom must be the ID of a Geom, from dCreateSphere, ..., not 7"),
        (lambda: ode.dCheckConfiguration(5), "dCheckConfiguration: token must be a text, not 5"),
        (lambda: ode.dTimerStart(None), "dTimerStart: description must be a text, not None"),
        (lambda: ode.dTimerNow(1), "dTimerNow: description must be a text, not 1"),
        (lambda: ode.dStopwatchStart(None), "dStopwatchStart: s must be a dStopwatch, not None"),
        (lambda: ode.dStopwatchTime(1.5), "dStopwatchTime: s must be a dStopwatch, not 1.5"),
        (lambda: ode.dThreadingFreeImplementation(3), "dThreadingFreeImplementation: impl must be a dThreadingImpl"),
        (lambda: ode.dThreadingFreeThreadPool(None), "dThreadingFreeThreadPool: pool must be a dThreadingThreadPool"),
        (
            lambda: ode.dThreadingAllocateThreadPool("x", 0, 0),
            "dThreadingAllocateThreadPool: thread_count must be a whole",
        ),
    ):
        with pytest.raises(TypeError, match=f"^{re.escape(wrong)}"):
            call()


def test_numbers_of_things_are_whole():
    body, space = ode.dBodyCreate(ode.dWorldCreate()), ode.dSimpleSpaceCreate(0)
    for call in (lambda: ode.dBodyGetJoint(body, float("nan")), lambda: ode.dSpaceGetGeom(space, "0")):
        with pytest.raises(TypeError, match="must be a whole number"):
            call()
    assert ode.dBodyGetJoint(body, 0) is ode.dSpaceGetGeom(space, -1) is None


@pytest.mark.parametrize("wrong", [None, [], 5.0, [1, 2]])
def test_vectors_have_all_their_numbers(wrong):
    for name, count in (("dCalcVectorLength3", 3), ("dCopyVector4", 4), ("dCopyMatrix4x4", 12), ("dVALIDVEC3", 3)):
        with pytest.raises(ValueError, match=rf"^{name}: \w+ must have {count} numbers, not "):
            getattr(ode, name)(wrong)
    with pytest.raises(ValueError, match=r"^dCalcVectorCross3_114: b must have 9 numbers"):
        ode.dCalcVectorCross3_114([1, 2, 3], [1, 2, 3])
