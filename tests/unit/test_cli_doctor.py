"""doctor and bench: findings and exit status."""

import json
import sys
from pathlib import Path

import pytest

from opendynamics.cli import checks, main
from opendynamics.cli.checks import BROKEN, CHECKS, FINE, MISSING, examine, extras, in_order, physics
from opendynamics.cli.program import COMMANDS

ROOT = Path(__file__).parents[2]


def findings(name):
    return {finding.title: finding for finding in examine(name)}


def test_doctor_finds_that_all_is_well(capsys):
    assert main(["doctor"]) == 0
    out = capsys.readouterr().out
    for words in ("ok  Python", "ok  compiler", "ok  free fall", "ok  rerun", "Everything that is needed works."):
        assert words in out


def test_doctor_as_json(capsys, monkeypatch):
    monkeypatch.setattr(checks.CHECKS, "names", ("python", "physics"), raising=False)
    monkeypatch.setitem(physics.LAWS, "a wrong law", (lambda: (1.0, 1.1), 0.01, "m"))
    assert main(["doctor", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["well"] is False
    states = {finding["title"]: finding["state"] for finding in found["findings"]}
    assert states["a wrong law"] == BROKEN and states["sliding"] == FINE and next(iter(states)) == "Python"
    assert main(["doctor"]) == 1
    out = capsys.readouterr().out
    assert (
        "!!  a wrong law" in out and "off by 9.1e-02, 1e-02 is allowed" in out and out.endswith("broken: a wrong law\n")
    )


def test_checks_come_in_order():
    orders = [CHECKS[name].ORDER for name in in_order()]
    assert orders == sorted(orders) and len(set(orders)) == len(orders) == len(CHECKS.names)


def test_physics_is_compared_with_what_is_known():
    for law, allowed, _ in physics.LAWS.values():
        found, known = law()
        assert found == pytest.approx(known, rel=allowed)
    found, known = physics.swing()
    assert found != known and abs(found - known) < 1e-3


def test_a_cache_that_cannot_be_written(monkeypatch, tmp_path):
    from opendynamics.cli.checks import cache

    file = tmp_path / "file"
    file.write_text("no folder")
    monkeypatch.setattr(cache, "writable_folder", lambda: file)
    monkeypatch.setattr(cache, "is_kept", lambda entry: False)
    found = findings("cache")["cache"]
    assert found.state == BROKEN and "OPENDYNAMICS_CACHE_DIR" in found.remedy


def test_versions_that_do_not_fit(monkeypatch):
    from opendynamics.cli.checks import python

    monkeypatch.setattr(python, "PYTHON", ((4, 0), (4, 2)))
    monkeypatch.setitem(python.NEEDED, "Numba", ">=0.1,<0.2")
    found = findings("python")
    assert found["Python"].state == BROKEN and found["Python"].remedy == "use Python 4.0 to 4.1"
    assert found["Numba"].state == BROKEN and found["Numba"].remedy == "pip install 'numba>=0.1,<0.2'"
    assert found["NumPy"].state == FINE


def test_a_required_package_that_is_missing(monkeypatch):
    from opendynamics.cli.checks import python

    assert findings("python")["webcolors"].state == FINE
    monkeypatch.setattr(python, "version_of", lambda name: None)
    found = findings("python")["webcolors"]
    assert (found.state, found.text, found.remedy) == (BROKEN, "not installed", "pip install 'webcolors>=24.8'")


def test_missing_extras_are_named_with_their_command(monkeypatch):
    monkeypatch.setattr(extras, "version_of", lambda name: None if name == "viser" else "1.0")
    found = findings("extras")
    assert found["view"].state == MISSING and found["view"].text == "no viser"
    assert found["view"].remedy == "for the live view in the browser: pip install 'opendynamics[view]'"
    assert found["plot"].state == FINE


def test_extras_are_those_of_the_project():
    tomllib = pytest.importorskip("tomllib")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    for extra, (distributions, _) in extras.EXTRAS.items():
        declared = [line.partition(">=")[0] for line in project["optional-dependencies"][extra]]
        assert declared == list(distributions)
    from opendynamics.cli.checks.python import NEEDED, PYTHON

    assert project["requires-python"] == ">={}.{},<{}.{}".format(*PYTHON[0], *PYTHON[1])
    for name, versions in NEEDED.items():
        assert f"{name.lower()}{versions}" in project["dependencies"]


def test_no_ffmpeg(monkeypatch):
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    monkeypatch.setattr("shutil.which", lambda name: None)
    assert findings("outside")["ffmpeg"].state == MISSING
    monkeypatch.setattr("shutil.which", lambda name: "/somewhere/ffmpeg")
    assert findings("outside")["ffmpeg"].text == "/somewhere/ffmpeg"


def test_a_check_that_fails_is_a_finding(monkeypatch):
    def explode():
        raise RuntimeError("bang")
        yield

    monkeypatch.setattr(physics, "findings", explode)
    (found,) = examine("physics")
    assert found.state == BROKEN and found.text == "RuntimeError: bang"


# -- bench -----------------------------------------------------------------------------------------------------------


def test_bench(capsys):
    assert main(["bench", "falling_ball", "slope", "--steps", "3", "--runs", "3", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    ball, slope = found["scenes"]
    assert (ball["scene"], ball["bodies"], ball["steps"], ball["h"]) == ("falling_ball", 1, 3, 0.005)
    assert slope["contacts"] == 28 and found["cores"] >= 1 and found["processor"]
    for timing in (ball, slope):
        times = sorted(timing["ms_per_step"])
        assert len(times) == 3 and timing["ms"] == times[1] > 0
        assert timing["spread"] == pytest.approx((times[2] - times[0]) / times[1])
        assert timing["speed"] == pytest.approx(1000 * timing["h"] / timing["ms"])


def test_bench_prints_a_table(capsys):
    assert main(["bench", "slope", "--steps", "2", "--runs", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[2].split() == ["scene", "bodies", "contacts", "ms", "a", "step", "spread", "times", "real", "time"]
    assert lines[3].split()[:3] == ["slope", "7", "28"] and lines[3].split()[4:6] == ["0", "%"]


def test_bench_refuses(capsys):
    assert main(["bench", "wal"]) == 2
    assert "did you mean wall?" in capsys.readouterr().err


# -- help ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", COMMANDS.names)
def test_every_command_says_what_it_does_with_examples(capsys, name):
    with pytest.raises(SystemExit) as end:
        main([name, "--help"])
    out = capsys.readouterr().out
    assert end.value.code == 0
    assert f"  opendynamics {name}" in out.partition("examples:\n")[2]
