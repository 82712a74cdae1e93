"""Both orders of QuickStep compared with the exact step, and the effect of their settings."""

from __future__ import annotations

import math

import numpy as np
import pytest

import opendynamics as od
from benchmarks.peers.solids import pyramid
from opendynamics.core import step as stages
from opendynamics.core.arrays.bodies import INERTIAS, MOTIONS, POSES
from opendynamics.core.arrays.islands import ISLANDS
from opendynamics.core.arrays.report import INTEGERS
from opendynamics.core.arrays.rows import FORCES, ROWS
from opendynamics.core.arrays.table import DECLARED
from opendynamics.core.solve.pgs import blocks, ode_order
from opendynamics.core.solve.pgs.shuffling import drawn_ahead
from tests.unit.scenes import classic_step, pile, state

H = 0.01
ORDERS = ("ode", "blocks")


def world_with(order, sweeps=20, **settings):
    world = od.World(gravity=(0, 0, -9.81))
    world.quickstep_order, world.quickstep_iterations = order, sweeps
    world.solver = "pgs"
    world.quickstep_direct = False  # these are tests of the iterations
    for name, value in settings.items():
        setattr(world, name, value)
    return world


def velocities(world):
    return np.hstack([world.linear_velocities, world.angular_velocities])


# Scenes in which every force is unique.


def chain(world, links=5, y=0.0):
    last = None
    for k in range(links):
        body = world.add_body(od.Box((0.3, 0.2, 0.1)), position=(0.5 * k + 0.25, y, 0.1 * k), mass=1.0 + k % 2)
        world.add_ball(last, body, anchor=(0.5 * k, y, 0.1 * k))
        last = body


def machine(world):
    """A joint of every number of rows, motors, and stops that are hit."""
    random = np.random.default_rng(3)
    last = None
    makers = (
        lambda a, b, at: world.add_hinge(a, b, anchor=at, axis=(0, 1, 0), stops=(-0.001, 0.001)),
        lambda a, b, at: world.add_universal(a, b, anchor=at, axis1=(0, 1, 0), axis2=(0, 0, 1)),
        lambda a, b, at: world.add_slider(a, b, axis=(1, 0, 0)).motor(0.5, 3.0),
        lambda a, b, at: world.add_fixed(a, b),
        lambda a, b, at: world.add_hinge(a, b, anchor=at, axis=(1, 0, 0)).motor(2.0, 0.5),
        lambda a, b, at: world.add_dball(a, b, anchor1=at, anchor2=at + 0.1),
    )
    for k, make in enumerate(makers):
        body = world.add_body(
            od.Box((0.2, 0.3, 0.4)),
            position=(0.5 * k + 0.25, 0, 0),
            mass=1 + k / 3,
            linear_velocity=random.normal(size=3),
            angular_velocity=random.normal(size=3),
        )
        make(last, body, np.array([0.5 * k, 0.0, 0.0]))
        last = body


def balls(world):
    """Balls on the ground and on each other: some roll, some slide, with friction that knows its bound."""
    world.surfaces.default = od.Surface(mu=2.0, friction_model="box", rolling=0.01)
    world.add_plane()
    for k in range(4):
        world.add_body(
            od.Sphere(0.5), position=(0.99 * k, 0.02 * k, 0.499), mass=1.0, linear_velocity=(3.0 - 2 * k, 1, 0)
        )
    world.add_body(od.Sphere(0.5), position=(0.495, 0.3, 1.27), mass=0.5, angular_velocity=(3, 0, 1))


@pytest.mark.parametrize("build", [chain, machine, balls])
@pytest.mark.parametrize("order", ORDERS)
def test_many_sweeps_come_to_the_exact_answer(order, build):
    exact, quick = od.World(gravity=(0, 0, -9.81)), world_with(order, 3000)
    for world in (exact, quick):
        build(world)
        world.advance(H)
    assert exact.statistics.rows == quick.statistics.rows > 10
    np.testing.assert_allclose(velocities(quick), velocities(exact), rtol=0, atol=1e-6)


# Warm starting.


