"""Forces in joints at rest: T_i is the weight of everything that hangs below."""

from __future__ import annotations

import numpy as np
import pytest

import opendynamics as od

G = 10.0


def hang(masses, kind="ball", first=None):
    """Bodies one below the other, each held by the one above; joints from the top down."""
    world = od.World(gravity=(0, 0, -G))
    bodies = [
        world.add_body(mass=od.Mass(m, 0.1 * m * np.eye(3)), position=(0, 0, -k - 0.5)) for k, m in enumerate(masses)
    ]
    joints = []
    for k, body in enumerate(bodies):
        options = {} if kind == "fixed" else {"anchor": (0, 0, -k)}
        joints.append(getattr(world, f"add_{kind}")(body, bodies[k - 1] if k else None, **options))
    return world, bodies, joints


@pytest.mark.parametrize("kind", ["ball", "hinge", "fixed"])
@pytest.mark.parametrize("masses", [[1.0], [1, 2, 3, 4], [1] * 20, [0.01, 1, 100]])
def test_chain_tension(kind, masses):
    # CFM lets a joint give way by 1e-10/h per N; that goes on in the forces with a part of about 1e-6.
    world, _, joints = hang(masses, kind)
    for _ in range(20):
        world.step(0.01)
    below = G * np.cumsum(masses[::-1])[::-1]
    for k, joint in enumerate(joints):
        feedback = joint.feedback
        assert feedback.force1 == pytest.approx([0, 0, below[k]], rel=1e-5, abs=1e-7)
        assert feedback.torque1 == pytest.approx([0, 0, 0], abs=1e-7)
        expected = [0, 0, -below[k]] if k else [0, 0, 0]  # the static world is not a body and is not reported
        assert feedback.force2 == pytest.approx(expected, rel=1e-5, abs=1e-7)


def test_cantilever_torque():
    # A beam of 2 kg whose centre is 0.5 m from a wall that holds it: torque about its centre = -F x arm: 20 N * 0.5 m.
    world = od.World(gravity=(0, 0, -G))
    beam = world.add_body(mass=2, position=(0.5, 0, 0))
    hinge = world.add_hinge(beam, None, anchor=(0, 0, 0), axis=(0, 0, 1))
    world.step(0.01)
    feedback = hinge.feedback
    assert feedback.force1 == pytest.approx([0, 0, 20], rel=1e-6, abs=1e-9)
    # The force acts at the hinge, where alone it would turn the beam by -0.5 x̂ x 20 ẑ; the hinge's torque undoes that.
    assert feedback.torque1 == pytest.approx([0, 0, 0], abs=1e-5)


def test_feedback_of_a_reversed_joint_is_that_of_its_only_body():
    world = od.World(gravity=(0, 0, -G))
    body = world.add_body(mass=3)
    joint = world.add_ball(None, body)
    world.step(0.01)
    assert joint.feedback.force1 == pytest.approx([0, 0, 30], rel=1e-6)
    assert joint.feedback.force2.tolist() == [0, 0, 0]


def test_feedback_of_contacts_adds_up_to_the_weight():
    world = od.World(gravity=(0, 0, -G))
    ground = world.add_plane()
    box = world.add_body(od.Box((1, 1, 1)), mass=7, position=(0, 0, 0.5))
    contacts = [world.add_contact(contact) for contact in od.collide(box.geoms[0], ground)]
    world.step(0.01)
    total = sum(contact.feedback.force1 for contact in contacts)
    assert total == pytest.approx([0, 0, 70], rel=1e-5, abs=1e-5)


def test_feedback_is_of_the_last_step_only():
    world, bodies, joints = hang([1, 1])
    world.step(0.01)
    assert joints[1].feedback.force1[2] > 0
    joints[1].enabled = False
    world.step(0.01)
    assert not joints[1].feedback.force1.any()
    joints[1].enabled = True
    world.step(0.01)
    assert joints[1].feedback.force1.any()
    joints[1].attach(None, None)
    for _ in range(2):
        assert not joints[1].feedback.force1.any()
        world.step(0.01)
    late = world.add_ball(bodies[1], bodies[0])
    assert not late.feedback.force1.any()


def test_tension_of_a_swinging_pendulum():
    # At the lowest point, from a start level with the pivot: T = 3 m g.
    world = od.World(gravity=(0, 0, -G))
    bob = world.add_body(mass=od.Mass(1, 1e-8 * np.eye(3)), position=(1, 0, 0))
    joint = world.add_ball(bob, None, anchor=(0, 0, 0))
    h = 5e-4
    while bob.position[0] > 0.0:
        world.step(h)
    assert joint.feedback.force1[2] == pytest.approx(3 * G, rel=5e-3)
