"""Validation of a file's contents before kernels use them, as these check no index: every row that a table, or a handle,
refers to must exist.
"""

from __future__ import annotations

import math

import numpy as np

from opendynamics.api.contact_rows import ContactRows
from opendynamics.api.geoms.geom import Geom
from opendynamics.api.handle import Handle
from opendynamics.api.home import FREE, Home
from opendynamics.api.rows import Rows
from opendynamics.api.saving.manifest import Manifest
from opendynamics.api.saving.reports import Report
from opendynamics.api.saving.snapshot import SnapshotError
from opendynamics.core.arrays.bodies import BODY_SETTINGS, MOTIONS, PER_BODY, SAMPLES
from opendynamics.core.arrays.contact_cache import CONTACT_BUCKETS, CONTACT_FORCES, CONTACT_TORQUES, JOINT_FORCES
from opendynamics.core.arrays.contacts import CONTACT_DETAILS, CONTACTS, LAST_POSES, MANIFOLDS, SURFACES
from opendynamics.core.arrays.geoms import ALIVE, GEOMS
from opendynamics.core.arrays.joints import JOINTS
from opendynamics.core.arrays.report import REPORTS
from opendynamics.core.arrays.store import Array
from opendynamics.core.arrays.table import Table
from opendynamics.core.arrays.worlds import WORLDS
from opendynamics.core.families import JOINTS as JOINT_FAMILY
from opendynamics.core.families import SHAPES

# Fields that are rows of another table, and their lowest allowed values.
REFERENCES = (
    (JOINTS, "body0", MOTIONS, 0),
    (JOINTS, "body1", MOTIONS, 0),
    (CONTACTS, "body0", MOTIONS, 0),
    (CONTACTS, "body1", MOTIONS, 0),
    (GEOMS, "body", MOTIONS, 0),
    (CONTACT_FORCES, "low", MOTIONS, 0),
    (CONTACT_FORCES, "high", MOTIONS, 0),
    (CONTACT_FORCES, "next", CONTACT_FORCES, -1),
    (MANIFOLDS, "geom_a", LAST_POSES, 0),
    (MANIFOLDS, "geom_b", LAST_POSES, 0),
    (MANIFOLDS, "geom_a", GEOMS, 0),
    (MANIFOLDS, "geom_b", GEOMS, 0),
)

# Limit of constraint rows of a step.
MAX_ROWS = 1 << 24

Tables = dict[Table, Array]


def require_valid_rows(tables: Tables, free: Array, report: Report, manifest: Manifest) -> None:
    """Raise SnapshotError if anything refers to a row that does not exist."""
    for table, field, target, least in REFERENCES:
        _require(tables[table][field], least, len(tables[target]), f"{field} in {table.name}")
    _require(tables[CONTACT_BUCKETS], -1, len(tables[CONTACT_FORCES]), CONTACT_BUCKETS.name)
    if len(tables[CONTACT_TORQUES]) not in (0, len(tables[CONTACT_FORCES])):
        raise SnapshotError("the snapshot is damaged: contact_forces and contact_torques differ in number")
    own = tables[CONTACTS]["surface"]["detail"]
    if not np.array_equal(own, np.arange(len(tables[CONTACT_DETAILS]))):
        raise SnapshotError("the snapshot is damaged: contacts and their details differ")
    for group in (PER_BODY, (JOINTS, JOINT_FORCES)):
        if len({len(tables[table]) for table in group}) > 1:
            raise SnapshotError(f"the snapshot is damaged: {group[0].name} and what belongs to them differ in number")
    if any(len(tables[table]) != 1 for table in (WORLDS, REPORTS)) or not len(tables[MOTIONS]):
        raise SnapshotError("the snapshot is damaged: it does not hold one world")
    for records in (tables[GEOMS], free):
        _require(records["material"], 0, max(math.isqrt(len(tables[SURFACES])), 1), "material in geoms")
        kinds = records["kind"][records["flags"] & ALIVE != 0]
        if not np.isin(kinds, list(SHAPES.by_kind)).all():
            raise SnapshotError("the snapshot is damaged: it has geoms of an unknown kind")
    _require_manifolds(tables, len(report.points))
    _require_joints(tables, report)
    _require_samples(tables)
    _require_handles(tables, manifest)


def _require(values: Array, least: int, end: int, what: str) -> None:
    if len(values) and not (least <= values.min() and values.max() < end):
        raise SnapshotError(f"the snapshot is damaged: {what} refers to a row that does not exist")


