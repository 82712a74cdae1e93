"""The benchmark of scenes: interleaved engines, ratios by round, equal error measures, reasons for missing engines."""

import json

import numpy as np
import pytest

from benchmarks import precision, run, table
from benchmarks.errors import errors_of
from benchmarks.peers.mujoco_scene import MujocoPeer
from benchmarks.peers.ode_c import OdePeer
from benchmarks.peers.ours import OursPeer
from benchmarks.peers.pybullet_scene import PybulletPeer
from opendynamics.io.bench_scene import parse_bench_scene

BOXES = """\
plane 0 0 1 0
body box 0 0 0.45  1 0 0 0  2  1 1 1
body box 0 0 1.4   1 0 0 0  2  1 1 1
"""
PENDULUM = """\
nogeom_body 1 0 0  1 0 0 0  1  0.1
nogeom_body 2 0 0  1 0 0 0  1  0.1
ball 0 -1 0.5 0 0
ball 0 1 1.5 0 0
"""


def scene(text):
    return parse_bench_scene(text, "trial")


def state_of(*positions):
    state = np.zeros((len(positions), 13))
    state[:, :3], state[:, 3] = positions, 1.0
    return state


class Slow(OursPeer):
    """An engine whose steps take two seconds."""

    name = "slow"

    def run(self, steps, stepper="step"):
        return 2.0 * steps


class Failing(OursPeer):
    name = "failing"

    def __init__(self, scene, *, space="hash"):
        raise ValueError("no such shape")


def test_errors_of_a_state():
    errors = errors_of(scene(BOXES), state_of((0, 0, 0.45), (0, 0, 1.42)))
    assert errors.depth == pytest.approx(0.05) and errors.joint == 0.0 and errors.lowest == 0.45
    moving = state_of((1, 0, 0.3), (2, 0, 0))
    moving[1, 9] = 3.0
    errors = errors_of(scene(PENDULUM), moving)
    assert errors.depth == 0.0 and errors.joint == pytest.approx(0.3)
    assert errors.energy == pytest.approx(9.81 * 0.3 + 0.5 * 3.0**2)


@pytest.mark.parametrize("samples", [0, 1])
def test_terrains_have_two_samples_a_side(samples):
    with pytest.raises(ValueError, match=f"n = {samples} samples make no surface in .*; write 2 or more"):
        scene(f"hfield {samples} 3\n")
    assert scene("hfield 2 0.5\n").terrains[0].cell == 0.5


def test_ratios_are_of_rounds_and_failures_have_reasons():
    case = run.Case("pendulum2", "step", 0, 5)
    result = run.measure(case, scene(PENDULUM), [OursPeer, Slow, Failing], 2, "hash")
    assert len(result.times["opendynamics"]) == 2
    assert result.failures == {"slow": "a step takes 2000 ms", "failing": "ValueError: no such shape"}
    result.times["slow"] = [2.0 * ms for ms in result.times["opendynamics"]]
    result.errors["slow"] = result.errors["opendynamics"]
    assert result.ratios("opendynamics", "slow") == [0.5, 0.5]
    lines = run.table_lines(result, [OursPeer, Slow, Failing]).splitlines()
    assert len(lines) == 4 and lines[1].split()[2] == "slow" and "0.5 (0.5-0.5)" in lines[1]
    assert lines[3] == "    failing cannot: ValueError: no such shape"


def test_the_whole_program(tmp_path, capsys):
    file = tmp_path / "figures.json"
    words = ["--scenes", "pendulum2", "--stepper", "default", "--repeat", "1", "--no-start-up", "--json", str(file)]
    assert run.main(words) == 0
    (case,) = json.loads(file.read_text())["cases"]
    assert case["ms_per_step"]["opendynamics"][0] > 0.0 and case["errors"]["opendynamics"]["joint"] < 5e-3
    assert "What is unfair" in capsys.readouterr().out
    table.main([str(file)])
    (row,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith("| pendulum2 |")]
    joint = 1e3 * case["errors"]["opendynamics"]["joint"]
    assert f"{case['ms_per_step']['opendynamics'][0]:.3g} (" in row and f"| {joint:.3g}" in row


def test_errors_of_pendulums_fall_with_the_order_of_the_method():
    methods = [precision.Method("opendynamics", OursPeer, OursPeer.available), precision.VERLET]
    curves = precision.measure(scene(PENDULUM), 1, methods)
    first, second = (np.array(curves[method.label].errors) for method in methods)
    steps = np.array(precision.STEPS)
    assert list(second[:4] / second[1:5]) == pytest.approx(list((steps[:4] / steps[1:5]) ** 2), rel=0.3)
    assert (first[:3] / first[1:4] > 1.5).all() and (second < first).all()
    assert all(len(times) == 1 and times[0] > 0.0 for curve in curves.values() for times in curve.times)


def test_methods_are_compared_at_errors_that_both_reach():
    costly = precision.Curve([0.02, 0.01], [1e-3, 1e-4], [[1.0], [10.0]])
    cheap = precision.Curve([0.02, 0.01], [1e-2, 2e-4], [[0.05], [2.5]])  # half the time of the other at equal error
    assert precision.ratio_at_equal_error(cheap, costly) == pytest.approx([0.5] * precision.SAMPLES)
    better = precision.Curve([0.02], [1e-6], [[1.0]])
    assert precision.ratio_at_equal_error(better, costly) == []


@pytest.mark.parametrize("peer", [OdePeer, MujocoPeer, PybulletPeer], ids=lambda peer: peer.name)
def test_every_engine_has_the_same_scene(peer):
    """Two boxes that fall freely, and a pendulum that swings: states agree after a few steps."""
    here, reason = peer.available()
    if not here:
        pytest.skip(reason)
    falling = scene("plane 0 0 1 0\nbody box 0 0 3  0.8 0.6 0 0  2  1 2 3\nbody capsule 5 0 4  0.8 0 0.6 0  1  0.3 1\n")
    for text in (falling, scene(PENDULUM)):
        states = []
        for engine in (OursPeer, peer):
            one = engine(text)
            one.run(20, "default")
            states.append(one.state())
            one.close()
        # After 0.2 s: integrators and joints differ by the step, a wrong inertia or joint by more.
        assert states[0][:, :7] == pytest.approx(states[1][:, :7], abs=0.01)
        assert states[0][:, 7:] == pytest.approx(states[1][:, 7:], abs=0.1)
