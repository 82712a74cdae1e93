"""Objects of PyODE's classes: subclasses, identity, lifetime, exceptions in callbacks."""

import gc
import math
import weakref

import pytest

from opendynamics import pyode as ode


@pytest.fixture
def world():
    return ode.World()


@pytest.fixture
def raising():
    before = ode.raiseCallbackErrors(True)
    yield
    ode.raiseCallbackErrors(before)


# -- subclasses --------------------------------------------------------------------------------------------------------


def test_attributes_before_and_after_the_base_constructor(world):
    class Ship(ode.Body):
        def __init__(self, world, name):
            self.name = name
            ode.Body.__init__(self, world)
            self.setPosition((1, 2, 3))
            self.fuel = 5

    ship = Ship(world, "Nostromo")
    assert (ship.name, ship.fuel, ship.getPosition()) == ("Nostromo", 5, (1.0, 2.0, 3.0))


def test_the_base_constructor_may_be_left_out(world):
    class Ship(ode.Body):
        def __init__(self, world):
            self.setPosition((1, 2, 3))

    class Rock(ode.GeomSphere):
        def __init__(self, space, radius):
            self.hits = 0

    space = ode.SimpleSpace()
    rocks = [Rock(space, 0.5), Rock(space, 1.5)]
    assert Ship(world).getPosition() == (1.0, 2.0, 3.0)
    assert [rock.getRadius() for rock in rocks] == [0.5, 1.5]
    seen = []
    space.collide(None, lambda arg, a, b: seen.extend([a, b]))
    assert sorted(seen, key=id) == sorted(rocks, key=id)


def test_a_subclass_may_choose_the_arguments(world):
    class Named(ode.Body):
        def __new__(cls, world, name):
            made = ode.Body.__new__(cls, world)
            made.name = name
            return made

    assert Named(world, "n").name == "n"


def test_a_world_with_a_step_of_its_own():
    class Counting(ode.World):
        def __init__(self):
            ode.World.__init__(self)
            self.steps = 0

        def step(self, h):
            self.steps += 1
            ode.World.step(self, h)

    world = Counting()
    world.setGravity((0, 0, -10))
    body = ode.Body(world)
    world.step(0.1)
    assert (world.steps, body.getLinearVel()) == (1, (0.0, 0.0, -1.0))


def test_a_property_of_a_subclass_is_set_through_it(world):
    class Lift(ode.Body):
        @property
        def height(self):
            return self.getPosition()[2]

        @height.setter
        def height(self, value):
            self.setPosition((0, 0, value))

    lift = Lift(world)
    lift.height = 4
    assert lift.getPosition() == (0.0, 0.0, 4.0)


def test_arguments_are_named_and_counted(world):
    assert ode.GeomSphere(radius=2.0).getRadius() == 2.0
    with pytest.raises(TypeError, match=r"GeomSphere\(\) takes"):
        ode.GeomSphere(None, 1.0, 2.0)
    with pytest.raises(TypeError, match=r"Body\(\) missing"):
        ode.Body()


def test_what_keeps_no_attributes(world):
    for thing in (world, ode.Contact(), ode.Mass(), ode.JointGroup()):
        with pytest.raises(AttributeError):
            thing.colour = "red"
    import copy
    import pickle

    for thing in (world, ode.Body(world), ode.Mass()):
        with pytest.raises(TypeError, match="copied or pickled"):
            copy.copy(thing)
        with pytest.raises(TypeError, match="copied or pickled"):
            pickle.dumps(thing)


# -- how long they live ------------------------------------------------------------------------------------------------


def test_a_body_lives_as_long_as_something_refers_to_it(world):
    body, geom = ode.Body(world), ode.GeomSphere()
    geom.setBody(body)
    alive = weakref.ref(body)
    identifier = body._ode_id
    del body
    gc.collect()
    assert alive() is geom.getBody()  # the geom keeps it
    del geom
    gc.collect()
    ode.Body(world)
    assert alive() is None
    assert not identifier.alive


def test_a_body_outlives_the_name_of_its_world():
    world = ode.World()
    body = ode.Body(world)
    body.setPosition((1, 2, 3))
    del world
    gc.collect()
    assert body.getPosition() == (1.0, 2.0, 3.0)


