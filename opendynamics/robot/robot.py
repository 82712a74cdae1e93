"""Robot: a model in a World, as bodies, geoms and joints; converts between the World and States."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from opendynamics.api import checks, reading
from opendynamics.api.belts import Track
from opendynamics.api.body import Body
from opendynamics.api.contact import Contact
from opendynamics.api.describing import count
from opendynamics.api.driving import add_loads, move_bodies
from opendynamics.api.following import accompany, leave
from opendynamics.api.geoms.geom import Geom
from opendynamics.api.joints.hinge import Hinge
from opendynamics.api.joints.joint import Joint as EngineJoint
from opendynamics.api.joints.servo import Servo
from opendynamics.api.mass import Mass, mass_as_given
from opendynamics.api.member import Companion, Sealed, note_saved_change
from opendynamics.api.suggestions import explain_calls
from opendynamics.api.world import World
from opendynamics.core.arrays.bodies import POSES
from opendynamics.robot.building.category_bits import give_back_bit, leave_alone, note_bit, take_bit
from opendynamics.robot.building.geoms import geoms_of
from opendynamics.robot.building.joints import counts_turns, make_extra_joint, make_joints, make_resistances
from opendynamics.robot.building.parts import Parts
from opendynamics.robot.kinematics.forward import Kinematics, cross
from opendynamics.robot.kinematics.link_poses import turn_to_quaternions
from opendynamics.robot.link import Joint, Link
from opendynamics.robot.model import Model
from opendynamics.robot.named import ByName, Named
from opendynamics.robot.sensors import sensors_of
from opendynamics.robot.sensors.sensor import Links, Sensed, Sensor
from opendynamics.robot.state import State
from opendynamics.robot.transfer import read_feedback, read_joints, read_links, spread_efforts

Array = npt.NDArray[np.float64]

# Friction across running tracks, relative to that along them, as in Choreonoid's plugin: crawlers can turn on the spot.
ACROSS_TRACKS = 0.5


class ContactsByLink(dict[str, list[Contact]]):
    """The contacts of a robot's links, by the names of the links."""

    def __missing__(self, link: str) -> list[Contact]:
        raise KeyError(
            f"there is no link {link!r} with contacts in the last step; robot.contacts.get({link!r}, []) is then empty"
        )

    if not TYPE_CHECKING:  # type checkers would accept a call

        def __call__(self) -> Any:
            """Raise: a property was called."""
            raise TypeError('contacts is a property: leave out the parentheses, as in robot.contacts["FOOT"]')


