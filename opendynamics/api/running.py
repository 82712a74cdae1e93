"""Running the stages of a step: what comes before the first and after the last, and what a stage lacks.

Functions and not methods of the world: looking up a method of a class with a `__getattr__` takes as long as calling it.
`own` are the attributes of the world.
"""

from __future__ import annotations

from typing import Any

from opendynamics.api.colliders import CALLS, raise_pending
from opendynamics.api.conflicts import STEPS_BETWEEN_LOOKS, warn_of_conflicts
from opendynamics.api.contact import load_missing_pair, require_collidable
from opendynamics.api.threads import share_stage
from opendynamics.core import step as stages
from opendynamics.core.arrays.report import REPORTS
from opendynamics.core.arrays.store import Store, column
from opendynamics.core.solve import loading as solvers

_FAULTS, _MOVES = column(REPORTS, "faults", 4), column(REPORTS, "moves", 4)


def is_between_steps(store: Store) -> bool:
    """Whether `advance` has not begun the step after the last counted one."""
    report = store[REPORTS][0]
    return not (report["sleep_done"] or report["solving"] or report["unswept"])


def begin(world: Any, own: dict[str, Any]) -> None:
    """Prepare all tables for the kernels."""
    rows = own["_contact_rows"]
    if (
        rows.run.noted < rows.run.next
        or rows.written < len(rows.joints)
        or own["_changed_geoms"]
        or own["_orders_stale"]
        or own["space"].__dict__["_order_stale"]
    ):
        list_changes(world, own)
    else:
        own["_home"].edition.number += 1
    if own.get("_beginning") is None:
        world._save_beginning()
    stages.begin.call(own["_store"].tables)
    if own["_seconds"]:
        world._seconds = {}


def list_changes(world: Any, own: dict[str, Any]) -> None:
    """List bodies, joints and geoms for the kernels, and wake those affected by changes."""
    if own["_contact_rows"].chosen:
        own["_contact_rows"].write()
    own["_home"].edition.number += 1
    if own["_changed_geoms"]:
        world._wake_by_changes()
    own["space"].list_geoms()
    if own["_orders_stale"]:
        world._list_members()


def run_step(world: Any, own: dict[str, Any], h: float) -> None:
    """Run `step`, which calls no Python functions, until it has the memory and kernels that it needs."""
    store = own["_store"]
    call = stages.step.call
    while not call(store.tables, h):
        if not share_stage(world, store):
            world._help(store)


def run(world: Any, stage: Any, *arguments: Any) -> None:
    """Run a stage, repeatedly until it has the memory and kernels that it needs. An interrupt waits for the end of a step.

    Exceptions of Python functions that it calls are raised here.
    """
    own, interrupt, done = world.__dict__, None, False
    store, profile = own["_store"], own["_profile"]
    call = stage.call if profile is None else profile.clocked(stage)
    running, pending = CALLS.running, CALLS.pending
    running.append((store, own["space"].find))
    try:
        while not done:
            try:
                done = call(store.tables, *arguments)
                if pending:
                    raise_pending()
                if not (done or share_stage(world, store)):
                    world._help(store)
            except KeyboardInterrupt as error:
                if stage is not stages.advance or is_between_steps(store):  # others record nothing
                    raise
                interrupt = error
    finally:
        running.pop()
    if interrupt is not None:
        raise interrupt


def provide_missing(world: Any, store: Store) -> None:
    """Provide the kernel that the world's stage reported missing, or the memory that `store`, its own or a thread's, lacks."""
    own: Store = world._store
    require_collidable(world)
    if own[REPORTS]["missing_a"][0] >= 0:
        load_missing_pair(own)
    elif not solvers.load_missing_escalation(own, world._variants):
        store.make_missing_room()


def end(world: Any, own: dict[str, Any]) -> None:
    """Finish a call that took steps, and warn of what went wrong in them."""
    if own["_threads"] is not None:
        own["_threads"].team.end()
    store = own["_store"]
    store.end_step()
    report = store.words[REPORTS]
    faults, moves = report[_FAULTS], report[_MOVES]
    if faults > own["_faults_seen"]:
        world._warn_of_faults(faults)
    if own["_joints"] and not 0 <= moves - own["_looked_at"] < STEPS_BETWEEN_LOOKS:
        own["_looked_at"] = moves
        warn_of_conflicts(world)
