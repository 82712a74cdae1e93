"""Wrong words on the command line cause a one-line error with the most similar valid ones; Ctrl-C leaves the summary."""

import subprocess
import sys
from pathlib import Path

import pytest

import opendynamics as od
from opendynamics.cli import main
from opendynamics.cli.playing import play
from opendynamics.cli.report import print_summary
from opendynamics.scenes import Scene

ROOT = Path(__file__).parents[2]

WRONG = {
    "dmeo": "there is no command 'dmeo'; did you mean demo?",
    "demo waal": "there is no scene 'waal'; did you mean wall?",
    "demo --secnods 3": "there is no argument '--secnods'; did you mean --seconds?",
    "demo --zzz": "there is no argument '--zzz'. `opendynamics demo --help` lists what there is",
    "doctor --fov": "there is no argument '--fov'. `opendynamics doctor --help`",
    "demo wall --solver exact": "there is no argument '--solver'. `opendynamics demo --help`",
    "bench nothing": "there is no scene 'nothing'; there are: bridge, ",
    "run": "SCENE is missing. `opendynamics run --help` lists what there is",
    "": "COMMAND is missing; there are: bench, demo, ",
    "render wall --backend rasy": "there is no backend for --backend 'rasy'; did you mean rays?",
    "demo --seconds abc": "argument --seconds: 'abc' is not a time; write a number above 0, like 2.5.",
    "demo --steps 0": "argument --steps: '0' is not a number of steps",
    "bench wall --steps 2147483648": "argument --steps: '2147483648' is not a number of steps; write a whole number from 1 to",
    "demo wall --seconds 1e308": "--seconds 1e+308 takes inf steps of 0.01 s, but at most 2147483647 are made",
    "render wall --png x.png --at 1e308": "--at 1e+308 takes inf steps of 0.01 s, but at most 2147483647",
    "render wall --gif x.gif --seconds 1e308 --fps 9": "a film of inf frames is too long, 1000000 are enough for hours",
    "render wall --gif x.gif --seconds 1e308 --fps 1e-307": "--seconds 1e+308 takes inf steps of 0.01 s",
    "demo pit --h -1": "there is no argument '--h'; a scene has its own step size: in a script's build(), return Scene(world, h=",
    "run pit --dt=0": "there is no argument '--dt=0'; a scene has its own step size",
    "--vrsion": "there is no argument '--vrsion'; did you mean --version?",
    "--sedonds": "there is no argument '--sedonds'. `opendynamics --help`",
    "demo --se 3": "'--se' may be --set or --seconds. `opendynamics demo --help` lists what there is",
    "demo pit --set bodis=3": "the scene pit has no setting 'bodis'; did you mean bodies?",
}


@pytest.mark.parametrize("words", WRONG)
def test_a_wrong_word_is_answered_in_one_line(words, capsys):
    try:
        status = main(words.split())
    except SystemExit as end:
        status = end.code
    shown = capsys.readouterr()
    assert status == 2 and shown.out == ""
    assert shown.err.startswith(f"opendynamics: {WRONG[words]}") and shown.err.count("\n") == 1


@pytest.mark.parametrize(
    "words", ["render wall --png {}/x.png", "render wall --mp4 {}/x.mp4", "demo wall --record {}/x.odr"]
)
def test_errors_name_the_path_that_was_given_and_no_other(words, tmp_path, capsys):
    folder = tmp_path / "none"
    assert main(words.format(folder).split()) == 2
    shown = capsys.readouterr().err
    assert f"{folder}/x." in shown and shown.count("/x.") == 1 and ".part" not in shown and shown.count("\n") == 1


def test_names_of_files_that_are_too_long(capsys):
    long = "x" * 5000
    assert main(["run", f"{long}.py"]) == main(["info", f"{long}.odr"]) == main(["run", long]) == 2
    shown = capsys.readouterr().err.splitlines()
    assert [line.partition(f"{long}")[2].partition("; ")[0] for line in shown] == [
        ".py cannot be read: File name too long",
        ".odr cannot be read: File name too long",
        "'",
    ]


FILES = {
    "run myscen.py": "myscen.py does not exist; did you mean my_scene.py?",
    "view fal.odr": "fal.odr does not exist; did you mean fall.odr?",
    "info fal.odr": "fal.odr does not exist; did you mean fall.odr?",
    "plot fall.od": "fall.od does not exist; did you mean fall.odr?",
    "export fal.odr fall.csv": "fal.odr does not exist; did you mean fall.odr?",
    "render none/fall.odr --png x.png": "none/fall.odr does not exist; there is no folder none either; give",
    "run some": "some is a folder; give the path of a file",
    "run unlike.urdf": "unlike.urdf does not exist; give the path of a file, or the name of a built-in scene",
    "export fall.odr none/fall.csv": "none/fall.csv cannot be written: there is no folder none; make it first",
}


