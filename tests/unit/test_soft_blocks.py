"""Rows of a link that the soft step solves together, compared with NumPy and with the same rows one after another."""

from __future__ import annotations

import numpy as np
import pytest

import opendynamics as od
from opendynamics.core.arrays.rows import ROW
from opendynamics.core.solve.soft import blocks
from opendynamics.core.solve.soft.blocks import apply_block, load_block, solve_block
from opendynamics.core.solve.soft.plan.layout import BODY, JOINT, MAX_HARD, MOVED

numba = pytest.importorskip("numba")

LANES = 8
FIRST, GAP = 2, 3  # of the rows: the first, and how many are between the first half and the rest
OVER_STEP = 400.0


@numba.njit
def load(block, rows, count, rest, hard, mass0, inertia0, mass1, inertia1):
    load_block(block, rows, FIRST, count, rest, hard, mass0, inertia0, mass1, inertia1, OVER_STEP)


@numba.njit
def iterate(block, a, b, aim, keeps, yields, summed, changes):
    solve_block(block, a, b, aim, keeps, yields, summed, changes)


@numba.njit
def apply(block, a, b):
    apply_block(block, a, b)


class Joint:
    """Random rows of a joint, and what NumPy makes of them."""

    def __init__(self, hard: int, seed: int, redundant: bool = False) -> None:
        rng = np.random.default_rng(seed)
        self.jacobian = rng.normal(size=(hard, 12))
        if redundant:
            self.jacobian[-1] = 2.0 * self.jacobian[0] - self.jacobian[1]
        self.bias, self.cfm = rng.normal(size=hard), np.zeros(hard) if redundant else rng.uniform(0, 1e-4, hard)
        roots = rng.normal(size=(2, 3, 3))
        self.masses, self.inertias = rng.uniform(0.5, 2, 2), roots @ roots.transpose(0, 2, 1) + 0.1 * np.eye(3)
        inverse = np.zeros((12, 12))
        for side in range(2):
            inverse[6 * side : 6 * side + 3, 6 * side : 6 * side + 3] = self.masses[side] * np.eye(3)
            inverse[6 * side + 3 : 6 * side + 6, 6 * side + 3 : 6 * side + 6] = self.inertias[side]
        self.responses = self.jacobian @ inverse
        self.matrix = self.responses @ self.jacobian.T + np.diag(self.cfm * OVER_STEP)
        rows, count = np.zeros(FIRST + GAP + hard, ROW), (hard + 1) // 2
        places = FIRST + np.arange(hard) + GAP * (np.arange(hard) >= count)
        rows["j0"] = np.nan  # of other joints
        own = np.zeros(hard, ROW)
        own["j0"], own["j1"], own["bias"], own["cfm"] = self.jacobian[:, :6], self.jacobian[:, 6:], self.bias, self.cfm
        own["lo"], own["hi"] = -np.inf, np.inf
        self.block = np.zeros(JOINT)
        inertias = [tuple(each.ravel()) for each in self.inertias]
        rows[places] = own
        load(self.block, rows, count, FIRST + GAP, hard, self.masses[0], inertias[0], self.masses[1], inertias[1])

    def lanes(self, at: int) -> np.ndarray:
        return self.block[at : at + LANES]


@pytest.mark.parametrize("hard", range(1, MAX_HARD + 1))
def test_a_block_is_solved_as_a_linear_system(hard: int) -> None:
    joint, rng, n = Joint(hard, hard), np.random.default_rng(10 + hard), hard
    a, b, changes = rng.normal(size=BODY), rng.normal(size=BODY), np.zeros(2 * LANES)
    old = rng.normal(size=n)
    joint.lanes(blocks.IMPULSE)[:n] = old
    v = np.concatenate([a[:6], b[:6]])
    rest = a[6:].copy(), b[6:].copy()
    step = np.linalg.solve(joint.matrix, joint.bias - joint.jacobian @ v - joint.cfm * OVER_STEP * old)
    step = 0.75 * step - 0.25 * old
    iterate(joint.block, a, b, blocks.AIM, 0.75, 0.25, 0.5, changes)
    after = v + step @ joint.responses
    np.testing.assert_allclose(np.concatenate([a[:6], b[:6]]), after, rtol=0, atol=1e-11)
    np.testing.assert_allclose(joint.lanes(blocks.IMPULSE), [*(old + step), *[0.0] * (LANES - n)], atol=1e-11)
    np.testing.assert_allclose(joint.lanes(blocks.TOTAL)[:n], 0.5 * (old + step), atol=1e-11)
    np.testing.assert_allclose(changes[:n], abs(step), atol=1e-11)
    assert (a[MOVED:] == rest[0]).all() and (b[MOVED:] == rest[1]).all()
    apply(joint.block, a, b)
    np.testing.assert_allclose(np.concatenate([a[:6], b[:6]]), after + (old + step) @ joint.responses, atol=1e-11)


@pytest.mark.parametrize("hard", [3, 5, 6])
def test_a_redundant_row_has_no_impulse(hard: int) -> None:
    joint, changes = Joint(hard, hard, redundant=True), np.zeros(2 * LANES)
    a, b = np.zeros(BODY), np.zeros(BODY)
    iterate(joint.block, a, b, blocks.AIM, 1.0, 0.0, 1.0, changes)
    reached = joint.jacobian @ np.concatenate([a[:6], b[:6]])
    np.testing.assert_allclose(reached[:-1], joint.bias[:-1], atol=1e-9)
    assert joint.lanes(blocks.IMPULSE)[hard - 1] == 0.0


@pytest.mark.parametrize("cone", ["pyramid", "elliptic"])
@pytest.mark.parametrize("mu", [0.3, np.inf])
def test_rows_of_a_contact_together_are_those_one_by_one(cone: str, mu: float) -> None:
    """Rolling friction, here next to none, has a contact's rows solved one by one."""
    states = []
    for rolling in (None, 1e-12):
        surface = od.Surface(
            mu=mu, rolling=rolling, cone=cone, soft_erp=0.3
        )  # with an ERP of its own it is not in lanes
        world = od.World(solver="soft", surface=surface)
        world.add_plane(normal=(0.1, 0.05, 1))
        body = world.add_body(od.Box((0.4, 0.3, 0.2)), position=(0, 0, 0.13), linear_velocity=(1, 0.5, -1), mass=2)
        top = world.add_body(od.Sphere(0.1), position=(0.02, 0.01, 0.33), mass=1.0)
        world.advance(0.01, steps=20)
        states.append([*body.position, *body.linear_velocity, *body.angular_velocity, *top.position])
    np.testing.assert_allclose(states[0], states[1], rtol=0, atol=1e-7)
