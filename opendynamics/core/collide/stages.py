"""Pipeline stages: contact points of every candidate pair, and a contact constraint for each point."""

from __future__ import annotations

from opendynamics.core import types
from opendynamics.core.arrays.blocks.scratch import SCRATCH
from opendynamics.core.arrays.bodies import MOTIONS
from opendynamics.core.arrays.contacts import CONTACT_DETAILS, CONTACTS, FOUND_PAIRS, POINTS
from opendynamics.core.arrays.geoms import GEOMS, PAIRS
from opendynamics.core.arrays.report import FLOATS, INTEGERS, REPORTS
from opendynamics.core.arrays.table import TABLES
from opendynamics.core.arrays.team.jobs import is_shared, lacks_team
from opendynamics.core.arrays.worlds import WORLDS
from opendynamics.core.collide.contacts import any_has_details, collide_run, make_run, mark_active
from opendynamics.core.collide.narrowphase.collider import ENDLESS
from opendynamics.core.collide.narrowphase.dispatch import are_loaded, colliders_of, note_missing
from opendynamics.core.collide.recycling import has_room_for_manifolds, keep_manifolds, list_manifolds
from opendynamics.core.collide.sharing import (
    PAIRS_OF_PART,
    POINTS_OF_PART,
    STOPPED,
    collide_jointly,
    gather_jointly,
    has_room_to_share,
    make_contacts_jointly,
)
from opendynamics.core.kernels import entry, kernel

# Most times that the room for points grows at once, if the other pairs have as many as those before.
GROWTH = 8

# Candidate pairs above which a team of threads pays.
PAIRS_OF_TEAM = 2500


@entry(types.boolean(TABLES))
def collide_pairs(tables):
    """Collide all candidate pairs. False: out of memory, or something must be loaded."""
    if not (FLOATS.has_room(tables, SCRATCH) and INTEGERS.has_room(tables, MOTIONS.used(tables))):
        return False
    if not list_manifolds(tables):
        return False
    pairs = PAIRS.used(tables)
    if pairs >= PAIRS_OF_TEAM and lacks_team(tables):
        return False
    shared = is_shared(tables, pairs, PAIRS_OF_PART)
    if shared and not has_room_to_share(tables, pairs):
        return False
    mark_active(tables)
    REPORTS.rows(tables)[0].pairs = pairs
    if shared:
        count = collide_jointly(tables, pairs)
        if count != STOPPED:
            if not POINTS.has_room(tables, count):
                return False
            gather_jointly(tables, pairs, count)
            return True
    return _collide_alone(tables, pairs)


@kernel
def _collide_alone(tables, pairs):
    """Collide all candidate pairs, one after another. False: out of memory, or something must be loaded."""
    points, room, scratch = POINTS.address(tables, 0), POINTS.capacity(tables), FLOATS.address(tables, 0)
    end, count, left_out = collide_run(tables, 0, pairs, points, room, scratch, 0)
    if end < pairs:
        limit = WORLDS.rows(tables)[0].max_contacts
        if count + limit <= room:
            _note_missing_collider(tables, end)
        else:
            POINTS.has_room(tables, max(count + limit, min(count * pairs // max(end, 1), GROWTH * room)))
        return False
    POINTS.use(tables, count)
    REPORTS.rows(tables)[0].contacts_left_out += left_out
    return True


@kernel
def _note_missing_collider(tables, k):
    """Ask Python for the collider of pair number k, if it is not loaded. Otherwise it has failed, or refused the pair."""
    pair = PAIRS.rows(tables)[k]
    kind_a, kind_b = GEOMS.rows(tables)[pair.a].kind, GEOMS.rows(tables)[pair.b].kind
    forward, backward = colliders_of(tables, kind_a, kind_b)
    if not are_loaded(forward, backward):
        note_missing(tables, kind_a, kind_b)
    elif FOUND_PAIRS.rows(tables)[k].count == ENDLESS:
        note_missing(tables, ENDLESS - pair.a, ENDLESS - pair.b)


@kernel
def make_contacts(tables):
    """Make a contact constraint for each point, after the user's. False: out of memory."""
    count, report = POINTS.used(tables), REPORTS.rows(tables)[0]
    report.details = count if any_has_details(tables) else 0
    has_room = CONTACTS.has_room(tables, CONTACTS.used(tables) + count)
    if not (has_room and CONTACT_DETAILS.has_room(tables, CONTACTS.used(tables) + report.details)):
        return False
    if not has_room_for_manifolds(tables):
        return False
    if is_shared(tables, count, POINTS_OF_PART):
        report.deepest = make_contacts_jointly(tables, count)
    else:
        report.deepest = make_run(tables, 0, count)
    report.contacts = count
    keep_manifolds(tables)
    return True
