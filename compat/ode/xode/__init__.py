"""PyODE's `xode`, by opendynamics: its modules are those of opendynamics.pyode.xode."""

from opendynamics.pyode.names import provide_xode

provide_xode()
