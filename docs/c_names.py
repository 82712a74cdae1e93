"""Makes the table of names: manual -> C name -> Pythonic name -> PyODE. Run it as `python docs/c_names.py`.

What a C name stands for is read from the code: what of the Pythonic face its function uses. PyODE's classes are over the C
names, so that theirs are found in the same way. Every name is linked: C names and PyODE's to
`c-reference.md`, Pythonic ones to `api.md`.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
import textwrap
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import opendynamics as od
from opendynamics import c_api, pyode

PAGE = Path(__file__).parent / "c-names.md"
REFERENCE = Path(__file__).parent / "c-reference.md"

HEAD = """\
# From C names to Pythonic ones

<!-- Made by `python docs/c_names.py`; what is changed here by hand is lost. -->

Every function of ODE's manual and headers is in `opendynamics.c_api` under its own name. Beside it stands what does the same in
the Pythonic interface, and in PyODE. A dash: there is nothing to call, as for memory, threads and matrices, which Python and
NumPy take care of. Arguments and results are in the [reference](c-reference.md) of C names; how programs are brought over
is told for [ODE in C](porting-ode.md) and [PyODE](porting-pyode.md).
"""

REFERENCE_HEAD = """\
# Reference of C names and of PyODE

<!-- Made by `python docs/c_names.py`; what is changed here by hand is lost. -->

`from opendynamics.c_api import *` gives the functions of all of ODE's headers, with the rules below; the [table of
names](c-names.md) says what stands for them elsewhere.

