"""A car on a hilly road: hinge-2 joints carry, steer and drive its wheels.

A hinge-2 joint combines a steering axis, a suspension along it, and an axle. Its spring of stiffness k and damper c are
given by ODE's parameters: erp = h k / (h k + c), cfm = 1 / (h k + c).
"""

import math

import numpy as np

import opendynamics as od
from opendynamics.scenes import Scene, Slider

H = 0.005  # s
STIFFNESS, DAMPING = 20_000.0, 2_000.0  # N/m, N s/m: of each wheel
RADIUS, BASE, TRACK = 0.35, 2.2, 1.5  # m: of a wheel, between axles, between left and right
SPEED, TORQUE = 6.0, 300.0  # m/s; N m for each of the rear wheels
ERP, CFM = H * STIFFNESS / (H * STIFFNESS + DAMPING), 1 / (H * STIFFNESS + DAMPING)


def height(x, y):
    """Of the ground, m: level at first, then hills."""
    return 0.25 * (1 - np.cos(0.9 * np.clip(x - 4, 0, None))) * np.cos(0.25 * y)


def build():
    """The car at the beginning of the road."""
    world = od.World(gravity=(0, 0, -9.81), surface=od.Surface(mu=1.0))
    line = np.linspace(-32, 32, 129)
    x, y = np.meshgrid(line, -line)  # with z up, the rows of a heightfield run along -y
    world.add_geom(od.Heightfield(height(x, y), width=64, depth=64, thickness=1, up="z", name="road"))
    chassis = world.add_body(od.Box((3.0, 1.1, 0.3)), position=(0, 0, 0.65), mass=600, color="red", name="chassis")
    joints = {}
    for end, place in (("front", BASE / 2), ("rear", -BASE / 2)):
        for side, y in (("left", TRACK / 2), ("right", -TRACK / 2)):
            at = (place, y, RADIUS)
            lying = od.rotation.quaternion_from_axis_angle((1, 0, 0), math.pi / 2)
            wheel = od.Cylinder(RADIUS, 0.2, color="#303438")
            body = world.add_body(wheel, position=at, quaternion=lying, mass=25, name=f"{end} {side} wheel")
            joints[end, side] = world.add_hinge2(
                chassis, body, anchor=at, axis1=(0, 0, 1), axis2=(0, -1, 0), stops1=(0, 0), suspension_erp=ERP,
                suspension_cfm=CFM, name=f"{end} {side}",
            )  # fmt: skip

    def drive(speed):
        for side in ("left", "right"):
            joints["rear", side].motor2(velocity=speed / RADIUS, max_force=TORQUE)

    def steer(angle):
        for side in ("left", "right"):
            joints["front", side].stops1 = (-angle, -angle)

    drive(SPEED)
    return Scene(
        world, h=H, seconds=5.0, moment=2.4, camera=(9.5, -5.6, 2.6), target=(5.9, 0, 0.7),
        sliders=(Slider("Speed, m/s", -4, 10, SPEED, drive), Slider("Steering, rad", -0.5, 0.5, 0.0, steer)),
    )  # fmt: skip


if __name__ == "__main__":
    scene = build()
    chassis = scene.world.bodies[0]
    scene.run(steps=round(0.1 / H))
    lowest = 1.0
    for _ in scene.play():
        x, y, z = chassis.position
        lowest = min(lowest, z - float(height(x, y)))
    sink = 600 * 9.81 / 4 / STIFFNESS
    print(
        f"x = {x:.1f} m, y = {y:.2f} m at {chassis.linear_velocity[0]:.1f} m/s; the springs give {sink:.3f} m at rest"
    )
    print(f"the chassis was never lower than {lowest:.2f} m over the road")
