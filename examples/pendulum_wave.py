"""A pendulum wave: a row of pendulums that swing out of phase and return into phase.

The slowest makes 10 swings in 20 s, the next one 11, and so on. After 20 s all are at their starting positions; after half of
that, every other one is on the other side.
"""

import math

import opendynamics as od
from opendynamics.scenes import Scene

PENDULUMS, SLOWEST, CYCLE = 10, 10, 20.0  # number, swings in a cycle, s
ANGLE = math.radians(10)
G, RADIUS = 9.81, 0.04  # m/s², m


def length_of(period):
    """Length of a pendulum, m, with this period for swings from ANGLE to ANGLE."""
    slower = 1 + ANGLE**2 / 16 + 11 * ANGLE**4 / 3072  # by the elliptic integral
    return G * (period / slower / (2 * math.pi)) ** 2


def build():
    """Pendulums on hinges in a row, all at the same angle."""
    world = od.World(gravity=(0, 0, -G))
    world.integrator = "verlet"  # of second order, so that no swing decays
    for k in range(PENDULUMS):
        length, y = length_of(CYCLE / (SLOWEST + k)), 2.5 * RADIUS * k
        place = (length * math.sin(ANGLE), y, -length * math.cos(ANGLE))
        point = od.Mass(1.0, 1e-9 * od.Mass.sphere(1.0, mass=1).inertia)  # approximately a point
        string = od.Capsule(0.004, length, position=(0, 0, length / 2), color="gray")  # visible, without contacts
        string.category_bits = string.collide_bits = 0
        turned = od.rotation.quaternion_from_axis_angle((0, 1, 0), -ANGLE)
        bob = world.add_body(od.Sphere(RADIUS), string, position=place, quaternion=turned, mass=point, name=f"bob {k}")
        world.add_hinge(bob, None, anchor=(0, y, 0), axis=(0, 1, 0))
    beam = od.Box((0.05, 2.5 * RADIUS * PENDULUMS, 0.05), position=(0, 1.25 * RADIUS * (PENDULUMS - 1), 0.025))
    world.add_geom(beam)
    return Scene(world, seconds=CYCLE, moment=3.4, camera=(0.95, -1.25, 0.1), target=(0, 0.4, -0.52))


def angles(world):
    """Angles of all pendulums, relative to the initial one."""
    return [math.atan2(bob.position[0], -bob.position[2]) / ANGLE for bob in world.bodies]


if __name__ == "__main__":
    scene = build()
    scene.run(steps=scene.steps // 2)
    halfway = angles(scene.world)
    scene.run(steps=scene.steps // 2)
    end = angles(scene.world)
    print("after half a cycle:", " ".join(f"{angle:+.2f}" for angle in halfway))
    print("after a cycle:     ", " ".join(f"{angle:+.2f}" for angle in end))
