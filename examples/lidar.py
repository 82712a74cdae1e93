"""A lidar: a robot turns in a room and measures distances all round, a fan of rays in one call.

`world.cast_rays` takes arrays and gives arrays; `exclude` leaves out the robot itself. The points of all scans together
draw the room, wherever the robot stood.
"""

import numpy as np

import opendynamics as od
from opendynamics.scenes import Scene

ROOM = (6.0, 4.0)  # m, inside
PILLAR, PLACE = 0.4, (1.2, 0.5)  # m: radius and centre
BEAMS, REACH, HEIGHT = 180, 8.0, 0.35  # in a turn; m
SPEED, TURN = 0.5, 0.25  # m/s, rad/s


def build():
    """A room with a pillar, and a robot that drives in a bend."""
    world = od.World(gravity=(0, 0, -9.81))
    world.add_plane(name="floor")
    long, wide = ROOM
    for x, y, size in (
        (0, wide / 2, (long, 0.1)),
        (0, -wide / 2, (long, 0.1)),
        (long / 2, 0, (0.1, wide)),
        (-long / 2, 0, (0.1, wide)),
    ):
        shift = 0.05 * np.sign((x, y))
        world.add_geom(od.Box((*size, 0.8), position=(x + shift[0], y + shift[1], 0.4), name="wall"))
    world.add_geom(od.Cylinder(PILLAR, 0.8, position=(*PLACE, 0.4), name="pillar"))
    robot = world.add_body(od.Cylinder(0.2, 0.3), position=(-2, -1, 0.151), mass=5, name="robot")
    robot.kinematic = True

    def drive(time):
        robot.linear_velocity = robot.vector_to_world((SPEED, 0, 0))
        robot.angular_velocity = (0, 0, TURN)

    return Scene(world, seconds=5.0, moment=2.0, camera=(-3.0, -5.6, 6.4), target=(0, -0.2, 0), control=drive)


def scan(world, robot):
    """Distances in the robot's frame, m, and points in the world, shape (BEAMS, 3); NaN where nothing is in reach."""
    angles = 2 * np.pi * np.arange(BEAMS) / BEAMS
    beams = np.column_stack([np.cos(angles), np.sin(angles), np.zeros(BEAMS)]) @ robot.rotation.T
    start = robot.position * (1, 1, 0) + (0, 0, HEIGHT)
    hits = world.cast_rays(np.tile(start, (BEAMS, 1)), beams, max_distance=REACH, exclude=robot)
    return hits.distance, hits.position


def off_surfaces(points):
    """How far points are from the nearest wall or the pillar, m, shape (n,)."""
    walls = np.abs(np.abs(points[:, :2]) - np.array(ROOM) / 2).min(axis=1)
    return np.minimum(walls, np.abs(np.linalg.norm(points[:, :2] - PLACE, axis=1) - PILLAR))


if __name__ == "__main__":
    scene = build()
    robot, points = scene.world.find("robot"), []
    for step in scene.play():
        if step % 50 == 0:
            distances, seen = scan(scene.world, robot)
            points.append(seen)
    points = np.concatenate(points)
    error = off_surfaces(points).max()
    print(
        f"{len(points)} points, the nearest thing is {distances.min():.2f} m away; the map is exact to {1000 * error:.2g} mm"
    )