def test_cycles_of_attributes_end_too(world):
    space = ode.HashSpace()
    for _ in range(3):
        body, geom = ode.Body(world), ode.GeomSphere(space, 1.0)
        geom.setBody(body)
        body.geom, geom.owner = geom, body
    del body, geom
    gc.collect()
    assert len(space) == 0
    assert not world._ode_id.bodies
    world.step(0.01)


def test_geoms_that_end_during_a_collision_are_passed_over():
    space = ode.SimpleSpace()
    geoms = [ode.GeomSphere(space, 1.0) for _ in range(4)]
    seen = []

    def callback(arg, one, two):
        seen.append((one, two))
        geoms.clear()

    space.collide(None, callback)
    assert len(seen) >= 1
    seen.clear()
    assert len(space) == 0


def test_joints_of_an_ended_group_do_not_act(world):
    world.setGravity((0, 0, -10))
    body, group = ode.Body(world), ode.JointGroup()
    ode.BallJoint(world, group).attach(body, None)
    world.step(0.01)
    assert body.getLinearVel()[2] == pytest.approx(0.0, abs=1e-8)
    group = ode.JointGroup()  # scripts do so instead of emptying it
    world.step(0.01)
    assert body.getLinearVel()[2] == pytest.approx(-0.1)


def test_a_joint_of_an_emptied_group_says_so(world):
    group, body = ode.JointGroup(), ode.Body(world)
    joint = ode.HingeJoint(world, group)
    joint.attach(body, None)
    group.empty()
    for call in (lambda: joint.attach(body, None), joint.enable, lambda: joint.setParam(ode.ParamVel, 1.0)):
        with pytest.raises(ValueError, match="destroyed"):
            call()


def test_contact_joints_of_a_group_however_they_are_made(world):
    class Named(ode.ContactJoint):
        def __init__(self, world, group, contact, name):
            super().__init__(world, group, contact)
            self.name = name

    body, group, contact = ode.Body(world), ode.JointGroup(), ode.Contact()
    contact.setContactGeomParams((0, 0, 0), (0, 0, 1), 0.01)
    joints = [ode.ContactJoint(world, group, contact), ode.ContactJoint(world, jointgroup=group, contact=contact)]
    joints += [Named(world, group, contact, "touch"), ode.ContactJoint(world, None, contact)]
    for joint in joints:
        assert (joint.getBody(0), joint.getFeedback()) == (None, None)
        joint.attach(body, None)
        joint.remark = "kept"
        assert (joint.getBody(0), joint.getBody(1), joint.remark) == (body, None, "kept")
    assert (body.getNumJoints(), joints[2].name) == (4, "touch")
    group.empty()
    assert [joint.getBody(0) for joint in joints] == [None, None, None, body]
    with pytest.raises(ValueError, match="destroyed"):
        joints[0].attach(body, None)
    for arguments in ((world, group), (world, group, None), (world, group, contact, 1)):
        with pytest.raises(TypeError):
            ode.ContactJoint(*arguments)
    del joint, joints
    assert body.getNumJoints() == 0


# -- exceptions in callbacks -------------------------------------------------------------------------------------------


def crowd():
    space = ode.SimpleSpace()
    return space, [ode.GeomSphere(space, 1.0) for _ in range(3)]


def test_exceptions_in_callbacks_are_printed_and_the_collision_goes_on(capsys):
    space, _geoms = crowd()
    calls = []

    def callback(arg, one, two):
        calls.append((one, two))
        raise KeyError("in the callback")

    assert space.collide(None, callback) is None
    assert len(calls) == 3
    printed = capsys.readouterr().err
    assert printed.count("Exception ignored in: 'ode.collide_callback'") == 3
    assert printed.count("KeyError: 'in the callback'") == 3
    assert space.collide(None, None) is None
    assert "TypeError: 'NoneType' object is not callable" in capsys.readouterr().err


def test_exceptions_in_callbacks_can_be_let_out(raising):
    space, geoms = crowd()
    calls = []

    def callback(arg, one, two):
        calls.append((one, two))
        raise KeyError("in the callback")

    with pytest.raises(KeyError, match="in the callback"):
        space.collide(None, callback)
    assert len(calls) == 1
    with pytest.raises(KeyError, match="in the callback"):
        ode.collide2(space, geoms[0], None, callback)
    space.collide(None, lambda *pair: calls.append(pair))  # the space is as it was
    assert len(calls) == 5


