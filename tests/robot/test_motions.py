"""Motions of `.seq` files, and robots that follow them by PD control."""

import lzma
from pathlib import Path

import numpy as np
import pytest

import opendynamics as od
from opendynamics import robot
from tests.robot.models import planar_arm

DATA = Path(__file__).parents[1] / "data"
SMALL = """
type: CompositeSeq
content: BodyMotion
formatVersion: 2
frameRate: 10
components:
  - { type: MultiValueSeq, content: JointDisplacement, numParts: 2, frames: [[0, 1], [1, 1], [3, 1]] }
  - { type: MultiSE3Seq, content: LinkPosition, numParts: 1, SE3Format: XYZRPY, frames: [[[1, 2, 3, 0.1, 0.2, 0.3]]] }
  - { type: Vector3Seq, content: ZMP, frames: [[1, 0, 0], [2, 0, 0], [3, 0, 0]] }
"""


def load(tmp_path, text, **options):
    path = tmp_path / "motion.seq"
    path.write_text(text)
    return robot.load_motion(path, **options)


@pytest.fixture(scope="module")
def sr1():
    return od.load_robot(DATA / "models/SR1/SR1.body")


def test_components(tmp_path):
    motion = load(tmp_path, SMALL, strict=True)
    assert motion.frame_rate == 10 and motion.seconds == pytest.approx(0.2)
    assert np.array_equal(motion.displacements, [[0, 1], [1, 1], [3, 1]]) and motion.zmp[2, 0] == 3
    turns = [od.rotation.quaternion_from_axis_angle(np.eye(3)[k], 0.1 * (k + 1)) for k in range(3)]
    expected = od.rotation.multiply(turns[2], od.rotation.multiply(turns[1], turns[0]))
    assert np.allclose(motion.links[0, 0], [1, 2, 3, *expected])


def test_version_1(tmp_path):
    part = "{ type: MultiValueSeq, content: JointPosition, frameRate: 5, numParts: 1, frames: [[1]] }"
    text = f"type: BodyMotion\ncomponents: [{part}]\n"
    assert load(tmp_path, text).displacements.shape == (1, 1)


def test_between_frames_and_beyond(tmp_path, sr1):
    motion = load(tmp_path, SMALL)
    joint = sr1.joint_by_id(0).index
    for time, q, dq in ((0.05, 0.5, 10), (0.15, 2, 20), (0.0, 0, 10), (-1.0, 0, 0), (9.0, 3, 0)):
        found = motion.at(sr1, time)
        assert (found[0][joint], found[1][joint]) == pytest.approx((q, dq))
    assert found[0][sr1.joint_by_id(5).index] == 0.0


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("CompositeSeq", "Song", r"motion.seq:1: this is no motion"),
        ("[1, 1], ", "[1], ", r"motion.seq:7: a frame must have 2 numbers, not 1"),
        ("[1, 1], ", "[1, x], ", r"motion.seq:7: frames must be numbers, not 'x'"),
        ("JointDisplacement", "Voltage", "the motion has no displacements"),
        ("frameRate: 10", "frameRate: 0", "frameRate must be greater than 0"),
        ("frameRate: 10", "", "there is no frame rate"),
        ("XYZRPY", "XYZ", "the SE3 format 'XYZ' is unknown"),
    ],
)
def test_bad_motions(tmp_path, old, new, reason):
    with pytest.raises(robot.ModelError, match=reason):
        load(tmp_path, SMALL.replace(old, new))


def test_gains(sr1):
    machine = od.Robot(od.World(), sr1)
    control = robot.PDControl(machine, {"LLEG_KNEE": 5.0}, 2.0)
    knee = sr1.joints["LLEG_KNEE"].index
    assert control.stiffness[knee] == 5 and control.stiffness.sum() == 5 and (control.damping == 2).all()
    control.drive(np.ones(29))
    assert machine.driven[knee] == pytest.approx(5.0) and np.count_nonzero(machine.driven) == 1
    with pytest.raises(ValueError, match="at least 0"):
        robot.PDControl(machine, -1.0, 0.0)
    with pytest.raises(ValueError, match="one number or 29"):
        robot.PDControl(machine, (1.0, 2.0), 0.0)
    with pytest.raises(ValueError, match="needs 29 displacements"):
        control.drive((1.0,))


@pytest.mark.parametrize("step", [None, 0.002])
def test_targets_by_name_drive_these_joints_alone(sr1, step):
    machine = od.Robot(od.World(), sr1)
    control = robot.PDControl(machine, 100.0, 2.0, step=step)
    knee, state = sr1.joints["LLEG_KNEE"].index, machine.read()
    efforts = control.efforts(state, {"LLEG_KNEE": 0.5}, {"LLEG_KNEE": 1.0})
    alone = robot.PDControl(machine, {"LLEG_KNEE": 100.0}, {"LLEG_KNEE": 2.0}, step=step)
    wanted, rates = sr1.vector({"LLEG_KNEE": 0.5}), sr1.vector({"LLEG_KNEE": 1.0})
    assert np.array_equal(efforts, alone.efforts(state, wanted, rates)) and np.flatnonzero(efforts).tolist() == [knee]
    assert np.array_equal(control.efforts(state, np.ones(29), {}), control.efforts(state, np.ones(29)))
    with pytest.raises(KeyError, match="no joint is called 'KNEE'"):
        control.drive({"KNEE": 0.5})


