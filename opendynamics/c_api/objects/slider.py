"""objects.h: sliders."""

from __future__ import annotations

from opendynamics.api.joint_group import JointGroup
from opendynamics.api.joints.slider import Slider
from opendynamics.api.world import World
from opendynamics.c_api.common.identifiers import dJointGroupID, dJointID, dWorldID
from opendynamics.c_api.ids import Array, Null, or_null, the
from opendynamics.c_api.objects.params import LIMIT_MOTOR, get_param, set_param


def dJointCreateSlider(w: dWorldID, group: dJointGroupID | Null) -> dJointID:
    return Slider(the(World, w), group=or_null(JointGroup, group))


def dJointSetSliderAxis(j: dJointID, x: float, y: float, z: float) -> None:
    the(Slider, j).axis = x, y, z


def dJointSetSliderAxisDelta(j: dJointID, x: float, y: float, z: float, ax: float, ay: float, az: float) -> None:
    """The axis; on the static world, position 0 is (ax, ay, az) further."""
    the(Slider, j).set_axis_delta((x, y, z), (ax, ay, az))


def dJointGetSliderAxis(j: dJointID) -> Array:
    return the(Slider, j).axis


def dJointGetSliderPosition(j: dJointID) -> float:
    """Position, m."""
    return the(Slider, j).position


def dJointGetSliderPositionRate(j: dJointID) -> float:
    return the(Slider, j).position_rate


def dJointAddSliderForce(j: dJointID, force: float) -> None:
    """Along the axis on the first body, and opposite on the second."""
    the(Slider, j).add_force(force)


def dJointSetSliderParam(j: dJointID, parameter: int, value: float) -> None:
    set_param(parameter, value, LIMIT_MOTOR, the(Slider, j).limit_motor)


def dJointGetSliderParam(j: dJointID, parameter: int) -> float:
    return get_param(parameter, LIMIT_MOTOR, the(Slider, j).limit_motor)
