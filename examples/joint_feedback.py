"""Joints that break: a hanging bridge of planks on hinges is loaded until one of them gives way.

`joint.feedback` is what force and torque a joint exerted in the last step. There is no breakable joint: watch the
feedback, and destroy the joint when it bore more than it may.
"""

import numpy as np

import opendynamics as od

STRENGTH = 5000.0  # N, that a hinge bears
PLANKS, LENGTH = 8, 0.5  # number, m

world = od.World(gravity=(0, 0, -9.81))
world.add_plane(normal=(0, 0, 1))

# The planks hang in an arc: the first leads down, the last up again.
bank = np.array([0.0, 0.0, 3.0])
planks = []
for k, pitch in enumerate(np.linspace(0.6, -0.6, PLANKS)):
    along = LENGTH * np.array([np.cos(pitch), 0, -np.sin(pitch)])
    plank = world.add_body(
        od.Box((0.48, 1.0, 0.06)),
        position=bank + along / 2,
        quaternion=od.rotation.quaternion_from_axis_angle((0, 1, 0), pitch),
        density=600,
    )
    world.add_hinge(plank, planks[-1] if planks else None, anchor=bank, axis=(0, 1, 0), name=f"hinge {k}")
    planks.append(plank)
    bank = bank + along
world.add_hinge(planks[-1], None, anchor=bank, axis=(0, 1, 0), name=f"hinge {PLANKS}")


def load_on(hinge):
    """The force that the hinge exerted in the last step, N."""
    return float(np.linalg.norm(hinge.feedback.force1))


for step in range(600):
    if step == 200:
        print("now a ball of 150 kg falls on the bridge")
        ball = world.add_body(od.Sphere(0.3), position=(bank[0] / 2 + 0.1, 0, 3.5), mass=150)
    world.advance(0.01)
    weakest = max(world.joints, key=load_on)
    if load_on(weakest) > STRENGTH:
        print(f"{0.01 * step:.2f} s: {weakest.name} bears {load_on(weakest):.0f} N and breaks")
        weakest.destroy()
    elif step % 100 == 0:
        print(f"{0.01 * step:.2f} s: {weakest.name} bears {load_on(weakest):.0f} N")

print(f"{len(world.joints)} of {PLANKS + 1} hinges hold; the ball is at a height of {ball.position[2]:.2f} m")
