"""Films and pictures on disk: `od.Video` and `opendynamics render`."""

import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import opendynamics as od
from opendynamics.cli import main
from opendynamics.cli.errors import UserError
from opendynamics.cli.filming import Plan, film
from opendynamics.cli.sources import Source
from opendynamics.scenes import Scene
from opendynamics.viewer.pictures import files, video

imageio_ffmpeg = pytest.importorskip("imageio_ffmpeg")
Image = pytest.importorskip("PIL.Image")

ROOT = Path(__file__).parents[2]
CHEAP = {"samples": 1, "shadows": 0, "ambient": 0}


def read(path):
    """All frames of a film, (n, h, w, 3)."""
    if path.suffix in (".webp", ".gif"):
        with Image.open(path) as film:
            frames = []
            for k in range(film.n_frames):
                film.seek(k)
                frames.append(np.array(film.convert("RGB")))
            return np.array(frames)
    command = [imageio_ffmpeg.get_ffmpeg_exe(), "-i", f"file:{path}", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    decoded = subprocess.run(command, capture_output=True, check=True)
    width, height = re.search(rb"Video: .* (\d+)x(\d+)[ ,]", decoded.stderr).groups()
    return np.frombuffer(decoded.stdout, np.uint8).reshape(-1, int(height), int(width), 3)


def grey(level, size=(32, 24)):
    return np.full((size[1], size[0], 3), level, np.uint8)


def falling():
    world = od.World(gravity=(0, 0, -9.81))
    world.add_plane()
    world.add_body(od.Sphere(0.3), position=(0, 0, 1.5))
    return world


# -- od.Video --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["mp4", "gif", "webp"])
def test_frames_come_back(tmp_path, kind):
    levels = (20, 90, 160, 230, 60)
    with od.Video(tmp_path / f"clip.{kind}", fps=10) as film:
        for level in levels:
            film.add(grey(level))
    assert film.frames == 5 and [path.name for path in tmp_path.iterdir()] == [f"clip.{kind}"]
    frames = read(tmp_path / f"clip.{kind}")
    assert frames.shape == (5, 24, 32, 3)
    assert frames.mean(axis=(1, 2, 3)) == pytest.approx(levels, abs=6)


@pytest.mark.skipif(os.name == "nt", reason="no such names")
@pytest.mark.parametrize("name", ["take:1.mp4", "http:clip.gif", "100%d.webp"])
def test_names_that_ffmpeg_would_understand_otherwise(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    with od.Video(name, fps=10) as film:
        film.add(grey(20))
        film.add(grey(90))
    assert [path.name for path in tmp_path.iterdir()] == [name] and len(read(tmp_path / name)) == 2


def test_quality_is_draft_unless_given_and_settings_come_before_it(tmp_path, monkeypatch):
    efforts = []

    def render(renderer, camera=None):
        efforts.append(tuple(int(renderer.effort[name][0]) for name in ("samples", "shadows", "ambient")))
        return np.zeros((renderer.size[1], renderer.size[0], 3), np.uint8)

    monkeypatch.setattr(od.Renderer, "render", render)
    for settings in ({}, {"quality": "normal"}, {"quality": "high", "shadows": 2}):
        with od.Video(tmp_path / "clip.mp4", size=(64, 48), **settings) as film:
            film.add(falling())
    assert efforts == [(1, 1, 0), (4, 4, 4), (16, 2, 4)]
    with pytest.raises(ValueError, match="quality must be one of 'draft', 'normal', 'high', not 'best'"):
        od.Video(tmp_path / "best.mp4", quality="best")


@pytest.mark.parametrize(("progress", "shown"), [(3, "clip.mp4"), (True, "clip.mp4: 3 frames, 0.3 s"), (False, None)])
def test_a_bar_shows_how_many_frames_are_done(tmp_path, monkeypatch, progress, shown):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr("opendynamics.api.progress._rich", lambda: None)
    monkeypatch.setattr("opendynamics.api.progress.REFRESH", 0.0)
    with od.Video(tmp_path / "clip.mp4", fps=10, progress=progress) as film:
        for _ in range(3):
            film.add(grey(90))
    assert stream.getvalue() == "" if shown is None else shown in stream.getvalue()
    assert progress != 3 or "100 %" in stream.getvalue()


def test_worlds_are_filmed(tmp_path):
    world = falling()
    with od.Video(tmp_path / "fall.mp4", fps=20, size=(64, 48), **CHEAP) as film:
        for _ in range(8):
            film.add(world)
            world.advance(0.01, steps=5)
    frames = read(tmp_path / "fall.mp4")
    assert frames.shape == (8, 48, 64, 3)
    assert (abs(np.diff(frames.astype(int), axis=0)) > 30).any(axis=(1, 2, 3))[:4].all()


def test_an_odd_pixel_is_left_out_where_players_want_even_ones(tmp_path):
    with od.Video(tmp_path / "odd.mp4") as film:
        film.add(grey(100, (33, 25)))
    assert read(tmp_path / "odd.mp4").shape == (1, 24, 32, 3)


def test_a_film_without_frames_leaves_nothing(tmp_path):
    with od.Video(tmp_path / "none.mp4"):
        pass
    with pytest.raises(RuntimeError, match="before the first"), od.Video(tmp_path / "none.gif"):
        raise RuntimeError("before the first frame")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("error", [KeyboardInterrupt, ZeroDivisionError])
def test_what_was_filmed_before_an_error_can_be_played(tmp_path, error):
    with pytest.raises(error), od.Video(tmp_path / "cut.mp4") as film:
        film.add(grey(10))
        film.add(grey(200))
        raise error
    assert len(read(tmp_path / "cut.mp4")) == 2


def test_an_older_film_stays_until_the_new_one_is_whole(tmp_path):
    path = tmp_path / "clip.mp4"
    path.write_bytes(b"an older one")
    film = od.Video(path)
    film.add(grey(10))
    assert path.read_bytes() == b"an older one"
    film.close()
    film.close()
    assert len(read(path)) == 1
    with pytest.raises(ValueError, match="has ended"):
        film.add(grey(10))


@pytest.mark.parametrize(
    ("name", "error", "message"),
    [
        ("clip.avi", ValueError, r"suffix '.avi'; a film can be .mp4, .gif, .webp"),
        ("clip", ValueError, "has no suffix"),
        ("nowhere/clip.mp4", FileNotFoundError, "there is no folder"),
        ("folder.mp4", IsADirectoryError, "is a folder"),
    ],
)
def test_paths_are_checked_at_once(tmp_path, name, error, message):
    (tmp_path / "folder.mp4").mkdir()
    with pytest.raises(error, match=message):
        od.Video(tmp_path / name)


def test_frames_are_checked(tmp_path):
    with od.Video(tmp_path / "clip.mp4") as film:
        film.add(grey(5))
        with pytest.raises(ValueError, match=r"of the size \(32, 24\), not \(16, 24\)"):
            film.add(grey(5, (16, 24)))
        with pytest.raises(TypeError, match=r"shape \(24, 32, 3\) and type float64"):
            film.add(grey(5).astype(float))
        with pytest.raises(TypeError, match="not None"):
            film.add(None)
        film.add(grey(6))
    assert len(read(tmp_path / "clip.mp4")) == 2
    with pytest.raises(ValueError, match="greater than 0"):
        od.Video(tmp_path / "b.mp4", fps=0)
    with od.Video(tmp_path / "c.mp4") as film, pytest.raises(ValueError, match="at least 2 x 2"):
        film.add(grey(5, (1, 4)))


def test_an_encoder_that_fails_is_told_and_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.setitem(video.ENCODERS, ".mp4", ["-c:v", "no_such_encoder"])
    film = od.Video(tmp_path / "clip.mp4")
    with pytest.raises(OSError, match=r"clip.mp4 could not be written: .*[Ee]ncoder"):
        for _ in range(10_000):
            film.add(grey(5))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
def test_a_full_disk_is_noticed_before_anything_is_done(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "beside", lambda path: Path("/dev/full"))
    monkeypatch.setattr(Path, "unlink", lambda self, missing_ok=False: None)
    with pytest.raises(OSError, match="cannot be written: No space left"):
        od.Video(tmp_path / "clip.mp4")


def test_a_missing_package_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    monkeypatch.setitem(sys.modules, "PIL.Image", None)
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(
        ImportError, match=r"pip install 'opendynamics\[video\]' brings imageio-ffmpeg, or install ffmpeg"
    ):
        od.Video(tmp_path / "clip.mp4")
    with pytest.raises(ImportError, match=r"pillow: pip install 'opendynamics\[render\]'"):
        files.save_picture(tmp_path / "a.png", grey(1))


def test_the_systems_ffmpeg_serves_where_there_is_no_other(tmp_path, monkeypatch):
    program = tmp_path / "ffmpeg"
    program.symlink_to(imageio_ffmpeg.get_ffmpeg_exe())
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    monkeypatch.setenv("PATH", str(tmp_path))
    with od.Video(tmp_path / "clip.gif") as film:
        film.add(grey(5))
    assert (tmp_path / "clip.gif").stat().st_size > 0


def test_pictures_are_saved(tmp_path):
    picture = falling().render(size=(40, 30), **CHEAP)
    files.save_picture(tmp_path / "a.png", picture)
    with Image.open(tmp_path / "a.png") as found:
        assert np.array_equal(np.array(found), picture)
    assert [path.name for path in tmp_path.iterdir()] == ["a.png"]


# -- opendynamics render ---------------------------------------------------------------------------------------------

SMALL = ("--size", "48x32", "--quality", "draft")


def refused(capsys, *words):
    assert main([str(word) for word in words]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.startswith("opendynamics: ") and "Traceback" not in err
    return err


def test_render_writes_several_files(capsys, tmp_path):
    names = {kind: tmp_path / f"a.{kind}" for kind in ("png", "mp4", "gif")}
    words = [str(word) for kind, path in names.items() for word in (f"--{kind}", path)]
    timing = ("--seconds", "0.5", "--fps", "20", "--at", "0.7", "--json")
    assert main(["render", "falling_ball", *words, *SMALL, *timing]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["files"] == [str(path) for path in names.values()]
    assert (found["frames"], found["size"], found["simulated"]) == (10, [48, 32], pytest.approx(0.7))
    assert len(read(names["mp4"])) == len(read(names["gif"])) == 10
    with Image.open(names["png"]) as picture:
        assert picture.size == (48, 32)
    assert len(list(tmp_path.iterdir())) == 3


def test_render_takes_the_picture_when_and_from_where_it_is_told(capsys, tmp_path):
    path = tmp_path / "a.png"
    words = ("--at", "0.5", "--camera", "3,-4,2", "--target", "0,0,1", "--fov", "50", "--show", "joints")
    assert main(["render", "chain", "--set", "links=5", "--png", str(path), *SMALL, *words]) == 0
    assert "48 x 32" in capsys.readouterr().out
    scene = od_scene("chain", links=5)
    scene.run(100)
    camera = od.Camera((3, -4, 2), (0, 0, 1), field_of_view=50)
    expected = scene.world.render(camera, (48, 32), samples=1, shadows=1, ambient=0, show="joints")
    with Image.open(path) as picture:
        assert np.array_equal(np.array(picture), expected)


def test_render_knows_which_way_is_up_in_a_scene(tmp_path):
    script = tmp_path / "upright.py"
    script.write_text(
        "import opendynamics as od\nfrom opendynamics.scenes import Scene\n\ndef build():\n"
        "    world = od.World(gravity=(0, -9.81, 0))\n    world.add_plane((0, 1, 0))\n"
        "    world.add_body(od.Box((1, 3, 1)), position=(0, 1.5, 0), color='red')\n"
        "    return Scene(world, h=0.01, seconds=1.0, camera=(2.0, 3.0, 9.0), target=(0.0, 1.5, 0.0))\n"
    )
    assert main(["render", str(script), "--at", "0", "--png", str(tmp_path / "a.png"), *SMALL]) == 0
    with Image.open(tmp_path / "a.png") as picture:
        red, _, blue = np.moveaxis(np.array(picture).astype(int), 2, 0)
    rows, columns = np.nonzero(red > blue + 40)
    assert np.ptp(rows) > 1.5 * np.ptp(columns)  # the box stands


def od_scene(name, **options):
    from opendynamics import scenes

    return scenes.build(name, **options)


def test_points_may_begin_with_a_minus(tmp_path):
    pictures = []
    for k, words in enumerate(
        (("--camera=-3,-4,2", "--target=-.5,0,1"), ("--camera", "-3,-4,2", "--target", "-.5,0,1"))
    ):
        path = tmp_path / f"{k}.png"
        assert main(["render", "chain", "--png", str(path), "--at", "0", *SMALL, *words]) == 0
        with Image.open(path) as picture:
            pictures.append(np.array(picture))
    assert np.array_equal(*pictures)


def test_render_of_a_world_without_a_camera_frames_it(capsys, tmp_path):
    script = tmp_path / "far.py"
    script.write_text(
        "import opendynamics as od\n\ndef build(*, x=500.0):\n    world = od.World()\n"
        "    world.add_body(od.Box((1, 1, 1)), position=(x, 0, 0))\n    return world\n"
    )
    assert main(["render", str(script), "--set", "x=900", "--png", str(tmp_path / "a.png"), *SMALL]) == 0
    with Image.open(tmp_path / "a.png") as picture:
        middle = np.array(picture)[12:20, 20:28].astype(int)
    assert (np.ptp(middle, axis=2) > 30).any()


def test_slow_motion():
    plan = Plan(films=("a.mp4",), seconds=1.0, fps=20.0, speed=0.25)
    frames = plan.frames(0.01)
    assert sum(frames.values()) == 80 and max(frames) == round(79 * 0.0125 / 0.01)
    assert Plan(films=("a.mp4",), seconds=0.5, fps=100.0).frames(0.1) == {0: 6, 1: 10, 2: 10, 3: 10, 4: 10, 5: 4}


class Short(Scene):
    """A scene that ends by itself, as recordings do."""

    def play(self, steps=None, advance=None):
        yield from super().play(min(steps, 4), advance)


def test_what_a_scene_does_not_reach_is_told(tmp_path):
    settings = {"size": (16, 12), **CHEAP}
    films = (str(tmp_path / "a.gif"),)
    taken = film(Source("short", Short(falling(), h=0.1)), Plan(films=films, seconds=2.0, fps=10.0, settings=settings))
    assert (taken.frames, taken.simulated) == (5, pytest.approx(0.4)) and len(read(tmp_path / "a.gif")) == 5
    plan = Plan(stills=((str(tmp_path / "b.png"), 0.7),), settings=settings)
    with pytest.raises(UserError, match=r"short ends after 0.4 s: choose an earlier --at for .*b.png"):
        film(Source("short", Short(falling(), h=0.1)), plan)


def test_render_refuses(capsys, tmp_path, monkeypatch):
    assert "--png, --mp4, --gif or --webp" in refused(capsys, "render", "wall")
    assert "did you mean wall?" in refused(capsys, "render", "wal", "--png", tmp_path / "a.png")
    assert "has the suffix '.avi'" in refused(capsys, "render", "wall", "--mp4", tmp_path / "a.avi")
    assert "there is no folder" in refused(capsys, "render", "wall", "--gif", tmp_path / "b" / "a.gif")
    assert "lower --fps" in refused(capsys, "render", "wall", "--gif", tmp_path / "a.gif", "--fps", "1e12")
    where = ("--camera", "1,1,1", "--target", "1,1,1")
    assert "looks at itself" in refused(capsys, "render", "wall", "--png", tmp_path / "a.png", *where)
    monkeypatch.setitem(sys.modules, "mitsuba", None)
    backend = ("--backend", "mitsuba")
    assert "[render-mitsuba]" in refused(capsys, "render", "wall", "--png", tmp_path / "a.png", *backend)
    assert "--frame" in refused(capsys, "render", "wall", "--png", tmp_path / "a.png", "--frame", *where)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "words",
    [
        ("--size", "0x10"),
        ("--size", "10"),
        ("--size", "20000x10"),
        ("--at", "-1"),
        ("--fps", "0"),
        ("--camera", "1,2"),
        ("--camera", "1,2,nan"),
    ],
)
def test_render_checks_its_words(capsys, words):
    with pytest.raises(SystemExit) as ended:
        main(["render", "wall", "--png", "a.png", *words])
    assert ended.value.code == 2 and words[0] in capsys.readouterr().err


@pytest.mark.skipif(os.name != "posix", reason="signals are sent as on POSIX")
def test_ctrl_c_leaves_a_film_that_plays(tmp_path):
    path = tmp_path / "long.mp4"
    words = ["render", "falling_ball", "--mp4", str(path), "--seconds", "1000", *SMALL]
    process = subprocess.Popen([sys.executable, "-m", "opendynamics", *words], cwd=ROOT, stderr=subprocess.PIPE)
    deadline = time.monotonic() + 60
    while not any(found.stat().st_size for found in tmp_path.iterdir()) and time.monotonic() < deadline:
        time.sleep(0.1)  # until ffmpeg has written its first bytes
    time.sleep(2.0)  # those come before the first frame, and then none for hundreds of frames
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130 and b"interrupted" in err and b"Traceback" not in err
    assert [found.name for found in tmp_path.iterdir()] == ["long.mp4"]
    assert len(read(path)) > 1
