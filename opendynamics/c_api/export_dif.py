"""export-dif.h: a world as text."""

from __future__ import annotations

from typing import TextIO

from opendynamics.api.world import World
from opendynamics.c_api.common.identifiers import dWorldID
from opendynamics.c_api.ids import the
from opendynamics.io.dif import write_dif


def dWorldExportDIF(w: dWorldID, file: TextIO, world_name: str) -> None:
    """Write a world, and the geoms that its bodies may meet, to an open text file; the names there begin with
    `world_name`.

    Complete, where ODE writes "unknown" or leaves something out: `opendynamics run FILE.dif` and
    `opendynamics.io.read_dif` make a world of it again.
    """
    write_dif(the(World, w), file, world_name)
