"""Warnings for bodies that nothing will stop.

One is for worlds stepped by `step` in which bodies overlap without contacts. `world.step` is ODE's: it acts only on the
contacts that the user made; a user who expects it to collide sees bodies fall through the floor. Pairs of geoms are checked
before the first steps, until one overlaps, contacts are made, or the limit is reached.

The other is for bodies whose geoms are all in no space, so that `advance` does not collide them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opendynamics.api.contact import collide
from opendynamics.api.geoms.geom import Geom
from opendynamics.api.warning import warn

if TYPE_CHECKING:
    from opendynamics.api.world import World

# Limit of checked geoms and pairs: a few hundredths of a second.
LOOKS = 10_000


class MissingContactsWarning(UserWarning):
    """Bodies overlap, and `step` or `quick_step` was called without any contacts; or `advance`, with geoms in no space."""


def look_for_missing_contacts(world: World) -> int:
    """Warn if bodies of a world without contacts overlap. Returns the number of checks; LOOKS if no more are needed."""
    if world._contact_rows.count or world.space._has_collided:
        return LOOKS
    pairs = world.space._listed_pairs().pairs
    for a, b, *_ in pairs:
        if would_collide(world, a, b) and collide(a, b, max_contacts=1):
            one, two = (_label(geom) for geom in sorted((a, b), key=lambda geom: geom.body is None))
            warn(
                f"{one} and {two} overlap, but there are no contacts, and `step` makes none: bodies move through each other. "
                "Call world.advance(h) instead, which collides and makes contacts; or make them in ODE's way, by "
                "world.space.collide and world.add_contact (docs/classic-loop.md)",
                MissingContactsWarning,
            )
            return LOOKS
    return 5 + len(world.space) + 5 * len(pairs)


def warn_of_geoms_without_space(world: World) -> None:
    """Warn of bodies with solid geoms, none of which is in a space. Rays and sensors do not count."""
    world._spaceless = False
    for body in world.bodies:
        touching = [geom for geom in body.geoms if geom.shape != "ray" and not geom.sensor]
        if touching and all(geom.space is None for geom in touching):
            warn(
                f"{touching[0].name} is on {body.name}, but in no space: `advance` collides what is in world.space, and "
                f"{body.name} falls through everything. Make the geom with space=world.space, or make both at once: "
                f"world.add_body({type(touching[0]).__name__}(...))",
                MissingContactsWarning,
            )
            return


def _label(geom: Geom) -> str:
    return geom.name if geom.body is None else geom.body.name


def would_collide(world: World, a: Any, b: Any) -> bool:
    """Whether `advance` would create contacts for two members of the world's space, if their categories allow it."""
    if not isinstance(a, Geom) or not isinstance(b, Geom) or "ray" in (a.shape, b.shape):
        return False
    if a.sensor or b.sensor:
        return False
    bodies = [geom.body for geom in (a, b) if geom.body is not None]
    if all(body.kinematic for body in bodies):
        return False
    return world.collide_connected or len(bodies) < 2 or not bodies[0].is_connected_to(bodies[1])
