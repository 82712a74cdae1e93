"""QuickStep in ODE's order: forces are bit-identical to those of sequential rows; adjacent rows seldom share a body."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

import opendynamics as od
from opendynamics.api.running import begin, provide_missing
from opendynamics.core import step as stages
from opendynamics.core.arrays.bodies import INERTIAS, MOTIONS
from opendynamics.core.arrays.islands import ISLAND_BODIES, ISLANDS
from opendynamics.core.arrays.report import INTEGERS
from opendynamics.core.arrays.rows import FORCES, ROWS
from opendynamics.core.solve.gauss_seidel import PLACE
from opendynamics.core.solve.pgs.ode_order import SHUFFLE_PERIOD
from opendynamics.core.solve.pgs.parameters import PARAMETERS
from opendynamics.core.solve.pgs.shuffling import BITS, FACTOR, INCREMENT, drawn_ahead

H, RELAXATION, ITERATIONS = 0.01, 1.3, 20


def wall(world):
    """Boxes that lean on each other, in two islands, and a chain; friction of every kind."""
    ground = world.add_plane()
    for k in range(12):
        world.add_body(od.Box((0.5, 0.2, 0.25)), position=(0.4 * (k % 4) + 0.1 * (k // 4), 0, 0.12 + 0.24 * (k // 4)))
    for k in range(3):
        world.add_body(od.Box((0.3, 0.3, 0.3)), position=(5, 0.01 * k, 0.14 + 0.29 * k), mass=1 + k)
    for a, b in zip(world.bodies[:3], world.bodies[1:4], strict=True):
        world.add_hinge(a, b, axis=(0, 1, 0), stops=(-0.1, 0.1))
    world.add_ball(None, world.bodies[-1], anchor=(5, 0, 1))
    world.bodies[-1].linear_velocity = (1, 2, 3)
    surfaces = od.Surface(mu=0.3), od.Surface(mu=0.5, cone="elliptic"), od.Surface(mu=math.inf)
    boxes = [body.geoms[0] for body in world.bodies]
    pairs = [(box, other) for k, box in enumerate(boxes) for other in (ground, *boxes[:k])]
    for k, (a, b) in enumerate(pairs):
        for contact in od.collide(a, b):
            world.add_contact(contact, surfaces[k % 3])


def tree(world):
    """A binary tree of bodies connected by hinges."""
    bodies = [world.add_body(od.Box((0.5, 0.1, 0.1)), position=(k, 0, 0)) for k in range(31)]
    for k, body in enumerate(bodies[1:]):
        world.add_hinge(bodies[k // 2], body, axis=(0, 1, 0))


def solved(build, iterations=ITERATIONS):
    """The tables of a world whose rows have been solved, and its islands."""
    world = od.World(gravity=(0, 0, -9.81))
    world.quickstep_order, world.quickstep_iterations, world.quickstep_relaxation = "ode", iterations, RELAXATION
    world.quick_step(H)  # loads the solver
    build(world)
    store = world._store
    begin(world, vars(world))
    for stage, *arguments in ((stages.constrain, H), (stages.solve_rows,)):
        while not stage(store.tables, *arguments):
            provide_missing(world, store)
    return store, store[ISLANDS][: store.used(ISLANDS)]


class Row:
    """A row as ODE sees it, with its bodies' accelerations as lists of six."""

    def __init__(self, store, island, record, accelerations):
        self.record, self.force, self.sides = record, 0.0, []
        diagonal = float(record["cfm"])
        for slot, j in ((record["slot0"], record["j0"].tolist()), (record["slot1"], record["j1"].tolist())):
            if slot < 0:
                continue
            body = store[ISLAND_BODIES][island["first_body"] + slot]
            mass, inertia = float(store[MOTIONS]["inverse_mass"][body]), store[INERTIAS]["world_inverse"][body].tolist()
            turned = [inertia[k] * j[3] + inertia[k + 1] * j[4] + inertia[k + 2] * j[5] for k in (0, 3, 6)]
            response = [mass * each for each in j[:3]] + turned
            own = 0.0
            for k in range(3):
                own += j[k] * response[k] + j[3 + k] * response[3 + k]
            diagonal += own
            self.sides.append((j, response, accelerations.setdefault(int(slot), [0.0] * 6)))
        self.effective_mass = RELAXATION / diagonal if diagonal > 0.0 else 0.0

    def improved(self):
        residual = float(self.record["rhs"]) - float(self.record["cfm"]) * self.force
        for j, _, acceleration in self.sides:
            for each, a in zip(j, acceleration, strict=True):
                residual -= each * a
        return self.force + self.effective_mass * residual

    def put(self, force):
        change, self.force = force - self.force, force
        for _, response, acceleration in self.sides:
            for k in range(6):
                acceleration[k] += change * response[k]


