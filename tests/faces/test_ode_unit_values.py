"""Expectations of ODE's own unit tests and self-checking demos, as calls and numbers."""

import itertools
import math

import numpy as np
import pytest

from opendynamics import c_api as ode

close = np.testing.assert_allclose
RNG = np.random.default_rng(5)


@pytest.fixture
def world():
    return ode.dWorldCreate()


def turned(body, axis, angle):
    ode.dBodySetRotation(body, ode.dRFromAxisAndAngle(*axis, angle))


def signed_permutations(*numbers):
    return {
        tuple(sign * x for sign, x in zip(signs, order, strict=True))
        for order in itertools.permutations(numbers)
        for signs in itertools.product((1, -1), repeat=3)
    }


# -- point depths ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("numbers", "sphere", "box"),
    [
        ((0, 0, 0), 1, 1),
        ((0.5, 0, 0), 0.5, 0.5),
        ((0.3, 0.4, 0), 0.5, 0.6),
        ((0.9, 0, 0), 0.1, 0.1),
        ((1, 0, 0), 0, 0),
        ((0.6, 0.8, 0), 0, 0.2),
        ((1.1, 0, 0), -0.1, -0.1),
        ((1.5, 0, 0), -0.5, -0.5),
        ((0.9, 1.2, 0), -0.5, -0.2),
        ((0.3, 1.5, 0), math.nan, -0.5),
        ((1.3, 1.4, 0), math.nan, -0.5),
        ((1.2, 1.4, 1.4), math.nan, -0.6),
    ],
)
def test_depth_in_the_unit_sphere_and_the_box_of_side_2(numbers, sphere, box):
    one, other = ode.dCreateSphere(0, 1), ode.dCreateBox(0, 2, 2, 2)
    for point in signed_permutations(*numbers):
        close(ode.dGeomBoxPointDepth(other, *point), box, atol=1e-15)
        if not math.isnan(sphere):
            close(ode.dGeomSpherePointDepth(one, *point), sphere, atol=1e-15)


def random_place():
    return RNG.normal(size=3), ode.dRfromQ(ode.dQFromAxisAndAngle(*RNG.normal(size=3), RNG.uniform(0, 6)))


def test_depths_of_placed_shapes():
    """A point that is carried a distance out of the surface, along the normal there, is as deep as that, negative."""
    for _ in range(20):
        position, R = random_place()
        radius, length, out = RNG.uniform(0.1, 1), RNG.uniform(0.1, 1), RNG.uniform(-0.05, 0.05)
        sides = RNG.uniform(0.2, 1, 3)
        angle, along = RNG.uniform(0, 6), RNG.uniform(-0.5, 0.5) * length
        direction = np.array([math.cos(angle), math.sin(angle), 0])
        sphere, capsule, box = (
            ode.dCreateSphere(0, radius),
            ode.dCreateCapsule(0, radius, length),
            ode.dCreateBox(0, *sides),
        )
        for geom, depth, local in (
            (sphere, ode.dGeomSpherePointDepth, direction * (radius + out)),
            (capsule, ode.dGeomCapsulePointDepth, direction * (radius + out) + [0, 0, along]),
            (capsule, ode.dGeomCapsulePointDepth, [0, 0, -(0.5 * length + radius + out)]),
            (box, ode.dGeomBoxPointDepth, [0.01 * sides[0], 0.5 * sides[1] + out, 0.01 * sides[2]]),
        ):
            ode.dGeomSetPosition(geom, *position)
            ode.dGeomSetRotation(geom, R)
            close(depth(geom, *ode.dGeomGetRelPointPos(geom, *local)), -out, atol=1e-12)
        normal = ode.dAssignVector3(*R[[2, 6, 10]])
        plane = ode.dCreatePlane(0, *normal, 0.7)
        close(ode.dGeomPlanePointDepth(plane, *(normal * (0.7 + out))), -out, atol=1e-12)


# -- lengths, rotations ------------------------------------------------------------------------------------------------


def test_vectors_of_any_length_are_normalized():
    for axis in signed_permutations(1, 0, 0):
        for scale in (1, 0.1, 1e-20):
            v = [scale * x for x in axis]
            ode.dNormalize3(copy := [*v])
            assert ode.dLENGTH(copy) == 1
            assert ode.dSafeNormalize3(v) == 1 and ode.dLENGTH(v) == 1
    for v, tolerance in (([9999999999, 0, 1e-20], 0), ([9999999999, 9999, 9], 1e-3)):
        assert ode.dSafeNormalize3(v) == 1
        close(ode.dLENGTH(v), 1, rtol=0, atol=tolerance)


