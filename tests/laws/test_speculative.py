"""With a speculative margin bodies do not penetrate, bounce and slide unchanged, and are not affected when passing by."""

from __future__ import annotations

import numpy as np
import pytest

import opendynamics as od

H = 1 / 60
HULL = np.array(
    [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0.3, 0.3, -0.8), (-0.4, 0.1, -0.8), (0.1, -0.5, -0.8)]
)
SHAPES = {
    "sphere": lambda: od.Sphere(0.1),
    "box": lambda: od.Box((0.3, 0.2, 0.2)),
    "capsule": lambda: od.Capsule(0.1, 0.2),
    "cylinder": lambda: od.Cylinder(0.1, 0.2),
    "convex": lambda: od.Convex.hull(0.15 * HULL),
}
SQUARE = [(-3, -3, 0), (3, -3, 0), (3, 3, 0), (-3, 3, 0)]
OBSTACLES = {
    "plane": od.Plane,
    "box": lambda: od.Box((6, 6, 1), position=(0, 0, -0.5)),
    "mesh": lambda: od.Trimesh(SQUARE, [(0, 1, 2), (0, 2, 3)]),
    "heightfield": lambda: od.Heightfield(od.HeightfieldData(np.zeros((21, 21)), width=6.0, depth=6.0), up="z"),
    "cylinder": lambda: od.Cylinder(3, 1, position=(0, 0, -0.5)),
    "sphere": lambda: od.Sphere(2, position=(0, 0, -2)),
    "capsule": lambda: od.Capsule(2, 3, position=(0, 0, -2), quaternion=(0.5**0.5, 0.5**0.5, 0, 0)),
}


def world_with(margin, gravity=0.0, **surface):
    world = od.World(gravity=(0, 0, -gravity), surface=od.Surface(**({"mu": 0.5} | surface)))
    world.speculative_margin = margin
    return world


def depth_of(body, obstacle):
    return max((contact.depth for contact in od.collide(body.geoms[0], obstacle)), default=0.0)


def deepest_of_fall(margin, obstacle, shape, steps=15, h=H, **start):
    """How deep a body gets that falls on something, with 10 m/s if nothing else is said."""
    world = world_with(margin, 10.0)
    world.add_geom(obstacle)
    body = world.add_body(shape, density=1000, **({"position": (0, 0, 0.75), "linear_velocity": (0, 0, -10)} | start))
    deepest = 0.0
    for _ in range(steps):
        world.advance(h)
        deepest = max(deepest, depth_of(body, obstacle))
    assert body.linear_velocity[2] > -3  # it has met it
    return deepest


# What has one contact, not below its centre, tips over in the step that it arrives in.
TIPPING = {("box", "capsule"), ("convex", "sphere"), ("convex", "capsule")}


@pytest.mark.parametrize("margin", [0.2, "auto"])
@pytest.mark.parametrize(("kind", "obstacle"), [(k, o) for k in SHAPES for o in OBSTACLES if (k, o) not in TIPPING])
def test_what_falls_straight_arrives_at_touch(obstacle, kind, margin):
    assert deepest_of_fall(margin, OBSTACLES[obstacle](), SHAPES[kind]()) < 1e-6


@pytest.mark.parametrize("obstacle", [name for name in OBSTACLES if name != "capsule"])
def test_without_a_margin_it_is_deep_inside(obstacle):
    start = {"position": (0, 0, 0.64)}
    assert deepest_of_fall(0.0, OBSTACLES[obstacle](), od.Box((0.3, 0.2, 0.2)), **start) > 0.05
    assert deepest_of_fall(0.2, OBSTACLES[obstacle](), od.Box((0.3, 0.2, 0.2)), **start) < 1e-6


