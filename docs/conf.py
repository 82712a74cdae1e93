"""Sphinx configuration. Build with `make docs`; warnings are errors."""

from importlib.metadata import version as installed_version
from pathlib import Path
from typing import Any

DIAGRAMS = "pictures/diagrams"  # made by diagrams.py

project = "opendynamics"
author = "The opendynamics developers"
copyright = author
release = version = installed_version("opendynamics")

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["_build"]

myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3

autodoc_member_order = "groupwise"
autodoc_typehints = "signature"
# NumPy's array-like is a page long when spelled out.
autodoc_type_aliases = {"ArrayLike": "ArrayLike", "npt.ArrayLike": "ArrayLike"}
autodoc_default_options = {"members": True, "inherited-members": True, "show-inheritance": True}
python_use_unqualified_type_names = True
napoleon_use_ivar = True  # an "Attributes:" section and a documented property do not clash

html_theme = "furo"
html_title = f"{project} {release}"


def add_diagram(app: Any, what: str, name: str, thing: object, options: Any, lines: list[str]) -> None:
    """Put the diagram of a class, if there is one, below the first paragraph of its docstring."""
    short = name.rpartition(".")[2]
    ours = getattr(thing, "__module__", "").startswith("opendynamics.api.")
    if what == "class" and ours and (Path(__file__).parent / DIAGRAMS / f"{short}.svg").exists():
        at = lines.index("") if "" in lines else len(lines)
        lines[at:at] = ["", f".. image:: /{DIAGRAMS}/{short}.svg", f"   :alt: Diagram of {short}", ""]


def setup(app: Any) -> None:
    """Register the function above."""
    app.connect("autodoc-process-docstring", add_diagram, priority=900)
