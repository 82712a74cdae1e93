"""Scenes of solids on the ground that run on this engine and on libode, to check which of them stand and which slip."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

import opendynamics as od

Array = npt.NDArray[np.float64]


@dataclass
class Solids:
    """Boxes, or hulls of points, with a friction coefficient, and planes with their own.

    Attributes:
        mu: between solids.
        boxes: size (3,), position (3,), rotation (3, 3) and mass of each.
        hulls: corners (n, 3) and mass of each; libode cannot run them.
        planes: normal (3,), offset and friction coefficient of each.
        layer: m, surface layer.
    """

    mu: float = 0.5
    boxes: list[tuple[Any, Any, Any, float]] = field(default_factory=list)
    hulls: list[tuple[Array, float]] = field(default_factory=list)
    planes: list[tuple[Any, float, float]] = field(default_factory=lambda: [((0.0, 0.0, 1.0), 0.0, 0.5)])
    layer: float = 1e-4

    def world(self, **settings: Any) -> od.World:
        """The scene in a world with `settings`."""
        world = od.World(gravity=(0, 0, -9.81), surface=od.Surface(mu=self.mu))
        world.contact_surface_layer = self.layer
        for name, value in settings.items():
            setattr(world, name, value)
        for k, (normal, offset, mu) in enumerate(self.planes):
            plane = world.add_plane(normal=normal, d=offset)
            plane.material = f"plane {k}"
            world.surfaces[plane.material] = od.Surface(mu=mu)
        for size, position, rotation, mass in self.boxes:
            world.add_body(od.Box(size), position=position, mass=mass).rotation = rotation
        for corners, mass in self.hulls:
            middle = corners.mean(axis=0)
            body = world.add_body(od.Convex.hull(corners - middle), mass=mass)
            body.position = body.position + middle
        return world

    def run_on_ode(self, ode: Any, h: float, steps: int, *, quick: bool = False) -> Array:
        """Positions (bodies, 3) before and after `steps` of `h` s on libode: shape (2, bodies, 3)."""
        world, space, group = ode.dWorldCreate(), ode.dSimpleSpaceCreate(0), ode.dJointGroupCreate(0)
        ode.dWorldSetGravity(world, 0.0, 0.0, -9.81)
        ode.dWorldSetContactSurfaceLayer(world, self.layer)
        coefficients = {}
        for normal, offset, mu in self.planes:
            coefficients[ode.dCreatePlane(space, *map(float, normal), float(offset))] = mu
        bodies = []
        for size, position, rotation, mass in self.boxes:
            body, geom, inertia = ode.dBodyCreate(world), ode.dCreateBox(space, *map(float, size)), ode.dMass()
            ode.dMassSetBoxTotal(inertia, float(mass), *map(float, size))
            ode.dBodySetMass(body, inertia)
            ode.dGeomSetBody(geom, body)
            ode.dBodySetPosition(body, *map(float, position))
            ode.dBodySetRotation(body, np.hstack([np.asarray(rotation, float), np.zeros((3, 1))]))
            bodies.append(body)

        def near(_: Any, one: Any, two: Any) -> None:
            for found in ode.dCollide(one, two, 8):
                contact = ode.dContact()
                contact.geom = found
                contact.surface.mode = ode.dContactApprox1
                contact.surface.mu = coefficients.get(one, coefficients.get(two, self.mu))
                joint = ode.dJointCreateContact(world, group, contact)
                ode.dJointAttach(joint, ode.dGeomGetBody(one), ode.dGeomGetBody(two))

        def positions() -> Array:
            return np.array([ode.dBodyGetPosition(body) for body in bodies])

        start = positions()
        for _ in range(steps):
            ode.dSpaceCollide(space, None, near)
            (ode.dWorldQuickStep if quick else ode.dWorldStep)(world, h)
            ode.dJointGroupEmpty(group)
        end = positions()
        ode.dWorldDestroy(world)
        return np.stack([start, end])


def moved(world: od.World, start: Array) -> float:
    """m, the farthest that a body is from where it was."""
    return float(np.linalg.norm(world.positions - start, axis=1).max())


def tower(heights: int, *, top: float = 1.0) -> Solids:
    """Cubes of 0.2 m on each other; the last is `top` times as heavy."""
    scene = Solids()
    for k in range(heights):
        mass = 8.0 * (top if k == heights - 1 else 1.0)
        scene.boxes.append(((0.2, 0.2, 0.2), (0.0, 0.0, 0.1 + 0.2 * k), np.eye(3), mass))
    return scene


def pyramid(base: int) -> Solids:
    """A plane pyramid of cubes of 0.2 m, 1 cm apart."""
    scene = Solids()
    for row in range(base):
        for k in range(base - row):
            x = 0.21 * (k - 0.5 * (base - row - 1))
            scene.boxes.append(((0.2, 0.2, 0.2), (x, 0.0, 0.1 + 0.2 * row), np.eye(3), 8.0))
    return scene


def ladder(degrees: float, mu: float, wall_mu: float) -> tuple[Solids, float]:
    """A ladder of 4 m at a wall, and the coefficient at which it slips, of both ends or, if the wall is smooth, of the foot.

    Balance of forces and of moments about the foot: N2 = mu N1, N1 + mu_wall N2 = W, N2 (sin a + mu_wall cos a) = W k with the
    lever k of the weight, relative to the length.
    """
    length, thickness = 4.0, 0.02
    angle = np.radians(degrees)
    along = np.array([-np.cos(angle), 0.0, np.sin(angle)])
    across = np.array([np.sin(angle), 0.0, np.cos(angle)])
    rotation = np.column_stack([across, (0.0, 1.0, 0.0), along])
    lever = 0.5 * np.cos(angle) - 0.5 * thickness / length * np.sin(angle)
    critical = lever / np.sin(angle)
    if wall_mu > 0.0:  # mu (sin + mu cos) = k (1 + mu²)
        a, b, c = np.cos(angle) - lever, np.sin(angle), -lever
        critical = (-b + np.sqrt(b * b - 4 * a * c)) / (2 * a)
    scene = Solids(planes=[((0, 0, 1), 0.0, mu), ((1, 0, 0), 0.0, wall_mu)])
    x = 0.5 * length * np.cos(angle) + 0.5 * thickness * np.sin(angle)
    z = 0.5 * length * np.sin(angle) + 0.5 * thickness * np.cos(angle)
    scene.boxes.append(((thickness, 0.5, length), (x - scene.layer, 0.0, z - scene.layer), rotation, 10.0))
    return scene, float(critical)


def leaning(angle: float) -> Array:
    """Rotation of a card whose long axis leans towards +x by `angle` rad from the vertical."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])


