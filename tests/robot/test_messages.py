"""Errors of users of robots are reported immediately, with a suggestion."""

import copy
import dataclasses
import pickle
from pathlib import Path

import numpy as np
import pytest

import opendynamics as od
from opendynamics import robot
from tests.robot.models import planar_arm

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def sim():
    sim = robot.Simulator()
    sim.add_robot(planar_arm((1.0, 1.0), (1.0, 1.0), (0.1, 0.1)))
    return sim


NAMES = [
    (lambda sim: sim.robots["arm"].joints["J7"], "no joint is called 'J7'; known names: J0, J1"),
    (lambda sim: sim.robots["arm"].bodies["LO"], "no link with a body is called 'LO'; known names: "),
    (lambda sim: sim.robots["arm"].geoms["L7"], "no link is called 'L7'; known names: "),
    (lambda sim: sim.robots["Arm"], "no robot is called 'Arm'; did you mean 'arm'\\? Known names: arm"),
    (lambda sim: sim.robots["arms"], "no robot is called 'arms'; did you mean 'arm'"),
    (lambda sim: sim.io("leg"), "no robot is called 'leg'; known names: arm"),
    (lambda sim: sim.push("arm", "L7", (1, 0, 0)), "no link is called 'L7'"),
    (lambda sim: sim.robots["arm"].drive({"J7": 1.0}), "no joint is called 'J7'"),
    (lambda sim: sim.robots["arm"].model.state(q={"J7": 1.0}), "no joint is called 'J7'"),
]


@pytest.mark.parametrize(("wrong", "answer"), NAMES)
def test_names_that_are_not_there(sim, wrong, answer):
    with pytest.raises(KeyError, match=answer):
        wrong(sim)


PARTS = [
    (lambda arm: arm.read().qpos, "read state.q"),
    (lambda arm: arm.read().tau, "robot.driven"),
    (lambda arm: arm.model.nv, "len\\(model.joints\\)"),
    (lambda arm: arm.model.joint_names, "model.joints.names"),
    (lambda arm: arm.model.joints[0].limits, ".lower, .upper"),
    (lambda arm: arm.joints["J0"].range, "set joint.stops"),
]


@pytest.mark.parametrize(("wrong", "answer"), PARTS)
def test_names_of_other_engines_for_parts_of_robots(sim, wrong, answer):
    with pytest.raises(AttributeError, match=answer):
        wrong(arm_of(sim))


def test_links_without_contacts(sim):
    with pytest.raises(
        KeyError, match=r"no link 'L1' with contacts in the last step; robot.contacts.get\('L1', \[\]\)"
    ):
        arm_of(sim).contacts["L1"]


def test_settings_of_a_simulator_go_by_name():
    with pytest.raises(TypeError, match=r"Simulator\(time_step=0.002\), not 0.002"):
        robot.Simulator(0.002)


def arm_of(sim):
    return sim.robots["arm"]


KINDS = [
    (lambda sim: robot.forward_kinematics(arm_of(sim)), "a State is needed, such as model.state"),
    (lambda sim: robot.jacobian(arm_of(sim).model, "L1"), "a State is needed"),
    (lambda sim: robot.center_of_mass(arm_of(sim).model), "a State is needed"),
    (lambda sim: robot.center_of_mass_jacobian(arm_of(sim).model), "a State is needed"),
    (lambda sim: robot.mass_matrix(arm_of(sim).model), "a State is needed"),
    (lambda sim: robot.bias_forces(arm_of(sim).model), "a State is needed"),
    (lambda sim: robot.gravity_forces(arm_of(sim)), "a State is needed"),
    (lambda sim: robot.inverse_dynamics(arm_of(sim)), "a State is needed"),
    (lambda sim: robot.forward_dynamics(arm_of(sim)), "a State is needed"),
    (lambda sim: robot.kinetic_energy(arm_of(sim)), "a State is needed"),
    (lambda sim: robot.potential_energy(arm_of(sim)), "a State is needed"),
    (lambda sim: robot.inverse_kinematics(arm_of(sim), robot.Target("L1", (0, 0, 0))), "a State is needed"),
    (lambda sim: robot.inverse_kinematics(arm_of(sim).read(), {"L1": (0, 0, 0)}), r"takes a Target\(link, position"),
    (lambda sim: sim.add_robot("SR1.body"), r"adds a Model, such as od.load_robot\(file\) returns, not 'SR1.body'"),
    (lambda sim: sim.add_robot(arm_of(sim).model, controller=robot.PDControl(arm_of(sim), 1, 1)), "such as HoldPose"),
    (lambda sim: sim.hook(3), "a hook must be a function, not 3"),
    (lambda sim: sim.customize("arm", 3), "a customizer must be a function, not 3"),
    (lambda sim: robot.Simulator(timestep=0.1), "a simulator has no setting 'timestep'; did you mean 'time_step'"),
    (lambda sim: robot.Simulator(colour=1), "no setting 'colour'; SimulatorSettings.help"),
]