```{eval-rst}
.. automodule:: opendynamics.c_api
   :no-members:
```
"""

# What the code does not show: functions that Python's own libraries, or an argument, have made needless.
TOLD = {
    **dict.fromkeys(("dSetMessageHandler", "dGetMessageHandler", "dMessage"), "module:warnings"),
    **dict.fromkeys(("dSetErrorHandler", "dGetErrorHandler", "dError"), "exceptions"),
    **dict.fromkeys(("dSetDebugHandler", "dGetDebugHandler", "dDebug"), "exceptions"),
    "dJointGetType": "Joint.kind",
    "dGeomGetClass": "Geom.shape",
    "dJointGetBody": "Joint.bodies",
    "dSpaceCollide": "Space.collide",
    "dCollide": "collide",
    "dBoxTouchesBox": "boxes_touch",
    "dBoxBox": "collide",
    "dClosestLineSegmentPoints": "closest_points_of_segments",
    "dWorldExportDIF": "io.write_dif",
    "dGeomGetBody": "Geom.body",
    "dGeomMoved": "Geom.position",
    **dict.fromkeys(("dGeomHeightfieldDataCreate", "dGeomHeightfieldDataDestroy"), "HeightfieldData"),
    "dGeomHeightfieldDataSetBounds": "HeightfieldData.set_bounds",
    **dict.fromkeys(
        [
            "dGeomTriMeshDataBuild",
            *(f"dGeomTriMeshData{end}" for end in ("Create", "Destroy", "BuildSingle1", "BuildDouble1", "Update")),
        ],
        "MeshData",
    ),
    "dCreateGeom": "CustomGeom",
    "dGeomGetClassData": "CustomGeom",
    "dCreateGeomClass": "GeomClass",
    **dict.fromkeys(("dSpaceGetNumGeoms", "dSpaceGetGeom", "dSpaceQuery", "dGeomIsSpace"), "Space"),
    "dSpaceGetClass": "Space.broadphase",
    **dict.fromkeys(("dJointSetBallParam", "dJointGetBallParam"), "Ball.erp"),
    **dict.fromkeys(("dJointSetDBallParam", "dJointGetDBallParam"), "DBall.erp"),
    **dict.fromkeys(("dJointSetDHingeParam", "dJointGetDHingeParam"), "DHinge.erp"),
    **dict.fromkeys(("dJointSetFixedParam", "dJointGetFixedParam"), "Fixed.erp"),
    **dict.fromkeys(("dJointSetTransmissionParam", "dJointGetTransmissionParam"), "Transmission.erp"),
    **dict.fromkeys(("dWorldSetData", "dWorldGetData"), "World"),
    "dWorldAttachQuickStepDynamicIterationStatisticsSink": "World.quickstep_counts",
    **dict.fromkeys(
        [
            *(f"dWorld{verb}SteppingThreadingParameters" for verb in ("Set", "Get")),
            *(f"dWorld{verb}StepIslandsProcessingMaxThreadCount" for verb in ("Set", "Get")),
        ],
        "World.threads",
    ),
}
PYTHON = {"module:warnings": "`warnings`", "exceptions": "exceptions"}


def modules(package: ModuleType) -> list[ModuleType]:
    """All modules of a package that hold functions or classes of their own."""
    found = [
        importlib.import_module(info.name) for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    ]
    return [
        module
        for module in found
        if any(True for _ in own_members(module)) and not module.__name__.endswith("__main__")
    ]


def own_members(module: ModuleType) -> Iterator[tuple[str, Any]]:
    """Public functions and classes that a module defines."""
    for name, value in vars(module).items():
        own = inspect.isfunction(value) or inspect.isclass(value)
        if own and value.__module__ == module.__name__ and not name.startswith("_"):
            yield name, value


# -- what a function uses ----------------------------------------------------------------------------------------------


@cache
def tree_of(function: FunctionType) -> ast.AST:
    """The code of a function."""
    return ast.parse(textwrap.dedent(inspect.getsource(function)))


def pythonic(name: str, function: Any) -> str | None:
    """The Pythonic name that a C function stands for, as `Class.member` or a function of `opendynamics`; None: there is none."""
    if name in TOLD:
        return TOLD[name]
    return used_by(inspect.unwrap(function), 2)


def used_by(function: FunctionType, depth: int) -> str | None:
    """The first public member of an API class, or API function, in a function or in those of its module that it calls."""
    names, kinds = function.__globals__, kinds_of(function)
    inner: list[FunctionType] = []
    made: str | None = None
    for node in ast.walk(tree_of(function)):
        if isinstance(node, ast.Attribute) and not node.attr.startswith("_"):
            kind = kind_of(node.value, names, kinds)
            if kind is not None and hasattr(kind, node.attr):
                return f"{kind.__name__.rpartition('.')[2]}.{node.attr}"
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            called = names.get(node.func.id)
            if inspect.isclass(called) and getattr(od, called.__name__, None) is called:
                made = made or called.__name__
            elif inspect.isfunction(called) and getattr(od, called.__name__, None) is called:
                return called.__name__
            elif inspect.isfunction(called) and called.__module__ == function.__module__ and called is not function:
                inner.append(called)
    if made is not None:
        return made
    return next((found for call in inner if depth and (found := used_by(call, depth - 1))), None)


def kinds_of(function: FunctionType) -> dict[str, type]:
    """Classes of the local names of a function: those that `the(Class, identifier)` checked."""
    found: dict[str, type] = {}
    for node in ast.walk(tree_of(function)):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            kind = kind_of(node.value, function.__globals__, found)
            if kind is not None:
                found[node.targets[0].id] = kind
    return found


def kind_of(node: ast.AST, names: dict[str, Any], kinds: dict[str, type]) -> Any:
    """The API class of an expression; a module of functions is one, too."""
    if isinstance(node, ast.Name):
        known = names.get(node.id)
        if inspect.isclass(known) and getattr(od, known.__name__, None) is known:
            return known
        if known is od.rotation:
            return od.rotation
        return kinds.get(node.id)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        if node.func.id in ("the", "or_null") and isinstance(node.args[0], ast.Name):
            kind = names.get(node.args[0].id)
            return kind if getattr(od, getattr(kind, "__name__", ""), None) is kind else None
        if node.func.id in ("geom_or_space", "_geom"):
            return od.Geom
        if node.func.id == "mass_of":
            return od.Mass
    return None


def of_pyode() -> dict[str, str]:
    """PyODE's names, as `Class.method`, by the C names that they call."""
    found: dict[str, list[tuple[int, str]]] = {}
    for module in modules(pyode):
        for name, value in own_members(module):
            members = vars(value).items() if inspect.isclass(value) else [("", value)]
            for member, function in members:
                function = getattr(function, "__func__", function)
                if not inspect.isfunction(function) or (member.startswith("_") and member not in ("_ode_make",)):
                    continue
                shown = name if not member or member == "_ode_make" else f"{name}.{member}"
                called = [
                    node.attr
                    for node in ast.walk(tree_of(function))
                    if isinstance(node, ast.Attribute) and node.attr in c_api.__all__
                ]
                for place, c_name in enumerate(dict.fromkeys(called)):
                    target = f"{value.__module__}.{shown}"
                    found.setdefault(c_name, []).append((len(called) + place, target))
    # A method that calls nothing else is the one that is meant.
    names = {c_name: min(targets)[1] for c_name, targets in found.items()}
    for c_name in c_api.__all__:
        parameter = re.fullmatch(r"dJoint(Set|Get)(\w+)Param", c_name)  # PyODE finds these by the class's name
        kind = parameter and getattr(pyode, f"{parameter[2]}Joint", None)
        if parameter and kind:
            names.setdefault(c_name, f"{kind.__module__}.{kind.__name__}.{parameter[1].lower()}Param")
    return names


