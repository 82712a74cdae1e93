"""Rows of contacts are filled in only for solvers that read them: "soft" does not, and reports the same."""

from __future__ import annotations

import math

import numpy as np
import pytest

import opendynamics as od
from opendynamics.core.arrays.contacts import CONTACTS
from opendynamics.core.arrays.islands import ISLANDS
from opendynamics.core.arrays.rows import FORCES, ROWS, VARIANTS

G, H = 9.81, 0.01

SURFACES = {
    "pyramid": od.Surface(mu=0.3, mu2=0.6),
    "ellipse": od.Surface(mu=0.5, mu2=0.2, cone="elliptic"),
    "one direction": od.Surface(mu=0.0, mu2=0.4),
    "rolling": od.Surface(mu=0.4, rolling=0.05, rolling2=0.02, spinning=0.01),
    "box": od.Surface(mu=3.0, friction_model="box"),
    "endless": od.Surface(mu=math.inf),
    "endless box": od.Surface(mu=math.inf, rolling=0.1, friction_model="box"),
}


def skidding(solver, surface):
    """Boxes that slide and spin on the ground."""
    world = od.World(gravity=(0.5, 0.3, -G), solver=solver, surface=surface)
    world.add_plane()
    for k in range(3):
        box = world.add_body(od.Box((1, 0.8, 0.5)), mass=2 + k, position=(2.0 * k, 0, 0.25 - 1e-4))
        box.linear_velocity, box.angular_velocity = (1, 0.4, 0), (0, 0, 1.0)
    return world


@pytest.mark.parametrize("name", SURFACES)
def test_a_contact_force_is_the_sum_over_its_rows(name):
    world = skidding("pgs", SURFACES[name])
    world.advance(H, steps=3)
    store = world._store
    rows, forces = store[ROWS], store[FORCES]
    assert len(world.contacts) >= 3
    for contact, reported in zip(store[CONTACTS], world.contacts.forces, strict=False):
        assert contact["row_count"] > 0
        span = slice(contact["first_row"], contact["first_row"] + contact["row_count"])
        assert reported == pytest.approx(forces[span] @ rows["j0"][span, :3], rel=1e-12)


@pytest.mark.parametrize("name", SURFACES)
def test_bounded_rows_are_counted_without_them(name):
    counts = []
    for solver in ("pgs", "soft"):
        world = skidding(solver, SURFACES[name])
        world.advance(H)
        islands = world._store[ISLANDS][: world._store.used(ISLANDS)]
        counts.append((islands["rows"].tolist(), islands["bounded_rows"].tolist()))
    assert counts[0] == counts[1]