def error_after(steps, warm_start, sweeps=4, build=chain, step=od.World.advance):
    """The last step's distance from the exact step out of the same state."""
    exact, quick = od.World(gravity=(0, 0, -9.81)), world_with("blocks", sweeps, quickstep_warm_start=warm_start)
    for world in (exact, quick):
        build(world)
    for _ in range(steps - 1):
        step(quick, H)
    copy_bodies(quick, exact)
    step(exact, H)
    step(quick, H)
    return abs(velocities(quick) - velocities(exact)).max()


def copy_bodies(source, target):
    """To the last bit, where setting a quaternion would normalise it once more."""
    for table in (MOTIONS, POSES):
        used = source._store.used(table)
        target._store[table][:used] = source._store[table][:used]
    used = source._store.used(INERTIAS)  # from which held bodies carry their angular momentum over to the next step
    target._store[INERTIAS]["world_inverse"][:used] = source._store[INERTIAS]["world_inverse"][:used]


def stack(world, count=6):
    world.contact_surface_layer = 1e-3  # contacts at rest keep touching
    world.stabilization = "baumgarte"  # one solution a step, so that the cached forces are of the same problem
    world.add_plane()
    for k in range(count):
        world.add_body(od.Box((1, 1, 1)), position=(0.01 * (k % 3), 0, 0.499 + 0.998 * k), mass=1.0)


def test_forces_of_joints_are_taken_over():
    assert error_after(30, 1.0) < 0.2 * error_after(30, 0.0)


def test_forces_of_contacts_that_advance_makes_are_taken_over():
    assert error_after(30, 1.0, build=stack) < 0.1 * error_after(30, 0.0, build=stack)


@pytest.mark.parametrize("turned", [False, True])
def test_forces_of_contacts_that_are_made_anew_are_taken_over(turned):
    """In ODE's loop, in the same order or in another one every time."""
    group = od.JointGroup()
    calls = []

    def step(world, h):
        group.empty()
        made = []
        world.space.collide(lambda a, b: made.extend(od.collide(a, b)))
        calls.append(1)
        for contact in reversed(made) if turned and len(calls) % 2 else made:
            world.add_contact(contact, od.Surface(mu=0.5), group=group)
        if world.solver == "exact":
            world.step(h)
        else:
            world.quick_step(h)

    warm = error_after(30, 1.0, build=stack, step=step)
    assert warm < 0.1 * error_after(30, 0.0, build=stack, step=step)


@pytest.mark.parametrize("order", ["reversed", "alternating"])
def test_cached_impulses_follow_a_contact_whose_geoms_swap(order):
    """The bodies of a contact come in either order in ODE's loop: the same contacts, hence the same motion."""
    places = {}
    for way in ("as found", order):
        world, group = world_with("blocks", 4, quickstep_warm_start=1.0), od.JointGroup()
        stack(world, 8)
        for step in range(40):
            swapped = way == "reversed" or (way == "alternating" and step % 2 == 1)
            made = []
            world.space.collide(lambda a, b, made=made: made.extend(od.collide(a, b)))
            for contact in made:
                if swapped:
                    geoms = contact.geom2, contact.geom1
                    contact = od.Contact(contact.position, -contact.normal, contact.depth, *geoms)
                world.add_contact(contact, od.Surface(mu=0.5), group=group)
            world.quick_step(H)
            group.empty()
        places[way] = world.positions
    np.testing.assert_allclose(places[order], places["as found"], rtol=0, atol=1e-10)


def test_a_step_by_another_solver_ends_what_is_known():
    known, fresh = world_with("blocks", 3), world_with("blocks", 3)
    for world in (known, fresh):
        stack(world)
    known.advance(H, steps=5)
    known.solver = "exact"
    known.advance(H)
    copy_bodies(known, fresh)
    known.solver = "pgs"
    for world in (known, fresh):
        world.advance(H)
    np.testing.assert_array_equal(state(known), state(fresh))


def test_a_joint_in_the_place_of_another_begins_anew():
    known, fresh = world_with("blocks", 3), world_with("blocks", 3)
    for world in (known, fresh):
        chain(world)
    known.advance(H, steps=5)
    copy_bodies(known, fresh)
    for world in (known, fresh):
        for joint in world.joints:
            joint.destroy()
        for a, b in zip(world.bodies, world.bodies[1:], strict=False):
            world.add_fixed(a, b)
        world.advance(H)
    np.testing.assert_array_equal(state(known), state(fresh))


