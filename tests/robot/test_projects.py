"""Choreonoid's sample projects: they run, serve their purpose, and are written back completely."""

import math
import warnings
from pathlib import Path

import numpy as np
import pytest

import opendynamics as od
from opendynamics import robot
from opendynamics.robot.projects.archive import same
from opendynamics.robot.reading.yaml_tree import parse_yaml
from tests.robot.project_files import MODELS, load, unpacked

pytestmark = pytest.mark.filterwarnings("ignore::opendynamics.robot.ModelWarning")

ALL = (
    "ClosedLinkSample", "CustomizedSpringModel", "SR1Walk", "SR1Walk2D", "SampleCrawler", "extra/Ball", "extra/Blocks",
    "extra/ControlledSpringModel", "extra/ConveyorSample", "extra/FallingBoxes", "extra/FallingBoxesOneModel",
    "extra/SR1Liftup", "extra/SR1LiftupOneModel", "legacy/ClosedLinkSample-v1.5", "legacy/SR1Walk-2017",
)  # fmt: skip
MODES = ("iterative", "exact")
G = 9.80665


@pytest.fixture(scope="module")
def projects(tmp_path_factory):
    return unpacked(tmp_path_factory.mktemp("choreonoid"))


def tree(text, file="again.cnoid"):
    return parse_yaml(text, Path(file), robot.Limits())


# -- reading and writing -----------------------------------------------------------------------------------------------


def test_all_projects_are_known(projects):
    assert sorted(str(path.relative_to(projects))[:-6] for path in projects.rglob("*.cnoid")) == sorted(ALL)


@pytest.mark.parametrize("name", ALL)
def test_projects_are_written_back_untouched(projects, name):
    project = load(projects, f"{name}.cnoid")
    again = tree(project.text())
    assert same(project.root, again) and same(tree((projects / f"{name}.cnoid").read_text()), again)
    assert not same(project.root, tree(project.text().replace("World", "Wurld")))


def test_odd_texts_are_written_back():
    text = """
optional_plugins: []
"a: b": { "x, y": "- #", z: }
WAIST: 1
waist: 2
UseWorldItem'sCollisionDetector: false
quoted: "yes"
plain: Iterative (quick step)
list: [ "a, b", 1.0e-10, 'it''s', "" ]
deep: [ [ 1, 2 ], { a: { b: [] } } ]
block: |
  two
  lines
shared: &s { a: 1 }
again: *s
"""
    from opendynamics.robot.projects.archive import written

    root = tree(text)
    assert same(root, tree(written(root))) and "&a1" in written(root) and '"yes"' in written(root)


def test_a_bomb_of_aliases_stays_small():
    from opendynamics.robot.projects.archive import written

    lines = ["a0: &a0 [ x, x ]"] + [f"a{k}: &a{k} [ *a{k - 1}, *a{k - 1} ]" for k in range(1, 40)]
    root = tree("\n".join(lines))
    assert len(written(root)) < 4000 and same(root, tree(written(root)))


def test_settings_and_starts_are_stored_and_restored(projects, tmp_path):
    project = load(projects, "legacy/SR1Walk-2017.cnoid")
    item = project.simulator_item()
    changed = item.settings.changed(friction=0.75, step_mode="exact", time_step=0.004)
    item.settings = changed
    (body,) = (one for one in project.items("BodyItem") if one.name == "SR1")
    state = body.start(body.model())
    assert state.q[1] == pytest.approx(-0.036652)
    state.position, state.q[1] = (1, 2, 3), 0.25
    state.quaternion = (math.cos(0.3), 0, math.sin(0.3), 0)
    body.restart(state)
    project.write(tmp_path / "new.cnoid")
    again = robot.load_project(tmp_path / "new.cnoid", roots=[MODELS], variables={"SHARE": projects.parent / "share"})
    assert again.simulator_item().settings == changed
    (body,) = (one for one in again.items("BodyItem") if one.name == "SR1")
    found = body.start(body.model())
    assert np.allclose(found.q, state.q, atol=1e-15) and np.allclose(found.quaternion, state.quaternion, atol=1e-15)
    assert found.position.tolist() == [1, 2, 3]
    # All other items are unchanged.
    for name in ("AISTSimulator", "AgXSimulator-Velocity", "SR1WalkController"):
        one, other = (next(item for item in p.items() if item.name == name) for p in (project, again))
        assert same(one.node, other.node)
    assert same(project.root.node("views"), again.root.node("views"))


