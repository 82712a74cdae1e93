"""Robot arrays: many robots of one structure, in one world or in many, read and driven by single calls."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from opendynamics.api import checks, reading
from opendynamics.api.describing import count
from opendynamics.api.driving import some_bodies_sleep
from opendynamics.api.member import note_saved_change
from opendynamics.api.suggestions import Strict, explain_calls
from opendynamics.robot.array_transfer import drive_robots, gather_link_forces, read_robots
from opendynamics.robot.model import Model
from opendynamics.robot.robot import Robot, more_within
from opendynamics.robot.sensors.sensor import Links

Array = npt.NDArray[np.float64]
Indices = npt.NDArray[np.int64]


@explain_calls
@dataclass(frozen=True, eq=False)
class RobotStates:
    """States of n robots with j joints, as arrays; velocities are zero for fixed roots.

    Attributes:
        q, dq: displacements and velocities of the joints, in the order of the model's, rad and rad/s or m and m/s, (n, j).
        positions: origins of the root links, m, (n, 3).
        quaternions: their orientations (w, x, y, z), (n, 4).
        linear_velocities: of the origins, in the world frame, m/s, (n, 3).
        angular_velocities: in the world frame, rad/s, (n, 3).
        links: `positions`, `velocities`, `spins` (n, l, 3) and `rotations` (n, l, 3, 3) of all links, like `robot.links()`.
    """

    q: Array
    dq: Array
    positions: Array
    quaternions: Array
    linear_velocities: Array
    angular_velocities: Array
    links: Links


@explain_calls
class RobotArray(Strict):
    """Robots that are read and driven together, in the given order: usually one in each world of an `od.Batch`.

    It has no state of its own: the robots may also be used one by one, with the same results, bit for bit.

    Args:
        robots: different robots of one structure: models with the same links and joints, whose masses and lengths may differ.

        robots = od.robot.RobotArray(robots)
        batch = od.Batch(robots.worlds)
        states = robots.read()
        robots.drive(50.0 * (targets - states.q) - 2.0 * states.dq)
        batch.advance(0.005)
    """

    __slots__ = (
        "__weakref__",
        "_addresses",
        "_constants",
        "_geom_links",
        "_geoms_seen",
        "_hinges",
        "_robots",
        "_rows",
        "_seen",
    )

    def __init__(self, robots: Iterable[Robot]) -> None:
        self._robots = (robots,) if isinstance(robots, Robot) else tuple(robots)
        for robot in self._robots:
            if not isinstance(robot, Robot):
                raise TypeError(f"a robot array consists of robots, not of {robot!r}")
            if robot.model.is_static:
                raise ValueError(f"{robot.name} is static: it has no state to be read or driven")
        if not self._robots:
            raise ValueError("a robot array must have at least one robot")
        if len(set(self._robots)) < len(self._robots):
            raise ValueError("a robot array cannot hold the same robot twice")
        for robot in self._robots[1:]:
            if _structure(robot) != _structure(self._robots[0]):
                raise ValueError(
                    f"the robots of an array must have the same links and joints: {robot.model!r} differs from {self.model!r}"
                )
        tables = [reading.kernel_tables(robot.world) for robot in self._robots]
        self._addresses: Indices = np.array([each.ctypes.data for each in tables], np.int64)
        self._constants = _Constants(self._robots)
        self._rows: Indices = np.zeros((0, 0), np.int64)
        self._hinges = np.zeros((len(self), len(self._constants.counted)), np.int64)
        self._seen: list[Any] = []
        self._geoms_seen: list[int] = []
        self._geom_links: Indices = np.zeros((0, 0), np.int64)

    @property
    def robots(self) -> tuple[Robot, ...]:
        """The robots, in the order of the arrays."""
        return self._robots

    @property
    def worlds(self) -> list[Any]:
        """Their worlds, each once, in the order of the robots; for `od.Batch`."""
        return list(dict.fromkeys(robot.world for robot in self._robots))

    @property
    def model(self) -> Model:
        """The model of the first robot."""
        return self._robots[0].model

    def __len__(self) -> int:
        return len(self._robots)

    def __iter__(self) -> Iterator[Robot]:
        return iter(self._robots)

    @overload
    def __getitem__(self, index: int) -> Robot: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Robot, ...]: ...

    def __getitem__(self, index: int | slice) -> Robot | tuple[Robot, ...]:
        return self._robots[index]

    def __repr__(self) -> str:
        return f"<RobotArray of {count(len(self), 'robot')} like {self.model!r}>"

    # -- reading ---------------------------------------------------------------------------------------------------

    def read(self) -> RobotStates:
        """The current states. Angles are counted in turns as by `robot.read`."""
        n, constants, links = len(self), self._constants, self._new_links()
        q, dq = np.empty((2, n, len(self.model.joints)))
        quaternions = np.empty((n, 4))
        before = np.array([robot._q for robot in self._robots])
        read_robots(
            *(self._addresses, self._bodies(), constants.of_link, *constants.frames),
            *(constants.children, constants.parents, constants.revolute, *constants.joints),
            *(*links, constants.counted, self._hinges, before, q, dq, quaternions),
        )
        note_saved_change()
        for robot, row in zip(self._robots, q, strict=True):
            robot._q[:] = row
        still = self.model.is_fixed
        velocities = np.zeros((n, 3)) if still else links.velocities[:, 0].copy()
        spins = np.zeros((n, 3)) if still else links.spins[:, 0].copy()
        return RobotStates(q, dq, links.positions[:, 0].copy(), quaternions, velocities, spins, links)

    def contact_forces(self, links: Sequence[str | int] | None = None) -> Array:
        """Total contact forces on links in the last step, N, in the world frame, shape (n, l, 3).

        Forces between links of the same robot are included. NaN in a restored world before its next step, where links touch.

        Args:
            links: names or indices of the links, such as feet; by default all, in the order of `model.links`.
        """
        chosen = None if links is None else [self.model.link(link).index for link in _listed(links)]
        forces = np.zeros((len(self), len(self.model.links), 3))
        firsts = [reading.first_contact_of(robot.world) for robot in self._robots]
        direct = np.array([k for k, first in enumerate(firsts) if first is not None], np.int64)
        if len(direct):
            rows: Indices = np.array([first for first in firsts if first is not None], np.int64)
            found = np.zeros((len(direct), *forces.shape[1:]))
            gather_link_forces(
                self._addresses[direct], rows, np.ascontiguousarray(self._links_of_geoms()[direct]), found
            )
            forces[direct] = found
        for k, first in enumerate(firsts):
            if first is None:
                forces[k] = _summed(self._robots[k])
        return forces if chosen is None else forces[:, chosen]

    # -- driving ---------------------------------------------------------------------------------------------------

    def drive(self, u: Any) -> None:
        """Add efforts of the joints, N m and N, for the next step, within their limits, like `robot.drive`.

        Args:
            u: in the order of the model's joints, shape (n, j), or (j,) for all robots.
        """
        n, joints = len(self), len(self.model.joints)
        given = _numbers("the efforts of a robot array", u)
        if given.shape not in ((n, joints), (joints,)):
            raise ValueError(
                f"the efforts of {count(n, 'robot')} must have the shape {(n, joints)} or {(joints,)}, not {given.shape}"
            )
        if not joints:
            return
        constants = self._constants
        asked = np.array([robot._asked_so_far() for robot in self._robots])
        given = np.broadcast_to(given, (n, joints))
        efforts = more_within(constants.max_efforts, given, asked)
        rows = self._bodies()
        asleep = np.array([some_bodies_sleep(robot.world) for robot in self._robots])
        drive_robots(
            *(self._addresses, rows, constants.of_link, *constants.frames),
            *(constants.children, constants.parents, constants.revolute, constants.joints[0]),
            *(*self._new_links(), efforts, *np.zeros((2, *rows.shape, 3)), np.flatnonzero(~asleep)),
        )
        note_saved_change()
        for k, robot in enumerate(self._robots):
            if asleep[k]:
                robot.drive(given[k])  # which wakes what it moves
            else:
                robot._note_driven(efforts[k], given[k])

    def place(
        self,
        which: Any = None,
        *,
        q: Any = None,
        dq: Any = None,
        positions: Any = None,
        quaternions: Any = None,
        linear_velocities: Any = None,
        angular_velocities: Any = None,
    ) -> None:
        """Set the states of robots, like `robot.place`; what is not given is that of each robot's `start`.

        Args:
            which: indices of robots, or a mask of shape (n,), such as of those whose episode has ended; by default all.
            q, dq: displacements and velocities of the joints, in the order of the model's, shape (m, j) for m chosen robots, or
                one row for all of them.
            positions, quaternions: origins, m, and orientations (w, x, y, z) of the roots, (m, 3) and (m, 4), or one row.
            linear_velocities, angular_velocities: of the roots, in the world frame, m/s and rad/s, (m, 3), or one row.
        """
        chosen = self._chosen(which)
        joints = len(self.model.joints)
        given = {
            "q": (q, joints),
            "dq": (dq, joints),
            "position": (positions, 3),
            "quaternion": (quaternions, 4),
            "linear_velocity": (linear_velocities, 3),
            "angular_velocity": (angular_velocities, 3),
        }
        rows = {
            name: _rows_for(name, value, len(chosen), width)
            for name, (value, width) in given.items()
            if value is not None
        }
        states = [self._robots[k].start.copy() for k in chosen]
        for number, state in enumerate(states):
            for name, values in rows.items():
                setattr(state, name, values[number])
        for k, state in zip(chosen, states, strict=True):
            self._robots[k].place(state)

    # -- internal --------------------------------------------------------------------------------------------------

    def _bodies(self) -> Indices:
        """The rows of the bodies of each robot in its world's tables, (n, p); brings those of `_hinges` up to date too."""
        changes = [reading.changes_of(robot.world)[:2] for robot in self._robots]
        if changes != self._seen:
            self._rows = np.array([robot._body_rows() for robot in self._robots])
            for k, robot in enumerate(self._robots):
                hinges = [robot.joints[name] for _, name in robot._counted]
                self._hinges[k] = [reading.row_of(hinge) if hinge.alive else -1 for hinge in hinges]
            self._seen = changes
        return self._rows

    def _chosen(self, which: Any) -> list[int]:
        """Indices of the robots that are meant by a mask, indices, or None for all."""
        places = np.arange(len(self))
        if which is None:
            return places.tolist()
        given = np.atleast_1d(np.asarray(which))
        if given.dtype != bool and given.dtype.kind not in "iu":
            raise TypeError(f"which robots is given by indices or a mask of True and False, not by {which!r}")
        if given.ndim != 1 or (given.dtype == bool and len(given) != len(self)):
            raise ValueError(
                f"a mask of {count(len(self), 'robot')} must have the shape {(len(self),)}, not {given.shape}"
            )
        try:
            chosen: list[int] = places[given].tolist()
        except IndexError:
            raise IndexError(f"there are {count(len(self), 'robot')}, none with the index {given.max()}") from None
        return chosen

    def _new_links(self) -> Links:
        n, m = len(self), len(self.model.links)
        return Links(np.empty((n, m, 3)), np.empty((n, m, 3, 3)), np.empty((n, m, 3)), np.empty((n, m, 3)))

    def _links_of_geoms(self) -> Indices:
        """By row of a geom in each robot's world, the link that it belongs to, -1 for others; known until geoms change."""
        seen = [reading.changes_of(robot.world).geoms for robot in self._robots]
        if seen != self._geoms_seen:
            owners = [_links_by_geom(robot) for robot in self._robots]
            width = max((max(rows, default=-1) for rows in owners), default=-1) + 1
            self._geom_links = np.full((len(self), width), -1, np.int64)
            for row, links in zip(self._geom_links, owners, strict=True):
                row[list(links)] = list(links.values())
            self._geoms_seen = seen
        return self._geom_links


