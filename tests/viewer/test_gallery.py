"""The gallery: every registered scene is in it, and the page is up to date."""

import runpy
from pathlib import Path

import pytest

from opendynamics.scenes import SCENES

DOCS = Path(__file__).parents[2] / "docs"
PICTURES = DOCS / "pictures" / "gallery"

Image = pytest.importorskip("PIL.Image")


@pytest.fixture(scope="module")
def gallery():
    return runpy.run_path(str(DOCS / "gallery.py"))


def test_the_page_is_up_to_date(gallery):
    assert (DOCS / "gallery.md").read_text(encoding="utf-8") == gallery["page"]()


@pytest.mark.parametrize("name", SCENES.names)
def test_every_scene_has_a_picture_and_a_clip(gallery, name):
    with Image.open(PICTURES / f"{name}.jpg") as still:
        assert still.size == gallery["STILL"]
    with Image.open(PICTURES / f"{name}.webp") as clip:
        assert clip.size == gallery["CLIP"] and clip.n_frames > 20
        first = clip.convert("RGB").tobytes()
        clip.seek(clip.n_frames // 2)
        assert clip.convert("RGB").tobytes() != first


def test_no_picture_is_left_over_and_all_are_small(gallery):
    found = {path.name: path.stat().st_size for path in PICTURES.iterdir()}
    assert set(found) == {f"{name}{suffix}" for name in SCENES.names for suffix in (".jpg", ".webp")}
    assert sum(found.values()) + gallery["HERO"].stat().st_size < 6e6


def test_the_page_of_examples_is_up_to_date_and_has_every_example(gallery):
    assert (DOCS / "examples.md").read_text(encoding="utf-8") == gallery["examples_page"]()
    files = {path.stem for path in (DOCS.parent / "examples").iterdir() if path.suffix in (".py", ".ipynb")}
    assert sorted(gallery["examples"]()) == sorted(files)


def test_every_example_has_a_picture_and_all_are_small(gallery):
    pictures = list((DOCS / "pictures" / "examples").iterdir())
    assert {path.stem for path in pictures} == set(gallery["examples"]())
    for path in pictures:
        with Image.open(path) as picture:
            assert picture.size == gallery["SMALL"]
            low, high = picture.convert("L").getextrema()
            assert high - low > 60  # something stands out
    assert sum(path.stat().st_size for path in pictures) < 1.5e6


def test_names_that_are_no_scenes_are_refused(gallery, capsys):
    assert gallery["main"](["nosuch"]) == 2
    assert "there is no scene 'nosuch'" in capsys.readouterr().err
