"""`opendynamics run`, `view` and `render` with projects and models."""

import json

import numpy as np
import pytest

import opendynamics as od
from opendynamics.cli.errors import UserError
from opendynamics.cli.sources import opened
from opendynamics.scenes import Scene
from tests.robot.project_files import MODELS, unpacked
from tests.unit.command_line import ask, refused


@pytest.fixture(scope="module")
def projects(tmp_path_factory):
    """Projects next to copies of the few models that they name: a command reads nothing outside `share`."""
    folder = unpacked(tmp_path_factory.mktemp("choreonoid"))
    model = folder.parent / "share/model"
    model.unlink()
    (model / "misc").mkdir(parents=True)
    for name in ("ball", "floor", "CustomizedSpringModel", "box1"):
        (model / f"misc/{name}.body").write_bytes((MODELS / f"misc/{name}.body").read_bytes())
    return folder


def test_run_a_project(capsys, projects, tmp_path):
    path = tmp_path / "ball.odr"
    status, out, err = ask(capsys, "run", projects / "extra/Ball.cnoid", "--seconds", 0.3, "--record", path, "--json")
    found = json.loads(out)
    assert status == 0 and found["scene"] == "Ball" and found["steps"] == 300 and found["bodies"] == 1, err
    with od.Recording(path) as recording:
        assert recording.channels["time"][-1] == pytest.approx(0.3)


def test_run_a_project_to_its_end_with_other_settings(capsys, projects, tmp_path):
    project = projects / "CustomizedSpringModel.cnoid"
    words = ("--set", "step_mode=exact", "time_step=0.01", "time_range_mode=specified", "time_length=0.5")
    path = tmp_path / "spring.odr"
    status, out, _ = ask(capsys, "run", project, *words, "--record", path, "--json")
    found = json.loads(out)
    assert status == 0 and found["steps"] == 50 and found["h"] == 0.01
    with od.Recording(path) as recording:
        assert recording.channels["CustomizedSpringModel.q"].shape == (51, 1)
    assert "nothing can be" not in out


def test_scenes_end_with_their_controllers(projects):
    with opened(str(projects / "CustomizedSpringModel.cnoid"), ["time_step=0.01"]) as source:
        scene = source.scene
        assert scene.h == 0.01 and scene.control is not None and scene.finished is not None and not scene.finished()
        steps = []
        ending = Scene(scene.world, h=0.01, control=steps.append, finished=lambda: len(steps) == 3)
        assert list(ending.play(5)) == [1, 2, 3]


def test_wrong_projects_are_explained(capsys, projects, tmp_path):
    for words, message in (
        (("extra/Ball.cnoid", "--set", "time_step=-1"), "time_step of the simulator settings must be above 0"),
        (("extra/Ball.cnoid", "--set", "speed=1"), "has no setting 'speed'"),
        (("extra/Ball.cnoid", "--set", "simulator=Fast"), "no simulator 'Fast'"),
        (("SR1Walk.cnoid",), "there is no file"),
    ):
        assert message in refused(capsys, "run", projects / words[0], *words[1:])
    (tmp_path / "bad.body").write_text("format: ChoreonoidBody\nlinks: [ { name: A, joint_type: spring } ]\n")
    with pytest.raises(UserError, match=r"bad.body:2: unknown joint type 'spring'"), opened(str(tmp_path / "bad.body")):
        pass


@pytest.mark.parametrize("file", ["SR1/SR1.body", "SR1/SR1.urdf", "legacy/ClosedLinkSample.wrl", "misc/floor.body"])
@pytest.mark.filterwarnings("ignore::opendynamics.robot.ModelWarning")
def test_a_model_stands_alone_and_has_sliders(file):
    with opened(str(MODELS / file)) as source:
        scene = source.scene
        joints = {"SR1": 29, "ClosedLinkSample": 3, "floor": 0}[source.name]
        assert len(scene.sliders) == joints and " link" in scene.note
        size = np.linalg.norm(np.subtract(scene.camera, scene.target))
        assert 0.3 < size < 40
        before = scene.world.positions.copy()
        list(scene.play(3))
        assert np.allclose(scene.world.positions, before, atol=1e-12)
        if joints:
            slider = scene.sliders[0]
            slider.change(0.5 * slider.high)
            list(scene.play(2))
            assert abs(scene.world.positions - before).max() > 0.01
