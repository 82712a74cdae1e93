"""Python's side of the solvers' contract: entries are loaded, and their addresses put into a world's tables."""

from __future__ import annotations

from functools import cache
from types import ModuleType
from typing import Any

from opendynamics.core.arrays.report import CHOICES, MOST_ESCALATIONS, REPORTS
from opendynamics.core.arrays.store import Store
from opendynamics.core.compile.loading import address_of
from opendynamics.core.families import SOLVERS
from opendynamics.core.solve import SOLVE
from opendynamics.core.solve.escalation import IMPACTS

# Entries of a solver that the kernels call, by the fields of CHOICE.
ENTRIES = ("solve", "keep", "finish")

# Tables have their places before the first Store is made, in the order of the solvers' names.
PARAMETERS = {name: SOLVERS[name].PARAMETERS for name in SOLVERS.names if hasattr(SOLVERS[name], "PARAMETERS")}


def set_defaults(store: Store) -> None:
    """Give every solver of a new store the parameters that it starts with."""
    for name, table in PARAMETERS.items():
        store.use(table, 1)
        for field, value in SOLVERS[name].DEFAULTS.items():
            store[table][field] = value


def variant_of(store: Store, name: str) -> ModuleType:
    """The module that has the entries of solver `name`, by the parameters that the store holds for it."""
    solver = _solver(name)
    if hasattr(solver, "variant"):
        chosen: ModuleType = solver.variant(store[PARAMETERS[name]][0])
        return chosen
    return solver


@cache
def _solver(name: str) -> ModuleType:
    return SOLVERS[name]


def entries_of(variant: ModuleType) -> list[Any]:
    """What has to be loaded before the first step."""
    return [getattr(variant, part) for part in ENTRIES if hasattr(variant, part)]


@cache
def _addresses(variant: ModuleType) -> dict[str, int]:
    return {part: address_of(getattr(variant, part), SOLVE) if hasattr(variant, part) else 0 for part in ENTRIES}


@cache
def _escalations(variant: ModuleType) -> list[int]:
    """Addresses of those that any world has needed so far; 0: not loaded."""
    further = getattr(variant, "ESCALATIONS", ())
    if len(further) > IMPACTS:
        raise ValueError(f"{variant.__name__} has {len(further)} ESCALATIONS; the most are {IMPACTS}")
    return [0] * MOST_ESCALATIONS


def _impacts() -> Any:
    """Imported when an island first needs it."""
    from opendynamics.core.solve.impacts import solve

    return solve


def choose(store: Store, variant: ModuleType) -> None:
    """Let the store's islands be solved by `variant`; at once where the last step was, too."""
    choices, addresses = store[CHOICES][0], _addresses(variant)
    if choices["solve"] == addresses["solve"]:
        return
    for part, address in addresses.items():
        choices[part] = address
    choices["escalations"] = _escalations(variant)


def load_missing_escalation(store: Store, variant: ModuleType) -> bool:
    """Load what a kernel found missing; False if it found nothing missing."""
    report = store[REPORTS][0]
    number = int(report["missing_escalation"]) - 1
    if number < 0:
        return False
    entry = _impacts() if number == IMPACTS else variant.ESCALATIONS[number]
    _escalations(variant)[number] = address_of(entry, SOLVE)
    store[CHOICES][0]["escalations"] = _escalations(variant)
    report["missing_escalation"] = 0
    return True
