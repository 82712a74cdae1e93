"""The exact solver with elliptic cones, compared with a fixed point iteration and with the conditions of a solution.

The rows are those of piles of balls and boxes in a world; the matrix is put together anew, dense, in NumPy.
"""

from __future__ import annotations

import numpy as np
import pytest

import opendynamics as od
from opendynamics.core.arrays.bodies import MOTIONS
from opendynamics.core.arrays.islands import ISLAND_BODIES, ISLANDS
from opendynamics.core.arrays.rows import FORCES, ROWS
from tests.inverse_inertias import inverse_inertias


def pile(seed, count, cfm, **surface):
    """Bodies thrown together so that many touch, and their world."""
    random = np.random.default_rng(seed)
    world = od.World(gravity=(0, 0, -9.81), surface=od.Surface(cone="elliptic", **surface), solver="exact")
    world.cfm = cfm
    world.add_plane()
    for _ in range(count):
        turn = random.normal(size=4)
        world.add_body(
            (od.Sphere(0.3), od.Box((0.5, 0.4, 0.3)), od.Capsule(0.2, 0.4))[random.integers(3)],
            position=random.uniform((-0.4, -0.4, 0.2), (0.4, 0.4, 1.0)),
            quaternion=turn / np.linalg.norm(turn),
            mass=10 ** random.uniform(-0.5, 0.5),
            linear_velocity=random.normal(size=3),
            angular_velocity=random.normal(size=3),
        )
    return world


def problems(world, inverses):
    """Of each island with pairs: A, b, rows, forces, and the residual that was reported."""
    store = world._store
    for island in store[ISLANDS][: store.used(ISLANDS)]:
        if island["pairs"] == 0:
            continue
        span = slice(int(island["first_row"]), int(island["first_row"] + island["rows"]))
        rows, forces = store[ROWS][span], store[FORCES][span]
        first = int(island["first_body"])
        bodies = store[ISLAND_BODIES][first : first + int(island["bodies"])]
        jacobian = np.zeros((len(rows), 6 * len(bodies)))
        for side in (0, 1):
            for k, slot in enumerate(rows[f"slot{side}"]):
                if slot >= 0:
                    jacobian[k, 6 * slot : 6 * slot + 6] += rows[f"j{side}"][k]
        inverse = np.zeros((6 * len(bodies),) * 2)
        for k, body in enumerate(bodies):
            inverse[6 * k : 6 * k + 3, 6 * k : 6 * k + 3] = store[MOTIONS]["inverse_mass"][body] * np.eye(3)
            inverse[6 * k + 3 : 6 * k + 6, 6 * k + 3 : 6 * k + 6] = inverses[body]
        matrix = jacobian @ inverse @ jacobian.T + np.diag(rows["cfm"])
        yield matrix, rows["rhs"].copy(), rows.copy(), forces.copy(), float(island["residual"])


def iterate(matrix, b, rows, lo, hi, sweeps):
    """Row by row, pair by pair, each solved by itself with a step that is short enough; again and again."""
    x = np.zeros(len(b))
    for _ in range(sweeps):
        before, i = x.copy(), 0
        while i < len(b):
            n = 2 if rows["pair"][i] > 0 else 1
            part = slice(i, i + n)
            step = 1 / np.linalg.eigvalsh(matrix[part, part])[-1]
            new = x[part] + step * (b[part] - matrix[part] @ x)
            if n == 2:
                length = np.hypot(*new)
                new *= min(1.0, hi[i] / length) if length > 0 else 1.0
            else:
                new = np.clip(new, lo[part], hi[part])
            x[part] = new
            i += n
        if abs(x - before).max() < 1e-15 * abs(x).max():
            break
    return x


def both_stages(matrix, b, rows, sweeps=20000):
    depends = rows["normal"] >= 0
    lo, hi = np.where(depends, 0.0, rows["lo"]), np.where(depends, 0.0, rows["hi"])
    x = iterate(matrix, b, rows, lo, hi, sweeps)
    hi[depends] = abs(rows["hi"][depends] * x[rows["normal"][depends]])
    lo[depends] = -hi[depends]
    return iterate(matrix, b, rows, lo, hi, sweeps), lo, hi


