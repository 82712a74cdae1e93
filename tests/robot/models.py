"""Models for the tests: planar arms with known closed forms, and random trees."""

import math

import numpy as np

from opendynamics.robot import Joint, Link, Model
from opendynamics.robot.loaders import load_robot


def body_file(tmp_path, text, name="model.body"):
    """A .body file with the header in front."""
    path = tmp_path / name
    path.write_text("format: ChoreonoidBody\nformat_version: 1.0\nname: Test\n" + text)
    return path


def load_text(tmp_path, text, **options):
    return load_robot(body_file(tmp_path, text), **options)


def planar_arm(lengths, masses, inertias, rotors=None):
    """Links in the x-z plane that hang along -z at q = 0, hinged about y; the centre of mass is in the middle."""
    root = Joint("BASE", "fixed", 0, None, None, np.array([0, 0, 1.0]))
    links = [Link("BASE", 0, -1, root, np.zeros(3), np.eye(3), 1.0, np.zeros(3), np.eye(3))]
    at = np.zeros(3)
    for k, (length, mass, inertia) in enumerate(zip(lengths, masses, inertias, strict=True)):
        joint = Joint(
            f"J{k}", "revolute", k + 1, k, k, np.array([0, 1.0, 0]), rotor_inertia=0.0 if rotors is None else rotors[k]
        )
        center = np.array([0, 0, -0.5 * length])
        links.append(Link(f"L{k}", k + 1, k, joint, at, np.eye(3), mass, center, np.diag([inertia, inertia, 1e-6])))
        at = np.array([0, 0, -length])
    return Model("arm", links)


def random_model(seed, count=12, free=True, free_inside=False):
    """A tree of links with joints of every kind, axes and frames in all directions."""
    rng = np.random.default_rng(seed)
    links, place = [], 0
    for k in range(count):
        kind = ("free" if free else "fixed") if k == 0 else ("revolute", "prismatic", "fixed", "revolute")[k % 4]
        if free_inside and k == count // 2:
            kind = "free"
        axis = rng.normal(size=3)
        index = None
        if kind in ("revolute", "prismatic"):
            index, place = place, place + 1
        turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        spread = rng.normal(size=(3, 3))
        joint = Joint(f"J{k}", kind, k, None, index, axis / np.linalg.norm(axis))
        links.append(
            Link(
                f"L{k}",
                k,
                int(rng.integers(k)) if k else -1,
                joint,
                rng.normal(size=3),
                turn * np.linalg.det(turn),
                1.0 + rng.random(),
                0.3 * rng.normal(size=3),
                0.1 * (spread @ spread.T + math.e * np.eye(3)),
            )
        )
    return Model(f"random {seed}", links)


def random_state(model, seed):
    rng = np.random.default_rng(seed)
    state = model.state()
    state.q = 0.7 * rng.normal(size=state.q.shape)
    state.velocity = rng.normal(size=model.tree.freedom)
    state.acceleration = rng.normal(size=model.tree.freedom)
    state.base_positions = rng.normal(size=state.base_positions.shape)
    state.base_quaternions = rng.normal(size=state.base_quaternions.shape)
    return state


def moved(state, h):
    """The state after h seconds of its velocity and acceleration, to second order."""
    later = state.copy()
    later.velocity = state.velocity + 0.5 * h * state.acceleration
    later.advance(h)
    later.velocity = state.velocity + h * state.acceleration
    return later
