"""cooperative.h: threads and memory shared by ODE's matrix functions.

NumPy has its own threads and memory, so these objects only store sizes: the largest sizes that were announced. Functions of
matrix_coop.h reject resources acquired for smaller sizes.
"""

from __future__ import annotations

from typing import Any

from opendynamics.api.checks import DestroyedError
from opendynamics.c_api.ids import Null, the
from opendynamics.c_api.threading_impl import dThreadingImplementationID, require_threads


class dCooperativeID:
    """Threads that work together."""

    def __init__(self) -> None:
        self.alive = True


class dResourceRequirementsID:
    """Resources that calls will need: for each kind of call the largest number of rows."""

    def __init__(self, cooperative: dCooperativeID) -> None:
        self.alive = True
        self.cooperative = cooperative
        self.largest: dict[str, int] = {}


class dResourceContainerID:
    """Resources acquired for requirements."""

    def __init__(self, largest: dict[str, int]) -> None:
        self.alive = True
        self.largest = dict(largest)


def living(kind: type[Any], identifier: object) -> Any:
    """`identifier`, which must be of `kind` and not destroyed."""
    known = the(kind, identifier)
    if not known.alive:
        raise DestroyedError(f"the {kind.__name__} has been destroyed; make a new one")
    return known


def dCooperativeCreate(
    functionInfo: None = None, threadingImpl: dThreadingImplementationID | Null = None
) -> dCooperativeID:
    """The arguments, null for ODE's own threads, have no effect."""
    require_threads(functionInfo, threadingImpl)
    return dCooperativeID()


def dCooperativeDestroy(cooperative: dCooperativeID) -> None:
    living(dCooperativeID, cooperative).alive = False


def dResourceRequirementsCreate(cooperative: dCooperativeID) -> dResourceRequirementsID:
    return dResourceRequirementsID(living(dCooperativeID, cooperative))


def dResourceRequirementsDestroy(requirements: dResourceRequirementsID) -> None:
    living(dResourceRequirementsID, requirements).alive = False


def dResourceRequirementsClone(requirements: dResourceRequirementsID) -> dResourceRequirementsID:
    """Return requirements with the same sizes."""
    given = living(dResourceRequirementsID, requirements)
    clone = dResourceRequirementsID(given.cooperative)
    clone.largest = dict(given.largest)
    return clone


def dResourceRequirementsMergeIn(
    summaryRequirements: dResourceRequirementsID, extraRequirements: dResourceRequirementsID
) -> None:
    """Extend the first to cover the second as well."""
    summary = living(dResourceRequirementsID, summaryRequirements)
    for name, rows in living(dResourceRequirementsID, extraRequirements).largest.items():
        summary.largest[name] = max(rows, summary.largest.get(name, 0))


def dResourceContainerAcquire(requirements: dResourceRequirementsID) -> dResourceContainerID:
    return dResourceContainerID(living(dResourceRequirementsID, requirements).largest)


def dResourceContainerDestroy(resources: dResourceContainerID) -> None:
    living(dResourceContainerID, resources).alive = False
