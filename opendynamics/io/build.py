"""Worlds from benchmark scenes: adds the items of a BenchScene to a World in the order of the file."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from typing import Any

import numpy as np

from opendynamics.api.body import Body
from opendynamics.api.files import FileError, located
from opendynamics.api.geoms.box import Box
from opendynamics.api.geoms.capsule import Capsule
from opendynamics.api.geoms.geom import Geom
from opendynamics.api.geoms.heightfield import Heightfield
from opendynamics.api.geoms.sphere import Sphere
from opendynamics.api.geoms.trimesh import Trimesh
from opendynamics.api.joints.joint import Joint
from opendynamics.api.mass import Mass
from opendynamics.api.surface import Surface
from opendynamics.api.world import World
from opendynamics.io.bench_scene import (
    WORLD,
    BallItem,
    BenchScene,
    BenchSceneError,
    BodyItem,
    HingeItem,
    JointItem,
    Terrain,
)

_SHAPES: dict[str, Callable[..., Geom]] = {
    "sphere": Sphere,
    "box": lambda *lengths: Box(lengths),
    "capsule": Capsule,
}


# Depth of a heightfield below its lowest point, m.
THICKNESS = 1.0


def build_scene(world: World, scene: BenchScene) -> list[Body]:
    """Add everything in `scene` to `world` and return the bodies, in the order of the file.

    The world takes over the scene's conditions: gravity, friction (as the surface that any two materials have) and the
    largest number of contacts a pair. Raises BenchSceneError (a ValueError), with the world as it was, if an item has
    numbers that no body, geom or joint can have, such as a mass whose inverse is not finite.
    """
    before: set[Joint | Body | Geom] = {*world.joints, *world.bodies, *world.geoms}
    bodies: list[Body] = []
    try:
        for plane in scene.planes:
            with _of_line(scene, plane):
                world.add_plane(plane.normal, plane.offset)
        for terrain in scene.terrains:
            with _of_line(scene, terrain):
                world.add_geom(_terrain(terrain))
        for item in scene.bodies:
            with _of_line(scene, item):
                bodies.append(_add_body(world, item))
        for joint in scene.joints:
            with _of_line(scene, joint):
                _add_joint(world, bodies, joint)
    except FileError:
        made: list[Joint | Body | Geom] = [*world.joints, *world.bodies, *world.geoms]
        for thing in made:
            if thing not in before and thing.alive:  # geoms end with their body
                thing.destroy()
        raise
    world.gravity = scene.gravity
    world.surfaces.default = Surface(mu=scene.friction)
    world.max_contacts = scene.max_contacts
    return bodies


def _of_line(scene: BenchScene, item: Any) -> AbstractContextManager[None]:
    """Errors of an item are reported with its line."""
    remedy = "write numbers that the engine can compute with"
    return located(partial(BenchSceneError, scene.source or scene.name), f"line {item.line}", remedy)


def _terrain(terrain: Terrain) -> Geom:
    if terrain.kind == "trimesh":
        return Trimesh(*terrain.mesh())
    side = (terrain.samples - 1) * terrain.cell
    # The rows of a heightfield with z up run along -y.
    return Heightfield(terrain.heights()[::-1], width=side, depth=side, thickness=THICKNESS, up="z")


def _add_body(world: World, item: BodyItem) -> Body:
    if item.kind == "nogeom":
        mass = Mass.sphere(item.sizes[0], mass=item.mass)
        return world.add_body(position=item.position, quaternion=np.array(item.quaternion), mass=mass)
    shape = _SHAPES[item.kind](*item.sizes)
    return world.add_body(shape, position=item.position, quaternion=np.array(item.quaternion), mass=item.mass)


def _add_joint(world: World, bodies: list[Body], item: JointItem) -> None:
    one, two = (None if index == WORLD else bodies[index] for index in (item.body1, item.body2))
    if isinstance(item, BallItem):
        world.add_ball(one, two, anchor=item.anchor)
    elif isinstance(item, HingeItem):
        world.add_hinge(one, two, anchor=item.anchor, axis=item.axis, stops=(item.low, item.high))
    else:
        joint = world.add_universal(one, two, anchor=item.anchor, axis1=item.axis1, axis2=item.axis2)
        joint.stops1, joint.stops2 = (item.low1, item.high1), (item.low2, item.high2)
