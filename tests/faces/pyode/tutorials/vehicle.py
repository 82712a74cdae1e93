"""PyODE's vehicle, rewritten: three wheels on a chassis from an XODE document are driven over a ramp into boxes."""

import json
import sys

import ode
import xode.parser

STEP = 0.01

WHEEL = """
          <body name="{name}">
            <transform><position x="{x}" y="-0.4" z="{z}"/></transform>
            <geom><sphere radius="0.5"/></geom>
            <mass><mass_shape density="20"><sphere radius="0.5"/></mass_shape></mass>
            <joint name="{name}_joint">
              <link1 body="chassis"/>
              <hinge2>
                <anchor x="{x}" y="0.2" z="{z}"/>
                <axis x="0" y="1" z="0" {steering} SuspensionERP="0.4" SuspensionCFM="0.001"/>
                <axis x="1" y="0" z="0" FMax="300"/>
              </hinge2>
            </joint>
          </body>
"""

DOCUMENT = """<?xml version="1.0" encoding="utf-8"?>
<xode>
  <world name="world">
    <space name="space">
      <geom name="ground"><plane a="0" b="1" c="0" d="-0.35"/></geom>
      <geom name="ramp">
        <transform>
          <position x="0" y="-0.6" z="-8"/>
          <rotation><euler x="-15" y="0" z="0" aformat="degrees"/></rotation>
        </transform>
        <box sizex="6" sizey="0.5" sizez="6"/>
      </geom>
      <jointgroup name="vehicle">
        <body name="chassis">
          <transform><position x="0" y="0.6" z="0"/></transform>
          <geom name="chassis_geom"><box sizex="2" sizey="0.4" sizez="3"/></geom>
          {wheels}
          <mass><mass_shape density="50"><box sizex="2" sizey="0.4" sizez="3"/></mass_shape></mass>
        </body>
      </jointgroup>
    </space>
  </world>
</xode>
"""

WHEELS = {"front": (0, -1.4), "left": (-1, 1.2), "right": (1, 1.2)}


def document():
    wheels = [
        WHEEL.format(
            name=name,
            x=x,
            z=z,
            steering='FMax="50" LoStop="-0.7" HiStop="0.7"' if name == "front" else 'LoStop="0" HiStop="0"',
        )
        for name, (x, z) in WHEELS.items()
    ]
    return DOCUMENT.format(wheels="".join(wheels))


class Drive:
    """The vehicle and its surroundings."""

    def __init__(self, nudge):
        parser = xode.parser.Parser()
        parser.setParams(spaceFactory=ode.HashSpace)
        self.root = parser.parseString(document())
        self.world = self.root.namedChild("world").getODEObject()
        self.world.setGravity((0, -9.81, 0))
        self.space = self.root.namedChild("space").getODEObject()
        self.bodies = [self.root.namedChild(name).getODEObject() for name in ("chassis", *WHEELS)]
        self.joints = [self.root.namedChild(f"{name}_joint").getODEObject() for name in WHEELS]
        self.bodies[0].setLinearVel((nudge, 0, 0))
        self.contacts = ode.JointGroup()
        self.stack()

    def stack(self):
        """Put two boxes on the ramp's far side, apart from each other."""
        self.boxes = []
        for side in (-1.5, 1.5):
            box = ode.GeomBox(self.space, lengths=(0.5, 0.5, 0.5))
            body = ode.Body(self.world)
            body.setPosition((side, 2, -6))
            box.setBody(body)
            self.boxes.append(box)
            self.bodies.append(body)

    def touch(self, arg, one, two):
        body1, body2 = one.getBody() or ode.environment, two.getBody() or ode.environment
        if ode.areConnected(body1, body2):
            return
        for contact in ode.collide(one, two):
            contact.setBounce(0.2)
            contact.setMu(200)
            ode.ContactJoint(self.world, self.contacts, contact).attach(body1, body2)

    def advance(self, speed, turn):
        self.joints[0].setParam(ode.ParamVel, turn)
        for joint in self.joints:
            joint.setParam(ode.ParamVel2, speed)
        self.space.collide((), self.touch)
        self.world.step(STEP)
        self.contacts.empty()


def run(steps, nudge=0.0):
    drive, rows = Drive(nudge), []
    for number in range(steps):
        drive.advance(4.0 if number > 60 else 0.0, 0.3 if number > 200 else 0.0)
        rows.append([number for body in drive.bodies for number in (*body.getPosition(), *body.getQuaternion())])
    return rows


if __name__ == "__main__":
    json.dump(run(int(sys.argv[1])), sys.stdout)
