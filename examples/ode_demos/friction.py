"""ODE's demo_friction: boxes in a grid, heavier in one direction, with more friction in the other, all pushed with the same
force.

Friction is a force limit here, as by default in C: a box slides if the push exceeds it.
"""

from ode_demo import *

FRAMES, COUNT, PUSH = 80, 4, 4.5

stage = Stage(-9.81, h=0.02, mode=0, mu=0)
grid, limits = {}, {}
for row in range(COUNT):
    for column in range(COUNT):
        body = stage.box((0.5, 0.5, 0.5), (row * 2, column * 4, 0.25), 8 * (row + 1))  # 1 to 4 kg
        grid[row, column] = body
        limits[dBodyGetFirstGeom(body)] = column + 1.0  # N at each of four corners


def surface(o1, o2):
    """A limit for each box on the ground; boxes do not touch each other."""
    return {"mode": 0, "mu": 0.4 * limits.get(o1, limits.get(o2, 0.0))}


def push(time):
    for body in grid.values():
        dBodyAddForce(body, 0, PUSH, 0)


stage.surface, stage.forces = surface, push


def check():
    for (row, column), body in grid.items():
        way = dBodyGetPosition(body)[1] - 4 * column
        slides = 4 * 0.4 * (column + 1) < PUSH
        assert (way > 0.05) == slides, "whether it slides is a matter of its friction, not of its mass"
        if slides:  # s = (F - f) t² / 2 m
            wanted = 0.5 * (PUSH - 1.6 * (column + 1)) / (row + 1) * (FRAMES * stage.h) ** 2
            assert close(way, wanted, 0.05 * wanted + 0.02)


if __name__ == "__main__":
    stage.show()
