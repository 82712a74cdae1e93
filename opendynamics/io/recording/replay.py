"""A World that shows a recording: built from its descriptions, set to its frames."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from opendynamics.api import replaying
from opendynamics.api.body import Body
from opendynamics.api.geoms.geom import Geom
from opendynamics.api.joint_methods import joint_class
from opendynamics.api.joints.joint import Joint
from opendynamics.api.mass import mass_as_given
from opendynamics.api.world import World
from opendynamics.core.arrays.bodies import ENABLED, KINEMATIC
from opendynamics.io.recording.gathering import FROZEN
from opendynamics.io.recording.spans import Span
from opendynamics.io.recording.watching import Structure

if TYPE_CHECKING:
    from opendynamics.io.recording.recording import Recording


class Replay:
    """A world, and the recording's number of each object."""

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self.world = World(recording.header["gravity"], name=recording.header["world"])
        self.frame = -1
        self._structure = Structure()
        self._bodies: dict[int, Body] = {}
        self._geoms: dict[int, Geom] = {}
        self.joints: dict[int, Joint] = {}
        self._meshes: dict[Any, Any] = {}

    def put(self, frame: int) -> None:
        """Show a frame in the world."""
        if frame < self.frame:
            wanted = self.recording._structure_at(frame)
        else:
            changes = self.recording._changes_between(self.frame, frame)
            wanted = self._structure.after(changes) if changes else self._structure
        with self.recording._located(f"frame {frame}"):
            if wanted is not self._structure:
                self._restructure(wanted)
            self.frame = frame
            self._place(*self.recording._span_of(frame))

    # -- objects -----------------------------------------------------------------------------------------------------

    def _restructure(self, wanted: Structure) -> None:
        """Destroy objects that no longer exist, change those that differ, and create new ones."""
        now = self._structure
        for geom in [
            number for number, description in now.geoms.items() if wanted.geoms.get(number) is not description
        ]:
            self._geoms.pop(geom).destroy()
        for joint in now.joints.keys() - wanted.joints.keys():
            self.joints.pop(joint).destroy()
        for body in now.bodies.keys() - wanted.bodies.keys():
            self._bodies.pop(body).destroy()
        for number, description in wanted.bodies.items():
            if now.bodies.get(number) is not description:
                self._set_body(number, description)
        for number, description in wanted.geoms.items():
            if number not in self._geoms:
                self._add_geom(number, description)
        for number, description in wanted.joints.items():
            if now.joints.get(number) is not description:
                self._set_joint(number, description)
        self._structure = wanted

    def _set_body(self, number: int, description: dict[str, Any]) -> None:
        if number not in self._bodies:
            self._bodies[number] = Body(self.world, description["name"])
        self._bodies[number].mass_properties = mass_as_given(
            description["mass"], np.reshape(description["inertia"], (3, 3))
        )

    def _add_geom(self, number: int, description: dict[str, Any]) -> None:
        geom = self._geoms[number] = self.recording._geom(description, self._meshes)
        if description["body"] is not None:
            geom.body = self._bodies[description["body"]]
        replaying.place_geom(geom, description["position"], description["rotation"])
        geom.enabled = description["enabled"]
        self.world.space.add(geom)

    def _set_joint(self, number: int, description: dict[str, Any]) -> None:
        if number not in self.joints:
            self.joints[number] = joint_class(description["kind"])(self.world, name=description["name"])
        set_joint(self.joints[number], description, self._bodies)

    # -- poses -------------------------------------------------------------------------------------------------------

    def _place(self, span: Span, at: int) -> None:
        numbers, rows = span.numbers(at), span.rows(at)
        bodies = [self._bodies[number] for number in numbers.tolist()]
        flags = span.flags[rows]
        for body, kinematic in zip(bodies, flags & KINEMATIC, strict=True):
            if body.kinematic != bool(kinematic):  # which wakes bodies
                body.kinematic = not body.kinematic
        replaying.place_bodies(self.world, bodies, span.states[rows], flags & ENABLED, flags & FROZEN)


def set_joint(joint: Joint, description: dict[str, Any], bodies: Mapping[int, Body]) -> None:
    """Set a joint from its description, between bodies given by their numbers."""
    one, two = (None if body is None else bodies[body] for body in description["bodies"])
    if joint.bodies != (one, two):
        joint.attach(one, two)
    joint.enabled = description["enabled"]
    fields = {field: [0.0 if x is None else x for x in description[field]] for field in replaying.JOINT_FIELDS}
    stops = [(-np.inf if low is None else low, np.inf if high is None else high) for low, high in description["stops"]]
    replaying.set_joint(joint, description["mode"], fields, stops)
