"""objects.h: threads and memory of a world's steps. The engine manages both itself; the calls are accepted without effect."""

from __future__ import annotations

from typing import Any

from opendynamics.api import checks
from opendynamics.api.world import World
from opendynamics.c_api.common.identifiers import dWorldID
from opendynamics.c_api.ids import Null, or_null, the
from opendynamics.c_api.threading_impl import dThreadingImplementationID, require_threads

dTHREADING_THREAD_COUNT_UNLIMITED = 0
dWORLDSTEP_THREADCOUNT_UNLIMITED = dTHREADING_THREAD_COUNT_UNLIMITED
dWSTP_WorldIslandsIterationMaxThreads = 0x001
dWSTP_IslandSteppingMaxThreads = 0x002
dWSTP_LCPSolvingMaxThreads = 0x004
dWORLDSTEP_RESERVEFACTOR_DEFAULT = 1.2
dWORLDSTEP_RESERVESIZE_DEFAULT = 65536


class dWorldStepReserveInfo:
    """Memory that ODE reserves."""

    def __init__(
        self,
        struct_size: int = 0,
        reserve_factor: float = dWORLDSTEP_RESERVEFACTOR_DEFAULT,
        reserve_minimum: int = dWORLDSTEP_RESERVESIZE_DEFAULT,
    ) -> None:
        self.struct_size, self.reserve_factor, self.reserve_minimum = struct_size, reserve_factor, reserve_minimum


class dWorldStepMemoryFunctionsInfo:
    """Functions with which ODE allocates memory."""

    def __init__(
        self, struct_size: int = 0, alloc_block: Any = None, shrink_block: Any = None, free_block: Any = None
    ) -> None:
        self.struct_size = struct_size
        self.alloc_block, self.shrink_block, self.free_block = alloc_block, shrink_block, free_block


class dWorldSteppingThreadingParameters:
    """Maximum number of threads for the loop over islands, for an island, and for its LCP; `param_set`, a sum of
    dWSTP_WorldIslandsIterationMaxThreads and so on, selects them.
    """

    __slots__ = (
        "island_stepping_max_threads",
        "lcp_solving_max_threads",
        "param_set",
        "world_islands_iteration_max_threads",
    )

    def __init__(
        self,
        param_set: int = 0,
        world_islands_iteration_max_threads: int = dWORLDSTEP_THREADCOUNT_UNLIMITED,
        island_stepping_max_threads: int = dWORLDSTEP_THREADCOUNT_UNLIMITED,
        lcp_solving_max_threads: int = 1,
    ) -> None:
        self.param_set = param_set
        self.world_islands_iteration_max_threads = world_islands_iteration_max_threads
        self.island_stepping_max_threads = island_stepping_max_threads
        self.lcp_solving_max_threads = lcp_solving_max_threads


_FIELDS = {
    dWSTP_WorldIslandsIterationMaxThreads: "world_islands_iteration_max_threads",
    dWSTP_IslandSteppingMaxThreads: "island_stepping_max_threads",
    dWSTP_LCPSolvingMaxThreads: "lcp_solving_max_threads",
}


def dWorldSetSteppingThreadingParameters(w: dWorldID, ptr_params: dWorldSteppingThreadingParameters) -> None:
    """Stored for the getter, without effect: `world.threads` is their number, and no result depends on it."""
    world: Any = the(World, w)
    given = the(dWorldSteppingThreadingParameters, ptr_params)
    world._c_threads = _threads(world) | {name: checks.count(name, getattr(given, name)) for name in _chosen(given)}


def dWorldGetSteppingThreadingParameters(w: dWorldID, ptr_params: dWorldSteppingThreadingParameters) -> None:
    """Fill in the fields that `param_set` selects."""
    kept, asked = _threads(the(World, w)), the(dWorldSteppingThreadingParameters, ptr_params)
    for name in _chosen(asked):
        setattr(asked, name, kept[name])


def _threads(world: World) -> dict[str, int]:
    """The parameters that were set for a world, and defaults for the others."""
    defaults = dWorldSteppingThreadingParameters()
    return {name: getattr(defaults, name) for name in _FIELDS.values()} | getattr(world, "_c_threads", {})


def _chosen(parameters: dWorldSteppingThreadingParameters) -> list[str]:
    chosen = checks.count("param_set of the threading parameters", parameters.param_set, most=sum(_FIELDS))
    return [name for bit, name in _FIELDS.items() if chosen & bit]


def dWorldSetStepIslandsProcessingMaxThreadCount(w: dWorldID, count: int) -> None:
    """Stored for the getter, without effect."""
    parameters = dWorldSteppingThreadingParameters(dWSTP_WorldIslandsIterationMaxThreads, count)
    dWorldSetSteppingThreadingParameters(w, parameters)


def dWorldGetStepIslandsProcessingMaxThreadCount(w: dWorldID) -> int:
    parameters = dWorldSteppingThreadingParameters(dWSTP_WorldIslandsIterationMaxThreads)
    dWorldGetSteppingThreadingParameters(w, parameters)
    return parameters.world_islands_iteration_max_threads


def dWorldUseSharedWorkingMemory(w: dWorldID, from_world: dWorldID | Null = None) -> int:
    """No effect; 1 for success."""
    the(World, w)
    or_null(World, from_world)
    return 1


def dWorldCleanupWorkingMemory(w: dWorldID) -> None:
    """No effect."""
    the(World, w)


def dWorldSetStepMemoryReservationPolicy(w: dWorldID, policyinfo: dWorldStepReserveInfo | Null = None) -> int:
    """No effect; 1 for success."""
    the(World, w)
    or_null(dWorldStepReserveInfo, policyinfo)
    return 1


def dWorldSetStepMemoryManager(w: dWorldID, memfuncs: dWorldStepMemoryFunctionsInfo | Null) -> int:
    """No effect; 1 for success."""
    the(World, w)
    or_null(dWorldStepMemoryFunctionsInfo, memfuncs)
    return 1


def dWorldSetStepThreadingImplementation(
    w: dWorldID, functions_info: None, threading_impl: dThreadingImplementationID | Null
) -> None:
    """No effect. `functions_info`: the result of dThreadingImplementationGetFunctions, the null pointer."""
    the(World, w)
    require_threads(functions_info, threading_impl)