@pytest.mark.parametrize("order", ORDERS)
def test_a_world_whose_tables_are_copied_goes_on_in_the_same_way(order):
    """All that the next step depends on is in the tables."""
    one, other = (pile(count=12, solver="pgs") for _ in range(2))
    one.quickstep_order = other.quickstep_order = order
    one.advance(H, steps=60)
    other.advance(H)
    for table in DECLARED:
        if table.name not in ("choices", "pair_kernels", "bounds_kernels", "joint_kernels", "floats", "integers"):
            other._store.use(table, one._store.used(table))
            other._store.make_room(table, len(one._store[table]))
            other._store[table][: len(one._store[table])] = one._store[table]
    for world in (one, other):
        world.advance(H, steps=20)
    np.testing.assert_array_equal(state(one), state(other))


@pytest.mark.parametrize("order", ORDERS)
def test_reruns_in_odes_loop_agree_to_the_last_bit(order):
    results = []
    for _ in range(2):
        world, group = pile(count=10), od.JointGroup()
        world.quickstep_order = order
        for _ in range(60):
            classic_step(world, H, group, "quick_step")
        results.append(state(world))
    np.testing.assert_array_equal(*results)


# Laws.


@pytest.mark.parametrize(("order", "way"), [("ode", 1e-3), ("blocks", 1e-5)])
def test_a_stack_rests(order, way):
    world = world_with(order, 80)
    stack(world, 3)
    world.advance(H, steps=100)
    before = world.positions
    world.advance(H, steps=200)
    assert abs(world.positions - before).max() < way
    assert abs(velocities(world)).max() < way


@pytest.mark.parametrize("cone", ["pyramid", "elliptic"])
@pytest.mark.parametrize("order", ORDERS)
def test_a_box_slides_as_far_as_friction_lets_it(order, cone):
    """v²/(2 mu g), and half a step's way that the scheme is off."""
    world = world_with(order)
    world.surfaces.default = od.Surface(mu=0.3, cone=cone)
    world.add_plane()
    box = world.add_body(od.Box((1, 1, 0.2)), position=(0, 0, 0.0999), mass=2.0, linear_velocity=(2, 0, 0))
    world.advance(H, steps=200)
    assert box.position[0] == pytest.approx(4 / (2 * 0.3 * 9.81), abs=0.02)
    assert np.linalg.norm(box.linear_velocity) < 1e-3


@pytest.mark.parametrize("angle", [0.0, 0.3, math.pi / 4, 2.0])
@pytest.mark.parametrize("order", ORDERS)
def test_a_circular_cone_brakes_alike_in_every_direction(order, angle):
    world = world_with(order, 50)
    world.surfaces.default = od.Surface(mu=0.3, cone="elliptic")
    world.add_plane()
    way = np.array([math.cos(angle), math.sin(angle), 0.0])
    box = world.add_body(od.Box((1, 1, 0.2)), position=(0, 0, 0.0999), mass=2.0, linear_velocity=3 * way)
    world.advance(H, steps=20)
    before = box.linear_velocity
    world.advance(H, steps=20)
    change = (box.linear_velocity - before) / (20 * H)
    np.testing.assert_allclose(change, -0.3 * 9.81 * way, atol=0.03)


@pytest.mark.parametrize(("push", "holds"), [(0.95, True), (1.1, False)])
@pytest.mark.parametrize("order", ORDERS)
def test_a_circular_cone_holds_up_to_its_radius(order, push, holds):
    """Across both friction directions a pyramid would hold √2 times as much."""
    world = world_with(order, 50)
    world.surfaces.default = od.Surface(mu=0.5, cone="elliptic")
    world.add_plane()
    ball = world.add_body(od.Box((1, 1, 0.2)), position=(0, 0, 0.0999), mass=2.0)
    force = push * 0.5 * 2.0 * 9.81 / math.sqrt(2)
    for _ in range(100):
        ball.add_force((force, force, 0.0))
        world.advance(H)
    speed = np.linalg.norm(ball.linear_velocity)
    assert speed < 1e-3 if holds else speed == pytest.approx((push - 1) * 0.5 * 9.81, rel=0.1)


