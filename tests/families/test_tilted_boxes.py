"""Boxes whose edges cross nearly within faces: a closed form, compared with the manifold of equal convex hulls."""

from __future__ import annotations

import numpy as np
import pytest

import opendynamics as od

CORNERS = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])


def turned(p, q):
    """The product of two quaternions."""
    return np.r_[p[0] * q[0] - p[1:] @ q[1:], p[0] * q[1:] + q[0] * p[1:] + np.cross(p[1:], q[1:])]


def matrix(quaternion):
    return np.asarray(od.Box((1, 1, 1), quaternion=quaternion).rotation).reshape(3, 3)


def places(seed, count, lean=0.0):
    """Sizes and places of two boxes, one lying on any face of the other, a little tilted; seen from anywhere.

    lean: rad, so far it stands on an edge there, at least; and at most twice that.
    """
    random = np.random.default_rng(seed)
    for _ in range(count):
        a, b = random.uniform(0.3, 2.0, (2, 3))
        axis, side = random.integers(3), random.choice([-1, 1])
        yaw = random.choice([random.uniform(-np.pi, np.pi), 0.5 * np.pi * random.integers(2) + 1e-3 * random.normal()])
        about = np.r_[np.cos(0.5 * yaw), np.sin(0.5 * yaw) * np.eye(3)[axis]]
        tilt = np.r_[1.0, random.normal(size=3) * 10 ** random.uniform(-4, -1.5)]
        turn = turned(tilt / np.linalg.norm(tilt), about)
        if lean > 0.0:
            angle = lean * random.uniform(1.0, 2.0)
            turn = turned(turn, np.r_[np.cos(0.5 * angle), np.sin(0.5 * angle) * np.eye(3)[(axis + 1) % 3]])
        offset = random.uniform(-0.4, 0.4, 3) * (a + b)
        reach = 0.5 * np.abs(matrix(turn)[axis]) @ b
        offset[axis] = side * (0.5 * a[axis] + reach - 10 ** random.uniform(-5, -1.5))
        frame, origin = random.normal(size=4), random.normal(size=3)
        frame /= np.linalg.norm(frame)
        yield (a, origin, frame), (b, origin + matrix(frame) @ offset, turned(frame, turn))


def geoms(make, *poses):
    return [make(size, position=position, quaternion=quaternion) for size, position, quaternion in poses]


def numbers(contacts):
    return np.array([(*contact.position, contact.depth, *contact.normal) for contact in contacts]).reshape(-1, 7)


def tilted(boxes, contacts):
    """Whether the contacts' normal is not a face normal."""
    normal = np.asarray(contacts[0].normal)
    return all(np.abs(matrix(pose[2]).T @ normal).max() < 1 - 1e-12 for pose in boxes)


@pytest.mark.parametrize(("lean", "order"), [(0.0, 1), (0.0, -1), (0.2, 1), (0.2, -1)])
def test_contacts_are_those_of_hulls(lean, order):
    tried = several = 0
    for poses in places(1, 400, lean):
        boxes = geoms(od.Box, *poses)[::order]
        contacts = od.collide(*boxes, max_contacts=20)
        if not contacts or not tilted(poses, contacts):
            continue
        tried, several = tried + 1, several + (len(contacts) > (1 if lean else 2))
        hulls = geoms(lambda size, **place: od.Convex.hull(CORNERS * size, **place), *poses)[::order]
        ours, theirs = numbers(contacts), numbers(od.collide(*hulls, max_contacts=20))
        assert len(ours) == len(theirs)
        apart = np.abs(ours[:, None] - theirs[None]).max(axis=2)
        assert max(apart.min(axis=0).max(), apart.min(axis=1).max()) < 1e-9
    assert tried >= 50 and several >= 25


@pytest.mark.parametrize("twist", [0.0, 1e-7, 1e-5, 1e-3])
def test_a_card_that_leans_a_little_askew_stands_on_both_ends_of_its_edge(twist):
    """Where the edges cross it is least deep; with that contact alone it would turn about it, as cards of a house did."""
    floor = od.Box((0.3, 0.0599, 0.002))
    lean = od.rotation.from_axis_angle((0, 1, 0), 0.43) @ od.rotation.from_axis_angle((1, 0, 0), twist)
    lowest = 0.5 * np.abs(lean[2]) @ (0.002, 0.06, 0.1)
    card = od.Box((0.002, 0.06, 0.1), position=(0, 0, 0.001 + lowest - 0.0599 * twist - 1e-5))
    card.rotation = lean
    contacts = od.collide(floor, card)
    assert {np.sign(contact.position[1]) for contact in contacts} == {-1, 1}
    depths = sorted(contact.depth for contact in contacts)
    assert depths[0] > 0.9e-5 and depths[-1] - depths[0] <= 0.06 * twist + 1e-12


def test_a_limit_keeps_the_deepest_and_counts_the_others():
    tried = 0
    for poses in places(2, 100):
        boxes = geoms(od.Box, *poses)
        whole = od.collide(*boxes, max_contacts=20)
        if len(whole) > 2 and tilted(poses, whole):
            part = od.collide(*boxes, max_contacts=2)
            assert (len(part), part.left_out) == (2, len(whole) - 2)
            assert max(c.depth for c in part) == max(c.depth for c in whole)
            tried += 1
    assert tried >= 10
