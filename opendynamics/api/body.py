"""Body: a rigid body's state, mass, and the forces on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import nan
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from opendynamics.api import checks, describing, new_rows, rotation
from opendynamics.api.aliases import Alias
from opendynamics.api.body_settings import BodySettings
from opendynamics.api.color import Colored, Rgb
from opendynamics.api.compiled_calls import forces, loop
from opendynamics.api.compiled_calls.vectorcall import compiled_call
from opendynamics.api.contact_run import NOW
from opendynamics.api.frame import Framed
from opendynamics.api.joint_order import add_in_order, in_order
from opendynamics.api.mass import Mass, mass_as_given, tensor, warn_of_moments
from opendynamics.api.member import set_first
from opendynamics.api.orientation import written_quaternion
from opendynamics.api.read_only import read_only, read_only_numbers
from opendynamics.api.spaces.member_list import bring_bodies_to_front
from opendynamics.api.suggestions import alone, explain, explain_calls, plain_call
from opendynamics.api.things import Things
from opendynamics.api.types import Matrix, Vector
from opendynamics.api.waking import SLEEP_RULE, SOME_ISLANDS_SLEEP, some_asleep
from opendynamics.api.world_settings import WorldSettings
from opendynamics.core.arrays import bodies as layout
from opendynamics.core.arrays.bodies import INERTIAS, LOADS, MOTIONS, POSES
from opendynamics.core.arrays.store import column, put_numbers
from opendynamics.core.arrays.table import Table
from opendynamics.core.arrays.worlds import WORLDS

if TYPE_CHECKING:
    from opendynamics.api.contact import Contact
    from opendynamics.api.geoms.geom import Geom
    from opendynamics.api.joints.joint import Joint
    from opendynamics.api.world import World

Array = npt.NDArray[np.float64]

# Table rows as doubles, and the offsets of their fields.
_POSE, _MOTION, _INERTIA, _LOAD = (table.dtype.itemsize // 8 for table in (POSES, MOTIONS, INERTIAS, LOADS))
_QUATERNION, _ROTATION = column(POSES, "quaternion"), column(POSES, "rotation")
_ANGULAR, _INVERSE_MASS = column(MOTIONS, "angular_velocity"), column(MOTIONS, "inverse_mass")
_MASS, _TORQUE = column(INERTIAS, "mass"), column(LOADS, "torque")

# Types of numbers that can be added to a float as they are.
_PLAIN = frozenset((float, int))

# Rounding of a normalised orientation: setting a body to its own orientation does not wake it.
ROUNDING = 1e-14


def _adder(what: str, at: int) -> Callable[[Body, Any], None]:
    """A function that adds a vector of the world frame to the force (at 0) or torque (at _TORQUE) of the next step.

    In one piece, as programs call it for many bodies in each step; `compiled_calls/forces.py` does the same.
    """

    def add(body: Body, vector: Any) -> None:
        total = nan
        if (type(vector) is tuple or type(vector) is list) and len(vector) == 3:
            x, y, z = vector
            if type(x) in _PLAIN and type(y) in _PLAIN and type(z) in _PLAIN:
                try:
                    total = x * 0.0 + y * 0.0 + z * 0.0  # NaN unless they are finite
                except OverflowError:
                    total = nan
        if total != 0.0:  # not plain, finite numbers
            x, y, z = checks.three(body._say_on, what, vector)
        rows, index = body._rows, body._index
        if index >= len(rows.generations) or rows.generations[index] != body._generation:
            body._row  # noqa: B018  (raises)
        store, first = rows.store, index * _LOAD + at
        if store.words[WORLDS][SLEEP_RULE] == SOME_ISLANDS_SLEEP and (x or y or z):
            body._wake()
        loads = store.doubles[LOADS]
        if x:
            loads[first] += x
        if y:
            loads[first + 1] += y
        if z:
            loads[first + 2] += z

    return add


_add_force, _add_torque = _adder("the force", 0), _adder("the torque", _TORQUE)


@explain_calls
class Body(Framed, Colored, BodySettings):
    """A rigid body. Create it with `world.add_body(...)`, or `Body(world)` for ODE's unit mass at the origin.

    Vectors and rotations are in the world frame unless stated otherwise; the body's origin is its centre of mass.
    Properties return copies: assign to a property to change the body.
    """

    __slots__ = ("_color", "_geoms", "_joints", "_moved_callback", "_world")

    _world: World
    _joints: dict[Joint, None]
    _geoms: dict[Geom, None]
    _moved_callback: Callable[[Body], Any] | None
    _color: Rgb | None

    _noun = "body"

    def __init__(self, world: World, name: str | None = None) -> None:
        if not isinstance(world, WorldSettings):
            raise TypeError(f"a body lives in a World, not in {world!r}")
        checks.require_name("the name of a body", name)
        self._begin_in(world, name)

    def _begin_in(self, world: World, name: str | None) -> Body:
        """Become a new body of a world, ODE's default one. Returns itself."""
        rows = world._bodies_rows
        self._be_new(world, *rows.take(), name, None)
        new_rows.begin_body(rows.store, self._index)
        world._welcome_body(self)
        return self

    def _be_new(self, world: World, row: int, generation: int, name: str | None, color: Rgb | None) -> None:
        """Initialise the handle of a new body."""
        self._begin(world._bodies_rows, row, generation, name)
        set_first(self, "_world", world)
        set_first(self, "_joints", {})
        set_first(self, "_geoms", {})
        set_first(self, "_moved_callback", None)
        set_first(self, "_color", color)

    def _described(self) -> str:
        return describing.body(self)

    # -- belongings ------------------------------------------------------------------------------------------------

    def _saved_with(self) -> World | None:
        return self._world if self.alive else None

    @property
    def world(self) -> World:
        """The body's world."""
        self._row  # noqa: B018  (raises if destroyed)
        return self._world

    @property
    def joints(self) -> tuple[Joint, ...]:
        """Joints and contacts attached to the body, newest first."""
        return Things(reversed(in_order(self._joints, self._world._contact_rows.of_body(self._row))))

    def _list_joint(self, joint: Joint) -> None:
        """A joint was attached."""
        add_in_order(self._joints, self._world._contact_rows.of_body(self._row), joint)

    @property
    def geoms(self) -> tuple[Geom, ...]:
        """Geoms attached to the body, newest first."""
        self._row  # noqa: B018
        return Things(reversed(self._geoms))

    @compiled_call(loop.is_connected_to, loop.LOOP)
    @plain_call
    def is_connected_to(self, other: Body, *, excluding: Any = ()) -> bool:
        """Whether a joint connects the two bodies, except joints of the types in `excluding`."""
        listed = NOW.listed  # the same in `compiled_calls/loop.py`
        _, _, one, two, number = listed.current
        if one is self and two is other and not excluding:
            run, rows = listed.run, listed.rows
            if run.only is listed and run.next <= listed.starts[listed.at]:  # all contact joints are of earlier pairs
                joints = rows.pairs.joints
                if joints is not None:
                    return number in joints
            if listed.bodies_edition == rows.bodies_edition:
                return rows.pairs.include_listed(number)  # type: ignore[no-any-return]
        if not isinstance(other, Body):
            raise TypeError(f"{self.name} can be connected to bodies, not to {other!r}")
        world, row, other_row = self._world, self._index, other._index
        bodies = world._bodies
        if excluding or bodies.get(row) is not self or bodies.get(other_row) is not other:
            return self._is_connected_by_others(other, excluding)
        return row != other_row and world._contact_rows.pairs.include(row, other_row)

    def _is_connected_by_others(self, other: Body, excluding: Any) -> bool:
        """Whether a joint of a type that is not in `excluding` connects the two bodies, wherever they live."""
        row, other_row = self._row, other._row
        if other is self or other._world is not self._world:
            return False
        skip = excluding if isinstance(excluding, tuple) else (excluding,)
        for joint in self._joints:
            if joint.kind != "contact" and other in joint._bodies and not isinstance(joint, skip):
                return True
        contacts = self._world._contact_rows
        return not contacts.are_excluded(skip) and contacts.pairs.include_contact(row, other_row)

    def connecting_joints(self, other: Body) -> list[Joint]:
        """All joints between the two bodies, newest first; empty for the body itself."""
        if not isinstance(other, Body):
            raise TypeError(f"{self.name} can be connected to bodies, not to {other!r}")
        other._row  # noqa: B018  (raises if destroyed)
        return [] if other is self else [joint for joint in self.joints if other in joint.bodies]

    @property
    def contacts(self) -> list[Contact]:
        """The contacts of the body's geoms in the last `advance`; `contact.force_on(body)` is the force on the body."""
        return self.world.contacts.of(self)

    def destroy(self, *, keep_geoms: bool = False) -> None:
        """Remove the body and its geoms; its joints are detached.

        Args:
            keep_geoms: leave the geoms where they are, as static geoms without a body, as ODE does.
        """
        self._store.require_idle()
        if not checks.flag(self._say("keep_geoms"), keep_geoms):
            for geom in self.geoms:
                if geom.alive:  # one may have destroyed another that it carries
                    geom.destroy()
        self._world._farewell_body(self)

    def _put_color(self, color: Rgb | None) -> None:
        self._color = color
        self._world._home.geoms.changes += 1

    # -- waking ----------------------------------------------------------------------------------------------------

    def _moves(self) -> None:
        """Called before the pose changes: wake the body, and the bodies that it touches or that joints connect to it."""
        if some_asleep(self._store):
            for joint in self._joints:
                joint._wake_bodies()
            for geom in self._geoms:
                geom._changes()
            self._wake()

    def _put(self, table: Table, at: int, value: Any, note: Callable[[], None], rounding: float = 0.0) -> None:
        """Set doubles of the body's record in `table`, from offset `at`, to the numbers of `value`.

        `note` is called first if they change by more than `rounding`.
        """
        store, first = self._rows.store, self._row * (table.dtype.itemsize // 8) + at
        if table is POSES:
            self._world._home.edition.number += 1
            bring_bodies_to_front((self,))
        numbers = store.doubles[table]
        if some_asleep(store):
            before = numbers[first : first + len(value)].tolist()
            if any(abs(old - new) > rounding for old, new in zip(before, value, strict=True)):
                note()
        put_numbers(numbers, first, value)

    # -- pose and velocity -----------------------------------------------------------------------------------------

    @property
    def position(self) -> Array:
        """Centre of mass, m, shape (3,); the origin unless given."""
        at = _POSE * self._row
        return read_only_numbers(self._rows.store.doubles[POSES][at : at + 3])

    @position.setter
    def position(self, value: Vector) -> None:
        self._put(POSES, 0, checks.three(self._say, "the position", value), self._moves)

    @property
    def quaternion(self) -> Array:
        """Orientation (w, x, y, z), body to world; (1, 0, 0, 0) unless given."""
        return read_only_numbers(self._quaternion_numbers(), (4,))

    @quaternion.setter
    def quaternion(self, value: Vector) -> None:
        q = written_quaternion(self._say("the quaternion"), value)
        self._put(POSES, _QUATERNION, q, self._moves, ROUNDING)
        turn = self._turn
        turn[:] = rotation.matrix_from_quaternion(q).reshape(9).data
        self._forget_inertia()

    orientation = Alias[Array, Vector]("quaternion")

    @property
    def rotation(self) -> Array:
        """Orientation as a matrix (3, 3), body to world."""
        return read_only_numbers(self._turn, (3, 3))

    @rotation.setter
    def rotation(self, value: Matrix) -> None:
        matrix = checks.rotation(self._say("the rotation"), value)
        q = rotation.quaternion_from_matrix(matrix)
        self._put(POSES, _ROTATION, matrix.reshape(9).tolist(), self._moves, ROUNDING)
        self._store[POSES]["quaternion"][self._row] = q / np.linalg.norm(q)
        self._forget_inertia()

    def _forget_inertia(self) -> None:
        """Discard the stored inertia of the last step, so that the angular velocity belongs to the current pose and mass."""
        self._store[INERTIAS]["world_inverse"][self._row, 0] = 0.0

    @property
    def _turn(self) -> memoryview:
        """The nine numbers of the rotation."""
        at = _POSE * self._row + _ROTATION
        return self._rows.store.doubles[POSES][at : at + 9]

    def _quaternion_numbers(self) -> memoryview:
        at = _POSE * self._row + _QUATERNION
        return self._rows.store.doubles[POSES][at : at + 4]

    def _frame(self) -> tuple[Sequence[float], Sequence[float]]:
        at = _POSE * self._row
        numbers = self._rows.store.doubles[POSES][at : at + _POSE].tolist()
        return numbers[:3], numbers[_ROTATION:]

    @property
    def linear_velocity(self) -> Array:
        """Velocity of the centre of mass, m/s, shape (3,); zero unless given."""
        at = _MOTION * self._row
        return read_only_numbers(self._rows.store.doubles[MOTIONS][at : at + 3])

    @linear_velocity.setter
    def linear_velocity(self, value: Vector) -> None:
        self._put(MOTIONS, 0, checks.three(self._say, "the linear velocity", value), self._wake)

    @property
    def angular_velocity(self) -> Array:
        """Angular velocity, rad/s, in the world frame, shape (3,); zero unless given."""
        at = _MOTION * self._row + _ANGULAR
        return read_only_numbers(self._rows.store.doubles[MOTIONS][at : at + 3])

    @angular_velocity.setter
    def angular_velocity(self, value: Vector) -> None:
        self._put(MOTIONS, _ANGULAR, checks.three(self._say, "the angular velocity", value), self._wake)

    # -- mass ------------------------------------------------------------------------------------------------------

    @property
    def mass(self) -> float:
        """Mass, kg; 1 unless given by shapes or `mass=`. Setting it scales the inertia."""
        return self._rows.store.doubles[INERTIAS][_INERTIA * self._row + _MASS]  # type: ignore[no-any-return]

    @mass.setter
    def mass(self, value: float) -> None:
        self.mass_properties = self.mass_properties.adjust(checks.mass(self._say("the mass"), value))

    @property
    def inertia(self) -> Array:
        """Inertia tensor about the centre of mass, in the body's frame, kg m², shape (3, 3); of its shapes unless given."""
        return read_only(self._store[INERTIAS]["inertia"][self._row].reshape(3, 3))

    @inertia.setter
    def inertia(self, value: Matrix) -> None:
        inertia = tensor(self._say("the inertia"), value)
        self.mass_properties = mass_as_given(self.mass, inertia)
        warn_of_moments(self._say("the inertia"), inertia)

    @property
    def mass_properties(self) -> Mass:
        """Mass and inertia together; the centre of mass must be the origin."""
        return mass_as_given(self.mass, self.inertia)

    @mass_properties.setter
    def mass_properties(self, mass: Mass) -> None:
        if not isinstance(mass, Mass):
            raise TypeError(f"{self._say('the mass')} must be a Mass, not {mass!r}")
        mass.require_valid(self._say("the mass"))
        if abs(mass.center).max() > np.finfo(float).eps:
            raise ValueError(
                f"{self._say('the centre of mass')} must be its origin, not {mass.center.tolist()}: "
                "shift it with mass.translate(-mass.center) and place the geoms by offsets"
            )
        self._take_mass(mass)

    def _take_mass(self, mass: Mass) -> None:
        """Set a valid mass with its centre at the origin."""
        inertia = self._store[INERTIAS][self._row]
        inertia["mass"] = mass.mass
        inertia["inertia"] = mass.inertia.reshape(9)
        self._spread_mass()

    def _spread_mass(self) -> None:
        """Write inverse mass and inertia: those of the mass, or zero for a kinematic body."""
        self._rows.changes += 1
        self._wake()
        self._forget_inertia()
        inertia, motion = self._store[INERTIAS][self._row], self._store[MOTIONS][self._row]
        if self.kinematic:
            motion["inverse_mass"] = 0.0
            inertia["inverse"] = 0.0
        else:
            motion["inverse_mass"] = 1.0 / inertia["mass"]
            inertia["inverse"] = np.linalg.inv(inertia["inertia"].reshape(3, 3)).reshape(9)

    @property
    def kinematic(self) -> bool:
        """Whether the body keeps its velocity regardless of forces and contacts, like a lift. Its mass is stored for later.

        False by default.
        """
        return self._flag(layout.KINEMATIC)

    @kinematic.setter
    def kinematic(self, value: bool) -> None:
        on = checks.flag(self._say("kinematic"), value)
        if on != self.kinematic:
            self._moves()  # or stops: bodies that rest on it or hang from it must be woken
        self._set_flag(layout.KINEMATIC, on)
        self._spread_mass()

    # -- forces ----------------------------------------------------------------------------------------------------

    @property
    def force(self) -> Array:
        """Accumulated force for the next step, N, shape (3,); a step clears it."""
        at = _LOAD * self._row
        return read_only_numbers(self._rows.store.doubles[LOADS][at : at + 3])

    @force.setter
    def force(self, value: Vector) -> None:
        self._put(LOADS, 0, checks.three(self._say, "the force", value), self._wake)

    @property
    def torque(self) -> Array:
        """Accumulated torque for the next step, N m, shape (3,); a step clears it."""
        at = _LOAD * self._row + _TORQUE
        return read_only_numbers(self._rows.store.doubles[LOADS][at : at + 3])

    @torque.setter
    def torque(self, value: Vector) -> None:
        self._put(LOADS, _TORQUE, checks.three(self._say, "the torque", value), self._wake)

    @compiled_call(forces.add_force, forces.FORCES)
    @explain
    @alone(_add_force)
    def add_force(
        self, force: Vector, *, at: Vector | None = None, local: bool = False, at_local: Vector | None = None
    ) -> None:
        """Add a force, N, for the next step. With `world.integrator = "verlet"` it acts in the middle of the step.

        Args:
            force: shape (3,), in the world frame, or in the body's with `local`.
            at: point of application, m, shape (3,), in the world frame; by default the centre of mass.
            local: whether `force` is in the body's frame.
            at_local: point of application, m, in the body's frame, instead of `at`.
        """
        if at is None and at_local is None and local is False:
            _add_force(self, force)
            return
        f, arm = self._push(f"the force on {self.name}", force, at, local, at_local)
        _add_force(self, f.tolist())
        if arm is not None:
            _add_torque(self, np.cross(arm, f).tolist())

    def _say_on(self, what: str) -> str:
        """`what` on this body, for error messages."""
        return f"{what} on {self.name}"

    def _push(self, what: str, vector: Any, at: Any, local: bool, at_local: Any) -> tuple[Array, Array | None]:
        """A force or impulse in the world frame, and its lever arm from the centre of mass, if any."""
        f = np.array(checks.vector(what, vector))
        if at is not None and at_local is not None:
            raise ValueError(f"{what} acts at one point: give at or at_local, not both")
        arm = None
        if at is not None:
            arm = np.array(checks.vector(f"the point of {what}", at)) - self.position
        elif at_local is not None:
            arm = self.vector_to_world(at_local)
        return self.rotation @ f if local else f, arm

    @compiled_call(forces.add_torque, forces.FORCES)
    @explain
    @alone(_add_torque)
    def add_torque(self, torque: Vector, *, local: bool = False) -> None:
        """Add a torque, N m, shape (3,), for the next step; in the world frame, or in the body's with `local`."""
        if local:
            torque = (self.rotation @ np.array(checks.three(self._say_on, "the torque", torque))).tolist()
        _add_torque(self, torque)

    def add_impulse(
        self, impulse: Vector, *, at: Vector | None = None, local: bool = False, at_local: Vector | None = None
    ) -> None:
        """Apply an impulse: v += impulse / mass, and the angular velocity by its moment. Takes effect at once and wakes the body.

        Args:
            impulse: N s, shape (3,), in the world frame, or in the body's with `local`. It has no effect on a kinematic body.
            at, local, at_local: see `add_force`.
        """
        p, arm = self._push(f"the impulse on {self.name}", impulse, at, local, at_local)
        self._be_struck(p, np.zeros(3) if arm is None else np.cross(arm, p))

    def add_angular_impulse(self, impulse: Vector, *, local: bool = False) -> None:
        """Apply an angular impulse, N m s, shape (3,), at once; in the world frame, or in the body's with `local`."""
        spin, _ = self._push(f"the angular impulse on {self.name}", impulse, None, local, None)
        self._be_struck(np.zeros(3), spin)

    def _be_struck(self, impulse: Array, angular: Array) -> None:
        inverse, turn = self._store[INERTIAS]["inverse"][self._row].reshape(3, 3), self.rotation
        if not self.enabled and not self.faulty:
            self.enabled = True
        self.linear_velocity = self.linear_velocity + impulse * float(self._store[MOTIONS]["inverse_mass"][self._row])
        self.angular_velocity = self.angular_velocity + turn @ (inverse @ (turn.T @ angular))

    # -- points and vectors ----------------------------------------------------------------------------------------

    def velocity_at(self, point: Vector, *, local: bool = False) -> Array:
        """World velocity, m/s, shape (3,), of the body at a point of the world frame, or of the body's frame with `local`."""
        p = np.array(checks.vector("the point", point))
        arm = self.rotation @ p if local else p - self.position
        return self.linear_velocity + np.cross(self.angular_velocity, arm)

    @property
    def kinetic_energy(self) -> float:
        """Kinetic energy, ½ m v² + ½ ω·I ω, J."""
        row, doubles = self._row, self._rows.store.doubles
        at = _MOTION * row
        vx, vy, vz, x, y, z = doubles[MOTIONS][at : at + 6].tolist()
        mass, *tensor = doubles[INERTIAS][_INERTIA * row : _INERTIA * row + 10].tolist()
        r = self._turn.tolist()
        w = [r[k] * x + r[3 + k] * y + r[6 + k] * z for k in range(3)]  # in the body's frame
        spin = sum(
            w[i] * (tensor[3 * i] * w[0] + tensor[3 * i + 1] * w[1] + tensor[3 * i + 2] * w[2]) for i in range(3)
        )
        return 0.5 * mass * (vx * vx + vy * vy + vz * vz) + 0.5 * spin

    def _repr_html_(self) -> str:
        """Picture of the body and its surroundings, for notebooks."""
        from opendynamics.viewer.pictures.notebook import picture_page

        return picture_page(self, self._world, self.geoms) if self.alive else picture_page(self, None)

    @property
    def moved_callback(self) -> Callable[[Body], Any] | None:
        """Function called with the body after each step that moved it, with the new pose and before damping. None by default."""
        self._row  # noqa: B018
        return self._moved_callback

    @moved_callback.setter
    def moved_callback(self, function: Callable[[Body], Any] | None) -> None:
        if function is not None and not callable(function):
            raise TypeError(f"{self._say('the moved callback')} must be a function of one body, not {function!r}")
        self._row  # noqa: B018
        self._moved_callback = function
        self._world._note_moved_callback(self)
