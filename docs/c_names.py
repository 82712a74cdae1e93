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

<!-- Made by `python docs/c_names.py`; changes by hand are lost. -->

Every function of ODE's manual and headers is in `opendynamics.c_api` under its own name. The table gives its equivalents in the
Pythonic interface and in PyODE. A dash means that there is nothing to call, as for memory, threads and matrices, which Python
and NumPy take care of. Arguments and results are in the [reference](c-reference.md) of C names; there are porting guides from
[ODE in C](porting-ode.md) and from [PyODE](porting-pyode.md).
"""

REFERENCE_HEAD = """\
# Reference of C names and of PyODE

<!-- Made by `python docs/c_names.py`; changes by hand are lost. -->

This page documents every function of `opendynamics.c_api` and every class of `opendynamics.pyode`; the
[table of names](c-names.md) gives their equivalents elsewhere. Functions without a description do what their names and ODE's
manual say.
"""

# What the code does not show: functions that Python's own libraries, or an argument, have made needless.
TOLD = {
    **dict.fromkeys(("dSetMessageHandler", "dGetMessageHandler", "dMessage"), "warnings"),
    **dict.fromkeys(("dGetConfiguration", "dCheckConfiguration"), "configuration"),
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
    **dict.fromkeys(("dRfromQ", "dQtoR"), "rotation.matrix_from_quaternion"),
    "dMassSetParameters": "Mass",
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
# Methods of PyODE's classes that do without the call of the same meaning.
TOLD_OF_PYODE = {"dSpaceCollide": "opendynamics.pyode.spaces.space.SpaceBase.collide"}
PYTHON = {
    "warnings": "`warnings`; the logger `opendynamics` of `logging`",
    "exceptions": "exceptions",
}


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


def is_function(value: Any) -> bool:
    """Whether something is a function, or calls one as a compiled call does."""
    return inspect.isroutine(value) and inspect.isfunction(inspect.unwrap(value))


def own_members(module: ModuleType) -> Iterator[tuple[str, Any]]:
    """Public functions and classes that a module defines."""
    for name, value in vars(module).items():
        own = is_function(value) or inspect.isclass(value)
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
            elif is_function(called) and getattr(od, called.__name__, None) is called:
                return called.__name__
            elif is_function(called) and called.__module__ == function.__module__ and called is not function:
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
            if getattr(pyode, name, None) is not value:
                continue
            members = vars(value).items() if inspect.isclass(value) else [("", value)]
            for member, function in members:
                function = getattr(function, "__func__", function)
                if not is_function(function) or (member.startswith("_") and member not in ("_ode_make",)):
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
    names = {c_name: min(targets)[1] for c_name, targets in found.items()} | TOLD_OF_PYODE
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
    parts = target.split(".")
    kind, shown = (parts[-2], ".".join(parts[-2:])) if parts[-2][:1].isupper() else (parts[-1], parts[-1])
    return f"[{shown}](c-reference.md#{anchor(f'ode.{kind}')})"


def anchor(heading: str) -> str:
    """What a heading of the reference is linked by."""
    return anchors(reference())[heading]


@cache
def anchors(text: str) -> dict[str, str]:
    """What each heading of a page is linked by, on GitHub as in Sphinx: in small letters, numbered if that was there before."""
    found: dict[str, str] = {}
    seen: dict[str, int] = {}
    for heading in re.findall(r"^#+ (.*)$", text, re.MULTILINE):
        slug = re.sub(r"[^\w-]", "", heading).lower()
        before = seen[slug] = seen.get(slug, -1) + 1
        found[heading] = f"{slug}-{before}" if before else slug
    return found


def rows(module: ModuleType, pyode_names: dict[str, str]) -> list[str]:
    """A row for each function of a header."""
    found = []
    for name, function in own_members(module):
        if name in c_api.__all__ and is_function(function):
            c_name = f"[{name}](c-reference.md#{anchor(name)})"
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


@cache
def reference() -> str:
    """The reference: a heading for every function, and for every class of PyODE."""
    parts = [REFERENCE_HEAD]
    for module in modules(c_api):
        described = [member for member in own_members(module) if member[0] in c_api.__all__]
        if described:
            parts.append(f"\n## {module.__name__}\n\n{plain(module.__doc__)}\n")
        parts += [f"\n### {name}\n\n{text_of(name, value)}" for name, value in described]
    parts.append("\n## opendynamics.pyode\n\nMethods of the classes; `ode` is `opendynamics.pyode`.\n")
    for module in modules(pyode):
        for name, value in own_members(module):
            if getattr(pyode, name, None) is value:
                parts.append(f"\n### ode.{name}\n\n{text_of(name, value)}")
    return "".join(parts)


def text_of(name: str, value: Any) -> str:
    """Signature and description of a function; of a class its description and its methods."""
    if inspect.isclass(value):
        methods = [key for key, member in vars(value).items() if is_function(member) and not key.startswith("_")]
        listed = f"Methods: {', '.join(f'`{method}`' for method in methods)}.\n" if methods else ""
        return "\n".join(part for part in (plain(value.__doc__), listed) if part) or "A class.\n"
    signature = str(inspect.signature(inspect.unwrap(value))).replace("'", "")
    description = plain(value.__doc__)
    return f"`{name}{signature}`\n" + (f"\n{description}\n" if description else "")


def plain(text: str | None) -> str:
    """A docstring as Markdown; what would be markup outside of backticks is text."""
    paragraphs = re.sub(r"``", "`", inspect.cleandoc(text or "")).split("`")
    paragraphs[::2] = [re.sub(r"([*_<>\[\]{}|#])", r"\\\1", part) for part in paragraphs[::2]]
    return "`".join(paragraphs)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    REFERENCE.write_text(reference(), encoding="utf-8")
