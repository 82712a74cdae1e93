"""The C names of bodies."""

import numpy as np
import pytest

from opendynamics import c_api as ode

close = np.testing.assert_allclose
TURN = [0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0]  # a quarter about z
QUARTER = [np.sqrt(0.5), 0, 0, np.sqrt(0.5)]


@pytest.fixture
def world():
    return ode.dWorldCreate()


@pytest.fixture
def body(world):
    """At (1, 2, 3), turned a quarter about z."""
    b = ode.dBodyCreate(world)
    ode.dBodySetPosition(b, 1, 2, 3)
    ode.dBodySetRotation(b, TURN)
    return b


def test_switching_auto_disable_off_takes_the_worlds_counts_and_wakes(world):
    """As in ODE, where the flag's setter resets the settings, and the defaults set the flag."""
    ode.dWorldSetAutoDisableSteps(world, 7)
    ode.dWorldSetAutoDisableTime(world, 0.5)
    ode.dWorldSetAutoDisableAverageSamplesCount(world, 3)
    for switch_off in (lambda body: ode.dBodySetAutoDisableFlag(body, 0), ode.dBodySetAutoDisableDefaults):
        body = ode.dBodyCreate(world)
        ode.dBodySetAutoDisableSteps(body, 1)
        ode.dBodySetAutoDisableTime(body, 2)
        ode.dBodySetAutoDisableAverageSamplesCount(body, 0)
        ode.dBodyDisable(body)
        switch_off(body)
        assert ode.dBodyIsEnabled(body) == 1
        assert ode.dBodyGetAutoDisableSteps(body) == 7 and ode.dBodyGetAutoDisableTime(body) == 0.5
        assert ode.dBodyGetAutoDisableAverageSamplesCount(body) == 3


def test_the_quaternion_of_a_displaced_geom_is_that_of_its_matrix(world):
    """q and -q are one rotation; ODE gives the one that follows from the matrix unless it is the body's own."""
    body, box = ode.dBodyCreate(world), ode.dCreateBox(0, 1, 1, 1)
    ode.dBodySetQuaternion(body, [-0.8, 0.6, 0, 0])
    ode.dGeomSetBody(box, body)
    close(ode.dGeomGetQuaternion(box), [-0.8, 0.6, 0, 0])
    ode.dGeomSetOffsetPosition(box, 1, 0, 0)
    close(ode.dGeomGetQuaternion(box), [0.8, -0.6, 0, 0])


def test_a_new_body(world):
    body = ode.dBodyCreate(world)
    mass = ode.dBodyGetMass(body)
    assert ode.dBodyGetWorld(body) is world
    assert mass.mass == 1 and list(mass.I) == [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0] and list(mass.c) == [0, 0, 0]
    close(ode.dBodyGetRotation(body), [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0])
    close(ode.dBodyGetQuaternion(body), [1, 0, 0, 0])
    for read in (
        ode.dBodyGetPosition,
        ode.dBodyGetLinearVel,
        ode.dBodyGetAngularVel,
        ode.dBodyGetForce,
        ode.dBodyGetTorque,
    ):
        close(read(body), [0, 0, 0])
    assert ode.dBodyIsEnabled(body) == ode.dBodyGetGravityMode(body) == ode.dBodyGetGyroscopicMode(body) == 1
    assert ode.dBodyIsKinematic(body) == ode.dBodyGetFiniteRotationMode(body) == ode.dBodyGetNumJoints(body) == 0
    assert ode.dBodyGetFirstGeom(body) is None and ode.dBodyGetJoint(body, 0) is None


def test_place(world, body):
    close(ode.dBodyGetPosition(body), [1, 2, 3])
    close(ode.dBodyCopyPosition(body), [1, 2, 3])
    for read in (ode.dBodyGetRotation, ode.dBodyCopyRotation):
        close(read(body), TURN, atol=1e-15)
    for read in (ode.dBodyGetQuaternion, ode.dBodyCopyQuaternion):
        close(read(body), QUARTER)
    ode.dBodySetQuaternion(body, [0, 2, 0, 0])
    close(ode.dBodyGetQuaternion(body), [0, 1, 0, 0])
    close(ode.dBodyGetRotation(body), [1, 0, 0, 0, 0, -1, 0, 0, 0, 0, -1, 0])
    with pytest.raises(ValueError, match="read-only"):  # const in C
        ode.dBodyGetPosition(body)[0] = 99
    ode.dBodyCopyPosition(body)[0] = 99
    assert ode.dBodyGetPosition(body)[0] == 1
    for wrong in (np.eye(3), [1, 2]):
        with pytest.raises(ValueError, match="12 numbers"):
            ode.dBodySetRotation(body, wrong)


