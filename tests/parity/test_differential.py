"""Random worlds of ODE functions agree with the installed libode; skipped without it.

`python -m benchmarks.differential --seconds 60` goes through many more.
"""

from pathlib import Path

import numpy as np
import pytest

from benchmarks.differential import exclusions
from benchmarks.differential.running import compare
from benchmarks.differential.shrinking import is_rounding
from benchmarks.differential.worlds import random_program
from benchmarks.differential.writer import Writer, functions
from benchmarks.peers.libode import LibOde
from opendynamics import c_api

PAGE = (Path(__file__).parents[2] / "docs" / "deviations.md").read_text()
needs_libode = pytest.mark.skipif(not LibOde.available(), reason="needs libode (on Debian: apt install libode8)")


def all_seen(seeds):
    return {call.name for seed in seeds for call in random_program(seed)}


@needs_libode
@pytest.mark.parametrize("seed", range(1000, 1008))
def test_random_worlds_agree(seed):
    library = LibOde()
    found = compare(random_program(seed), library)
    assert found is None or is_rounding(found, library), found


@needs_libode
@pytest.mark.slow
def test_many_random_worlds_agree():
    library = LibOde()
    for seed in range(1100, 1200):
        found = compare(random_program(seed), library)
        assert found is None or is_rounding(found, library), (seed, found)


def test_a_program_is_that_of_its_seed():
    assert str(random_program(7)) == str(random_program(7)) != str(random_program(8))


def test_programs_call_every_function_of_joints_and_bodies():
    """But for those that are excluded by name, and those whose arguments libode would keep or that do nothing."""
    seen = all_seen(range(150))
    wanted = {*functions("dJointSet"), *functions("dJointGet"), *functions("dBodySet"), *functions("dBodyGet")}
    apart = {
        *("dJointSetData", "dBodySetData", "dBodyGetData", "dBodySetMovedCallback", "dBodyGetNextGeom"),
        *("dJointSetTransmissionMode", "dBodySetMass", "dJointSetPUAxis3", "dJointGetPUAxis3"),
    }
    assert wanted - seen - apart == set()


def test_every_exclusion_is_a_row_of_the_deviations():
    kinds = (exclusions.PAIRS, exclusions.FUNCTIONS, exclusions.BOXES, exclusions.RAYS_FROM_WITHIN)
    reasons = [exclusions.SWEEP_AND_PRUNE, exclusions.SECOND_BODY]
    reasons += [reason for kind in kinds for reason in kind.values()]
    assert [reason for reason in reasons if reason not in PAGE] == []


@needs_libode
@pytest.mark.parametrize("most", [32, 5, 4, 3])
def test_boxes_have_odes_contacts_in_its_order(most):
    rng, library, places = np.random.default_rng(3), LibOde(), 0
    for tilt in (0.0, 1e-3, 1.0):
        for _ in range(60):
            sizes, at, turns = rng.uniform(0.2, 1.0, (2, 3)), rng.normal(0.0, 0.2, 3), tilt * rng.normal(size=(2, 4))
            turns[:, rng.integers(4)] += 1.0
            turns /= np.linalg.norm(turns, axis=1)[:, None]
            found = []
            for ode in (c_api, library):
                boxes = [ode.dCreateBox(0, *map(float, size)) for size in sizes]
                ode.dGeomSetPosition(boxes[1], *map(float, at))
                for box, turn in zip(boxes, turns, strict=True):
                    ode.dGeomSetQuaternion(box, turn.tolist())
                found.append([[*c.pos[:3], *c.normal[:3], c.depth] for c in ode.dCollide(*boxes, most)])
            assert len(found[0]) == len(found[1])
            np.testing.assert_allclose(*found, atol=1e-8)
            places += len(found[0]) == most
    assert most == 32 or places > 10


def test_boxes_of_spaces_are_those_of_their_geoms():
    for space in (c_api.dQuadTreeSpaceCreate(0, (0, 0, 0), (9, 9, 9), 2), c_api.dSweepAndPruneSpaceCreate(0, 36)):
        c_api.dGeomSetPosition(c_api.dCreateSphere(space, 1), 1, 2, 3)
        assert c_api.dGeomGetAABB(space).tolist() == [0, 2, 1, 3, 2, 4]
    assert not c_api.dGeomGetAABB(c_api.dHashSpaceCreate(0)).any()


def test_a_program_draws_axes_normalized_for_joints_of_one_body():
    writer = Writer(1)
    assert np.linalg.norm(writer.arguments("dJointSetHingeAxis", alone=True)) == pytest.approx(1.0)
    assert np.linalg.norm(writer.arguments("dJointSetHingeAxis")) != pytest.approx(1.0, abs=1e-3)
