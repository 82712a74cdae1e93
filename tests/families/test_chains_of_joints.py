"""Chains of joints, which the exact solver treats as block tridiagonal systems: the forces are those of a dense solution."""

import numpy as np
import pytest

import opendynamics as od
from opendynamics.core.arrays.islands import ISLAND_BODIES, ISLANDS
from opendynamics.core.arrays.report import INTEGERS
from opendynamics.core.arrays.rows import FORCES, ROWS
from opendynamics.core.solve.exact.joints.chain import BLOCK, COUNT, FIRST
from tests.families.joint_cases import H, add_body, place
from tests.inverse_inertias import inverse_inertias

# Joints with 1, 3, 4, 5 and 6 rows.
KINDS = ("dball", "ball", "universal", "hinge", "slider", "fixed")


def chain_of(kinds, random, *, kinematic=(), grounded=True, order=None):
    world = od.World(gravity=(0, 0, -9.81))
    world.solver, world.integrator = "exact", "euler"
    bodies = [add_body(world, random, speed=2.0) for _ in range(len(kinds) + 1 - grounded)]
    for k in kinematic:
        bodies[k].kinematic = True
    links = [None, *bodies] if grounded else bodies
    for k in range(len(kinds)) if order is None else order:
        first, second = links[k], links[k + 1]
        joint = getattr(world, f"add_{kinds[k]}")(
            *((second, first) if first is None or random.random() < 0.5 else (first, second))
        )
        place(joint, random)
    return world


def dense_forces(world, inverses):
    """Forces by a dense solution of the last step's rows, and the forces that the step found."""
    store = world._store
    island = store[ISLANDS][0]
    assert island["links"] == len(world.joints) and island["bounded_rows"] == 0
    here = slice(island["first_row"], island["first_row"] + island["rows"])
    members = store[ISLAND_BODIES][island["first_body"] : island["first_body"] + island["bodies"]]
    rows, masses = store[ROWS][here], {body._row: body.mass for body in world.bodies if not body.kinematic}
    jacobian, inverse_mass = np.zeros((len(rows), 6 * len(members))), np.zeros((6 * len(members),) * 2)
    for slot, body in enumerate(members):
        at = 6 * slot
        inverse_mass[at : at + 3, at : at + 3] = np.eye(3) / masses.get(body, np.inf)
        inverse_mass[at + 3 : at + 6, at + 3 : at + 6] = inverses[body]
        for slots, sides in (("slot0", "j0"), ("slot1", "j1")):
            own = rows[slots] == slot
            jacobian[own, at : at + 6] += rows[sides][own]
    matrix = jacobian @ inverse_mass @ jacobian.T + np.diag(rows["cfm"])
    return np.linalg.solve(matrix, rows["rhs"]), store[FORCES][here].copy()


def blocks_of(world):
    """First rows and numbers of rows of the blocks, if the step's island was solved as a chain."""
    numbers = world._store[INTEGERS][: BLOCK * len(world.joints)].reshape(-1, BLOCK)
    return numbers[:, FIRST].tolist(), numbers[:, COUNT].tolist()


def is_chain(world):
    joints = sorted((joint._record["first_row"], joint._record["row_count"]) for joint in world.joints)
    return blocks_of(world) == tuple(map(list, zip(*joints, strict=True)))


def check(world):
    inverses = inverse_inertias(world)
    world.step(H)
    expected, found = dense_forces(world, inverses)
    np.testing.assert_allclose(found, expected, rtol=0.0, atol=1e-8 * abs(expected).max())
    assert world.statistics.residual < 1e-14


@pytest.mark.parametrize("first", KINDS)
@pytest.mark.parametrize("second", KINDS)
def test_two_joints(first, second):
    random = np.random.default_rng([KINDS.index(first), KINDS.index(second)])
    for grounded in (True, False):
        world = chain_of((first, second), random, grounded=grounded)
        check(world)
        assert is_chain(world)


def test_long_chains_of_all_kinds():
    random = np.random.default_rng(3)
    for count in (1, 3, 8, 40):
        for grounded in (True, False):
            world = chain_of(random.choice(KINDS, count), random, grounded=grounded)
            check(world)
            assert is_chain(world)


def test_bodies_that_cannot_be_moved_divide_a_chain():
    random = np.random.default_rng(4)
    world = chain_of(["ball", "hinge", "ball", "universal", "slider"], random, kinematic=(2,))
    check(world)
    assert world.statistics.islands == 1 and is_chain(world)


def test_joints_between_moved_bodies_and_a_body_that_cannot_be_moved():
    random = np.random.default_rng(5)
    world = chain_of(["hinge", "ball", "ball"], random, kinematic=(0,), grounded=False)
    check(world)
    assert is_chain(world)


def test_chains_that_are_met_in_the_middle_trees_and_stars_are_solved_too():
    random = np.random.default_rng(6)
    for _ in range(20):
        world = chain_of(["ball"] * 7, random, order=random.permutation(7))
        check(world)
    star = chain_of(["ball"] * 2, random, grounded=False)
    for _ in range(4):
        place(star.add_hinge(star.bodies[1], add_body(star, random, speed=2.0)), random)
    check(star)
    assert not is_chain(star)


def test_two_joints_of_the_same_bodies_and_loops_are_solved_too():
    random = np.random.default_rng(7)
    world = chain_of(["ball", "dball", "ball"], random)
    place(world.add_dball(world.bodies[0], world.bodies[1]), random)
    place(world.add_dball(world.bodies[2], world.bodies[0]), random)
    check(world)
    assert not is_chain(world)


def test_rows_without_cfm_and_redundant_rows_are_left_to_elimination():
    random = np.random.default_rng(8)
    world = chain_of(["ball", "hinge"], random)
    world.cfm = 0.0
    for joint in world.joints[:1]:
        joint.cfm = 0.0
    world.step(H)
    assert not is_chain(world) and world.statistics.residual < 1e-12
    world = chain_of(["dball"], random, grounded=False)
    world.joints[0].anchor2 = world.joints[0].anchor1
    world.step(H)
    assert np.isfinite(world.positions).all()


def test_a_chain_whose_forces_overflow_freezes():
    world = chain_of(["ball", "ball"], np.random.default_rng(9))
    world.bodies[0].add_force((1e308, 1e308, 0.0))
    world.bodies[0].add_force((1e308, 0.0, 0.0))
    with pytest.warns(RuntimeWarning):
        world.step(H)
    assert len(world.faults) > 0 and np.isfinite(world.positions).all()
