"""A car from scratch: bodies, hinges with motors, and a scene that `opendynamics run examples/car.py` plays.

Three wheels: two driven ones behind, and one in front that a steering axis turns. The built-in scene `car`
(`opendynamics demo car`) has four.
"""

import math

import opendynamics as od
from opendynamics.scenes import Scene

RADIUS, WIDTH, SPEED = 0.25, 0.14, 3.0  # m, m, m/s
LYING = od.rotation.quaternion_from_axis_angle((1, 0, 0), math.pi / 2)  # a cylinder's axis along y


def build():
    """The car, and how it is driven: ahead for two seconds, then in serpentines."""
    world = od.World(gravity=(0, 0, -9.81), surface=od.Surface(mu=0.9))
    world.add_plane(normal=(0, 0, 1))
    chassis = world.add_body(od.Box((1.4, 0.5, 0.2)), position=(0, 0, 0.3), mass=150, color="red", name="chassis")

    def add_wheel(carrier, x, y):
        tyre = od.Cylinder(RADIUS, WIDTH, color="#303438")
        wheel = world.add_body(tyre, position=(x, y, RADIUS), quaternion=LYING, mass=8)
        return world.add_hinge(wheel, carrier, anchor=(x, y, RADIUS), axis=(0, 1, 0))  # ahead is positive

    for y in (0.55, -0.55):
        add_wheel(chassis, -0.6, y).motor(velocity=SPEED / RADIUS, max_torque=60)

    fork = world.add_body(position=(1.0, 0, RADIUS), mass=od.Mass.sphere(0.1, mass=5))
    steering = world.add_hinge(fork, chassis, anchor=(1.0, 0, RADIUS), axis=(0, 0, 1), stops=(-0.6, 0.6))
    add_wheel(fork, 1.0, 0)

    def drive(time):
        target = 0.4 * math.sin(time) if time > 2 else 0.0
        steering.motor(velocity=10 * (target - steering.angle), max_torque=100)

    return Scene(world, h=0.01, seconds=10, moment=1.0, camera=(5.0, -3.6, 2.0), target=(2.7, 0, 0.2), control=drive)


if __name__ == "__main__":
    scene = build()
    chassis = scene.world.bodies[0]
    for step in scene.play():
        if step % 100 == 0:
            x, y, _ = chassis.position
            speed = math.hypot(*chassis.linear_velocity)
            print(f"{step * scene.h:3.0f} s: x = {x:5.2f} m, y = {y:5.2f} m, {speed:.2f} m/s")
