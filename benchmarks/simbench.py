"""The accuracy tests of SimBenchmark (Hwangbo, Lee & Hutter 2018), after their published definitions.

Each function builds a scene without softness and error correction (CFM and ERP 0), runs it, and returns the error that the
benchmark defines. Where the benchmark uses the ANYmal robot, the humanoid SR1 takes its place: its links, hinges and stops,
with a capsule of the same radius and overall length for each cylinder.
"""

from __future__ import annotations

import gzip
import json
import math
from pathlib import Path
from typing import Any

import numpy as np

import opendynamics as od

G = 9.81
ROBOT = Path(__file__).parent / "scenes" / "sr1.json.gz"


def _world(gravity: float, surface: od.Surface) -> od.World:
    world = od.World(gravity=(0, 0, -gravity), surface=surface)
    world.cfm = world.erp = 0.0
    return world


def rolling(direction: str, *, cone: str = "elliptic", h: float = 1e-3, duration: float = 4.0) -> float:
    """A pushed slab with 25 balls on it: time mean of |Δv_slab|² + |Δv_ball|², (m/s)², the balls' in the mean.

    20 m x 20 m x 1 m, 10 kg; balls of 1 kg and 0.5 m in a grid of 2 m; friction 0.4 below, 0.8 above; 150 N along "y" or
    "xy", which is (0.5, 0.866). The slab slips, the balls roll:

        f1 = 0.4 · 35 g,  f2 = (F - f1)/M / (3.5/m + 25/M),  a_slab = 3.5 f2/m,  a_ball = f2/m
    """
    world = _world(G, od.Surface(mu=0.0))
    world.surfaces["ground", "slab"] = od.Surface(mu=0.4, cone=cone)
    world.surfaces["slab", "ball"] = od.Surface(mu=0.8, cone=cone)
    overlap = 2e-5
    world.add_plane(material="ground")
    slab = world.add_body(od.Box((20, 20, 1), material="slab"), position=(0, 0, 0.5 - overlap), mass=10)
    height = 1.5 - 2 * overlap
    balls = [
        world.add_body(od.Sphere(0.5, material="ball"), position=(2.0 * i, 2.0 * j, height), mass=1)
        for i in range(-2, 3)
        for j in range(-2, 3)
    ]
    along = np.array({"y": (0.0, 1.0, 0.0), "xy": (0.5, math.sqrt(0.75), 0.0)}[direction])
    push, slab_mass, ball_mass = 150.0, 10.0, 1.0
    sliding = 0.4 * (slab_mass + len(balls) * ball_mass) * G
    pull = (push - sliding) / slab_mass / (3.5 / ball_mass + len(balls) / slab_mass)
    total, steps = 0.0, round(duration / h)
    for n in range(1, steps + 1):
        slab.add_force(push * along)
        world.advance(h)
        slab_error = slab.linear_velocity - 3.5 * pull / ball_mass * n * h * along
        ball_errors = world.linear_velocities[1:] - pull / ball_mass * n * h * along
        total += slab_error @ slab_error + float((ball_errors**2).sum(axis=1).mean())
    return total / steps


def _energy(world: od.World, mass: float) -> float:
    v = world.linear_velocities
    return float(0.5 * mass * (v * v).sum() + mass * G * world.positions[:, 2].sum())


def bouncing(*, h: float = 1e-3, duration: float = 20.0) -> float:
    """7 x 7 balls of 10 kg and 0.1 m fall from 5 m and bounce without loss: mean of (E - E₀)², J²; E₀ = 24,034.5 J."""
    world = _world(G, od.Surface(mu=0.0, bounce=1.0))
    world.add_plane()
    for i in range(7):
        for j in range(7):
            world.add_body(od.Sphere(0.1), position=(i, j, 5.0), mass=10)
    start, total, steps = _energy(world, 10.0), 0.0, round(duration / h)
    for _ in range(steps):
        world.advance(h)
        total += (_energy(world, 10.0) - start) ** 2
    return total / steps


