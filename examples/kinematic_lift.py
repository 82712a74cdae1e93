"""A lift: a kinematic platform moves at the velocity that is set, and its load feels the acceleration.

A kinematic body ignores forces; the program sets its velocity. A load of mass m on a lift with the acceleration a presses on
the floor with m (g + a), as bathroom scales in a lift show.
"""

import math

import opendynamics as od
from opendynamics.scenes import Scene

G, MASS = 9.81, 75.0  # m/s², kg
RISE, PERIOD = 1.5, 4.0  # m, s: up and down by a sine
RATE = 2 * math.pi / PERIOD


def build():
    """A crate on the platform, which starts at its lowest point."""
    world = od.World(gravity=(0, 0, -G))
    world.add_plane(name="ground")
    lift = world.add_body(od.Box((1.5, 1.5, 0.1)), position=(0, 0, 0.25), mass=1, name="lift")
    lift.kinematic = True
    world.add_body(od.Box((0.7, 0.7, 0.9)), position=(0, 0, 0.75), mass=MASS, name="crate")
    for x in (-0.85, 0.85):
        world.add_geom(od.Box((0.1, 0.1, 3.2), position=(x, 0, 1.6), name="rail"))

    def drive(time):
        lift.linear_velocity = (0, 0, 0.5 * RISE * RATE * math.sin(RATE * time))

    return Scene(world, seconds=PERIOD, moment=1.6, camera=(3.0, -5.9, 2.6), target=(0, 0, 1.5), control=drive)


def forces(scene):
    """Force of the crate on the lift, N, and the theoretical one, from a tenth of a second on."""
    lift, crate, found = scene.world.find("lift"), scene.world.find("crate"), []
    for step in scene.play():
        middle = (step - 0.5) * scene.h  # a step's force is its mean
        acceleration = 0.5 * RISE * RATE**2 * math.cos(RATE * (middle - 0.5 * scene.h))
        found.append((scene.world.contact_force(crate, lift)[2], MASS * (G + acceleration)))
    return found[10:]


if __name__ == "__main__":
    found = forces(build())
    measured = [force for force, _ in found]
    off = max(abs(force - theory) for force, theory in found)
    print(
        f"the crate of {MASS:.0f} kg presses with {min(measured):.0f} to {max(measured):.0f} N, {off:.1f} N from theory at most"
    )