def _require_joints(tables: Tables, report: Report) -> None:
    """Kinds of joints, and the rows over which their feedback is summed."""
    joints = tables[JOINTS]
    kinds = joints["kind"][joints["flags"] != 0]
    if not np.isin(kinds, list(JOINT_FAMILY.by_kind)).all():
        raise SnapshotError("the snapshot is damaged: it has joints of an unknown kind")
    numbers = report.numbers
    _require(numbers, 0, MAX_ROWS, "a number of rows")
    if not len(numbers) == len(report.rows) == len(report.forces) or (np.diff(numbers) <= 0).any():
        raise SnapshotError("the snapshot is damaged: its rows and their numbers differ")
    for records in (joints, tables[CONTACTS]):
        counts = records["row_count"].astype(np.int64)
        _require(counts, 0, 64, "a number of rows")
        first = records["first_row"][counts > 0]
        _require(first, 0, MAX_ROWS, "a first row")
        for end in (first, first + counts[counts > 0] - 1):
            if not np.isin(end, numbers).all():
                raise SnapshotError("the snapshot is damaged: joints have rows that it lacks")
    contacts = int(tables[REPORTS]["contacts"][0])
    if contacts != len(report.points):
        raise SnapshotError(f"the snapshot is damaged: {len(report.points)} contact points instead of {contacts}")


def _require_manifolds(tables: Tables, contacts: int) -> None:
    """The contacts of manifolds are among those of the last step, which come after the user's; others are not used."""
    report = tables[REPORTS][0]
    _require(tables[REPORTS]["kept_at"], 0, int(report["moves"]) + 1, "kept_at in reports")
    if report["kept_at"] < report["moves"] - 1 or not contacts:
        return
    first, counts = (tables[MANIFOLDS][name].astype(np.int64) for name in ("first", "count"))
    _require(first, 0, MAX_ROWS, "first in manifolds")
    _require(counts, 0, MAX_ROWS, "count in manifolds")
    _require(first + counts, 0, len(tables[CONTACTS]) + contacts + 1, "the last contact of a manifold")


def _require_samples(tables: Tables) -> None:
    settings = tables[BODY_SETTINGS]
    start, given = settings["sample_start"], settings["samples_given"]
    _require(start, 0, len(tables[SAMPLES]) + 1, "sample_start in body_settings")
    _require(given, 0, len(tables[SAMPLES]) + 1, "samples_given in body_settings")
    _require(start + given, 0, len(tables[SAMPLES]) + 1, "the last sample of a body")
    kept = np.where(settings["samples"] > 1, settings["samples"], 0)
    _require(given - kept, 0, len(tables[SAMPLES]) + 1, "samples in body_settings")
    _require(
        settings["sample_next"], 0, max(int(settings["samples"].max(initial=0)), 1), "sample_next in body_settings"
    )


def _require_handles(tables: Tables, manifest: Manifest) -> None:
    """Handles and their rows."""
    lengths = {}
    for member, values in manifest.entries:
        if isinstance(member, Rows):
            lengths[id(member)] = len(values["generations"])
            if any(len(tables[table]) < lengths[id(member)] for table in values["tables"]):
                raise SnapshotError("the snapshot is damaged: it has handles of rows that do not exist")
        elif (
            isinstance(member, ContactRows) and not len(tables[CONTACTS]) == len(values["joints"]) == values["written"]
        ):
            raise SnapshotError("the snapshot is damaged: it has handles of rows that do not exist")
    for member, values in manifest.entries:
        own = isinstance(member, Handle) and values.get("_rows", FREE.geoms) is not FREE.geoms  # of contacts
        if own and not 0 <= values["_index"] < lengths[id(values["_rows"])]:
            raise SnapshotError(f"the snapshot is damaged: {type(member).__name__} refers to a row that does not exist")
    geoms = {id(member): values["geoms"] for member, values in manifest.entries if isinstance(member, Home)}
    geoms[id(FREE)] = FREE.geoms
    for member, values in manifest.entries:
        if isinstance(member, Geom) and values["_rows"] is not geoms.get(id(values["_home"])):
            raise SnapshotError(f"the snapshot is damaged: {type(member).__name__} refers to rows of another kind")
    world = manifest.entries[0][1]
    _require(np.array(list(world["_bodies"]), np.int64), 1, len(tables[MOTIONS]), "a body")
