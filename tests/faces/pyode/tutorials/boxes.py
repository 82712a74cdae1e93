"""PyODE's third tutorial, rewritten: boxes drop on a floor, are blown apart, and pulled back together."""

import json
import math
import sys

import ode

STEP = 0.01


class Scene:
    """A floor, and boxes that fall on it one after the other."""

    def __init__(self, nudge):
        self.world = ode.World()
        self.world.setGravity((0, -9.81, 0))
        self.world.setERP(0.8)
        self.world.setCFM(1e-5)
        self.space = ode.Space()
        self.floor = ode.GeomPlane(self.space, (0, 1, 0), 0)
        self.contacts = ode.JointGroup()
        self.bodies, self.geoms, self.nudge = [], [], nudge

    def drop(self):
        """Let a box fall, turned about the vertical, more for each."""
        body, mass = ode.Body(self.world), ode.Mass()
        body.shape, body.size = "box", (0.6, 0.2, 0.4)
        mass.setBox(1000, *body.size)
        body.setMass(mass)
        geom = ode.GeomBox(self.space, lengths=body.size)
        geom.setBody(body)
        number = len(self.bodies)
        body.setPosition((1.5 * number + self.nudge, 0.5, 0.1 * number))
        c, s = math.cos(0.3 + number), math.sin(0.3 + number)
        body.setRotation([c, 0, -s, 0, 1, 0, s, 0, c])
        self.bodies.append(body)
        self.geoms.append(geom)

    def touch(self, arg, one, two):
        """Make a contact joint of every point in which two geoms touch."""
        world, group = arg
        for contact in ode.collide(one, two):
            contact.setBounce(0.2)
            contact.setMu(5000)
            ode.ContactJoint(world, group, contact).attach(one.getBody(), two.getBody())

    def explode(self):
        """Push all away from a point below the floor."""
        for body in self.bodies:
            x, y, z = body.getPosition()
            distance = math.sqrt(x * x + (y + 1) ** 2 + z * z)
            force = 40000.0 / distance
            body.addForce((force * x / distance, force * (y + 1) / distance, force * z / distance))

    def pull(self):
        """Pull all towards the origin."""
        for body in self.bodies:
            x, _, z = body.getPosition()
            body.addForce((-50.0 * x, 0.0, -50.0 * z))

    def advance(self):
        self.space.collide((self.world, self.contacts), self.touch)
        self.world.step(STEP)
        self.contacts.empty()


def run(steps, nudge=0.0):
    scene, rows = Scene(nudge), []
    for number in range(steps):
        if number % 25 == 0 and len(scene.bodies) < 4:
            scene.drop()
        if number == 150:
            scene.explode()
        if number > 200:
            scene.pull()
        scene.advance()
        rows.append([number for body in scene.bodies for number in (*body.getPosition(), *body.getQuaternion())])
    return rows


if __name__ == "__main__":
    json.dump(run(int(sys.argv[1])), sys.stdout)
