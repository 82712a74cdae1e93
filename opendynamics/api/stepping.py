"""Stepping: advances a world in time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields
from time import perf_counter
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from opendynamics.api import checks
from opendynamics.api.belts import drive_contacts
from opendynamics.api.breaking import Strength, break_joints
from opendynamics.api.colliders import ASK_ADDRESS, calls_python, choose_colliders
from opendynamics.api.conflicts import STEPS_BETWEEN_LOOKS
from opendynamics.api.contact_hooks import ContactHooks, stops_between_stages
from opendynamics.api.first_look import look_first
from opendynamics.api.member import note_change
from opendynamics.api.missing_contacts import LOOKS, look_for_missing_contacts, warn_of_geoms_without_space
from opendynamics.api.profile import Profile
from opendynamics.api.running import begin, end, is_between_steps, list_changes, provide_missing, run, run_step
from opendynamics.api.statistics import Statistics
from opendynamics.api.sub_steps import Means
from opendynamics.api.suggestions import alone
from opendynamics.api.swept_kernels import near_addresses, sweep_address
from opendynamics.api.threads import Threads, max_threads, processors
from opendynamics.api.types import Vector
from opendynamics.api.units import LONG, check_step
from opendynamics.api.waking import moved_rows
from opendynamics.api.warning import warn
from opendynamics.core import step as stages
from opendynamics.core.arrays.bodies import FAULTY, LOADS, MOTIONS
from opendynamics.core.arrays.geoms import GEOM_ORDER
from opendynamics.core.arrays.report import CHOICES, EVERY_STEP, REPORTS
from opendynamics.core.arrays.store import Store, column
from opendynamics.core.arrays.worlds import WORLDS
from opendynamics.core.bodies.integrators import EULER, VERLET
from opendynamics.core.collide.broadphase import FIND_PAIRS
from opendynamics.core.compile.cache import running_time
from opendynamics.core.compile.loading import address_of, load_together
from opendynamics.core.families import BROADPHASES, SOLVERS
from opendynamics.core.solve import loading as solvers

if TYPE_CHECKING:
    from opendynamics.api.body import Body
    from opendynamics.api.contact_rows import ContactRows
    from opendynamics.api.following import Watcher
    from opendynamics.api.home import Home
    from opendynamics.api.joints.joint import Joint
    from opendynamics.api.spaces.world_space import WorldSpace

Impacts: TypeAlias = Literal["simultaneous", "sequential"]

# Stages of a step that is made stage by stage.
STAGES = (stages.collide, stages.constrain, stages.solve_rows, stages.move, stages.damp)

# Fields of the report of a step, and those that statistics show.
_REPORTED = REPORTS.dtype.names or ()
_SHOWN = tuple(part.name for part in fields(Statistics) if part.name in _REPORTED)

# What speculative contacts and continuous collision need, and the integrator, in a row of worlds.
_CONTINUOUS_AND_MARGIN = slice(column(WORLDS, "continuous", 1), column(WORLDS, "collide_connected", 1))
_INTEGRATOR = column(WORLDS, "integrator", 4)
_LAST_STEP, _SKIPS_ROWS, _STEPS_DONE = (column(REPORTS, field) for field in ("last_step", "skips_rows", "steps_done"))

# Ctrl-C ends a long `advance` after about this time, s.
PORTION_SECONDS = 0.02
# Steps between checks, per body with contacts: free bodies may hit something in the next step.
BODY_SECONDS = 2e-5


def next_portion(portion: int, seconds: float, bodies: int) -> int:
    """Number of steps until the next check, if the last ones, of a world with this number of bodies, took `seconds`."""
    most = min(8 * portion, int(PORTION_SECONDS / (BODY_SECONDS * max(bodies, 1))))
    return max(1, min(most, int(portion * PORTION_SECONDS / max(seconds, 1e-9))))


class FaultWarning(RuntimeWarning):
    """The motion of some bodies became infinite or NaN; their island is frozen, the rest of the world continues."""


def _is_noted(own: dict[str, Any], h: float) -> bool:
    """Whether the attributes of a world are already what `_note_call` makes of them at the start of a call."""
    rows, clock = own["_contact_rows"], own.get("_clock")
    contacts = len(rows.joints) if rows.run.noted == rows.run.next else rows.count
    known = clock is not None and h == clock[2] and contacts == own.get("_first_contact")
    return known and own.get("_tracker") is None


class Stepping(ContactHooks):
    """Mixin of a world with its steps."""

    _transient: ClassVar[dict[str, Any]] = {
        "_broadphases": dict,
        "_loaded": set,
        "_variants": tuple,
        "_watchers": list,
        "_seconds": dict,
        "_portion": lambda: 1,
        "_prepared_for": type(None),
        "_ready": str,
        "_faults_seen": int,
        "_looked_at": lambda: -STEPS_BETWEEN_LOOKS,
        "_orders_stale": lambda: True,
        "_threads": type(None),
        "_looks": lambda: LOOKS,
        "_spaceless": bool,
        "_unseen": bool,
        "_profile": type(None),
    }

    _store: Store
    name: str
    space: WorldSpace
    _orders_stale: bool
    _bodies: dict[int, Body]
    _contact_rows: ContactRows
    _home: Home

    def _start_stepping(self, solver: str) -> None:
        self._broadphases: dict[str, int] = {}
        self.solver = solver
        self._variants = solvers.variants_of(self._store, solver)  # solver of the current step
        self._loaded: set[solvers.Variants] = set()
        self._moved_callbacks: dict[Body, Callable[[Body], Any]] = {}
        self._feedbacks: list[Callable[[], Any]] = []
        self._strengths: dict[Joint, Strength] = {}
        self._watchers: list[Watcher] = []
        self._seconds: dict[str, float] = {}
        self._faults_seen = 0
        self._looked_at = -STEPS_BETWEEN_LOOKS  # the step after which joint conflicts were last checked
        self._portion = 1  # steps of `advance` between checks for interrupts
        self._prepared_for: Any = None  # the Batch that the kernels have been selected for
        self._ready: Any = ""  # what they have been selected for: the solver of `step`, or more than that for `advance`
        self._thread_count = processors()
        self._threads: Threads | None = None
        self._looks = 0  # checks of pairs without contacts
        self._spaceless = False  # whether a body got a geom that was in no space
        self._unseen = True  # by `look_first`
        self._impacts: Impacts = "simultaneous"
        self._substeps = 1
        self._profile: Profile | None = None
        self._start_hooks()

    def _list_members(self) -> None:
        raise NotImplementedError

    def _wake_by_changes(self) -> None:
        raise NotImplementedError

    def _note_call(self, h: float) -> None:
        raise NotImplementedError

    _beginning: Any

    def _save_beginning(self) -> None:
        raise NotImplementedError

    def _reinstated(self) -> None:
        self._orders_stale = True

    @property
    def solver(self) -> str:
        """Solver of `advance`: "exact", as in `step`, "pgs", as in `quick_step`, "soft", or, the default, "auto".

        "auto" solves articulations and small piles exactly, others by "soft"; `auto_exact_rows` is the size limit, and
        `statistics.solvers` counts the islands of each. "soft" takes sub-steps with soft contacts, for games and large piles, and
        does not support the integrator "verlet". See docs/solvers.md.
        """
        return self._solver

    @solver.setter
    def solver(self, name: str) -> None:
        checks.choice(f"the solver of {self.name}", name, SOLVERS.names)
        self._solver = name

    @property
    def solver_entries(self) -> list[Any]:
        """Compiled functions of the solver, to be loaded before timing starts."""
        variants = solvers.variants_of(self._store, self._solver)
        return [*solvers.entries_of(variants), *solvers.further_entries_of(variants)]

    @property
    def impacts(self) -> Impacts:
        """Impact model of contacts whose surface has a `bounce`; see docs/integrators.md.

        "simultaneous", the default: all contacts of a step at once, as in ODE; a ball that hits a row moves several.
        "sequential": one pair after another, as in Newton's cradle, where as many balls leave as arrive. Joints are included, for
        any solver. Impulses of sequential impacts are not part of the contact forces.
        """
        return self._impacts

    @impacts.setter
    def impacts(self, value: Impacts) -> None:
        checks.choice(f"the impacts of {self.name}", value, get_args(Impacts))
        self._impacts = value

    @property
    def substeps(self) -> int:
        """Number of sub-steps into which `advance` divides each step; 1 by default. See docs/integrators.md.

        Each is a complete step with its own collision, damping and sleep; user forces act in all of them. The stiffness of joints
        under load grows with the square of their number. Joints break, and contacts begin and end, in any of them; `feedback`
        and contact forces are means over the step; moved callbacks follow the last one.
        """
        return self._substeps

    @substeps.setter
    def substeps(self, count: int) -> None:
        self._substeps = checks.count(f"the number of sub-steps of {self.name}", count, 1)

    @property
    def threads(self) -> int:
        """Number of threads that may share a step; by default the number of processors.

        They are used in large steps only: to solve several large islands, to collide 2,500 pairs or more, and to solve an island
        of 4,000 contacts or more by the soft step, as long as steps take less time than with one thread. The result is
        bit-identical for any number.
        """
        return self._thread_count

    @threads.setter
    def threads(self, count: int) -> None:
        self._thread_count = checks.count(f"the number of threads of {self.name}", count, 1, max_threads())
        self._ready = ""
        self._threads = None

    @alone(lambda world, h: _step_with(world, "exact", h))
    def step(self, h: float, *, solver: str = "exact") -> None:
        """Take one step of `h` seconds with the user's contact joints: ODE's dWorldStep.

        The forces of all joints and contacts are computed exactly; friction is bounded by the normal forces of the solution
        without friction, unless `world.friction_bounds` is "coupled". `solver` selects another solver of `advance`: "auto" is
        the fastest for large piles.
        """
        if solver != "exact":
            checks.choice(f"the solver of a step of {self.name}", solver, SOLVERS.names)
            self._require_integrator(solver)
        _step_with(self, solver, h)

    @alone(lambda world, h: _step_with(world, "pgs", h))
    def quick_step(self, h: float) -> None:
        """Take one step like `step`, with forces from `quickstep_iterations` iterations: ODE's dWorldQuickStep.

        Time and memory are linear in the number of rows; joints and contacts are slightly soft. With `quickstep_order` "blocks",
        the default, it iterates over contacts and joints and is warm started from the last step; with "ode" the iterations are
        ODE's, number for number.
        """
        _step_with(self, "pgs", h)

    def advance(self, h: float, steps: int = 1) -> None:
        """Take `steps` steps of `h` seconds: collide everything in `world.space`, make contacts, step.

        `world.surfaces` defines friction and restitution for each pair of materials. Runs in compiled code;
        it returns to Python after each step only if something requires that: moved callbacks, contact filters, modifiers or
        events, custom geoms, belts, breakable joints, sequential impacts, a profile; and after each frame of a recorder.
        """
        own = vars(self)
        h = checks.step_size(h)
        steps = checks.count("the number of steps", steps)
        if h >= LONG:
            check_step(h, len(self.space))
        self._require_integrator(own["_solver"])
        if not _is_noted(own, h / own["_substeps"]):
            self._note_call(h / own["_substeps"])
        left = steps
        while left and own["_watchers"]:
            portion = min(left, *(watcher.steps_until_frame for watcher in own["_watchers"]))
            self._advance(h, portion)
            self._call_watchers(h, portion)
            left -= portion
        if left or not steps:
            self._advance(h, left)

    def _require_integrator(self, solver: str) -> None:
        """Raise if the solver does not support the integrator."""
        if solver == "soft" and self._store[WORLDS]["integrator"][0] == VERLET:
            raise ValueError(
                f'the solver "soft" of {self.name} takes sub-steps of its own and cannot follow the integrator "verlet": set '
                'world.integrator to "euler" or "energy-momentum", or world.solver to "auto"'
            )

    def _advance(self, h: float, steps: int) -> None:
        """`advance` between two calls of a watcher."""
        own = vars(self)
        own["_store"].begin_step(own["name"])
        try:
            self._load_to_advance()
            begin(self, own)
            h_sub, space = h / own["_substeps"], vars(own["space"])
            if stops_between_stages(own) or space["custom"] or space["belts"]:
                for _ in range(steps):
                    means = self._new_means()
                    for last in self._divide_step(h_sub):
                        self._list_changes()  # that callbacks and breaking joints made
                        self._collide(h_sub)
                        self._step_in_parts(h_sub, last, means)
            elif own["_substeps"] > 1 and steps:
                self._advance_divided(h_sub, steps)
            else:
                self._advance_in_portions(h_sub, 0, steps)
        finally:
            end(self, own)

    def _new_means(self) -> Means | None:
        """What collects the forces of a step's sub-steps, if it has several."""
        own = vars(self)
        return Means(own["_store"], own["_substeps"]) if own["_substeps"] > 1 else None

    def _divide_step(self, h: float) -> Iterator[bool]:
        """Iterate over the sub-steps of a step, of `h` s, with whether each is the last; all get the user's forces."""
        loads = self._store[LOADS][: self._store.used(LOADS)].copy()
        for k in range(self._substeps):
            if k:
                for watcher in tuple(self._watchers):
                    if getattr(watcher, "sees_sub_steps", False):
                        watcher.stepped(h, 1)
                self._store[LOADS][: len(loads)] = loads
            yield k == self._substeps - 1

    def _advance_divided(self, h: float, steps: int) -> None:
        """Take steps of several sub-steps of `h` s.

        Those of the first step are taken one by one, as they alone have the user's forces, and those of the last, of which users
        read the forces.
        """
        count = self._substeps
        self._advance_one_by_one(h, 0, None if steps > 1 else self._new_means())
        if steps > 1:
            self._advance_in_portions(h, count, (steps - 1) * count)
            self._advance_one_by_one(h, (steps - 1) * count, self._new_means())

    def _advance_one_by_one(self, h: float, done: int, means: Means | None) -> None:
        """Take a step, after `done` sub-steps, with Python between its sub-steps."""
        own = vars(self)
        if own["_threads"] is not None:
            own["_threads"].team.begin(own["_variants"])
        for last in self._divide_step(h):
            done += 1
            run(self, stages.advance, h, done)
            if means is not None:
                means.note(self, last)
        if own["_threads"] is not None:
            own["_threads"].team.end()

    def _advance_in_portions(self, h: float, done: int, steps: int) -> None:
        """Return to Python every PORTION_SECONDS, between two steps, so that Ctrl-C takes effect."""
        own = vars(self)
        timed, substeps = steps - done > 1 or own["_portion"] > 1, own["_substeps"]
        report = own["_store"].longs[REPORTS]
        if timed:
            report[_LAST_STEP] = EVERY_STEP if calls_python(own["_store"]) else steps
        try:
            while done < steps:
                portion = min(-(-own["_portion"] // substeps) * substeps, steps - done)
                start = perf_counter() if timed else 0.0
                if own["_threads"] is not None:
                    own["_threads"].team.begin(own["_variants"])
                run(self, stages.advance, h, done + portion)
                if own["_threads"] is not None:
                    own["_threads"].team.end()
                done += portion
                if timed:
                    own["_portion"] = next_portion(portion, perf_counter() - start, len(own["_bodies"]))
        except KeyboardInterrupt:
            report[_LAST_STEP] = 0
            if report[_SKIPS_ROWS] and is_between_steps(own["_store"]):  # another, with the forces of joints
                run(self, stages.advance, h, report[_STEPS_DONE] + substeps)
            raise

    def time_stages(self, h: float, steps: int = 1) -> dict[str, float]:
        """Like `advance`, stage by stage from Python; returns the seconds spent in each stage."""
        h = checks.step_size(h)
        steps = checks.count("the number of steps", steps)
        self._require_integrator(self._solver)
        self._note_call(h / self._substeps)
        seconds = dict.fromkeys(("collide", "constrain", "solve", "move"), 0.0)
        h_sub = h / self._substeps
        for _ in range(steps):
            before = dict(seconds)
            self._store.begin_step(self.name)
            try:
                self._load_to_advance(*STAGES)
                begin(self, vars(self))
                means = self._new_means()
                for last in self._divide_step(h_sub):
                    for name, stage, arguments in (
                        ("collide", self._collide, (h_sub,)),
                        ("constrain", self._constrain, (h_sub,)),
                        ("solve", run, (self, stages.solve_rows)),
                        ("move", self._finish, (h_sub, last, means)),
                    ):
                        start = running_time()
                        stage(*arguments)
                        seconds[name] += running_time() - start
            finally:
                end(self, vars(self))
            self._seconds = {name: seconds[name] - before[name] for name in seconds}
            self._call_watchers(h, 1)
        self._seconds = seconds
        return seconds

    def _call_watchers(self, h: float, steps: int) -> None:
        for watcher in tuple(self._watchers):
            watcher.stepped(h, steps)

    def _load_to_advance(self, *entries: Any) -> None:
        """Load the kernels that `advance` needs."""
        own = vars(self)
        if own["_spaceless"]:
            warn_of_geoms_without_space(self)  # type: ignore[arg-type]
        if own["_unseen"]:
            self._unseen = False
            look_first(self)  # type: ignore[arg-type]
        store, space = own["_store"], own["space"]
        if vars(space)["_order_stale"]:
            space.list_geoms()
        meshes = vars(space)["meshes"]
        choose_colliders(store, bool(meshes) and any(mesh._asks for mesh in meshes))
        extras, integrator = bytes(store.bytes[WORLDS][_CONTINUOUS_AND_MARGIN]), store.words[WORLDS][_INTEGRATOR]
        chosen_for = own["_solver"], extras, integrator, store.used(GEOM_ORDER)
        if own["_ready"] == chosen_for and not entries:
            return
        self._load_kernels(own["_solver"], *(entries or (stages.advance,)))
        choices, world = store[CHOICES][0], store[WORLDS][0]
        if world["continuous"] or world["margin"]:
            choices["sweep"] = sweep_address()
        if world["margin"]:
            choices["near_pairs"], choices["near_contacts"] = near_addresses()
        self._ready = "" if entries else chosen_for

    def _load_kernels(self, solver: str, *entries: Any) -> None:
        """Load solver and broadphase; if they must be compiled, together with the stages' entries."""
        self._prepared_for = None
        self._ready = ""
        broadphase = self.space.choose_broadphase()
        variants = self._variants = solvers.variants_of(self._store, solver)
        if variants not in self._loaded or broadphase not in self._broadphases:
            find_pairs = BROADPHASES[broadphase].find_pairs
            load_together(
                [*entries, *solvers.entries_of(variants), find_pairs], later=solvers.further_entries_of(variants)
            )
            self._loaded.add(variants)
            self._broadphases[broadphase] = address_of(find_pairs, FIND_PAIRS)
        solvers.choose(self._store, variants)
        choices = self._store[CHOICES][0]
        choices["find_pairs"] = self._broadphases[broadphase]
        choices["threads"] = choices["team"] = self.threads
        choices["python_collider"] = ASK_ADDRESS
        choices["sweep"] = choices["near_pairs"] = choices["near_contacts"] = 0

    def _begin(self) -> None:
        """Prepare all tables for the kernels."""
        begin(self, vars(self))

    def _list_changes(self) -> None:
        """List bodies, joints and geoms for the kernels, and wake those affected by changes."""
        list_changes(self, vars(self))

    def _collide(self, h: float) -> None:
        """Run the collision stage, with the current bounds of custom geoms."""
        for geom in self.space.custom:
            geom._refresh()
            geom._bound()
        run(self, stages.collide, h)
        if self._has_hooks:
            self._call_hooks(self._contact_rows.count)
        if self.space.belts:
            drive_contacts(self._store, self._contact_rows.count, self.space.belts)

    def _constrain(self, h: float) -> None:
        """Assemble the rows of a step, after sequential impacts if enabled."""
        if self._impacts == "sequential":
            self._collide_in_turn(h)
        run(self, stages.constrain, h)

    def _collide_in_turn(self, h: float) -> None:
        """Sequential impacts, at the beginning of the step: Verlet's rows, half a step later, do not fit its velocities."""
        from opendynamics.core.solve.sequential_impacts import resolve_impacts

        integrators = self._store[WORLDS]["integrator"]
        integrator = integrators[0]
        if integrator == VERLET:
            integrators[0] = EULER
        try:
            run(self, stages.constrain, h)
        finally:
            self._store[WORLDS]["integrator"][0] = integrator
        run(self, resolve_impacts, h)

    def _step_in_parts(self, h: float, last: bool = True, means: Means | None = None) -> None:
        """Take a step stage by stage, with Python callbacks after the bodies moved, in the last sub-step."""
        self._constrain(h)
        run(self, stages.solve_rows)
        self._finish(h, last, means)

    def _finish(self, h: float, last: bool = True, means: Means | None = None) -> None:
        """Move the bodies, break joints, fill in feedback, call the moved callbacks, damp."""
        profile = self._profile
        move, damp = (stages.move, stages.damp) if profile is None else map(profile.clocked, (stages.move, stages.damp))
        move(self._store.tables, h)
        self._sweep(h)
        try:
            if self._strengths:  # by the forces of each sub-step: a blow is too short to show in their mean
                break_joints(self._strengths)
            if means is not None:
                means.note(self, last)
            for feedback in tuple(self._feedbacks) if last else ():
                feedback()
            for body in self._moved_bodies() if self._moved_callbacks and last else ():
                function = self._moved_callbacks.get(body)  # an earlier callback may have removed it
                if function is not None:
                    function(body)
        finally:
            damp(self._store.tables)
            if profile is not None:
                profile.note_step(self.statistics)

    def _sweep(self, h: float) -> None:
        """Continuous collision detection: stop fast bodies at their first impact, if there are any."""
        if self._store[CHOICES]["sweep"][0]:
            from opendynamics.core.update.sweeps.stop import sweep_bodies

            run(self, sweep_bodies, h)

    def _moved_bodies(self) -> list[Body]:
        """Bodies with a moved callback that moved in the last step, in the order of the islands."""
        bodies = [self._bodies.get(row) for row in moved_rows(self._store).tolist()]
        return [body for body in bodies if body in self._moved_callbacks and body.enabled]

    def _help(self, store: Store) -> None:
        """Provide the kernel or memory that a stage reported missing."""
        provide_missing(self, store)

    def _warn_of_faults(self, faults: int) -> None:
        self._faults_seen = faults
        names = ", ".join(body.name for body in self.faults[:5])
        warn(
            f"the motion of {names} is not finite: the island is frozen; the rest of the world continues. Correct their state "
            "and set body.enabled = True (world.faults lists them)",
            FaultWarning,
        )

    @property
    def faults(self) -> tuple[Body, ...]:
        """Bodies that are frozen because their motion became NaN or infinite."""
        flags = self._store[MOTIONS]["flags"]
        return tuple(body for row, body in self._bodies.items() if flags[row] & FAULTY)

    @property
    def statistics(self) -> Statistics:
        """Statistics of the last step."""
        report = dict(zip(_REPORTED, self._store[REPORTS][0].item(), strict=True))
        numbers = {name: report[name] for name in _SHOWN}
        return Statistics(**numbers, solvers=solvers.islands_by_solver(self._store), seconds=dict(self._seconds))

    def impulse_to_force(self, h: float, impulse: Vector) -> npt.NDArray[np.float64]:
        """Force, N, shape (3,), that results in `impulse`, N s, over one step of `h` s."""
        h = checks.step_size(h)
        return np.array(checks.vector("the impulse", impulse)) / h

    def _note_moved_callback(self, body: Body) -> None:
        note_change()
        if body.moved_callback is None:
            self._moved_callbacks.pop(body, None)
        else:
            self._moved_callbacks[body] = body.moved_callback


def _step_with(world: Any, solver: str, h: float) -> None:
    """`step` and `quick_step`: a function, and not a method, for the reason that `running` names."""
    own = world.__dict__
    store = own["_store"]
    if not (type(h) is float and _is_noted(own, h)):
        h = checks.step_size(h)
        world._note_call(h)
    if own["_looks"] < LOOKS and own["space"]._members and not store.stepping:
        own["_looks"] += look_for_missing_contacts(world)
    store.begin_step(own["name"])
    try:
        if own["_ready"] != solver:
            world._load_kernels(solver, stages.step)
            world._ready = solver
        begin(world, own)
        if stops_between_stages(own):
            world._step_in_parts(h)
        else:
            if own["_threads"] is not None:
                own["_threads"].team.begin(own["_variants"])
            run_step(world, own, h)
    finally:
        end(world, own)
    if own["_watchers"]:
        world._call_watchers(h, 1)
