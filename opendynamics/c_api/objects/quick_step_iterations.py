"""objects.h of ODE's development version: adaptive iterations of QuickStep, and their statistics."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from opendynamics.api import checks
from opendynamics.api.world import World
from opendynamics.c_api.common.identifiers import dWorldID
from opendynamics.c_api.ids import Null, or_null, the

dWORLDQUICKSTEP_ITERATION_PREMATURE_EXIT_DELTA_DEFAULT = 1e-8
dWORLDQUICKSTEP_MAXIMAL_EXTRA_ITERATION_COUNT_FACTOR_DEFAULT = 1.0
dWORLDQUICKSTEP_EXTRA_ITERATION_REQUIREMENT_DELTA_DEFAULT = 1e-2


class dWorldQuickStepIterationCount_DynamicAdjustmentStatistics:
    """Counts since it was attached: iterations; islands that ended early, took extra iterations, and took all of these."""

    __slots__ = ("full_extra_execs", "iteration_count", "premature_exits", "prolonged_execs", "struct_size")

    def __init__(self, struct_size: int = 0) -> None:
        self.struct_size = struct_size
        self.iteration_count = self.premature_exits = self.prolonged_execs = self.full_extra_execs = 0


_Statistics = dWorldQuickStepIterationCount_DynamicAdjustmentStatistics
_sinks: WeakKeyDictionary[World, _Statistics] = WeakKeyDictionary()


def dWorldSetQuickStepDynamicIterationParameters(
    w: dWorldID,
    ptr_iteration_premature_exit_delta: float | None = None,
    ptr_max_num_extra_factor: float | None = None,
    ptr_extra_iteration_requirement_delta: float | None = None,
) -> None:
    """Change in an iteration, m/s² or rad/s², below which QuickStep ends early; maximum number of extra iterations, relative
    to their number; and the change above which they are done. None sets the development version's default.

    A new world has neither, as in ODE 0.16: the first two are 0.
    """
    world = the(World, w)
    given = (
        (ptr_iteration_premature_exit_delta, dWORLDQUICKSTEP_ITERATION_PREMATURE_EXIT_DELTA_DEFAULT),
        (ptr_max_num_extra_factor, dWORLDQUICKSTEP_MAXIMAL_EXTRA_ITERATION_COUNT_FACTOR_DEFAULT),
        (ptr_extra_iteration_requirement_delta, dWORLDQUICKSTEP_EXTRA_ITERATION_REQUIREMENT_DELTA_DEFAULT),
    )
    what = "a dynamic iteration parameter of QuickStep"
    leave, extra, need = (checks.not_negative(what, usual if value is None else value) for value, usual in given)
    world.quickstep_extra = extra  # has a bound of its own, and so comes first
    world.quickstep_exit_change, world.quickstep_extra_change = leave, need


def dWorldGetQuickStepDynamicIterationParameters(w: dWorldID) -> tuple[float, float, float]:
    """The three parameters, in the order in which they are set."""
    world = the(World, w)
    return world.quickstep_exit_change, world.quickstep_extra, world.quickstep_extra_change


def dWorldAttachQuickStepDynamicIterationStatisticsSink(w: dWorldID, var_stats: _Statistics | Null = None) -> int:
    """Fill in the structure after each dWorldQuickStep, starting from zero; null: stop it. 1 for success."""
    world, sink = the(World, w), or_null(_Statistics, var_stats)
    _sinks.pop(world, None)
    if sink is not None:
        world.reset_quickstep_counts()
        _sinks[world] = sink
        note_iterations(world)
    return 1


def note_iterations(world: World) -> None:
    """Fill in the structure attached to the world, if there is one."""
    sink = _sinks.get(world)
    if sink is not None:
        counts = world.quickstep_counts
        sink.iteration_count, sink.premature_exits = counts.iterations, counts.early
        sink.prolonged_execs, sink.full_extra_execs = counts.prolonged, counts.exhausted