def test_exact_rotations_stay_to_the_last_bit():
    for x, y in itertools.permutations(np.vstack([np.eye(3), -np.eye(3)]), 2):
        if x @ y == 0:
            matrix = np.zeros((3, 4))
            matrix[:, :3] = x, y, np.cross(x, y)
            before = matrix.ravel().copy()
            after = before.copy()
            assert ode.dOrthogonalizeR(after) == 1 and (after == before).all()


def test_quaternions_and_matrices_agree_both_ways():
    for _ in range(50):
        q = ode.dQFromAxisAndAngle(*RNG.normal(size=3), RNG.uniform(-3, 3))
        back = ode.dQfromR(ode.dRfromQ(q))
        close(back * np.sign(back @ q), q, atol=1e-14)
        R = ode.dRFromEulerAngles(*RNG.uniform(-3, 3, 3))
        close(ode.dRfromQ(ode.dQfromR(R)), R, atol=1e-14)


@pytest.mark.parametrize(
    ("R1", "R2", "relative"),
    [
        (ode.dRSetIdentity(), ode.dRSetIdentity(), (1, 0, 0, 0)),
        (ode.dRSetIdentity(), ode.dRFromAxisAndAngle(1, 0, 0, math.pi / 2), (math.sqrt(0.5), math.sqrt(0.5), 0, 0)),
        (ode.dRFromAxisAndAngle(1, 0, 0, math.pi / 2), ode.dRSetIdentity(), (math.sqrt(0.5), -math.sqrt(0.5), 0, 0)),
        (ode.dRSetIdentity(), ode.dRFromAxisAndAngle(0, 0, 1, math.pi / 2), (math.sqrt(0.5), 0, 0, math.sqrt(0.5))),
        (ode.dRSetIdentity(), ode.dRFromAxisAndAngle(0, 1, 0, math.pi / 4), (0.92387953, 0, 0.38268343, 0)),
        (
            ode.dRFromEulerAngles(0.23, 3.1, -0.73),
            ode.dRFromEulerAngles(-0.57, 1.49, 0.81),
            (-0.25526036263124319, 0.28434861188441968, -0.65308047160141625, 0.65381489108282143),
        ),
    ],
)
def test_relative_orientation_of_two_bodies(world, R1, R2, relative):
    bodies = ode.dBodyCreate(world), ode.dBodyCreate(world)
    for body, R in zip(bodies, (R1, R2), strict=True):
        ode.dBodySetRotation(body, R)
    close(ode.dQMultiply1(*(ode.dBodyGetQuaternion(body) for body in bodies)), relative, atol=1e-7)


# -- masses ------------------------------------------------------------------------------------------------------------


def test_masses_of_shapes():
    m = ode.dMass()
    ode.dMassSetSphere(m, 1.4, 0.86)
    close([m.mass, *m.I[[0, 5, 10]]], [3.73002719949386] + [1.10349124669826] * 3, rtol=1e-12)
    ode.dMassSetCapsule(m, 1.3, 1, 0.76, 1.53)
    close(
        [m.mass, *m.I[[0, 5, 10]]], [5.99961928996029, 1.59461986077384, 4.21878433864904, 4.21878433864904], rtol=1e-12
    )
    ode.dMassSetBox(m, 0.27, 3, 4, 5)
    close([m.mass, *m.I[[0, 5, 10]]], [16.2, 55.35, 45.9, 33.75], rtol=1e-12)
    ode.dMassSetParameters(m, 10, 0, 0, 0, 1, 2, 3, 4, 5, 6)
    assert ode.dMassCheck(m) == 0


