"""Two calls of `robot.drive` before a step, as of PD control and gravity compensation, had twice the effort limit of a joint.

Each call was clamped by itself, so that neither the joint nor `robot.driven` was within the limits.
"""

import numpy as np
import pytest

import opendynamics as od

INERTIA, LIMIT, H = 0.5, 10.0, 0.001


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "wheel.urdf"
    path.write_text(f"""<robot name="wheel"><link name="base"/><link name="wheel"><inertial><mass value="1"/>
<inertia ixx="{INERTIA}" ixy="0" ixz="0" iyy="{INERTIA}" iyz="0" izz="{INERTIA}"/></inertial></link>
<joint name="j" type="continuous"><parent link="base"/><child link="wheel"/><axis xyz="0 0 1"/>
<limit effort="{LIMIT}" velocity="100"/></joint></robot>""")
    return od.load_robot(path)


def array_of(robot):
    return od.robot.RobotArray([robot])


@pytest.mark.parametrize("face", [lambda robot: robot, array_of])
@pytest.mark.parametrize(
    ("calls", "total"), [((8, 8), LIMIT), ((-8, -8), -LIMIT), ((30, -30), 0), ((30, -15, -7), 8), ((20, 5, -4), LIMIT)]
)
def test_calls_before_a_step_are_together_within_the_limits(model, face, calls, total):
    robot = od.Robot(od.World(), model)
    for effort in calls:
        face(robot).drive([effort])
    robot.world.advance(H)
    assert robot.driven == pytest.approx(total)
    assert robot.read().dq == pytest.approx(total * H / INERTIA)


def test_each_step_has_the_whole_limit(model):
    robot = od.Robot(od.World(), model)
    for k in range(1, 4):
        robot.drive([8.0])
        if k == 2:
            robot.clear_forces()
        snapshot = robot.world.save()
        robot.world.restore(snapshot)
        robot.drive([8.0])
        robot.world.advance(H)
        assert robot.driven == pytest.approx(8.0 if k == 2 else LIMIT)


def test_passive_efforts_leave_the_motor_its_limit(model):
    sim = od.robot.Simulator(time_step=H, step_mode="exact")
    robot = sim.add_robot(model, controller=lambda io: setattr(io, "u", np.array([8.0])))
    sim.customize(robot, lambda robot, state, h: [7.0])
    sim.step()
    assert robot.driven == pytest.approx(15.0)
