"""Many joints at once: the same result as `add_ball` or `add_hinge` for each, bit for bit.

Checks the user's arrays, reads the poses of the bodies, writes the rows of joints, and creates their handles. Other kinds of
joints are created one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from opendynamics.api.body import Body
from opendynamics.api.checks import require_name
from opendynamics.api.joint_group import JointGroup
from opendynamics.api.joints.joint import Joint, set_first_values
from opendynamics.api.joints.servo_driven import ServoDriven
from opendynamics.api.many_bodies import checked_rows
from opendynamics.api.member import note_change, set_first
from opendynamics.api.springs import inherit_spring
from opendynamics.api.waking import some_asleep
from opendynamics.core.arrays.bodies import POSES
from opendynamics.core.arrays.joints import JOINTS, REVERSED

if TYPE_CHECKING:
    from opendynamics.api.world import World

Array = npt.NDArray[np.float64]
Pairs = list[tuple[Body | None, Body | None]]

# Kinds that are created at once, and whether they have an axis in addition to the anchor.
AT_ONCE = {"ball": False, "hinge": True}


def add_joints(
    world: World,
    kind: type[Joint],
    pairs: Any,
    anchors: Any,
    axes: Any,
    names: Sequence[str] | None,
    options: dict[str, Any],
) -> list[Joint]:
    """Joints of `kind` between each of `pairs`; see `World.add_joints`."""
    joined = _checked_pairs(world, kind, pairs)
    points = None if anchors is None else checked_rows(f"the anchors of {kind.kind} joints", anchors, 3, len(joined))
    along = None if axes is None else _checked_axes(f"the axes of {kind.kind} joints", axes, len(joined))
    labels = None if names is None else _checked_names(f"the name of a {kind.kind} joint", names, len(joined))
    group = options.get("group")
    Joint._require_group(group)
    complete = points is not None and (along is not None) is AT_ONCE.get(kind.kind)
    if complete and options.keys() <= {"group"} and not world._contact_rows.count and kind.kind in AT_ONCE:
        assert points is not None
        return _make(world, kind, joined, points, along, group, labels) if joined else []
    made: list[Joint] = []
    try:
        for k, (one, other) in enumerate(joined):
            given = {"anchor": points, "axis": along, "name": labels}
            own: dict[str, Any] = {name: values[k] for name, values in given.items() if values is not None}
            made.append(kind(world, one, other, **options, **own))
    except Exception:
        for joint in reversed(made):
            joint.destroy()
        raise
    return made


def _checked_pairs(world: World, kind: type[Joint], pairs: Any) -> Pairs:
    kind._require_world(world)
    found: Pairs = []
    for pair in pairs:
        try:
            one, other = pair
        except (TypeError, ValueError):
            raise TypeError(
                f"each pair of {kind.kind} joints must be two bodies, or a body and None, not {pair!r}"
            ) from None
        Joint._require_bodies(world, one, other)
        if one is None and other is None:
            raise ValueError(f"each pair of {kind.kind} joints must have a body, but pair {len(found)} has none")
        found.append((one, other))
    return found


def _checked_names(what: str, names: Any, count: int) -> list[str | None]:
    """A name, or None, for each of so many joints."""
    given = list(names)
    if len(given) != count:
        raise ValueError(f"there must be as many names as joints, {count}, not {len(given)}")
    for name in given:
        require_name(what, name)
    return given


def _checked_axes(what: str, values: Any, count: int) -> Array:
    """`values` as direction vectors (n, 3)."""
    given = checked_rows(what, values, 3, count)
    wrong = np.flatnonzero(~given.any(axis=1))
    if wrong.size:
        raise ValueError(f"{what} must not be zero vectors, which give no direction, but number {wrong[0]} is")
    return given


def _unit(vectors: Array) -> Array:
    """Normalised vectors (n, 3), as `checks.direction` does."""
    rows = np.arange(len(vectors))
    at = abs(vectors).argmax(axis=1)
    tiny = abs(vectors[rows, at]) < 1.0 / np.finfo(np.float64).max
    vectors = np.ldexp(vectors, np.where(tiny, 100, 0)[:, None])
    scaled = vectors * (1.0 / abs(vectors[rows, at]))[:, None]
    scaled[rows, at] = np.copysign(1.0, vectors[rows, at])
    one, other = scaled[rows, np.where(at == 0, 1, 0)], scaled[rows, np.where(at == 2, 1, 2)]
    return np.asarray(scaled * (1.0 / np.sqrt(1.0 + one * one + other * other))[:, None])


def _make(
    world: World,
    kind: type[Joint],
    pairs: Pairs,
    points: Array,
    axes: Array | None,
    group: JointGroup | None,
    names: Sequence[str | None] | None,
) -> list[Joint]:
    """Joints with given anchors, and axes if the kind has them."""
    if axes is not None:
        axes = _unit(_unit(axes))  # twice, as constructor and property do
    inner = [(other, None) if one is None else (one, other) for one, other in pairs]
    records = np.zeros(len(pairs), JOINTS.dtype)
    set_first_values(records, kind.kind, world._settings, world.like == "ode")
    for side in (0, 1):
        bodies: list[Any] = [pair[side] for pair in inner]
        at = np.array([0 if body is None else body._row for body in bodies])
        records[f"body{side}"] = at
        poses = world._store[POSES][at]
        records[f"anchor{side}"] = _turned_back(poses["rotation"], points - poses["position"], at)
        if axes is not None:
            records[f"axis{side}"] = _turned_back(poses["rotation"], axes, at)
    records["flags"][[one is None for one, _ in pairs]] |= np.uint32(REVERSED)
    if axes is not None:
        records["relative"] = _relative_orientations(inner)
    rows, generations = world._joint_rows.take_many(len(pairs))
    world._store[JOINTS][rows] = records
    note_change()
    world._orders_stale = True
    made = []
    for k, (row, generation, pair) in enumerate(zip(rows, generations, pairs, strict=True)):
        joint: Joint = object.__new__(kind)
        set_first(joint, "_rows", world._joint_rows)
        set_first(joint, "_index", row)
        set_first(joint, "_generation", generation)
        set_first(joint, "_name", None if names is None else names[k])
        set_first(joint, "data", None)
        set_first(joint, "_world", world)
        set_first(joint, "_bodies", pair)
        set_first(joint, "_group", group)
        if isinstance(joint, ServoDriven):
            set_first(joint, "_servo", None)
        world._joints[joint] = world._attached[joint] = None
        world._contact_rows.note_attached(joint)
        for body in pair:
            if body is not None:
                body._joints[joint] = None
        joint._note_pair(1)
        if group is not None:
            group._add(joint)
        made.append(joint)
    made[0]._know_kind()
    for joint in made if world.spring is not None else ():
        inherit_spring(joint)
    if some_asleep(world._store):
        for joint in made:
            joint._wake_bodies()
    return made


def _turned_back(rotations: Array, vectors: Array, rows: Array) -> Array:
    """Vectors (n, 3) rotated by inverses of rotations (n, 9), as in `frame.turned_back`; not in row 0, the static world."""
    r, (x, y, z) = rotations.T, vectors.T
    back = [r[k] * x + r[3 + k] * y + r[6 + k] * z for k in range(3)]
    return np.where(rows[:, None] == 0, vectors, np.stack(back, axis=1))


def _relative_orientations(inner: Sequence[tuple[Any, Any]]) -> Array:
    """Orientations of the second bodies relative to the first: conjugates of the first times the second."""
    first = np.array([one.quaternion for one, _ in inner]) * (1.0, -1.0, -1.0, -1.0)
    second = np.array([(1.0, 0.0, 0.0, 0.0) if other is None else other.quaternion for _, other in inner])
    w, x, y, z = first.T
    s, i, j, k = second.T
    product = [
        *(w * s - x * i - y * j - z * k, w * i + x * s + y * k - z * j),
        *(w * j + y * s + z * i - x * k, w * k + z * s + x * j - y * i),
    ]
    alone = np.array([other is None for _, other in inner])
    return np.where(alone[:, None], first, np.stack(product, axis=1))
