"""The live view of robots: panels, and `opendynamics view` and `run --view` of their files in a real browser."""

import re
import shutil
from contextlib import contextmanager

import numpy as np
import pytest

import opendynamics as od
from opendynamics.robot import Simulator
from tests.robot.project_files import MODELS, unpacked

pytest.importorskip("viser", reason="the live view needs viser")

from opendynamics.viewer.live.panels.robots import readings_of, touched_by, tree_of
from tests.viewer.fake_browser import until
from tests.viewer.showing import panel_of, show
from tests.viewer.test_viewing_commands import start, url_printed_by

PATIENCE = 300.0  # s, for a browser that draws by software on a busy machine


@pytest.fixture(scope="module")
def standing():
    """SR1 after half a second on the ground, its joints held."""
    world = od.World(gravity=(0, 0, -9.81), name="lab")
    world.add_plane()
    model = od.load_robot(MODELS / "SR1/SR1.urdf", fixed_root=False)
    robot = od.Robot(world, model, model.state(position=(0, 0, 0.71)))
    control = od.robot.PDControl(robot, stiffness=8000, damping=100, step=0.002)
    for _ in range(250):
        control.drive(model.state().q)
        world.advance(0.002)
    return robot


def test_the_tree_has_every_link_below_its_parent_with_its_joint(standing):
    lines = tree_of(standing).splitlines()[2:]
    assert len(lines) == len(standing.model.links)
    depths = [len(line) - len(line.replace("\u2003", "")) for line in lines]
    for link in standing.model.links:
        assert depths[link.index] == (0 if link.parent < 0 else depths[link.parent] + 1)
    knee = next(line for line in lines if "LLEG_KNEE" in line)
    shown = float(re.search(r"(-?\d\.\d{3}) rad", knee)[1])
    assert shown == pytest.approx(standing.joints["LLEG_KNEE"].angle, abs=6e-4)


def test_contact_forces_of_the_feet_carry_the_weight(standing):
    table = touched_by(standing)
    forces = [float(force) for force in re.findall(r", (-?\d+\.\d\d) N \|", table)]
    assert len(forces) == 2  # two feet
    assert sum(forces) == pytest.approx(9.81 * standing.model.mass, rel=0.05)


def test_sensors_show_what_they_read_once_they_have():
    sim = Simulator(time_step=0.002)
    robot = sim.add_robot(od.load_robot(MODELS / "SR1/SR1.body"))
    assert "read nothing yet" in readings_of(robot)
    sim.step()
    table = readings_of(robot)
    for sensor in robot.sensors:
        row = next(line for line in table.splitlines() if line.startswith(f"| {sensor.name} |"))
        shown = [float(number) for number in re.findall(r"-?\d+\.\d\d", row.split("|")[2])]
        np.testing.assert_allclose(shown, sensor.values, atol=0.006)


def test_panels_of_a_robot_and_its_joints(standing):
    with show(standing.world, threaded=False) as viewer:
        viewer.sync()
        ((tree, _, touches),) = panel_of(viewer, "robots").tables
        assert "LLEG_KNEE" in tree.content
        assert "contact force" in touches.content
        panel = panel_of(viewer, "joints")
        assert {joint.name for joint in panel.joints} == {joint.name for joint in standing.model.joints}
        knee = next(number for number, joint in enumerate(panel.joints) if joint.name == "LLEG_KNEE")
        assert panel.sliders[knee].value == pytest.approx(panel.joints[knee].angle, abs=0.02)


@pytest.fixture
def browser():
    selenium = pytest.importorskip("tests.viewer.chromium", reason="the browser is driven by selenium")
    if selenium.programs() is None:
        pytest.skip("chromium or chromedriver is not installed")
    chromium = selenium.Chromium(1100, 900)
    yield chromium
    chromium.close()


@contextmanager
def shown(chromium, *words):
    """What a command shows, once it is drawn; nothing may be wrong with the page in the end."""
    process = start(*words, "--no-open")
    try:
        chromium.open(url_printed_by(process))
        until(lambda: "Robot SR1" in chromium.text, PATIENCE)
        chromium.close_notes()
        until(lambda: chromium.picture().std() > 8, PATIENCE)
        yield
        assert chromium.complaints() == []
        assert chromium.hosts() == {"127.0.0.1"}
    finally:
        process.kill()
        process.communicate()


@pytest.mark.slow
@pytest.mark.parametrize("file", ["SR1/SR1.urdf", "SR1/SR1.body"])
def test_view_shows_a_model_with_sliders(browser, file):
    with shown(browser, "view", str(MODELS / file)):
        until(lambda: "LLEG_KNEE, rad" in browser.text, PATIENCE)
        before = browser.steady(browser.picture, 10)
        browser.slide("LLEG_HIP_P, rad", 0.25)
        until(lambda: (abs(browser.picture() - before).max(axis=2) > 40).sum() > 300, PATIENCE)
        assert (
            "Move a slider: a servo" not in browser.text
        )  # those of the model pose it; no servo is offered for the same


@pytest.mark.slow
def test_a_project_runs_in_the_browser(browser, tmp_path):
    projects = unpacked(tmp_path)
    models = projects.parent / "share/model"
    models.unlink()
    for name in ("SR1", "misc"):  # copies: a command reads nothing outside `share`
        shutil.copytree(MODELS / name, models / name)
    with shown(browser, "run", str(projects / "SR1Walk.cnoid"), "--view"):
        first = browser.time
        until(lambda: browser.time > first + 0.5, PATIENCE)
        browser.press_option("Robot SR1")
        until(lambda: "contact force" in browser.text and "reading" in browser.text, PATIENCE)
