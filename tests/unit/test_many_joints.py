"""Joints created in one call equal those created one by one, to the last bit."""

import numpy as np
import pytest

import opendynamics as od

RANDOM = np.random.default_rng(3)
COUNT = 20
ANCHORS, AXES = RANDOM.normal(size=(COUNT, 3)), RANDOM.normal(size=(COUNT, 3))
PLACES, TURNS = RANDOM.normal(size=(COUNT + 1, 3)) * 3, RANDOM.normal(size=(COUNT + 1, 4))


def chain():
    """A world with bodies at all angles, and freed rows of joints; pairs of neighbours, some of them with the static world."""
    world = od.World(gravity=(0, 0, -9.81), erp=0.3, cfm=1e-6)
    bodies = world.add_bodies(od.Box((0.1, 0.2, 0.3)), PLACES, quaternions=TURNS)
    old = [world.add_ball(body, None) for body in bodies[:4]]
    for k in (2, 0):
        old[k].destroy()
    pairs = [(bodies[k], bodies[k + 1]) for k in range(COUNT)]
    pairs[3], pairs[5] = (bodies[3], None), (None, bodies[5])
    return world, pairs


CASES = {
    "ball": ("ball", {"anchors": ANCHORS}),
    "ball where the first body is": ("ball", {}),
    "hinge": ("hinge", {"anchors": ANCHORS, "axes": AXES}),
    "hinge with stops": ("hinge", {"anchors": ANCHORS, "axes": (0, 0, 1), "stops": (-1, 1)}),
    "slider": ("slider", {"axes": AXES}),
    "fixed": ("fixed", {}),
    "piston": ("piston", {"anchors": ANCHORS, "axes": AXES}),
}


def one_by_one(world, kind, pairs, anchors=None, axes=None, **options):
    made = []
    for k, pair in enumerate(pairs):
        own = {} if anchors is None else {"anchor": anchors[k]}
        if axes is not None:
            own["axis"] = axes if np.ndim(axes) == 1 else axes[k]
        made.append(getattr(world, f"add_{kind}")(*pair, **own, **options))
    return made


@pytest.mark.parametrize("name", CASES)
def test_they_are_those_made_one_by_one(name):
    kind, options = CASES[name]
    (world, pairs), (other, others) = chain(), chain()
    group, twin = od.JointGroup(), od.JointGroup()
    joints = world.add_joints(kind, pairs, group=group, names=[f"joint {k}" for k in range(COUNT)], **options)
    one_by_one(other, kind, others, group=twin, **options)
    assert joints == list(world.joints[-COUNT:]) == list(group)
    assert [joint.bodies for joint in joints] == pairs
    assert (joints[4].name, joints[4].kind, joints[5].reversed) == ("joint 4", kind, True)
    assert pairs[0][0].is_connected_to(pairs[0][1]) and joints[0] in pairs[0][1].joints
    for _ in range(2):
        assert world.state_hash() == other.state_hash()
        world.step(0.001)
        other.step(0.001)
    saved = world.save()
    joints[7].destroy()
    group.empty()
    assert len(world.joints) == 2
    world.restore(saved)
    assert world.state_hash() == other.state_hash() and joints[7].alive
    if kind == "hinge":
        assert joints[7].servo(0.1, stiffness=10).alive


def test_beside_contacts_they_keep_their_place_among_the_joints():
    world, pairs = chain()
    contact = world.add_contact(od.Contact(), od.Surface(), *pairs[0])
    joints = world.add_joints("ball", pairs, anchors=ANCHORS)
    assert list(world.joints[2:]) == [contact, *joints]
    assert world.add_joints("ball", [], anchors=[]) == []


def test_they_wake_their_bodies():
    world, pairs = chain()
    pairs[0][0].enabled = pairs[8][1].enabled = False
    world.add_joints("ball", pairs[:4], anchors=ANCHORS[:4])
    assert pairs[0][0].enabled and not pairs[8][1].enabled


@pytest.mark.parametrize(
    ("error", "options", "message"),
    [
        (ValueError, {"kind": "knot"}, "no kind of joints 'knot'; there are .*'ball'"),
        (ValueError, {"kind": "handle"}, "no kind of joints"),
        (ValueError, {"anchors": ANCHORS[:3]}, r"anchors of ball joints must have the shape \(20, 3\)"),
        (ValueError, {"anchors": (0, 0, np.inf)}, "must be finite"),
        (
            ValueError,
            {"kind": "hinge", "axes": np.zeros((COUNT, 3))},
            "zero vectors, which give no direction, but number 0",
        ),
        (ValueError, {"names": ["a"]}, "as many names as joints, 20, not 1"),
        (ValueError, {"pairs": [(None, None)]}, "pair 0 has none"),
        (TypeError, {"pairs": [1]}, "must be two bodies, or a body and None, not 1"),
        (TypeError, {"pairs": [(1, 2)]}, "joins bodies"),
        (ValueError, {"pairs": [(od.World().add_body(), None)]}, "lives in another world"),
        (TypeError, {"group": 1}, "must be a JointGroup"),
        (TypeError, {"stops": (0, 1)}, "has no argument 'stops'"),
    ],
)
def test_what_is_wrong_is_refused_and_nothing_is_made(error, options, message):
    world, pairs = chain()
    before = world.state_hash()
    arguments = {
        "kind": "ball",
        "pairs": pairs,
        "anchors": ANCHORS if len(options.get("pairs", pairs)) > 1 else (0, 0, 0),
    } | options
    with pytest.raises(error, match=message):
        world.add_joints(**arguments)
    assert world.state_hash() == before and len(world.joints) == 2
