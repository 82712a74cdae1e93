"""What goes between many robots and the tables of their worlds, compiled: `transfer` for one robot after the other.

The arrays have the robots as their first dimension: n robots of l links on p parts, with j joints. `addresses` are those of the
`tables` of their worlds.
"""

from __future__ import annotations

from opendynamics.core import types
from opendynamics.core.arrays.bodies import LOADS, POSES
from opendynamics.core.arrays.contacts import CONTACTS, POINTS, REVERSED
from opendynamics.core.arrays.joints import JOINTS
from opendynamics.core.arrays.joints import REVERSED as REVERSED_JOINT
from opendynamics.core.arrays.report import REPORTS
from opendynamics.core.batch import tables_at
from opendynamics.core.constrain.joints.hinge import ANGLE
from opendynamics.core.kernels import entry
from opendynamics.core.update.contact_forces import force_of
from opendynamics.robot.transfer import measure_joints, move_links, push_parts

_ROWS = types.Array(types.int64, 1, "C")
_FLAGS = types.Array(types.boolean, 1, "C")
_ROWS_OF_EACH = types.Array(types.int64, 2, "C")
_NUMBERS = types.Array(types.float64, 2, "C")
_VECTORS = types.Array(types.float64, 3, "C")
_MATRICES = types.Array(types.float64, 4, "C")


@entry(
    types.void(
        _ROWS, _ROWS_OF_EACH, _ROWS, _VECTORS, _VECTORS, _MATRICES, _ROWS, _ROWS, _FLAGS, _VECTORS, _VECTORS, _MATRICES,
        _VECTORS, _MATRICES, _VECTORS, _VECTORS, _ROWS, _ROWS_OF_EACH, _NUMBERS, _NUMBERS, _NUMBERS, _NUMBERS,
    )
)  # fmt: skip
def read_robots(
    addresses, rows, parts, centers, offsets, frames, children, parents, revolute, axes, places, joint_frames,
    positions, rotations, velocities, spins, counted, hinges, before, q, dq, quaternions,
):  # fmt: skip
    """Motion of the links, displacements and velocities of the joints, orientations of the roots, (n, 4); see `transfer`.

    Args:
        counted: joints whose hinges count turns, and so replace the displacements `before`.
        hinges: rows of these in each robot's world, -1 if destroyed.
    """
    for k in range(len(addresses)):
        tables = tables_at(addresses[k])
        for number in range(len(counted)):
            if hinges[k, number] >= 0:
                hinge = JOINTS.rows(tables)[hinges[k, number]]
                angle = hinge.numbers[ANGLE]
                before[k, counted[number]] = -angle if hinge.flags & REVERSED_JOINT else angle
        for c in range(4):
            quaternions[k, c] = POSES.rows(tables)[rows[k, parts[0]]].quaternion[c]
        move_links(
            tables, rows[k], parts, centers[k], offsets[k], frames[k],
            positions[k], rotations[k], velocities[k], spins[k],
        )  # fmt: skip
        measure_joints(
            children, parents, revolute, axes[k], places[k], joint_frames[k],
            positions[k], rotations[k], velocities[k], spins[k], before[k], q[k], dq[k],
        )  # fmt: skip


@entry(
    types.void(
        _ROWS, _ROWS_OF_EACH, _ROWS, _VECTORS, _VECTORS, _MATRICES, _ROWS, _ROWS, _FLAGS, _VECTORS,
        _VECTORS, _MATRICES, _VECTORS, _VECTORS, _NUMBERS, _VECTORS, _VECTORS, _ROWS,
    )
)  # fmt: skip
def drive_robots(
    addresses, rows, parts, centers, offsets, frames, children, parents, revolute, axes,
    positions, rotations, velocities, spins, efforts, forces, torques, which,
):  # fmt: skip
    """Add the efforts of the joints to the loads of the bodies, of the robots `which`.

    `forces` and `torques` on the parts, (n, p, 3), and the motion of the links are scratch memory; the former are 0.
    """
    for k in which:
        tables = tables_at(addresses[k])
        move_links(
            tables, rows[k], parts, centers[k], offsets[k], frames[k],
            positions[k], rotations[k], velocities[k], spins[k],
        )  # fmt: skip
        push_parts(
            tables, rows[k], parts, children, parents, revolute, axes[k],
            positions[k], rotations[k], efforts[k], forces[k], torques[k],
        )  # fmt: skip
        for part in range(rows.shape[1]):
            load = LOADS.rows(tables)[rows[k, part]]
            for c in range(3):
                load.force[c] += forces[k, part, c]
                load.torque[c] += torques[k, part, c]


@entry(types.void(_ROWS, _ROWS, _ROWS_OF_EACH, _VECTORS))
def gather_link_forces(addresses, firsts, links, forces):
    """Add the forces of the last step's contacts to those on the links, (n, l, 3).

    Args:
        addresses: of the tables of each robot's world.
        firsts: row of the first contact of the step in each.
        links: by row of a geom in each robot's world, the link that it belongs to; -1 if it is not the robot's.
        forces: result, in the world frame, N.
    """
    for k in range(len(addresses)):
        tables = tables_at(addresses[k])
        for number in range(REPORTS.rows(tables)[0].contacts):
            contact, point = CONTACTS.rows(tables)[firsts[k] + number], POINTS.rows(tables)[number]
            force = force_of(tables, contact)
            sign = -1.0 if contact.flags & REVERSED else 1.0
            for geom, side in ((point.geom_a, sign), (point.geom_b, -sign)):  # -1: destroyed since
                if 0 <= geom < links.shape[1] and links[k, geom] >= 0:
                    for c in range(3):
                        forces[k, links[k, geom], c] += side * force[c]
