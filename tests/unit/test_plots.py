"""Plots of recordings: the right curves for all words."""

import json

import numpy as np
import pytest

import opendynamics as od
from opendynamics import scenes
from opendynamics.cli import main
from opendynamics.scenes import Scene
from opendynamics.viewer.plots import PLOTS
from opendynamics.viewer.plotting import figure_class, find

pytest.importorskip("matplotlib")


@pytest.fixture(scope="module")
def car(tmp_path_factory):
    path = tmp_path_factory.mktemp("plots") / "car.odr"
    scene = scenes.build("car", speed=2.0)
    truth = []

    def note():
        steering = {joint.name: joint for joint in scene.world.joints}["left steering"]
        truth.append((steering.angle, steering.rate, steering.feedback.force1, scene.world.bodies[0].linear_velocity))

    with od.Recorder(
        scene.world, path, velocities=True, joint_forces=True, channels={"one": lambda: 1.0, "pair": lambda: [2, 3]}
    ):
        note()
        for _ in scene.play(30):
            note()
        for _ in scene.play(30, scene.world.time_stages):
            note()
    return od.Recording(path), truth


def lines(figure):
    return {line.get_label(): np.asarray(line.get_ydata()) for at in figure.axes for line in at.get_lines()}


def test_energies(car):
    recording, _ = car
    drawn = lines(od.plot(recording, "energy"))
    series = recording.series
    assert set(drawn) == {"energy.kinetic", "energy.potential", "energy.total"}
    assert np.array_equal(drawn["energy.total"], series["kinetic"] + series["potential"])


def test_joints_and_bodies(car):
    recording, truth = car
    drawn = lines(
        od.plot(
            recording, "joint:left steering.angle,joint:left steering.rate,joint:left steering.force,body:chassis.speed"
        )
    )
    angles, rates, forces, velocities = (np.array([moment[k] for moment in truth]) for k in range(4))
    assert drawn["joint:left steering.angle"] == pytest.approx(angles, abs=2e-4)
    assert drawn["joint:left steering.rate"] == pytest.approx(rates, abs=1e-3)
    assert drawn["joint:left steering.force"] == pytest.approx(np.linalg.norm(forces, axis=1), rel=1e-5, abs=1e-6)
    assert drawn["body:chassis.speed"] == pytest.approx(np.linalg.norm(velocities, axis=1), abs=2e-4)


def test_every_word_can_be_plotted(car):
    recording, _ = car
    words = od.plot_words(recording)
    assert len(words) == len(set(words)) > 100
    for word in words:
        if ".quaternion" in word and "chassis" not in word:
            continue
        curves = find(recording[::10], word)
        assert curves and all(len(curve.values) == 7 for curve in curves), word
    families = {word.partition(":")[0].partition(".")[0] for word in words}
    assert families == set(PLOTS.names)


def test_panels_by_sort(car):
    recording, _ = car
    figure = od.plot(
        recording, ["body:box 00.position.z", "body:box 01.position.z", "channel:pair", "contacts", "stages.solve"]
    )
    assert [at.get_ylabel() for at in figure.axes] == ["position, m", "pair", "contacts", "time, ms"]
    assert len(figure.axes[0].get_lines()) == 2 and figure.axes[-1].get_xlabel() == "time, s"
    assert np.isnan(lines(figure)["stages.solve"][:31]).all() and (lines(figure)["stages.solve"][31:] > 0).all()


def test_rates_without_velocities(tmp_path):
    world = od.World()
    body = world.add_body(position=(1, 0, 0), mass=1, angular_velocity=(0, 0, 3), linear_velocity=(0, 3, 0), name="arm")
    world.add_hinge(body, None, anchor=(0, 0, 0), axis=(0, 0, 1), name="axle")
    with od.Recorder(world, tmp_path / "run.odr"):
        world.advance(0.01, steps=200)  # almost a turn: the angle jumps from pi to -pi
    drawn = lines(od.plot(tmp_path / "run.odr", "joint:axle.rate,body:arm.speed,joint:axle.angle"))
    assert drawn["joint:axle.rate"] == pytest.approx(np.full(201, 3.0), abs=0.02)
    assert drawn["body:arm.speed"][1:-1] == pytest.approx(np.full(199, 3.0), abs=0.02)
    assert np.abs(np.diff(drawn["joint:axle.angle"])).max() > 6
    for word, message in (
        ("body:arm.angular_velocity", "has no velocities"),
        ("stages", "were not timed; record with"),
    ):
        with pytest.raises(ValueError, match=message):
            od.plot(tmp_path / "run.odr", word)


def test_joints_that_come_and_go(tmp_path):
    world = od.World()
    body = world.add_body(position=(1, 0, 0), mass=1, name="arm")
    with od.Recorder(world, tmp_path / "run.odr"):
        world.advance(0.1, steps=2)
        hinge = world.add_hinge(body, None, anchor=(0, 0, 0), axis=(0, 0, 1), name="axle")
        body.angular_velocity, body.linear_velocity = (0, 0, 1), (0, 1, 0)
        world.advance(0.1, steps=3)
        angle = hinge.angle
        hinge.attach(None, None)
        world.advance(0.1)
        hinge.destroy()
        world.advance(0.1)
    recording = od.Recording(tmp_path / "run.odr")
    drawn = lines(od.plot(recording, "joint:axle.angle"))["joint:axle.angle"]
    assert np.isnan(drawn[[0, 1, 2, 6, 7]]).all() and np.diff(drawn[3:6]) == pytest.approx([0.1, 0.1], abs=2e-3)
    assert drawn[5] == pytest.approx(angle, abs=2e-4)
    assert lines(od.plot(recording[::-1], "joint:axle.angle"))["joint:axle.angle"][2:5] == pytest.approx(drawn[5:2:-1])


