"""objects.h: functions for all joints, and joint groups. The functions that create joints are in the joints' own files."""

from __future__ import annotations

from typing import Any

from opendynamics.api.body import Body
from opendynamics.api.contact_run import NO_RUN, NOW
from opendynamics.api.joint_group import JointGroup
from opendynamics.api.joints.contact import ContactJoint, attach_found, attach_newest
from opendynamics.api.joints.joint import Joint
from opendynamics.c_api.common.identifiers import dBodyID, dJointGroupID, dJointID
from opendynamics.c_api.ids import Null, or_null, the, whole

# Kinds of joints in the order of ODE's joint types.
_KINDS = (
    *("none", "ball", "hinge", "slider", "contact", "universal", "hinge2", "fixed", "null", "amotor", "lmotor"),
    *("plane2d", "pr", "pu", "piston", "dball", "dhinge", "transmission"),
)


def dJointDestroy(j: dJointID) -> None:
    """No effect on a joint in a group: empty the group."""
    if the(Joint, j).group is None:
        the(Joint, j).destroy()


def dJointGetType(j: dJointID) -> int:
    """One of dJointTypeBall and so on."""
    return _KINDS.index(the(Joint, j).kind)


def dJointAttach(j: dJointID, body1: dBodyID | Null, body2: dBodyID | Null) -> None:
    """Null is the static world; twice null: the joint joins nothing."""
    run = NOW.run
    if j is run.newest:
        if body1 is run.body1 and body2 is run.body2 and run.next <= run.until:
            run.newest = NO_RUN
            return
        if attach_newest(run, body1, body2):  # type: ignore[arg-type]  # these are looked at there
            return
    if type(j) is ContactJoint and attach_found(j, body1, body2):  # type: ignore[arg-type]  # these are looked at there
        return
    the(Joint, j).attach(or_null(Body, body1), or_null(Body, body2))


def dJointGetBody(j: dJointID, index: int) -> dBodyID | None:
    """Body 0 or 1 in the order of attachment; None for the static world."""
    return dict(enumerate(the(Joint, j).bodies)).get(whole(index))


def dJointGetNumBodies(j: dJointID) -> int:
    return sum(body is not None for body in the(Joint, j).bodies)


def dJointEnable(j: dJointID) -> None:
    the(Joint, j).enabled = True


def dJointDisable(j: dJointID) -> None:
    """The joint is kept and does nothing."""
    the(Joint, j).enabled = False


def dJointIsEnabled(j: dJointID) -> int:
    return int(the(Joint, j).enabled)


def dJointSetData(j: dJointID, data: Any) -> None:
    the(Joint, j).data = data


def dJointGetData(j: dJointID) -> Any:
    return the(Joint, j).data


# -- groups ------------------------------------------------------------------------------------------------------------


def dJointGroupCreate(max_size: int) -> dJointGroupID:
    """`max_size` has no effect, as in ODE; pass 0."""
    whole(max_size)
    return JointGroup()


def dJointGroupDestroy(group: dJointGroupID) -> None:
    """Destroys its joints."""
    the(JointGroup, group).destroy()


def dJointGroupEmpty(group: dJointGroupID) -> None:
    """Destroys its joints; the group can be filled again."""
    the(JointGroup, group).empty()
