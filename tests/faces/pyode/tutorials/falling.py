"""PyODE's first tutorial, rewritten: a ball is pushed upward and falls; its motion is printed."""

import json
import sys

import ode

STEP = 0.04


def run(steps, nudge=0.0):
    world = ode.World()
    world.setGravity((0, -9.81, 0))
    ball, mass = ode.Body(world), ode.Mass()
    mass.setSphere(2500, 0.05)
    mass.mass = 1
    ball.setMass(mass)
    ball.setPosition((nudge, 2, 0))
    ball.addForce((0, 200, 0))
    rows = []
    for _ in range(steps):
        world.step(STEP)
        rows.append([*ball.getPosition(), *ball.getLinearVel()])
    return rows


if __name__ == "__main__":
    json.dump(run(int(sys.argv[1])), sys.stdout)
