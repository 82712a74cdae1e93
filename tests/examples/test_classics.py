"""Outcomes of examples with slopes, impacts, piles, stacks and pendulums."""

import math
from itertools import pairwise

import pytest

from tests.examples.running import numbers, run


def test_boxes_slide_as_theory_has_it():
    scope, _ = run("slope")
    boxes = dict(zip(scope["FRICTION"], scope["world"].bodies, strict=True))
    for mu, box in boxes.items():
        assert scope["slid"](box) == pytest.approx(scope["expected"](mu), rel=0.01, abs=2e-3)
    assert scope["expected"](0.35) > 0 == scope["expected"](0.38)


def test_as_many_balls_leave_the_cradle_as_arrive():
    scope, _ = run("newtons_cradle")
    assert scope["left"] == scope["LIFTED"]
    assert scope["speeds"][-1] == pytest.approx(scope["arrived"], rel=1e-3)
    assert max(map(abs, scope["speeds"][: -scope["LIFTED"]])) < 1e-3 * scope["arrived"]
    # From the height that they were lifted to: v² = 2 g l (1 - cos a).
    drop = scope["STRING"] * (1 - math.cos(scope["ANGLE"]))
    assert scope["arrived"] == pytest.approx(math.sqrt(2 * 9.81 * drop), rel=5e-3)


def test_the_wave_of_dominoes_scales_with_the_square_root_of_their_size():
    scope, _ = run("dominoes")
    assert scope["fallen"] == scope["COUNT"]
    assert scope["large"] / scope["small"] == pytest.approx(2.0, rel=0.03)
    assert 0.8 < scope["small"] / math.sqrt(scope["G"] * scope["HEIGHT"]) < 2.0


def test_the_wall_sleeps_until_the_ball_comes():
    scope, _ = run("brick_wall")
    assert scope["asleep"] == len(scope["bricks"]) == scope["ROWS"] * scope["COLUMNS"]
    assert scope["moved"] < 6e-3  # soft contacts give way a little
    assert scope["out"] >= 6


def test_two_cards_stand_by_their_friction_alone():
    scope, _ = run("card_house")
    assert scope["stands"] < 5e-4 and abs(scope["house"]) < 5e-4
    assert scope["slides"] > 0.02


def test_an_arch_stands_if_it_is_thick_enough():
    scope, _ = run("arch")
    assert scope["thick"] < 0.005
    assert scope["thin"] > 0.5


def test_everything_ends_in_the_pit_asleep_and_energy_falls():
    scope, _ = run("pit")
    assert scope["inside"] == scope["BODIES"]
    assert scope["asleep"] > 0.8 * scope["BODIES"]
    energies = scope["energies"]
    assert max(later - sooner for sooner, later in pairwise(energies)) < 1e-3 * scope["start"]


def test_the_pendulums_are_together_again_after_a_cycle():
    scope, _ = run("pendulum_wave")
    assert scope["end"] == pytest.approx([1.0] * scope["PENDULUMS"], abs=0.02)
    assert scope["halfway"] == pytest.approx([(-1.0) ** k for k in range(scope["PENDULUMS"])], abs=0.02)


def test_a_folded_chain_falls_faster_than_a_ball_and_keeps_its_energy():
    scope, _ = run("chain_and_whip")
    assert scope["ahead"] > 0.05 and scope["speed"] > 1.2 * scope["free"]
    assert abs(scope["lost"]) < 0.01 * 0.5 * 0.02 * scope["free"] ** 2 * scope["LINKS"]


def test_tops_precess_as_theory_has_it():
    _, out = run("spinning_tops")
    found = [numbers(line)[-2:] for line in out.strip().splitlines()]
    assert [theory for _, theory in found] == pytest.approx([2.044, 1.022, 0.511], abs=2e-3)
    # What the theory of fast tops leaves out falls with the spin; what the step leaves out grows with it.
    for (rate, theory), tolerance in zip(found, (0.08, 0.02, 0.02), strict=True):
        assert rate == pytest.approx(theory, rel=tolerance)
