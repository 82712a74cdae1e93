"""Small programs in the style of ODE programs. Expected numbers are those of libode 0.16.2 for the same calls."""

from textwrap import dedent

import numpy as np
import pytest

from opendynamics import c_api as ode

close = np.testing.assert_allclose


class Program:
    """The classic loop: a world, a space, a near callback that makes contact joints, a group for them."""

    def __init__(self, mode=ode.dContactApprox1, **surface):
        self.mode, self.surface = mode, surface
        ode.dInitODE2(0)
        self.world = ode.dWorldCreate()
        self.space = ode.dHashSpaceCreate(0)
        self.group = ode.dJointGroupCreate(0)
        ode.dWorldSetGravity(self.world, 0, 0, -9.81)
        ode.dCreatePlane(self.space, 0, 0, 1, 0)

    def near(self, data, o1, o2):
        assert data is self
        b1, b2 = ode.dGeomGetBody(o1), ode.dGeomGetBody(o2)
        if b1 and b2 and ode.dAreConnectedExcluding(b1, b2, ode.dJointTypeContact):
            return
        for found in ode.dCollide(o1, o2, 8):
            contact = ode.dContact()
            contact.geom = found
            contact.surface.mode = self.mode
            contact.fdir1[0] = 1.0  # with dContactFDir1
            for name, value in self.surface.items():
                setattr(contact.surface, name, value)
            ode.dJointAttach(ode.dJointCreateContact(self.world, self.group, contact), b1, b2)

    def run(self, steps, h=0.01):
        for _ in range(steps):
            ode.dSpaceCollide(self.space, self, self.near)
            ode.dWorldStep(self.world, h)
            ode.dJointGroupEmpty(self.group)

    def body(self, geom, density, *position):
        b, m = ode.dBodyCreate(self.world), ode.dMass()
        if ode.dGeomGetClass(geom) == ode.dSphereClass:
            ode.dMassSetSphere(m, density, ode.dGeomSphereGetRadius(geom))
        else:
            ode.dMassSetBox(m, density, *ode.dGeomBoxGetLengths(geom))
        ode.dBodySetMass(b, m)
        ode.dGeomSetBody(geom, b)
        ode.dBodySetPosition(b, *position)
        return b

    def end(self):
        ode.dJointGroupDestroy(self.group)
        ode.dSpaceDestroy(self.space)
        ode.dWorldDestroy(self.world)
        ode.dCloseODE()


def test_the_program_in_the_documentation_runs():
    lines = [line for line in ode.__doc__.splitlines() if line.startswith("    ") or not line]
    names = {}
    exec(dedent("\n".join(lines)), names)
    close(ode.dBodyGetPosition(names["ball"]), [0, 0, 0.1], atol=1e-3)


def falling_sphere():
    """A spinning sphere that bounces and gets to roll."""
    program = Program(ode.dContactApprox1 | ode.dContactBounce, mu=0.5, bounce=0.5, bounce_vel=0.1)
    ball = program.body(ode.dCreateSphere(program.space, 0.2), 1000, 0, 0, 1)
    ode.dBodySetAngularVel(ball, 0, 20, 0)
    program.run(120)
    return program, [ball]


def chain():
    """Three spheres on ball joints; the first is held by the world."""
    program, links = Program(mu=1), []
    for k in range(3):
        links.append(program.body(ode.dCreateSphere(program.space, 0.1), 1000, 0.3 * k, 0.1 * k, 2))
        joint = ode.dJointCreateBall(program.world, 0)
        ode.dJointAttach(joint, links[-2] if k else None, links[-1])
        ode.dJointSetBallAnchor(joint, 0.3 * k - 0.15, 0.1 * k, 2)
    program.run(100)
    return program, links


def conveyor():
    """A box dropped on a floor that moves along x."""
    mode = ode.dContactApprox1 | ode.dContactMotion1 | ode.dContactFDir1
    program = Program(mode, mu=0.4, motion1=0.7)
    box = program.body(ode.dCreateBox(program.space, 0.4, 0.3, 0.2), 500, 0, 0, 0.1)
    program.run(60)
    return program, [box]


EXPECTED = {  # position, velocity and angular velocity of each body
    "falling_sphere": [
        [0.9142856694, 0.0, 0.1999973846, 1.1428571429, 0.0, 6.53449e-05, 0.0, 5.7142857143, 0.0],
    ],
    "chain": [
        [
            -0.2151579148,
            -0.0977804859,
            1.90603358,
            0.2439755975,
            0.3190488043,
            -0.5365266337,
            5.1183377554,
            -0.3801547395,
            2.0985810103,
        ],
        [
            -0.4722284642,
            -0.1623603654,
            1.8746324555,
            0.5418584847,
            0.2836450472,
            -0.6069600187,
            0.0452740991,
            1.2265565713,
            2.6620694557,
        ],
        [
            -0.683373457,
            -0.0959373104,
            2.0494636813,
            0.8705041892,
            0.1344293767,
            -0.3541023925,
            -1.9082615145,
            2.4938738617,
            -1.0631774677,
        ],
    ],
    "conveyor": [
        [0.3607275735, -0.0002130874, 0.0999999982, 0.6999999915, -6.9e-09, 4.14e-08, 6.91e-08, -8.53e-08, 0.0],
    ],
}


@pytest.mark.parametrize("make", [falling_sphere, chain, conveyor])
def test_ends_where_odes_program_does(make):
    program, bodies = make()
    state = [
        [*ode.dBodyGetPosition(body), *ode.dBodyGetLinearVel(body), *ode.dBodyGetAngularVel(body)] for body in bodies
    ]
    close(state, EXPECTED[make.__name__], rtol=1e-7, atol=1e-7)
    program.end()
    with pytest.raises(ReferenceError):
        ode.dBodyGetPosition(bodies[0])


def test_a_hook_breaks_when_the_load_gets_too_large():
    """A box hangs from the world; depending on its feedback the joint is destroyed, and the box falls to the floor."""
    program = Program(mu=1)
    box = program.body(ode.dCreateBox(program.space, 0.1, 0.1, 0.1), 1000, 0, 0, 1)
    hook, feedback, load = ode.dJointCreateFixed(program.world, 0), ode.dJointFeedback(), 0
    ode.dJointAttach(hook, box, None)
    ode.dJointSetFixed(hook)
    ode.dJointSetFeedback(hook, feedback)
    while ode.dLENGTH(feedback.f1) < 50:
        ode.dBodyAddForce(box, 0, 0, -load)
        program.run(1)
        close(feedback.f1, [0, 0, 9.81 + load], atol=1e-4)
        load += 1
    assert load == 42
    ode.dJointDestroy(hook)
    program.run(100)
    close(ode.dBodyGetPosition(box)[2], 0.05, atol=1e-3)
