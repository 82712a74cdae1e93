"""Single calls of PyODE, for `benchmarks.calls`: ``python3 pyode_calls.py TURNS CALLS`` prints seconds by label as JSON.

Run in its own process by the Python that has PyODE; it imports nothing else.
"""

from __future__ import annotations

import json
import statistics
import sys
import time

import ode

H = 0.01


def small_world():
    world = ode.World()
    world.setGravity((0, 0, -9.81))
    bodies = []
    for x in (0.0, 0.5):
        body = ode.Body(world)
        mass = ode.Mass()
        mass.setSphereTotal(1.0, 0.5)
        body.setMass(mass)
        body.setPosition((x, 0, 1))
        bodies.append(body)
    hinge = ode.HingeJoint(world)
    hinge.attach(*bodies)
    hinge.setAnchor((0.25, 0, 1))
    hinge.setAxis((0, 1, 0))
    world.step(H)
    return world, bodies, hinge


def calls():
    world, bodies, hinge = small_world()
    space = ode.Space()
    made = []

    def add_body():
        body = ode.Body(world)
        mass = ode.Mass()
        mass.setBox(500, 0.2, 0.2, 0.2)
        body.setMass(mass)
        body.setPosition((0, 0, 1))
        geom = ode.GeomBox(space, (0.2, 0.2, 0.2))
        geom.setBody(body)
        made.append((body, geom))

    def add_ball():
        ball = ode.BallJoint(world)
        ball.attach(*bodies)
        ball.setAnchor((0, 0, 1))
        made.append(ball)

    return {
        "step(h), 2 bodies and a hinge": lambda: world.step(H),
        "add_body(Box)": add_body,
        "add_ball": add_ball,
        "add_force": lambda: bodies[0].addForce((0, 0, 1)),
        "hinge.angle": hinge.getAngle,
        "body.position": bodies[0].getPosition,
    }


def main():
    turns, count = map(int, sys.argv[1:3])
    seconds = {}
    for _ in range(turns):
        for label, call in calls().items():
            call()
            start = time.thread_time()
            for _ in range(count):
                call()
            seconds.setdefault(label, []).append((time.thread_time() - start) / count)
    print(json.dumps({label: statistics.median(found) for label, found in seconds.items()}))


if __name__ == "__main__":
    main()
