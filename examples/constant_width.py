"""A user-defined shape: bodies of constant width roll under a plate like balls, though they are not round.

A Reuleaux triangle rotated about its axis has the same width in every direction, like a ball, so that a plate on three of
them stays level at a constant height. `od.SupportClass` creates geoms from a support function: the furthest point along a
direction.
"""

import math

import numba

import opendynamics as od
from opendynamics.scenes import Scene

WIDTH = 0.3  # m
SPEED = 0.5  # m/s, of the plate
TIP = WIDTH / math.sqrt(3)  # m, from the centre of the triangle to its tip
FOOT = TIP - WIDTH * math.sqrt(3) / 2  # m, height of its other corners


@numba.njit
def support(parameters, d):
    """The tip points along z. Between two corners, an arc about the third has the radius of the shape's width."""
    w, tip, foot = parameters[0], parameters[1], parameters[2]
    across = math.sqrt(d[0] * d[0] + d[1] * d[1])
    length = math.sqrt(across * across + d[2] * d[2])
    up = math.atan2(d[2], across)
    if up >= math.pi / 3:
        r, z = 0.0, tip
    elif up >= 0.0:
        r, z = -w / 2 + w * across / length, foot + w * d[2] / length
    elif up > -math.pi / 3:
        r, z = w / 2, foot
    else:
        r, z = w * across / length, tip + w * d[2] / length
    k = r / across if across > 0.0 else 0.0
    return k * d[0], k * d[1], z


Roller = od.SupportClass("roller", support)


def build():
    """Three rollers in different orientations, and a plate on them that a motor pulls."""
    world = od.World(gravity=(0, 0, -9.81), surface=od.Surface(mu=0.8))
    world.add_plane(name="ground")
    for k, (x, y) in enumerate(((-0.4, -0.25), (-0.4, 0.25), (0.3, 0.0))):
        turned = od.rotation.quaternion_from_axis_angle((0.3 + k, 1.0, 0.2), 0.7 + 0.9 * k)
        body = world.add_body(
            Roller((WIDTH, TIP, FOOT)), quaternion=turned, mass=od.Mass.sphere(WIDTH / 2, mass=2), name=f"roller {k}"
        )
        body.position = (x, y, -body.geoms[0].aabb[4])
    plate = world.add_body(od.Box((1.6, 1.0, 0.04)), position=(-0.15, 0, WIDTH + 0.02), mass=5, name="plate")
    pull = world.add_lmotor(plate, None, axes=[(1, 0, 0)])
    pull.limit_motors[0].motor(SPEED, 200)
    return Scene(world, h=0.002, seconds=0.6, moment=0.3, camera=(1.0, -2.0, 0.75), target=(0, 0, 0.12))


if __name__ == "__main__":
    scene = build()
    plate, rollers = scene.world.find("plate"), scene.world.bodies[:3]
    start, low, high = plate.position[0], 1.0, 0.0
    for _ in scene.play():
        low, high = min(low, plate.position[2]), max(high, plate.position[2])
    moved = plate.position[0] - start
    print(
        f"the plate has moved by {moved:.2f} m, up and down by {1000 * (high - low):.2f} mm; rollers of {1000 * WIDTH:.0f} mm"
    )
