"""A moment of a world as numbers: reads its tables, and calls the user's channels; changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from opendynamics.api import reading
from opendynamics.api.world import World
from opendynamics.core.arrays.bodies import MOTIONS
from opendynamics.core.arrays.contacts import CONTACTS
from opendynamics.core.arrays.geoms import GEOMS
from opendynamics.core.arrays.joints import JOINTS
from opendynamics.core.arrays.report import REPORTS
from opendynamics.io.recording.gathering import SUMS, TOUCH, gather_bodies, gather_contacts
from opendynamics.io.recording.spans import REACTION, SERIES, Moment
from opendynamics.io.recording.watching import Watch

Array = npt.NDArray[Any]
Channel = Callable[[], Any]

# Values of a step's report and its stages in a frame's series, in the order of SERIES.
REPORTED = ["contacts", "deepest", "islands", "rows", "iterations", "residual"]
STAGES = ("collide", "constrain", "solve", "move")


class Camera:
    """Captures moments of a world, each with the requested data."""

    def __init__(self, world: World, watch: Watch, *, velocities: bool, contacts: bool, joint_forces: bool) -> None:
        self.world, self.watch = world, watch
        self.width = 13 if velocities else 7
        self.contacts, self.joint_forces = contacts, joint_forces
        self._touches = np.zeros(0, TOUCH)

    def take(self, time: float, channels: Array) -> Moment:
        """The current state. The watch has already recorded changes of objects."""
        world, rows = self.world, self.watch.rows
        states, flags = np.empty((len(rows), self.width)), np.empty(len(rows), np.uint8)
        series = np.full(len(SERIES), np.nan)
        gather_bodies(reading.kernel_tables(world), rows, states, flags, series[:SUMS])
        series[SUMS : SUMS + len(REPORTED)] = reading.table_of(world, REPORTS)[0][REPORTED].item()
        self._add_users_contacts(series)
        seconds = reading.stage_seconds(world)
        if seconds:
            series[-len(STAGES) :] = [seconds[stage] for stage in STAGES]
        return Moment(
            time=time,
            numbers=self.watch.numbers,
            states=states,
            flags=flags,
            series=series,
            touches=self._take_touches() if self.contacts else None,
            reactions=self._take_reactions() if self.joint_forces else None,
            channels=channels,
        )

    def _users_contacts(self) -> Array:
        """Which contacts of ODE's loop have a body, bool."""
        contacts = reading.table_of(self.world, CONTACTS)[: reading.users_contacts(self.world)]
        return np.asarray((contacts["flags"] != 0) & (contacts["body0"] != 0))

    def _add_users_contacts(self, series: Array) -> None:
        """Contacts of ODE's loop, which exist until the user empties their group."""
        users = reading.users_contacts(self.world)
        if users:
            contacts, there = reading.table_of(self.world, CONTACTS)[:users], self._users_contacts()
            series[SUMS] += np.count_nonzero(there)
            series[SUMS + 1] = max(series[SUMS + 1], contacts["point"]["depth"][there].max(initial=0.0))

    def _take_touches(self) -> Array:
        world, users = self.world, reading.users_contacts(self.world)
        room = len(reading.table_of(world, CONTACTS))
        if len(self._touches) < room:
            self._touches = np.zeros(room, TOUCH)
        count = gather_contacts(reading.kernel_tables(world), users, self._touches)
        found = self._touches[:count].copy()
        divided = reading.divided_contacts(world)
        if divided is not None:
            found = np.concatenate([found[: np.count_nonzero(self._users_contacts())], self._touches_of(*divided)])
        numbers = self.watch.number_of_row(len(reading.table_of(world, MOTIONS)))
        for side in ("body1", "body2"):
            found[side] = numbers[found[side]]
        return found

    def _touches_of(self, points: Array, forces: Array) -> Array:
        """Contacts of a step with sub-steps."""
        found, body = np.zeros(len(points), TOUCH), reading.table_of(self.world, GEOMS)["body"]
        for name in ("position", "normal", "depth"):
            found[name] = points[name]
        found["force"] = forces
        found["body1"], found["body2"] = body[points["geom_a"]], body[points["geom_b"]]
        return found

    def _take_reactions(self) -> Array:
        joints = self.watch.joints
        found = np.zeros(len(joints), REACTION)
        found["joint"] = list(joints)
        counts = reading.table_of(self.world, JOINTS)["row_count"]
        for k, joint in enumerate(joints.values()):
            if counts[reading.row_of(joint)]:
                did = joint.feedback
                found["forces"][k] = np.concatenate([did.force1, did.torque1, did.force2, did.torque2])
        return found


class Channels:
    """The user's functions, each with the shape of its first result."""

    def __init__(self, functions: Mapping[str, Channel] | None) -> None:
        if functions is not None and not isinstance(functions, Mapping):
            raise TypeError(f"the channels of a recorder must be functions by name, not {functions!r}")
        self.functions = dict(functions or {})
        given: dict[Any, Any] = dict(self.functions)
        for name, function in given.items():
            if not isinstance(name, str) or not name:
                raise TypeError(f"the name of a channel must be a word, not {name!r}")
            if not callable(function):
                raise TypeError(f"the channel {name!r} must be a function that gives a number, not {function!r}")
        self.shapes = {name: _numbers(name, function()).shape for name, function in self.functions.items()}

    def ask(self) -> Array:
        """All their numbers now; ValueError if the shape of one has changed."""
        parts = [np.zeros(0)]
        for name, function in self.functions.items():
            value = _numbers(name, function())
            if value.shape != self.shapes[name]:
                raise ValueError(
                    f"the channel {name!r} of a recording gave an array of shape {value.shape}; it must be "
                    f"{self.shapes[name]}, as in the first frame"
                )
            parts.append(value.reshape(-1))
        return np.concatenate(parts)


def _numbers(name: str, value: Any) -> Array:
    try:
        if value is None:  # NumPy converts None to nan
            raise TypeError
        return np.asarray(value, np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"the channel {name!r} must give numbers, not {value!r}") from None