@explain_calls
class Robot(Sealed, Companion):
    """A model as bodies, geoms and joints of a world, with which it is saved and restored.

    Links that are fixed to each other are one body. A model without movable joints consists of geoms only; a fixed root with
    movable links is a kinematic body.

    Args:
        world: the world.
        model: from `load_robot`.
        state: initial state; by default that of the file. Extra joints keep their configuration in it.
        name: name in messages; by default the model's.
        self_collision: whether its own links collide, except those connected by a joint.
        joint_limits: whether joints stop at their limits; hinges also at limits beyond half a turn.
        rotors: whether the reflected inertia of rotors is added to the links that they turn.

    Raises:
        ValueError: a moving link has no mass, or a shape cannot be a geom; the world is then unchanged.

    Attributes:
        bodies: body of each link, by its name; links fixed to each other share one. Empty if it is static.
        joints: the engine's joints by their names in the model.
        extra_joints: the engine's joints that close loops.
        resistances: servos for damping and friction, by the names of the joints that have any.
        geoms: geoms of each link by its name.
        sensors: those of the model's devices with readings, by name or in the order of the file.
        rotors: whether the reflected inertia of rotors is part of the links.
        start: initial state; still the current one if it is static.
        driven: efforts that `drive` added for the last step, N m and N, within their limits, shape (n,); once it has been called
            again, those for the next step. Zero if the last step had none.
        sensed: data from which the sensors take their readings; None until the first `sense`.
    """

    world: World
    model: Model
    start: State
    rotors: bool
    geoms: ByName[list[Geom]]
    bodies: ByName[Body]
    joints: ByName[EngineJoint]
    extra_joints: list[EngineJoint]
    resistances: dict[str, list[Servo]]
    sensed: Sensed | None
    sensors: Named[Sensor]

    _transient: ClassVar[dict[str, Any]] = {"sensors": type(None), "_rows_seen": lambda: -1}
    _changing = Companion._changing | {ByName}
    _shared = frozenset(
        {
            "model",
            "start",
            "_track_axes",
            "_parts",
            "_centers",
            "_of_link",
            "_efforts",
            "_rows",
            "_force_links",
            "_force_rows",
        }
    )

    def __init__(
        self,
        world: World,
        model: Model,
        state: State | None = None,
        *,
        name: str | None = None,
        self_collision: bool = False,
        joint_limits: bool = True,
        rotors: bool = False,
    ) -> None:
        _require_kinds(world, model)
        self.world, self.model, self.name = world, model, name or model.name
        start = self.start = model.state() if state is None else self._checked(state).copy()
        self.rotors = checks.flag("rotors", rotors)
        self._parts = Parts(model, self.rotors)
        self._parts.require_masses()
        self._track_axes: dict[str, list[Array]] = {}  # in the frames of the geoms
        self.geoms = self._make_geoms()
        self.bodies = ByName("link with a body")
        self.joints = ByName("joint")
        self.extra_joints = []
        self.resistances = {}
        self._part_bodies: list[Body] = []
        self._rows: npt.NDArray[np.int64] = np.zeros(0, np.int64)
        self._rows_seen = -1
        self._q = start.q.copy()
        self._of_link = np.array(self._parts.of_link)
        # Centres of mass of the bodies in their parts' frames; the origin if a part has no mass.
        inertias = [part.inertia for part in self._parts.parts]
        self._centers = np.array([inertia.center if inertia.mass > 0.0 else np.zeros(3) for inertia in inertias])
        self._efforts = np.array([joint.max_effort for joint in model.joints])
        # Efforts, the latest first, and after how many steps they were added: the next step's may be added before a reading.
        self._driven, self._driven_at = np.zeros((2, len(model.joints))), np.array([0, -1])
        self._asked = np.zeros(len(model.joints))  # of motors for the latest, beyond their limits too
        self._counted: list[tuple[int, str]] = []  # joints whose stops need their turns counted, in each step
        self.sensed = None
        self.sensors = Named(sensors_of(self, model.devices), "sensor")
        self._bit = None if checks.flag("self_collision", self_collision) else take_bit(world)
        try:
            self._build(start, checks.flag("joint_limits", joint_limits))
            if self._bit is not None:
                leave_alone(self._all_geoms, self._bit)
        except BaseException:
            self.destroy()
            raise
        accompany(world, self)

    def _saved_with(self) -> World:
        return self.world

    def _reinstated(self) -> None:
        if self._bit is not None:
            note_bit(self.world, self._bit)
        if getattr(self, "sensors", None) is None:  # of a loaded world
            self.sensors = Named(sensors_of(self, self.model.devices), "sensor")

    # -- building --------------------------------------------------------------------------------------------------

    def _make_geoms(self) -> ByName[list[Geom]]:
        """Geoms of the links, placed on their parts; the world is not changed yet."""
        result: ByName[list[Geom]] = ByName("link")
        for link in self.model.links:
            frame = np.eye(4)
            frame[:3, :3], frame[:3, 3] = self._parts.rotations[link.index], self._parts.positions[link.index]
            geoms = result[link.name] = geoms_of(link.collision, frame, link.name, link.material, link.visual)
            if link.joint.type == "track":
                self._track_axes[link.name] = [geom.rotation.T @ frame[:3, :3] @ link.joint.axis for geom in geoms]
        return result

    def _build(self, start: State, limits: bool) -> None:
        zero = start.copy()
        zero.q = np.zeros(len(zero.q))
        kinematics = Kinematics(zero)
        if self.model.is_static:
            self._place_geoms(kinematics)
            return
        for k, part in enumerate(self._parts.parts):
            self._part_bodies.append(self._make_body(k, kinematics))
            for link in part.links:
                self.bodies[self.model.links[link].name] = self._part_bodies[-1]
        self.joints.update(make_joints(self.world, self.model, self._parts, self._part_bodies, kinematics, limits))
        if limits and self.world.like != "ode":
            self._counted = [(k, joint.name) for k, joint in enumerate(self.model.joints) if counts_turns(joint)]
        self.resistances = make_resistances(self.world, self.model, self.joints)
        self._note_force_sensors()
        self.place(start)
        kinematics = Kinematics(start)
        for extra in self.model.extra_joints:
            joint = make_extra_joint(self.world, extra, self._parts, self._part_bodies, kinematics)
            if joint is not None:
                self.extra_joints.append(joint)

    def _note_force_sensors(self) -> None:
        """Links with force sensors held by a joint, once for each joint of the engine that acts on them."""
        held: list[tuple[int, EngineJoint]] = []
        for k in sorted({device.link for device in self.model.devices_of("ForceSensor")}):
            joint = self.model.links[k].joint
            if joint.name in self.joints and joint.type != "free" and not self.model.links[k].is_root:
                held += [(k, one) for one in (self.joints[joint.name], *self.resistances.get(joint.name, ()))]
        self._force_links = [link for link, _ in held]
        self._force_rows = np.array([reading.row_of(joint) for _, joint in held], np.int64)

    def _place_geoms(self, kinematics: Kinematics) -> None:
        """Geoms without bodies, in the poses of their links."""
        for part in self._parts.parts:
            turn, at = kinematics.rotations[part.head], kinematics.positions[part.head]
            for geom in (geom for k in part.links for geom in self.geoms[self.model.links[k].name]):
                geom.position, geom.rotation = at + turn @ geom.position, turn @ geom.rotation
                self.world.add_geom(geom)

    def _make_body(self, index: int, kinematics: Kinematics) -> Body:
        part = self._parts.parts[index]
        link = self.model.links[part.head]
        held = part.head == 0 and self.model.is_fixed
        inertia = part.inertia
        mass: Mass | None = None
        if inertia.mass > 0.0 and np.linalg.eigvalsh(inertia.tensor)[0] > 0.0:
            mass = mass_as_given(inertia.mass, inertia.tensor).translate(inertia.center)
        shapes = [geom for k in part.links for geom in self.geoms[self.model.links[k].name]]
        return self.world.add_body(
            *shapes,
            position=kinematics.positions[part.head],
            rotation=kinematics.rotations[part.head],
            mass=Mass(1.0, np.eye(3), (0.0, 0.0, 0.0)) if mass is None else mass,
            kinematic=held,
            name=link.name,
        )

    def _owned_geoms(self) -> list[Geom]:
        return self._all_geoms

    @property
    def _all_geoms(self) -> list[Geom]:
        return [geom for geoms in self.geoms.values() for geom in geoms]

    def destroy(self) -> None:
        """Remove the robot from the world."""
        leave(self.world, self)
        resistances = [servo for servos in self.resistances.values() for servo in servos]
        for joint in (*self.extra_joints, *resistances, *self.joints.values()):
            if joint.alive:
                joint.destroy()
        for geom in self._all_geoms:
            if geom.alive:
                geom.destroy()
        for body in self._part_bodies:
            if body.alive:
                body.destroy()
        if self._bit is not None:
            give_back_bit(self.world, self._bit)
            self._bit = None

    # -- states ----------------------------------------------------------------------------------------------------

    def place(self, state: State) -> None:
        """Set the poses and velocities of all bodies to those of a state. Turns of angles are counted from here."""
        self._checked(state)
        if self.model.is_static:
            raise ValueError(f"{self.name} is static: its geoms stay where they are")
        kinematics = Kinematics(state)
        heads = [part.head for part in self._parts.parts]
        turns, spins = kinematics.rotations[heads], kinematics.angular_velocities[heads]
        arms = np.einsum("nij,nj->ni", turns, self._centers)
        positions = kinematics.positions[heads] + arms
        velocities = kinematics.linear_velocities[heads] + cross(spins, arms)
        quaternions = np.empty((len(heads), 4))
        turn_to_quaternions(turns, quaternions)
        move_bodies(self.world, self._part_bodies, positions, quaternions, velocities, spins)
        self._q = state.q.copy()
        for k, hinge in self._counted_hinges():
            hinge.count_turns_from(self._q[k])
        self._start_sensing(self.links())

    def read(self, links: Links | None = None) -> State:
        """The current state in the world: displacements, velocities and the poses of the bases; `u` is zero.

        Hinges may rotate by more than half a turn: an angle is the one nearest to that of the last reading, or with stops beyond
        half a turn to that of the last step.

        Args:
            links: from `links()`, if that has just been called.
        """
        state = self.model.state()
        if self.model.is_static:
            return state
        tree = self.model.tree
        links = self.links() if links is None else links
        for k, hinge in self._counted_hinges():
            self._q[k] = hinge.angle
        read_joints(
            *(tree.joint_links, tree.joint_parents, tree.revolute, tree.axes, tree.joint_places, tree.joint_frames),
            *(*links, self._q, state.q, state.dq),
        )
        poses = reading.table_of(self.world, POSES)
        state.base_positions[:] = links.positions[tree.bases]
        state.base_quaternions[:] = poses["quaternion"][self._body_rows()[self._of_link[tree.bases]]]
        floating = tree.bases[tree.floating_bases]
        state.base_velocities[:] = np.concatenate([links.velocities[floating], links.spins[floating]], axis=1)
        self._q = state.q.copy()
        return state

    def _counted_hinges(self) -> Iterator[tuple[int, Hinge]]:
        for k, name in self._counted:
            joint = self.joints[name]
            if isinstance(joint, Hinge) and joint.alive:
                yield k, joint

    def drive(self, u: Any, links: Links | None = None) -> None:
        """Add efforts of the joints, N m and N, in the order of `model.joints`, for the next step, within their limits.

        Args:
            u: shape (n,), or by joint name, others 0. The sum of the efforts added for a step is clamped to `max_effort` of its
                joint.
            links: from `links()`, if that has just been called.
        """
        self._add_efforts(u, links, self._asked_so_far())

    def drive_passively(self, u: Any) -> None:
        """Add efforts that are not those of motors, such as of springs: as `drive`, with limits of their own."""
        self._add_efforts(u, None, None)

    def _add_efforts(self, u: Any, links: Links | None, asked: Array | None) -> None:
        """Add efforts within the limits, together with those `asked` of motors before; None if they are of no motor."""
        efforts = self.model.vector(u) if isinstance(u, Mapping) else u
        given = checks.array(f"the efforts of {self.name}", efforts)
        tree = self.model.tree
        if given.shape != (len(self.model.joints),):
            shape = (len(self.model.joints),)
            raise ValueError(f"the efforts of {self.name} must have the shape {shape}, not {given.shape}")
        if self.model.is_static or not len(given):
            return
        links = self.links() if links is None else links
        effort = more_within(self._efforts, given, asked)
        note_saved_change()
        self._note_driven(effort, None if asked is None else given)
        loads = np.zeros((2, len(self._part_bodies), 3))
        spread_efforts(
            *(reading.kernel_tables(self.world), self._body_rows(), self._of_link),
            *(tree.joint_links, tree.joint_parents, tree.revolute, tree.axes),
            *(links.positions, links.rotations, effort, *loads),
        )
        add_loads(self.world, self._body_rows(), *loads)

    @property
    def driven(self) -> Array:
        """Efforts of the last step, or of the next one if there are any already, N m or N, shape (n,); a copy."""
        steps = reading.steps_made(self.world)
        return self._driven_after((steps,) if self._driven_at[0] == steps else reading.starts_of_last_step(self.world))

    def _driven_after(self, starts: tuple[int, ...]) -> Array:
        """Efforts that were added after so many steps, for the next one."""
        for efforts, at in zip(self._driven, self._driven_at, strict=True):
            if at in starts:
                return np.array(efforts)
        return np.zeros(len(self.model.joints))

    def _asked_so_far(self) -> Array:
        """Efforts that were already asked of motors for the next step, beyond their limits too."""
        return self._asked if self._driven_at[0] == reading.steps_made(self.world) else np.zeros(len(self._asked))

    def _note_driven(self, effort: Array, asked: Array | None) -> None:
        """Add efforts for the next step, in place, and what was asked of motors: the caller notes the change."""
        steps, driven, at = reading.steps_made(self.world), self._driven, self._driven_at
        if at[0] == steps:
            driven[0] += effort
        else:
            driven[1], at[1] = driven[0], at[0]
            driven[0], at[0] = effort, steps
            self._asked[:] = 0.0
        if asked is not None:
            self._asked += asked

    def clear_forces(self) -> None:
        """Remove everything added for the next step: efforts of `drive`, forces and torques on the bodies."""
        for body in self._part_bodies:
            body.force = body.torque = (0.0, 0.0, 0.0)
        if self._driven_at[0] == reading.steps_made(self.world):
            note_saved_change()
            self._driven[0] = self._asked[:] = 0.0

    def run_track(self, track: str | Joint, speed: float, depth: float = math.inf) -> None:
        """Set the surface speed of a track, m/s; a positive one about +y drives a vehicle along +x.

        Args:
            track: the joint, one of `model.tracks`, or its name.
            speed: m/s.
            depth: m; deeper contacts have friction only.
        """
        joint = self.model.tracks[track] if isinstance(track, str) else track
        link = self.model.links[joint.link].name
        for geom, axis in zip(self.geoms[link], self._track_axes[link], strict=True):
            geom.track = Track(axis, speed, depth, ACROSS_TRACKS)

    # -- sensors ---------------------------------------------------------------------------------------------------

    def sense(self, h: float) -> None:
        """Take the sensors' readings for the last step, of h s. Call it after every step with readings.

        After several steps, forces are those of the last one, and accelerations means since the last call.
        """
        h = checks.step_size(h)
        if self.model.is_static:
            return
        after, world = self.links(), self.world
        if len(self.sensors):
            feedback = np.empty((len(self._force_rows), 6))
            read_feedback(reading.kernel_tables(world), self._force_rows, feedback)
            forces: dict[int, Array] = {}
            for link, wrench in zip(self._force_links, feedback, strict=True):
                forces[link] = forces.get(link, 0.0) + wrench
            starts = reading.starts_of_last_step(world)
            several = self._sensed_at[0] < min(starts)
            driven = self._driven_after(starts)
            # The pose before the last of several steps is not known: that after it is the nearest.
            solved, h = (after, world.time - self._sensed_at[1]) if several else (self._before, h)
            self.sensed = Sensed(self._before, after, solved, h, driven, forces, world.gravity)
        self._start_sensing(after)

    def _start_sensing(self, links: Links) -> None:
        """Let the next readings start from this motion."""
        self._before, self._sensed_at = links, (reading.steps_made(self.world), self.world.time)

    def reset_sensors(self) -> None:
        """Reset readings to zero, and start the next ones from the current motion."""
        if not self.model.is_static:
            self.sensed = None
            self._start_sensing(self.links())

    @property
    def contacts(self) -> ContactsByLink:
        """Contacts of the world's last step by the names of the links that they touch; links without contacts are omitted."""
        owners = {geom: name for name, geoms in self.geoms.items() for geom in geoms}
        result = ContactsByLink()
        for contact in self.world.contacts:
            for geom in (contact.geom1, contact.geom2):
                if geom in owners:
                    result.setdefault(owners[geom], []).append(contact)
        return result

    def center_of(self, link: Link) -> Array:
        """Centre of mass of a link's body, in the link's frame, m, shape (3,)."""
        center = self._centers[self._of_link[link.index]] - self._parts.positions[link.index]
        return np.asarray(self._parts.rotations[link.index].T @ center)

    # -- bodies and links ------------------------------------------------------------------------------------------

    def _body_rows(self) -> npt.NDArray[np.int64]:
        """The rows of the robot's bodies in the world's tables."""
        seen = reading.changes_of(self.world).bodies
        if seen != self._rows_seen:
            self._rows = np.array([reading.row_of(body) for body in self._part_bodies], np.int64)
            self._rows_seen = seen
        return self._rows

    def links(self) -> Links:
        """Current state of the links in the world: `positions`, `rotations`, `velocities`, `spins`, a row for each link.

        A static model has none: its links remain in the poses of `forward_kinematics` of its state.
        """
        n = len(self.model.links)
        links = Links(np.empty((n, 3)), np.empty((n, 3, 3)), np.empty((n, 3)), np.empty((n, 3)))
        parts = self._parts
        tables = reading.kernel_tables(self.world)
        read_links(tables, self._body_rows(), self._of_link, self._centers, parts.positions, parts.rotations, *links)
        return links

    def _frames_in_parts(self) -> tuple[Array, Array, Array]:
        """Centres of mass of the parts, (p, 3), and the places (l, 3) and rotations (l, 3, 3) of links in them."""
        return self._centers, self._parts.positions, self._parts.rotations

    def _checked(self, state: Any) -> State:
        if not isinstance(state, State) or state.model is not self.model:
            raise ValueError(f"the state of {self.name} must be one of its model, such as model.state(), not {state!r}")
        return state

    def __repr__(self) -> str:
        bodies, joints = count(len(self._part_bodies), "body"), count(len(self.joints), "joint")
        return f"<Robot {self.name!r}: {bodies}, {joints} in {self.world.name}>"


def more_within(limits: Array, given: Array, asked: Array | None) -> Array:
    """Efforts to add so that those asked before and now are together within limits."""
    if asked is None:
        return np.asarray(np.clip(given, -limits, limits))
    return np.asarray(np.clip(asked + given, -limits, limits) - np.clip(asked, -limits, limits))


def _require_kinds(world: Any, model: Any) -> None:
    if not isinstance(world, World) or not isinstance(model, Model):
        raise TypeError(f"a Robot is of a World and a Model, not {world!r} and {model!r}")