@pytest.mark.parametrize("order", ORDERS)
def test_an_ellipse_has_two_half_axes(order):
    """Friction opposes the sliding in the metric of the ellipse: forces (mu² vx, mu2² vy) / |(mu vx, mu2 vy)|."""
    world = world_with(order, 100)
    mu, mu2 = 0.4, 0.2
    surface = od.Surface(mu=mu, mu2=mu2, direction1=(1, 0, 0), cone="elliptic")
    ground, group = world.add_plane(), od.JointGroup()
    v = np.array([3.0, 2.0])
    box = world.add_body(od.Box((1, 1, 0.02)), position=(0, 0, 0.00999), mass=2.0, linear_velocity=(*v, 0))
    for _ in range(4):
        before = box.linear_velocity[:2]
        for contact in od.collide(*box.geoms, ground):
            world.add_contact(contact, surface, group=group)
        world.quick_step(H)
        group.empty()
    change = (box.linear_velocity[:2] - before) / H
    v = box.linear_velocity[:2]
    expected = -9.81 * np.array([mu**2, mu2**2]) * v / np.linalg.norm([mu, mu2] * v)
    np.testing.assert_allclose(change, expected, atol=0.05)


# Sweeps as they are needed.


@pytest.mark.parametrize("direct", [True, False])
def test_islands_with_few_bounded_rows_are_solved_directly(direct):
    """By the exact solver, unless iterations are asked for; with a motor, too."""
    world, exact = world_with("blocks", quickstep_direct=direct), od.World(gravity=(0, 0, -9.81), solver="exact")
    for each in (world, exact):
        chain(each, 30)
        each.advance(H, 20)
    apart = abs(velocities(world) - velocities(exact)).max()
    if direct:
        assert apart == 0.0
        assert world.statistics.residual < 1e-9
    else:
        assert apart > 1e-6
        assert world.statistics.iterations == 20
    chain(world, 2, y=3.0)
    world.add_hinge(world.bodies[-1], None, axis=(0, 1, 0)).motor(1.0, 0.1)
    world.bodies[-1].linear_velocity = (9, 0, 0)  # not at rest
    world.advance(H)
    assert solvers_of_islands(world) == ["exact" if direct else "pgs"] * 2
    assert (world.statistics.residual < 1e-9) == direct


def solvers_of_islands(world):
    """Which solver each island of the last step was assigned to."""
    return [("pgs", *blocks.MEMBERS)[k] for k in world._store[ISLANDS]["solver"][: world._store.used(ISLANDS)]]


def test_what_is_nearly_at_rest_is_solved_exactly_if_that_is_cheap_and_by_sub_steps_otherwise():
    for count, speed, expected in ((3, 0, "exact"), (3, 12, "pgs"), (6, 0, "exact")):
        world = world_with("blocks", quickstep_direct=True)
        stack(world, count)
        for body in world.bodies:
            body.linear_velocity = (speed * 9.81 * H, 0, 0)
        world.advance(H)
        assert solvers_of_islands(world) == [expected]
    wide = pyramid(8).world(solver="pgs")
    wide.advance(H)
    assert solvers_of_islands(wide) == ["soft"]


def test_with_verlet_what_is_too_large_for_exact_solutions_is_iterated():
    world = pyramid(8).world(solver="pgs", integrator="verlet")
    world.advance(H)
    assert solvers_of_islands(world) == ["pgs"]
    assert world.statistics.iterations == 20


@pytest.mark.parametrize("order", ORDERS)
def test_it_ends_early_when_nothing_changes_any_more(order):
    world = world_with(order, 2000, quickstep_exit_change=1e-9)
    exact = od.World(gravity=(0, 0, -9.81))
    for w in (world, exact):
        chain(w)
        w.advance(H)
    assert 5 < world.statistics.iterations < 2000
    np.testing.assert_allclose(velocities(world), velocities(exact), atol=1e-7)
    assert world.quickstep_counts == od.QuickstepCounts(world.statistics.iterations, 1, 0, 0)


