"""The Pythonic face: worlds, bodies, geoms, joints, spaces as objects with properties."""

# Tables have their positions, which machine code depends on, in the order of their declaration: it must not depend on what of the
# package is imported first.
import opendynamics.core.solve.pgs.parameters  # isort: skip
import opendynamics.core.solve.auto.parameters  # isort: skip
import opendynamics.core.solve.soft.parameters  # noqa: F401  # isort: skip
