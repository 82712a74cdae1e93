"""The solver "auto": which island goes to which solver, and each moves as with that solver alone."""

from __future__ import annotations

import numpy as np
import pytest

import opendynamics as od
from benchmarks.peers.solids import creep, pyramid
from benchmarks.run import SCENES
from opendynamics.core.arrays.contact_cache import CONTACT_FORCES
from opendynamics.core.arrays.islands import ISLANDS
from opendynamics.core.compile.folder import cache_folder
from opendynamics.io import build_scene
from opendynamics.io.bench_scene import read_bench_scene
from tests.kernel_cache.copies import PACKAGE, run
from tests.unit.scenes import state

H = 0.01


def new_world(solver="auto", **options):
    world = od.World(gravity=(0, 0, -9.81), solver=solver, **options)
    world.add_plane()
    return world


def add_tower(world, height, x=0.0):
    return [world.add_body(od.Box((1, 1, 1)), position=(x, 0, 0.499 + 0.998 * k)) for k in range(height)]


def add_chain(world, links, x=0.0, z=10.0):
    """Hanging in the air, so that it has no bounded rows."""
    last, bodies = None, []
    for k in range(links):
        bodies.append(world.add_body(od.Sphere(0.1), position=(x + 0.3 * k + 0.15, 0, z)))
        world.add_ball(last, bodies[-1], anchor=(x + 0.3 * k, 0, z))
        last = bodies[-1]
    return bodies


def add_pile(world, side, x=0.0):
    """Layers of boxes, each on the corners of four."""
    bodies = []
    for layer in range(side):
        for i in range(side - layer):
            for j in range(side - layer):
                at = (x + i + 0.5 * layer, j + 0.5 * layer, 0.499 + 0.998 * layer)
                bodies.append(world.add_body(od.Box((0.99, 0.99, 1)), position=at))
    return bodies


def chosen(world):
    world.advance(H)
    return world.statistics.solvers


def test_it_is_the_default():
    assert od.World().solver == "auto"
    assert od.World(like="ode").solver == "exact"
    assert od.World(like="ode", solver="pgs").solver == "pgs"


def test_articulations_and_small_piles_are_solved_exactly():
    world = new_world()
    add_chain(world, 300)
    add_tower(world, 10, x=-5.0)
    add_pile(world, 2, x=-10.0)
    assert chosen(world) == {"exact": 3, "soft": 0}
    assert world.statistics.residual < 1e-10


LATE = """
import opendynamics as od
from opendynamics.core.solve import exact, soft

def run():
    world = od.World(gravity=(0, 0, -9.81))
    world.threads = {threads}
    world.add_plane()
    ball = world.add_body(od.Sphere(0.1), position=(0, 0, 0.2), density=1000)
    world.advance(0.01, steps=3)
    print(exact.solve.cache.is_loaded, soft.solve.cache.is_loaded)
    world.auto_exact_rows = 0
    for k in range(3):
        world.add_body(od.Box((1, 1, 1)), position=(3, 0, 0.499 + 0.998 * k))
    world.advance(0.01, steps=20)
    print(exact.solve.cache.is_loaded, soft.solve.cache.is_loaded)
    return world.state_hash()

print(run() == run())
"""


@pytest.mark.parametrize("threads", [1, 2])
def test_a_solver_is_loaded_when_an_island_needs_it(threads):
    """The step that it is loaded in is the same as if it had been there before."""
    output = run(PACKAGE, LATE.format(threads=threads), OPENDYNAMICS_CACHE_DIR=str(cache_folder())).splitlines()
    assert output == ["False False", "True True", "True True", "True True", "True"]


def test_large_piles_are_soft():
    world = new_world()
    add_chain(world, 30, x=20.0)
    add_pile(world, 4)
    assert chosen(world) == {"exact": 1, "soft": 1}


@pytest.mark.parametrize(("base", "passes"), [(12, 8), (18, 16), (30, 32)])
def test_tall_islands_take_more_substeps(base, passes):
    for solver in ("auto", "soft"):
        for substeps, expected in (("auto", passes), (5, 10)):
            world = pyramid(base).world(solver=solver, soft_substeps=substeps)
            world.add_body(
                od.Box((0.2, 0.2, 0.2)), position=(50, 0, 30.0), mass=1.0
            )  # far above: no part of the island
            world.advance(H)
            islands = world._store[ISLANDS][: world._store.used(ISLANDS)]
            assert islands["iterations"].max() == expected


