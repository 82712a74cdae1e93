"""threading_impl.h: threads are not the user's business here. The calls are accepted and do nothing: a step gives
the same result with them and without.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from opendynamics.c_api.ids import function_or_null, or_null, the, whole


class dThreadingImplementation:
    """Stands for ODE's threads."""


class dThreadingThreadPool:
    """Stands for ODE's pool of threads."""


class dMutexGroup:
    """Stands for ODE's mutexes."""


class dCallReleasee:
    """Stands for a call that waits for others."""


class dCallWait:
    """Stands for what waits for calls."""


dMutexGroupID = dMutexGroup
dCallReleaseeID = dCallReleasee
dCallWaitID = dCallWait
dThreadingImplementationID = dThreadingImplementation
dThreadingThreadPoolID = dThreadingThreadPool


def dThreadingAllocateSelfThreadedImplementation() -> dThreadingImplementationID:
    return dThreadingImplementation()


def dThreadingAllocateMultiThreadedImplementation() -> dThreadingImplementationID:
    return dThreadingImplementation()


def require_threads(functions: Any, implementation: Any) -> None:
    """Refuse what is no implementation of threads, and functions of one other than the null pointer: there are none."""
    if functions is not None and not (isinstance(functions, int) and functions == 0):
        raise TypeError(
            f"the functions of threads must be from dThreadingImplementationGetFunctions, None, not {functions!r}"
        )
    or_null(dThreadingImplementation, implementation)


def dThreadingImplementationGetFunctions(impl: dThreadingImplementationID | None) -> None:
    """None: there are none."""
    if impl is not None:
        the(dThreadingImplementation, impl)


def dThreadingImplementationShutdownProcessing(impl: dThreadingImplementationID) -> None:
    """Nothing to do."""
    the(dThreadingImplementation, impl)


def dThreadingImplementationCleanupForRestart(impl: dThreadingImplementationID) -> None:
    """Nothing to do."""
    the(dThreadingImplementation, impl)


def dThreadingFreeImplementation(impl: dThreadingImplementationID) -> None:
    """Nothing to do."""
    the(dThreadingImplementation, impl)


def dExternalThreadingServeMultiThreadedImplementation(
    impl: dThreadingImplementationID,
    readiness_callback: Callable[[Any], Any] | None = None,
    callback_context: Any = None,
) -> None:
    """Calls the callback, once, and returns: there is nothing to serve."""
    the(dThreadingImplementation, impl)
    ready = function_or_null("the readiness callback", readiness_callback)
    if ready is not None:
        ready(callback_context)


def dThreadingAllocateThreadPool(
    thread_count: int, stack_size: int, ode_data_allocate_flags: int, reserved: Any = None
) -> dThreadingThreadPoolID:
    for number in (thread_count, stack_size, ode_data_allocate_flags):
        whole(number)
    return dThreadingThreadPool()


def dThreadingThreadPoolServeMultiThreadedImplementation(
    pool: dThreadingThreadPoolID, impl: dThreadingImplementationID
) -> None:
    """Nothing to do."""
    the(dThreadingThreadPool, pool)
    the(dThreadingImplementation, impl)


def dThreadingThreadPoolWaitIdleState(pool: dThreadingThreadPoolID) -> None:
    """Nothing to do: the pool is idle."""
    the(dThreadingThreadPool, pool)


def dThreadingFreeThreadPool(pool: dThreadingThreadPoolID) -> None:
    """Nothing to do."""
    the(dThreadingThreadPool, pool)
