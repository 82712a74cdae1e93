"""Collision filters: a sieve that stops red balls and lets blue ones pass.

Two geoms collide if a category bit of one is among the collide bits of the other. Give each group of objects a bit, and set
for each which groups it collides with.
"""

import opendynamics as od
from opendynamics.scenes import Scene

FLOOR, SIEVE, RED, BLUE = 0b0001, 0b0010, 0b0100, 0b1000
RADIUS = 0.1  # m
HEIGHT = 1.0  # m, of the sieve


def build():
    """Red and blue balls fall on a sieve that only red ones collide with."""
    world = od.World(gravity=(0, 0, -9.81), surface=od.Surface(mu=0.6, rolling=0.01))
    floor = world.add_plane(name="floor")
    floor.category_bits = FLOOR
    sieve = world.add_geom(od.Box((2.2, 2.2, 0.05), position=(0, 0, HEIGHT), name="sieve"))
    sieve.category_bits, sieve.collide_bits = SIEVE, RED
    for k in range(16):
        bit = BLUE if (k + k // 4) % 2 else RED
        ball = od.Sphere(RADIUS)
        ball.category_bits, ball.collide_bits = bit, FLOOR | bit  # the two colours pass through each other, too
        place = (0.5 * (k % 4 - 1.5), 0.5 * (k // 4 - 1.5), 1.6 + 0.05 * k)
        world.add_body(ball, position=place, density=500, name="blue" if bit == BLUE else "red")
    return Scene(world, seconds=3.0, moment=0.75, camera=(2.2, -3.6, 2.6), target=(0, 0, 0.8))


if __name__ == "__main__":
    world = build().run()
    above = {name: sum(b.position[2] > HEIGHT for b in world.bodies if b.name == name) for name in ("red", "blue")}
    below = len(world.bodies) - sum(above.values())
    print(f"on the sieve lie {above['red']} red balls and {above['blue']} blue ones; {below} are on the floor")