# -- the pages ---------------------------------------------------------------------------------------------------------


def link_to_pythonic(name: str | None) -> str:
    """A link to the class or function in api.md."""
    if name is None:
        return "—"
    if name in PYTHON:
        return PYTHON[name]
    owner = name.partition(".")[0]
    if owner in ("rotation", "io"):
        return f"`opendynamics.{name}`"
    role = "class" if inspect.isclass(getattr(od, owner)) else "func"
    return f"{{py:{role}}}`{name} <opendynamics.{owner}>`"


def link_to_pyode(target: str | None) -> str:
    """A link to the class or function in c-reference.md."""
    if target is None:
        return "—"
    module, _, shown = target.rpartition(".")
    owner = target
    if "." in target and target.split(".")[-2][:1].isupper():
        module, kind, member = target.rsplit(".", 2)
        shown, owner = f"{kind}.{member}", f"{module}.{kind}"
    return f"{{py:obj}}`{shown} <{owner}>`"


def rows(module: ModuleType, pyode_names: dict[str, str]) -> list[str]:
    """A row for each function of a header."""
    found = []
    for name, function in own_members(module):
        if name in c_api.__all__ and inspect.isfunction(function):
            c_name = f"{{py:func}}`{name} <{module.__name__}.{name}>`"
            found.append(
                f"| {c_name} | {link_to_pythonic(pythonic(name, function))} | {link_to_pyode(pyode_names.get(name))} |\n"
            )
    return found


def page() -> str:
    """The table."""
    pyode_names = of_pyode()
    parts = [HEAD]
    for module in modules(c_api):
        table = rows(module, pyode_names)
        if table:
            title = (module.__doc__ or "").split(":")[0].splitlines()[0].rstrip(".")
            where = module.__name__.removeprefix("opendynamics.c_api.")
            parts += [f"\n## {title} ({where})\n\n| C name | Pythonic | PyODE |\n|---|---|---|\n", *table]
    return "".join(parts)


def reference() -> str:
    """The reference: every module, with all that it defines."""
    parts = [REFERENCE_HEAD]
    for package, title in ((c_api, "C names"), (pyode, "PyODE")):
        parts.append(f"\n## {title}\n")
        for module in modules(package):
            parts.append(
                f"\n### {module.__name__}\n\n```{{eval-rst}}\n.. automodule:: {module.__name__}\n"
                "   :undoc-members:\n```\n"
            )
    return "".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    REFERENCE.write_text(reference(), encoding="utf-8")
