"""Three tops on their tips: the faster they spin, the more slowly they circle."""

from __future__ import annotations

import math

from opendynamics.api.geoms.capsule import Capsule
from opendynamics.api.geoms.cylinder import Cylinder
from opendynamics.api.mass import Mass
from opendynamics.api.rotation import quaternion_from_axis_angle
from opendynamics.api.world import World
from opendynamics.scenes import Scene

RADIUS, THICKNESS, AXLE = 0.3, 0.06, 0.02  # m: of the disk, and radius of the axle
ARM = 0.35  # m, from the tip to the middle of the disk
APART = 1.1  # m
G = 9.81


def circling(spin: float) -> float:
    """Angular velocity (rad/s) with which a fast top of this spin circles: m g l / (I ω), with I = m r² / 2."""
    return G * ARM / (0.5 * RADIUS**2 * spin)


def build(*, spins: tuple[float, ...] = (40.0, 80.0, 160.0), degrees: float = 25.0) -> Scene:
    """A top for each of `spins`, rad/s, leaning by `degrees`. They start as they circle, so that they hardly nod."""
    world = World(gravity=(0, 0, -G))
    world.add_plane(name="ground")
    lean = math.radians(degrees)
    for k, spin in enumerate(spins):
        x = APART * (k - 0.5 * (len(spins) - 1))
        along = (math.sin(lean), 0.0, math.cos(lean))
        tip = (x, 0.0, 0.02)
        disk, axle = Cylinder(RADIUS, THICKNESS), Capsule(AXLE, 2 * ARM - 2 * AXLE)
        axle.category_bits = axle.collide_bits = 0
        top = world.add_body(
            disk,
            axle,
            position=[t + ARM * a for t, a in zip(tip, along, strict=True)],
            quaternion=quaternion_from_axis_angle((0, 1, 0), lean),
            mass=Mass.cylinder(RADIUS, THICKNESS, density=2700),
            name=f"top {spin:g}",
        )
        top.finite_rotation_mode = True  # for the integrator "euler"
        round_ = circling(spin)
        top.angular_velocity = [spin * a + round_ * z for a, z in zip(along, (0.0, 0.0, 1.0), strict=True)]
        top.linear_velocity = (0.0, round_ * ARM * along[0], 0.0)
        world.add_ball(top, None, anchor=tip, name=f"tip {k}")
    times = ", ".join(f"{2 * math.pi / circling(spin):.2g}" for spin in spins)
    return Scene(
        world,
        h=0.00025,  # the implicit gyroscopic term makes tops sink less, the smaller the step
        seconds=8.0,
        moment=1.0,
        camera=(1.0, -3.2, 1.5),
        target=(0.0, 0.0, 0.33),
        note=f"Once round in {times} s, by m g l / (I ω).",
    )