def particles_of(points, masses):
    """Mass properties of particles, straight from the definition."""
    m = ode.dMass()
    inertia = sum(k * ((p @ p) * np.eye(3) - np.outer(p, p)) for k, p in zip(masses, points, strict=True))
    center = masses @ points / masses.sum()
    six = inertia[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
    ode.dMassSetParameters(m, masses.sum(), *center, *six)
    return m


def test_masses_move_and_turn_and_add_like_particles():
    points, masses = RNG.normal(size=(10, 3)), RNG.uniform(0.1, 1, 10)
    shift, R = RNG.normal(size=3), ode.dRFromAxisAndAngle(1, -2, 3, 0.9)

    def same(a, b):
        close([a.mass, *a.c, *a.I], [b.mass, *b.c, *b.I], atol=1e-12)

    m = particles_of(points, masses)
    ode.dMassTranslate(m, *shift)
    same(m, particles_of(points + shift, masses))
    m = particles_of(points, masses)
    ode.dMassRotate(m, R)
    same(m, particles_of(points @ R.reshape(3, 4)[:, :3].T, masses))
    m = particles_of(points[:4], masses[:4])
    ode.dMassAdd(m, particles_of(points[4:], masses[4:]))
    same(m, particles_of(points, masses))
    ode.dMassAdjust(m, 2 * masses.sum())
    same(m, particles_of(points, 2 * masses))


# -- joints ------------------------------------------------------------------------------------------------------------

CREATORS = (ode.dJointCreateBall, ode.dJointCreateHinge, ode.dJointCreateSlider, ode.dJointCreateFixed)


@pytest.mark.parametrize("create", CREATORS)
def test_attaching_to_nothing(world, create):
    body1, body2, joint = ode.dBodyCreate(world), ode.dBodyCreate(world), create(world, 0)
    for bodies in ((body1, 0), (0, body2), (0, 0)):
        ode.dJointAttach(joint, *bodies)
        assert ode.dWorldStep(world, 0.01) == 1


def set_ball(joint, source):
    ode.dJointSetBallAnchor(joint, *ode.dJointGetBallAnchor(source))


def set_hinge(joint, source):
    ode.dJointSetHingeAnchor(joint, *ode.dJointGetHingeAnchor(source))
    ode.dJointSetHingeAxis(joint, *ode.dJointGetHingeAxis(source))


def set_slider(joint, source):
    ode.dJointSetSliderAxis(joint, *ode.dJointGetSliderAxis(source))


def set_two_axes(kind):
    """Sets anchor and both axes of a kind of joints to what they are."""

    def set_again(joint, source):
        for part in ("Anchor", "Axis1", "Axis2"):
            getattr(ode, f"dJointSet{kind}{part}")(joint, *getattr(ode, f"dJointGet{kind}{part}")(source))

    return set_again


def set_piston(joint, source):
    ode.dJointSetPistonAnchor(joint, *ode.dJointGetPistonAnchor(source))
    ode.dJointSetPistonAxis(joint, *ode.dJointGetPistonAxis(source))


@pytest.mark.parametrize(
    ("create", "set_again"),
    [
        *zip(CREATORS, (set_ball, set_hinge, set_slider, ode.dJointSetFixed), strict=True),
        *((getattr(ode, f"dJointCreate{kind}"), set_two_axes(kind)) for kind in ("Universal", "Hinge2", "PR")),
        (ode.dJointCreatePiston, set_piston),
    ],
)
def test_setting_what_is_set_changes_nothing(create, set_again):
    ends = []
    for again in (False, True):
        world = ode.dWorldCreate()
        bodies, joint = [ode.dBodyCreate(world), ode.dBodyCreate(world)], create(world, 0)
        for body, place, axis in zip(
            bodies, ((-1, -2, -3), (11, 22, 33)), ((0.53, -0.71, 0.43), (1.2, 0.87, -0.33)), strict=True
        ):
            ode.dBodySetPosition(body, *place)
            turned(body, axis, 0.47123)
        ode.dJointAttach(joint, *bodies)
        if again:
            set_again(*((joint,) if set_again is ode.dJointSetFixed else (joint, joint)))
        ode.dBodySetLinearVel(bodies[0], 0.1, 0.2, 0.3)
        for _ in range(4):
            ode.dWorldStep(world, 0.5)
        ends.append([(ode.dBodyGetPosition(body), ode.dBodyGetLinearVel(body)) for body in bodies])
    close(ends[0], ends[1], atol=1e-6)
    assert abs(np.array(ends[0])[:, 1]).max() > 0.01


HINGE_POSES = [  # which bodies, which body turns, by how much, what the angle about x is
    ((0, 1), 1, math.pi / 2, -math.pi / 2),
    ((0, 1), 1, -math.pi / 2, math.pi / 2),
    ((0, 1), 0, 0.23, 0.23),
    ((0, 1), 1, 0.23, -0.23),
    ((0, None), 0, math.pi / 2, math.pi / 2),
    ((0, None), 0, 0.23, 0.23),
    ((None, 1), 1, math.pi / 2, -math.pi / 2),
    ((None, 1), 1, 0.23, -0.23),
]


def hinge_pose(world, which, turning, angle):
    """A hinge on bodies of which one is turned about x."""
    bodies = [ode.dBodyCreate(world), ode.dBodyCreate(world)]
    joint = ode.dJointCreateHinge(world, 0)
    ode.dJointAttach(joint, *(None if k is None else bodies[k] for k in which))
    ode.dJointSetHingeAnchor(joint, 0, 0, 0)
    turned(bodies[turning], (1, 0, 0), angle)
    return joint, bodies[turning]


@pytest.mark.parametrize(("which", "turning", "turn", "angle"), HINGE_POSES)
@pytest.mark.parametrize("direction", [1, -1])
def test_hinge_angles(world, which, turning, turn, angle, direction):
    """The angle is how far body 1 is turned about the axis against body 2; offsets say what it is here."""
    joint, body = hinge_pose(world, which, turning, 0)
    ode.dJointSetHingeAxis(joint, direction, 0, 0)
    turned(body, (1, 0, 0), turn)
    close(ode.dJointGetHingeAngle(joint), direction * angle, atol=1e-12)
    joint, body = hinge_pose(world, which, turning, turn)
    ode.dJointSetHingeAxisOffset(joint, direction, 0, 0, direction * angle)
    close(ode.dJointGetHingeAngle(joint), direction * angle, atol=1e-12)
    turned(body, (1, 0, 0), 0)
    close(ode.dJointGetHingeAngle(joint), 0, atol=1e-12)


def test_hinge_motor_reaches_its_velocity_at_once(world):
    bodies, joint = [ode.dBodyCreate(world), ode.dBodyCreate(world)], ode.dJointCreateHinge(world, 0)
    ode.dJointAttach(joint, *bodies)
    ode.dJointSetHingeAxis(joint, 1, 0, 0)
    ode.dJointSetHingeParam(joint, ode.dParamFMax, ode.dInfinity)
    ode.dJointSetHingeParam(joint, ode.dParamVel, 100)
    ode.dWorldStep(world, 0.001)
    spin = ode.dBodyGetAngularVel(bodies[0]) - ode.dBodyGetAngularVel(bodies[1])
    close(spin, [100, 0, 0], atol=1e-4)


@pytest.mark.parametrize("direction", [1, -1])
@pytest.mark.parametrize(
    ("which", "moving", "sign"), [((0, 1), 0, 1), ((0, 1), 1, -1), ((0, None), 0, 1), ((None, 1), 1, -1)]
)
def test_slider_positions_and_rates(world, direction, which, moving, sign):
    bodies, joint = [ode.dBodyCreate(world), ode.dBodyCreate(world)], ode.dJointCreateSlider(world, 0)
    ode.dJointAttach(joint, *(None if k is None else bodies[k] for k in which))
    ode.dJointSetSliderAxis(joint, direction, 0, 0)
    close(ode.dJointGetSliderPosition(joint), 0)
    ode.dBodySetPosition(bodies[moving], 3.1, 0, 0)
    close(ode.dJointGetSliderPosition(joint), 3.1 * sign * direction)
    other = bodies[1 - moving]
    ode.dBodySetPosition(other, 3.1, 0, 0)
    alone = which[1 - moving] is None
    close(ode.dJointGetSliderPosition(joint), 3.1 * sign * direction if alone else 0, atol=1e-15)
    ode.dBodySetKinematic(other)
    ode.dBodyAddForce(bodies[moving], 1, 0, 0)
    ode.dWorldStep(world, 1)
    close(ode.dJointGetSliderPositionRate(joint), sign * direction, atol=1e-8)


def slid(low, high, force, steps, fixed_partner):
    """Where a body on a slider along x is after a push, with a partner that is fixed or the world itself."""
    world = ode.dWorldCreate()
    body, partner = ode.dBodyCreate(world), ode.dBodyCreate(world) if fixed_partner else None
    if partner:
        fixed = ode.dJointCreateFixed(world, 0)
        ode.dJointAttach(fixed, 0, partner)
        ode.dJointSetFixed(fixed)
    joint = ode.dJointCreateSlider(world, 0)
    ode.dJointAttach(joint, body, partner)
    ode.dJointSetSliderAxis(joint, 1, 0, 0)
    ode.dJointSetSliderParam(joint, ode.dParamLoStop, low)
    ode.dJointSetSliderParam(joint, ode.dParamHiStop, high)
    ode.dBodyAddForce(body, force, 0, 0)
    for _ in range(steps):
        ode.dWorldStep(world, 1)
    return ode.dBodyGetPosition(body)


def test_slider_stops():
    """A partner that is fixed is as good as the world; the numbers are those of libode 0.16.2."""
    for force, end in ((4, 0.19), (-4, -0.734)):
        two, one = slid(-1, 0.25, force, 50, True), slid(-1, 0.25, force, 50, False)
        close(two, one, atol=1e-2)
        close(one, [end, 0, 0], atol=1e-6)
        close(slid(0, 0, force, 500, True), [0, 0, 0], atol=1e-4)


@pytest.mark.parametrize(("mu", "mu2", "held"), [(0, 1, 1), (1, 0, 0)])
def test_a_direction_without_friction_carries_no_force(world, mu, mu2, held):
    """Bodies at both sides of a contact, with the friction directions y (held by mu) and -z (by mu2)."""
    ode.dWorldSetCFM(world, 0)
    bodies = [ode.dBodyCreate(world), ode.dBodyCreate(world)]
    for body, x in zip(bodies, (-1, 1), strict=True):
        ode.dBodySetPosition(body, x, 0, 0)
        ode.dBodyAddForce(body, -x, 0, 0)
    contact = ode.dContact()
    contact.geom.normal, contact.fdir1 = [-1, 0, 0], [0, 1, 0]
    contact.surface.mode = ode.dContactMu2 | ode.dContactFDir1 | ode.dContactApprox1
    contact.surface.mu, contact.surface.mu2 = mu, mu2
    joint, feedback = ode.dJointCreateContact(world, 0, contact), ode.dJointFeedback()
    ode.dJointAttach(joint, *bodies)
    ode.dJointSetFeedback(joint, feedback)
    ode.dBodySetLinearVel(bodies[0], 0, 1, 1)
    ode.dWorldStep(world, 0.1)
    sideways = abs(feedback.f1[1:])
    assert sideways[held] > 0.5 and sideways[1 - held] == 0
    assert feedback.f1[0] < -0.9


# -- boxes -------------------------------------------------------------------------------------------------------------


def test_boxes_touch_where_points_of_one_are_in_the_other():
    """Boxes touch if corners of one lie in the other; dBoxBox finds contacts if and only if they touch."""
    corners = np.array(list(itertools.product((-0.5, 0.5), repeat=3)))
    seen = set()
    for _ in range(150):
        (p1, R1), (p2, R2) = random_place(), random_place()
        side1, side2 = RNG.uniform(0.3, 2, (2, 3))
        touch = ode.dBoxTouchesBox(p1, R1, side1, p2, R2, side2)
        normal, depth, code, contacts = ode.dBoxBox(p1, R1, side1, p2, R2, side2, 8)
        box = ode.dCreateBox(0, *side1)
        ode.dGeomSetPosition(box, *p1)
        ode.dGeomSetRotation(box, R1)
        in_world = p2 + (corners * side2) @ R2.reshape(3, 4)[:, :3].T
        inside = any(ode.dGeomBoxPointDepth(box, *corner) > 0 for corner in in_world)
        assert touch == ode.dBoxTouchesBox(p2, R2, side2, p1, R1, side1) >= inside
        assert touch == (len(contacts) > 0) == (code > 0)
        if touch:
            close(ode.dLENGTH(normal), 1)
            assert depth >= max(contact.depth for contact in contacts) - 1e-9
            # Pushed apart by the depth they no longer touch; by 5 % less, the favour shown to faces, they still do.
            apart = [p2 + part * depth * normal for part in (0.95, 1.000001)]
            assert [ode.dBoxTouchesBox(p1, R1, side1, p, R2, side2) for p in apart] == [1, 0]
        seen.add((touch, inside))
    assert len(seen) == 3
