"""odeinit.h: nothing has to be prepared or cleaned up here; the calls are accepted."""

from __future__ import annotations

from opendynamics.c_api.ids import whole

dInitODEFlags = dAllocateODEDataFlags = int
dInitFlagManualThreadCleanup = 0x00000001
dAllocateFlagBasicData = 0
dAllocateFlagCollisionData = 0x00000001
dAllocateMaskAll = ~0


def dInitODE() -> None:
    """Nothing to do."""


def dInitODE2(uiInitFlags: int) -> int:
    """Nothing to do; 1 for success."""
    whole(uiInitFlags)
    return 1


def dAllocateODEDataForThread(uiAllocateFlags: int) -> int:
    """Nothing to do; 1 for success."""
    whole(uiAllocateFlags)
    return 1


def dCleanupODEAllDataForThread() -> None:
    """Nothing to do."""


def dCloseODE() -> None:
    """Nothing to do: what nobody holds any more goes away by itself."""
