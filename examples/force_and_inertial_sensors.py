"""A force-torque sensor, an accelerometer and a rate gyro on a pendulum, as a robot's file declares them.

Released at the angle a, a pendulum of length l passes its lowest point with w² = 2 g (1 - cos a) / l, where its bearing
carries m g (3 - 2 cos a), and an accelerometer in the bob shows g (3 - 2 cos a) upwards.
"""

import math
from pathlib import Path

import opendynamics as od
from opendynamics.scenes import Scene

FILE = Path(__file__).parent / "data" / "pendulum.body"
H, G = 0.001, 9.81  # s, m/s²
MASS, LENGTH, ANGLE = 2.0, 1.0, math.radians(60)  # kg, m (as in the file), rad


def build():
    """The pendulum, pulled aside; its sensors are read after each step."""
    world = od.World(gravity=(0, 0, -G))
    world.integrator = "verlet"
    world.add_plane(name="ground")
    model = od.load_robot(FILE)
    robot = od.Robot(world, model, model.state(q=[ANGLE], position=(0, 0, 1.5)))
    world.data = robot
    return Scene(world, h=H, seconds=0.8, moment=0.15, camera=(0.5, -2.5, 1.6), target=(-0.4, 0, 0.8))


def lowest(scene):
    """Bearing's force, N, specific force, m/s², and angular speed, rad/s, at the lowest point."""
    robot, best = scene.world.data, (2 * math.pi, 0.0, 0.0, 0.0)
    for _ in scene.play():
        robot.sense(H)
        force = math.hypot(*robot.sensors["bearing"].force)
        felt = robot.sensors["accelerometer"].acceleration[2]
        rate = abs(robot.sensors["gyro"].angular_velocity[1])
        best = min(best, (abs(robot.read().q[0]), force, felt, rate))
    return best[1:]


if __name__ == "__main__":
    force, felt, rate = lowest(build())
    factor = 3 - 2 * math.cos(ANGLE)
    theory = math.sqrt(2 * G * (1 - math.cos(ANGLE)) / LENGTH)
    print(f"at the lowest point the bearing bears {force:.2f} N, by theory {MASS * G * factor:.2f} N;")
    print(f"the accelerometer shows {felt:.2f} m/s² ({G * factor:.2f}), the gyro {rate:.3f} rad/s ({theory:.3f})")
