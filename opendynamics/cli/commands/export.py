"""Write a recording as CSV, NPZ or glTF.

The extension of each FILE selects the format: .csv for spreadsheets, a line for each body in each frame; .npz for NumPy, all
recorded data; .glb for Blender, web pages and other programs that show 3D, an animation with meshes. Existing files are
replaced.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from opendynamics.api.progress import progress
from opendynamics.cli.arguments import positive
from opendynamics.cli.errors import UserError
from opendynamics.cli.scene_files import open_odr
from opendynamics.io.recording.frame import EXPORTS

EXAMPLES = """\
examples:
  opendynamics demo car --record car.odr
  opendynamics export car.odr car.glb
  opendynamics export car.odr car.csv car.npz
  opendynamics export car.odr energy.csv --what series
"""

# Resolution of the progress bar.
FINE = 1000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    parser.add_argument("recording", type=Path, metavar="RECORDING", help="a recording (.odr)")
    parser.add_argument("files", type=Path, metavar="FILE", nargs="+", help="what to write: *.csv, *.npz or *.glb")
    parser.add_argument(
        "--what", choices=("bodies", "series"), help="of CSV: states of bodies, or energies, contacts and channels"
    )
    parser.add_argument(
        "--fps",
        type=positive("a number of frames"),
        metavar="N",
        help="of glTF: most key frames a second (default: 30)",
    )


def run(options: argparse.Namespace) -> int:
    """Run the command."""
    known = {EXPORTS[name].SUFFIX: name for name in EXPORTS.names}
    for path in options.files:
        if path.suffix.lower() not in known:
            raise UserError(f"{path} has no known extension; use one of: {', '.join(known)}")
        if not path.parent.is_dir():
            raise UserError(f"{path} cannot be written: there is no folder {path.parent}; make it first")
    chosen: dict[str, dict[str, Any]] = {"csv": {"what": options.what}, "gltf": {"fps": options.fps}}
    names = [known[path.suffix.lower()] for path in options.files]
    for name, arguments in chosen.items():
        for word, value in arguments.items():
            if value is not None and name not in names:
                raise UserError(f"--{word} is for {EXPORTS[name].SUFFIX} files, of which none is to be written")
    with open_odr(options.recording) as recording:
        for path, name in zip(options.files, names, strict=True):
            arguments = {word: value for word, value in chosen.get(name, {}).items() if value is not None}
            with progress(FINE, f"writing {path.name}") as update:
                try:
                    EXPORTS[name].export(
                        recording, path, lambda done, update=update: update(int(FINE * done), ""), **arguments
                    )
                except (OSError, ValueError) as error:
                    reason = getattr(error, "strerror", None) or error
                    raise UserError(f"{path} cannot be written: {reason}") from None
    for path in options.files:
        print(f"{path}: {path.stat().st_size / 1e6:.2f} MB")
    return 0