@pytest.mark.parametrize("kind", ["box", "cylinder", "convex", "capsule"])
@pytest.mark.parametrize("obstacle", ["plane", "box", "mesh", "heightfield"])
def test_what_tumbles_gets_hardly_inside(obstacle, kind):
    # A contact holds its point along the tangent of its turn: what is left is (ω h)² r / 2, and what a second end hits.
    random = np.random.default_rng(5)
    without, within = [], []
    for _ in range(12):
        start = {
            "quaternion": random.normal(size=4),
            "linear_velocity": (*random.uniform(-3, 3, 2), -10),
            "angular_velocity": random.uniform(-3, 3, 3),
            "steps": 25,
        }
        start["quaternion"] /= np.linalg.norm(start["quaternion"])
        without.append(deepest_of_fall(0.0, OBSTACLES[obstacle](), SHAPES[kind](), **start))
        within.append(deepest_of_fall("auto", OBSTACLES[obstacle](), SHAPES[kind](), **start))
    assert np.mean(within) < 0.1 * np.mean(without)
    assert max(within) < 0.015


def hills(seed=2, size=21):
    """Rugged ground as a heightfield and as a mesh: cells of 0.1 m, heights of ±0.05 m."""
    heights = np.random.default_rng(seed).uniform(-0.05, 0.05, (size, size))
    x, z = np.meshgrid(np.linspace(-1, 1, size), np.linspace(-1, 1, size))
    cells = np.arange((size - 1) * size).reshape(size - 1, size)[:, :-1].ravel()
    triangles = np.concatenate(
        [np.stack([cells, cells + size, cells + 1], 1), np.stack([cells + 1, cells + size, cells + size + 1], 1)]
    )
    field = od.Heightfield(od.HeightfieldData(heights, width=2.0, depth=2.0), up="z")
    return {"heightfield": field, "mesh": od.Trimesh(np.stack([x, -z, heights], 2).reshape(-1, 3), triangles)}


@pytest.mark.parametrize("surface", ["heightfield", "mesh"])
def test_balls_in_the_valleys_of_rugged_ground_stay_on_it(surface):
    # They fly up to 0.17 m a step, more than a cell, from slope to slope.
    random = np.random.default_rng(3)
    ground = hills()[surface]
    world = world_with("auto", 10.0)
    world.add_geom(ground)
    for _ in range(40):
        velocity = (*random.uniform(-2, 2, 2), random.uniform(-10, -3))
        start = (*random.uniform(-0.7, 0.7, 2), random.uniform(0.3, 0.6))
        ball = world.add_body(od.Sphere(0.05), position=start, linear_velocity=velocity, density=1000)
        ball.geoms[0].category_bits, ball.geoms[0].collide_bits = 2, 1
    deepest = 0.0
    for _ in range(30):
        world.advance(H)
        inside = [body for body in world.bodies if np.abs(body.position[:2]).max() < 0.9]
        deepest = max(deepest, *(depth_of(body, ground) for body in inside))
    assert len(inside) > 20
    assert deepest < 2e-3


@pytest.mark.parametrize("solver", ["exact", "blocks", "ode"])
@pytest.mark.parametrize("cone", ["pyramid", "elliptic"])
def test_every_solver_honours_the_gap(solver, cone):
    world = world_with(0.2, 10.0, cone=cone)
    if solver != "exact":
        world.solver, world.quickstep_order = "pgs", solver
    world.add_plane()
    box = world.add_body(od.Box((0.3, 0.2, 0.2)), position=(0, 0, 0.64), linear_velocity=(1, 0.5, -10))
    lowest = np.inf
    for _ in range(20):
        world.advance(H)
        lowest = min(lowest, box.position[2])
    # Solvers that iterate leave the four corners uneven.
    assert lowest > 0.1 - (1e-6 if solver == "exact" else 0.02)
    assert box.linear_velocity[0] < 0.9  # friction has begun


