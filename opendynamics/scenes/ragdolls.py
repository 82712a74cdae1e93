"""Ragdolls tumble down a flight of stairs: hinges and universal joints with stops."""

from __future__ import annotations

import math

from opendynamics.api import checks
from opendynamics.api.body import Body
from opendynamics.api.geoms.box import Box
from opendynamics.api.geoms.capsule import Capsule
from opendynamics.api.geoms.sphere import Sphere
from opendynamics.api.rotation import quaternion_from_axis_angle
from opendynamics.api.surface import Surface
from opendynamics.api.types import Vector
from opendynamics.api.world import World
from opendynamics.scenes import Scene

TREAD, RISE, WIDTH = 0.36, 0.24, 4.0  # of a step, m
FORWARD, ASIDE = (0, 1, 0), (1, 0, 0)  # axes about which limbs swing
SIDES = (("left", 1.0), ("right", -1.0))


def build(*, ragdolls: int = 3, steps: int = 10) -> Scene:
    """`ragdolls` fall side by side on to the uppermost of `steps`."""
    checks.count("ragdolls", ragdolls, 1)
    checks.count("steps", steps, 1)
    world = World(gravity=(0, 0, -9.81), surface=Surface(mu=0.3))
    world.contact_max_correcting_velocity = 5.0
    world.angular_damping = 0.01
    world.add_plane(name="ground")
    for k in range(steps):
        high = RISE * (steps - k)
        world.add_geom(Box((TREAD, WIDTH, high), position=((k + 0.5) * TREAD, 0, 0.5 * high), name=f"step {k}"))
    landing = RISE * (steps + 1)
    world.add_geom(Box((2.0, WIDTH, landing), position=(-1.0, 0, 0.5 * landing), name="landing"))
    for k in range(ragdolls):
        y = WIDTH / ragdolls * (k - 0.5 * (ragdolls - 1))
        _Ragdoll(world, (-0.25 - 0.2 * (k % 2), y, landing + 0.02), 2.4 + 0.3 * k, f"ragdoll {k}")
    length = TREAD * steps
    return Scene(
        world,
        h=0.005,
        seconds=4.0,
        moment=1.1,
        camera=(length + 4.9, -5.6, 0.5 * landing + 2.6),
        target=(0.54 * length, 0.1, 0.62 * landing),
        note="Ten joints each; elbows and knees bend one way only.",
    )


class _Ragdoll:
    """A figure that stands at a position, faces along x, and is pushed over with a velocity, m/s."""

    def __init__(self, world: World, foot: tuple[float, float, float], push: float, name: str) -> None:
        self.world, self.foot, self.push, self.name = world, foot, push, name
        pelvis = self._limb("pelvis", (0, 0, 1.0), 0.11, 0.12, across=True)
        torso = self._limb("torso", (0, 0, 1.33), 0.13, 0.24)
        world.add_universal(
            torso,
            pelvis,
            anchor=self._at(0, 0, 1.12),
            axis1=FORWARD,
            axis2=ASIDE,
            stops1=(-0.3, 0.7),
            stops2=(-0.4, 0.4),
        )
        head = self._body("head", Sphere(0.11), (0, 0, 1.74))
        world.add_universal(
            head, torso, anchor=self._at(0, 0, 1.61), axis1=FORWARD, axis2=ASIDE, stops1=(-0.6, 0.6), stops2=(-0.4, 0.4)
        )
        for side, sign in SIDES:
            self._add_arm(torso, side, sign)
            self._add_leg(pelvis, side, sign)

    def _add_arm(self, torso: Body, side: str, sign: float) -> None:
        y = 0.22 * sign
        upper = self._limb(f"{side} upper arm", (0, y, 1.36), 0.05, 0.2)
        lower = self._limb(f"{side} forearm", (0, y, 1.07), 0.045, 0.19)
        # About y, forwards is negative; about x, a positive angle moves the left arm up and away from the body.
        aside = (-0.2, 1.6) if sign > 0 else (-1.6, 0.2)
        self.world.add_universal(
            upper, torso, anchor=self._at(0, y, 1.5), axis1=FORWARD, axis2=ASIDE, stops1=(-2.6, 0.8), stops2=aside
        )
        self.world.add_hinge(lower, upper, anchor=self._at(0, y, 1.21), axis=FORWARD, stops=(-2.3, 0.0))

    def _add_leg(self, pelvis: Body, side: str, sign: float) -> None:
        y = 0.11 * sign
        upper = self._limb(f"{side} thigh", (0, y, 0.73), 0.075, 0.3)
        lower = self._limb(f"{side} shin", (0, y, 0.27), 0.055, 0.33)
        aside = (-0.1, 0.8) if sign > 0 else (-0.8, 0.1)
        self.world.add_universal(
            upper, pelvis, anchor=self._at(0, y, 0.94), axis1=FORWARD, axis2=ASIDE, stops1=(-1.8, 0.4), stops2=aside
        )
        self.world.add_hinge(lower, upper, anchor=self._at(0, y, 0.5), axis=FORWARD, stops=(0.0, 2.3))

    def _limb(
        self, part: str, place: tuple[float, float, float], radius: float, length: float, across: bool = False
    ) -> Body:
        turned = quaternion_from_axis_angle((1, 0, 0), 0.5 * math.pi if across else 0.0)
        return self._body(part, Capsule(radius, length), place, turned)

    def _body(
        self, part: str, shape: Capsule | Sphere, place: tuple[float, float, float], turned: Vector | None = None
    ) -> Body:
        return self.world.add_body(
            shape,
            position=self._at(*place),
            quaternion=turned,
            density=1000,
            linear_velocity=(self.push * place[2] / 1.8, 0, 0),
            angular_velocity=(0, self.push / 1.8, 0),
            name=f"{self.name} {part}",
        )

    def _at(self, x: float, y: float, z: float) -> tuple[float, float, float]:
        return self.foot[0] + x, self.foot[1] + y, self.foot[2] + z
