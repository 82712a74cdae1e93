"""The box LCP without its fixed rows, such as the friction rows (two of three rows of a contact) in the frictionless phase.

Every round of `box_lcp` passes over all rows several times, so the rows that are not fixed are first copied to a smaller
problem, whose right-hand side is b - A x of the fixed rows' x. Blocks keep their numbers but lose rows. The smaller problem uses
the scratch memory of the whole one, which suffices if at most about two fifths of the rows remain.
"""

from __future__ import annotations

from opendynamics.core.kernels import kernel
from opendynamics.core.solve._body_space.box_lcp import Box
from opendynamics.core.solve._body_space.system import GROUP, System, find_residuals, take_columns
from opendynamics.core.solve._lcp.active_set import FIXED
from opendynamics.core.solve._lcp.interior_point import VECTORS
from opendynamics.core.solve.dense import piece, vector

# Floats of a row's data, and in all with the vectors of the interior point method.
ROW = 31
UNFIXED_ROW = VECTORS + ROW


@kernel
def count_unfixed(box):
    """Number of rows that are not fixed; the number of all rows, if those are too many for a problem of their own."""
    n, unfixed = len(box.state), 0
    for i in range(n):
        unfixed += box.state[i] != FIXED
    return unfixed if unfixed > 0 and UNFIXED_ROW * unfixed + GROUP <= VECTORS * n else n


@kernel
def take_unfixed_rows(system, box, unfixed, vectors, spare):
    """The system and the box of the rows that are not fixed. `vectors`, `spare`: floats and integers, see `workspace`."""
    floats, blocks = piece(vectors, VECTORS * unfixed, ROW * unfixed + GROUP), system.blocks
    block, state = piece(spare, 0, blocks + 1), piece(spare, blocks + 1, unfixed)
    scaled, columns = piece(floats, 7 * unfixed, 12 * unfixed), piece(floats, 19 * unfixed, 12 * unfixed + GROUP)
    own = Box(
        vector(floats, unfixed, 0),
        vector(floats, unfixed, 1),
        vector(floats, unfixed, 2),
        vector(floats, unfixed, 3),
        vector(floats, unfixed, 4),
        vector(floats, unfixed, 5),
        state,
        vector(floats, unfixed, 6),
        box.y,
    )
    for i in range(len(box.x)):
        box.x[i] = box.lo[i] if box.state[i] == FIXED else 0.0
    find_residuals(system, box.b, box.cfm, box.x, box.y, box.residuals)
    count = 0
    for k in range(blocks):
        block[k] = count
        for i in range(system.block[k], system.block[k + 1]):
            if box.state[i] != FIXED:
                own.b[count], own.cfm[count], own.diagonal[count] = box.residuals[i], box.cfm[i], box.diagonal[i]
                own.lo[count], own.hi[count], own.state[count] = box.lo[i], box.hi[i], box.state[i]
                for c in range(12):
                    scaled[12 * count + c] = system.scaled[12 * i + c]
                count += 1
    block[blocks] = count
    take_columns(blocks, block, scaled, columns)
    part = System(
        blocks,
        block,
        system.positions,
        system.coupling,
        scaled,
        columns,
        system.bodies,
        system.column,
        system.pattern,
        system.row,
        system.row_column,
        system.row_at,
        system.place,
        system.diagonal,
        system.panels,
    )
    return part, own


@kernel
def return_unfixed_rows(system, box, own):
    """Copy forces and states back, and find the residuals of all rows."""
    count = 0
    for i in range(len(box.x)):
        if box.state[i] != FIXED:
            box.x[i], box.state[i] = own.x[count], own.state[count]
            count += 1
    find_residuals(system, box.b, box.cfm, box.x, box.y, box.residuals)
