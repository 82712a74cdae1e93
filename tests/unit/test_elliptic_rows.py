"""The two friction rows of a contact with an elliptic cone, as solvers read them."""

import math

import numpy as np
import pytest

import opendynamics as od
from opendynamics.core.arrays.islands import ISLANDS, LINKS
from opendynamics.core.arrays.rows import ROWS, UNBOUNDED
from opendynamics.core.constrain.islands import list_links


def rows_of(surface):
    """The rows of one contact under a ball that moves, in a step of 0.01 s, and its island."""
    return rows_and_link_of(surface)[:2]


def rows_and_link_of(surface):
    """The same, and its link when it has just been listed."""
    world = od.World(gravity=(0, 0, -10), surface=od.Surface())
    ball = world.add_body(od.Sphere(0.5), mass=2, position=(0, 0, 0.5))
    ball.linear_velocity = (1, 2, 0)
    world.add_contact(od.Contact((0, 0, 0), (0, 0, 1), 0.0, None, None), surface=surface, body1=ball)
    world.step(0.01)
    store = world._store
    rows, island = store[ROWS][: world.statistics.rows].copy(), store[ISLANDS][0].copy()
    assert list_links(store.tables)
    return rows, island, store[LINKS][0].copy()


def test_pyramids_have_no_pairs():
    rows, island = rows_of(od.Surface(mu=0.5, mu2=0.2))
    assert list(rows["pair"]) == [0, 0, 0]
    assert island["pairs"] == 0


def test_an_elliptic_cone_is_a_pair_of_neighbours():
    rows, island = rows_of(od.Surface(mu=0.5, cone="elliptic", rolling=0.1))
    assert list(rows["pair"]) == [0, 1, -1, 0, 0, 0]
    assert island["pairs"] == 1
    assert list(rows["hi"][1:3]) == [0.5, 0.5]
    assert list(rows["normal"][1:3]) == [0, 0]


def test_an_ellipse_becomes_a_circle_in_units_of_the_first_coefficient():
    surface = {"mu": 0.5, "mu2": 0.2, "slip1": 0.01, "slip2": 0.03, "motion1": 0.3, "motion2": 0.7}
    pyramid, _ = rows_of(od.Surface(**surface))
    ellipse, _ = rows_of(od.Surface(**surface, cone="elliptic"))
    np.testing.assert_array_equal(pyramid[1]["j0"], ellipse[1]["j0"])
    np.testing.assert_allclose(ellipse[2]["j0"], 0.4 * pyramid[2]["j0"], rtol=1e-15)
    for name, factor in (("bias", 0.4), ("rhs", 0.4), ("cfm", 0.16)):
        np.testing.assert_allclose(ellipse[2][name], factor * pyramid[2][name], rtol=1e-14)
    assert (ellipse[2]["lo"], ellipse[2]["hi"]) == (-0.5, 0.5)


@pytest.mark.parametrize(
    ("mu", "mu2"), [(0.5, 0.0), (0.0, 0.5), (math.inf, 0.5), (0.5, math.inf), (math.inf, math.inf)]
)
def test_what_has_no_cone_has_no_pair(mu, mu2):
    rows, island = rows_of(od.Surface(mu=mu, mu2=mu2, cone="elliptic"))
    assert not rows["pair"].any()
    assert island["pairs"] == 0


def test_the_mode_has_a_bit_for_it():
    surface = od.Surface(mu=0.5, cone="elliptic")
    assert surface.mode & 0x10000
    assert not od.Surface(mu=0.5).mode & 0x10000


@pytest.mark.parametrize(
    ("given", "match"),
    [
        ({"cone": "round"}, "cone of a surface"),
        ({"cone": "elliptic", "friction_model": ("box", "pyramid", "box")}, "same model"),
    ],
)
def test_bad_cones(given, match):
    with pytest.raises(ValueError, match=match):
        od.Surface(**given)


@pytest.mark.parametrize("model", ["box", "pyramid", ("pyramid", "box", "pyramid")])
@pytest.mark.parametrize(
    "turning", [{}, {"rolling": math.inf}, {"rolling": 0.1, "rolling2": math.inf, "spinning": math.inf}]
)
@pytest.mark.parametrize(("mu", "mu2"), [(0.5, None), (math.inf, None), (0.0, math.inf), (math.inf, 0.5)])
def test_rows_are_counted_as_they_are_filled_in(mu, mu2, turning, model):
    """How many a contact has, and how many of these have bounds, is known before, when it is listed."""
    rows, _, link = rows_and_link_of(od.Surface(mu=mu, mu2=mu2, friction_model=model, **turning))
    bounded = (rows["normal"] >= 0) | (rows["lo"] > -UNBOUNDED) | (rows["hi"] < UNBOUNDED)
    assert link["row_count"] == len(rows)
    assert link["first_row"] == bounded.sum()  # where it is noted until the rows have a place
