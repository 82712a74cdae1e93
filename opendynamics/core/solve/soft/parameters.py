"""Parameters of the soft step. The API's `soft_...` settings are these."""

from __future__ import annotations

from opendynamics.core.arrays.table import Role, Table

PARAMETER = [
    ("substeps", "i8"),
    ("hertz", "f8"),  # Hz, of contacts, as long as a sub-step can follow
    ("damping_ratio", "f8"),  # of contacts
]

DEFAULTS = {"substeps": 4, "hertz": 60.0, "damping_ratio": 3.0}

PARAMETERS = Table("soft_parameters", PARAMETER, Role.STATE, room=1)
