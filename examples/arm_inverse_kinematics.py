"""An arm draws a circle in the air: inverse kinematics plans the joint angles, PD control follows them.

The arm comes from a URDF file. For each point, `od.robot.inverse_kinematics` finds the joint angles that bring the hand
there, starting from those of the previous point. With `step=` the control is implicit and stable at these gains.
"""

import math
from pathlib import Path

import numpy as np

import opendynamics as od
from opendynamics.scenes import Scene

FILE = Path(__file__).parent / "data" / "arm.urdf"
H, PERIOD = 0.004, 2.5  # s: of a step, and of a full circle
CENTRE, RADIUS = (0.55, 0.0, 0.45), 0.15  # m; the circle is vertical, across the arm
STIFFNESS, DAMPING = 20_000.0, 400.0  # N m/rad, N m s/rad
KNOTS = 60  # points with computed angles, which are interpolated in between


def point(time):
    """Target of the hand, m."""
    angle = 2 * math.pi * time / PERIOD
    return np.array(CENTRE) + RADIUS * np.array([0, math.cos(angle), math.sin(angle)])


def plan(model):
    """Times, s, and the joints' angles, rad, shape (KNOTS + 1, joints); the last is the first again."""
    state = model.state(q=[0.2, -0.6, 1.2, 0.3])
    times, angles = np.linspace(0, PERIOD, KNOTS + 1), []
    for time in times[:-1]:
        found = od.robot.inverse_kinematics(state, od.robot.Target("hand", position=point(time)))
        if not found.converged:
            raise RuntimeError(f"the arm cannot reach {point(time)}")
        state = found.state
        angles.append(state.q.copy())
    return times, np.array([*angles, angles[0]])


def build():
    """The arm, and a control that follows the plan repeatedly."""
    world = od.World(gravity=(0, 0, -9.81))
    world.add_plane(name="ground")
    model = od.load_robot(FILE)
    times, angles = plan(model)
    rates = np.gradient(angles, times, axis=0)
    robot = od.Robot(world, model, model.state(q=angles[0]))
    control = od.robot.PDControl(robot, stiffness=STIFFNESS, damping=DAMPING, step=H)
    world.data = robot

    def follow(time):
        now = (time + H) % PERIOD  # at the end of the step
        control.drive(*([np.interp(now, times, column) for column in what.T] for what in (angles, rates)))

    return Scene(
        world, h=H, seconds=PERIOD, moment=0.6, camera=(1.4, -1.5, 1.0), target=(0.25, 0, 0.32), control=follow
    )


if __name__ == "__main__":
    scene = build()
    robot, errors = scene.world.data, []
    for step in scene.play():
        hand = robot.links().positions[-1]
        errors.append(np.linalg.norm(hand - point(step * H)))
    print(f"the hand keeps within {1000 * max(errors):.1f} mm of a circle of {1000 * RADIUS:.0f} mm")
