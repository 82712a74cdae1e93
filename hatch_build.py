"""What is built into distributions: whole links in the README, which an index shows by itself, and machine code in wheels.

`make wheel` compiles all kernels for a level of processors and has them put into the wheel. OPENDYNAMICS_MACHINE_CODE names a
folder with a folder of kernels for each level, and with `requires.txt`, the versions that they were compiled with: machine code
is good for those alone, so that the wheel requires them. Without the variable the wheel is pure Python.
"""

from __future__ import annotations

import os
import re
import sys
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

VARIABLE = "OPENDYNAMICS_MACHINE_CODE"

# A link or a picture of Markdown whose target is a file of the repository.
LINK = re.compile(r"(!?)(\[[^\]]*\])\((?!https?:|#)([^)]+)\)")


class WholeLinks(MetadataHookInterface):
    """Gives the README links to the repository in place of those to its files."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Called by hatchling for the metadata that pyproject.toml leaves open."""
        home = metadata["urls"]["Homepage"]
        pictures = home.replace("github.com", "raw.githubusercontent.com") + "/main/"

        def whole(link: re.Match[str]) -> str:
            shown, text, target = link.groups()
            return f"{shown}{text}({pictures if shown else f'{home}/blob/main/'}{target})"

        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": LINK.sub(whole, text)}


class MachineCode(BuildHookInterface[Any]):
    """Puts the kernels into the wheel, and says for which interpreter and platform it is."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling before it builds a wheel."""
        folder = os.environ.get(VARIABLE)
        if not folder or version == "editable":
            return
        kernels = sorted(Path(folder).glob("*/*.kernel"))
        if not kernels:
            raise FileNotFoundError(f"{VARIABLE}: there are no kernels in {folder}; `make wheel` compiles them")
        for path in kernels:
            build_data["force_include"][str(path)] = f"opendynamics/_machine_code/{path.parent.name}/{path.name}"
        interpreter = f"cp{sys.version_info[0]}{sys.version_info[1]}"
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["pure_python"] = False
        build_data["tag"] = f"{interpreter}-{interpreter}-{platform}"
        build_data["dependencies"] = Path(folder, "requires.txt").read_text().split()
