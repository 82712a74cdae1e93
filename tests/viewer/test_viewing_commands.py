"""`opendynamics view`, and `--view` of demo and run, as users call them."""

import re
import signal
import socket
import subprocess
import sys
import urllib.request

import pytest

from opendynamics.cli import main

pytest.importorskip("viser", reason="the live view needs viser")

from tests.viewer.fake_browser import FakeBrowser, until


def start(*words):
    code = "from opendynamics.cli import main; raise SystemExit(main())"
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen([sys.executable, "-c", code, *words], **pipes)


def url_printed_by(process):
    return re.search(r"http://127\.0\.0\.1:\d+/\S+", process.stdout.readline())[0]


def test_it_serves_until_ctrl_c():
    process = start("view", "wall", "--set", "rows=2", "columns=2", "--no-open")
    try:
        url = url_printed_by(process)
        assert "held by contacts" in process.stdout.readline()
        assert process.stdout.readline() == "Ctrl-C ends the view.\n"
        with urllib.request.urlopen(url, timeout=120) as page:
            assert b"<html" in page.read(2000).lower()
        browser = FakeBrowser(url)
        until(lambda: browser.counts["BatchedMeshesMessage"] > 0)
        browser.close()
        process.send_signal(signal.SIGINT)
        assert process.wait(120) == 0
        assert process.stderr.read() == ""
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("words", [("demo", "falling_ball"), ("run", "falling_ball"), ("view", "falling_ball")])
def test_it_ends_by_itself(words, capsys):
    view = [] if words[0] == "view" else ["--view"]
    assert main([*words, *view, "--seconds", "0.3", "--no-open"]) == 0
    reported = capsys.readouterr().out
    assert reported.startswith("opendynamics: falling_ball is shown at http://127.0.0.1:")
    assert "The view ends after 0.3 s." in reported


def test_a_script_with_an_error_ends_with_1(tmp_path, capsys):
    script = tmp_path / "broken.py"
    script.write_text(
        "import opendynamics as od\nfrom opendynamics.scenes import Scene\n"
        "def control(time):\n    raise ArithmeticError('lost the thread')\n"
        "def build():\n    return Scene(od.World(), control=control)\n"
    )
    assert main(["view", str(script), "--seconds", "0.5", "--no-open"]) == 1
    assert "ArithmeticError: lost the thread" in capsys.readouterr().err


def test_what_the_user_can_put_right(tmp_path, capsys):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        assert main(["view", "wall", "--port", port]) == 2
        assert f"port {port} of 127.0.0.1 cannot be used" in capsys.readouterr().err
    assert main(["view", "wall", "--host", "192.0.2.1"]) == 2
    assert "192.0.2.1 is no address of this machine" in capsys.readouterr().err
    assert main(["view", "wall", "--host", ""]) == 2
    assert "must be a name or an address like '127.0.0.1', not ''" in capsys.readouterr().err
    assert main(["view", "wal"]) == 2
    assert "did you mean wall?" in capsys.readouterr().err
    script = tmp_path / "plain.py"
    script.write_text("print('executed')")
    assert main(["run", str(script), "--view"]) == 2
    assert "defines no build()" in capsys.readouterr().err
    for word in ("0", "65536", "http"):
        with pytest.raises(SystemExit):
            main(["view", "--port", word])
        assert "is not a port; write a number from 1 to 65535" in capsys.readouterr().err


def test_a_view_is_not_recorded(tmp_path, capsys):
    for words in (("demo", "falling_ball"), ("run", "falling_ball")):
        assert main([*words, "--view", "--record", str(tmp_path / "a.odr"), "--seconds", "0.1", "--no-open"]) == 2
        assert "a live view has no end to record to" in capsys.readouterr().err
    assert not (tmp_path / "a.odr").exists()


def test_without_viser_it_names_the_command(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "viser", None)
    assert main(["view", "wall"]) == 2
    assert "pip install 'opendynamics[view]'" in capsys.readouterr().err


def test_reset_of_a_script_builds_it_anew(tmp_path):
    script = tmp_path / "scene.py"
    script.write_text("import opendynamics as od\ndef build():\n    return od.World(name='built')\n")
    process = start("view", str(script), "--no-open", "--paused")
    try:
        browser = FakeBrowser(url_printed_by(process))
        script.write_text("def build():\n    raise ValueError('not now')\n")
        browser.press_labelled("Reset")
        until(lambda: any("cannot be built again" in text for text in browser.texts.values()))
        script.write_text(
            "import opendynamics as od\ndef build():\n    w = od.World()\n    w.add_plane()\n    return w\n"
        )
        meshes = browser.counts["BatchedMeshesMessage"]
        browser.press_labelled("Reset")
        until(lambda: browser.counts["BatchedMeshesMessage"] > meshes)
        browser.close()
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=120)
    assert process.returncode == 0
