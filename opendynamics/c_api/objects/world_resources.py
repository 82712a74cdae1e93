"""objects.h: threads and memory of a world's steps. The world minds both itself; the calls are accepted, no more."""

from __future__ import annotations

from typing import Any

from opendynamics.api import checks
from opendynamics.api.world import World
from opendynamics.c_api.common.identifiers import dWorldID
from opendynamics.c_api.ids import Null, or_null, the

dTHREADING_THREAD_COUNT_UNLIMITED = 0
dWORLDSTEP_THREADCOUNT_UNLIMITED = dTHREADING_THREAD_COUNT_UNLIMITED
dWORLDSTEP_RESERVEFACTOR_DEFAULT = 1.2
dWORLDSTEP_RESERVESIZE_DEFAULT = 65536


class dWorldStepReserveInfo:
    """How much memory ODE keeps in reserve."""

    def __init__(
        self,
        struct_size: int = 0,
        reserve_factor: float = dWORLDSTEP_RESERVEFACTOR_DEFAULT,
        reserve_minimum: int = dWORLDSTEP_RESERVESIZE_DEFAULT,
    ) -> None:
        self.struct_size, self.reserve_factor, self.reserve_minimum = struct_size, reserve_factor, reserve_minimum


class dWorldStepMemoryFunctionsInfo:
    """Functions that ODE takes memory from."""

    def __init__(
        self, struct_size: int = 0, alloc_block: Any = None, shrink_block: Any = None, free_block: Any = None
    ) -> None:
        self.struct_size = struct_size
        self.alloc_block, self.shrink_block, self.free_block = alloc_block, shrink_block, free_block


def dWorldSetStepIslandsProcessingMaxThreadCount(w: dWorldID, count: int) -> None:
    """Kept for the getter; it changes nothing."""
    world: Any = the(World, w)
    world._c_island_threads = checks.count("the number of threads", count)


def dWorldGetStepIslandsProcessingMaxThreadCount(w: dWorldID) -> int:
    return getattr(the(World, w), "_c_island_threads", dWORLDSTEP_THREADCOUNT_UNLIMITED)


def dWorldUseSharedWorkingMemory(w: dWorldID, from_world: dWorldID | Null = None) -> int:
    """Nothing to do; 1 for success."""
    the(World, w)
    or_null(World, from_world)
    return 1


def dWorldCleanupWorkingMemory(w: dWorldID) -> None:
    """Nothing to do."""
    the(World, w)


def dWorldSetStepMemoryReservationPolicy(w: dWorldID, policyinfo: dWorldStepReserveInfo | Null = None) -> int:
    """Nothing to do; 1 for success."""
    the(World, w)
    return 1


def dWorldSetStepMemoryManager(w: dWorldID, memfuncs: dWorldStepMemoryFunctionsInfo | Null) -> int:
    """Nothing to do; 1 for success."""
    the(World, w)
    return 1


def dWorldSetStepThreadingImplementation(w: dWorldID, functions_info: Any, threading_impl: Any) -> None:
    """Nothing to do."""
    the(World, w)
