"""Bodies that can rest on others do: slower than 1e-5 m/s and creeping less than 0.1 mm, from any initial tilt."""

import pytest

from benchmarks.validation.resting import PAIRS, TILTS, capsule_on_our_pillar, speed_and_creep

each_pair = pytest.mark.parametrize(("shape", "ground"), PAIRS, ids=[f"{shape} on {ground}" for shape, ground in PAIRS])


@each_pair
def test_every_shape_rests_on_every_other(shape, ground):
    fastest, creep = speed_and_creep(shape, ground, 1e-2, "exact", 2.0)
    assert fastest < 1e-5 and creep < 1e-4


@pytest.mark.slow
@pytest.mark.parametrize("solver", ["exact", "pgs", "soft"])
@each_pair
def test_every_shape_rests_for_a_minute(shape, ground, solver):
    # Under the soft step alone, which "auto" does not choose for one body, a cap touches at other points in each step.
    sways = solver == "soft" and shape in ("cylinder", "cone")
    for tilt in TILTS:
        fastest, creep = speed_and_creep(shape, ground, tilt, solver, 60.0)
        assert fastest < (1e-3 if sways else 1e-5) and creep < (1e-2 if sways else 1e-4), tilt


@pytest.mark.parametrize("solver", ["exact", "pgs", "soft"])
def test_a_mesh_rests_on_a_mesh(solver):
    """Its contacts are those of whole faces. On triangles it has three or four by chance, and falls again and again."""
    for tilt in TILTS[3:]:
        fastest, creep = speed_and_creep("mesh", "mesh", tilt, solver, 5.0)
        assert fastest < 1e-8 and creep < 1e-7, tilt


def test_a_capsule_stays_on_a_pillar():
    """With one contact it fell off a pillar 15 cm wide within 20 s."""
    assert capsule_on_our_pillar() < 1e-6
