"""objects.h: QuickStep and its parameters."""

from __future__ import annotations

from opendynamics.api import checks
from opendynamics.api.world import World
from opendynamics.c_api.common.identifiers import dWorldID
from opendynamics.c_api.error import engine_messages
from opendynamics.c_api.ids import the
from opendynamics.c_api.misc import dRandGetSeed, dRandSetSeed
from opendynamics.c_api.objects.quick_step_iterations import note_iterations


def dWorldQuickStep(w: dWorldID, stepsize: float) -> int:
    """Its rows are shuffled with the seed of dRandSetSeed, which all worlds share, as in ODE."""
    world = the(World, w)
    world.random_seed = dRandGetSeed()
    with engine_messages():
        world.quick_step(stepsize)
    dRandSetSeed(world.random_seed)
    note_iterations(world)
    return 1


def dWorldSetQuickStepNumIterations(w: dWorldID, num: int) -> None:
    the(World, w).quickstep_iterations = num


def dWorldGetQuickStepNumIterations(w: dWorldID) -> int:
    return the(World, w).quickstep_iterations


@checks.beyond_bounds()
def dWorldSetQuickStepW(w: dWorldID, over_relaxation: float) -> None:
    the(World, w).quickstep_relaxation = over_relaxation


def dWorldGetQuickStepW(w: dWorldID) -> float:
    return the(World, w).quickstep_relaxation