def test_exceptions_of_other_callbacks(world, capsys, raising):
    ode.raiseCallbackErrors(False)
    body = ode.Body(world)

    def fail(*arguments):
        raise ValueError("no")

    body.setMovedCallback(fail)
    body.setLinearVel((1, 0, 0))
    world.step(0.5)
    assert body.getPosition() == (0.5, 0.0, 0.0)
    data = ode.HeightfieldData()
    data.build_callback(None, fail, 1, 1, 2, 2, 1, 0, 1, 0)
    printed = capsys.readouterr().err
    assert printed.count("'ode.moved_callback'") == 1
    assert printed.count("'ode.heightfield_callback'") == 4
    ode.raiseCallbackErrors(True)
    with pytest.raises(ValueError, match="no"):
        data.build_callback(None, fail, 1, 1, 2, 2, 1, 0, 1, 0)
    with pytest.raises(ValueError, match="no"):
        world.step(0.5)


def test_a_keyboard_interrupt_always_gets_out():
    space, _geoms = crowd()

    def callback(arg, one, two):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        space.collide(None, callback)


# -- bad arguments -----------------------------------------------------------------------------------------------------


def box_mass():
    mass = ode.Mass()
    mass.setBox(1, 1, 1, 1)
    return mass


def off_centre():
    mass = box_mass()
    mass.translate((1, 0, 0))
    return mass


NAN = math.nan

# Calls that, with PyODE, end the process, go on with NaN, or raise.
REFUSED = {
    "step 0": lambda w, b, s, g: w.step(0),
    "step -1": lambda w, b, s, g: w.step(-1),
    "step of a word": lambda w, b, s, g: w.step("a"),
    "quickStep 0": lambda w, b, s, g: w.quickStep(0),
    "no iterations": lambda w, b, s, g: w.setQuickStepNumIterations(0),
    "gravity too short": lambda w, b, s, g: w.setGravity((0, 0)),
    "gravity of words": lambda w, b, s, g: w.setGravity("abc"),
    "no gravity": lambda w, b, s, g: w.setGravity(None),
    "negative radius": lambda w, b, s, g: ode.GeomSphere(s, -1),
    "new radius": lambda w, b, s, g: g.setRadius(-1),
    "box of a number": lambda w, b, s, g: ode.GeomBox(s, 1),
    "sphere in a word": lambda w, b, s, g: ode.GeomSphere("x"),
    "plane without a normal": lambda w, b, s, g: ode.GeomPlane(s, (0, 0, 0), 1),
    "ray without a direction": lambda w, b, s, g: ode.GeomRay(s, 5).set((0, 0, 0), (0, 0, 0)),
    "offset without a body": lambda w, b, s, g: g.setOffsetPosition((0, 0, 1)),
    "add twice": lambda w, b, s, g: s.add(g),
    "remove a stranger": lambda w, b, s, g: s.remove(ode.GeomSphere()),
    "add a number": lambda w, b, s, g: s.add(3),
    "collide with nothing": lambda w, b, s, g: ode.collide(g, None),
    "collide2 with nothing": lambda w, b, s, g: ode.collide2(g, None, None, print),
    "body of a number": lambda w, b, s, g: ode.Body(1),
    "body of nothing": lambda w, b, s, g: ode.Body(None),
    "joint of nothing": lambda w, b, s, g: ode.HingeJoint(None),
    "attach numbers": lambda w, b, s, g: ode.HingeJoint(w).attach(1, 2),
    "attach to itself": lambda w, b, s, g: ode.HingeJoint(w).attach(b, b),
    "body of another world": lambda w, b, s, g: ode.HingeJoint(w).attach(b, ode.Body(ode.World())),
    "hinge2 on one body": lambda w, b, s, g: ode.Hinge2Joint(w).attach(b, None),
    "nine motor axes": lambda w, b, s, g: ode.AMotor(w).setNumAxes(9),
    "contact joint of nothing": lambda w, b, s, g: ode.ContactJoint(w, None, None),
    "contact not finite": lambda w, b, s, g: ode.Contact().setContactGeomParams((NAN, 0, 0), (0, 0, 1), 0),
    "contact mode of a list": lambda w, b, s, g: ode.Contact().setMode([1]),
    "no mass": lambda w, b, s, g: b.setMass(ode.Mass()),
    "mass None": lambda w, b, s, g: b.setMass(None),
    "mass off centre": lambda w, b, s, g: b.setMass(off_centre()),
    "negative mass": lambda w, b, s, g: box_mass().setSphere(-1, 1),
    "adjust nothing": lambda w, b, s, g: ode.Mass().adjust(2),
    "add a number to a mass": lambda w, b, s, g: box_mass() + 1,
    "rotation of zeros": lambda w, b, s, g: b.setRotation((0,) * 9),
    "rotation too short": lambda w, b, s, g: b.setRotation((1, 0)),
    "rotation of words": lambda w, b, s, g: b.setRotation(["1"] * 9),
    "quaternion of zeros": lambda w, b, s, g: b.setQuaternion((0, 0, 0, 0)),
    "position not finite": lambda w, b, s, g: b.setPosition((NAN, 0, 0)),
    "position of a generator": lambda w, b, s, g: b.setPosition(k for k in range(3)),
    "force not finite": lambda w, b, s, g: b.addForce((math.inf, 0, 0)),
    "mesh of nothing": lambda w, b, s, g: ode.GeomTriMesh(None, s),
    "mesh not built": lambda w, b, s, g: ode.GeomTriMesh(ode.TriMeshData(), s),
    "mesh of words": lambda w, b, s, g: ode.TriMeshData().build([(0, 0, 0)] * 3, [("a", "b", "c")]),
    "mesh out of range": lambda w, b, s, g: ode.TriMeshData().build([(0, 0, 0)] * 3, [(0, 1, 3)]),
    "callback of a number": lambda w, b, s, g: b.setMovedCallback(5),
    "mode of a word": lambda w, b, s, g: s.setManualCleanup("yes"),
    "sublevel of a half": lambda w, b, s, g: s.setSublevel(0.5),
    "negative bits": lambda w, b, s, g: g.setCollideBits(-1),
    "parameter of a word": lambda w, b, s, g: ode.HingeJoint(w).setParam("vel", 1),
}


