"""The soft step: sub-steps with soft contacts and relaxation, for games and large piles.

    v <- v + what external forces add;  apply the impulses of the sub-step before  (warm starting)
    one pass of Gauss-Seidel with bias velocities, which mend overlap and errors of joints
    x <- x + h' v
    one pass without: what the bias added to the velocities is taken back          (relaxation)

for each sub-step h', then restitution, once. Small steps converge faster than iterations (M. Macklin and others, Small steps in
physics simulation, 2019); soft contacts and relaxation: E. Catto, Solver2D, 2024. Contacts keep their points and Jacobians within
the step, joints are filled in where the bodies are.

Restitution and position correction are its own affair, so that `impacts` leaves its islands alone. The forces are means over
the step. The residual is the largest change in the last pass, relative to the largest impulse.
"""

from __future__ import annotations

from opendynamics.core.arrays.islands import ISLANDS
from opendynamics.core.arrays.report import REPORTS
from opendynamics.core.kernels import entry, kernel
from opendynamics.core.solve import SOLVE
from opendynamics.core.solve.soft.bodies import (
    accelerate_bodies,
    begin_bodies,
    displace_bodies,
    hand_on,
    place_bodies,
    put_bodies_back,
)
from opendynamics.core.solve.soft.layout import has_room
from opendynamics.core.solve.soft.parameters import DEFAULTS, PARAMETERS
from opendynamics.core.solve.soft.passes import apply_impulses, iterate, restore_bounces, sum_impulses, write_forces
from opendynamics.core.solve.soft.rows import begin_rows, fill_joints
from opendynamics.core.solve.warm_starting import keep, start_island

__all__ = ["DEFAULTS", "PARAMETERS", "SOLVES_IMPACTS", "keep", "solve"]

SOLVES_IMPACTS = True


@entry(SOLVE)
def solve(tables, index):
    """Take an island's sub-steps. 1: done, 0: no room."""
    island, report = ISLANDS.rows(tables)[index], REPORTS.rows(tables)[0]
    if not has_room(tables, island):
        return 0
    report.keep_forces = 1
    h, substeps = report.h, PARAMETERS.rows(tables)[0].substeps
    start_island(tables, island, 1.0)
    begin_bodies(tables, island, h, substeps)
    begin_rows(tables, island, h, substeps)
    change, largest = take_substeps(tables, island, h, substeps)
    write_forces(tables, island, h)
    put_bodies_back(tables, island)
    island.iterations = 2 * substeps
    island.residual = change / largest if largest > 0.0 else 0.0
    island.faulty = not hand_on(tables, island, h)
    return 1


@kernel
def take_substeps(tables, island, h, substeps):
    """The sub-steps. Returns the largest change of an impulse in the last pass, and the largest impulse."""
    step = h / substeps
    change = largest = 0.0
    for k in range(substeps):
        if k > 0:
            place_bodies(tables, island)
        fill_joints(tables, island, h, substeps, k == 0)
        accelerate_bodies(tables, island)
        apply_impulses(tables, island)
        iterate(tables, island, step, k * step, True)
        displace_bodies(tables, island, step)
        change, largest = iterate(tables, island, step, (k + 1) * step, False)
        sum_impulses(tables, island)
    restore_bounces(tables, island, h)
    return change, largest