def card_house(levels: int, seed: int, mu: float = 0.8, degrees: float = 25.0) -> Solids:
    """Pairs of cards that lean at each other, a plank over each level; placed with errors of up to 0.05 mm."""
    random = np.random.default_rng(seed)
    length, thickness, depth, angle = 0.1, 0.002, 0.06, np.radians(degrees)
    half = length * np.sin(angle) + thickness * np.cos(angle)
    spacing, height = 2.0 * half + 0.004, length * np.cos(angle) + thickness * np.sin(angle)
    scene = Solids(mu=mu, planes=[((0, 0, 1), 0.0, mu)])
    for level in range(levels):
        count = levels - level
        z = level * (height + thickness)
        for k in range(count):
            apex = spacing * (k - 0.5 * (count - 1))
            for side in (-1.0, 1.0):
                x = apex + side * (0.5 * length * np.sin(angle) + 0.5 * thickness * np.cos(angle) - 1e-4)
                place = np.array([x, 0.0, z + 0.5 * height]) + random.uniform(-5e-5, 5e-5, 3) * (1, 1, 0)
                scene.boxes.append(((thickness, depth, length), place, leaning(-side * angle), 0.01))
        place = np.array([*random.uniform(-5e-5, 5e-5, 2), z + height + 0.5 * thickness])
        width = spacing * (count - 1) + 0.04
        scene.boxes.append(((width, depth, thickness), place, np.eye(3), 0.01 * width / length))
    return scene


def arch(stones: int, mu: float = 0.8) -> Solids:
    """A half-circular arch of wedges: radii 1 and 1.3 m, 0.3 m deep."""
    scene = Solids(mu=mu, planes=[((0, 0, 1), 0.0, mu)])
    angles = np.linspace(0.0, np.pi, stones + 1)
    for begin, end in pairwise(angles):
        corners = [
            (radius * np.cos(angle), y, radius * np.sin(angle))
            for angle in (begin, end)
            for radius in (1.0, 1.3)
            for y in (-0.15, 0.15)
        ]
        area = 0.5 * (1.3**2 - 1.0**2) * np.sin(end - begin)
        scene.hulls.append((np.array(corners), 2000.0 * area * 0.3))
    return scene


def seconds(world: od.World, h: float, duration: float) -> None:
    """Let `duration` s pass."""
    world.advance(h, steps=round(duration / h))


def creep(scene: Solids, duration: float, *, settle: float = 1.0, h: float = 0.01, **settings: Any) -> float:
    """m a minute, the farthest that a solid moves after it had `settle` s to come to rest."""
    world = scene.world(**settings)
    seconds(world, h, settle)
    start = world.positions.copy()
    seconds(world, h, duration)
    return moved(world, start) * 60.0 / duration


def ode_creep(
    scene: Solids, ode: Any, duration: float, *, settle: float = 1.0, h: float = 0.01, quick: bool = True
) -> float:
    """The same on libode, from the beginning of the settling."""
    start, end = scene.run_on_ode(ode, h, round((duration + settle) / h), quick=quick)
    return float(np.linalg.norm(end - start, axis=1).max()) * 60.0 / duration


def stands(world: od.World, start: Array, lost: float) -> bool:
    """Whether no body has lost `lost` m of height."""
    return bool((start[:, 2] - world.positions[:, 2] < lost).all())
