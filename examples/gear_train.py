"""A gear train: two pairs of wheels convert high speed and low torque to low speed and high torque.

A transmission joint makes two wheels mesh; hinges hold the axles. Speeds are divided by the ratio of radii, torques multiplied
by it: here 3 times 4. The load on the last wheel takes all of the motor's power, as nothing is lost.
"""

import math

import opendynamics as od
from opendynamics.scenes import Scene

SMALL, MIDDLE, LARGE = 0.1, 0.3, 0.4  # m, radii; two small wheels, one on the axle of the middle one
RATIO = MIDDLE / SMALL * LARGE / SMALL
SPEED, LOAD = 12.0, 6.0  # rad/s of the motor, N m on the last axle
THICK = 0.06  # m


def build():
    """Three axles with four wheels, a motor on the first, a load on the last."""
    world = od.World()
    lying = od.rotation.quaternion_from_axis_angle((1, 0, 0), math.pi / 2)

    def add_axle(name, x, *wheels):
        """A transverse axle with wheels (radius, y); a spoke makes its rotation visible."""
        shapes = []
        for radius, y in wheels:
            spoke = od.Box((1.7 * radius, 0.02, 0.02), position=(0, y - THICK / 2, 0))
            shapes += [od.Cylinder(radius, THICK, position=(0, y, 0), quaternion=lying), spoke]
        axle = world.add_body(*shapes, position=(x, 0, 0.5), density=2700, name=name)
        for shape in shapes:
            shape.collide_bits = 0  # the transmission makes them mesh
        return axle, world.add_hinge(axle, None, anchor=(x, 0, 0.5), axis=(0, 1, 0), name=name)

    first, motor = add_axle("motor", 0.0, (SMALL, 0.0))
    second, _ = add_axle("layshaft", SMALL + MIDDLE, (MIDDLE, 0.0), (SMALL, 0.1))
    third, output = add_axle("output", 2 * SMALL + MIDDLE + LARGE, (LARGE, 0.1))
    for one, two, y, ratio in ((first, second, 0.0, SMALL / MIDDLE), (second, third, 0.1, SMALL / LARGE)):
        centres = {f"anchor{k}": (body.position[0], y, 0.5) for k, body in ((1, one), (2, two))}
        world.add_transmission(one, two, mode="parallel", axis=(0, 1, 0), ratio=ratio, **centres)
    motor.motor(velocity=SPEED, max_torque=50)

    def load(time):
        output.add_torque(-math.copysign(LOAD, output.rate))

    return Scene(world, h=0.002, seconds=1.0, moment=0.3, camera=(0.45, -1.9, 0.9), target=(0.45, 0, 0.5), control=load)


if __name__ == "__main__":
    scene = build()
    scene.run()
    motor, layshaft, output = (scene.world.find(name) for name in ("motor", "layshaft", "output"))
    rates = [body.angular_velocity[1] for body in (motor, layshaft, output)]
    hinge = scene.world.joints[0]
    torque = hinge.feedback.torque1[1]
    print("axles turn at", ", ".join(f"{rate:.3f}" for rate in rates), "rad/s")
    print(
        f"the motor gives {torque:.3f} N m for a load of {LOAD} N m: a {abs(LOAD / torque):.2f}th; the ratio is {RATIO:g}"
    )