@pytest.mark.parametrize("call", REFUSED.values(), ids=REFUSED)
def test_bad_arguments_raise_and_change_nothing(call, world):
    body, space = ode.Body(world), ode.HashSpace()
    geom = ode.GeomSphere(space, 0.5)
    body.setPosition((1, 2, 3))
    with pytest.raises((TypeError, ValueError, IndexError, OverflowError)):
        call(world, body, space, geom)
    gc.collect()
    assert (len(space), geom.getRadius(), body.getNumJoints(), body.getMass().mass) == (1, 0.5, 0, 1.0)
    assert (world.getGravity(), world.getQuickStepNumIterations()) == ((0.0, 0.0, 0.0), 20)
    world.step(0.01)
    assert body.getPosition() == (1.0, 2.0, 3.0)


def test_a_triangle_that_is_not_there():
    data = ode.TriMeshData()
    data.build([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)])
    with pytest.raises(ValueError, match="triangle"):
        ode.GeomTriMesh(data).getTriangle(7)


@pytest.mark.parametrize("kind", [ode.SimpleSpace, ode.HashSpace])
def test_a_space_gives_back_what_it_was_given(kind):
    space = kind()
    geom = ode.GeomSphere(space, 1.0)
    space.remove(geom)
    assert (space.query(geom), len(space)) == (0, 0)
    with pytest.raises(ValueError, match="is not in this space"):
        space.remove(geom)
    with pytest.raises(TypeError, match="what is removed from a space must be a GeomObject, not 3"):
        space.remove(3)
    space.add(geom)
    assert (space.query(geom), len(space)) == (1, 1)


@pytest.mark.parametrize("order", [(), ("XYZ",), ("XZY",), ("YXZ",), ("YZX",), ("ZXY",), ("ZYX",)])
def test_sweep_and_prune_finds_pairs_in_any_order(order):
    space, seen = ode.SAPSpace(None, *order), []
    geoms = [ode.GeomBox(space, (1, 1, 1)) for _ in range(3)]
    geoms[1].setPosition((0.5, -0.5, 0.5))
    geoms[2].setPosition((9, 0, 0))
    space.collide(None, lambda _, one, other: seen.append({one, other}))
    assert seen == [{geoms[0], geoms[1]}]


def test_spaces_do_not_list_what_was_forgotten():
    space = ode.HashSpace()
    kept, forgotten = ode.GeomSphere(space, 1), ode.GeomBox(space)
    assert list(space) == [forgotten, kept]
    del forgotten
    gc.collect()
    assert list(iter(space)) == [kept]


