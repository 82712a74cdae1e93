"""Every shipped model loads, or is rejected with file and reason; some match their descriptions."""

import warnings
from pathlib import Path

import pytest

import opendynamics as od
from opendynamics import robot

MODELS = Path(__file__).parents[1] / "data" / "models"
FILES = sorted(path.relative_to(MODELS).as_posix() for path in MODELS.rglob("*") if path.is_file())
REFUSED = {
    "JACO2/JACO2.body": "there is no file 'parts/BASE_LOWER.stl'",
    "Labo1/Labo1.body": "there is no file 'resource/tank.wrl'",
    "Labo1/Labo1v2.body": "there is no file 'resource/tank.wrl'",
    "Labo1/resource/valves.yaml": "valves.yaml:1: this is no model",
    "JACO2/LICENSE": "of no known kind",
    "LICENSE.choreonoid": "of no known kind",
    "legacy/LICENSE.choreonoid-2017": "of no known kind",
}


@pytest.mark.parametrize("file", FILES)
def test_loads_or_is_refused(file):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", robot.ModelWarning)
        if file in REFUSED:
            with pytest.raises(robot.ModelError, match=REFUSED[file]):
                robot.load_robot(MODELS / file)
            return
        model = robot.load_robot(MODELS / file)
    assert model.mass > 0.0 and (MODELS / file).name in str(model.source)
    kinematics = robot.forward_kinematics(model.state())
    assert kinematics.positions.shape == (len(model.links), 3)
    for finding in model.findings:
        assert ":" in finding and Path(finding.split(": ")[0].rpartition(":")[0]).is_file()


def test_every_model_can_be_put_into_a_world():
    world = od.World(gravity=(0, 0, -9.81))
    for file in sorted(set(FILES) - set(REFUSED)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", robot.ModelWarning)
            model = robot.load_robot(MODELS / file)
        bodies = len(world.bodies)
        made = od.Robot(world, model, self_collision=True)
        assert model.is_static or len(world.bodies) > bodies, file
        made.destroy()
        assert len(world.bodies) == bodies and not len(world.geoms), file


@pytest.mark.parametrize(
    ("file", "links", "joints", "mass", "fixed"),
    [
        ("misc/ragdoll.body", 23, 22, 69.94, False),
        ("misc/FourWheelCar.body", 7, 6, 21.0, False),
        ("PA10/PA10.body", 10, 9, 35.21, True),
        ("misc/pendulum.body", 2, 1, 11.0, True),
        ("legacy/box1.wrl", 1, 0, 12.8, False),
        ("legacy/SR1-2D.wrl", 30, 13, 130.8, False),
    ],
)
def test_what_models_are(file, links, joints, mass, fixed):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", robot.ModelWarning)
        model = robot.load_robot(MODELS / file)
    assert (len(model.links), len(model.joints), model.is_fixed) == (links, joints, fixed)
    assert model.mass == pytest.approx(mass, rel=1e-3)


def test_geoms_have_the_colours_of_the_file():
    model = robot.load_robot(MODELS / "misc" / "CustomizedSpringModel.body")
    made = od.Robot(od.World(), model)
    shown = {name: geoms[0].color for name, geoms in made.geoms.items() if geoms}
    assert len(set(shown.values())) == 2
    for link in model.links:
        if link.collision:
            assert shown[link.name] == pytest.approx(link.collision[0].appearance.color)


def test_collision_shapes_without_a_colour_have_that_of_the_visual_ones(tmp_path):
    box = '<geometry><box size="1 1 1"/></geometry>'
    red, blue = (
        f'<material name="{name}"><color rgba="{rgba}"/></material>'
        for name, rgba in (("r", "1 0 0 1"), ("b", "0 0 1 1"))
    )
    links = {
        "plain": f"<collision>{box}</collision>",
        "dressed": f"<visual>{box}</visual><visual>{box}{red}</visual><visual>{box}{blue}</visual><collision>{box}</collision>",
    }
    joint = '<joint name="j" type="fixed"><parent link="plain"/><child link="dressed"/></joint>'
    path = tmp_path / "two.urdf"
    text = "".join(f'<link name="{name}">{shapes}</link>' for name, shapes in links.items())
    path.write_text(f'<robot name="two">{text}{joint}</robot>')
    made = od.Robot(od.World(), robot.load_robot(path))
    assert made.geoms["plain"][0].color is None and made.geoms["dressed"][0].color == (1.0, 0.0, 0.0)
