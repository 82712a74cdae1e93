"""Every function of Body and Link on the page about Choreonoid's ODE plugin has a counterpart, which the docs list."""

from pathlib import Path

import numpy as np
import pytest

import opendynamics as od
from opendynamics import robot

ROOT = Path(__file__).parents[2]
SR1 = ROOT / "tests" / "data" / "models" / "SR1" / "SR1.body"

# For each name of the page's tables what it is here, of SR1 in a world with a state of its own.
BODY = {
    "numJoints": lambda it: len(it.model.joints) == 29,
    "joint": lambda it: it.model.joint_by_id(16) is it.model.joints["LLEG_KNEE"],
    "numLinks": lambda it: len(it.model.links) == 30,
    "link": lambda it: it.model.links[0] is it.model.links["WAIST"],
    "rootLink": lambda it: it.model.root.name == "WAIST",
    "numDevices": lambda it: len(it.model.devices) == 7,
    "device": lambda it: it.model.devices[0].name == "WaistAccelSensor",
    "devices": lambda it: len(it.model.devices_of("ForceSensor")) == 2,
    "findDevice": lambda it: it.model.devices["WaistGyro"].kind == "RateGyroSensor",
    "initializeDeviceStates": lambda it: it.robot.reset_sensors() is None and not it.robot.sensors[0].values.any(),
    "isStaticModel": lambda it: it.model.is_static is False,
    "isFixedRootModel": lambda it: it.model.is_fixed is False,
    "mass": lambda it: it.model.mass == pytest.approx(130.8),
    "centerOfMass": lambda it: robot.center_of_mass(it.state).shape == (3,),
    "calcForwardKinematics": lambda it: robot.forward_kinematics(it.state).positions.shape == (30, 3),
    "clearExternalForces": lambda it: it.robot.clear_forces() is None,
    "numExtraJoints": lambda it: len(it.model.extra_joints) == 0,
    "extraJoint": lambda it: it.model.extra_joints[:1] == (),
}
LINK = {
    "parent": lambda it: it.model.parent("LLEG_KNEE").name == "LLEG_HIP_Y",
    "sibling": lambda it: {k.name for k in it.model.children("WAIST")} == {"RLEG_HIP_R", "LLEG_HIP_R", "WAIST_P"},
    "child": lambda it: it.model.children("LLEG_KNEE")[0].name == "LLEG_ANKLE_P",
    "isRoot": lambda it: it.model.root.is_root and not it.knee.is_root,
    "T": lambda it: it.kinematics.rotations[it.knee.index].shape == (3, 3),
    "position": lambda it: it.kinematics.positions[it.knee.index].shape == (3,),
    "p": lambda it: np.allclose(it.kinematics.positions[0], it.state.position),
    "R": lambda it: np.allclose(it.kinematics.rotations[0], np.eye(3)),
    "b": lambda it: it.knee.translation.shape == (3,) and it.knee.rotation.shape == (3, 3),
    "jointId": lambda it: it.knee.joint.id == 16,
    "jointType": lambda it: it.knee.joint.type == "revolute",
    "isFixedJoint": lambda it: it.knee.joint.type != "fixed",
    "isFreeJoint": lambda it: it.model.root.joint.type == "free",
    "isRotationalJoint": lambda it: it.knee.joint.type == "revolute",
    "isSlideJoint": lambda it: it.knee.joint.type != "prismatic",
    "a": lambda it: it.knee.joint.axis.tolist() == [0, 1, 0],
    "jointAxis": lambda it: np.allclose(it.kinematics.axes[it.knee.joint.index], (0, 1, 0)),
    "d": lambda it: it.knee.joint.axis.shape == (3,),
    "q": lambda it: it.state.q.shape == (29,),
    "dq": lambda it: it.state.dq.shape == (29,),
    "ddq": lambda it: it.state.ddq.shape == (29,),
    "u": lambda it: it.state.u.shape == (29,),
    "q_upper": lambda it: it.knee.joint.upper == pytest.approx(np.radians(150)),
    "q_lower": lambda it: it.knee.joint.lower == 0.0,
    "v": lambda it: it.kinematics.linear_velocities.shape == (30, 3),
    "w": lambda it: it.kinematics.angular_velocities.shape == (30, 3),
    "dv": lambda it: it.kinematics.linear_accelerations.shape == (30, 3),
    "dw": lambda it: it.kinematics.angular_accelerations.shape == (30, 3),
    "c": lambda it: it.knee.center_of_mass.shape == (3,),
    "centerOfMass": lambda it: it.knee.center_of_mass.shape == (3,),
    "wc": lambda it: it.kinematics.centers_of_mass.shape == (30, 3),
    "centerOfMassGlobal": lambda it: it.kinematics.centers_of_mass.shape == (30, 3),
    "m": lambda it: it.knee.mass > 0.0,
    "mass": lambda it: it.knee.mass > 0.0,
    "I": lambda it: it.knee.inertia.shape == (3, 3),
    "name": lambda it: it.knee.name == "LLEG_KNEE",
    "shape": lambda it: len(it.knee.visual) > 0 and len(it.knee.collision) > 0,
    "attitude": lambda it: np.allclose(it.kinematics.rotations[0], np.eye(3)),
}


class It:
    def __init__(self):
        self.model = od.load_robot(SR1)
        self.state = self.model.state()
        self.kinematics = robot.forward_kinematics(self.state)
        self.knee = self.model.links["LLEG_KNEE"]
        self.robot = od.Robot(od.World(), self.model)


@pytest.fixture(scope="module")
def it():
    return It()


@pytest.mark.parametrize("name", BODY)
def test_functions_of_body(it, name):
    assert BODY[name](it)


@pytest.mark.parametrize("name", LINK)
def test_functions_of_link(it, name):
    assert LINK[name](it)


def test_the_docs_list_all():
    page = (ROOT / "docs" / "robots.md").read_text(encoding="utf-8")
    table = page.partition("| Choreonoid | here |")[2]
    left = " ".join(line.split(" | ")[0] for line in table.splitlines())
    missing = [name for name in {*BODY, *LINK} if f"`{name}(" not in left and f"`{name}<" not in left]
    assert not missing


def test_forces_that_are_cleared_do_not_act(it):
    it.robot.drive({"LLEG_KNEE": 50.0})
    it.robot.bodies["CHEST"].add_force((100, 0, 0))
    assert it.robot.driven.any()
    it.robot.clear_forces()
    assert not it.robot.driven.any()
    it.robot.world.advance(0.001)
    assert not it.robot.read().dq.any() and not it.robot.read().linear_velocity.any()


def test_sensors_that_are_reset_begin_anew():
    world = od.World(gravity=(0, 0, -9.8))
    falling = od.Robot(world, od.load_robot(SR1))
    shown = falling.sensors["WaistAccelSensor"]
    world.advance(0.01)
    for body in falling.bodies.values():
        body.linear_velocity = (5, 0, 0)
    falling.reset_sensors()
    assert not shown.values.any()
    world.advance(0.001)
    falling.sense(0.001)
    assert shown.values == pytest.approx((0, 0, 0), abs=1e-9)  # in free fall; 5000 m/s² with what was set
