"""A PyODE program, and its port: the same motion from the same numbers.

`opendynamics.pyode` has PyODE's classes, so that old scripts run unmodified (`python -m opendynamics.pyode SCRIPT`). The port
is shorter; with `like="ode"` it has ODE's results, too. This is PyODE's second tutorial: two balls on a string of joints.
"""

import opendynamics as od
from opendynamics import pyode as ode
from opendynamics.scenes import Scene

H, STEPS = 0.04, 100  # s
RADIUS, DENSITY = 0.2, 2500.0  # m, kg/m³
PLACES = ((1, 2, 0), (2, 2, 0))  # m


def by_pyode():
    """As in PyODE's tutorial; positions of both balls after the last step, m."""
    world = ode.World()
    world.setGravity((0, -9.81, 0))
    bodies = []
    for place in PLACES:
        body = ode.Body(world)
        mass = ode.Mass()
        mass.setSphere(DENSITY, RADIUS)
        body.setMass(mass)
        body.setPosition(place)
        bodies.append(body)
    first = ode.BallJoint(world)
    first.attach(bodies[0], ode.environment)
    first.setAnchor((0, 2, 0))
    second = ode.BallJoint(world)
    second.attach(bodies[0], bodies[1])
    second.setAnchor((1, 2, 0))
    for _ in range(STEPS):
        world.step(H)
    return [body.getPosition() for body in bodies]


def build():
    """The port: the same world in a third of the lines."""
    world = od.World(gravity=(0, -9.81, 0), like="ode")
    one, two = (world.add_body(od.Sphere(RADIUS), position=place, density=DENSITY) for place in PLACES)
    world.add_ball(one, None, anchor=(0, 2, 0))
    world.add_ball(one, two, anchor=(1, 2, 0))
    return Scene(world, h=H, seconds=STEPS * H, moment=0.4, camera=(1.9, 1.9, 2.2), target=(0.95, 1.45, 0))


if __name__ == "__main__":
    old = by_pyode()
    new = [tuple(map(float, body.position)) for body in build().run().bodies]
    print("PyODE's classes:", ", ".join("({:.4f}, {:.4f}, {:.4f})".format(*place) for place in old))
    print("the port:       ", ", ".join("({:.4f}, {:.4f}, {:.4f})".format(*place) for place in new))
    print("equal to the last bit" if [tuple(place) for place in old] == new else "not equal")
