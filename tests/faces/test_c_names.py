"""Every name of ODE's headers and manual is there, with as many arguments, and every function is called by a test.

tests/data/ode_names.json lists the functions (and macros that act like one) with the number of arguments each takes
here, where what C hands back through a pointer is none; and the constants with their values.
"""

import inspect
import json
import re
from pathlib import Path

import pytest

from opendynamics import c_api as ode

HERE = Path(__file__).parent
NAMES = json.loads((HERE.parent / "data" / "ode_names.json").read_text())

# What is not there yet: names by the module that will bring them. As soon as that exists, all have to be there.
JOINTS = ("Universal", "Hinge2", "PR", "PU", "Piston", "AMotor", "LMotor", "Plane2D", "DBall", "DHinge", "Transmission")
LATER = {f"objects.{name.lower()}": rf"dJoint(Create|Set|Get|Add){name}(?![a-z])\w*" for name in JOINTS} | {
    "objects.null": "dJointCreateNull",
    "objects.amotor": r"dJoint(Create|Set|Get|Add)AMotor\w*|dAMotor(User|Euler)",
    "objects.transmission": r"dJoint(Create|Set|Get)Transmission\w*|dTransmission\w+",
    "objects.quick_step": r"dWorld(Set|Get)?QuickStep\w*",
    "collision.cylinder": r"dCreateCylinder|dGeomCylinder\w+",
    "collision.convex": r"dCreateConvex|dGeomSetConvex",
    "collision.ray": r"dCreateRay|dGeomRay\w+",
    "collision.heightfield": r"dCreateHeightfield|dGeomHeightfield\w+",
    "collision.transform": r"dCreateGeomTransform|dGeomTransform[SG]et\w+",
    "collision.trimesh": r"dCreateTriMesh|dGeomTriMesh\w+|dMassSetTrimesh(Total)?|d(MESHDATA|MTV|TRI(MESH)?DATA)\w+",
    "export_dif": "dWorldExportDIF",
}


def is_built(module):
    folder = Path(ode.__file__).parent.joinpath(*module.split("."))
    return folder.is_dir() or folder.with_suffix(".py").is_file()


KEPT_BACK = re.compile("|".join(pattern for module, pattern in LATER.items() if not is_built(module)))


def kept_back(name):
    return KEPT_BACK.fullmatch(name) is not None


@pytest.mark.parametrize("kind", ["functions", "constants"])
def test_every_name_is_there(kind):
    missing = [name for name in NAMES[kind] if not hasattr(ode, name) and not kept_back(name)]
    assert not missing


def test_no_name_is_kept_back_in_vain():
    """What is built in another module than LATER says is struck out there."""
    there = [name for kind in NAMES.values() for name in kind if hasattr(ode, name) and kept_back(name)]
    assert not there


def test_star_gives_all_names_and_no_others():
    names = {}
    exec("from opendynamics.c_api import *", names)
    del names["__builtins__"]
    assert {name for kind in NAMES.values() for name in kind if not kept_back(name)} <= names.keys()
    assert all(re.match(r"d(_|[A-Z0-9]|u?int\d|sizeint)|M_|REAL$|CONTACTS_", name) for name in names)
    assert names["dWorldCreate"] is ode.dWorldCreate


# Lists to fill, as in C, which may be left out.
FILLED = {"dCollide": 2, "dConnectingJointList": 1}


def test_functions_take_the_arguments_that_they_should():
    wrong = {}
    for name, number in NAMES["functions"].items():
        if hasattr(ode, name):
            parameters = inspect.signature(getattr(ode, name)).parameters.values()
            varied = any(parameter.kind is parameter.VAR_POSITIONAL for parameter in parameters)
            if not varied and len(parameters) != number + FILLED.get(name, 0):
                wrong[name] = len(parameters), number
    assert not wrong


def test_constants_have_their_values():
    values = {name: getattr(ode, name) for name in NAMES["constants"] if not kept_back(name)}
    assert values == {name: NAMES["constants"][name] for name in values}
    assert ode.dInfinity == float("inf") and ode.dEpsilon == 2.0**-52 and ode.REAL(1) == 1.0
    assert ode.dODE_VERSION.startswith("0.16")


def test_every_function_is_called_by_a_test():
    """To stand in a test file counts as being called."""
    mentioned = set()
    for path in HERE.parent.rglob("test_*.py"):
        if path != Path(__file__):
            mentioned.update(re.findall(r"\bd[A-Z_]\w*", path.read_text()))
    functions = {name for name in ode.__all__ if inspect.isroutine(getattr(ode, name))}
    assert sorted(functions - mentioned) == []


@pytest.mark.parametrize(
    "name", [name for name in ode.__all__ if re.match("d(World|Body|Joint|Geom|Space)[A-Z]", name)]
)
def test_the_wrong_kind_of_id_is_refused(name):
    """Neither nothing, nor a number, nor an object of another kind passes for an ID, and nothing is written to it."""
    function = getattr(ode, name)
    if not inspect.isfunction(function) or name == "dJointGroupCreate" or not inspect.signature(function).parameters:
        return
    others = [[1] * 12 if name == "R" else 1 for name in list(inspect.signature(function).parameters)[1:]]
    for wrong in (None, 0, 7, object(), ode.dMass()):
        with pytest.raises(TypeError, match="is wanted"):
            function(wrong, *others)
