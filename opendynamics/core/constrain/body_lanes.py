"""Bodies with the default integrator, eight at a time: what rows need of them. What it is for one body is in `bodies`.

The world's integrator is ENERGY_MOMENTUM; bodies that joints hold are DEFERRED. The axes of inertia are those of the body.
"""

from __future__ import annotations

from typing import Any

from opendynamics.core.algebra.lanes import (
    LANES,
    Numbers,
    Records,
    Registers,
    cross,
    dot,
    equal,
    has_bit,
    in_any_lane,
    lane_kernel,
    symmetric_inverse,
    times,
)
from opendynamics.core.algebra.simd import long
from opendynamics.core.arrays.bodies import GYROSCOPIC, HELD, INERTIAS, MOTIONS, WEIGHTLESS
from opendynamics.core.bodies.free_rotation import FASTEST_CHANGE, is_isotropic
from opendynamics.core.kernels import kernel

# Bodies of a mechanism up to which most lanes would be empty, if it is alone in its world.
FEW = 4

# Places of numbers in the records of bodies.
ANGULAR_VELOCITY, FLAGS, ROTATION, MASS, MOMENTS, INVERSES, WORLD_INVERSE, TENSORS = 3, 7, 7, 0, 1, 10, 19, 28


@kernel
def is_for_lanes(tables, island, body):
    """Whether a body is to be prepared in lanes."""
    flags, i = MOTIONS.rows(tables)[body].flags, INERTIAS.rows(tables)[body].inertia
    if not flags & GYROSCOPIC or not MOTIONS.rows(tables)[body].inverse_mass > 0.0:
        return False
    if island.bodies < FEW and flags & HELD:
        return False
    return i[1] == 0.0 and i[2] == 0.0 and i[5] == 0.0 and not is_isotropic(i)


@lane_kernel(("motions", "poses", "inertias", "loads", "externals", "leads"))
def prepare_in_lanes(  # type: ignore[no-untyped-def]
    builder, members, motions, poses, inertias, loads, externals, leads, gx, gy, gz, h
):
    """Prepare the bodies `members`; `leads` are valid for bodies that rotate by less than LARGEST_MEAN in a step."""
    places = [builder.load(builder.gep(members, [long(lane)])) for lane in range(LANES)]
    motion, inertia = Records(builder, motions, places), Records(builder, inertias, places)
    old, tensors = motion.read(0), inertia.read(0, TENSORS)
    rotation, load = Records(builder, poses, places).read(ROTATION, 9), Records(builder, loads, places).read(0, 6)
    now = _turned(rotation, [tensors[INVERSES + 4 * k] for k in range(3)])
    w = _carried(builder, tensors[WORLD_INVERSE:], now, old[ANGULAR_VELOCITY : ANGULAR_VELOCITY + 3])
    motion.write(ANGULAR_VELOCITY, w)
    inertia.write(WORLD_INVERSE, now)
    weight = h.broadcast(0.0).where(has_bit(builder, old[FLAGS], WEIGHTLESS), tensors[MASS])
    forces = [force + weight * gravity for force, gravity in zip(load, (gx, gy, gz), strict=False)]
    Records(builder, externals, places).write(0, [*forces, *load[3:]])
    momentum = times(_turned(rotation, [tensors[MOMENTS + 4 * k] for k in range(3)]), w)
    change = [each * h * 0.5 for each in times(now, cross(momentum, w))]
    is_mean = dot(w, w) * FASTEST_CHANGE - dot(change, change)
    lead = [(each / h).where(is_mean > 0.0, 0.0) for each in change]
    Records(builder, leads, places).write(0, lead)


def _turned(rotation: Any, moments: Any) -> list[Numbers]:
    """A tensor with principal moments, in the world."""
    rows = rotation[:3], rotation[3:6], rotation[6:]
    scaled = [[each * moment for each, moment in zip(row, moments, strict=True)] for row in rows]
    xx, xy, xz = (dot(rows[0], each) for each in scaled)
    return _symmetric(xx, xy, xz, dot(rows[1], scaled[1]), dot(rows[1], scaled[2]), dot(rows[2], scaled[2]))


def _symmetric(xx: Numbers, xy: Numbers, xz: Numbers, yy: Numbers, yz: Numbers, zz: Numbers) -> list[Numbers]:
    """A symmetric matrix, row by row."""
    return [xx, xy, xz, xy, yy, yz, xz, yz, zz]


def _carried(builder: Any, before: Any, now: Any, w: Any) -> list[Numbers]:
    """The angular velocity with the change that the last step deferred: see `bodies`."""
    alike = None
    for one, other in zip(before, now, strict=True):
        same = equal(builder, one, other)
        alike = same if alike is None else builder.and_(alike, same)
    carries = builder.and_(before[0] > 0.0, builder.not_(alike))
    new = Registers(builder, list(w))
    with builder.if_then(in_any_lane(builder, carries)):
        inertia = _symmetric(*symmetric_inverse([before[k] for k in (0, 1, 2, 4, 5, 8)]))
        for k, each in enumerate(times(now, times(inertia, w))):
            new[k] = each.where(carries, w[k])
    return list(new.three(0))
