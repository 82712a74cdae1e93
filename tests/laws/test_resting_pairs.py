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
    for tilt in TILTS:
        fastest, creep = speed_and_creep(shape, ground, tilt, solver, 60.0)
        assert fastest < 1e-5 and creep < 1e-4, tilt


@pytest.mark.parametrize(
    ("shape", "ground"), [("cylinder", "plane"), ("cylinder", "box"), ("cone", "plane"), ("cone", "hull")]
)
def test_standing_caps_rest_under_the_soft_step(shape, ground):
    """Their contact points turn with the lean: impulses matched to other points made them precess, at up to 1e-4 m/s."""
    for tilt in TILTS:
        fastest, creep = speed_and_creep(shape, ground, tilt, "soft", 5.0)
        assert fastest < 1e-5 and creep < 1e-4, tilt


@pytest.mark.parametrize("solver", ["exact", "pgs", "soft"])
def test_a_mesh_rests_on_a_mesh(solver):
    """Its contacts are those of whole faces. On triangles it has three or four by chance, and falls again and again."""
    for tilt in TILTS[3:]:
        fastest, creep = speed_and_creep("mesh", "mesh", tilt, solver, 5.0)
        assert fastest < 1e-8 and creep < 1e-7, tilt


def test_a_capsule_stays_on_a_pillar():
    """With one contact it fell off a pillar 15 cm wide within 20 s."""
    assert capsule_on_our_pillar() < 1e-6