def balls(*, count: int = 6, h: float = 1e-3, duration: float = 10.0, elastic: bool = False) -> float:
    """count³ balls of 10 kg and 0.1 m that touch nearly as they fall in a block.

    Inelastic: time mean of the sum of squared penetrations, m². Elastic, from 1 m above: mean of (E - E₀)², J².
    """
    world = _world(G, od.Surface(mu=0.0, bounce=1.0 if elastic else None))
    world.add_plane()
    random, radius = np.random.default_rng(42), 0.1
    for place in np.ndindex(count, count, count):
        at = 0.21 * np.array(place) + random.uniform(0.0, 1e-3, 3) + (0, 0, 1.101 if elastic else 0.101)
        world.add_body(od.Sphere(radius), position=at, mass=10)
    start, total, steps = _energy(world, 10.0), 0.0, round(duration / h)
    for _ in range(steps):
        world.advance(h)
        total += (_energy(world, 10.0) - start) ** 2 if elastic else squared_penetrations(world.positions, radius)
    return total / steps


def squared_penetrations(centres: Any, radius: float) -> float:
    """Sum over all pairs of balls, and over balls and the ground, m²."""
    ground = np.maximum(radius - centres[:, 2], 0.0)
    squares = (centres * centres).sum(axis=1)
    apart = np.add.outer(squares, squares) - 2 * centres @ centres.T
    first, second = np.nonzero(np.triu(apart < (2 * radius) ** 2 + 1e-9, 1))
    depths = np.maximum(2 * radius - np.linalg.norm(centres[first] - centres[second], axis=1), 0.0)
    return float((ground**2).sum() + (depths**2).sum())


def robot(world: od.World, position: Any = (0.0, 0.0, 0.0)) -> list[od.Body]:
    """Add SR1, upright with all angles zero. Its shapes have category bit 1 and meet only those of others."""
    model = json.loads(gzip.decompress(ROBOT.read_bytes()))
    bodies = []
    for link in model["links"]:
        a, b, c, ab, ac, bc = link["inertia"]
        about_centre = od.Mass(link["mass"], [[a, ab, ac], [ab, b, bc], [ac, bc, c]])
        bodies.append(
            world.add_body(
                *(_shape(item) for item in link["shapes"]),
                position=np.add(position, link["position"]),
                mass=about_centre.translate(link["centre"]),
                name=link["name"],
            )
        )
    for item in model["hinges"]:
        one, two = (bodies[k] for k in item["links"])
        world.add_hinge(one, two, anchor=np.add(position, item["anchor"]), axis=item["axis"], stops=item["stops"])
    return bodies


def _shape(item: dict[str, Any]) -> od.Geom:
    place = {"position": item["position"], "quaternion": item["quaternion"]}
    shape: od.Geom
    if "box" in item:
        shape = od.Box(item["box"], **place)
    else:
        radius, length = item["cylinder"]
        radius = min(radius, 0.49 * length)
        shape = od.Capsule(radius, length - 2 * radius, **place)
    shape.category_bits, shape.collide_bits = 1, 0xFFFFFFFE
    return shape


def momentum(*, h: float = 1e-3, duration: float = 10.0) -> float:
    """A ball of 10 kg and 0.2 m hits the robot in the chest at 5 m/s, weightless: mean of |P - P₀|², (kg m/s)²."""
    world = _world(0.0, od.Surface(mu=0.0))
    bodies = robot(world)
    ball = world.add_body(od.Sphere(0.2), position=(1.0, 0.03, 0.5), mass=10, linear_velocity=(-5, 0, 0))
    ball.geoms[0].category_bits = 2
    masses = np.array([body.mass for body in (*bodies, ball)])
    start, total, steps = masses @ world.linear_velocities, 0.0, round(duration / h)
    for _ in range(steps):
        world.advance(h)
        lost = masses @ world.linear_velocities - start
        total += float(lost @ lost)
    if abs(ball.linear_velocity - (-5, 0, 0)).max() < 0.5:
        raise RuntimeError("the ball has missed the robot")
    return total / steps
