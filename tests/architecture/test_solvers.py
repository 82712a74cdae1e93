"""Structure of the solvers: the entries of each, their imports, and the number of calls from World.step to their loops."""

import ast
import inspect
import sys
from pathlib import Path

import pytest

import opendynamics as od
from opendynamics.core import step as stages
from opendynamics.core.families import SOLVERS
from opendynamics.core.solve.exact import eliminating
from opendynamics.core.solve.loading import ENTRIES
from opendynamics.core.solve.pgs import blocks, ode_order

PACKAGE = Path(__file__).parents[2] / "opendynamics"
SOLVE = PACKAGE / "core" / "solve"
FILES = sorted(SOLVE.rglob("*.py"))

SOFT = SOLVERS["soft"]

# Modules that have the entries of a solver, and the kernel that each one's `solve` repeats: a pivot, an iteration, a pass of a
# sub-step.
VARIANTS = {
    SOFT: (SOFT.__name__, "iterate_all"),
    SOLVERS["exact"]: ("opendynamics.core.solve.exact.row_space.pivoting", "pivot"),
    blocks: ("opendynamics.core.solve.pgs.blocks", "iterate_blocks"),
    ode_order: ("opendynamics.core.solve.gauss_seidel", "iterate_rows"),
}
MAX_HOPS = 5


def module_of(path):
    return ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")


def imported_names(path):
    """Name in the file: module and name there, of everything that it imports from the package."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("opendynamics"):
            for alias in node.names:
                yield alias.asname or alias.name, (node.module, alias.name)


def folder_of(module, name):
    """Folder of core/solve that an imported module is a file of; None if it is elsewhere."""
    for dotted in (f"{module}.{name}", module):
        path = PACKAGE.parent.joinpath(*dotted.split("."))
        file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        if file in FILES:
            return file.parent
    return None


@pytest.mark.parametrize("path", FILES, ids=module_of)
def test_no_solver_imports_another(path):
    """Code shared by solvers is in files next to their folders, and in folders with an underscore."""
    own = path.relative_to(SOLVE).parts[0]
    for module, name in dict(imported_names(path)).values():
        folder = folder_of(module, name)
        if folder is not None and folder != SOLVE and not folder.relative_to(SOLVE).parts[0].startswith("_"):
            assert folder.relative_to(SOLVE).parts[0] == own, f"{module_of(path)} imports {module}.{name}"


def test_members_are_the_folders():
    assert SOLVERS.names == ("auto", "exact", "pgs", "soft")
    with pytest.raises(ValueError, match=r"^there is no solver 'dense'; there are: auto, exact, pgs, soft$"):
        SOLVERS["dense"]
    with pytest.raises(ValueError, match=r"^there is no solver 'exakt'; did you mean 'exact'\? there are: auto"):
        SOLVERS["exakt"]


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.__name__.rsplit(".", 1)[-1])
def test_a_solver_keeps_the_contract(variant):
    entries = [getattr(variant, part) for part in ENTRIES if hasattr(variant, part)]
    assert variant.solve in entries
    for entry in (*entries, *getattr(variant, "ESCALATIONS", ())):
        assert hasattr(entry, "cache"), f"{entry} is a kernel, not an entry"


def test_who_chooses_has_members_that_solve():
    for solver in {*VARIANTS, *map(SOLVERS.__getitem__, SOLVERS.names)}:
        own = solver.__name__.removeprefix("opendynamics.core.solve.").partition(".")[0]
        members = getattr(solver, "MEMBERS", ())
        assert hasattr(solver, "choose") == bool(members)
        assert set(members) <= set(SOLVERS.names) - {own}
        assert members or hasattr(solver, "solve") or hasattr(solver, "variant")


def test_defaults_are_parameters():
    for name in SOLVERS.names:
        solver = SOLVERS[name]
        assert hasattr(solver, "PARAMETERS") == hasattr(solver, "DEFAULTS")
        assert hasattr(solver, "PARAMETERS") or not hasattr(solver, "variant")
        if hasattr(solver, "DEFAULTS"):
            assert set(solver.DEFAULTS) <= set(solver.PARAMETERS.dtype.names)


# From World.step to the solvers' loops.


def hops_to_stage(monkeypatch, method):
    """Calls from a method of World to the compiled step, as they are made."""
    found, stage, called = [], stages.step, inspect.unwrap(method)
    first = getattr(called, "_alone", called)  # a call with the step size alone is made by a function of its own

    def counting(tables, h):
        frame, calls = sys._getframe(1), 1
        while frame.f_code is not first.__code__:
            frame, calls = frame.f_back, calls + 1
        found.append(calls)
        return stage(tables, h)

    counting.call = counting
    world = od.World(gravity=(0, 0, -9.81))
    world.add_ball(world.add_body(), None)
    method(world, 0.01)  # loads the modules it needs
    monkeypatch.setattr(stages, "step", counting)
    method(world, 0.01)
    return found[0]


def calls_of(module):
    """By function of a module of core: module and name of each function that it calls by a name."""
    path = PACKAGE.parent.joinpath(*module.split("."))
    path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    tree = ast.parse(path.read_text())
    own = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    names = dict(imported_names(path)) | {name: (module, name) for name in own}
    return {
        name: {names[call.func.id] for call in ast.walk(node) if is_call(call) and call.func.id in names}
        for name, node in own.items()
    }


def is_call(node):
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name)


def hops_between(start, goal):
    """Calls on the shortest path from one function of core to another, by module and name; empty if there is no path."""
    near, seen, hops = {start}, {start}, 0
    while near and goal not in near:
        called = set().union(*(calls_of(module).get(name, ()) for module, name in near))
        near = {call for call in called if call[0].startswith("opendynamics.core")} - seen
        seen |= near
        hops += 1
    return hops if goal in near else None


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.__name__.rsplit(".", 1)[-1])
def test_from_step_to_a_solver_in_few_hops(monkeypatch, variant):
    """World.step -> ... -> core.step.step -> ... -> solve, which repeats the innermost kernels in a loop of its own.

    "soft" is `advance`'s alone: its compiled part is the same, of a method that steps with the contacts that are there.
    """
    method = od.World.step if variant in (SOLVERS["exact"], SOFT) else od.World.quick_step
    in_python = hops_to_stage(monkeypatch, method)
    rows, call = (stages.__name__, "solve_rows"), ("opendynamics.core.solve.escalation", "call_solve")
    to_call = hops_between((stages.__name__, "step"), rows) + hops_between(rows, call)
    assert in_python + to_call <= MAX_HOPS  # `call_solve` is the call of `solve` itself
    assert (
        hops_between(("opendynamics.core.solve.islands", "solve_share"), call) == 1
    )  # what threads that share islands run
    start = (
        eliminating if variant is SOLVERS["exact"] else variant
    )  # the entry to which it hands on all but small islands
    assert hops_between((start.__name__, "solve"), VARIANTS[variant]) == 1
