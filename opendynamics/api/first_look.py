"""Checks of a world before its first `advance`, which warn of likely mistakes in its setup.

Nothing is changed, and each world is checked once. Worlds like ODE are not checked: their programs predate these warnings.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from itertools import combinations, compress, islice
from string import digits
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from opendynamics.api.contact import collide
from opendynamics.api.geoms.plane import Plane
from opendynamics.api.geoms.trimesh import Trimesh
from opendynamics.api.joints.ball import Ball
from opendynamics.api.joints.hinge import Hinge
from opendynamics.api.joints.universal import Universal
from opendynamics.api.missing_contacts import would_collide
from opendynamics.api.warning import SetupWarning, warn
from opendynamics.core.arrays.geoms import ENABLED, GEOMS

if TYPE_CHECKING:
    from opendynamics.api.body import Body
    from opendynamics.api.geoms.geom import Geom
    from opendynamics.api.world import World

Geoms: TypeAlias = "dict[Body | None, list[Geom]]"  # geoms that `advance` collides, by body; None: static geoms

MOST = 20  # bodies at the same position that are compared
JOINTS = 200  # joints whose anchors are compared
APART = 0.1  # gap between a joint's anchors, relative to its bodies' size, above which a body was moved afterwards
RAYS = 100  # bodies under which open meshes are looked for
DEFAULTS = "auto_disable", "continuous", "linear_damping", "angular_damping"  # of a world: its new bodies take them
ROUNDING = 1e-9  # m
SIMILAR = 0.8  # 0 to 1: names at least this similar may be a misspelling of each other


def look_first(world: World) -> None:
    """Warn of likely mistakes."""
    if world.like == "ode" or not world.bodies:
        return
    geoms: Geoms = defaultdict(list)
    enabled = (world._store[GEOMS]["flags"] & ENABLED != 0).tolist()  # faster than asking each geom
    for geom in world.space._searched():
        if enabled[geom._index]:
            geoms[geom._body].append(geom)
    planes = [geom for geom in geoms[None] if isinstance(geom, Plane)]
    if world.gravity.any():
        _check_direction(world, geoms, planes)
    else:
        _check_rest(world, geoms, planes)
    if world.contact_filter is None:  # which may let bodies pass through anything
        _check_heights(world, geoms, planes)
        _check_meshes(world, geoms)
        _check_places(world, geoms)
    _check_joints(world, geoms)
    _check_materials(world)
    _check_defaults(world)


def _check_direction(world: World, geoms: Geoms, planes: list[Plane]) -> None:
    """If there is only one plane, gravity must point at it. The plane may be a wall if there are other static geoms."""
    if len(planes) != 1:
        return
    plane, gravity = planes[0], world.gravity
    along = plane.normal @ gravity / math.hypot(*gravity)
    if along > 0.9 or (abs(along) < ROUNDING and len(geoms[None]) == 1 and not world.joints):
        warn(
            f"gravity {tuple(gravity.tolist())} does not point at {plane.name}, the only plane, so that nothing falls onto it: "
            "write world.gravity = (0, 0, -9.81) for gravity downwards, and world.add_plane(normal=(0, 0, 1)) for the ground",
            SetupWarning,
        )


def _check_rest(world: World, geoms: Geoms, planes: list[Plane]) -> None:
    """Without gravity, something must set bodies in motion if all are in the air."""
    if not planes or world.joints or world.linear_velocities.any() or world.angular_velocities.any():
        return
    if any(body.kinematic or body.force.any() or body.torque.any() for body in world.bodies):
        return
    heights = [_span(geom, plane)[0] for body in world.bodies for geom in geoms[body] for plane in planes]
    if min(heights, default=0.0) > ROUNDING:
        warn(
            f"nothing will move in {world.name}: all bodies are at rest and gravity is zero, the default; write "
            "od.World(gravity=(0, 0, -9.81)) or world.gravity = (0, 0, -9.81)",
            SetupWarning,
        )


def _check_heights(world: World, geoms: Geoms, planes: list[Plane]) -> None:
    """No dynamic body may start more than half below a plane."""
    for plane in planes:
        below = world.positions @ plane.normal <= plane.offset
        for body in compress(world.bodies, below):
            spans = [_span(geom, plane) for geom in geoms[body] if _push_apart(world, geom, plane)]
            if not spans or any(None in joint.bodies for joint in body.joints):
                continue
            low, high = min(low for low, _ in spans), max(high for _, high in spans)
            if low + high <= ROUNDING:
                warn(
                    f"{body.name} starts {-low:.3g} m deep in {plane.name}, which will push it out: its position is that of "
                    "the centre; a ball of radius 0.1 m rests on the ground at position=(0, 0, 0.1)",
                    SetupWarning,
                )
                return


def _check_meshes(world: World, geoms: Geoms) -> None:
    """No open mesh may be below a body with its triangles facing down: it is solid behind them alone."""
    meshes = {geom for geom in geoms[None] if isinstance(geom, Trimesh) and not geom.mesh.closed}
    if not meshes or not world.gravity.any():
        return
    falling = list(islice((body for body in world.bodies if not body.kinematic and geoms[body]), RAYS))
    if not falling:
        return
    hits = world.cast_rays([body.position for body in falling], world.gravity, exclude=world.bodies)
    for k in np.flatnonzero(hits.normal @ world.gravity > 0.0).tolist():
        mesh = hits.geom_of(k)
        if mesh in meshes and _push_apart(world, mesh, geoms[falling[k]][0]):
            warn(
                f"{falling[k].name} will fall through {mesh.name}, an open mesh whose triangles face down there: a mesh is solid "
                "behind its triangles, whose corners are counterclockwise as seen from outside; reverse their order, "
                "od.Trimesh(vertices, numpy.array(triangles)[:, ::-1])",
                SetupWarning,
            )
            return


def _check_places(world: World, geoms: Geoms) -> None:
    """No two bodies that collide may start at the same position."""
    places = list(map(tuple, world.positions.tolist()))
    if len(set(places)) == len(places):
        return
    by_place: dict[tuple[float, ...], list[Body]] = defaultdict(list)
    for body, place in zip(world.bodies, places, strict=True):
        by_place[place].append(body)
    for place, bodies in by_place.items():
        for one, other in combinations(bodies[:MOST], 2):
            if any(
                _push_apart(world, a, b) and collide(a, b, max_contacts=1) for a in geoms[one] for b in geoms[other]
            ):
                warn(
                    f"{one.name} and {other.name} start at the same position, {place}, and will push each other apart: give each "
                    "its own position, as in world.add_body(shape, position=(0, 0, 1))",
                    SetupWarning,
                )
                return


def _check_joints(world: World, geoms: Geoms) -> None:
    """The two anchors of a joint must start close to each other, unless a spring joins them."""
    if world.spring is not None:
        return
    for joint in islice(world.joints, JOINTS):
        if not isinstance(joint, Ball | Hinge | Universal) or not joint.enabled or not any(joint.bodies):
            continue
        if isinstance(joint, Ball) and joint.spring is not None:
            continue
        anchors = joint.anchor, joint.anchor2
        gap = math.dist(*anchors)
        if gap <= ROUNDING:
            continue
        ends = [(body, anchor) for body, anchor in zip(joint.bodies, anchors, strict=True) if body is not None]
        sizes = [0.5 * math.dist(geom.aabb[::2], geom.aabb[1::2]) for body, _ in ends for geom in geoms[body]]
        size = max(sizes + [math.dist(body.position, anchor) for body, anchor in ends])
        if gap > APART * size > 0.0:
            names = " and ".join("the world" if body is None else body.name for body in joint.bodies)
            warn(
                f"{joint.name} of {names} starts with its anchors {gap:.3g} m apart, and will pull them together: a body was "
                "moved after the joint was made. Place bodies first; to swing one aside, set both its position and its rotation",
                SetupWarning,
            )
            return


def _check_materials(world: World) -> None:
    """No material without a surface, or without a geom, may have nearly the name of one that has it.

    A program may set the surfaces of many materials and use few, and add geoms later: a name that is like no other is right.
    """
    known = world.surfaces._mentioned
    if not known:
        return
    owners = [*world.space.geoms(), *(geom for body in world.bodies for geom in body.geoms)]
    used = {geom.material for geom in owners if geom.material}
    for material in sorted(used - known):
        for near in _misspelt(material, known):
            warn(
                f"there is no surface for the material {material!r}, so world.surfaces.default applies; did you mean {near!r}?",
                SetupWarning,
            )
    for material in sorted(known - used):
        for near in _misspelt(material, used & known):
            for entry in world.surfaces._only_for(material, near):
                names = ", ".join(map(repr, entry))
                warn(
                    f"world.surfaces[{names}] has no effect, as no geom has the material {material!r}; did you mean {near!r}?",
                    SetupWarning,
                )


def _misspelt(name: str, names: Iterable[str]) -> Iterator[str]:
    """The one of other names that `name` may be a misspelling of, if any."""
    others = {other.lower(): other for other in names}
    for near in get_close_matches(name.lower(), others, 1, SIMILAR):
        if not _in_series(name.lower(), near):
            yield others[near]


def _check_defaults(world: World) -> None:
    """Settings of the world for new bodies that no body has were set after the bodies were made."""
    for name in DEFAULTS:
        value = getattr(world, name)
        if value and not any(getattr(body, name) for body in world.bodies):
            warn(
                f"{name} of {world.name} is {value}, but no body has this value: it is the default for bodies made later; set "
                f"it before making them, or write for body in world.bodies: body.{name} = {value}",
                SetupWarning,
            )


def _in_series(one: str, other: str) -> bool:
    """Whether names differ only in a number or in the last letter: wheel1 and wheel2, foot_l and foot_r."""
    return one != other and (one[:-1] == other[:-1] or one.rstrip(digits) == other.rstrip(digits))


def _span(geom: Geom, plane: Plane) -> tuple[float, float]:
    """Minimum and maximum height above a plane of a geom's bounds, m."""
    bounds = geom.aabb.tolist()
    ends = [
        sorted((n * low, n * high))
        for n, low, high in zip(plane.normal.tolist(), bounds[::2], bounds[1::2], strict=True)
    ]
    return sum(low for low, _ in ends) - plane.offset, sum(high for _, high in ends) - plane.offset


def _push_apart(world: World, a: Geom, b: Geom) -> bool:
    """Whether `advance` creates contacts for two geoms that overlap."""
    return bool(a.category_bits & b.collide_bits or b.category_bits & a.collide_bits) and would_collide(world, a, b)
