"""Extreme sizes, speeds, masses and steps, and conflicting constraints: no NaN, no effect on other islands, no growth of
energy, and non-finite motion is frozen and reported.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import cache
from itertools import product

import numpy as np
import pytest

import opendynamics as od

pytestmark = [  # extremes, too
    pytest.mark.filterwarnings("ignore:a step of 1 s:opendynamics.UnitsWarning"),
    pytest.mark.filterwarnings("ignore:.* starts with its anchors:opendynamics.SetupWarning"),
]

STEPS = 40
SOLVERS = ["exact", "pgs", "soft", "auto"]
SLOW_TOO = [pytest.param(h, marks=pytest.mark.slow) for h in (1e-4, 0.1)]
STEP_SIZES = [1e-6, 1e-2, 1.0, *SLOW_TOO]
CASES: dict[str, Callable[[od.World], list[od.Body]]] = {}
DRIVEN = set()  # something does work on them
FROZEN = set()  # their motion comes out infinite


def case(name: str, *kinds: set[str]):
    """Note a scene."""

    def note(make):
        CASES[name] = make
        for kind in kinds:
            kind.add(name)
        return make

    return note


def floor(world, size=4.0, x=0.0):
    world.add_geom(od.Box((size, size, size / 4), position=(x, 0, -size / 8)))


for radius in (1e-6, 1e-3, 1e3, 1e6):

    @case(f"a ball of {radius:g} m")
    def _(world, radius=radius):
        x = -10 * radius  # away from the others
        floor(world, 4 * radius, x)
        return [world.add_body(od.Sphere(radius), position=(x, 0, 1.01 * radius))]


for radius in (1e-6, 1e-4):

    @case(f"a box, a capsule, a cylinder, a cone and a hull of {radius:g} m")
    def _(world, radius=radius):
        corners = np.random.default_rng(1).normal(size=(12, 3))
        shapes = [
            od.Box((2 * radius, 1.5 * radius, radius)),
            od.Capsule(radius / 2, radius),
            od.Cylinder(radius, radius),
            od.Cone(radius, radius),
            od.Convex.hull(radius / np.linalg.norm(corners, axis=1, keepdims=True) * corners),
        ]
        bodies = []
        for k, shape in enumerate(shapes):
            x = -20 * (k + 1) * radius
            floor(world, 6 * radius, x)
            bodies.append(world.add_body(shape, position=(x, 0, 1.6 * radius), quaternion=(1, 0.1, 0.2, 0.05)))
        return bodies


for thickness in (1e-6, 1e-4):

    @case(f"a plate of {thickness:g} m")
    def _(world, thickness=thickness):
        floor(world)
        return [world.add_body(od.Box((0.4, 0.3, thickness)), position=(0, 0, 0.05), quaternion=(1, 0.1, 0.05, 0))]


for speed in (1e3, 1e6):

    @case(f"boxes and balls at {speed:g} m/s")
    def _(world, speed=speed):
        floor(world)
        box = world.add_body(od.Box((0.2, 0.2, 0.2)), position=(0, 0, 0.3), linear_velocity=(0.3 * speed, 0, -speed))
        ball = world.add_body(od.Sphere(0.2), position=(1, 0, 0.3), linear_velocity=(-speed, 0, 0))
        ball.angular_velocity = (0, speed, 0)
        return [box, ball]


@case("needles and discs of 1e-5 and 1e-6 m")
def _(world):
    floor(world)
    turn = (1, 0.3, 0.1, 0)
    return [
        world.add_body(od.Capsule(1e-5, 1.0), position=(0, 0, 0.6), quaternion=turn),
        world.add_body(od.Cylinder(1.0, 1e-6), position=(0, 1, 0.9), quaternion=turn),
    ]


@case("hulls of 1e-6 m")
def _(world):
    floor(world)
    corners = np.array([(x, y, z) for x in (-0.2, 0.2) for y in (-0.2, 0.2) for z in (-5e-7, 5e-7)])
    return [
        world.add_body(od.Convex.hull(scale * corners), position=(0, 0, 0.3 * scale), quaternion=(1, 0.2, 0.1, 0))
        for scale in (1, 2)
    ]


@case("constraints that contradict each other", DRIVEN)
def _(world):
    a, b = (world.add_body(od.Box((1, 1, 1)), position=(x, 0, 3)) for x in (0, 3))
    world.add_fixed(a, None)
    world.add_fixed(b, None)
    world.add_ball(a, b, anchor=(1, 0, 3)).anchor2 = (2.5, 0, 3)
    world.add_slider(a, b, axis=(0, 0, 1)).motor(5.0, 1e9)
    for velocity in (1e3, -1e3):
        world.add_hinge(a, None, anchor=(0, 0, 3), axis=(1, 0, 0)).motor(velocity=velocity, max_torque=np.inf)
    return [a, b]


@case("a box between a floor and a ceiling nearer than it is high", DRIVEN)
def _(world):
    floor(world)
    world.add_geom(od.Box((4, 4, 1), position=(0, 0, 1.0)))
    return [world.add_body(od.Box((1, 1, 1)), position=(0, 0, 0.25))]


@case("a box under a kinematic press", DRIVEN)
def _(world):
    floor(world)
    world.add_body(od.Box((2, 2, 1)), position=(0, 0, 1.6), kinematic=True, linear_velocity=(0, 0, -1))
    return [world.add_body(od.Box((1, 1, 1)), position=(0, 0, 0.5))]


@case("1e-12 kg under 1e12 kg", DRIVEN)
def _(world):
    floor(world)
    return [world.add_body(od.Box((1, 1, 1)), position=(0, 0, z), mass=m) for z, m in ((0.5, 1e-12), (1.5, 1e12))]


@case("forces whose sum is infinite", DRIVEN, FROZEN)
def _(world):
    body = world.add_body(od.Sphere(1), position=(0, 0, 5))
    with np.errstate(over="ignore"):
        for _ in range(2):
            body.add_force((1.5e308, 0, 0))
    return [body]


@case("a force that gives an infinite energy", DRIVEN, FROZEN)
def _(world):
    body = world.add_body(od.Sphere(1), position=(0, 0, 5))
    body.add_force((1e300, 0, 0))
    return [body]


def world_with_others(solver):
    """A world with an island far away: a leaning stack that falls and settles."""
    world = od.World(gravity=(0, 0, -10), solver=solver, surface=od.Surface(mu=0.5))
    world.add_geom(od.Box((4, 4, 1), position=(1e4, 0, -0.5)))
    others = [world.add_body(od.Box((1, 1, 1)), position=(1e4 + x, 0, z)) for x, z in ((0, 0.52), (0.1, 1.6))]
    return world, others


def state(bodies):
    return [(*body.position, *body.quaternion, *body.linear_velocity, *body.angular_velocity) for body in bodies]


@cache
def undisturbed(solver, h):
    world, others = world_with_others(solver)
    world.advance(h, steps=STEPS)
    return state(others)


def energy(world, bodies):
    return sum(body.kinetic_energy - body.mass * float(world.gravity @ body.position) for body in bodies)


@pytest.mark.parametrize("h", STEP_SIZES)
@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("name", CASES)
def test_extremes_stay_finite_gain_nothing_and_leave_others_alone(name, solver, h):
    world, others = world_with_others(solver)
    bodies = CASES[name](world)
    first = most = energy(world, bodies)
    with warnings.catch_warnings():
        warnings.simplefilter("error" if name not in FROZEN else "ignore", od.FaultWarning)
        warnings.simplefilter("ignore", od.ConflictWarning)
        for _ in range(STEPS):
            world.advance(h)
            most = max(most, energy(world, bodies))
    if solver == "pgs":  # islands share what may be spent on direct solutions, so that another's comes some steps later
        np.testing.assert_allclose(state(others), undisturbed(solver, h), atol=2e-5)
    elif solver == "soft":  # one island alone is not solved in lanes, with coefficients in float32
        np.testing.assert_allclose(state(others), undisturbed(solver, h), atol=1e-6)
    else:
        assert state(others) == undisturbed(solver, h)
    assert np.isfinite(state(bodies)).all()
    assert list(world.faults) == (bodies if name in FROZEN else [])
    if name not in DRIVEN:
        assert most - first < 1e-6 * abs(first)


@pytest.mark.parametrize("name", sorted(FROZEN))
def test_what_comes_out_infinite_is_frozen_and_reported_once(name):
    world, _ = world_with_others("exact")
    (body,) = CASES[name](world)
    with pytest.warns(od.FaultWarning, match=f"the motion of {body.name} is not finite") as reported:
        world.advance(0.01, steps=10)
    assert len(reported) == 1
    assert world.faults == (body,)
    assert body.position.tolist() == [0, 0, 5]
    body.enabled = True
    world.advance(0.01)
    assert world.faults == ()
    assert body.linear_velocity[2] == pytest.approx(-0.1)


def test_what_no_body_can_be_is_refused():
    flat = np.array([(x, y, 0) for x in (-1, 1) for y in (-1, 1)])
    with pytest.raises(ValueError, match="lie in one plane, so that it has no volume; give it a thickness"):
        od.Convex.hull(flat)
    body = od.World().add_body()
    for refused in ((np.nan, 0, 0), (0, np.inf, 0)):
        with pytest.raises(ValueError, match="finite"):
            body.add_force(refused)
        with pytest.raises(ValueError, match="finite"):
            body.linear_velocity = refused


@pytest.mark.parametrize("solver", SOLVERS)
def test_contradictions_without_any_softness_stay_finite(solver):
    world, others = world_with_others(solver)
    world.cfm = 0.0
    CASES["constraints that contradict each other"](world)
    with pytest.warns(od.ConflictWarning, match="joints of world contradict each other"):
        world.advance(1e-2, steps=2 * STEPS)
    assert np.isfinite(world.positions).all()
    assert np.isfinite(world.linear_velocities).all()
    assert others[1].position[2] == pytest.approx(1.5, abs=0.02)


@pytest.mark.parametrize("h", STEP_SIZES)
@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("name", CASES)
def test_extremes_gain_nothing_with_continuous_collision_and_speculative_contacts(name, solver, h):
    world, _ = world_with_others(solver)
    world.speculative_margin, world.continuous = "auto", True
    bodies = CASES[name](world)
    first = most = energy(world, bodies)
    with warnings.catch_warnings():
        warnings.simplefilter("error" if name not in FROZEN else "ignore", od.FaultWarning)
        warnings.simplefilter("ignore", od.ConflictWarning)
        for _ in range(STEPS):
            world.advance(h)
            most = max(most, energy(world, bodies))
    assert np.isfinite(state(world.bodies)).all()
    assert list(world.faults) == (bodies if name in FROZEN else [])
    if name not in DRIVEN:
        assert most - first < 1e-6 * abs(first)


def falling_hulls(solver, heights, radius, seed):
    """Hulls one above the other, at rest, with continuous collision and speculative contacts."""
    world = od.World(gravity=(0, 0, -10), solver=solver)
    world.speculative_margin, world.continuous = "auto", True
    floor(world, 6 * radius)
    random = np.random.default_rng(seed)
    for z in heights:
        corners, quaternion = random.normal(size=(12, 3)), random.normal(size=4)
        hull = od.Convex.hull(radius / np.linalg.norm(corners, axis=1, keepdims=True) * corners)
        world.add_body(hull, position=(0, 0, z * radius), quaternion=quaternion)
    return world


def gain_in(world, steps, h):
    first = most = energy(world, world.bodies)
    for _ in range(steps):
        world.advance(h)
        most = max(most, energy(world, world.bodies))
    return (most - first) / first


@pytest.mark.parametrize("seed", [1, 5, 13, 15])
@pytest.mark.parametrize("h", [0.1, 1.0])
@pytest.mark.parametrize("solver", SOLVERS)
def test_single_hulls_of_a_micrometre_gain_nothing_in_long_steps(solver, h, seed):
    assert gain_in(falling_hulls(solver, [1.6], 1e-6, seed), STEPS, h) < 1e-6


@pytest.mark.parametrize("seed", [3, 59])
@pytest.mark.parametrize("solver", SOLVERS)
def test_a_stopped_body_has_not_passed_on_more_energy_than_it_had(solver, seed):
    assert gain_in(falling_hulls(solver, [1.6, 3.7], 1e-6, seed), 6, 1.0) < 1e-6


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_stopped_body_has_not_lifted_others_by_more_energy_than_it_had(solver):
    """A wedged hull turns by radians, is stopped by the ground, and its weight has thrown the other up in that step."""
    assert gain_in(falling_hulls(solver, [1.6, 3.7], 1e-4, 19), 16, 0.1) < 1e-6


@pytest.mark.parametrize(
    ("seed", "heights", "h"), [(0, [1.6, 3.7], 1.0), (7, [1.6, 3.7], 0.3), (29, [1.6, 3.7, 5.8], 1.0)]
)
def test_wedged_hulls_gain_nothing_with_coupled_friction_bounds(seed, heights, h):
    """Forces with bounds that follow are not found to the last digit, and wedge forces are 1e6 times the weights."""
    world = falling_hulls("exact", heights, 1e-6, seed)
    world.friction_bounds = "coupled"
    assert gain_in(world, STEPS, h) < 1e-6


@pytest.mark.slow
@pytest.mark.parametrize("solver", SOLVERS)
def test_stacked_hulls_gain_nothing_in_long_steps(solver):
    for seed, radius, h, heights in product(
        range(15), (1e-6, 1e-4, 1e-2), (0.1, 0.3, 1.0), ([1.6, 3.7], [1.6, 3.7, 5.8])
    ):
        assert gain_in(falling_hulls(solver, heights, radius, seed), STEPS, h) < 1e-6, (seed, radius, h, heights)
