"""A four-cylinder engine: pistons on sliders, rods on hinges, and a flywheel, driven by gas forces on the pistons.

A slider-crank converts strokes to rotation. With a crank of radius r at the angle a and a rod of length l, the piston is at r
cos a + sqrt(l² - r² sin² a). Gas pushes a piston down in half of every turn; the load is a brake.
"""

import math

import opendynamics as od
from opendynamics.scenes import Scene

CRANK, ROD, BORE = 0.04, 0.14, 0.035  # m: radius of the crank, length of a rod, radius of a piston
CYLINDERS = (0.0, math.pi, math.pi, 0.0)  # rad, of the crank pins
APART = 0.1  # m, between cylinders
GAS = 400.0  # N on a piston that moves down
BRAKE, STARTER = 12.0, 30.0  # N m
AXIS = (0, 1, 0)


def piston_height(angle):
    """Geometric height of a piston's pin over the crankshaft, m."""
    return CRANK * math.cos(angle) + math.sqrt(ROD**2 - (CRANK * math.sin(angle)) ** 2)


def build():
    """The engine at rest, the first crank pin at the top."""
    world = od.World(gravity=(0, 0, -9.81))
    world.integrator = "verlet"
    lying = od.rotation.quaternion_from_axis_angle((1, 0, 0), math.pi / 2)
    middle = 0.5 * APART * (len(CYLINDERS) - 1)
    wheel = od.Cylinder(0.1, 0.03, position=(0, middle + 0.08, 0), quaternion=lying)
    shaft = world.add_body(wheel, od.Cylinder(0.015, 0.4, quaternion=lying), density=7800, name="shaft")
    hinge = world.add_hinge(shaft, None, anchor=(0, 0, 0), axis=AXIS, name="main bearing")
    pistons = []
    for k, phase in enumerate(CYLINDERS):
        y, top = APART * k - middle, piston_height(phase)
        pin = (CRANK * math.sin(phase), y, CRANK * math.cos(phase))
        piston = world.add_body(od.Cylinder(BORE, 0.05), position=(0, y, top), mass=0.4, name=f"piston {k}")
        tilt = od.rotation.quaternion_from_axis_angle(AXIS, math.atan2(-pin[0], top - pin[2]))
        centre = (0.5 * pin[0], y, 0.5 * (pin[2] + top))
        rod = world.add_body(od.Box((0.015, 0.012, ROD)), position=centre, quaternion=tilt, mass=0.3, name=f"rod {k}")
        world.add_hinge(rod, shaft, anchor=pin, axis=AXIS)
        world.add_ball(rod, piston, anchor=(0, y, top))
        world.add_slider(piston, None, axis=(0, 0, 1))
        pistons.append(piston)
    for geom in world.geoms:
        geom.collide_bits = 0  # rods pass through the crankshaft, which has no cheeks here

    hinge.motor(velocity=0.0, max_torque=BRAKE)

    def burn(time):
        if time < 0.1:
            hinge.add_torque(STARTER)  # two pistons start at the top, where gas exerts no torque on the shaft
        for piston, phase in zip(pistons, CYLINDERS, strict=True):
            if math.sin(hinge.angle + phase) > 0:
                piston.add_force((0, 0, -GAS))

    return Scene(
        world,
        h=0.001,
        seconds=1.5,
        moment=0.31,
        camera=(0.55, -0.62, 0.4),
        target=(0, 0.02, 0.06),
        control=burn,
    )


if __name__ == "__main__":
    scene = build()
    hinge, pistons, error = scene.world.joints[0], scene.world.bodies[1::2], 0.0
    for _ in scene.play():
        heights = (piston_height(hinge.angle + phase) for phase in CYLINDERS)
        error = max([error, *(abs(p.position[2] - z) for p, z in zip(pistons, heights, strict=True))])
    mean = 4 * GAS * 2 * CRANK / (2 * math.pi)
    print(
        f"{hinge.rate * 30 / math.pi:.0f} turns a minute after {scene.seconds} s; gas {mean:.1f} N m, brake {BRAKE} N m"
    )
    print(f"pistons stood where geometry says to {1e6 * error:.1f} µm")
