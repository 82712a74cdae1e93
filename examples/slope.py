"""Boxes on a slope: those with little friction slide, as one line of theory predicts.

A box holds if the coefficient of friction is at least the slope's tangent, here 0.364. Otherwise it accelerates by g (sin a -
mu cos a). Each box has its own material; `world.surfaces` defines its friction on the slope.
"""

import math

import opendynamics as od
from opendynamics.scenes import Scene

G = 9.81  # m/s²
ANGLE = math.radians(20)
FRICTION = (0.1, 0.2, 0.3, 0.35, 0.38, 0.5, 0.8)
SIDE, APART = 0.3, 0.5  # m: of a box, and between neighbours
SECONDS = 1.0

DOWN = (math.cos(ANGLE), 0, -math.sin(ANGLE))
NORMAL = (math.sin(ANGLE), 0, math.cos(ANGLE))


def build():
    """A box for each coefficient of friction, side by side on the slope."""
    world = od.World(gravity=(0, 0, -G))
    world.add_plane(normal=NORMAL, name="slope")
    turned = od.rotation.quaternion_from_axis_angle((0, 1, 0), ANGLE)
    for k, mu in enumerate(FRICTION):
        world.surfaces[f"mu {mu}"] = od.Surface(mu=mu, cone="elliptic")
        box = od.Box((SIDE, SIDE, SIDE), material=f"mu {mu}")
        place = [(0.5 * SIDE - 1e-4) * n for n in NORMAL]  # 0.1 mm deep: all four corners touch from the start
        place[1] = APART * (0.5 * (len(FRICTION) - 1) - k)
        world.add_body(box, position=place, quaternion=turned, density=500, name=f"mu {mu}")
    return Scene(world, h=0.002, seconds=SECONDS, moment=SECONDS, camera=(4.2, -3.6, 2.2), target=(0.6, 0, -0.2))


def slid(body):
    """Distance of the body down the slope, m."""
    return sum(x * d for x, d in zip(body.position, DOWN, strict=True))


def expected(mu):
    """Theoretical distance of a box with this friction from rest, m."""
    return 0.5 * max(0.0, G * (math.sin(ANGLE) - mu * math.cos(ANGLE))) * SECONDS**2


if __name__ == "__main__":
    world = build().run()
    for mu, box in zip(FRICTION, world.bodies, strict=True):
        print(f"mu = {mu:4}: slid {slid(box):5.3f} m, by theory {expected(mu):5.3f} m")