def test_legacy_and_current_projects_agree(projects):
    sims = [load(projects, f"{name}.cnoid").build() for name in ("SR1Walk", "legacy/SR1Walk-2017")]
    states = [sim.robots["SR1"].read() for sim in sims]
    assert (
        np.allclose(states[0].q, states[1].q, atol=1e-5) and states[0].position.tolist() == states[1].position.tolist()
    )
    assert [sim.h for sim in sims] == [0.002, 0.002]
    assert sims[1].settings.max_correcting_velocity == 1e-3 and sims[1].settings.is_active_control_time_range_mode


def test_what_is_wrong_is_located(projects, tmp_path):
    text = (projects / "extra/Ball.cnoid").read_text()
    for old, new, message in (
        ("items:", "itemz:", r"bad.cnoid:1: this is no project: it has no items"),
        ("ball.body", "gone.body", r"bad.cnoid:28: there is no file '\$\{SHARE\}/model/misc/gone.body'"),
        ("${SHARE}/model/misc/ball", "../../../../../../etc/passwd", r"bad.cnoid:28: .*passwd"),
        ("${SHARE}", "${NOWHERE}", r"bad.cnoid:\d+: \$\{NOWHERE\} is unknown"),
        ("initial_root_rotation: [ 1, 0, 0, 0 ]", "initial_root_rotation: [ 0, 0, 0, 1 ]", "axis of a rotation must not be zero"),
        ("initial_root_translation: [ 0, 0, 1 ]", "initial_root_translation: [ 0, 0, high ]", r"bad.cnoid:\d+: .*numbers"),
        ("recording: tail", "time_step: -1", "time_step of a simulator must be above 0"),
        ("class: ODESimulatorItem", "class: [", "this is not YAML"),
    ):  # fmt: skip
        path = tmp_path / "bad.cnoid"
        assert old in text
        path.write_text(text.replace(old, new))
        with pytest.raises(robot.ModelError, match=message):
            robot.load_project(path, roots=[MODELS], variables={"SHARE": projects.parent / "share"}).build()
    with pytest.raises(ValueError, match="no simulator 'Fast'; there are AISTSimulator"):
        load(projects, "extra/Ball.cnoid").build("Fast")


def test_unknown_controllers_and_given_ones(projects):
    calls = []
    text = (projects / "extra" / "SR1Liftup.cnoid").read_text()
    (projects / "extra" / "Mine.cnoid").write_text(text.replace("SR1LiftupController", "MyController"))
    with pytest.warns(robot.ModelWarning, match="there is no controller 'MyController' here"):
        load(projects, "extra/Mine.cnoid").build()
    sim = load(projects, "extra/Mine.cnoid").build(controllers={"MyController": lambda: calls.append})
    sim.step()
    assert calls == [sim.io("SR1")] and sim.io("SR1").delayed


def test_frames_that_do_not_fit_the_steps(projects, tmp_path):
    """A walking pattern is interpolated, with a remark; a BodyMotionController goes frame by frame, and refuses."""
    share = {"SHARE": projects.parent / "share"}
    text = (projects / "SR1Walk.cnoid").read_text()
    path = tmp_path / "walk.cnoid"
    path.write_text(text)
    with pytest.warns(
        robot.ModelWarning, match=r"walk.cnoid:\d+: the pattern of .* 500 frames a second, .* 1000 steps"
    ):
        robot.load_project(path, roots=[MODELS], variables=share).build(time_step=0.001)
    motion = "{ id: 90, name: M, plugin: Body, class: BodyMotionItem, data: { file: '${SHARE}/motion/SR1/SR1WalkPattern1.seq' } }"
    assert "class: SimpleControllerItem" in text
    path.write_text(
        text.replace(
            "class: SimpleControllerItem", f"class: BodyMotionControllerItem\n__children: [ {motion} ]", 1
        ).replace("__children", " " * indent_of(text, "class: SimpleControllerItem") + "children")
    )
    project = robot.load_project(path, roots=[MODELS], variables=share)
    with pytest.raises(
        robot.ModelError, match=r"walk.cnoid:\d+: the motion 'M' has 500 frames a second, .* 1000 steps"
    ):
        project.build(time_step=0.001)
    sim = project.build()
    sim.step()
    assert sim.io("SR1").actuation("LLEG_KNEE") == "displacement"


