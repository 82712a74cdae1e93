"""Forces that are added by machine code: what is added is what the Python functions add."""

import sys

import numpy as np
import pytest

import opendynamics as od
from opendynamics.api.compiled_calls.forces import FORCES
from opendynamics.api.compiled_calls.vectorcall import CompiledCall, load_calls_of
from tests.compiled_calls import counts, machine_code_alone, outcome

if CompiledCall is None:
    pytest.skip("this Python calls functions only", allow_module_level=True)

CALLS = {"add_force": od.Body.add_force, "add_torque": od.Body.add_torque}
FUNCTIONS = {name: call.__wrapped__ for name, call in CALLS.items()}

VECTORS = [
    *((1, 2.5, -3), [0.1, 0.2, 0.3], (0, 0, 0), [0.0, -0.0, 1e-300], (10**17 + 1, 1, 1.0), (1e308, 1e308, 1e308)),
    *(np.array([0.1, 0.2, 0.3]), np.arange(12.0)[1::4], np.arange(6.0)[::-2], np.arange(6.0).reshape(3, 2)[:, 1]),
    *(np.arange(3), np.arange(3, dtype=np.float32), np.arange(3).astype(">f8"), np.float64([1, 2, 3]).astype("<f8")),
    *((np.float64(1), 2, 3), (True, 0, 1), (1, 2), (1, 2, 3, 4), [], (1, float("nan"), 2), (float("inf"), 0, 0)),
    *(
        np.zeros(4),
        np.zeros((3, 1)),
        np.zeros((1, 3)),
        np.array(1.0),
        np.array([1, np.nan, 0]),
        np.array(["a", "b", "c"]),
    ),
    *((10**400, 0, 0), ("a", 0, 0), "abc", None, 1.0, {1: 2}, (-1, -1, -1.0), (0, -1.0, 10**400), range(3)),
    np.ma.array([1.0, 2.0, 3.0], mask=[1, 0, 0]),
]


def load_forces():
    load_calls_of(FORCES)
    return od.World(gravity=(0, 0, -10)).add_body(mass=2.0)


@pytest.mark.parametrize("what", ["force", "torque"])
@pytest.mark.parametrize("vector", VECTORS)
def test_forces_are_added_as_by_functions(what, vector):
    found = []
    for call in (CALLS[f"add_{what}"], FUNCTIONS[f"add_{what}"]):
        body = load_forces()
        start = 0.1, -0.0, 3.0
        setattr(body, what, start)
        result = [outcome(call, body, vector) for _ in range(2)]
        found.append((result, body.force.tolist(), body.torque.tolist(), np.signbit(getattr(body, what)).tolist()))
    assert repr(found[0]) == repr(found[1])


def test_machine_code_serves_forces():
    body = load_forces()

    with machine_code_alone(*CALLS.values()):
        for vector in ((1, 2.5, -3), [0.1, 0, 1], np.ones(3), np.ones((3, 2))[:, 0]):
            assert body.add_force(vector) is None
            assert body.add_torque(vector) is None
        with pytest.raises(AssertionError, match="left a call"):
            body.add_force((1, 2))
    assert body.force.tolist() == body.torque.tolist() == pytest.approx([3.1, 4.5, 0.0])


@pytest.mark.parametrize(
    "owner", [None, 1, "body", od.Body, object.__new__(od.Body), type("Mine", (od.Body,), {}), 2.5, ()]
)
def test_only_bodies_have_forces(owner):
    load_forces()
    mine, theirs = (outcome(call["add_force"], owner, (0, 0, 1)) for call in (CALLS, FUNCTIONS))
    assert mine == theirs and mine is not None


def test_bodies_that_are_gone_or_are_a_subclass_s():
    class Mine(od.Body):
        pass

    body = load_forces()
    world, mine = body.world, Mine(body.world)
    mine.add_force((0, 0, 1))
    mine.add_torque((0, 0, 1), local=True)
    assert mine.force.tolist() == mine.torque.tolist() == [0, 0, 1]
    saved = world.save()
    later = world.add_body(mass=1.0)
    body.destroy()
    with pytest.raises(od.DestroyedError):
        body.add_force((0, 0, 1))
    again = world.add_body(mass=1.0)  # in its row
    again.add_force((0, 0, 1))
    with pytest.raises(od.DestroyedError):
        body.add_torque((0, 0, 1))
    assert again.force.tolist() == [0, 0, 1] and again.torque.tolist() == [0, 0, 0]
    world.restore(saved)
    with pytest.raises(od.DestroyedError):  # the restored world has no such row
        later.add_force((0, 0, 1))


def test_forces_wake_sleeping_islands():
    heights = []
    for add_force in (FUNCTIONS["add_force"], CALLS["add_force"]):
        world = od.World(gravity=(0, 0, -10))
        world.add_plane()
        world.auto_disable, world.solver = True, "soft"
        box = world.add_body(od.Box((1, 1, 1)), position=(0, 0, 0.5), mass=1)
        world.advance(0.01, steps=300)
        assert not box.enabled
        add_force(box, (0, 0, 0))
        assert not box.enabled
        for _ in range(20):
            add_force(box, (0, 0, 100))
            world.advance(0.01)
        heights.append(box.position[2])
    assert heights[0] == heights[1] > 0.6


def test_references_to_forces_are_counted():
    body, vector, numbers = load_forces(), (123456.789, 2, 3), np.ones(3)
    for turn in range(10_100):
        if turn == 100:
            before, blocks = counts(body, vector, numbers, None), sys.getallocatedblocks()
        body.add_force(vector)
        body.add_torque(numbers)
        outcome(body.add_force, (10**400, 0, 0))
    assert counts(body, vector, numbers)[:3] == before[:3]
    assert abs(counts(None)[0] - before[3]) < 1000
    assert abs(sys.getallocatedblocks() - blocks) < 200
