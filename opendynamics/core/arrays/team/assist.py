"""What a helper of the team runs: it waits for jobs, and takes parts of them."""

from __future__ import annotations

from opendynamics.core import types
from opendynamics.core.arrays.table import TABLES
from opendynamics.core.arrays.team.jobs import PATIENT, has_team, run_parts, wait
from opendynamics.core.kernels import entry


@entry(types.void(TABLES, types.int64), nogil=True)
def assist(tables, member):
    """Run parts of jobs as team member `member`, until the team leaves these tables."""
    looks = 0
    while has_team(tables):
        looks = 0 if run_parts(tables, member) else wait(looks, PATIENT)
