"""PyODE's second tutorial, rewritten: two balls hang on ball joints, one below the other."""

import json
import sys

import ode

STEP = 0.02


def hang(world, position, anchor, above):
    """A ball that hangs by a joint on the body above, or on the static world."""
    ball, mass, joint = ode.Body(world), ode.Mass(), ode.BallJoint(world)
    mass.setSphere(2500, 0.05)
    ball.setMass(mass)
    ball.setPosition(position)
    joint.attach(above, ball)
    joint.setAnchor(anchor)
    ball.joint = joint  # objects without a reference would be destroyed
    return ball


def run(steps, nudge=0.0):
    world = ode.World()
    world.setGravity((0, -9.81, 0))
    upper = hang(world, (1 + nudge, 2, 0), (0, 2, 0), ode.environment)
    lower = hang(world, (2, 2, 0), (1, 2, 0), upper)
    rows = []
    for _ in range(steps):
        world.step(STEP)
        rows.append([*upper.getPosition(), *lower.getPosition(), *lower.getQuaternion()])
    return rows


if __name__ == "__main__":
    json.dump(run(int(sys.argv[1])), sys.stdout)
