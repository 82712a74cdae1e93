"""Shares of the slow tests: every test is in one of them; CI runs another one for each commit."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.conftest import pytest_collection_modifyitems
from tests.slow_share import is_in_share, parse_share

ROOT = Path(__file__).parents[2]
NAMES = [f"tests/families/test_pairs.py::test_gaps[{k}-box]" for k in range(500)]


@pytest.mark.parametrize("count", [1, 7, 20])
def test_every_test_is_in_one_share_and_shares_are_about_equal(count):
    sizes = [sum(is_in_share(name, (which, count)) for name in NAMES) for which in range(count)]
    assert sum(sizes) == len(NAMES)
    assert max(sizes) < 2 * len(NAMES) / count


@pytest.mark.parametrize("text", ["", "3", "20/20", "-1/20", "a/b", "1/0", "1/2/3"])
def test_what_is_no_share_is_refused(text):
    with pytest.raises(ValueError, match="K/N"):
        parse_share(text)


class Item:
    def __init__(self, nodeid, slow):
        self.nodeid, self.slow = nodeid, slow

    def get_closest_marker(self, name):
        return (name == "slow" and self.slow) or None


class Config:
    def __init__(self, share):
        self.share, self.hook, self.left_out = share, self, []

    def getoption(self, name):
        return self.share

    def pytest_deselected(self, items):
        self.left_out = items


@pytest.mark.parametrize("share", [None, "3/20"])
def test_only_slow_tests_are_left_out(share):
    items = [Item(name, slow=k % 2 == 0) for k, name in enumerate(NAMES)]
    left, config = list(items), Config(share)
    pytest_collection_modifyitems(config, left)
    expected = [item for item in items if not item.slow or share is None or is_in_share(item.nodeid, (3, 20))]
    assert left == expected
    assert len(left) + len(config.left_out) == len(items)


def test_ci_takes_a_share_by_the_commit():
    program = ROOT / ".ci" / "run"
    if not program.exists():
        pytest.skip("a source distribution has no .ci")
    text = program.read_text()
    (line,) = [line for line in text.splitlines() if line.startswith("share=")]
    assert "--slow-share=$share" in text
    for commit, expected in (("0000003", "3/20"), ("00000ff", "15/20"), ("", "0/20")):
        script = f"git() {{ printf '%s' '{commit}'; }}\n{line}\nprintf '%s' \"$share\""
        done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True, env=dict(os.environ))
        assert done.stdout == expected
        assert re.fullmatch(r"\d+/20", done.stdout)
