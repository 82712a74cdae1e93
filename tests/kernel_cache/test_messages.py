"""Output of a first run: a changing line on a terminal, the same in a progress bar, one plain line elsewhere."""

import io
import re
import sys
import time

import pytest

from opendynamics.api import progress as bars
from opendynamics.core.compile import messages
from opendynamics.core.compile.messages import PLAIN_LINE, Messages

LINE = re.compile(r"compiling kernel (\d+) of (\d+) \((\d+) s\), once for this machine: ([\w.]+)")


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture(autouse=True)
def quick(monkeypatch, tmp_path):
    monkeypatch.setattr(messages, "TICK", 0.01)
    monkeypatch.setattr(messages, "MOMENT", 0.05)
    monkeypatch.setenv("OPENDYNAMICS_CACHE_DIR", str(tmp_path))


@pytest.fixture
def said():
    """Separate messages, whose thread has ended when the test ends."""
    said = Messages()
    yield said
    while said._ticking:
        time.sleep(0.01)


def until(condition):
    deadline = time.monotonic() + 10.0
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def test_a_terminal_shows_which_kernel_of_how_many_and_ticks(said, monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    said.announce({"core.one": "1", "core.two": "2", "core.three": "3"})
    with said.waiting_for("core.one", "1"):
        until(lambda: len(LINE.findall(terminal.getvalue())) > 2)
    assert terminal.getvalue().endswith("\r\x1b[K")  # nothing is left of it
    with said.waiting_for("core.two", "2"):
        until(lambda: terminal.getvalue().endswith("core.two") or "two" in terminal.getvalue())
    shown = LINE.findall(terminal.getvalue())
    assert shown[0] == ("1", "3", "0", "one") and shown[-1] == ("2", "3", "0", "two")


def test_what_another_process_has_compiled_counts(said, monkeypatch, tmp_path):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    tmp_path.chmod(0o700)
    (tmp_path / "2").write_bytes(b"")
    said.announce({"one": "1", "two": "2", "three": "3"})
    with said.waiting_for("one", "1"):
        until(lambda: LINE.search(terminal.getvalue()))
    assert LINE.findall(terminal.getvalue())[0][:2] == ("2", "3")


def test_a_line_fits_the_terminal(said, monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("COLUMNS", "50")
    with said.waiting_for("core." + "very." * 20 + "long", ""):
        until(lambda: len(terminal.getvalue()) > 200)
    assert all(len(line) < 50 for line in terminal.getvalue().split("\r\x1b[K"))


def test_elsewhere_one_plain_line(said, monkeypatch):
    log = io.StringIO()
    monkeypatch.setattr(sys, "stderr", log)
    for kernel in ("one", "two"):
        with said.waiting_for(kernel, ""):
            until(log.getvalue)
            time.sleep(0.05)
    assert log.getvalue() == PLAIN_LINE


def test_a_moment_is_not_worth_a_line(said, monkeypatch):
    log = io.StringIO()
    monkeypatch.setattr(sys, "stderr", log)
    monkeypatch.setattr(messages, "MOMENT", 10.0)
    with said.waiting_for("one", ""):
        time.sleep(0.05)
    monkeypatch.setattr(messages, "MOMENT", 0.0)
    assert not log.getvalue()


def test_without_stderr_nothing_fails(said, monkeypatch):
    monkeypatch.setattr(sys, "stderr", None)
    with said.waiting_for("one", ""):
        time.sleep(0.1)


@pytest.mark.parametrize("rich", [False, True])
def test_a_progress_bar_takes_it_in(said, monkeypatch, rich):
    """No text is written next to the bar; the bar's own label comes back."""
    if rich:
        pytest.importorskip("rich")
    else:
        monkeypatch.setattr(bars, "_rich", lambda: None)
    monkeypatch.setattr(bars, "MESSAGES", said)
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with bars.progress(10, "playing") as update:
        update(3)
        with said.waiting_for("core.one", "1"):
            until(lambda: LINE.search(terminal.getvalue()))
        before = len(terminal.getvalue())
        update(10)
        until(lambda: "playing" in terminal.getvalue()[before:])
    assert "opendynamics: compiling" not in terminal.getvalue()
    if not rich:
        assert re.search(r"one \[#{9}\.{21}\] 30 %", terminal.getvalue())
