"""threading_impl.h: threads are managed by the engine. The calls are accepted without effect: steps give the same results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from opendynamics.c_api.ids import function_or_null, or_null, the, whole


class dThreadingImplementation:
    """Represents ODE's threads."""


class dThreadingThreadPool:
    """Represents ODE's pool of threads."""


class dMutexGroup:
    """Represents ODE's mutexes."""


class dCallReleasee:
    """Represents a call that waits for others."""


class dCallWait:
    """Represents an object that waits for calls."""


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
    """Reject anything but an implementation of threads, and functions of one other than the null pointer: there are none."""
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
    """No effect."""
    the(dThreadingImplementation, impl)


def dThreadingImplementationCleanupForRestart(impl: dThreadingImplementationID) -> None:
    """No effect."""
    the(dThreadingImplementation, impl)


def dThreadingFreeImplementation(impl: dThreadingImplementationID) -> None:
    """No effect."""
    the(dThreadingImplementation, impl)


def dExternalThreadingServeMultiThreadedImplementation(
    impl: dThreadingImplementationID,
    readiness_callback: Callable[[Any], Any] | None = None,
    callback_context: Any = None,
) -> None:
    """Calls the callback once and returns: there is nothing to serve."""
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
    """No effect."""
    the(dThreadingThreadPool, pool)
    the(dThreadingImplementation, impl)


def dThreadingThreadPoolWaitIdleState(pool: dThreadingThreadPoolID) -> None:
    """No effect: the pool is idle."""
    the(dThreadingThreadPool, pool)


def dThreadingFreeThreadPool(pool: dThreadingThreadPoolID) -> None:
    """No effect."""
    the(dThreadingThreadPool, pool)
