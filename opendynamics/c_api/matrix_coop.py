"""matrix_coop.h: the factorisations of matrix.h with acquired resources; see cooperative.h."""

from __future__ import annotations

from typing import Any

from opendynamics.api import checks
from opendynamics.c_api.cooperative import dResourceContainerID, dResourceRequirementsID, living
from opendynamics.c_api.ids import Array
from opendynamics.c_api.matrix import dFactorLDLT, dScaleVector, dSolveL1, dSolveL1T, dSolveLDLT

_FACTOR, _SOLVE_L1, _SOLVE_L1T = "FactorLDLT", "SolveL1Straight", "SolveL1Transposed"
_SCALE, _SOLVE = "ScaleVector", "SolveLDLT"


def _estimate(name: str, requirements: object, threads: int, rows: int) -> None:
    known = living(dResourceRequirementsID, requirements)
    checks.count("the number of threads", threads)
    known.largest[name] = max(checks.count("the number of rows", rows), known.largest.get(name, 0))


def _require(name: str, resources: object, threads: int, rows: int) -> None:
    """Raise unless the resources were acquired for this number of rows."""
    known = living(dResourceContainerID, resources)
    checks.count("the number of threads", threads)
    if checks.count("the number of rows", rows) > known.largest.get(name, -1):
        raise ValueError(
            f"the resources are for {known.largest.get(name, 0)} rows, not {rows}: "
            f"call dEstimateCooperatively{name}ResourceRequirements with {rows} before they are acquired"
        )


def dEstimateCooperativelyFactorLDLTResourceRequirements(
    requirements: dResourceRequirementsID, maximalAllowedThreadCount: int, maximalRowCount: int
) -> None:
    _estimate(_FACTOR, requirements, maximalAllowedThreadCount, maximalRowCount)


def dEstimateCooperativelySolveL1StraightResourceRequirements(
    requirements: dResourceRequirementsID, maximalAllowedThreadCount: int, maximalRowCount: int
) -> None:
    _estimate(_SOLVE_L1, requirements, maximalAllowedThreadCount, maximalRowCount)


def dEstimateCooperativelySolveL1TransposedResourceRequirements(
    requirements: dResourceRequirementsID, maximalAllowedThreadCount: int, maximalRowCount: int
) -> None:
    _estimate(_SOLVE_L1T, requirements, maximalAllowedThreadCount, maximalRowCount)


def dEstimateCooperativelyScaleVectorResourceRequirements(
    requirements: dResourceRequirementsID, maximalAllowedThreadCount: int, maximalElementCount: int
) -> None:
    _estimate(_SCALE, requirements, maximalAllowedThreadCount, maximalElementCount)


def dEstimateCooperativelySolveLDLTResourceRequirements(
    requirements: dResourceRequirementsID, maximalAllowedThreadCount: int, maximalRowCount: int
) -> None:
    _estimate(_SOLVE, requirements, maximalAllowedThreadCount, maximalRowCount)


def dCooperativelyFactorLDLT(
    resources: dResourceContainerID, allowedThreadCount: int, A: Array, rowCount: int, rowSkip: int
) -> Array:
    """Like dFactorLDLT: replace the part of A below the diagonal; returns d, the reciprocals of D."""
    _require(_FACTOR, resources, allowedThreadCount, rowCount)
    return dFactorLDLT(A, rowCount, rowSkip)


def dCooperativelySolveL1Straight(
    resources: dResourceContainerID, allowedThreadCount: int, L: Any, b: Array, rowCount: int, rowSkip: int
) -> None:
    """Like dSolveL1: replace b by the solution of L x = b."""
    _require(_SOLVE_L1, resources, allowedThreadCount, rowCount)
    dSolveL1(L, b, rowCount, rowSkip)


def dCooperativelySolveL1Transposed(
    resources: dResourceContainerID, allowedThreadCount: int, L: Any, b: Array, rowCount: int, rowSkip: int
) -> None:
    """Like dSolveL1T: replace b by the solution of L' x = b."""
    _require(_SOLVE_L1T, resources, allowedThreadCount, rowCount)
    dSolveL1T(L, b, rowCount, rowSkip)


def dCooperativelyScaleVector(
    resources: dResourceContainerID, allowedThreadCount: int, dataVector: Array, scaleVector: Any, elementCount: int
) -> None:
    """Like dScaleVector: multiply each number of the first by that of the second."""
    _require(_SCALE, resources, allowedThreadCount, elementCount)
    dScaleVector(dataVector, scaleVector, elementCount)


def dCooperativelySolveLDLT(
    resources: dResourceContainerID, allowedThreadCount: int, L: Any, d: Any, b: Array, rowCount: int, rowSkip: int
) -> None:
    """Like dSolveLDLT: replace b by the solution of L D L' x = b."""
    _require(_SOLVE, resources, allowedThreadCount, rowCount)
    dSolveLDLT(L, d, b, rowCount, rowSkip)
