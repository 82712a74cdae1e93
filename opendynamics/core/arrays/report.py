"""The kernels' report of a step to Python; addresses of the members chosen for a world; scratch memory for the stages."""

from __future__ import annotations

from opendynamics.core.arrays.table import Role, Table

REPORT = [
    ("steps_done", "i8"),
    ("sleep_done", "i8"),  # 1 once the idle bodies of the step under way have been put to sleep
    ("solving", "i8"),  # TO_SHARE: several threads should do it; SOLVED: they have done it
    ("wants_team", "i8"),  # 1: a stage is worth a team of threads (`team`), which is not there yet
    ("attempts", "i8"),  # to solve, of all steps: marks what the one under way has taken from the contact cache
    ("h", "f8"),  # s, size of the step under way
    ("moves", "i8"),  # steps done, of all calls: distinguishes the last step's cached forces from older ones
    ("cached_at", "i8"),  # value of `moves` after the last step whose forces were cached
    ("cached_step", "f8"),  # s, size of that step
    ("rolling", "i8"),  # 1 if a contact of the step under way has rolling friction
    ("last_step", "i8"),  # `steps_done` after the last step of a call that Python divides, EVERY_STEP, or 0
    ("skips_rows", "i8"),  # 1: nobody reads feedback after the step under way, as it is not the last
    ("cache_forces", "i8"),  # 1 if the solver's `cache_forces` has to be called in this step
    ("unswept", "i8"),  # 1 between the moves of a step and the sweep along them
    ("stopped", "i8"),  # bodies that the sweep of the last step stopped
    (
        "missing_a",
        "i8",
    ),  # kinds of a pair whose kernel is not loaded yet, -1: none; or ENDLESS minus rows of refused geoms
    ("missing_b", "i8"),
    ("missing_escalation", "i8"),  # 1 + number of the escalation that is not loaded yet, see `escalation`; 0: none
    ("pairs", "i8"),
    ("contacts", "i8"),  # made by `advance`
    ("contacts_left_out", "i8"),  # points beyond the requested limit
    ("details", "i8"),  # rows of details of contacts made by `advance`
    ("recycled", "i8"),  # pairs whose contact points were recycled
    ("kept_at", "i8"),  # value of `moves` before the step of the manifolds
    ("speculative", "i8"),  # contacts across a gap among those made by `advance`
    ("rows", "i8"),
    ("islands", "i8"),
    ("iterations", "i8"),
    ("faults", "i8"),  # islands frozen so far
    ("deepest", "f8"),  # m, largest penetration depth of a contact made by `advance`
    ("residual", "f8"),  # largest of any island
]

# Values of `solving`.
TO_SHARE, SOLVED = 1, 2
# Value of `last_step`: feedback is read after each step, as Python is called within steps.
EVERY_STEP = -1

# Saved with the world; of its fields only those that separate the last step's cached impulses from older ones matter to the
# steps to come.
STAMPS = ("moves", "cached_at", "cached_step")
REPORTS = Table(
    "reports",
    REPORT,
    Role.CONVERGENCE,
    room=1,
    derived=tuple(name for name, _ in REPORT if name not in STAMPS),
)

# Addresses of compiled collision functions, at kind_a * SHAPE_KINDS + kind_b; 0: not loaded, -1: there is none.
SHAPE_KINDS = 32
PAIR_KERNELS = Table("pair_kernels", "i8", Role.CODE, room=SHAPE_KINDS * SHAPE_KINDS, common=True)

# Most further entries that a solver may have.
MAX_ESCALATIONS = 9

# Jobs of stages that a team of threads shares.
COLLIDE_JOB, GATHER_JOB, CONTACTS_JOB, CACHE_JOB = range(4)
MAX_JOBS = 4

# Addresses of the members chosen for a world. Row 0 has all; the other rows have the solvers to which that of row 0 assigns
# islands, if it does.
CHOICE = [
    ("find_pairs", "i8"),  # addresses
    ("choose", "i8"),  # entries of the solver, 0: it has none
    ("solve", "i8"),
    ("cache_forces", "i8"),
    ("finish", "i8"),
    ("escalations", "i8", (MAX_ESCALATIONS,)),  # further entries of the solver, 0: not loaded yet
    ("together", "i8"),  # which islands the solver can solve together, see `solve/islands.py`
    ("solves_impacts", "i8"),  # 1: the solver knows restitution and position correction itself
    ("near_pairs", "i8"),  # what finds pairs that are near and makes contacts across gaps, 0: none are made
    ("near_contacts", "i8"),
    ("python_collider", "i8"),  # the collider that calls Python
    ("sweep", "i8"),  # what stops fast bodies where they meet something, 0: none is to be stopped
    ("threads", "i8"),  # that may share the islands
    ("team", "i8"),  # largest team of threads that may share a stage, see `team`
    ("jobs", "i8", (MAX_JOBS,)),  # of the stages, loaded when a team is first wanted
    ("has_job", "i8"),  # 1: the solver can share one island with a team
    ("job", "i8"),  # its job, loaded when a team is first wanted
    ("parameters", "f8", (8,)),  # of the broadphase
]
CHOICES = Table("choices", CHOICE, Role.CODE, room=1)

# Any stage may use these from their beginning; nothing in them outlives a stage.
FLOATS = Table("floats", "f8", Role.SCRATCH, room=4096)
INTEGERS = Table("integers", "i8", Role.SCRATCH, room=1024)
