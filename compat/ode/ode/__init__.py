"""PyODE's `ode`, by opendynamics."""

from opendynamics.pyode import *  # noqa: F403

__version__ = "0.1.0"
