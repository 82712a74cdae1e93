"""PyODE's tutorials, rewritten, with `import ode`: the motion is ODE's.

tests/data/pyode/tutorials.json.gz holds what ODE 0.16 did, recorded by record_tutorials.py.
"""

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
RECORDED = json.loads(gzip.decompress((ROOT / "tests" / "data" / "pyode" / "tutorials.json.gz").read_bytes()))
TUTORIALS = sorted(path.stem for path in (HERE / "tutorials").glob("*.py"))
STEPS = 300


def run(name, *, shim):
    """The output of a script, run with the distribution in compat/ode or by the runner."""
    script = HERE / "tutorials" / f"{name}.py"
    path = [ROOT, ROOT / "compat" / "ode"] if shim else [ROOT]
    command = [sys.executable, *([] if shim else ["-m", "opendynamics.pyode", "--raise"]), script, STEPS]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, path))}
    done = subprocess.run(list(map(str, command)), env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Exception" not in done.stderr
    return json.loads(done.stdout)


def test_every_tutorial_is_recorded():
    assert sorted(RECORDED["rows"]) == TUTORIALS


@pytest.mark.parametrize("name", TUTORIALS)
def test_the_motion_is_odes(name):
    every = RECORDED["every"]
    rows = run(name, shim=TUTORIALS.index(name) % 2 == 0)
    assert len(rows) == STEPS
    for number, (ours, odes) in enumerate(zip(rows[every - 1 :: every], RECORDED["rows"][name], strict=True), 1):
        np.testing.assert_allclose(ours, odes, rtol=1e-6, atol=1e-6, err_msg=f"step {number * every}")
