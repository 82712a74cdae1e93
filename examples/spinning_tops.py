"""Spinning tops: gravity does not tip a spinning top over, but rotates its axis about the vertical.

A fast top of mass m with its centre a distance l from the tip, and spin w about an axis of inertia I, precesses at m g l / (I
w): the faster it spins, the slower it precesses.
"""

import math

import opendynamics as od
from opendynamics.scenes import Scene

G = 9.81  # m/s²
SPINS = (100.0, 200.0, 400.0)  # rad/s
LEAN = math.radians(25)
RADIUS, THICKNESS, LEG = 0.12, 0.03, 0.15  # m: of the disc, and from its centre to the tip
APART = 0.5  # m
AXIS = (math.sin(LEAN), 0, math.cos(LEAN))


def build():
    """Tops on ball joints at their tips; each starts with its steady precession, so that it does not nutate."""
    world = od.World(gravity=(0, 0, -G))
    world.integrator = "energy-momentum"
    world.add_plane()
    turned = od.rotation.quaternion_from_axis_angle((0, 1, 0), LEAN)
    for k, spin in enumerate(SPINS):
        tip = (0, APART * (1 - k), 0.02)
        place = [t + LEG * a for t, a in zip(tip, AXIS, strict=True)]
        disc, leg = od.Cylinder(RADIUS, THICKNESS), od.Capsule(0.008, LEG, position=(0, 0, -LEG / 2))
        mass = od.Mass.cylinder(RADIUS, THICKNESS, mass=1.0)
        top = world.add_body(disc, leg, position=place, quaternion=turned, mass=mass, name=f"top of {spin:g} rad/s")
        disc.collide_bits = leg.collide_bits = 0
        world.add_ball(top, None, anchor=tip)
        rate = precession(top, spin)
        top.angular_velocity = [spin * a for a in AXIS[:2]] + [spin * AXIS[2] + rate]
        top.linear_velocity = (0, rate * LEG * AXIS[0], 0)
    return Scene(world, h=0.0002, seconds=1.0, moment=0.4, camera=(1.5, -0.9, 0.8), target=(0, 0, 0.1))


def precession(top, spin):
    """Theoretical precession of a fast top, rad/s."""
    return top.mass * G * LEG / (top.inertia[2, 2] * spin)


def turned(top):
    """Direction in which the top leans, rad."""
    return math.atan2(top.rotation[1, 2], top.rotation[0, 2])


if __name__ == "__main__":
    scene = build()
    scene.run()
    ratios = []
    for top, spin in zip(scene.world.bodies, SPINS, strict=True):
        theory = precession(top, spin)
        found = turned(top) % (2 * math.pi) / scene.seconds
        ratios.append(found / theory)
        print(f"{top.name}: precesses at {found:.3f} rad/s, by theory {theory:.3f} rad/s")
