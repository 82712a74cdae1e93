"""export-dif.h: a world as text."""

from __future__ import annotations

from typing import TextIO

from opendynamics.api.world import World
from opendynamics.c_api.common.identifiers import dWorldID
from opendynamics.c_api.ids import the
from opendynamics.io.dif import write_dif


def dWorldExportDIF(w: dWorldID, file: TextIO, world_name: str) -> None:
    """Write a world, and the geoms that its bodies may collide with, to an open text file; names there start with `world_name`.

    Complete, where ODE writes "unknown" or omits something: `opendynamics run FILE.dif` and `opendynamics.io.read_dif`
    recreate the world.
    """
    write_dif(the(World, w), file, world_name)
