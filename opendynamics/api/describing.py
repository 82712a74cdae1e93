"""Text of `repr` for bodies, geoms, joints and contacts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

# Properties with the sizes of geoms and coordinates of joints, in this order.
SIZES = ("lengths", "radii", "radius", "length", "height", "normal", "offset", "triangle_count")
COORDINATES = {"angle": "rad", "angle1": "rad", "angle2": "rad", "position": "m", "distance": "m", "coordinate": ""}


def shown(value: Any) -> str:
    """A number, or numbers, with four digits."""
    if isinstance(value, Iterable):
        return f"({', '.join(map(shown, value))})"
    return f"{0.0 if abs(value) < 1e-12 else value:.4g}"


def pose(position: Any, quaternion: Any) -> str:
    """Position, and orientation if it is rotated."""
    turned = f", quaternion {shown(quaternion)}" if abs(quaternion[0]) < 1.0 - 1e-9 else ""
    return f"at {shown(position)}{turned}"


def body(thing: Any) -> str:
    """Pose, velocity, mass and state of a body."""
    found = [pose(thing.position, thing.quaternion), f"velocity {shown(thing.linear_velocity)}"]
    if thing.angular_velocity.any():
        found.append(f"angular velocity {shown(thing.angular_velocity)}")
    found.append(f"{shown(thing.mass)} kg")
    if thing.faulty:
        found.append("faulty")
    elif not thing.enabled:
        found.append("asleep")
    return ", ".join(found + ["kinematic"] * thing.kinematic)


def geom(thing: Any) -> str:
    """Sizes, body and pose of a geom."""
    kind = type(thing)
    sizes = [f"{name.replace('_', ' ')} {shown(getattr(thing, name))}" for name in SIZES if hasattr(kind, name)]
    if thing.body is not None:
        sizes.append(f"on {thing.body.name!r}")
    if thing.placeable:
        sizes.append(pose(thing.position, thing.quaternion))
    flags = [word for word, on in (("sensor", thing.sensor), ("disabled", not thing.enabled)) if on]
    return ", ".join(sizes + flags)


def joint(thing: Any) -> str:
    """Bodies and coordinates of a joint."""
    first, second = thing.bodies
    if first is None and second is None:
        return "joins nothing"
    names = " and ".join("the world" if one is None else repr(one.name) for one in (first, second))
    found = [f"of {names}"]
    for name, unit in COORDINATES.items():
        if hasattr(type(thing), name):
            found.append(f"{name} {shown(getattr(thing, name))} {unit}".rstrip())
    return ", ".join(found + ["broken"] * thing.broken + ["disabled"] * (not thing.enabled))


def touching(thing: Any) -> str:
    """Name of a geom in a contact; its body is named too if the geom itself has no name, as in `add_body(shape, name=...)`."""
    owner = thing.body if thing.alive and thing._name is None else None
    return repr(thing.name) if owner is None else f"{thing.name!r} on {owner.name!r}"


def contact(thing: Any) -> str:
    """Geoms, position, normal and depth of a contact."""
    names = " and ".join("nothing" if one is None else touching(one) for one in (thing.geom1, thing.geom2))
    return f"of {names} at {shown(thing.position)}, normal {shown(thing.normal)}, depth {shown(thing.depth)} m"


def count(number: int, noun: str) -> str:
    """A count with its noun; in the singular for one."""
    plural = {"body": "bodies"}.get(noun, f"{noun}s")
    return f"{number} {noun if number == 1 else plural}"
