"""A random world from one seed: spaces, bodies, geoms, joints; six steps with changes in between; and all getters."""

from __future__ import annotations

from benchmarks.differential import joints, settings, shapes
from benchmarks.differential.program import Call, Ref
from benchmarks.differential.writer import Writer, functions

STEPS = 6
_STATE = ("Position", "Quaternion", "Rotation", "LinearVel", "AngularVel")
_BODY_GETTERS = ("dBodyGetGeoms", "dBodyGetData", "dBodyGetFirstGeom", "dBodyGetNextGeom")


def random_program(seed: int) -> list[Call]:
    """The program of a seed."""
    return _World(seed).calls


class _World(Writer):
    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.call("dRandSetSeed", self.draw.randrange(1 << 32))
        self.world = self.call("dWorldCreate")
        self.call("dWorldSetCFM", self.world, 10 ** self.draw.uniform(-6, -2))
        self.settings(settings.WORLD, 0.3, self.world)
        self.group = self.call("dJointGroupCreate", 0)
        self.space = shapes.add_space(self, 0)
        inner = [shapes.add_space(self, self.space) for _ in range(self.draw.choice((0, 0, 1)))]
        self.spaces = [self.space, *inner]
        self.geoms: list[tuple[Ref, str, Ref | None]] = []
        self.bodies = [self._add_body() for _ in range(self.draw.randrange(1, 6))]
        for _ in range(self.draw.randrange(3)):
            self._add_geom(None)
        group = self.call("dJointGroupCreate", 0) if self.chance(0.3) else 0
        made = (joints.add_joint(self, self.world, group, self.bodies) for _ in range(self.draw.randrange(5)))
        self.joints = [joint for joint in made if joint is not None]
        if self.chance(0.4):  # pull joints out of where they hold
            for body in self.bodies:
                self.call("dBodySetPosition", body, *self.vector(1.0))
        self._run()

    def _add_body(self) -> Ref:
        body = self.call("dBodyCreate", self.world)
        mass = self.call("dMass")
        name = self.draw.choice(list(settings.MASSES))
        self.call(name, mass, *settings.MASSES[name](self))
        if self.chance(0.3):
            self.call("dMassRotate", mass, self.rotation())
        if self.chance(0.3):
            self.call("dMassAdjust", mass, self.number(0.5, 3))
        self.call("dBodySetMass", body, mass)
        self.call("dBodySetPosition", body, *self.vector(1.0))
        self.settings(settings.BODY, 0.25, body)
        self.settings(settings.MODES, 0.05, body)
        for _ in range(self.draw.choice((0, 1, 1, 2))):
            self._add_geom(body)
        return body

    def _add_geom(self, body: Ref | None) -> None:
        space = self.draw.choice(self.spaces)
        static = body is None and self.chance(0.7)
        geom = shapes.add_static(self, space) if static else shapes.add_geom(self, space)
        name = self.calls[geom.number].name
        if name != "dCreatePlane":
            shapes.place(self, geom, body)
        self.geoms.append((geom, name, body))

    def _run(self) -> None:
        surfaces = tuple(settings.surface(self) for _ in range(2))
        quick, h = self.chance(0.5), self.draw.choice((0.01, 0.02, 0.05))
        for step in range(STEPS):
            for body in self.bodies:
                self.settings(settings.FORCES, 0.1, body)
            for joint in self.joints:
                joints.drive(self, joint)
            if step == STEPS // 2:
                self._change()
            self.call("collide", self.space, self.world, self.group, surfaces, self.draw.choice((8, 12)))
            self.call("dWorldQuickStep" if quick else "dWorldStep", self.world, h)
            self.call("dJointGroupEmpty", self.group)
            for body in self.bodies:
                for part in _STATE:
                    self.call(f"dBodyGet{part}", body)
                self.call("dBodyIsEnabled", body)
        self._ask()

    def _change(self) -> None:
        """The changes that may be made between steps."""
        for body in self.bodies:
            self.settings(settings.MODES, 0.05, body)
            self.settings(settings.BODY, 0.03, body)
        if self.joints and self.chance(0.2):
            self.call("dJointDestroy", self.joints.pop().ref)
        if self.geoms and self.chance(0.2):
            self.call("dGeomDestroy", self.geoms.pop()[0])
        if len(self.bodies) > 1 and self.chance(0.1):
            body = self.bodies.pop()
            for geom in [geom for geom in self.geoms if geom[2] == body]:  # not to meet each other where they stay
                self.call("dGeomDestroy", geom[0])
            self.call("dBodyDestroy", body)
            self.joints = [joint for joint in self.joints if body not in joint.bodies]
            self.geoms = [geom for geom in self.geoms if geom[2] != body]

    def _ask(self) -> None:
        for name in functions("dWorldGet", but=("dWorldGetData",)):
            if "Thread" not in name and "Dynamic" not in name:
                self.call(name, self.world)
        for body in self.bodies:
            self._ask_body(body)
        for joint in self.joints:
            joints.ask_joint(self, joint)
        for call in tuple(self.calls):
            if call.name == "dJointFeedback":
                self.call("read_feedback", Ref(call.number))
        for geom, name, body in self.geoms:
            shapes.ask_geom(self, geom, name, body)
        for space in self.spaces:
            self.call("dSpaceGetNumGeoms", space)
            for name in ("Cleanup", "Sublevel", "Class"):
                self.call(f"dSpaceGet{name}", space)
        self.call("dRandGetSeed")
        self.call("dWorldImpulseToForce", self.world, 0.1, *self.vector())

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
