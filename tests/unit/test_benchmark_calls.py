"""The benchmark of single calls: every call does what its label says, and is timed in turn."""

import math

import pytest

from benchmarks import calls


@pytest.mark.parametrize("timed", calls.TIMED, ids=[timed.label for timed in calls.TIMED])
def test_every_call_can_be_repeated(timed):
    world, hinge = calls.small_world()
    call = timed.prepare(world, hinge)
    before = len(world.bodies), len(world.joints), world.time
    call()
    call()
    after = len(world.bodies), len(world.joints), world.time
    grows = [b - a for a, b in zip(before, after, strict=True)]
    wanted = [2 * timed.label.startswith("add_body"), 2 * (timed.label == "add_ball"), 0.0]
    if timed.label.startswith(("step", "advance")):
        wanted[2] = 2 * calls.H
    assert grows == pytest.approx(wanted)


def test_the_table_has_a_line_for_each_call(monkeypatch, capsys):
    monkeypatch.setattr(calls, "CALLS", 2)
    monkeypatch.setattr(calls, "has_pyode", lambda python: False)
    assert calls.main(["--turns", "3"]) == 0
    lines = capsys.readouterr().out.splitlines()[3:]
    assert [line.split("|")[1].strip() for line in lines] == [timed.label for timed in calls.TIMED]
    for line in lines:
        middle, low, high = line.split("|")[2].replace("(", " ").replace("–", " ").rstrip(" )").split()
        assert 0.0 < float(low) <= float(middle) <= float(high) < math.inf
        assert line.endswith("| – |")
