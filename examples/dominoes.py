"""Dominoes: the wave has its own speed, which is proportional to the square root of their size.

The speed can depend only on gravity and lengths, so dominoes four times as large, four times as far apart, fall in
a wave twice as fast: a law of similarity that needs no theory of dominoes.
"""

import math

import opendynamics as od
from opendynamics.scenes import Scene

COUNT = 24
THICKNESS, WIDTH, HEIGHT, APART = 0.01, 0.025, 0.05, 0.025  # m
G = 9.81  # m/s²


def build(scale=1.0):
    """A row of dominoes, `scale` times the usual size; the first one is about to fall."""
    world = od.World(gravity=(0, 0, -G), surface=od.Surface(mu=0.3))
    world.add_plane(name="table")
    size = (THICKNESS * scale, WIDTH * scale, HEIGHT * scale)
    for k in range(COUNT):
        world.add_body(od.Box(size), position=(APART * scale * k, 0, 0.5 * size[2]), density=1200, name=f"domino {k}")
    world.bodies[0].add_angular_impulse((0, 1.5 * world.bodies[0].inertia[1, 1] * math.sqrt(G / size[2]), 0))
    far = 0.5 * APART * COUNT
    return Scene(
        world,
        h=0.002 * math.sqrt(scale),
        seconds=1.5 * math.sqrt(scale),
        moment=0.4 * math.sqrt(scale),
        camera=(1.5 * far * scale, -1.6 * far * scale, 0.75 * far * scale),
        target=(0.98 * far * scale, 0, 0.01 * scale),
    )


def wave_speed(scale=1.0):
    """Speed of the wave over the second half of the row, m/s, and how many dominoes fall."""
    scene, fallen = build(scale), {}
    for step in scene.play():
        for k, domino in enumerate(scene.world.bodies):
            if k not in fallen and domino.rotation[2, 2] < math.cos(math.radians(20)):
                fallen[k] = step * scene.h
    half = COUNT // 2
    return APART * scale * (COUNT - 1 - half) / (fallen[COUNT - 1] - fallen[half]), len(fallen)


if __name__ == "__main__":
    (small, fallen), (large, _) = wave_speed(), wave_speed(4.0)
    print(
        f"{fallen} of {COUNT} dominoes fall, in a wave of {small:.2f} m/s, {small / math.sqrt(G * HEIGHT):.2f} sqrt(g h)"
    )
    print(f"four times as large: {large:.2f} m/s, {large / small:.2f} times as fast")
