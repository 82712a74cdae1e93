"""A walking machine: twelve of Theo Jansen's legs on one crank, driven by a motor."""

from __future__ import annotations

import math

from opendynamics.api.body import Body
from opendynamics.api.geoms.box import Box
from opendynamics.api.geoms.capsule import Capsule
from opendynamics.api.geoms.geom import Geom
from opendynamics.api.geoms.sphere import Sphere
from opendynamics.api.rotation import quaternion_from_axis_angle
from opendynamics.api.surface import Surface
from opendynamics.api.world import World
from opendynamics.scenes import Scene

Point = tuple[float, float]  # x, z
Link = tuple[Point, ...]

# Jansen's numbers, cm (strandbeest.com): the fixed joint beside and below the axle, the crank, and the lengths between the
# joints that `corners` names.
BESIDE, BELOW, CRANK = 38.0, 7.8, 15.0
XV, YV, YW, VW, XU, YU = 50.0, 41.5, 40.1, 55.8, 61.9, 39.3
WT, UT, TS, US = 39.4, 36.7, 65.7, 49.0
CM = 0.01  # m

PHASES = (0.0, 2.0, 1.0, 0.0, 2.0, 1.0)  # of the pairs of legs from left to right, thirds of a turn
APART = 0.24  # m, between pairs of legs
ROD, FOOT = 0.018, 0.035  # m, radii
AXIS = (0, 1, 0)
HEIGHT = 0.97  # m, of the crank's axle when the machine is made


def build(*, speed: float = 2.5, torque: float = 400.0) -> Scene:
    """The crank is to turn at `speed` rad/s, by a motor of at most `torque` N m."""
    world = World(gravity=(0, 0, -9.81), surface=Surface(mu=0.9))
    ground = world.add_plane(name="ground")
    ground.category_bits = 1
    width = APART * (len(PHASES) - 1)
    frame = world.add_body(
        *(
            _ghost(Box((2 * BESIDE * CM, 0.03, 0.06), position=(0, y, -BELOW * CM)))
            for y in (-0.5 * width - 0.1, 0.5 * width + 0.1)
        ),
        _ghost(Box((0.3, width + 0.2, 0.1), position=(0, 0, 0.12))),
        position=(0, 0, HEIGHT),
        mass=30,
        name="frame",
    )
    crank = world.add_body(_ghost(_rod((0, HEIGHT), (0, HEIGHT), 0, width + 0.2)), mass=5, name="crank")
    motor = world.add_hinge(crank, frame, anchor=(0, 0, HEIGHT), axis=AXIS, name="motor")
    motor.motor(velocity=speed, max_torque=torque)
    for k, third in enumerate(PHASES):
        angle = 2.0 * math.pi * third / 3.0
        for side in (1.0, -1.0):
            _Leg(world, frame, crank, angle, side, (k - 0.5 * (len(PHASES) - 1)) * APART + 0.02 * side)
    return Scene(
        world,
        h=0.005,
        seconds=10.0,
        moment=2.0,
        camera=(1.5, -5.0, 2.4),
        target=(1.1, 0.0, 0.55),
        note="All legs are closed kinematic chains: 108 hinges and ball joints on 74 bodies, solved exactly in every step.",
    )


def meet(p: Point, r: float, q: Point, s: float, left: bool) -> Point:
    """Intersection of circles about `p` and `q` with these radii: to the left or right of the direction from p to q."""
    x, z = q[0] - p[0], q[1] - p[1]
    square = x * x + z * z
    along = 0.5 * (r * r - s * s + square) / square
    across = math.sqrt(r * r / square - along * along) * (1.0 if left else -1.0)
    return p[0] + along * x - across * z, p[1] + along * z + across * x


def corners(angle: float) -> dict[str, Point]:
    """The joints of the left leg, cm from the axle, when the crank has rotated by this angle from the x axis.

    x: crank, y: fixed, v and w: of the upper triangle, t and u: of the lower one, s: foot.
    """
    x, y = (CRANK * math.cos(angle), CRANK * math.sin(angle)), (-BESIDE, -BELOW)
    v, u = meet(y, YV, x, XV, left=True), meet(y, YU, x, XU, left=False)
    w = meet(y, YW, v, VW, left=True)
    t = meet(w, WT, u, UT, left=False)
    return {"x": x, "y": y, "v": v, "u": u, "w": w, "t": t, "s": meet(t, TS, u, US, left=False)}


class _Leg:
    """One leg, to the left of the crank (side 1) or mirrored: links on hinges, each chain closed by a ball joint."""

    def __init__(self, world: World, frame: Body, crank: Body, angle: float, side: float, y: float) -> None:
        self.world, self.y = world, y
        # In the mirrored leg the crank is mirrored, too.
        found = corners(-angle if side > 0 else math.pi + angle)
        at = {name: (side * x * CM, HEIGHT + z * CM) for name, (x, z) in found.items()}
        upper = self._link((at["y"], at["v"]), (at["v"], at["w"]), (at["w"], at["y"]))
        lower = self._link((at["t"], at["u"]), (at["u"], at["s"]), (at["s"], at["t"]), foot=at["s"])
        first, second = self._link((at["x"], at["v"])), self._link((at["x"], at["u"]))
        third, fourth = self._link((at["y"], at["u"])), self._link((at["w"], at["t"]))
        for body, other, name in (
            (upper, frame, "y"),
            (third, frame, "y"),
            (first, crank, "x"),
            (second, crank, "x"),
            (fourth, upper, "w"),
            (lower, third, "u"),
        ):
            world.add_hinge(body, other, anchor=self._place(at[name]), axis=AXIS)
        for body, other, name in ((first, upper, "v"), (second, lower, "u"), (fourth, lower, "t")):
            world.add_ball(body, other, anchor=self._place(at[name]))

    def _link(self, *rods: Link, foot: Point | None = None) -> Body:
        shapes = [_ghost(_rod(start, end, self.y, ROD)) for start, end in rods]
        if foot is not None:
            ball = Sphere(FOOT, position=self._place(foot))
            ball.category_bits, ball.collide_bits = 2, 1  # collides with the ground, but not with other feet
            shapes.append(ball)
        return self.world.add_body(*shapes, density=1500)

    def _place(self, point: Point) -> tuple[float, float, float]:
        return point[0], self.y, point[1]


def _rod(start: Point, end: Point, y: float, thickness: float) -> Geom:
    """A rod between two points of a plane; from a point to itself, one across all planes, of this length."""
    x, z = end[0] - start[0], end[1] - start[1]
    length = math.hypot(x, z)
    if length == 0.0:
        turned = quaternion_from_axis_angle((1, 0, 0), 0.5 * math.pi)
        return Capsule(ROD, thickness, position=(start[0], y, start[1]), quaternion=turned)
    middle = 0.5 * (start[0] + end[0]), y, 0.5 * (start[1] + end[1])
    return Capsule(thickness, length, position=middle, quaternion=quaternion_from_axis_angle(AXIS, math.atan2(x, z)))


def _ghost(geom: Geom) -> Geom:
    """A shape with mass that is visible, but collides with nothing."""
    geom.category_bits = geom.collide_bits = 0
    return geom