SURFACES = {
    "circle": {"mu": 0.5},
    "much": {"mu": 3.0},
    "ellipse": {"mu": 0.5, "mu2": 0.15},
    "rolling": {"mu": 0.4, "rolling": 0.02},
    "slips": {"mu": 0.4, "slip1": 0.02, "slip2": 1e-4},
    "belt": {"mu": 0.6, "motion1": 0.7, "motion2": -0.3},
    "forces": {"mu": 3.0, "friction_model": "box"},
    "bounce": {"mu": 0.5, "mu2": 0.8, "bounce": 0.5},
}


@pytest.mark.parametrize("name", SURFACES)
@pytest.mark.parametrize("seed", range(2))
def test_soft_piles_agree_with_the_fixed_point_iteration(name, seed):
    """Softness makes the forces unique, so that they can be compared."""
    world = pile(seed, 4, cfm=1e-2, **SURFACES[name])
    compared = 0
    for _ in range(3):
        inverses = inverse_inertias(world)
        world.advance(0.01)
        for matrix, b, rows, forces, residual in problems(world, inverses):
            assert residual <= 1e-12
            expected, _, _ = both_stages(matrix, b, rows)
            assert abs(forces - expected).max() <= 1e-9 * abs(expected).max()
            compared += 1
    assert compared >= 3


@pytest.mark.parametrize("name", SURFACES)
def test_hard_piles_meet_the_conditions(name):
    """Stage one is not unique here, but what it gave as bounds is: the forces of stage two keep to a disc each."""
    world = pile(7, 12, cfm=1e-10, **SURFACES[name])
    world.restitution = "newton"  # one solution, not a blend of two
    pairs = 0
    for _ in range(40):
        inverses = inverse_inertias(world)
        world.advance(0.01)
        for matrix, b, rows, forces, residual in problems(world, inverses):
            assert residual <= 1e-12
            # Without the frictionless forces the radius of a disc is not known here; that it is one can be seen all the
            # same: where the rows slip, the force points along the slip that is left, whatever its length.
            if not forces.any():
                continue
            residual = b - matrix @ forces
            scale = np.diag(matrix) * abs(forces).max()
            for i in np.flatnonzero(rows["pair"] > 0):
                slip, force = residual[i : i + 2] / scale[i], forces[i : i + 2] / abs(forces).max()
                pairs += 1
                across = slip[0] * force[1] - slip[1] * force[0]
                assert abs(across) <= 1e-11 * np.hypot(*force) + 1e-13
                assert slip @ force >= -1e-11 * np.hypot(*force)
            rest = rows["pair"] == 0
            normal = rest & (rows["lo"] == 0.0)
            assert (forces[normal] >= 0.0).all()
            assert (np.where(forces > 0, abs(residual), np.maximum(residual, 0.0)) / scale)[normal].max() <= 1e-11
    assert pairs > 200


def test_rows_and_forces_come_back_in_their_own_directions():
    """The rows are turned while they are solved; afterwards they are what they were, and feedback is Jᵀλ."""
    world = pile(3, 6, cfm=1e-10, mu=0.5)
    inverses = inverse_inertias(world)
    world.advance(0.01, steps=5)
    for _, _, rows, _, _ in problems(world, inverses):
        for i in np.flatnonzero(rows["pair"] > 0):
            assert (rows["lo"][i], rows["hi"][i], rows["normal"][i]) == (-0.5, 0.5, i - 1)
            assert np.linalg.norm(rows["j0"][i, :3]) == pytest.approx(1.0, abs=1e-15)
            assert rows["j0"][i, :3] @ rows["j0"][i + 1, :3] == pytest.approx(0.0, abs=1e-15)


def test_joints_and_cones_in_one_island():
    """A driven arm that scrapes over the ground: rows without bounds, a motor, and discs."""
    world = od.World(gravity=(0, 0, -9.81), surface=od.Surface(mu=0.7, cone="elliptic"))
    world.add_plane()
    base = world.add_body(od.Box((1, 1, 0.4)), position=(0, 0, 0.2), mass=5)
    arm = world.add_body(
        od.Capsule(0.1, 0.8), position=(0.9, 0, 0.1), mass=1, rotation=od.rotation.from_axis_angle((0, 1, 0), np.pi / 2)
    )
    world.add_hinge(base, arm, anchor=(0.5, 0, 0.2), axis=(0, 0, 1)).motor(velocity=3.0, max_torque=20)
    turned = 0.0
    for _ in range(100):
        world.advance(0.01)
        assert world.statistics.residual <= 1e-12
        turned = max(turned, abs(arm.angular_velocity[2]))
    assert turned > 1.0
