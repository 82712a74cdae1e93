"""A machine of every joint that has a motor or a stop, driven, pushed and read at each step."""

import json
import math
import sys

import ode

STEP = 0.01


class Machine:
    """Joints side by side; nothing collides."""

    def __init__(self, nudge):
        self.world = ode.World()
        self.world.setGravity((0, -9.81, 0))
        self.bodies, self.joints, self.nudge = [], {}, nudge
        self.arm()
        self.crane()
        self.lone_bodies()

    def box(self, mass, size, place):
        body, of_box = ode.Body(self.world), ode.Mass()
        of_box.setBoxTotal(mass, *size)
        body.setMass(of_box)
        body.setPosition(place)
        self.bodies.append(body)
        return body

    def join(self, name, kind, one, two=ode.environment, **parameters):
        joint = self.joints[name] = kind(self.world)
        joint.attach(one, two)
        for parameter, value in parameters.items():
            joint.setParam(getattr(ode, f"Param{parameter}"), value)
        return joint

    def arm(self):
        """A base that is held, and an arm on a ball joint, turned by a motor in Euler mode."""
        base = self.box(10, (1, 0.2, 1), (self.nudge, 0, 0))
        arm = self.box(1, (0.1, 1, 0.1), (0, 0.6, 0))
        self.join("held", ode.FixedJoint, base).setFixed()
        self.join("ball", ode.BallJoint, base, arm).setAnchor((0, 0.1, 0))
        motor = self.join("euler", ode.AMotor, base, arm)
        motor.setMode(ode.AMotorEuler)
        motor.setAxis(0, 1, (1, 0, 0))
        motor.setAxis(2, 2, (0, 0, 1))
        numbers = {"Vel": 0.7, "FMax": 40, "Vel2": 0.3, "FMax2": 30, "FMax3": 30, "LoStop": -0.5, "HiStop": 0.5}
        for parameter, value in numbers.items():
            motor.setParam(getattr(ode, f"Param{parameter}"), value)

    def crane(self):
        """A carriage between bouncing stops, with a bob on a universal joint."""
        carriage = self.box(2, (0.4, 0.2, 0.2), (0, 3, 0))
        bob = self.box(0.5, (0.1, 0.1, 0.1), (0, 2, 0))
        slider = self.join("slider", ode.SliderJoint, carriage, LoStop=-1, HiStop=1, Bounce=0.4, StopERP=0.6)
        slider.setAxis((1, 0.2, 0))
        universal = self.join("universal", ode.UniversalJoint, carriage, bob)
        universal.setAnchor((0, 2.9, 0))
        universal.setAxis1((0, 0, 1))
        universal.setAxis2((1, 0, 0))

    def lone_bodies(self):
        """A flap that bounces at its stops, a puck on a linear motor, a disc in a plane."""
        flap = self.box(0.5, (1, 0.1, 0.1), (4.5, 0, 0))
        hinge = self.join("hinge", ode.HingeJoint, flap, LoStop=-1.2, HiStop=0.3, Bounce=0.5)
        hinge.setAnchor((4, 0, 0))
        hinge.setAxis((0, 0, 1))
        hinge.setFeedback(True)
        puck = self.box(0.3, (0.2, 0.2, 0.2), (-2, 0, 0))
        linear = self.join("linear", ode.LMotor, puck, Vel=0.5, FMax=3, FMax2=100)
        linear.setNumAxes(2)
        linear.setAxis(0, 0, (1, 0, 0))
        linear.setAxis(1, 0, (0, 1, 0))
        plane = self.join("plane", ode.Plane2DJoint, self.box(1, (0.2, 0.2, 0.2), (6, 0, 0)))
        plane.setXParam(ode.ParamVel, 1)
        plane.setXParam(ode.ParamFMax, 0.5)
        plane.setAngleParam(ode.ParamVel, 3)
        plane.setAngleParam(ode.ParamFMax, 5)

    def advance(self, time):
        self.joints["universal"].addTorques(0.1, 0.02 * math.sin(5 * time))
        self.joints["slider"].addForce(0.5 * math.cos(3 * time))
        self.joints["hinge"].addTorque(0.1)
        self.bodies[2].addForceAtRelPos((0, 0, 0.5), (0.1, 0, 0))
        self.bodies[3].addForceAtPos((0.01, 0, 0), self.bodies[3].getRelPointPos((0, 0.05, 0)))
        self.bodies[4].addRelForce((0, 0, 0.1))
        self.world.step(STEP)

    def readings(self):
        euler, slider, universal, hinge = (self.joints[name] for name in ("euler", "slider", "universal", "hinge"))
        force, torque, *_ = hinge.getFeedback()
        return [
            *(euler.getAngle(0), euler.getAngle(2), slider.getPosition(), slider.getPositionRate()),
            *(universal.getAngle1(), universal.getAngle2Rate(), hinge.getAngle(), hinge.getAngleRate()),
            *(*force, *torque, *universal.getAnchor2(), *self.bodies[3].getPointVel((0, 1, 0))),
        ]


def run(steps, nudge=0.0):
    machine, rows = Machine(nudge), []
    for number in range(steps):
        machine.advance(STEP * number)
        places = [number for body in machine.bodies for number in (*body.getPosition(), *body.getQuaternion())]
        rows.append([*places, *machine.readings()])
    return rows


if __name__ == "__main__":
    json.dump(run(int(sys.argv[1])), sys.stdout)