def draw_below(state, n):
    """ODE's dRandInt for n up to 65536."""
    for bits in (16, 8, 4, 2, 1):
        if n <= 1 << bits:
            state ^= state >> bits
            width = bits
    return ((state & ((1 << width) - 1)) * n) >> width


def forces_in_turn(store, island, state):
    """ODE's QuickStep as its manual has it: every row after the one before."""
    records = store[ROWS][island["first_row"] :][: island["rows"]]
    accelerations = {}
    rows = [Row(store, island, record, accelerations) for record in records]
    for one, two in pairwise(rows):
        if two.record["pair"] < 0:
            one.effective_mass = two.effective_mass = min(one.effective_mass, two.effective_mass)
    order = sorted(range(len(rows)), key=lambda r: records["normal"][r] >= 0)
    for iteration in range(ITERATIONS):
        if iteration and iteration % SHUFFLE_PERIOD == 0:
            for k in range(1, len(order)):
                state = (state * FACTOR + INCREMENT) & BITS
                other = draw_below(state, k + 1)
                order[k], order[other] = order[other], order[k]
        for row in map(rows.__getitem__, order):
            normal, pair, low, high = (row.record[name].item() for name in ("normal", "pair", "lo", "hi"))
            if normal >= 0 and pair == 0 and high == math.inf:
                low, normal = -math.inf, -1
            if normal >= 0:
                high = abs(high * rows[normal].force) if rows[normal].force else 0.0
                low = -high
            if pair > 0:
                other = rows[rows.index(row) + 1]
                new, across = row.improved(), other.improved()
                length = math.sqrt(new * new + across * across)
                share = high / length if length > high else 1.0
                row.put(new * share)
                other.put(across * share)
            elif pair == 0:
                row.put(min(max(row.improved(), low), high))
    return [row.force for row in rows]


def test_forces_are_those_of_one_row_after_the_other():
    store, islands = solved(wall)
    assert len(islands) == 2 and min(islands["rows"]) > 30
    assert {-1, 0, 1} == set(store[ROWS]["pair"][: store.used(ROWS)].tolist())
    draws = 0
    for island in islands:
        shuffles = (ITERATIONS - 1) // SHUFFLE_PERIOD
        state = drawn_ahead.py_func(int(store[PARAMETERS]["random_state"][0]), shuffles * draws)
        draws += int(island["rows"]) - 1
        expected = forces_in_turn(store, island, state)
        np.testing.assert_array_equal(store[FORCES][island["first_row"] :][: island["rows"]], expected)


@pytest.mark.parametrize("iterations", [SHUFFLE_PERIOD, ITERATIONS])
def test_neighbouring_rows_seldom_share_a_body(iterations):
    """The processor waits where they do, as for most rows of a joint in their order, and some that are shuffled."""
    store, (island,) = solved(tree, iterations)
    rows = island["rows"]
    records, integers = store[ROWS][:rows], store[INTEGERS]
    bodies = [set(pair) - {-1} for pair in zip(records["slot0"].tolist(), records["slot1"].tolist(), strict=True)]
    order, arranged = integers[:rows], integers[(1 + PLACE) * rows :][:rows]
    assert sorted(arranged) == sorted(order) == list(range(rows))
    in_order, as_arranged = (
        sum(not bodies[a].isdisjoint(bodies[b]) for a, b in pairwise(each)) for each in (order, arranged)
    )
    assert as_arranged < 0.25 * in_order
