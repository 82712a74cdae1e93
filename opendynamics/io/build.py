"""Benchmark scenes into worlds: reads a BenchScene, adds its items to a World in the order of the file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from opendynamics.api.body import Body
from opendynamics.api.geoms.box import Box
from opendynamics.api.geoms.capsule import Capsule
from opendynamics.api.geoms.geom import Geom
from opendynamics.api.geoms.heightfield import Heightfield
from opendynamics.api.geoms.sphere import Sphere
from opendynamics.api.geoms.trimesh import Trimesh
from opendynamics.api.mass import Mass
from opendynamics.api.surface import Surface
from opendynamics.api.world import World
from opendynamics.io.bench_scene import (
    WORLD,
    BallItem,
    BenchScene,
    BodyItem,
    HingeItem,
    JointItem,
    Terrain,
    UniversalItem,
)

_SHAPES: dict[str, Callable[..., Geom]] = {
    "sphere": Sphere,
    "box": lambda *lengths: Box(lengths),
    "capsule": Capsule,
}


# How far below its lowest point a heightfield still meets bodies, m.
THICKNESS = 1.0


def build_scene(world: World, scene: BenchScene) -> list[Body]:
    """Add everything in `scene` to `world` and return the bodies, in the order of the file.

    The world takes over the scene's conditions: gravity, friction (as the surface that any two materials have) and the
    largest number of contacts a pair. Raises ValueError, with the world as it was, if the scene has something that this
    version cannot build.
    """
    _require_known(world, scene)
    terrains = [_terrain(terrain) for terrain in scene.terrains]
    world.gravity = scene.gravity
    world.surfaces.default = Surface(mu=scene.friction)
    world.max_contacts = scene.max_contacts
    for plane in scene.planes:
        world.add_plane(plane.normal, plane.offset)
    for geom in terrains:
        world.add_geom(geom)
    bodies = [_add_body(world, item) for item in scene.bodies]
    for item in scene.joints:
        _add_joint(world, bodies, item)
    return bodies


def _require_known(world: World, scene: BenchScene) -> None:
    universal = any(isinstance(joint, UniversalItem) for joint in scene.joints)
    if universal and not hasattr(world, "add_universal"):
        raise ValueError(
            f"the scene {scene.name} has items that are not supported: universal; supported are planes, terrains, spheres, "
            "boxes, capsules, bodies without a geom, and the other joints"
        )


def _terrain(terrain: Terrain) -> Geom:
    if terrain.kind == "trimesh":
        return Trimesh(*terrain.mesh())
    side = (terrain.samples - 1) * terrain.cell
    # The rows of a heightfield with z up run along -y.
    return Heightfield(terrain.heights()[::-1], width=side, depth=side, thickness=THICKNESS, up="z")


def _add_body(world: World, item: BodyItem) -> Body:
    if item.kind == "nogeom":
        mass = Mass.sphere(item.sizes[0], mass=item.mass)
        return world.add_body(position=item.position, quaternion=item.quaternion, mass=mass)
    shape = _SHAPES[item.kind](*item.sizes)
    return world.add_body(shape, position=item.position, quaternion=item.quaternion, mass=item.mass)


def _add_joint(world: World, bodies: list[Body], item: JointItem) -> None:
    one, two = (None if index == WORLD else bodies[index] for index in (item.body1, item.body2))
    if isinstance(item, BallItem):
        world.add_ball(one, two, anchor=item.anchor)
    elif isinstance(item, HingeItem):
        world.add_hinge(one, two, anchor=item.anchor, axis=item.axis, stops=(item.low, item.high))
    else:
        add_universal: Any = getattr(world, "add_universal")  # noqa: B009  (found by its place, not written down)
        stops = {"stops1": (item.low1, item.high1), "stops2": (item.low2, item.high2)}
        add_universal(one, two, anchor=item.anchor, axis1=item.axis1, axis2=item.axis2, **stops)