def test_a_pyramid_of_twenty_courses_comes_to_rest():
    """With 4 sub-steps it goes on to sway by several millimetres."""
    assert creep(pyramid(20), 4.0, settle=6.0) * 4.0 / 60.0 < 5e-4


def test_a_pyramid_put_up_at_once_is_carried_from_its_first_step():
    """Without a first guess of its forces it sways by 2 mm."""
    assert creep(pyramid(20), 1.0) / 60.0 < 1e-3


@pytest.mark.slow
def test_a_pyramid_of_fifty_courses_stands():
    """With 8 sub-steps, or softer contacts, it buckles."""
    assert creep(pyramid(50), 10.0) * 10.0 / 60.0 < 1e-3


@pytest.mark.slow
def test_a_pyramid_of_a_hundred_courses_stands():
    """It takes fewer sub-steps than its height requires. With contacts as stiff as those of fifty courses it bursts at once."""
    world = od.World(gravity=(0, 0, -10))
    world.add_plane()
    world.auto_disable = False
    places = [(1.0 * column + 0.5 * row, 0.0, 0.5 + row) for row in range(100) for column in range(100 - row)]
    world.add_bodies(od.Box((1, 1, 1)), places, density=100)
    world.advance(1 / 60, steps=90)
    assert abs(world.positions - places).max() < 0.05
    assert abs(world.linear_velocities).max() < 0.02


def test_nets_with_many_loops_are_soft():
    for count, solvers in ((10, {"exact": 1, "soft": 0}), (25, {"exact": 0, "soft": 1})):
        world = od.World(gravity=(0, 0, -9.81))
        bodies = [[world.add_body(mass=1.0, position=(i, j, 0)) for j in range(count)] for i in range(count)]
        for i in range(count):
            for j in range(count):
                for k, m in ((i - 1, j), (i, j - 1)):
                    if min(k, m) >= 0:
                        world.add_ball(bodies[k][m], bodies[i][j], anchor=(0.5 * (i + k), 0.5 * (j + m), 0))
        assert chosen(world) == solvers


def test_islands_share_what_exact_solutions_may_take():
    """The smallest first: towers of one and two boxes, but not those of three, which are too many together."""
    world = new_world()
    for k in range(30):
        add_tower(world, 1 + k % 3, x=3.0 * k)
    assert chosen(world) == {"exact": 30, "soft": 0}
    for k in range(90):
        add_tower(world, 3, x=-3.0 * k - 3.0)
    assert chosen(world) == {"exact": 20, "soft": 100}
    world.auto_exact_rows = 0
    assert chosen(world) == {"exact": 10, "soft": 110}
    world.auto_exact_rows = 300
    assert chosen(world) == {"exact": 120, "soft": 0}


def test_in_a_crowd_piles_that_move_take_substeps():
    world = new_world()
    pile = [world.add_body(od.Box((1, 1, 1)), position=(0, 0.99 * k, 0.499)) for k in range(2)]

    def slide(speed):
        for body in pile:
            body.linear_velocity = (speed, 0, 0)

    slide(5.0)
    assert chosen(world) == {"exact": 1, "soft": 0}
    for k in range(35):
        add_tower(world, 1, x=3.0 * k + 10.0)
    slide(5.0)
    assert chosen(world) == {"exact": 35, "soft": 1}
    slide(0.0)
    assert chosen(world) == {"exact": 36, "soft": 0}
    world.auto_exact_rows = 200
    slide(5.0)
    assert chosen(world) == {"exact": 36, "soft": 0}


@pytest.mark.parametrize(
    ("spheres", "touching", "exact"), [(5, 5, True), (7, 7, True), (8, 8, False), (40, 21, True), (40, 22, False)]
)
def test_joints_that_hold_allow_for_more_bounded_rows(spheres, touching, exact):
    """12, and one for two of the joints' rows, but no more than 64, whatever other islands may take."""
    world, last = new_world(), None
    world.auto_exact_rows = 0
    for k in range(spheres):
        body = world.add_body(od.Sphere(0.1), position=(0.3 * k, 0, 0.0999 if k < touching else 1.0), mass=1.0)
        if last is not None:
            world.add_ball(last, body, anchor=(0.3 * k - 0.15, 0, 0.1))
        last = body
    assert chosen(world) == {"exact": int(exact), "soft": int(not exact)}


def test_joints_of_ragdolls_that_land_hold():
    """By 68 mm they separated where landing islands took sub-steps; by 7 mm if all are solved exactly."""
    world, worst = od.World(), 0.0
    build_scene(world, read_bench_scene(SCENES / "ragdoll20.txt.gz"))
    for _ in range(40):
        world.advance(0.01, steps=5)
        worst = max(worst, *(np.linalg.norm(np.subtract(joint.anchor, joint.anchor2)) for joint in world.joints))
    assert worst < 0.02