def test_velocity_moves_it(world, body):
    ode.dBodySetLinearVel(body, 1, 0, -1)
    ode.dBodySetAngularVel(body, 0, 0, 0.5)
    close(ode.dBodyGetLinearVel(body), [1, 0, -1])
    close(ode.dBodyGetAngularVel(body), [0, 0, 0.5])
    ode.dWorldStep(world, 0.5)
    close(ode.dBodyGetPosition(body), [1.5, 2, 2.5])


def test_forces(body):
    forces = {
        ode.dBodyAddForce: ((1, 2, 3), (1, 2, 3), (0, 0, 0)),
        ode.dBodyAddTorque: ((1, 2, 3), (0, 0, 0), (1, 2, 3)),
        ode.dBodyAddRelForce: ((1, 2, 3), (-2, 1, 3), (0, 0, 0)),
        ode.dBodyAddRelTorque: ((1, 2, 3), (0, 0, 0), (-2, 1, 3)),
        ode.dBodyAddForceAtPos: ((1, 0, 0, 1, 3, 3), (1, 0, 0), (0, 0, -1)),
        ode.dBodyAddForceAtRelPos: ((1, 0, 0, 1, 0, 0), (1, 0, 0), (0, 0, -1)),
        ode.dBodyAddRelForceAtPos: ((1, 0, 0, 2, 2, 3), (0, 1, 0), (0, 0, 1)),
        ode.dBodyAddRelForceAtRelPos: ((1, 0, 0, 0, 0, 1), (0, 1, 0), (-1, 0, 0)),
    }
    for add, (arguments, force, torque) in forces.items():
        ode.dBodySetForce(body, 0.5, 0, 0)
        ode.dBodySetTorque(body, 0, 0.5, 0)
        add(body, *arguments)
        close(ode.dBodyGetForce(body), np.add(force, (0.5, 0, 0)), atol=1e-15)
        close(ode.dBodyGetTorque(body), np.add(torque, (0, 0.5, 0)), atol=1e-15)


def test_points_and_vectors(body):
    ode.dBodySetLinearVel(body, 0, 0, 1)
    ode.dBodySetAngularVel(body, 0, 0, 2)
    close(ode.dBodyGetRelPointPos(body, 1, 0, 0), [1, 3, 3])
    close(ode.dBodyGetPosRelPoint(body, 1, 3, 3), [1, 0, 0], atol=1e-15)
    close(ode.dBodyGetRelPointVel(body, 1, 0, 0), [-2, 0, 1], atol=1e-15)
    close(ode.dBodyGetPointVel(body, 2, 2, 3), [0, 2, 1])
    close(ode.dBodyVectorToWorld(body, 1, 0, 0), [0, 1, 0], atol=1e-15)
    close(ode.dBodyVectorFromWorld(body, 0, 1, 0), [1, 0, 0], atol=1e-15)


def test_mass(world, body):
    mass = ode.dMass()
    ode.dMassSetBox(mass, 2, 1, 2, 3)
    ode.dBodySetMass(body, mass)
    mass.mass = 0
    got = ode.dBodyGetMass(body)
    assert got.mass == 12 and list(got.I) == [13, 0, 0, 0, 0, 10, 0, 0, 0, 0, 5, 0]
    ode.dBodyAddForce(body, 12, 0, 0)
    ode.dWorldStep(world, 1)
    close(ode.dBodyGetLinearVel(body), [1, 0, 0])
    for wrong, message in ((mass, "greater than 0"), (ode.dMass(), "greater than 0")):
        with pytest.raises(ValueError, match=message):
            ode.dBodySetMass(body, wrong)
    got.c[0] = 0.1
    with pytest.raises(ValueError, match="centre of mass"):
        ode.dBodySetMass(body, got)
    assert ode.dBodyGetMass(body).mass == 12


def test_modes(world, body):
    ode.dWorldSetGravity(world, 0, 0, -1)
    ode.dBodySetGravityMode(body, 0)
    assert ode.dBodyGetGravityMode(body) == 0
    ode.dWorldStep(world, 1)
    close(ode.dBodyGetLinearVel(body), [0, 0, 0])
    ode.dBodySetGravityMode(body, 1)
    ode.dBodyDisable(body)
    assert ode.dBodyIsEnabled(body) == 0
    ode.dWorldStep(world, 1)
    close(ode.dBodyGetLinearVel(body), [0, 0, 0])
    ode.dBodyEnable(body)
    ode.dBodySetKinematic(body)
    assert ode.dBodyIsEnabled(body) == ode.dBodyIsKinematic(body) == 1
    ode.dWorldStep(world, 1)
    close(ode.dBodyGetLinearVel(body), [0, 0, 0])
    ode.dBodySetDynamic(body)
    assert ode.dBodyIsKinematic(body) == 0
    ode.dWorldStep(world, 1)
    close(ode.dBodyGetLinearVel(body), [0, 0, -1])


