"""Python's side of the solvers' contract: loads entries and writes their addresses to a world's tables."""

from __future__ import annotations

from functools import cache
from types import ModuleType
from typing import Any, TypeAlias

from opendynamics.core.arrays.report import CHOICES, MAX_ESCALATIONS, REPORTS
from opendynamics.core.arrays.store import Store
from opendynamics.core.arrays.table import Table
from opendynamics.core.arrays.worlds import WORLDS
from opendynamics.core.bodies.integrators import VERLET
from opendynamics.core.compile.loading import address_of
from opendynamics.core.families import SOLVERS
from opendynamics.core.solve import SOLVE, SOLVE_TOGETHER
from opendynamics.core.solve.escalation import IMPACTS, MEMBER, TOGETHER

# Entries of a solver that the kernels call, by the fields of CHOICE, and the subset used if it is a member of another solver.
ENTRIES = ("choose", "solve", "cache_forces", "finish")
ENTRIES_OF_MEMBER = ("solve", "finish")

# Tables are registered before the first Store is made, in the order of the solvers' names.
PARAMETERS = {name: SOLVERS[name].PARAMETERS for name in SOLVERS.names if hasattr(SOLVERS[name], "PARAMETERS")}

# Modules with the entries of a solver, and of those that it assigns islands to: one for each row of CHOICES.
Variants: TypeAlias = tuple[ModuleType, ...]


def set_defaults(store: Store) -> None:
    """Write the default parameters of every solver to a new store."""
    for name, table in PARAMETERS.items():
        store.use(table, 1)
        for field, value in SOLVERS[name].DEFAULTS.items():
            store[table][field] = value


def variants_of(store: Store, name: str) -> Variants:
    """The modules that have the entries of solver `name` and of its members, by the parameters that the store holds for them."""
    return tuple(_variant_of(store, each) for each in (name, *_members(store, name)))


def _members(store: Store, name: str) -> list[str]:
    """Names of the solvers that solver `name` assigns islands to; replaced where one does not support the integrator."""
    members = []
    for member in getattr(_variant_of(store, name), "MEMBERS", ()):
        stand_in = getattr(_solver(member), "VERLET_SOLVER", None)
        members.append(stand_in if stand_in and store[WORLDS]["integrator"][0] == VERLET else member)
    return members


def _variant_of(store: Store, name: str) -> ModuleType:
    solver = _solver(name)
    if hasattr(solver, "variant"):
        chosen: ModuleType = solver.variant(store[PARAMETERS[name]][0])
        return chosen
    return solver


@cache
def _solver(name: str) -> ModuleType:
    return SOLVERS[name]


def entries_of(variants: Variants) -> list[Any]:
    """Entries that have to be loaded before the first step."""
    return _entries_of(variants[0], ENTRIES)


def further_entries_of(variants: Variants) -> list[Any]:
    """Entries that most worlds need, loaded on first use: those of the solvers that islands are assigned to, and `impacts`."""
    return [*(entry for member in variants[1:] for entry in _entries_of(member, ENTRIES_OF_MEMBER)), _impacts()]


def _entries_of(variant: ModuleType, parts: tuple[str, ...]) -> list[Any]:
    return [getattr(variant, part) for part in parts if hasattr(variant, part)]


@cache
def _addresses(variant: ModuleType) -> dict[str, int]:
    """Fields of CHOICE by a solver's module; 0: the solver has no such entry, or it is not loaded yet."""
    flags = {
        "solves_impacts": getattr(variant, "SOLVES_IMPACTS", False),
        "has_job": hasattr(variant, "job"),
        "together": getattr(variant, "TOGETHER", 0),
    }
    return dict.fromkeys(ENTRIES, 0) | {name: int(flag) for name, flag in flags.items()}


def _load(variant: ModuleType, parts: tuple[str, ...]) -> dict[str, int]:
    """Load these entries of a solver. Returns its `_addresses`."""
    addresses = _addresses(variant)
    for part in parts:
        if addresses[part] == 0 and hasattr(variant, part):
            addresses[part] = address_of(getattr(variant, part), SOLVE)
    return addresses


@cache
def _escalations(variant: ModuleType) -> list[int]:
    """Addresses of those that any world has needed so far; 0: not loaded."""
    further = getattr(variant, "ESCALATIONS", ())
    if len(further) > TOGETHER:
        raise ValueError(f"{variant.__name__} has {len(further)} ESCALATIONS; the most are {TOGETHER}")
    return [0] * MAX_ESCALATIONS


def _impacts() -> Any:
    """Imported when an island first needs it."""
    from opendynamics.core.solve.impacts import solve

    return solve


def choose(store: Store, variants: Variants) -> None:
    """Select the solvers of the store's islands; returns at once if the last step used the same ones."""
    count = len(variants)
    _load(variants[0], ENTRIES)
    solves = [_addresses(variant)["solve"] for variant in variants]
    if store.used(CHOICES) == count and store[CHOICES]["solve"][:count].tolist() == solves:
        return
    store.use(CHOICES, count)
    for _, table in _choosing():
        store[table]["islands"] = 0
    for choices, variant in zip(store[CHOICES], variants, strict=False):
        for field, value in _addresses(variant).items():
            choices[field] = value
        choices["escalations"] = _escalations(variant)


@cache
def _choosing() -> list[tuple[str, Table]]:
    """Solvers that choose among members, and their parameters."""
    return [(name, table) for name, table in PARAMETERS.items() if _counts_islands(table)]


def _counts_islands(table: Table) -> bool:
    return "islands" in (table.dtype.names or ())


def islands_by_solver(store: Store) -> dict[str, int]:
    """Number of islands that each member solved in the last step, if the solver chooses among members."""
    counts = {}
    for name, table in _choosing():
        if store[table]["islands"].any():
            counts = dict(zip(_members(store, name), store[table]["islands"][0].tolist(), strict=False))
    return counts


def load_missing_escalation(store: Store, variants: Variants) -> bool:
    """Load the entry that a kernel reported missing; False if it reported none."""
    report = store[REPORTS][0]
    if report["missing_escalation"] == 0:
        return False
    row, number = divmod(int(report["missing_escalation"]) - 1, MAX_ESCALATIONS)
    variant, choice = variants[row], store[CHOICES][row]
    if number == MEMBER:
        addresses = _load(variant, ENTRIES_OF_MEMBER)
        for part in ENTRIES_OF_MEMBER:
            choice[part] = addresses[part]
    elif number == TOGETHER:
        _escalations(variant)[number] = address_of(variant.solve_together, SOLVE_TOGETHER)
        choice["escalations"] = _escalations(variant)
    else:
        entry = _impacts() if number == IMPACTS else variant.ESCALATIONS[number]
        _escalations(variant)[number] = address_of(entry, SOLVE)
        choice["escalations"] = _escalations(variant)
    report["missing_escalation"] = 0
    return True