@pytest.mark.parametrize("order", ORDERS)
def test_it_goes_on_while_there_is_much_change(order):
    world = world_with(order, 10, quickstep_extra=2.5, quickstep_extra_change=1e-9)
    chain(world)
    world.advance(H)
    assert world.statistics.iterations == 35
    assert world.quickstep_counts == od.QuickstepCounts(35, 0, 1, 1)
    world.quickstep_extra_change = 1e9
    world.advance(H)
    assert world.statistics.iterations == 10
    assert world.quickstep_counts == od.QuickstepCounts(45, 0, 1, 1)
    world.quickstep_extra, world.quickstep_extra_change = 500.0, 1e-3
    world.advance(H)
    assert 10 < world.statistics.iterations < 5000
    assert world.quickstep_counts.prolonged == 2
    assert world.quickstep_counts.exhausted == 1
    world.reset_quickstep_counts()
    assert world.quickstep_counts == od.QuickstepCounts()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("quickstep_order", "rows"),
        ("quickstep_order", None),
        ("quickstep_warm_start", 1.5),
        ("quickstep_warm_start", math.nan),
        ("quickstep_exit_change", -1.0),
        ("quickstep_extra", -0.5),
        ("quickstep_extra", 1e9),
        ("quickstep_extra", math.inf),
        ("quickstep_extra_change", math.nan),
    ],
)
def test_bad_settings_are_refused_by_name(name, value):
    world = od.World()
    before = getattr(world, name)
    with pytest.raises(ValueError, match=f"of the world.*{value}"):
        setattr(world, name, value)
    assert getattr(world, name) == before


# The generator.


def test_the_generator_is_set_ahead_in_one_go():
    state_after = 12345
    for draws in range(200):
        assert drawn_ahead.py_func(12345, draws) == state_after
        state_after = (state_after * 1664525 + 1013904223) % 2**32
    assert drawn_ahead.py_func(7, 2**32 + 5) == drawn_ahead.py_func(7, 5)  # its period


@pytest.mark.parametrize("solver", [ode_order, blocks])
def test_islands_may_be_solved_in_any_order(solver):
    world = world_with("ode", 30)
    for k in range(4):
        chain(world, y=2.0 * k)
    world.advance(H, steps=3)
    store = world._store
    assert stages.constrain(store.tables, H)
    islands = store.used(ISLANDS)
    assert islands == 4
    store[FORCES][:] = 0.0
    found = []
    for order in (range(islands), reversed(range(islands))):
        for k in order:
            while not solver.solve(store.tables, k):
                store.make_missing_room()
        found.append(store[FORCES].copy())
    np.testing.assert_array_equal(*found)
    assert found[0].any()


def test_a_second_solution_takes_the_blocks_of_the_first():
    """With other right-hand sides of contacts, starting from the forces of the first: the same to the last bit as from
    scratch.
    """
    world = world_with("blocks", quickstep_warm_start=0.9)
    stack(world, 3)
    chain(world, 3, y=0.1)  # joints among contacts
    world.advance(H, steps=3)
    store = world._store
    assert stages.collide(store.tables, H)
    assert stages.constrain(store.tables, H)
    assert blocks.solve(store.tables, 0)
    first = store[FORCES].copy()
    store[ISLANDS]["solutions"][0] = 1
    rows = store[ROWS][: store[ISLANDS]["rows"][0]]
    rows["rhs"][rows["lo"] == 0.0] *= 1.5
    found = []
    for anew in (False, True):
        if anew:
            store[INTEGERS][:] = 0
        assert blocks.solve(store.tables, 0)
        found.append(store[FORCES].copy())
    np.testing.assert_array_equal(*found)
    assert (found[0] != first).any()


def test_the_generator_s_state_is_that_of_one_island_after_the_other():
    """Each of the shuffles, before sweeps 8 and 16 of 20, draws a number for every row of an island but one."""
    world = world_with("ode", 20, random_seed=99)
    for k in range(3):
        chain(world, y=2.0 * k)
    world.advance(H)
    assert world.random_seed == drawn_ahead.py_func(99, 3 * 2 * 14)
