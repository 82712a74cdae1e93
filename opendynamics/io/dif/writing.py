"""Writes a world as a DIF file."""

from __future__ import annotations

import re
from typing import Any, TextIO

from opendynamics.api.geoms.geom import Geom
from opendynamics.api.joints.joint import Joint
from opendynamics.api.spaces.space import Space
from opendynamics.api.world import World
from opendynamics.io.dif.bodies import write_body
from opendynamics.io.dif.geometry import write_geometry
from opendynamics.io.dif.joints import kind_name, write_joint
from opendynamics.io.dif.text import Lines, Name
from opendynamics.io.dif.world import write_world

_WORD = re.compile(r"[A-Za-z_]\w*|")


def write_dif(world: World, file: TextIO, prefix: str = "") -> None:
    """Write a world in ODE's Dynamics Interchange Format, including what ODE's own export omits.

    Args:
        world: the world; its bodies, joints, and the geoms of its space and of all spaces with geoms of its bodies are written.
        file: a text file.
        prefix: prefix of the names in the file: letters, digits and underscores, not beginning with a digit.

    Raises:
        ValueError: the prefix cannot begin a name.
        TypeError: `file` is no open file.
    """
    if not _WORD.fullmatch(str(prefix)):
        raise ValueError(
            f"the prefix of a DIF file must be letters, digits and underscores, the first no digit, not {prefix!r}"
        )
    if not hasattr(file, "write"):
        raise TypeError(f"a DIF file is written to an open text file, not to {file!r}")
    lines = Lines()
    lines.line("-- Dynamics Interchange Format v0.1")
    lines.line("")
    with lines.table(f"{prefix}world = dynamics.world ", "}"):
        write_world(lines, world)
    names: dict[Any, Name] = {}
    bodies, joints = world.bodies[::-1], world.joints[::-1]
    for word, members in (("body", bodies), ("joint", joints)):
        for number, member in enumerate(members):
            names[member] = Name(f"{prefix}{word}[{number}]")
    still = _still_geoms(world)
    if still:
        write_geometry(lines, still, f"{prefix}geometry = ", "}")
    lines.line(f"{prefix}body = {{}}")
    for body in bodies:
        with lines.table(f"{names[body]} = dynamics.body ", "}"):
            lines.field("world", Name(f"{prefix}world"))
            write_body(lines, body)
    lines.line(f"{prefix}joint = {{}}")
    for joint in joints:
        _write_joint(lines, joint, names, prefix)
    file.write("\n".join(lines.lines) + "\n")


def _write_joint(lines: Lines, joint: Joint, names: dict[Any, Name], prefix: str) -> None:
    with lines.table(f"{names[joint]} = dynamics.{kind_name(joint)}_joint ", "}"):
        lines.field("world", Name(f"{prefix}world"))
        write_joint(lines, joint, names)


def _still_geoms(world: World) -> list[Geom]:
    """Geoms without a body that the bodies may collide with, newest first in each space."""
    spaces: dict[int, Space] = {id(world.space): world.space}
    for body in world.bodies:
        for geom in body.geoms:
            space = geom.space
            while space is not None and space.space is not None:
                space = space.space
            if space is not None:
                spaces.setdefault(id(space), space)
    return [geom for space in spaces.values() for geom in space.geoms() if geom.body is None]
