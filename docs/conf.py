"""Sphinx configuration. Build with `make docs`; warnings are errors."""

from importlib.metadata import version as installed_version

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