@pytest.mark.parametrize("order", ["blocks", "ode"])
def test_iteration_converges_to_the_exact_step_across_a_gap(order):
    # Both bodies move and spin: the force acts where each of them will be touched, which is not one place yet.
    ends = []
    for solver in ("exact", "pgs"):
        world = world_with(0.5)
        world.solver, world.quickstep_order, world.quickstep_direct = solver, order, False
        world.quickstep_iterations = 200
        start = {"position": (0, 0, 0.3), "linear_velocity": (3, 0, -15), "angular_velocity": (1, 2, 3)}
        world.add_body(od.Sphere(0.1), density=1000, **start)
        world.add_body(od.Sphere(0.1), density=2000, linear_velocity=(1, 1, 0), angular_velocity=(-2, 5, 1))
        world.advance(H)
        assert world.statistics.speculative == 1
        ends.append(np.hstack([world.linear_velocities, world.angular_velocities]))
    np.testing.assert_allclose(ends[1], ends[0], rtol=1e-9)


def test_a_small_ball_arrives_at_a_thin_wall():
    # 8 cm a step, with a diameter of 1 cm, at a wall of 1 mm.
    for margin, far in ((0.1, True), ("auto", True), (0.0, False)):
        world = world_with(margin, mu=0)
        world.add_geom(od.Box((0.001, 1, 1)))
        ball = world.add_body(od.Sphere(0.005), position=(-0.1, 0.01, 0), linear_velocity=(5, 0.3, 0))
        world.advance(H, steps=3)
        assert (ball.position[0] == pytest.approx(-0.0055, abs=1e-6)) == far
        assert ball.linear_velocity[1] == pytest.approx(0.3, abs=1e-12)


SUMMITS = {
    "box": lambda: od.Box((1, 1, 1), position=(0, 0, -0.51)),
    "sphere": lambda: od.Sphere(0.5, position=(0, 0, -0.51)),
    "mesh": lambda: od.Trimesh(
        [(-0.5, -0.5, -1), (0.5, -0.5, -1), (0.5, 0.5, -1), (-0.5, 0.5, -1), (0, 0, -0.01)],
        [(0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4), (1, 0, 3), (3, 2, 1)],
    ),
    "heightfield": lambda: od.Heightfield(
        od.HeightfieldData([[-1, -1, -1], [-1, -0.01, -1], [-1, -1, -1]], width=1.0, depth=1.0), up="z"
    ),
}


@pytest.mark.parametrize("margin", [0.5, "auto"])
@pytest.mark.parametrize("obstacle", SUMMITS)
def test_what_flies_past_an_edge_keeps_its_velocity(obstacle, margin):
    # Past a corner, or over a summit, within the margin; straight at the plane between the two at first.
    for k in range(10):
        world = world_with(margin)
        world.add_geom(SUMMITS[obstacle]())
        velocity = (20, 0.1 * k, 0.02 * k)
        ball = world.add_body(od.Sphere(0.1), position=(-1.5 - 0.03 * k, 0, 0.1), linear_velocity=velocity)
        near = 0
        for _ in range(12):
            world.advance(H)
            near += world.statistics.pairs
            assert ball.linear_velocity == pytest.approx(velocity, abs=1e-12)
        assert near > 0


def test_what_lands_behind_an_edge_keeps_its_horizontal_velocity():
    # It comes over the edge of the box from outside and hits its top in the same step.
    world = world_with("auto", mu=0)
    world.add_geom(od.Box((2, 2, 1), position=(1, 0, -0.5)))
    ball = world.add_body(od.Sphere(0.1), position=(-0.15, 0, 0.15), linear_velocity=(24, 0, -6))
    world.advance(H)
    assert ball.linear_velocity[0] == pytest.approx(24, abs=1e-9)
    assert ball.position[2] == pytest.approx(0.1, abs=1e-6)


