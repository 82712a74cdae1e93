"""Islands: bodies that constraints tie together, and the constraints ("links") that tie them."""

from __future__ import annotations

from opendynamics.core import types
from opendynamics.core.arrays.table import Role, Table

# Values of LINK.kind.
JOINT, CONTACT = 0, 1

# Half a cache line.
LINK = [
    ("index", "i4"),  # row in the joints or the contacts table
    ("body0", "i4"),
    ("body1", "i4"),
    ("next0", "i4"),  # next link in the list of body0 and of body1, -1 at the end
    ("next1", "i4"),
    ("first_row", "i4"),
    ("row_count", "i2"),
    ("free_rows", "i2"),  # of a joint: number of leading rows without bounds, once they are filled in
    ("kind", "i2"),
    ("visited", "i1"),
    ("traits", "i1"),  # in the soft step: see `links` there
]

ISLAND = [
    ("first_body", "i8"),  # its bodies are a run of the table island_bodies, its links of island_links
    ("bodies", "i8"),
    ("first_link", "i8"),
    ("links", "i8"),
    ("first_row", "i8"),
    ("rows", "i8"),
    ("bounded_rows", "i8"),  # rows with a finite bound: zero means one linear system
    ("solver", "i8"),  # row of the choices that has the solver's entries
    ("pairs", "i8"),  # pairs of rows whose forces lie in a circle
    ("push", "f8"),  # m/s2, the fastest position correction of a contact over h, where it is not to enter the velocity
    ("bounces", "i8"),  # contacts that bounce, where energy limits them
    ("gaps", "i8"),  # speculative contacts
    ("solutions", "i8"),  # earlier solutions of the step with other biases, which the forces are from
    ("corrected", "i8"),  # what its solver hands on besides FORCES, see `solve/reactions.py`; 0: nothing
    ("iterations", "i8"),
    ("residual", "f8"),  # largest violation of the island's complementarity problem, in units of its forces
    ("draws_before", "i8"),  # random numbers that a shuffle of all earlier islands draws
    ("draws", "i8"),  # random numbers that its solver draws from the generator
    ("unconverged", "i8"),  # 1 if it had not converged after all extra iterations
    ("solved", "i8"),  # 1 if it was solved together with others, see `solve/islands.py`
    ("batch", "i8"),  # 1 + the island that stands for this one and others, which are solved as one; 0: none does
    ("faulty", "i8"),  # its solution is not finite: its bodies are frozen
]

LINKS = Table("links", LINK, Role.SCRATCH, room=64)
# Of each body, the head of its list, newest link first, and its place in its island, -1 outside any.
FIRST_LINKS = Table("first_links", "i4", Role.SCRATCH, room=16, rows_of="bodies")
SLOTS = Table("slots", "i4", Role.SCRATCH, room=16, rows_of="bodies")
ISLANDS = Table("islands", ISLAND, Role.SCRATCH, room=16)
ISLAND_BODIES = Table("island_bodies", "i4", Role.SCRATCH, room=16)
ISLAND_LINKS = Table("island_links", "i4", Role.SCRATCH, room=64)

# Types of their records, as arguments of entries.
ISLAND_RECORD, LINK_RECORD = types.Record(ISLANDS.dtype), types.Record(LINKS.dtype)
