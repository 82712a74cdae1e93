"""ODE's loop as a program for PyODE: the same lines run on PyODE itself and on `opendynamics.pyode`.

As a script, for the Python that PyODE is installed for: reads a scene (`benchmarks.loop.scene_items`) from the first line of its
input, then from each line a number of steps, and answers each with seconds and contacts. It needs nothing but `ode`.
"""

import json
import sys
import time


class PyodeLoop:
    """A scene, stepped by `space.collide`, contact joints and `quickStep`."""

    def __init__(self, ode, items):
        self.ode = ode
        self.world, self.space, self.group = ode.World(), ode.HashSpace(), ode.JointGroup()
        self.world.setGravity(items["gravity"])
        self.friction, self.h, self.contacts = items["friction"], items["h"], 0
        self.kept = [ode.GeomPlane(self.space, normal, offset) for normal, offset in items["planes"]]
        self.bodies = [self.make_body(*item) for item in items["bodies"]]
        for item in items["joints"]:
            self.kept.append(self.make_joint(*item))

    def make_body(self, kind, position, quaternion, mass, moments, sizes):
        ode = self.ode
        body, inertia = ode.Body(self.world), ode.Mass()
        body.setPosition(position)
        body.setQuaternion(quaternion)
        inertia.setParameters(mass, 0, 0, 0, *moments, 0, 0, 0)
        body.setMass(inertia)
        capsule = getattr(ode, "GeomCapsule", None) or ode.GeomCCylinder
        makers = {
            "sphere": ode.GeomSphere,
            "box": lambda space, *lengths: ode.GeomBox(space, lengths),
            "capsule": capsule,
        }
        if kind in makers:
            geom = makers[kind](self.space, *sizes)
            geom.setBody(body)
            self.kept.append(geom)
        return body

    def make_joint(self, kind, body1, body2, anchor, axes, stops):
        ode = self.ode
        joint = {"ball": ode.BallJoint, "hinge": ode.HingeJoint, "universal": ode.UniversalJoint}[kind](self.world)
        joint.attach(*(self.bodies[k] if k >= 0 else ode.environment for k in (body1, body2)))
        joint.setAnchor(anchor)
        for setter, axis in zip(("setAxis",) if len(axes) == 1 else ("setAxis1", "setAxis2"), axes, strict=False):
            getattr(joint, setter)(axis)
        for suffix, (low, high) in zip(("", "2"), stops, strict=False):
            joint.setParam(getattr(ode, "ParamLoStop" + suffix), low)
            joint.setParam(getattr(ode, "ParamHiStop" + suffix), high)
        return joint

    def near(self, _, geom1, geom2):
        ode = self.ode
        body1, body2 = geom1.getBody(), geom2.getBody()
        if body1 is None and body2 is None:
            return
        if body1 is not None and body2 is not None and ode.areConnected(body1, body2):
            return
        for contact in ode.collide(geom1, geom2):
            contact.setMode(ode.ContactApprox1)
            contact.setMu(self.friction)
            ode.ContactJoint(self.world, self.group, contact).attach(body1, body2)
            self.contacts += 1

    def run(self, steps):
        """Take steps; seconds of processor time and contacts."""
        self.contacts = 0
        start = time.thread_time()
        for _ in range(steps):
            self.space.collide(None, self.near)
            self.world.quickStep(self.h)
            self.group.empty()
        return time.thread_time() - start, self.contacts


def main():
    import ode

    loop = PyodeLoop(ode, json.loads(sys.stdin.readline()))
    for line in sys.stdin:
        print(*loop.run(int(line)), flush=True)


if __name__ == "__main__":
    main()