def test_other_solvers_count_nothing():
    world = new_world()
    add_tower(world, 3)
    assert chosen(world) == {"exact": 1, "soft": 0}
    world.solver = "exact"
    assert chosen(world) == {}
    world.solver = "auto"
    assert chosen(world) == {"exact": 1, "soft": 0}
    world.solver = "pgs"
    assert chosen(world) == {}


def moved(solver, *adders):
    world = new_world(solver)
    for add, *arguments in adders:
        add(world, *arguments)
    world.advance(H, steps=20)  # later on small islands leave the pile
    return state(world)


def test_each_island_moves_as_by_its_solver_alone():
    small = (add_tower, 5, -5.0), (add_chain, 20, 20.0)
    large = (add_pile, 5)
    both = moved("auto", *small, large)
    exact, soft = moved("exact", *small), moved("soft", large)
    assert np.array_equal(both[: len(exact)], exact)
    assert np.array_equal(both[len(exact) :], soft)


def test_verlet_has_iterations_where_the_soft_step_cannot_follow():
    world = new_world()
    world.integrator = "verlet"
    add_pile(world, 4)
    assert chosen(world) == {"exact": 0, "pgs": 1}
    world.integrator = "energy-momentum"
    assert chosen(world) == {"exact": 0, "soft": 1}


@pytest.mark.parametrize("build", ["wall", "pile"])
def test_resting_piles_fall_asleep(build):
    """At the default thresholds: iterations creep by centimetres a minute, and never let a wall of 36 bricks sleep."""
    world = new_world()
    world.auto_disable = True
    if build == "wall":
        for k in range(36):
            world.add_body(od.Box((1, 0.5, 0.5)), position=(k % 6 + 0.5 * (k // 6 % 2), 0, 0.25 + 0.5 * (k // 6)))
    else:
        add_pile(world, 4)
    assert chosen(world) == {"exact": 0, "soft": 1}
    world.advance(H, steps=900)
    assert not any(body.enabled for body in world.bodies)


def test_elliptic_and_coupled_friction_find_their_entries():
    """The exact solver's further entries, called from a world whose solver is another."""
    motions = []
    for solver in ("auto", "exact"):
        world = new_world(solver, surface=od.Surface(mu=0.3, cone="elliptic"))
        world.friction_bounds = "coupled"
        for body in add_tower(world, 3):
            body.linear_velocity = (2.0, 1.0, 0.0)
        world.advance(H, steps=20)
        motions.append(state(world).tobytes())
    assert motions[0] == motions[1]


def test_pivoting_begins_from_the_forces_of_the_last_step():
    """It takes fewer rounds, and what it finds is the same to the last bit as from no forces at all."""
    world = new_world()
    for k in range(3):
        world.add_body(od.Box((0.3, 0.2, 0.1)), position=(0.02 * k, 0.03 * k, 0.05 + 0.1 * k), density=500)
    world.bodies[0].linear_velocity = (1, 0, 0)  # it slides under the others
    rounds = [0, 0]
    for _ in range(6):
        world.advance(0.01, steps=5)
        snapshot, found = world.save(), []
        for cold in (0, 1):
            world.restore(snapshot)
            if cold:
                world._store.use(CONTACT_FORCES, 0)
            world.advance(0.01)
            assert world.statistics.solvers == {"exact": 1, "soft": 0}
            rounds[cold] += world.statistics.iterations
            found.append(state(world))
        np.testing.assert_array_equal(*found)
    assert rounds[0] < rounds[1]


def test_an_island_that_turns_soft_starts_from_its_exact_forces():
    world = new_world()
    add_tower(world, 6)
    world.advance(H, steps=200)
    assert world.statistics.solvers == {"exact": 1, "soft": 0}
    world.auto_exact_rows = 0
    assert chosen(world) == {"exact": 0, "soft": 1}
    assert abs(world.linear_velocities).max() < 0.5 * 9.81 * H  # from no forces its top falls freely


@pytest.mark.parametrize("value", [-1, 1.5, True, "all", 10**9])
def test_number_of_exact_rows_is_checked(value):
    world = od.World(name="garden")
    with pytest.raises((TypeError, ValueError), match="exact rows of garden"):
        world.auto_exact_rows = value
    assert world.auto_exact_rows == 100
