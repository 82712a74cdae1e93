"""A lidar: a robot drives in a room and measures distances in all directions, with a fan of rays in one call.

`world.cast_rays` takes and returns arrays; `exclude` leaves out the robot itself. The points of all scans together draw the
room. Beams and points are drawn as geoms in a separate space, which no ray hits.
"""

import numpy as np

import opendynamics as od
from opendynamics.scenes import Scene

ROOM = (6.0, 4.0)  # m, inside
PILLAR, PLACE = 0.4, (1.2, 0.5)  # m: radius and centre
BEAMS, REACH, HEIGHT = 180, 8.0, 0.35  # per scan; m
SPEED, TURN = 0.5, 0.25  # m/s, rad/s

drawn = od.SimpleSpace()


def build():
    """A room with a pillar, and a robot that drives in a curve."""
    world = od.World(gravity=(0, 0, -9.81))
    world.add_plane(name="floor")
    (x, y), thick = np.array(ROOM) / 2, 0.1
    for side in (-1, 1):
        world.add_geom(od.Box((2 * x, thick, 0.8), position=(0, side * (y + thick / 2), 0.4), name="wall"))
        world.add_geom(od.Box((thick, 2 * y, 0.8), position=(side * (x + thick / 2), 0, 0.4), name="wall"))
    world.add_geom(od.Cylinder(PILLAR, 0.8, position=(*PLACE, 0.4), name="pillar"))
    robot = world.add_body(od.Cylinder(0.2, 0.3), position=(-2, -1, 0.151), mass=5, name="robot")
    robot.kinematic = True

    def drive(time):
        robot.linear_velocity = robot.vector_to_world((SPEED, 0, 0))
        robot.angular_velocity = (0, 0, TURN)
        if round(100 * time) % 100 == 99:  # every second
            draw(scan(world, robot)[1], robot.position * (1, 1, 0) + (0, 0, HEIGHT))

    return Scene(world, seconds=5.0, moment=2.1, camera=(-2.5, -5.2, 5.3), target=(-0.1, -0.4, 0), control=drive)


def draw(points, start):
    """The points of a scan, and some of its beams."""
    for end in points:
        od.Sphere(0.025, position=end, color="red", space=drawn)
    for end in points[::6]:
        turn, length = od.rotation.from_z_axis(end - start), np.linalg.norm(end - start)
        od.Cylinder(0.005, length, position=(end + start) / 2, rotation=turn, color="orange", space=drawn)


def scan(world, robot):
    """Distances in the robot's frame, m, and points in the world frame, shape (BEAMS, 3); NaN where nothing is in reach."""
    angles = 2 * np.pi * np.arange(BEAMS) / BEAMS
    beams = np.column_stack([np.cos(angles), np.sin(angles), np.zeros(BEAMS)]) @ robot.rotation.T
    start = robot.position * (1, 1, 0) + (0, 0, HEIGHT)
    hits = world.cast_rays(np.tile(start, (BEAMS, 1)), beams, max_distance=REACH, exclude=robot)
    return hits.distance, hits.position


def off_surfaces(points):
    """Distance of points from the nearest wall or the pillar, m, shape (n,)."""
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