@pytest.mark.parametrize("implicit", [True, False])
def test_gains_beyond_what_a_step_can_follow(sr1, implicit):
    """Explicit efforts shake a joint where h kd exceeds twice its inertia; those of the step's end hold it."""
    h = 0.002
    machine = od.Robot(od.World(gravity=(0, 0, -9.81)), sr1, joint_limits=False)  # the pose is beyond some
    control = robot.PDControl(machine, 1e5, 1e3, step=h if implicit else None)
    pose = machine.read().q + 0.1
    for _ in range(150):
        control.drive(pose)
        machine.world.advance(h)
    assert (abs(machine.read().q - pose).max() < 1e-3) == implicit


def test_a_robot_without_joints_has_no_efforts(tmp_path):
    path = tmp_path / "stone.urdf"
    inertial = '<mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
    path.write_text(f'<robot name="stone"><link name="stone"><inertial>{inertial}</inertial></link></robot>')
    stone = od.Robot(od.World(), od.load_robot(path, fixed_root=False))
    assert robot.PDControl(stone, 1.0, 1.0, step=0.01).efforts(stone.read(), []).shape == (0,)


ROTOR = """
<robot name="rotor">
<link name="base"/>
<link name="wheel">
  <inertial><mass value="2"/><inertia ixx="0.02" iyy="0.05" izz="0.06" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="axle" type="revolute"><parent link="base"/><child link="wheel"/><axis xyz="0 1 0"/>
  <limit lower="-3" upper="3" effort="5" velocity="10"/></joint>
</robot>
"""


def held(tmp_path, integrator, h, pose, gain, steps):
    """Displacements and velocities after every step of a wheel that is driven to a displacement."""
    path = tmp_path / "rotor.urdf"
    path.write_text(ROTOR)
    world = od.World()
    world.integrator = integrator
    machine = od.Robot(world, od.load_robot(path))
    control = robot.PDControl(machine, 0.5 * gain / h, gain, step=h)
    states = []
    for _ in range(steps):
        control.drive([pose])
        world.advance(h)
        now = machine.read()
        states.append((now.q[0], now.dq[0]))
    return np.array(states).T


@pytest.mark.parametrize("h", [0.002, 0.001])
@pytest.mark.parametrize("gain", [1e2, 1e4])
def test_high_gains_hold_with_any_integrator(tmp_path, gain, h):
    """Also if efforts are limited, to 5 N m here. Verlet's middle, q + h dq/2, takes the others' steps of q."""
    pose = 0.3 * (h / 0.002) ** 2  # always as many steps away
    others = held(tmp_path, "energy-momentum", h, pose, gain, 400)
    q, dq = held(tmp_path, "verlet", h, pose, gain, 400)
    assert abs(dq).max() > 2.0
    assert dq == pytest.approx(others[1], abs=1e-9)
    assert q + 0.5 * h * dq == pytest.approx(others[0], abs=1e-9)
    for rest in (q - pose, dq):
        assert abs(rest[-50:]).max() < 1e-6


@pytest.mark.slow
@pytest.mark.parametrize("solver", ["exact", "pgs"])
def test_sr1_walks_to_the_end(tmp_path, sr1, solver):
    """13.4 s of the walk pattern by PD control, as SR1WalkPatternController has it, without falling."""
    path = tmp_path / "SR1WalkPattern1.seq"
    path.write_bytes(lzma.decompress((DATA / "motions/SR1WalkPattern1.seq.xz").read_bytes()))
    motion = robot.load_motion(path, strict=True)
    assert motion.displacements.shape == (6701, 29) and motion.seconds == pytest.approx(13.4)
    world = od.World(gravity=(0, 0, -9.80665), solver=solver, erp=0.4)
    od.Robot(world, od.load_robot(DATA / "models/misc/floor.body"))
    state = sr1.state()
    state.q = motion.displacements[0]
    machine = od.Robot(world, sr1, state)
    arms = [joint.name for joint in sr1.joints if "ARM" in joint.name]
    control = robot.PDControl(machine, 8000.0 - 5000.0 * sr1.vector(dict.fromkeys(arms, 1.0)), 100.0)
    h = 0.002
    for step in range(6700):
        control.drive(*motion.at(sr1, step * h))
        world.advance(h)
        if step % 500 == 0:
            now = machine.read()
            assert now.position[2] > 0.65 and od.rotation.matrix_from_quaternion(now.quaternion)[2, 2] > 0.98
    end = machine.read()
    assert end.position == pytest.approx((0.445, 0, 0.708), abs=0.02)
    assert abs(end.q - motion.displacements[-1]).max() < 0.02


@pytest.mark.parametrize("integrator", ["energy-momentum", "verlet"])
@pytest.mark.parametrize("rotors", [False, True])
@pytest.mark.parametrize("gain", [2e2, 2e3])
def test_high_gains_hold_a_joint_with_a_rotor(gain, rotors, integrator):
    """Also where the world leaves out the rotor, whose inertia exceeds that of the link."""
    world = od.World(gravity=(0, 0, -9.81))
    world.integrator = integrator
    h, model = 0.002, planar_arm((1.0, 0.5), (1.0, 0.5), (0.1, 0.02), rotors=(20.0, 5.0))
    machine = od.Robot(world, model, rotors=rotors)
    control = robot.PDControl(machine, gain / h, gain, step=h)
    for _ in range(3000):
        control.drive((0.3, -0.5))
        world.advance(h)
    now = machine.read()
    assert abs(now.dq).max() < 1e-6
    assert now.q == pytest.approx((0.3, -0.5), abs=1e-3)