# -- numbers -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("axis", [(3, 2, 1), (1, 3, 2), (2, 1, 3)])
@pytest.mark.parametrize("angle", [0.8, 2.9])
def test_a_matrix_that_is_nearly_a_rotation_turns_as_the_rotation(world, axis, angle):
    """ODE takes the quaternion of such a matrix by its largest element; 2.9 rad have a trace below zero."""
    body = ode.Body(world)
    length = math.sqrt(14)
    expected = [math.cos(angle / 2), *(math.sin(angle / 2) * a / length for a in axis)]
    body.setQuaternion(expected)
    matrix = list(body.getRotation())
    matrix[8] += 1e-7
    body.setQuaternion((1, 0, 0, 0))
    body.setRotation(matrix)
    assert body.getQuaternion() == pytest.approx(expected, abs=1e-6)


# -- contacts that a loop only passes on, and others ---------------------------------------------------------------------


def two_boxes_on_a_plane(world, near):
    """Boxes side by side on a plane, stepped with contacts that `near` makes; their positions and velocities."""
    space, group = ode.HashSpace(), ode.JointGroup()
    world.setGravity((0, 0, -9.81))
    plane = ode.GeomPlane(space, (0, 0, 1), 0)
    bodies, geoms = [], []
    for k in range(2):
        body, mass = ode.Body(world), ode.Mass()
        mass.setBox(500, 0.2, 0.2, 0.2)
        body.setMass(mass)
        body.setPosition((0.25 * k, 0, 0.0999))
        body.setLinearVel((1 + k, 0, 0))
        geom = ode.GeomBox(space, (0.2, 0.2, 0.2))
        geom.setBody(body)
        bodies.append(body)
        geoms.append(geom)
    for _ in range(20):
        space.collide((group, bodies), near)
        world.step(0.01)
        group.empty()
    del plane
    return [(body.getPosition(), body.getLinearVel()) for body in bodies]


def test_a_contact_is_the_same_whoever_looks_at_it():
    def near(look):
        def callback(arg, geom1, geom2):
            for contact in ode.collide(geom1, geom2):
                contact.setMode(ode.ContactBounce | ode.ContactApprox1)
                if look == "early":
                    depth = contact.getContactGeomParams()[2]
                contact.setMu(0.3)
                contact.setBounce(0.25)
                if look == "late":
                    depth = contact.getContactGeomParams()[2]
                if look:
                    assert depth > 0 and contact.getMu() == 0.3 and contact.getBounce() == 0.25
                    contact.setMu(0.2)
                    contact.setMu(0.3)
                ode.ContactJoint(contact_world, arg[0], contact).attach(geom1.getBody(), geom2.getBody())

        return callback

    found = []
    for look in ("", "early", "late"):
        contact_world = ode.World()
        found.append(two_boxes_on_a_plane(contact_world, near(look)))
    assert found[0] == found[1] == found[2] and found[0][0][1][0] < 1


def test_contacts_of_a_pair_may_join_other_bodies(world):
    """Whatever the contact of the same pair before was attached to."""
    joined = []

    def near(arg, geom1, geom2):
        group, bodies = arg
        first, second = geom1.getBody(), geom2.getBody()
        other = bodies[0] if first is not bodies[0] and second is not bodies[0] else bodies[1]
        for k, contact in enumerate(ode.collide(geom1, geom2)):
            joint = ode.ContactJoint(world, group, contact)
            ends = (first, second) if k % 2 == 0 else (other, None)
            joint.attach(*ends)
            joined.append((joint._ode_id.bodies, tuple(body and body._ode_id for body in ends)))

    two_boxes_on_a_plane(world, near)
    assert len(joined) > 8 and all(got == given for got, given in joined)


def test_all_exceptions_of_the_loop_name_what_was_given(world):
    space = ode.SimpleSpace()
    geoms = [ode.GeomSphere(space, 1.0) for _ in range(2)]
    (contact,) = ode.collide(*geoms)
    assert contact.getMode() == ode.ContactBounce and contact.getMu() == ode.Infinity and contact.getBounce() == 0.1
    with pytest.raises(TypeError, match="what collides must be a GeomObject, not 3"):
        ode.collide(geoms[0], 3)
    with pytest.raises(ValueError, match="the mode of a contact"):
        contact.setMode(-1)
    with pytest.raises(TypeError, match="mu of a contact"):
        contact.setMu("much")
    with pytest.raises(TypeError, match="the group of a joint must be a JointGroup or None"):
        ode.ContactJoint(world, 3, contact)
    assert contact.getContactGeomParams()[3:] == (geoms[0], geoms[1])
