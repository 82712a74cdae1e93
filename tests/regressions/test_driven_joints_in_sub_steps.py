"""Force sensors and `robot.driven` missed the efforts of `drive` in worlds with sub-steps.

A held arm showed no torque at its joint, as only efforts added one sub-step ago were taken for those of the last step.
"""

import numpy as np
import pytest

import opendynamics as od

MASS, ARM, G, H = 2.0, 0.3, 10.0, 0.002


def held_arm(tmp_path, substeps):
    path = tmp_path / "arm.urdf"
    path.write_text(f"""<robot name="arm"><link name="base"/><link name="arm"><inertial><origin xyz="{ARM} 0 0"/>
<mass value="{MASS}"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial></link>
<joint name="j" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/></joint></robot>""")
    loaded = od.load_robot(path)
    sensor = od.robot.Device("ForceSensor", "joint", None, 1, np.zeros(3), np.eye(3))
    world = od.World(gravity=(0, 0, -G))
    world.substeps = substeps
    return od.Robot(world, od.robot.Model("arm", loaded.links, [sensor]))


@pytest.mark.parametrize("substeps", [1, 4])
@pytest.mark.parametrize("integrator", ["energy-momentum", "verlet", "euler"])
def test_a_sensor_shows_what_holds_the_arm(tmp_path, substeps, integrator):
    robot = held_arm(tmp_path, substeps)
    world = robot.world
    world.integrator = integrator
    for _ in range(5):
        hold = -MASS * G * ARM  # about +y, against gravity
        robot.drive([hold])
        world.advance(H)
        robot.sense(H)
        assert robot.driven == pytest.approx(hold)
        assert robot.sensors["joint"].values == pytest.approx((0, 0, -MASS * G, 0, MASS * G * ARM, 0), abs=1e-6)


def test_efforts_act_in_the_next_step_only(tmp_path):
    robot = held_arm(tmp_path, 4)
    robot.drive([1.0])
    robot.world.advance(H, steps=2)
    assert robot.driven == pytest.approx(0.0)
    robot.drive([2.0])
    assert robot.driven == pytest.approx(2.0)
    robot.world.step(H)  # which makes no sub-steps
    assert robot.driven == pytest.approx(2.0)
    robot.world.step(H)
    assert robot.driven == pytest.approx(0.0)


def test_efforts_of_a_restored_world(tmp_path):
    robot = held_arm(tmp_path, 4)
    robot.drive([1.0])
    robot.world.advance(H)
    snapshot = robot.world.save()
    robot.world.advance(H)
    robot.world.restore(snapshot)
    assert robot.driven == pytest.approx(1.0)
    robot.world.advance(H)
    assert robot.driven == pytest.approx(0.0)
