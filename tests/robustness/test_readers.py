"""Mutated files: each is read, or rejected with the library's own error, within 200 MB and 2 s.

The files are read in a process of their own, whose memory is limited (`attack`): what asks for more ends in a
MemoryError, which is no error of the library's.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.robustness.attack import MAX_BYTES, MAX_SECONDS
from tests.robustness.readers import READERS

ROOT = Path(__file__).parents[2]
SOME, MANY = 300, 10_000


def attacked(name, first, end):
    words = [sys.executable, "-m", "tests.robustness.attack", name, str(first), str(end)]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    limit = 60 + MAX_SECONDS * (end - first)
    done = subprocess.run(words, env=environment, cwd=ROOT, capture_output=True, text=True, timeout=limit, check=False)
    assert done.returncode == 0, f"the process ended with {done.returncode}: {done.stderr[-2000:]}"
    return json.loads(done.stdout)


def require_sound(name, first, files):
    found = attacked(name, first, first + files)
    assert not found["failures"], "\n".join(f"mutation {k}: {problem}" for k, problem in found["failures"][:20])
    assert found["read"] + found["refused"] == files
    assert found["seconds"] <= MAX_SECONDS and found["bytes"] <= MAX_BYTES
    # Were all refused, nothing but the first check would be tested.
    assert found["refused"] > 0.2 * files and (found["read"] > 0.01 * files or READERS[name].sealed)


@pytest.mark.parametrize("name", READERS)
def test_mutated_files(name):
    require_sound(name, 0, SOME)


def test_signalling_nan_in_joint_forces_is_read_without_a_warning():
    """Found by the mutations of `test_many_mutated_files`."""
    assert not attacked("recording", 5558, 5559)["failures"]


def test_recordings_whose_snapshots_are_before_time_zero_are_read():
    """Found likewise."""
    assert not attacked("recording", 7224, 7225)["failures"]


@pytest.mark.slow
@pytest.mark.parametrize("name", READERS)
def test_many_mutated_files(name):
    require_sound(name, SOME, MANY)
