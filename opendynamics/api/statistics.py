"""Statistics of the last step; `Stepping.statistics` fills them in from the step's report."""

from __future__ import annotations

from dataclasses import dataclass, field

from opendynamics.api.suggestions import explain_calls


@explain_calls
@dataclass(frozen=True)
class Statistics:
    """Statistics of the last step.

    Attributes:
        pairs: candidate pairs: geoms whose bounding boxes overlap.
        contacts: contacts made by `advance`.
        recycled: pairs whose contacts were recycled, see `world.recycle_contacts`.
        speculative: speculative ones among the contacts, see `world.speculative_margin`.
        contacts_left_out: contact points beyond `world.max_contacts` per pair.
        stopped: continuous bodies that were stopped at an impact.
        deepest: largest penetration depth, m.
        islands, rows: numbers of islands and constraint rows in the step.
        iterations: largest number of solver iterations of an island.
        residual: largest residual of the solver, relative to the largest force of its island.
        solvers: number of islands by solver, for `world.solver = "auto"`; empty for other solvers.
        seconds: time of each stage, s, if the step was timed.
    """

    pairs: int = 0
    contacts: int = 0
    recycled: int = 0
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