def indent_of(text, words):
    """How far the line with some words is indented."""
    line = next(line for line in text.splitlines() if words in line)
    return len(line) - len(line.lstrip())


# -- running -----------------------------------------------------------------------------------------------------------


def walked(projects, name, **options):
    sim = load(projects, f"{name}.cnoid").build(**options)
    walker = next(iter(sim.robots.values()))
    lowest = math.inf

    def look(sim):
        nonlocal lowest
        lowest = min(lowest, float(sim.world.bodies[0].position[2]))

    sim.hook(look, "after")
    sim.run()
    return sim, walker, lowest


@pytest.mark.slow
def test_sr1_walks_to_the_end(projects):
    """Both step modes walk the 13.4 s upright and arrive at the same place."""
    ends = []
    for mode in MODES:
        sim, walker, lowest = walked(projects, "SR1Walk", step_mode=mode)
        state = walker.read()
        assert sim.time == pytest.approx(13.402) and sim.finished and lowest > 0.6
        assert state.quaternion[0] > 0.999 and 0.3 < state.position[0] < 0.6
        soles = sum(walker.sensors[name].force for name in ("LeftAnkleForceSensor", "RightAnkleForceSensor"))
        assert soles[2] == pytest.approx((walker.model.mass - 2 * walker.model.links["LLEG_ANKLE_R"].mass) * G, rel=0.2)
        ends.append(state.position.copy())
    assert np.allclose(*ends, atol=0.02)


@pytest.mark.slow
def test_sr1_walks_in_two_dimensions(projects):
    sim, walker, lowest = walked(projects, "SR1Walk2D")
    state = walker.read()
    assert lowest > 0.6 and state.position[1] == 0.0 and state.position[0] > 0.3 and sim.finished


def test_sr1_walks_its_first_steps(projects):
    sim = load(projects, "SR1Walk.cnoid").build()
    sim.run(1.0)
    state = sim.robots["SR1"].read()
    assert 0.6 < state.position[2] < 0.72 and state.quaternion[0] > 0.999
    following = sim.controllers[0].following.motion.at(sim.robots["SR1"].model, 0.998)[0]
    assert abs(state.q - following).max() < 0.05


def test_springs_sag_by_their_load(projects):
    """m g / kp = 0.049 m, by a customizer that acts however the joint is driven, and by a controller."""
    for name in ("CustomizedSpringModel", "extra/ControlledSpringModel"):
        sim = load(projects, f"{name}.cnoid").build(time_step=0.005)
        sim.run(28.0)
        state = next(iter(sim.robots.values())).read()
        assert state.q[0] == pytest.approx(-10 * G / 2000, abs=2e-4)


@pytest.mark.parametrize("mode", MODES)
def test_a_ball_rebounds_to_its_restitution_squared(projects, mode):
    sim = load(projects, "extra/Ball.cnoid").build(step_mode=mode)
    ball, heights = sim.robots["Ball"], []
    for _ in range(900):
        sim.step()
        heights.append(ball.read().position[2] - 0.1)
    first = next(k for k in range(899) if heights[k + 1] > heights[k])
    assert max(heights[first:]) / 0.9 == pytest.approx(0.64, abs=0.01)


def test_a_conveyor_carries_goods_along_its_axis(projects):
    sim = load(projects, "extra/ConveyorSample.cnoid").build()
    sim.run(1.5)
    state = sim.robots["Ellipsoid1"].read()
    assert state.linear_velocity[0] == pytest.approx(-1.0, abs=0.02) and state.position[0] < 1.0


def test_the_crawler_follows_its_program(projects):
    sim = load(projects, "SampleCrawler.cnoid").build(time_step=0.002)
    crawler = sim.robots["Crawler"]
    sim.run(1.0)
    assert crawler.read().linear_velocity[0] > 0.5 and crawler.read().position[0] > -0.5