class _Constants:
    """What kernels need of the robots' models.

    Attributes:
        of_link: part of each link, (l,).
        frames: centres of mass of the parts (n, p, 3), and the places (n, l, 3) and rotations (n, l, 3, 3) of links in them.
        children, parents, revolute: links of each joint, and whether it turns, (j,).
        joints: axes (n, j, 3), and the places (n, j, 3) and rotations (n, j, 3, 3) of joints in their parents.
        max_efforts: (n, j).
        counted: joints whose hinges count turns, (c,).
    """

    def __init__(self, robots: Sequence[Robot]) -> None:
        tree = robots[0].model.tree
        self.of_link: Indices = robots[0]._of_link.copy()
        places = [robot._frames_in_parts() for robot in robots]
        self.frames = tuple(np.array(arrays) for arrays in zip(*places, strict=True))
        self.children, self.parents = tree.joint_links.copy(), tree.joint_parents.copy()
        self.revolute = tree.revolute.copy()
        trees = [robot.model.tree for robot in robots]
        self.joints = tuple(
            np.array([getattr(each, name) for each in trees]) for name in ("axes", "joint_places", "joint_frames")
        )
        self.counted: Indices = np.array([k for k, _ in robots[0]._counted], np.int64)
        self.max_efforts = np.array([[joint.max_effort for joint in robot.model.joints] for robot in robots])