def test_numbers_of_ones_own():
    figure = od.plot({"height": [1, 2, 3], "pair": np.ones((3, 2))}, times=[0, 0.5, 1.5], title="mine")
    assert lines(figure)["height"].tolist() == [1, 2, 3] and set(lines(figure)) == {"height", "pair[0]", "pair[1]"}
    assert figure.axes[0].get_lines()[0].get_xdata().tolist() == [0, 0.5, 1.5]
    for source, options, message in (
        ({}, {}, "no numbers to plot"),
        ({"a": [1, 2]}, {"times": [1]}, "as many numbers as there are times"),
        ({"a": np.ones((2, 2, 2))}, {}, r"must be numbers over time"),
    ):
        with pytest.raises(ValueError, match=message):
            od.plot(source, **options)
    with pytest.raises(TypeError, match="plot takes a recording"):
        od.plot(3)


def test_wrong_words(car):
    recording, _ = car
    with pytest.raises(ValueError, match=r"there is no 'energi' .*; did you mean energy\? There are: .*contacts"):
        od.plot(recording, "energi")
    with pytest.raises(ValueError, match=r"did you mean joint:left steering.angle\? There are: joint:"):
        od.plot(recording, "joint:left stering.angle")
    wrong = (
        "body:chassis.position.w",
        "body:chassis",
        "body:.position",
        "joint:left steering.distance",
        "channel:two",
        ":",
    )
    for word in (*wrong, "solver.x"):
        with pytest.raises(ValueError, match="There are: "):
            od.plot(recording, word)
    with pytest.raises(ValueError, match="say what to plot"):
        od.plot(recording, " , ")
    with pytest.raises(TypeError, match="must be words"):
        od.plot(recording, 3)


# -- the command -----------------------------------------------------------------------------------------------------


def test_the_command(car, tmp_path, capsys, monkeypatch):
    from PIL import Image

    recording, _ = car
    path = str(recording.path)
    assert main(["plot", path, "--what", "energy,contacts", "--png", str(tmp_path / "out.png"), "--dpi", "50"]) == 0
    with Image.open(tmp_path / "out.png") as picture:
        assert picture.size == (400, 290) and len(picture.convert("RGB").getcolors(1 << 20)) > 20
    capsys.readouterr()
    assert main(["plot", path, "--what", "energy.total", "channel:one", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert len(found["times"]) == len(found["energy.total"]) == 61 and set(found["channel:one"]) == {1.0}
    assert main(["plot", path, "--list"]) == 0
    assert "joint:left steering.angle" in capsys.readouterr().out.splitlines()
    monkeypatch.chdir(tmp_path)
    assert main(["plot", "falling_ball", "--steps", "20", "--what", "body:ball.position.z"]) == 0
    assert (tmp_path / "falling_ball.png").stat().st_size > 5000


def test_the_command_refuses(car, tmp_path, capsys):
    recording, _ = car
    path = str(recording.path)
    for words, message in (
        ([path, "--what", "energi"], "did you mean energy?"),
        (
            ["falling_ball", "--steps", "2", "--what", "bal:position"],
            "there is no 'bal:position' to plot in falling_ball.odr;",
        ),
        ([path, "--png", str(tmp_path / "out.docx")], "docx"),
        ([path, "--png", str(tmp_path / "missing" / "out.png")], "missing"),
        ([path, "--png", str(tmp_path)], "has no suffix"),
        (["car", "--steps", "1000000", "--png", str(tmp_path / "missing" / "out.png")], "there is no folder"),
        ([path, "--steps", "3"], "is a recording, which is as long as it is"),
        ([str(tmp_path / "no.odr")], "does not exist"),
    ):
        assert main(["plot", *words]) == 2
        assert message in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["plot", path, "--dpi", "1000000"])
    assert "write at most 1200" in capsys.readouterr().err


def test_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "matplotlib.figure", None)
    figure_class.cache_clear()
    with pytest.raises(ImportError, match=r"pip install 'opendynamics\[plot\]'"):
        od.plot({"a": [1, 2]})
    monkeypatch.setattr(Scene, "play", lambda *_: pytest.fail("it ran"))
    assert main(["plot", "car"]) == 2


def test_names_with_dollars_are_no_tex(tmp_path, capsys):
    world = od.World()
    world.add_body(name=r"a$\b$c", mass=1)
    path = tmp_path / r"$\b$.odr"
    with od.Recorder(world, path):
        world.advance(0.01, steps=3)
    word = r"body:a$\b$c.position.z"
    figure = od.plot(path, word)
    figure.savefig(tmp_path / "plot.png")
    assert figure.axes[0].get_legend().get_texts()[0].get_text() == word.replace("$", r"\$")
    assert main(["plot", str(path), "--what", word, "--png", str(tmp_path / "again.png")]) == 0
    with od.Recording(path) as recording:
        assert find(recording, word)[0].label == word
    capsys.readouterr()
    od.plot({r"$\omega$": [1, 2]}).savefig(tmp_path / "tex.png")  # numbers by name may have it


def test_numbers_without_any(tmp_path):
    od.plot({"none": [], "pairs": np.zeros((0, 2))}).savefig(tmp_path / "plot.png")
    with pytest.raises(ValueError, match=r"times must be numbers, shape \(n,\), not \(\)"):
        od.plot({"one": [1.0]}, times=2.0)