def test_the_crawler_turns_to_the_right_and_back_to_the_left(projects):
    sim = load(projects, "SampleCrawler.cnoid").build(time_step=0.002)
    crawler = sim.robots["Crawler"]

    rates = []
    sim.hook(lambda sim: rates.append(float(crawler.read().angular_velocity[2])), "after")
    sim.run(6.0)
    turning = np.reshape(rates, (6, 500)).mean(axis=1)  # in each second
    assert turning[2] < -1.0 and turning[5] > 1.0
    assert abs(turning[:2]).max() < 0.1


@pytest.mark.slow
def test_sr1_lifts_a_box_and_lets_go(projects):
    sim = load(projects, "extra/SR1Liftup.cnoid").build()
    sr1, box = sim.robots["SR1"], sim.robots["box2"]
    phases, heights = [], []

    def look(sim):
        phases.append(sr1_controller.phase)
        heights.append(float(box.read().position[2]))

    (sr1_controller,) = sim.controllers
    sim.hook(look, "after")
    sim.run(13.0)
    assert list(dict.fromkeys(phases)) == ["bend", "close", "lift", "throw", "rest"]
    assert max(heights) > 1.0 and heights[-1] == pytest.approx(0.15, abs=0.01)
    assert sr1.read().position[2] > 0.6  # still standing


def test_closed_links_stay_closed(projects):
    for name, type in (("ClosedLinkSample", "hinge"), ("legacy/ClosedLinkSample-v1.5", "hinge")):
        project = load(projects, f"{name}.cnoid")
        sim = project.build()
        machine = sim.robots["ClosedLinkSample"]
        (extra,) = machine.model.extra_joints
        assert extra.type == type
        sim.run(1.0)
        assert abs(machine.read().dq).max() > 0.1  # it swings
        assert gap_of(machine, extra) < 1e-4


def gap_of(machine, extra):
    kinematics = robot.forward_kinematics(machine.read())
    ends = [kinematics.point(extra.link1, extra.point1), kinematics.point(extra.link2, extra.point2)]
    axis = kinematics.rotations[extra.link1] @ extra.axis
    return np.linalg.norm(np.cross(ends[0] - ends[1], axis))


def test_the_piston_of_the_older_model(projects, tmp_path):
    """v1.5's project names a `.wrl`, whose extra joint is a piston."""
    share = tmp_path / "share"
    (share / "model/misc").mkdir(parents=True)
    old = MODELS / "legacy/ClosedLinkSample.wrl"
    (share / "model/misc/ClosedLinkSample.wrl").write_bytes(old.read_bytes())
    project = robot.load_project(projects / "legacy/ClosedLinkSample-v1.5.cnoid", variables={"SHARE": share})
    sim = project.build()
    machine = sim.robots["ClosedLinkSample"]
    (extra,) = machine.model.extra_joints
    sim.run(1.0)
    assert extra.type == "piston" and isinstance(machine.extra_joints[0], od.Piston)
    assert abs(machine.read().dq).max() > 0.1 and gap_of(machine, extra) < 1e-4


def test_boxes_fall_and_come_to_rest(projects):
    for name, count in (("extra/FallingBoxes", 4), ("extra/FallingBoxesOneModel", 5)):
        sim = load(projects, f"{name}.cnoid").build(time_step=0.004)
        sim.run()
        assert sim.time == pytest.approx(5.0)
        speeds = np.linalg.norm(sim.world.linear_velocities, axis=1)
        assert len(sim.world.bodies) == count and speeds.max() < 0.05
        heights = [body.position[2] for body in sim.world.bodies if not body.kinematic]
        assert min(heights) > 0.05 and max(heights) < 1.2


def test_blocks_stand(projects):
    sim = load(projects, "extra/Blocks.cnoid").build(time_step=0.004)
    before = sim.world.positions.copy()
    sim.run(1.5)
    moved = sim.world.positions - before
    assert len(sim.world.bodies) == 21 and abs(moved[:, :2]).max() < 0.01
    # The topmost falls onto the others.
    assert abs(moved[:20, 2]).max() < 1e-3 and moved[20, 2] == pytest.approx(-0.35, abs=1e-3)


def test_projects_without_a_controller_item_of_its_own(projects):
    """Options for all controllers: the pattern for displacements is another file, which is missing here."""
    with warnings.catch_warnings(), pytest.raises(robot.ModelError, match=r"SR1WalkPattern2\.seq"):
        warnings.simplefilter("ignore")
        load(projects, "SR1Walk.cnoid").build("AISTSimulator-HighGain")
