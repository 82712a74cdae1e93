"""Boxes pile up under QuickStep, whose result depends on the order of contacts, in a space of each kind."""

import json
import math
import sys

import ode

STEP = 0.01
COLUMNS, LAYERS = 3, 3


def spaces():
    """A space of each kind."""
    return [
        ode.SimpleSpace(),
        ode.HashSpace(),
        ode.QuadTreeSpace((0, 0, 0), (4, 4, 4), 3),
        ode.SAPSpace(sweep_order="XZY"),
    ]


class Scene:
    """In each space a floor and boxes that fall against each other, a few metres from those of the other spaces."""

    def __init__(self, nudge):
        self.contacts, self.world = ode.JointGroup(), ode.World()
        self.world.setGravity((0, -9.81, 0))
        self.world.setERP(0.4)
        self.world.setCFM(1e-5)
        self.world.setQuickStepNumIterations(20)
        self.spaces, self.bodies, self.geoms = spaces(), [], []
        for row, space in enumerate(self.spaces):
            self.geoms.append(ode.GeomPlane(space, (0, 1, 0), 0))
            for number in range(COLUMNS * LAYERS):
                self.add_box(space, number, 5.0 * row, nudge)

    def add_box(self, space, number, z, nudge):
        layer, column = divmod(number, COLUMNS)
        body, mass, sides = ode.Body(self.world), ode.Mass(), (0.5, 0.3, 0.4)
        mass.setBox(500, *sides)
        body.setMass(mass)
        geom = ode.GeomBox(space, lengths=sides)
        geom.setBody(body)
        body.setPosition((0.52 * column + 0.26 * (layer % 2) + nudge, 0.16 + 0.31 * layer, 0.02 * number + z))
        c, s = math.cos(0.1 * number), math.sin(0.1 * number)
        body.setRotation([c, 0, -s, 0, 1, 0, s, 0, c])
        self.bodies.append(body)
        self.geoms.append(geom)

    def touch(self, arg, one, two):
        """Make a contact joint of every point in which two geoms touch."""
        for contact in ode.collide(one, two):
            contact.setBounce(0.1)
            contact.setMu(0.6)
            ode.ContactJoint(self.world, self.contacts, contact).attach(one.getBody(), two.getBody())

    def advance(self):
        for space in self.spaces:
            space.collide(None, self.touch)
        self.world.quickStep(STEP)
        self.contacts.empty()


def run(steps, nudge=0.0):
    scene, rows = Scene(nudge), []
    for _ in range(steps):
        scene.advance()
        rows.append([number for body in scene.bodies for number in (*body.getPosition(), *body.getQuaternion())])
    return rows


if __name__ == "__main__":
    json.dump(run(int(sys.argv[1])), sys.stdout)
