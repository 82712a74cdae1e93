"""objects.h: which joints connect two bodies. A null body is the static world."""

from __future__ import annotations

from typing import Any

from opendynamics.api.body import Body
from opendynamics.api.checks import DestroyedError
from opendynamics.api.contact_run import NOW
from opendynamics.c_api.common.identifiers import dBodyID, dJointID
from opendynamics.c_api.ids import Null, or_null, the, whole
from opendynamics.c_api.objects.joint import dJointGetType


def dConnectingJointList(b1: dBodyID | Null, b2: dBodyID | Null, out_list: list[dJointID] | None = None) -> Any:
    """All joints between two bodies, newest first, as a list; or in `out_list`, as in C, with their number as result."""
    found = _joints_between(b1, b2)
    if out_list is None:
        return found
    out_list[: len(found)] = found
    return len(found)


def _joints_between(b1: dBodyID | Null, b2: dBodyID | Null) -> list[dJointID]:
    first, second = or_null(Body, b1), or_null(Body, b2)
    body, other = (first, second) if first is not None else (second, first)
    return [joint for joint in the(Body, body).joints if other in joint.bodies]


def dConnectingJoint(b1: dBodyID | Null, b2: dBodyID | Null) -> dJointID | None:
    """The newest joint between two bodies; None if there is none."""
    return next(iter(_joints_between(b1, b2)), None)


is_connected = Body.is_connected_to  # quicker than as a method of what has a `__getattr__`


def dAreConnected(b1: dBodyID | Null, b2: dBodyID | Null) -> int:
    listed = NOW.listed
    _, _, one, two, number = listed.current
    if one is b1 and two is b2 and listed.run.only is listed and number > 0:  # inlined `is_connected`
        joints = listed.rows.pairs.joints
        if joints is not None and listed.run.next <= listed.starts[listed.at]:
            return 1 if number in joints else 0
    if type(b1) is Body and type(b2) is Body:
        try:
            return 1 if is_connected(b1, b2) else 0
        except DestroyedError:  # raised below, with the name of the call
            pass
    return int(bool(_joints_between(b1, b2)))


def dAreConnectedExcluding(body1: dBodyID | Null, body2: dBodyID | Null, joint_type: int) -> int:
    """Whether a joint of another type than `joint_type` connects two bodies."""
    return int(any(dJointGetType(joint) != whole(joint_type) for joint in _joints_between(body1, body2)))
