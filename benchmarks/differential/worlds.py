"""A random world from one seed: spaces, bodies, geoms, joints; steps with changes in between; and all getters."""

from __future__ import annotations

from benchmarks.differential import joints, settings, shapes
from benchmarks.differential.changes import change
from benchmarks.differential.formulas import FORMULAS
from benchmarks.differential.program import Call, Ref
from benchmarks.differential.writer import Writer, functions

STEPS = (6, 6, 6, 20)
_STATE = ("Position", "Quaternion", "Rotation", "LinearVel", "AngularVel")
_BODY_GETTERS = ("dBodyGetGeoms", "dBodyGetData", "dBodyGetFirstGeom", "dBodyGetNextGeom")


def random_program(seed: int) -> list[Call]:
    """The program of a seed."""
    return World(seed).calls


class World(Writer):
    """What a program has made so far.

    Attributes:
        world, group, space: the world, the group of contact joints, and the outermost space.
        bodies, joints, spaces: those that exist.
        geoms: the same, each with the function that created it, and its body.
        space_of: the space of each geom.
    """

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.call("dRandSetSeed", self.draw.randrange(1 << 32))
        self.world = self.call("dWorldCreate")
        self.call("dWorldSetCFM", self.world, 10 ** self.draw.uniform(-5, -2))
        self.settings(settings.WORLD, 0.3, self.world)
        self.group = self.call("dJointGroupCreate", 0)
        self.space = shapes.add_space(self, 0)
        inner = [shapes.add_space(self, self.space) for _ in range(self.draw.choice((0, 0, 1)))]
        self.spaces = [self.space, *inner]
        self.geoms: list[tuple[Ref, str, Ref | None]] = []
        self.space_of: dict[Ref, Ref] = {}
        self.bodies = [self._add_body() for _ in range(self.draw.randrange(1, 6))]
        for _ in range(self.draw.randrange(3)):
            self._add_geom(None)
        group = self.call("dJointGroupCreate", 0) if self.chance(0.3) else 0
        made = (joints.add_joint(self, self.world, group, self.bodies) for _ in range(self.draw.randrange(5)))
        self.joints = [joint for joint in made if joint is not None]
        if self.chance(0.4):  # pull joints out of where they hold
            for body in self.bodies:
                self.call("dBodySetPosition", body, *self.vector(1.0))
        if self.chance(0.3):
            self._ask_joints("Transmission")  # which has no values before its first step
        self._run()

    def _add_body(self) -> Ref:
        body = self.call("dBodyCreate", self.world)
        self.set_mass(body)
        self.call("dBodySetPosition", body, *self.vector(1.0))
        self.settings(settings.BODY, 0.25, body)
        self.settings(settings.MODES, 0.05, body)
        for _ in range(self.draw.choice((0, 1, 1, 2))):
            self._add_geom(body)
        return body

    def set_mass(self, body: Ref) -> None:
        """Any mass."""
        mass = self.call("dMass")
        name = self.draw.choice(list(settings.MASSES))
        self.call(name, mass, *settings.MASSES[name](self))
        if self.chance(0.3):
            self.call("dMassRotate", mass, self.rotation())
        if self.chance(0.3):
            self.call("dMassAdjust", mass, self.number(0.5, 3))
        self.call("dBodySetMass", body, mass)

    def _add_geom(self, body: Ref | None) -> None:
        space = self.draw.choice(self.spaces)
        static = body is None and self.chance(0.7)
        geom = shapes.add_static(self, space) if static else shapes.add_geom(self, space)
        name = self.calls[geom.number].name
        if name != "dCreatePlane":
            shapes.place(self, geom, body)
        self.geoms.append((geom, name, body))
        self.space_of[geom] = space

    def _run(self) -> None:
        surfaces = tuple(settings.surface(self) for _ in range(2))
        quick, h, steps = self.chance(0.5), self.draw.choice((0.002, 0.01, 0.02, 0.05, 0.2)), self.draw.choice(STEPS)
        for step in range(steps):
            for body in self.bodies:
                self.settings(settings.FORCES, 0.1, body)
            for joint in self.joints:
                joints.drive(self, joint)
            if step == steps // 2:
                change(self)
                quick, h = quick != self.chance(0.2), h * self.draw.choice((1.0, 1.0, 0.5))
            self.call("collide", self.space, self.world, self.group, surfaces, self.draw.choice((8, 12)))
            touched = [self._touch() for _ in range(self.draw.choice((0, 0, 0, 1, 3)))]
            self.call("dWorldQuickStep" if quick else "dWorldStep", self.world, h)
            for feedback, count in touched:
                self.call("read_feedback", feedback, count)
            self.call("dJointGroupEmpty", self.group)
            for body in self.bodies:
                for part in _STATE:
                    self.call(f"dBodyGet{part}", body)
                self.call("dBodyIsEnabled", body)
        self._ask()

    def _touch(self) -> tuple[Ref, int]:
        """A contact at a place of its own; its feedback, and the number of its bodies."""
        one, other = self.draw.choice(self.bodies), self.draw.choice((*self.bodies, 0))
        bodies = (one, 0 if other == one else other)
        place = (*self.vector(), *self.unit(aligned=0.2), self.number(-0.02, 0.1))
        order = 1 if self.chance(0.7) else -1
        feedback = self.call("touch", self.world, self.group, bodies[::order], place, settings.surface(self))
        return feedback, 1 if 0 in bodies else 2

    def _ask(self) -> None:
        for name in functions("dWorldGet", but=("dWorldGetData",)):
            if "Thread" not in name and "Dynamic" not in name:
                self.call(name, self.world)
        for body in self.bodies:
            self._ask_body(body)
        self._ask_joints()
        for geom, name, body in self.geoms:
            shapes.ask_geom(self, geom, name, body)
        for space in self.spaces:
            self.call("dSpaceGetNumGeoms", space)
            for name in ("Cleanup", "Sublevel", "Class"):
                self.call(f"dSpaceGet{name}", space)
        self.settings(FORMULAS, 0.2)
        self.call("dRandGetSeed")
        self.call("dWorldImpulseToForce", self.world, 0.1, *self.vector())

    def _ask_joints(self, but: str = "") -> None:
        for joint in self.joints:
            if joint.kind != but:
                joints.ask_joint(self, joint)

    def _ask_body(self, body: Ref) -> None:
        for name in functions("dBodyGet", but=_BODY_GETTERS):
            self.call(name, body, *self.arguments(name))
        for name in (*functions("dBodyIs"), *functions("dBodyVector")):
            self.call(name, body, *self.arguments(name))
        self.call("dBodyGetFirstGeom", body)
        for other in self.bodies:
            if other != body:
                self.call("dAreConnected", body, other)
                self.call("dConnectingJoint", body, other)
                self.call("dConnectingJointList", body, other)
