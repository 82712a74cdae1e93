"""A pit: balls, boxes, capsules and cylinders fall into it and come to rest in a pile, where they fall asleep.

Five planes form a pit whose walls cannot be passed: a plane is solid behind its face. Energy can only decrease.
"""

import random

import opendynamics as od
from opendynamics.scenes import Scene

BODIES, SIDE = 40, 1.6  # number, m


def build(bodies=BODIES, seed=1):
    """Bodies above the pit, randomly rotated."""
    chance = random.Random(seed)
    world = od.World(gravity=(0, 0, -9.81), surface=od.Surface(mu=0.5, bounce=0.1, bounce_velocity=0.2, rolling=0.01))
    world.auto_disable = True
    world.auto_disable_linear_threshold, world.auto_disable_angular_threshold = 0.1, 0.4  # m/s, rad/s
    world.set_damping(0.002, 0.01)
    world.add_plane(name="floor")
    for normal in ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0)):
        world.add_plane(normal=normal, d=-0.5 * SIDE, name=f"wall {normal}")
    for k in range(bodies):
        shapes = (od.Sphere(0.13), od.Box((0.3, 0.2, 0.16)), od.Capsule(0.08, 0.2), od.Cylinder(0.12, 0.2))
        x, y = (chance.uniform(-0.35, 0.35) * SIDE for _ in range(2))
        turned = od.rotation.quaternion_from_axis_angle([chance.gauss(0, 1) for _ in range(3)], chance.uniform(0, 3))
        world.add_body(shapes[k % 4], position=(x, y, 0.4 + 0.12 * k), quaternion=turned, density=800, name=f"body {k}")
    return Scene(world, seconds=6.0, moment=1.4, camera=(0.35, -0.72, 3.6), target=(0.0, 0.02, 0.3))


if __name__ == "__main__":
    scene = build()
    world = scene.world
    start = world.potential_energy
    energies = []
    for step in scene.play():
        if step % 10 == 0:
            energies.append(world.potential_energy + world.kinetic_energy)
    inside = sum(max(abs(x), abs(y)) < 0.5 * SIDE and z > 0 for x, y, z in world.positions)
    asleep = sum(not body.enabled for body in world.bodies)
    print(
        f"{inside} of {BODIES} bodies lie in the pit, {asleep} of them asleep; {energies[-1] / start:.0%} of the energy is left"
    )