def test_contacts_in_lanes_have_no_rows():
    """Rows that no one reads are not written: they keep their old values."""
    world = od.World(gravity=(0, 0, -G), solver="soft")
    world.add_body(od.Box((100, 100, 1)), position=(0, 0, -0.5), kinematic=True)
    for k in range(30):
        world.add_body(od.Box((1, 1, 1)), position=(2.0 * (k % 6), 2.0 * (k // 6), 0.5), mass=2)
    world.advance(H)
    world._store.make_room(ROWS, 30 * 4 * 3)
    world._store[ROWS]["j0"] = 7.0
    world.advance(H, steps=20)
    store = world._store
    assert world.statistics.rows == 30 * 4 * 3
    assert (store[ROWS]["j0"] == 7.0).all()
    for body in world.bodies[1:]:
        assert world.contact_force(body) == pytest.approx([0, 0, 2 * G], rel=1e-3, abs=1e-3)


def test_users_contacts_in_lanes_have_feedback():
    """Balls on a slab, each on a contact of the user's, with a moment about their centres."""
    world = od.World(gravity=(0, 0, -G), solver="soft", surface=od.Surface(mu=1.0))
    slab = world.add_body(od.Box((100, 100, 1)), position=(0, 0, -0.5), mass=1e6, kinematic=True)
    slab.linear_velocity = (0.5, 0, 0)
    joints = []
    for k in range(30):
        ball = world.add_body(mass=2.0, position=(float(k), 0, 0.5))
        contact = od.Contact((float(k), 0, 0), (0, 0, 1), 0.0)
        joints.append(world.add_contact(contact, od.Surface(mu=0.1), body1=ball, body2=slab))
    world.advance(H, steps=2)
    for joint in joints:
        feedback = joint.feedback
        assert feedback.force1 == pytest.approx([0.1 * 2 * G, 0, 2 * G], rel=1e-3)
        assert feedback.torque1[1] == pytest.approx(-0.5 * feedback.force1[0], rel=0.05)
        assert feedback.force2 == pytest.approx(-feedback.force1)


def test_impacts_one_after_another_have_the_rows_they_need():
    """Newton's cradle by the soft step: the last ball leaves at the first one's speed."""
    world = od.World(gravity=(0, 0, 0), solver="soft", surface=od.Surface(mu=0, bounce=1.0))
    world.impacts = "sequential"
    balls = [world.add_body(od.Sphere(0.5), mass=1, position=(float(k), 0, 0)) for k in range(5)]
    balls[0].position, balls[0].linear_velocity = (-0.5, 0, 0), (1, 0, 0)
    world.advance(H, steps=100)
    assert [ball.linear_velocity[0] for ball in balls] == pytest.approx([0, 0, 0, 0, 1], abs=1e-9)


def test_several_runs_of_a_pair_keep_their_impulses():
    """Tables side by side whose legs were added in turn: contacts of a pair stand apart in the contact cache."""
    world = od.World(gravity=(0, 0, -G), solver="soft")
    board = world.add_body(od.Box((20, 20, 0.2)), mass=1e4, position=(0, 0, 0), kinematic=True)
    tables = [world.add_body(od.Box((1.2, 1.2, 0.1), position=(3.0 * k, 0, 0.6)), mass=4) for k in range(3)]
    for x in (-0.5, 0.5):
        for y in (-0.5, 0.5):
            for table in tables:
                leg = world.add_geom(od.Box((0.1, 0.1, 0.5)))
                leg.body, leg.offset_position = table, (x, y, -0.25)
    world.advance(H, steps=200)
    speeds = [abs(np.concatenate([table.linear_velocity, table.angular_velocity])).max() for table in tables]
    assert max(speeds) < 1e-9
    for table in tables:
        assert world.contact_force(table, board) == pytest.approx([0, 0, 4 * G], rel=1e-3, abs=1e-3)


def wall(world, columns=8):
    """A wall three boxes high: in its one island many manifolds are solved side by side."""
    world.add_plane()
    for k in range(3 * columns):
        world.add_body(
            od.Box((1, 1, 1)), mass=1, position=(k % columns + 0.5 * (k // columns), 0, 0.4999 + k // columns)
        )


def test_contacts_without_rows_take_no_memory_for_them():
    world = od.World(gravity=(0, 0, -G), solver="soft")
    wall(world)
    world.advance(H)
    store = world._store
    assert world.statistics.rows > 300 > 256 == ROWS.room
    assert len(store[FORCES]) >= world.statistics.rows
    assert len(store[ROWS]) == ROWS.room and len(store[VARIANTS]) == VARIANTS.room


@pytest.mark.parametrize("what", ["slip", "joint", "own contact", "impacts"])
def test_rows_that_are_wanted_among_others_have_room(what):
    """The island or link that has rows comes last, behind all those that have none."""

    def run(room):
        world = od.World(gravity=(0, 0, -G), solver="soft")
        world.impacts = "sequential" if what == "impacts" else "simultaneous"
        if what == "slip":
            world.surfaces["ice", "default"] = od.Surface(slip1=1e-3)
        if what == "impacts":
            world.surfaces["ice", "default"] = od.Surface(bounce=0.5)
        ice = world.add_body(od.Box((1, 1, 1), material="ice"), mass=1, position=(-9, 0, 0.4999))
        ice.linear_velocity = (1, 0, -1.0)
        wall(world)
        if what == "joint":
            world.add_ball(None, ice, anchor=(-9, 0, 1))
        if what == "own contact":
            world.add_contact(od.Contact(position=(-9, 0, 0), normal=(0, 0, 1), depth=1e-4), od.Surface(), ice, None)
        for table in (ROWS, VARIANTS) if room else ():
            world._store.make_room(table, 10_000)
        world.advance(H, steps=4)
        return world

    world, roomy = run(False), run(True)
    assert len(world._store[ROWS]) >= world.statistics.rows > ROWS.room
    assert world.state_hash() == roomy.state_hash()