@pytest.mark.parametrize("margin", [0.05, "auto"])
@pytest.mark.parametrize("surface", ["mesh", "heightfield"])
def test_a_ball_does_not_catch_on_the_seams_of_a_flat_surface(surface, margin):
    n = 41
    x, y = np.meshgrid(np.linspace(-2, 2, n), np.linspace(-2, 2, n))
    cells = np.arange((n - 1) * n).reshape(n - 1, n)[:, :-1].ravel()
    triangles = np.concatenate(
        [np.stack([cells, cells + 1, cells + n], 1), np.stack([cells + 1, cells + n + 1, cells + n], 1)]
    )
    ground = od.Trimesh(np.stack([x, y, np.zeros_like(x)], 2).reshape(-1, 3), triangles)
    if surface == "heightfield":
        ground = od.Heightfield(od.HeightfieldData(np.zeros((n, n)), width=4.0, depth=4.0), up="z")
    world = world_with(margin, 10.0, mu=0)
    world.add_geom(ground)
    ball = world.add_body(od.Sphere(0.1), position=(-1.5, 0.013, 0.1), linear_velocity=(4, 0.3, 0), density=1000)
    for _ in range(40):
        world.advance(H)
        assert ball.linear_velocity == pytest.approx([4, 0.3, 0], abs=1e-6)
    assert ball.position[0] > 1.0


G = 10.0


def apexes(margin, e, h, count=3):
    """Heights of a ball's lowest point wherever it turns from rising to falling, after a fall from 1 m."""
    world = world_with(margin, G, mu=0, bounce=e)
    world.cfm = 0.0
    world.add_plane()
    ball = world.add_body(od.Sphere(0.1), position=(0, 0, 1.1))
    found, rising, lowest = [], False, 1.0
    while len(found) < count:
        world.advance(h)
        height = ball.position[2] - 0.1
        lowest = min(lowest, height)
        if rising and ball.linear_velocity[2] <= 0.0:
            found.append(height)
        rising = ball.linear_velocity[2] > 0.0
    assert lowest > -1e-9
    return found


@pytest.mark.parametrize("margin", [0.1, "auto"])
@pytest.mark.parametrize("e", [0.5, 0.8, 1.0])
def test_apexes_fall_by_the_square_of_restitution(e, margin):
    # Without a margin 2 % is what a step of 0.5 ms allows. With it, no more is missing than g h², what a step falls by.
    for h in (5e-4, 1 / 240, 1 / 60):
        expected = np.array([e**2, e**4, e**6])
        assert np.abs(apexes(margin, e, h) - expected).max() < 1.1 * G * h * h


@pytest.mark.parametrize("e", [0.0, 0.4, 1.0])
def test_head_on_collision(e):
    # Masses 1 and 3, v = 2 and 0: v1' = (m1 - e m2) v/(m1 + m2), v2' = (1 + e) m1 v/(m1 + m2).
    world = world_with(0.5, mu=0, bounce=e)
    first = world.add_body(od.Sphere(0.5), mass=1, position=(-1, 0, 0), linear_velocity=(2, 0, 0))
    second = world.add_body(od.Sphere(0.5), mass=3, position=(0.305, 0, 0))
    world.erp = 0.0  # or the hair by which they overlap would be pushed apart, too
    world.advance(0.01, steps=30)
    expected = [(1 - 3 * e) * 2 / 4, (1 + e) * 2 / 4]
    assert [first.linear_velocity[0], second.linear_velocity[0]] == pytest.approx(expected, abs=1e-6)


def test_slow_contacts_do_not_bounce():
    # From 0.05 m it touches with 1 m/s, which is not above the bounce velocity of 1.1 m/s; from 0.1 m with 1.41 m/s.
    for height, bounces in ((0.05, False), (0.1, True)):
        world = world_with(0.1, G, mu=0, bounce=1.0, bounce_velocity=1.1)
        world.add_plane()
        ball = world.add_body(od.Sphere(0.1), position=(0, 0, 0.1 + height))
        fastest = 0.0
        for _ in range(200):
            world.advance(1e-3)
            fastest = max(fastest, ball.linear_velocity[2])
        assert (fastest > 1.0) == bounces


