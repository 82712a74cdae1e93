"""Configuration of this installation: versions, precision, processor, and the folder of compiled kernels.

ODE's tokens (`dGetConfiguration`) say how the library was built; here there is one build. `opendynamics doctor` shows more, and
checks that it works.
"""

from __future__ import annotations

import platform
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from opendynamics.api.suggestions import explain_calls, explain_function
from opendynamics.api.threads import processors
from opendynamics.core.compile.folder import cache_folder
from opendynamics.core.compile.settings import version as numba_version

ODE_VERSION = "0.16.6"  # whose behaviour the C names have
TOKENS = ("ODE", "ODE_EXT_no_debug", "ODE_EXT_trimesh", "ODE_double_precision")

# Module that shows whether an extra is installed.
_MODULES = {
    "cli": ("rich",),
    "mesh": ("trimesh", "collada"),
    "plot": ("matplotlib",),
    "render": ("PIL",),
    "robot": ("lark", "collada", "yaml", "trimesh"),
    "video": ("imageio_ffmpeg",),
    "view": ("viser",),
}


@explain_calls
@dataclass(frozen=True)
class Configuration:
    """Versions and build of the engine in this process.

    Attributes:
        version: of opendynamics.
        ode_version: version of ODE that the C names, PyODE and worlds with `like="ode"` reproduce.
        precision: "double": numbers are float64.
        python, numpy, numba: versions.
        processors: logical cores that this process may use.
        machine_code: folder of the compiled kernels.
        extras: installed optional features.
        tokens: what `dGetConfiguration` lists, in ODE's spelling.
    """

    version: str
    ode_version: str
    precision: str
    python: str
    numpy: str
    numba: str
    processors: int
    machine_code: Path
    extras: tuple[str, ...]
    tokens: tuple[str, ...]


@explain_function
def configuration() -> Configuration:
    """Return the configuration of this installation."""
    from opendynamics import __version__

    return Configuration(
        version=__version__,
        ode_version=ODE_VERSION,
        precision="double",
        python=platform.python_version(),
        numpy=np.__version__,
        numba=numba_version(),
        processors=processors(),
        machine_code=Path(cache_folder()),
        extras=tuple(extra for extra, modules in _MODULES.items() if all(map(find_spec, modules))),
        tokens=TOKENS,
    )
