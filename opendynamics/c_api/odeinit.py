"""odeinit.h: nothing has to be initialised or cleaned up here; the calls are accepted without effect."""

from __future__ import annotations

from opendynamics.c_api.ids import whole

dInitODEFlags = dAllocateODEDataFlags = int
dInitFlagManualThreadCleanup = 0x00000001
dAllocateFlagBasicData = 0
dAllocateFlagCollisionData = 0x00000001
dAllocateMaskAll = ~0


def dInitODE() -> None:
    """No effect."""


def dInitODE2(uiInitFlags: int) -> int:
    """No effect; 1 for success."""
    whole(uiInitFlags)
    return 1


def dAllocateODEDataForThread(uiAllocateFlags: int) -> int:
    """No effect; 1 for success."""
    whole(uiAllocateFlags)
    return 1


def dCleanupODEAllDataForThread() -> None:
    """No effect."""


def dCloseODE() -> None:
    """No effect: objects without references are released automatically."""