@pytest.mark.parametrize("words", FILES)
def test_a_missing_file_is_answered_with_the_nearest_beside_it(words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name in ("my_scene.py", "fall.odr"):
        (tmp_path / name).write_text("")
    (tmp_path / "some").mkdir()
    assert main(words.split()) == 2
    shown = capsys.readouterr().err
    assert shown.startswith(f"opendynamics: {FILES[words]}") and shown.count("\n") == 1


def test_a_list_is_no_question(capsys):
    with pytest.raises(SystemExit):
        main(["dmeo"])
    assert "did you mean demo? There are: bench, " in (shown := capsys.readouterr().err) and ", warmup. `" in shown


def test_ctrl_c_leaves_the_summary(capsys):
    made = []
    world = od.World()
    world.add_body(mass=1, name="lone")

    def control(t):
        made.append(t)
        if len(made) == 5:
            raise KeyboardInterrupt

    summary = play("lone", Scene(world, h=0.01, seconds=1.0, control=control), 100)
    assert summary.interrupted and summary.steps == 4
    print_summary(summary, False)
    shown = capsys.readouterr().out
    assert "interrupted" in shown and "in 4 steps" in shown and "real-time factor" in shown


STOPPING = """
import os, signal
import opendynamics as od
from opendynamics.scenes import Scene
def build():
    world = od.World(gravity=(0, 0, -9.81))
    world.add_body(od.Sphere(0.1), position=(0, 0, 9))
    def control(t):
        if t > {time}:
            os.kill(os.getpid(), signal.SIGINT)
    return Scene(world, h=0.01, control=control)
"""


@pytest.mark.parametrize(("time", "made"), [(-1, []), (0.035, ["fall.png"])])
def test_ctrl_c_leaves_a_plot_of_what_there_is(time, made, tmp_path, capsys):
    script = tmp_path / "fall.py"
    script.write_text(STOPPING.format(time=time))
    assert main(["plot", str(script), "--png", str(tmp_path / "fall.png")]) == 130
    shown = capsys.readouterr()
    assert "interrupted" in shown.err and ("5 frames" in shown.out) is bool(made)
    assert [found.name for found in tmp_path.glob("*.png")] == made


@pytest.mark.parametrize("film", ["fall.gif", "fall.mp4"])
def test_ctrl_c_before_the_first_step_leaves_the_first_frame_or_nothing(film, tmp_path, capsys):
    script = tmp_path / "fall.py"
    words = ["render", str(script), f"--{film[-3:]}", str(tmp_path / film), "--size", "32x32", "--quality", "draft"]
    script.write_text("import os, signal\ndef build():\n    os.kill(os.getpid(), signal.SIGINT)\n    os.getpid()\n")
    assert main(words) == 130 and "interrupted before there was anything to report" in capsys.readouterr().err
    assert [found.name for found in tmp_path.iterdir() if found.name != "__pycache__"] == ["fall.py"]
    script.write_text(STOPPING.format(time=-1))
    assert main(words) == 130
    shown = capsys.readouterr()
    assert "1 frame" in shown.out and f"wrote        {tmp_path / film}" in shown.out and "by Ctrl-C" in shown.out
    assert shown.err.endswith("opendynamics: interrupted\n")
    assert {found.name for found in tmp_path.glob("fall.*")} == {"fall.py", film}


@pytest.mark.parametrize("module", ["argparse", "opendynamics.cli.errors", "opendynamics.cli.program"])
def test_ctrl_c_while_the_command_line_is_imported_is_silent(module):
    code = f"""
import os, signal, sys
class Stop:
    def find_spec(self, name, *ignored):
        if name == {module!r}:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Stop())
from opendynamics.cli import main
sys.exit(main(["demo", "--list"]))
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_ctrl_c_while_commands_are_imported_says_that_nothing_was_done():
    code = """
import os, signal, sys
class Stop:
    def find_spec(self, name, *ignored):
        if name == "opendynamics.cli.commands.demo":
            os.kill(os.getpid(), signal.SIGINT)
from opendynamics.cli import program
sys.meta_path.insert(0, Stop())
sys.exit(program.main(["demo", "--list"]))
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    reported = "\nopendynamics: interrupted before there was anything to report\n"
    assert (done.returncode, done.stdout, done.stderr) == (130, "", reported)


@pytest.mark.parametrize("done", [0, 1])
def test_ctrl_c_leaves_what_was_timed(done, monkeypatch, capsys):
    from opendynamics.cli.benchmarking import Timing
    from opendynamics.cli.commands import bench

    made = [Timing("wall", 39, 310, 10, 0.01, (2.0,), 2.0, 5.0, 0.0)][:done]

    def time_scene(*ignored):
        if not made:
            raise KeyboardInterrupt
        return made.pop()

    monkeypatch.setattr(bench, "time_scene", time_scene)
    assert main(["bench", "wall", "pit"]) == 130
    shown = capsys.readouterr()
    assert ("wall" in shown.out) is bool(done) and f"Ended after {done} of 2 scenes." in shown.out
    assert shown.err.endswith("opendynamics: interrupted\n")
