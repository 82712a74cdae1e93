"""Statistics: the last step in numbers. Reads nothing; `Stepping.statistics` fills it in from the report of a step."""

from __future__ import annotations

from dataclasses import dataclass, field

from opendynamics.api.suggestions import explain_calls


@explain_calls
@dataclass(frozen=True)
class Statistics:
    """The last step in numbers.

    Attributes:
        pairs: geoms whose boxes overlap.
        contacts: contacts that `advance` made.
        speculative: those of them that are across a gap, see `world.speculative_margin`.
        contacts_left_out: contact points found beyond `world.max_contacts` a pair.
        stopped: continuous bodies that met something on their way and were stopped there.
        deepest: largest penetration depth of these, m.
        islands, rows: independent groups of bodies, and constraint rows, in the step.
        iterations: most that the solver took for an island.
        residual: largest residual of the solver, relative to the largest force of its island.
        solvers: islands with rows, by the solver that `world.solver = "auto"` gave them to; empty for other solvers.
        seconds: time for each stage, if the step was timed.
    """

    pairs: int = 0
    contacts: int = 0
    speculative: int = 0
    contacts_left_out: int = 0
    stopped: int = 0
    deepest: float = 0.0
    islands: int = 0
    rows: int = 0
    iterations: int = 0
    residual: float = 0.0
    solvers: dict[str, int] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
