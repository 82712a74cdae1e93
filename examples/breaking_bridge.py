"""A rope bridge breaks: each hinge holds up to a limit.

`joint.break_force` and `break_torque` are the limits of a joint; it is disabled after a step in which it exceeded them, and
`joint.broken` is then True. `joint.feedback` has the force itself: at a bridge at rest, the ends carry its weight.
"""

import numpy as np

import opendynamics as od
from opendynamics.scenes import Scene

STRENGTH = 5000.0  # N, limit of a hinge
PLANKS, LENGTH, SLOPE = 8, 0.5, 0.6  # number, m, rad: of the first plank
LOAD, ARRIVES = 200.0, 2.0  # kg, s


def build(strength=STRENGTH):
    """A bridge whose planks hang in an arc between two banks; a ball falls on it after two seconds."""
    world = od.World(gravity=(0, 0, -9.81))
    world.set_damping(0.002, 0.002)
    world.add_plane(name="ground")
    end, last = np.array([-2.0, 0.0, 2.5]), None
    for k, pitch in enumerate(np.linspace(SLOPE, -SLOPE, PLANKS)):
        along = LENGTH * np.array([np.cos(pitch), 0, -np.sin(pitch)])
        turned = od.rotation.quaternion_from_axis_angle((0, 1, 0), pitch)
        box = od.Box((0.96 * LENGTH, 1.0, 0.06))
        plank = world.add_body(box, position=end + along / 2, quaternion=turned, density=600, name=f"plank {k}")
        world.add_hinge(plank, last, anchor=end, axis=(0, 1, 0), name=f"hinge {k}")
        end, last = end + along, plank
    world.add_hinge(last, None, anchor=end, axis=(0, 1, 0), name=f"hinge {PLANKS}")
    for joint in world.joints:
        joint.break_force = strength

    def load(time):
        if abs(time - ARRIVES) < 0.005:
            world.add_body(od.Sphere(0.3), position=(0.1, 0, 3.4), mass=LOAD, name="ball")

    return Scene(world, seconds=4.0, moment=3.0, camera=(1.5, -5.6, 2.9), target=(0, 0, 1.3), control=load)


if __name__ == "__main__":
    scene = build()
    world = scene.world
    weight = 9.81 * sum(body.mass for body in world.bodies)
    for step in scene.play():
        if step == round(ARRIVES / scene.h):
            carried = world.joints[0].feedback.force1[2]
    broken = [hinge.name for hinge in world.joints if hinge.broken]
    print(f"at rest the first hinge carries {carried:.0f} N of the bridge's {weight:.0f} N")
    print(
        f"the ball breaks {', '.join(broken) or 'nothing'}, and ends at a height of {world.find('ball').position[2]:.2f} m"
    )
