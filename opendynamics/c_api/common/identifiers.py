"""common.h: types of IDs, codes of errors and joint types."""

from __future__ import annotations

from typing import TypeAlias

from opendynamics.api.body import Body
from opendynamics.api.geoms.geom import Geom
from opendynamics.api.joint_group import JointGroup
from opendynamics.api.joints.joint import Joint
from opendynamics.api.spaces.space import Space
from opendynamics.api.world import World

dWorldID: TypeAlias = World
dSpaceID: TypeAlias = Space
dBodyID: TypeAlias = Body
dGeomID: TypeAlias = Geom | Space
dJointID: TypeAlias = Joint
dJointGroupID: TypeAlias = JointGroup

d_ERR_UNKNOWN, d_ERR_IASSERT, d_ERR_UASSERT, d_ERR_LCP = range(4)

dJointTypeNone = 0
dJointTypeBall = 1
dJointTypeHinge = 2
dJointTypeSlider = 3
dJointTypeContact = 4
dJointTypeUniversal = 5
dJointTypeHinge2 = 6
dJointTypeFixed = 7
dJointTypeNull = 8
dJointTypeAMotor = 9
dJointTypeLMotor = 10
dJointTypePlane2D = 11
dJointTypePR = 12
dJointTypePU = 13
dJointTypePiston = 14
dJointTypeDBall = 15
dJointTypeDHinge = 16
dJointTypeTransmission = 17
