"""Trigger zones: two light barriers measure the acceleration of a falling ball.

A geom with `sensor=True` detects what overlaps it without contact forces. `world.contact_events` reports when a pair begins
and ends to touch, to the accuracy of a step; the two times and the initial height give g.
"""

import opendynamics as od
from opendynamics.scenes import Scene

H, G = 0.0005, 9.81  # s, m/s²
RADIUS, TOP = 0.1, 2.0  # m: of the ball; where its lower side starts
BARRIERS = (1.4, 0.4)  # m: height of the upper face of each


def build():
    """A ball over two barriers."""
    world = od.World(gravity=(0, 0, -G))
    world.add_plane(name="ground")
    world.add_body(od.Sphere(RADIUS), position=(0, 0, TOP + RADIUS), mass=0.1, name="ball")
    for z in BARRIERS:
        world.add_geom(od.Box((0.6, 0.6, 0.02), position=(0, 0, z - 0.01), sensor=True, name=f"barrier at {z} m"))
        for x in (-0.32, 0.32):
            world.add_geom(od.Box((0.04, 0.1, 0.1), position=(x, 0, z - 0.01), name="post"))
    return Scene(world, h=H, seconds=0.62, moment=0.49, camera=(0.9, -2.9, 1.5), target=(0, 0, 0.85))


def barrier_times(scene):
    """Times when the ball entered each barrier, s."""
    found = list(scene.world.contact_events.begin)  # starts tracking
    for _ in scene.play():
        found += [pair.time for pair in scene.world.contact_events.begin if pair.sensor]  # of the last step
    return found


if __name__ == "__main__":
    first, second = barrier_times(build())
    root1, root2 = ((2 * (TOP - z)) ** 0.5 for z in BARRIERS)  # a fall from rest by s takes sqrt(2 s / g)
    found = ((root2 - root1) / (second - first)) ** 2
    print(f"the ball passes after {first:.4f} and {second:.4f} s: g = {found:.3f} m/s²")
