"""Wrong words on the command line are answered in one line, with the nearest that are right; Ctrl-C leaves the summary."""

import pytest

import opendynamics as od
from opendynamics.cli import main
from opendynamics.cli.playing import play
from opendynamics.cli.report import print_summary
from opendynamics.scenes import Scene

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
    "demo pit --set bodis=3": "'bodis=3' sets nothing of the scene pit; did you mean bodies?",
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
