"""A URDF file whose root link has the name of a joint was refused, as having two joints of that name.

Links and joints of URDF have names of their own. Two joints of one name were accepted if the second was fixed.
"""

import numpy as np
import pytest

import opendynamics as od

LINK = """<link name="{}"><inertial><mass value="1"/>
<inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial></link>"""
JOINT = """<joint name="{}" type="{}"><parent link="{}"/><child link="{}"/><origin xyz="1 0 0"/><axis xyz="0 1 0"/>
<limit lower="-1" upper="1" effort="10" velocity="1"/></joint>"""


def load(tmp_path, *elements):
    path = tmp_path / "arm.urdf"
    path.write_text("<robot name='arm'>" + "\n".join(elements) + "</robot>")
    return od.load_robot(path)


def two_links(tmp_path):
    return load(tmp_path, LINK.format("arm"), LINK.format("hand"), JOINT.format("arm", "revolute", "arm", "hand"))


def test_a_joint_may_have_the_name_of_the_root(tmp_path):
    model = two_links(tmp_path)
    assert [joint.name for joint in model.joints] == ["arm"]
    robot = od.Robot(od.World(), model, model.state(q=[0.5]))
    assert robot.joints["arm"].angle == pytest.approx(0.5)


def test_a_force_sensor_on_the_root_is_not_of_that_joint(tmp_path):
    model = two_links(tmp_path)
    devices = [od.robot.Device("ForceSensor", f"sensor {k}", None, k, np.zeros(3), np.eye(3)) for k in range(2)]
    world = od.World(gravity=(0, 0, -10))
    robot = od.Robot(world, od.robot.Model("arm", model.links, devices))
    world.advance(0.001)
    robot.sense(0.001)
    assert robot.sensors["sensor 0"].force == pytest.approx(0.0)
    assert robot.sensors["sensor 1"].force == pytest.approx((0, 0, -10))


@pytest.mark.parametrize("types", [("fixed", "revolute"), ("revolute", "fixed")])
def test_two_joints_of_one_name_are_refused_in_any_order(tmp_path, types):
    joints = [JOINT.format("j", kind, "a", child) for kind, child in zip(types, "bc", strict=True)]
    with pytest.raises(od.robot.ModelError, match=r"arm.urdf:\d+: there are two joints called 'j'; the first is at"):
        load(tmp_path, *map(LINK.format, "abc"), *joints)
