"""A folded chain that is released at one end falls faster than a free ball: the whip effect.

Nothing is lost in the bend, so that the energy of all links that have fallen goes to the few that are still falling. Calkin
and March (1989) filmed it. A ball dropped from the height of the free end at the same time arrives later.
"""

import opendynamics as od
from opendynamics.scenes import Scene

LINKS, LENGTH, RADIUS = 40, 0.05, 0.008  # number; m: of a link and its radius
BEND = 2  # horizontal links, between the two halves
TOP = 1.2  # m
G = 9.81


def build():
    """The chain hangs from both ends, close together; one of them is released. A ball starts next to it."""
    world = od.World(gravity=(0, 0, -G))
    world.integrator, world.substeps = "verlet", 4
    half = (LINKS - BEND) // 2
    ways = [(0, -LENGTH)] * half + [(LENGTH, 0)] * BEND + [(0, LENGTH)] * half
    x, z, last = 0.0, TOP, None
    for k, (across, up) in enumerate(ways):
        level = od.rotation.quaternion_from_axis_angle((0, 1, 0), 1.5708 if across else 0.0)
        shape = od.Capsule(RADIUS, LENGTH - 2 * RADIUS)
        link = world.add_body(
            shape, position=(x + across / 2, 0, z + up / 2), quaternion=level, mass=0.02, name=f"link {k}"
        )
        shape.collide_bits = 0
        world.add_ball(link, last, anchor=(x, 0, z))
        x, z, last = x + across, z + up, link
    world.add_body(od.Sphere(0.02), position=(x + 0.1, 0, z - LENGTH / 2), mass=0.02, name="ball", color="red")
    world.add_plane((0, -1, 0), -0.25, name="wall behind")
    return Scene(world, h=0.002, seconds=0.44, moment=0.38, camera=(0.5, -2.35, 0.95), target=(0.15, 0, 0.7))


if __name__ == "__main__":
    scene = build()
    tip, ball = scene.world.bodies[-2:]
    before, ahead, speed = scene.world.kinetic_energy + scene.world.potential_energy, 0.0, 0.0
    for _ in scene.play():
        ahead = max(ahead, ball.position[2] - tip.position[2])
        speed = max(speed, abs(tip.linear_velocity[2]))
    free = G * scene.seconds
    lost = before - scene.world.kinetic_energy - scene.world.potential_energy
    print(
        f"the tip gets {100 * ahead:.0f} cm ahead of the ball and falls at up to {speed:.1f} m/s; the ball at {free:.1f} m/s"
    )
    print(f"energy lost: {lost:.4f} J of {0.5 * 0.02 * free**2 * LINKS:.1f} J")