@pytest.mark.parametrize("e", [0.0, 0.5, 1.0])
def test_momentum_is_kept_and_a_frictionless_hit_aslant_spins_nothing(e):
    world = world_with("auto", mu=0, bounce=e)
    first = world.add_body(od.Sphere(0.5), mass=1, position=(-1, 0.35, 0), linear_velocity=(20, 0, 0))
    second = world.add_body(od.Sphere(0.5), mass=2, position=(0.3, 0, 0.1), linear_velocity=(-10, 1, 2))
    before = first.mass * first.linear_velocity + second.mass * second.linear_velocity
    world.advance(H, steps=3)
    after = first.mass * first.linear_velocity + second.mass * second.linear_velocity
    assert abs(first.linear_velocity[0] - 20) > 1  # they hit
    assert after == pytest.approx(before, abs=1e-12)
    assert np.abs([first.angular_velocity, second.angular_velocity]).max() < 1e-12


@pytest.mark.parametrize("e", [0.5, 1.0])
def test_balls_that_hit_aslant_leave_along_the_line_of_their_centres_at_touch(e):
    # Equal masses: the speeds along n, the line of centres when they touch, become (1 -+ e)/2 of their difference.
    world = world_with("auto", mu=0, bounce=e)
    first = world.add_body(od.Sphere(0.5), mass=1, position=(-1.2, 0.6, 0), linear_velocity=(30, 0, 0))
    second = world.add_body(od.Sphere(0.5), mass=1)
    world.advance(H, steps=2)
    n = np.array([0.8, -0.6, 0])  # centres 1 m apart, 0.6 of it across
    assert second.linear_velocity == pytest.approx(30 * 0.8 * (1 + e) / 2 * n, rel=3e-3)
    assert first.linear_velocity == pytest.approx(np.array([30, 0, 0]) - 24 * (1 + e) / 2 * n, rel=3e-3, abs=0.05)


@pytest.mark.parametrize("margin", [0.05, "auto"])
def test_sliding_friction_is_the_same(margin):
    # As in test_sliding: v(t) = v - μ g t, and the stop half a step's way short of v²/(2 μ g).
    world = world_with(margin, G)
    world.add_plane()
    box = world.add_body(od.Box((1, 1, 0.2)), position=(0, 0, 0.1), linear_velocity=(5, 0, 0))
    for n in range(1, 101):
        world.advance(0.01)
        assert box.linear_velocity[0] == pytest.approx(max(5 - 0.5 * G * 0.01 * n, 0), rel=1e-6, abs=1e-6)
    assert box.position[0] == pytest.approx(5**2 / G - 5 * 0.01 / 2, rel=1e-5)


@pytest.mark.parametrize("spin", [675.0, 916.0, 3822.0, 1e5])
@pytest.mark.parametrize("margin", [0.2, "auto"])
def test_a_ball_that_turns_by_radians_in_a_step_is_not_thrown_up(spin, margin):
    """However fast a ball spins, its contact with level ground pushes through its centre."""
    world = world_with(margin, 9.81)
    world.add_plane()
    ball = world.add_body(od.Sphere(0.1), position=(0, 0, 2), angular_velocity=(spin, 0, 0))
    for _ in range(80):
        world.advance(0.01)
        assert ball.linear_velocity[2] < 0.5
    assert ball.position[2] == pytest.approx(0.1, abs=1e-3)


def stack(margin, auto_disable):
    world = world_with(margin, G)
    world.auto_disable = auto_disable
    world.add_plane()
    for level in range(5):
        world.add_body(od.Box((1, 1, 1)), position=(0.01 * level, 0, 0.5 + level))
    return world


@pytest.mark.parametrize("margin", [0.1, "auto"])
def test_a_stack_rests_and_goes_to_sleep(margin):
    world, without = stack(margin, False), stack(0.0, False)
    for one in (world, without):
        one.advance(H, steps=300)
    assert world.positions == pytest.approx(without.positions, abs=1e-5)
    assert np.abs(world.linear_velocities).max() < 1e-5
    world = stack(margin, True)
    world.advance(H, steps=100)
    assert not any(body.enabled for body in world.bodies)


