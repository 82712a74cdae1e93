"""The README is true: its programs are executed unchanged."""

import ast
import importlib.metadata
import re
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
REPOSITORY = "https://github.com/opendynamics/opendynamics"
FILES = f"{REPOSITORY}/blob/main/"
PICTURES = "https://raw.githubusercontent.com/opendynamics/opendynamics/main/"


def readme_blocks():
    return re.findall(
        r"^```python\n(.*?)^```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    )


def test_the_first_program_of_the_readme(capsys):
    first = readme_blocks()[0]
    assert len(first.splitlines()) <= 8
    exec(compile(first, "README.md", "exec"), {"__name__": "__main__"})
    numbers = [float(word) for word in capsys.readouterr().out.strip(" []\n").split()]
    assert numbers == pytest.approx([0, 0, 0.1], abs=1e-6)


def test_odes_loop_of_the_readme():
    scope = {"__name__": "__main__"}
    exec(compile(readme_blocks()[1], "README.md", "exec"), scope)
    assert scope["ball"].position[2] == pytest.approx(0.1, abs=1e-3)


def test_the_robot_of_the_readme(monkeypatch):
    pytest.importorskip("trimesh")
    monkeypatch.chdir(ROOT)
    scope = {"__name__": "__main__"}
    (block,) = readme_blocks()[2:]
    exec(compile(block, "README.md", "exec"), scope)
    robot = scope["robot"]
    assert abs(robot.read().q - scope["model"].state().q).max() < 0.01
    waist = robot.bodies["WAIST"]
    assert waist.position[2] > 0.68 and np.linalg.norm(waist.linear_velocity) < 0.1
    assert {"LLEG_ANKLE_R", "RLEG_ANKLE_R"} == set(robot.contacts)


def test_hello_is_the_first_program_of_the_readme():
    hello = ast.parse((ROOT / "examples" / "hello.py").read_text(encoding="utf-8"))
    assert ast.get_docstring(hello)
    hello.body = hello.body[1:]
    assert ast.dump(hello) == ast.dump(ast.parse(readme_blocks()[0]))


def links_of(text):
    return re.findall(r"(!?)\[[^\]]*\]\(([^)]+)\)", text)


def test_links_lead_to_files():
    links = [target for _, target in links_of((ROOT / "README.md").read_text(encoding="utf-8"))]
    files = [target for target in links if not target.startswith("https://")]
    assert len(files) > 40
    for target in files:
        assert (ROOT / target.partition("#")[0]).exists(), target


def test_links_are_whole_where_a_package_index_shows_the_readme_by_itself():
    links = links_of(importlib.metadata.metadata("opendynamics").get_payload())
    assert len(links) > 40
    for shown, target in links:
        assert target.startswith("https://")
        if REPOSITORY.partition("github.com")[2] in target:
            start = PICTURES if shown else FILES
            assert (ROOT / target.removeprefix(start).partition("#")[0]).exists(), target


def test_the_film_is_short_and_small():
    image = pytest.importorskip("PIL.Image")
    path = ROOT / "docs" / "pictures" / "film.webp"
    assert "(docs/pictures/film.webp)" in (ROOT / "README.md").read_text(encoding="utf-8").partition("```")[0]
    assert path.stat().st_size < 1.5e6
    with image.open(path) as film:
        assert 60 <= film.n_frames <= 300
