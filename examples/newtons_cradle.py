"""Newton's cradle: as many balls leave the row as arrive, at the same speed.

Momentum and energy alone would allow other outcomes; steel balls collide one pair after another, and so do bodies of a world
with `impacts = "sequential"`. Otherwise a step resolves all its impacts at once.
"""

import math

import opendynamics as od
from opendynamics.scenes import Scene

BALLS, LIFTED = 5, 2
RADIUS, STRING = 0.1, 1.0  # m
ANGLE = math.radians(30)


def build(lifted=LIFTED):
    """Balls that touch each other, the first ones pulled aside."""
    steel = od.Surface(mu=0.0, bounce=1.0)
    world = od.World(gravity=(0, 0, -9.81), surface=steel)
    world.integrator, world.impacts = "verlet", "sequential"
    for k in range(BALLS):
        x, angle = 2 * RADIUS * (k - BALLS // 2), ANGLE if k < lifted else 0.0
        place = (x - STRING * math.sin(angle), 0, -STRING * math.cos(angle))
        string = od.Capsule(0.006, STRING, position=(0, 0, STRING / 2), color="gray")  # visible, without contacts
        string.category_bits = string.collide_bits = 0
        turned = od.rotation.quaternion_from_axis_angle((0, 1, 0), angle)
        mass = od.Mass.sphere(RADIUS, density=7800)
        ball = world.add_body(od.Sphere(RADIUS), string, position=place, quaternion=turned, mass=mass, name=f"ball {k}")
        world.add_hinge(ball, None, anchor=(x, 0, 0), axis=(0, 1, 0))
    world.add_geom(od.Box((2 * RADIUS * BALLS, 0.06, 0.06), position=(0, 0, 0.03), name="beam"))
    world.add_plane(d=-1.3, name="table")
    return Scene(world, h=0.001, seconds=1.6, moment=0.75, camera=(0.55, -2.2, -0.25), target=(0.1, 0, -0.6))


if __name__ == "__main__":
    scene = build()
    world = scene.world
    arrived, impact = 0.0, 0
    for step in scene.play(steps=700):
        now = [ball.linear_velocity[0] for ball in world.bodies]
        arrived = max(arrived, now[0])
        if not impact and now[-1] > 0.5 * arrived:
            impact = step
        if step == impact + 3:  # the second ball arrives a step after the first
            speeds = now
    left = sum(speed > 0.5 * arrived for speed in speeds)
    print(f"{LIFTED} balls arrive at {arrived:.3f} m/s; {left} leave at {speeds[-1]:.3f} m/s, the others rest")