def test_rotation_modes(world):
    """One radian about x in one step, exact only in finite mode; long bodies wobble only with gyroscopic torque."""
    angles = []
    for mode in (0, 1):
        body = ode.dBodyCreate(world)
        ode.dBodySetFiniteRotationMode(body, mode)
        assert ode.dBodyGetFiniteRotationMode(body) == mode
        ode.dBodySetAngularVel(body, 1, 0, 0)
        ode.dWorldStep(world, 1)
        angles.append(2 * np.arccos(ode.dBodyGetQuaternion(body)[0]))
    close(angles, [2 * np.arctan(0.5), 1])
    ode.dBodySetFiniteRotationAxis(body, 0, 3, 0)
    close(ode.dBodyGetFiniteRotationAxis(body), [0, 1, 0])
    ode.dBodySetFiniteRotationAxis(body, 0, 0, 0)
    close(ode.dBodyGetFiniteRotationAxis(body), [0, 0, 0])
    mass, spins = ode.dMass(), []
    ode.dMassSetBox(mass, 1, 1, 2, 3)
    for mode in (0, 1):
        body = ode.dBodyCreate(world)
        ode.dBodySetMass(body, mass)
        ode.dBodySetGyroscopicMode(body, mode)
        assert ode.dBodyGetGyroscopicMode(body) == mode
        ode.dBodySetAngularVel(body, 1, 2, 3)
        ode.dWorldStep(world, 0.1)
        spins.append(ode.dBodyGetAngularVel(body))
    close(spins[0], [1, 2, 3])
    assert abs(spins[1] - [1, 2, 3]).max() > 0.05


def test_belongings(world, body):
    ode.dBodySetData(body, "mine")
    assert ode.dBodyGetData(body) == "mine"
    space, geoms = ode.dSimpleSpaceCreate(0), []
    for radius in (1, 2, 3):
        geoms.insert(0, ode.dCreateSphere(space, radius))
        ode.dGeomSetBody(geoms[0], body)
    found = [ode.dBodyGetFirstGeom(body)]
    while ode.dBodyGetNextGeom(found[-1]) is not None:
        found.append(ode.dBodyGetNextGeom(found[-1]))
    assert found == geoms
    assert ode.dGeomGetBodyNext(geoms[0]) is geoms[1]
    assert ode.dBodyGetNextGeom(ode.dCreateSphere(0, 1)) is None
    joints = [ode.dJointCreateBall(world, 0), ode.dJointCreateFixed(world, 0)]
    for joint in joints:
        ode.dJointAttach(joint, body, 0)
    assert ode.dBodyGetNumJoints(body) == 2
    assert [ode.dBodyGetJoint(body, k) for k in (0, 1, 2, -1)] == [joints[1], joints[0], None, None]
    ode.dBodyDestroy(body)
    assert ode.dGeomGetBody(geoms[0]) is None and ode.dJointGetNumBodies(joints[0]) == 0
    with pytest.raises(ReferenceError):
        ode.dBodyGetPosition(body)


def test_moved_callback(world, body):
    moved = []
    ode.dBodySetMovedCallback(body, lambda b: moved.append((b, ode.dBodyGetPosition(b)[0])))
    ode.dBodySetLinearVel(body, 1, 0, 0)
    ode.dWorldStep(world, 1)
    assert moved == [(body, 2)]
    ode.dBodySetMovedCallback(body, 0)
    ode.dWorldStep(world, 1)
    assert len(moved) == 1


def test_copying_the_defaults_does_not_begin_the_idle_time_anew():
    world = ode.dWorldCreate()
    ode.dWorldSetAutoDisableFlag(world, 1)
    ode.dWorldSetAutoDisableSteps(world, 3)
    bodies = [ode.dBodyCreate(world) for _ in range(2)]
    for body in bodies:
        ode.dJointAttach(ode.dJointCreateBall(world, 0), body, 0)
    for _ in range(2):
        ode.dWorldStep(world, 0.01)
    ode.dBodySetAutoDisableDefaults(bodies[0])
    assert [ode.dBodyIsEnabled(body) for body in bodies] == [1, 1]
    ode.dWorldStep(world, 0.01)
    assert [ode.dBodyIsEnabled(body) for body in bodies] == [0, 0]