@pytest.mark.parametrize(("wrong", "answer"), KINDS)
def test_things_of_another_kind(sim, wrong, answer):
    robots, hooks = list(sim.robots), sim.world.bodies
    with pytest.raises(TypeError, match=answer):
        wrong(sim)
    assert list(sim.robots)[:1] == robots[:1] and sim.world.bodies[: len(hooks)] == hooks
    sim.step()


def test_outputs_that_drive_nothing(sim):
    io = sim.io("arm")
    with pytest.raises(AttributeError, match=r"has no attribute 'q_targets'; did you mean 'q_target'"):
        io.q_targets = np.zeros(2)
    with pytest.raises(AttributeError, match=r"'state' of .* can only be read"):
        io.state = 3


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("q", r"robot.read\(\) returns the state"),
        ("resetJointState", r"robot.place\(model.state"),
        ("ctrl", r"robot.drive\("),
        ("gravity", "robot.world.gravity"),
        ("joint", "did you mean 'joints'"),
    ],
)
def test_attributes_that_robots_do_not_have(sim, name, answer):
    with pytest.raises(AttributeError, match=f"has no attribute '{name}'; .*{answer}"):
        getattr(arm_of(sim), name)
    with pytest.raises(AttributeError, match=f"has no attribute '{name}'; .*{answer}"):
        setattr(arm_of(sim), name, 0.0)


def test_robots_of_derived_classes_have_attributes_of_their_own():
    class Walker(od.Robot):
        pass

    walker = Walker(od.World(), planar_arm((1.0,), (1.0,), (0.1,)))
    walker.phase = 0.5
    assert walker.phase == 0.5


def test_joints_by_name():
    model = planar_arm((1.0, 1.0), (1.0, 1.0), (0.1, 0.1))
    state = model.state(q=(0.1, 0.2))
    state.q = {"J1": 0.7}
    assert state.q.tolist() == [0.1, 0.7] and model.state(q={"J0": 0.5}).q.tolist() == [0.5, 0.0]
    arm = od.Robot(od.World(gravity=(0, 0, 0)), model)
    arm.drive({"J1": 2.0})
    assert arm.driven.tolist() == [0.0, 2.0]


def test_models_do_not_change_and_others_are_made_of_their_links():
    model = planar_arm((1.0, 1.0), (1.0, 1.0), (0.1, 0.1))
    with pytest.raises(AttributeError, match=r"links of arm cannot be set: a Model does not change; make another"):
        model.links = ()
    with pytest.raises(dataclasses.FrozenInstanceError):
        model.links[1].mass = 5.0
    assert copy.deepcopy(model).mass == pickle.loads(pickle.dumps(model)).mass == model.mass
    links = [dataclasses.replace(link, mass=link.mass + 1.5) if link.name == "L1" else link for link in model.links]
    heavier = robot.Model("heavier", links, model.devices, model.extra_joints)
    assert heavier.mass == model.mass + 1.5
    one, other = (od.Robot(od.World(), each).bodies["L1"] for each in (model, heavier))
    assert other.mass == one.mass + 1.5
    # A body of a world may get another mass at any time; the model, and everything derived from it, stays the same.
    one.mass = 4.0
    assert one.mass == 4.0 and model.links["L1"].mass == 1.0


def test_a_urdf_with_negative_damping(tmp_path):
    path = tmp_path / "bad.urdf"
    path.write_text(
        "<robot name='r'><link name='a'/><link name='b'/><joint name='j' type='continuous'><parent link='a'/><child link='b'/>\n"
        "<dynamics damping='-1'/></joint></robot>"
    )
    with pytest.raises(robot.ModelError, match=r"bad.urdf:2: damping of <dynamics> must be at least 0, not -1"):
        robot.load_robot(path)


def test_a_urdf_whose_joint_nothing_can_drive(tmp_path):
    path = tmp_path / "weak.urdf"
    path.write_text(
        "<robot name='r'><link name='a'/><link name='b'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>"
        "</link><joint name='j' type='continuous'><parent link='a'/><child link='b'/>\n"
        "<limit effort='0' velocity='1'/></joint></robot>"
    )
    with pytest.warns(
        robot.ModelWarning, match=r"weak.urdf:2: the joint j has a limit of effort of 0: nothing can drive it"
    ):
        robot.load_robot(path)