def test_a_near_miss_wakes_nothing_and_a_hit_does():
    for height, wakes in ((0.3, False), (0.15, True)):
        world = world_with(0.5)
        sleeper = world.add_body(od.Box((0.2, 0.2, 0.2)))
        sleeper.enabled = False
        world.add_body(od.Sphere(0.1), position=(-1, 0, height), linear_velocity=(8, 0, 0))
        world.advance(H, steps=20)
        assert sleeper.enabled == wakes


def test_what_a_joint_holds_above_the_ground_feels_no_friction():
    # A wheel that turns 1 mm above the ground, which it would reach in a step if it fell, with unbounded friction.
    world = world_with(0.05, G, mu=np.inf)
    world.add_plane()
    wheel = world.add_body(od.Sphere(0.1), position=(0, 0, 0.101), angular_velocity=(0, 5, 0))
    world.add_hinge(wheel, None, anchor=(0, 0, 0.101), axis=(0, 1, 0))
    world.advance(H, steps=30)
    assert world.statistics.speculative == 1
    assert wheel.angular_velocity == pytest.approx([0, 5, 0], abs=1e-9)


def test_gaps_are_reported_with_negative_depth():
    world = world_with(0.05)
    world.add_plane()
    world.add_body(od.Sphere(0.1), position=(0, 0, 0.13), angular_velocity=(0, 0, 1))
    world.advance(H)
    assert [contact.depth for contact in world.contacts] == [pytest.approx(-0.03)]
    assert world.contacts[0].position == pytest.approx([0, 0, 0.03])  # of the body
    statistics = world.statistics
    assert (statistics.contacts, statistics.speculative, statistics.deepest) == (1, 1, 0.0)
    world.speculative_margin = 0.02
    world.advance(H)
    assert world.statistics.contacts == 0


def two_boxes(upper, gravity=(0, 0, -10)):
    """A box on the ground, and another over it at `upper`; both fall alike, as far as their own motion goes."""
    world = od.World(gravity=gravity, surface=od.Surface(mu=0.8), solver="exact")
    world.speculative_margin = 0.002
    world.add_plane()
    world.add_body(od.Box((0.2, 0.2, 0.2)), position=(0, 0, 0.1), mass=1)
    return world, world.add_body(od.Box((0.2, 0.2, 0.2)), position=upper, mass=1)


def test_corners_within_the_margin_have_contacts_though_others_of_the_pair_touch():
    world, upper = two_boxes((0.01, 0, 0.3 + 0.5e-5))
    upper.rotation = od.rotation.from_axis_angle((0, 1, 0), 1e-4)
    world.advance(1e-2)
    depths = sorted(c.depth for c in world.contacts if abs(c.position[2] - 0.2) < 3e-3)
    assert len(depths) == 4 and depths[0] == pytest.approx(depths[1]) and -2e-5 < depths[0] < -1e-5 < 0 < depths[3]
    assert abs(upper.linear_velocity[2]) < 2e-3  # the free corners fall to touch and no further


def test_a_gap_that_closes_because_something_else_holds_has_friction():
    world, upper = two_boxes((0, 0, 0.3 + 1e-6), gravity=(5, 0, -10))
    world.advance(1e-2)
    assert world.statistics.speculative == 4
    assert abs(upper.linear_velocity).max() < 1e-3


def test_it_is_off_at_first_and_can_be_put_off_again():
    world = od.World(gravity=(0, 0, -10))
    assert world.speculative_margin == 0.0
    for margin in (0.25, "auto", 0.0):
        world.speculative_margin = margin
        assert world.speculative_margin == margin
    world.add_plane()
    ball = world.add_body(od.Sphere(0.1), position=(0, 0, 0.2), linear_velocity=(0, 0, -10))
    world.advance(H)
    assert ball.position[2] < 0.05
    assert world.statistics.speculative == 0


@pytest.mark.parametrize("bad", [-0.1, np.nan, np.inf, -np.inf, "far", None])
def test_no_margin_that_is_no_distance(bad):
    world = od.World()
    with pytest.raises((TypeError, ValueError), match=r'the speculative margin of the world .*"auto"'):
        world.speculative_margin = bad
    assert world.speculative_margin == 0.0