def _structure(robot: Robot) -> tuple[Any, ...]:
    """What robots of one array have in common."""
    model = robot.model
    links = tuple((link.name, link.parent, link.joint.type) for link in model.links)
    return links, model.joints.names, robot._of_link.tolist(), robot._counted


def _rows_for(name: str, value: Any, count: int, width: int) -> Array:
    """Rows of numbers for the chosen robots."""
    numbers = _numbers(f"{name} of robots", value)
    if numbers.shape not in ((count, width), (width,)):
        raise ValueError(f"{name} of robots must have the shape {(count, width)} or {(width,)}, not {numbers.shape}")
    return np.broadcast_to(numbers, (count, width))


def _numbers(what: str, value: Any) -> Array:
    if isinstance(value, Mapping):
        raise TypeError(
            f"{what} must be an array, not by name; model.vector({{name: value}}) gives one, with zeros for the rest"
        )
    return checks.array(what, value)


def _listed(links: Any) -> Sequence[str | int]:
    if isinstance(links, (str, int)):
        raise TypeError(f"links are given as a list, such as [{links!r}], not as {links!r}")
    return list(links)


def _links_by_geom(robot: Robot) -> dict[int, int]:
    """The link of each of a robot's geoms, by their rows."""
    found = [(geom, k) for k, link in enumerate(robot.model.links) for geom in robot.geoms[link.name]]
    return {reading.row_of(geom): k for geom, k in found if geom.alive}


def _summed(robot: Robot) -> Array:
    """Contact forces on the links of one robot, (l, 3), from the contacts as objects."""
    forces = np.zeros((len(robot.model.links), 3))
    for name, contacts in robot.contacts.items():
        own = robot.geoms[name]
        for contact in contacts:
            sign = (contact.geom1 in own) - (contact.geom2 in own)
            forces[robot.model.links[name].index] += sign * np.array(contact.force)
    return forces
