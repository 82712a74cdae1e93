"""XODE documents: those that PyODE's xode reads, those that it does not, and errors in others."""

import gc
import io
import math
import random

import pytest

from opendynamics import pyode as ode
from opendynamics.pyode.xode import errors, node, parser, transform

near = pytest.approx

DOCUMENT = """<?xml version="1.0" encoding="iso-8859-1"?>
<xode>
  <ext><anything/></ext>
  <world name="world">
    <transform><position x="1" y="0" z="0"/></transform>
    <space name="space">
      <geom name="floor"><plane a="0" b="0" c="2" d="2"/><ext/></geom>
      <geom name="line"><transform><position x="0" y="0" z="4"/></transform><ray length="7"/></geom>
      <geom name="ball"><transform><position x="0" y="5" z="0"/></transform><sphere radius="0.5"/></geom>
      <geom name="mesh">
        <trimesh>
          <vertices><v x="0" y="0" z="0"/><v x="1" y="0" z="0"/><v x="0" y="1" z="0"/></vertices>
          <triangles><t ia="1" ib="2" ic="3"/></triangles>
        </trimesh>
      </geom>
      <body name="box" enabled="false" gravitymode="0">
        <transform>
          <position x="1" y="2" z="3"/>
          <rotation><euler x="0" y="0" z="90" aformat="degrees"/></rotation>
        </transform>
        <torque x="1" y="2" z="3"/>
        <force x="4" y="5" z="6"/>
        <finiteRotation mode="1" xaxis="0" yaxis="0" zaxis="2"/>
        <linearVel x="7" y="8" z="9"/>
        <angularVel x="0.1" y="0.2" z="0.3"/>
        <geom name="plain"><box sizex="1" sizey="2" sizez="3"/></geom>
        <geom name="moved">
          <transform><position x="0" y="0" z="1"/></transform>
          <cappedCylinder radius="0.5" length="2"/>
        </geom>
        <mass name="mass">
          <mass_shape density="2"><box sizex="1" sizey="1" sizez="1"/></mass_shape>
          <mass><mass_shape density="1"><sphere radius="1"/></mass_shape><adjust total="3"/></mass>
        </mass>
        <joint name="ball_joint"><ball><anchor x="1" y="1" z="1"/></ball></joint>
        <body name="inner"><transform><position x="0" y="0" z="1"/></transform></body>
      </body>
      <group name="group">
        <transform absolute="true"><position x="0" y="0" z="10"/></transform>
        <body name="grouped">
          <geom><transform><rotation>
            <axisangle x="0" y="0" z="2" angle="90" aformat="degrees"/>
          </rotation></transform><cylinder radius="0.5" length="1"/></geom>
          <mass><mass_shape density="1"><cylinder radius="1" length="2" direction="x"/></mass_shape></mass>
        </body>
      </group>
      <jointgroup name="joints">
        <joint name="hinge">
          <link1 body="box"/><link2 body="grouped"/>
          <hinge>
            <anchor x="1" y="2" z="3"/>
            <axis x="0" y="0" z="3" LowStop="-1" HiStop="inf" Vel="0.5" FMax="4" Bounce="0.5"/>
          </hinge>
        </joint>
      </jointgroup>
      <joint name="slider"><link1 body="inner"/>
        <slider><axis x="0" y="1" z="0" LoStop="1" HiStop="2" StopERP="8"/></slider></joint>
      <joint name="universal"><link1 body="inner"/><link2 body="grouped"/>
        <universal><anchor x="0" y="0" z="0"/><axis x="1" y="0" z="0"/><axis x="0" y="1" z="0" FMax="3"/></universal></joint>
      <joint name="hinge2"><link1 body="inner"/><link2 body="grouped"/>
        <hinge2><axis x="0" y="1" z="0" SuspensionERP="0.4"/><axis x="1" y="0" z="0" FudgeFactor="0.2"/></hinge2></joint>
      <joint name="fixed"><link2 body="inner"/><fixed/></joint>
      <joint name="amotor"><link1 body="inner"/>
        <amotor><axis x="0" y="1" z="0" FMax="2"/><axis x="0" y="0" z="1" FMax="3"/></amotor></joint>
      <space name="nested"><geom name="deep"><capsule radius="1" length="2"/></geom></space>
    </space>
  </world>
</xode>
"""


@pytest.fixture
def root():
    return parser.Parser().parseString(DOCUMENT)


def thing(root, name):
    return root.namedChild(name).getODEObject()


def test_worlds_and_spaces(root):
    space = thing(root, "space")
    assert isinstance(thing(root, "world"), ode.World)
    assert isinstance(space, ode.SimpleSpace)
    assert space.query(thing(root, "nested")) == 1
    assert thing(root, "nested").query(thing(root, "deep")) == 1
    chosen = parser.Parser()
    chosen.setParams(spaceFactory=ode.HashSpace)
    assert chosen.getParam("spaceFactory") is ode.HashSpace
    assert isinstance(thing(chosen.parseString(DOCUMENT), "space"), ode.HashSpace)


def test_files(tmp_path):
    for file in (io.BytesIO(DOCUMENT.encode()), io.StringIO(DOCUMENT)):
        assert isinstance(thing(parser.Parser().parseFile(file), "box"), ode.Body)
    assert isinstance(thing(parser.Parser().parseString(DOCUMENT.encode()), "box"), ode.Body)


def test_bodies(root):
    body = thing(root, "box")
    assert (body.isEnabled(), body.getGravityMode(), body.getFiniteRotationMode()) == (0, 0, 1)
    assert (body.getTorque(), body.getForce()) == ((1.0, 2.0, 3.0), (4.0, 5.0, 6.0))
    assert (body.getLinearVel(), body.getAngularVel()) == ((7.0, 8.0, 9.0), (0.1, 0.2, 0.3))
    assert body.getFiniteRotationAxis() == (0.0, 0.0, 1.0)
    assert body.getMass().mass == near(5)
    # As PyODE has it: the rotation is the other way round, and turns the place of the parent.
    assert body.getRotation() == near((0, 1, 0, -1, 0, 0, 0, 0, 1), abs=1e-12)
    assert body.getPosition() == near((1, 3, 3))
    assert thing(root, "grouped").getPosition() == (0.0, 0.0, 10.0)


def test_geoms(root):
    body = thing(root, "box")
    assert thing(root, "floor").getParams() == ((0.0, 0.0, 1.0), 1.0)
    assert (thing(root, "line").getLength(), thing(root, "line").getPosition()) == (7.0, (1.0, 0.0, 4.0))
    assert (thing(root, "ball").getRadius(), thing(root, "ball").getPosition()) == (0.5, (1.0, 5.0, 0.0))
    assert thing(root, "mesh").getTriangleCount() == 1
    plain, moved = thing(root, "plain"), thing(root, "moved")
    assert (plain.getLengths(), plain.getBody(), plain.getSpace()) == ((1.0, 2.0, 3.0), body, thing(root, "space"))
    assert isinstance(moved, ode.GeomTransform)
    assert (moved.getBody(), moved.getGeom().getParams(), moved.getGeom().getPosition()) == (
        body,
        (0.5, 2.0),
        (0, 0, 1),
    )
    assert thing(root, "deep").getParams() == (1.0, 2.0)
    held = root.namedChild("grouped").getChildren()[0].getODEObject().getGeom()
    assert isinstance(held, ode.GeomCylinder)
    assert held.getQuaternion() == near((math.sqrt(0.5), 0, 0, math.sqrt(0.5)))


def test_joints(root):
    box, inner, grouped = (thing(root, name) for name in ("box", "inner", "grouped"))
    hinge, slider, universal = (thing(root, name) for name in ("hinge", "slider", "universal"))
    assert (thing(root, "ball_joint").getBody(0), thing(root, "ball_joint").getBody(1)) == (box, None)
    assert thing(root, "ball_joint").getAnchor() == near((1, 1, 1))
    assert (hinge.getBody(0), hinge.getBody(1), hinge.getAxis()) == (box, grouped, near((0, 0, 1)))
    codes = ("LoStop", "HiStop", "Vel", "FMax", "Bounce")
    assert [hinge.getParam(getattr(ode, f"Param{code}")) for code in codes] == [-1.0, math.inf, 0.5, 4.0, 0.5]
    assert (slider.getBody(1), slider.getParam(ode.ParamLoStop), slider.getParam(ode.ParamHiStop)) == (None, 1.0, 2.0)
    assert slider.getParam(ode.ParamStopERP) == 8.0
    assert (universal.getAxis2(), universal.getParam(ode.ParamFMax2)) == (near((0, 1, 0)), 3.0)
    assert thing(root, "hinge2").getParam(ode.ParamSuspensionERP) == 0.4
    assert thing(root, "hinge2").getParam(ode.ParamFudgeFactor2) == 0.2
    assert (thing(root, "fixed").getBody(0), thing(root, "fixed").getBody(1)) == (None, inner)
    motor = thing(root, "amotor")
    assert (motor.getNumAxes(), motor.getAxis(1), motor.getParam(ode.ParamFMax2)) == (2, (0.0, 0.0, 1.0), 3.0)


@pytest.mark.parametrize("count", range(4))
def test_angular_motors_have_up_to_three_axes(count):
    axes = "".join(f'<axis x="0" y="0" z="1" FMax="{k + 2}"/>' for k in range(count))
    body = '<body name="a"/>'
    motor = f'<joint name="m"><link1 body="a"/><amotor>{axes}</amotor></joint>'
    text = f'<xode version="1.0r23"><world><space>{body}{motor}</space></world></xode>'
    joint = thing(parser.Parser().parseString(text), "m")
    assert joint.getNumAxes() == count
    assert [joint.getParam(ode.ParamFMax + ode.ParamGroup * k) for k in range(count)] == [2.0, 3.0, 4.0][:count]


def test_a_joint_keeps_its_group():
    root = parser.Parser().parseString(DOCUMENT)
    hinge, box = thing(root, "hinge"), thing(root, "box")
    del root
    gc.collect()
    assert hinge.getBody(0) is box
    assert box.getNumJoints() == 1


@pytest.mark.parametrize("kind", ["group", "jointgroup"])
def test_groups_move_what_they_hold(kind):
    move = '<transform><position x="1" y="2" z="3"/></transform>'
    held = f'<{kind}>{move}<body name="a">{move}</body></{kind}>'
    text = f'<xode><world><space>{held}<body name="b">{move}</body></space></world></xode>'
    root = parser.Parser().parseString(text)
    assert thing(root, "a").getPosition() == near((2, 4, 6))
    assert thing(root, "b").getPosition() == near((1, 2, 3))


def test_the_tree(root):
    world, body = root.namedChild("world"), root.namedChild("inner")
    assert (body.getName(), body.getRoot(), world.getParent()) == ("inner", root, root)
    assert body.getFirstAncestor(ode.World) is world
    assert body in body.getParent().getChildren()
    with pytest.raises(node.AncestorNotFoundError, match="JointGroup"):
        body.getFirstAncestor(ode.JointGroup)
    with pytest.raises(KeyError):
        root.namedChild("nobody")


def test_transforms():
    one, two = transform.Transform(), transform.Transform()
    one.rotate(0.1, 0.2, 0.3)
    one.translate(1, 2, 3)
    two.scale(2, 3, 4)
    assert one.getPosition() == near((1, 2, 3))
    assert (one * two).getPosition() == near((2, 6, 12))
    assert two.getRotation() == (2.0, 0.0, 0.0, 0.0, 3.0, 0.0, 0.0, 0.0, 4.0)
    one.setIdentity()
    assert one.m == transform.Transform().m
    assert not one.isAbsolute()


def body_with(rotation):
    inside = f"<body name='b'><transform><rotation>{rotation}</rotation></transform></body>"
    return thing(parser.Parser().parseString(f"<xode><world><space>{inside}</space></world></xode>"), "b")


def test_quaternions_and_axis_angle_are_the_body_s():
    assert body_with('<quaternion w="1" x="2" y="-3" z="4"/>').getQuaternion() == near(
        tuple(k / math.sqrt(30) for k in (1, 2, -3, 4))
    )
    turned = body_with('<axisangle x="1" y="1" z="0" angle="1.2"/>').getQuaternion()
    part = math.sin(0.6) / math.sqrt(2)
    assert turned == near((math.cos(0.6), part, part, 0))


@pytest.mark.parametrize(
    ("shape", "setter", "arguments"),
    [
        ('<sphere radius="2"/>', "setSphere", (3, 2)),
        ('<box sizex="1" sizey="2" sizez="3"/>', "setBox", (3, 1, 2, 3)),
        ('<capsule radius="1" length="2"/>', "setCapsule", (3, 3, 1, 2)),
        ('<cappedCylinder radius="1" length="2" direction="2"/>', "setCapsule", (3, 2, 1, 2)),
        ('<cylinder radius="1" length="2" direction="x"/>', "setCylinder", (3, 1, 1, 2)),
    ],
)
def test_shapes_of_masses(shape, setter, arguments):
    mass = f'<mass name="m"><mass_shape density="3">{shape}</mass_shape></mass>'
    root = parser.Parser().parseString(f"<xode><world><space><body name='b'>{mass}</body></space></world></xode>")
    expected = ode.Mass()
    getattr(expected, setter)(*arguments)
    assert (thing(root, "m").mass, thing(root, "m").I) == (expected.mass, expected.I)
    assert thing(root, "b").getMass().I == expected.I


def test_masses_by_numbers_and_moved():
    inside = (
        '<mass name="m"><mass_struct mass="2" I11="1" I22="2" I33="3"/>'
        '<transform><position x="1" y="0" z="0"/></transform><transform><position x="-1" y="0" z="0"/></transform></mass>'
    )
    root = parser.Parser().parseString(f"<xode><world><space><body name='b'>{inside}</body></space></world></xode>")
    assert sum(thing(root, "b").getMass().I, ()) == near((1, 0, 0, 0, 2, 0, 0, 0, 3))


# -- errors ------------------------------------------------------------------------------------------------------------

BODY = "<xode>\n<world><space>\n{}\n</space></world></xode>"

# Documents, and the text that the message must contain.
WRONG = {
    "no XML": ("<xode><world></xode>", "line 1: mismatched tag"),
    "nothing": ("", "no element found"),
    "another root": ("<test/>", "line 1: <test>: the root element must be <xode>"),
    "root's child": ("<xode>\n<test/></xode>", "line 2: <test> is not a valid child of <xode>"),
    "world's child": ("<xode><world><body/></world></xode>", "<body> is not a valid child of <world>"),
    "space's child": (BODY.format("<test/>"), "line 3: <test> is not a valid child of <space>"),
    "geom's child": (BODY.format("<geom><test/></geom>"), "<test> is not a valid child of <geom>"),
    "no shape": (BODY.format("<geom/>"), "line 3: <geom>: must have one shape"),
    "two shapes": (BODY.format("<geom><sphere radius='1'/><sphere radius='1'/></geom>"), "one shape, not 2"),
    "no radius": (BODY.format("<geom><sphere/></geom>"), "line 3: <sphere> attribute radius: is missing"),
    "no number": (BODY.format("<geom><sphere radius='big'/></geom>"), "attribute radius: must be a number, not 'big'"),
    "infinite": (BODY.format("<geom><sphere radius='inf'/></geom>"), "attribute radius: must be a number"),
    "negative": (BODY.format("<geom><sphere radius='-1'/></geom>"), "line 3: <sphere>: the radius"),
    "vector": (BODY.format("<body><torque x='1'/></body>"), "<torque> attribute y: is missing"),
    "enabled": (BODY.format("<body enabled='unsure'/>"), "<body> attribute enabled: must be true or false"),
    "gravitymode": (BODY.format("<body gravitymode='x'/>"), "<body> attribute gravitymode: must be a whole number"),
    "finite rotation": (
        BODY.format("<body><finiteRotation mode='9' xaxis='0' yaxis='0' zaxis='0'/></body>"),
        "mode: must be 0 or 1",
    ),
    "mass's child": (BODY.format("<body><mass><test/></mass></body>"), "<test> is not a valid child of <mass>"),
    "no mass": (BODY.format("<body><mass><adjust total='-1'/></mass></body>"), "<adjust>: the mass"),
    "mass off centre": (
        BODY.format("<body><mass><transform><position x='1' y='0' z='0'/></transform></mass></body>"),
        "<mass>: the centre of mass",
    ),
    "equal links": (BODY.format("<joint><ball/></joint>"), "<ball>: must join two different bodies"),
    "no type": (BODY.format("<joint/>"), "<joint>: must have a type"),
    "link to a space": (
        BODY.format("<body name='b'/><joint><link1 body='s'/><ball/></joint>").replace("<space>", "<space name='s'>"),
        "<link1> attribute body: must name a body",
    ),
    "link to a later body": (
        BODY.format("<joint><link1 body='b'/><ball/></joint><body name='b'/>"),
        "must name a body that comes before, not 'b'",
    ),
    "no axis": (BODY.format("<body><joint><slider/></joint></body>"), "<slider>: must have 1 <axis>, not 0"),
    "axis of zeros": (
        BODY.format("<body><joint><hinge><axis x='0' y='0' z='0'/></hinge></joint></body>"),
        "<axis>: the axis",
    ),
    "no such parameter": (
        BODY.format("<body><joint><hinge><axis x='1' y='0' z='0' TestCFM='9'/></hinge></joint></body>"),
        "<axis> attribute TestCFM: is none",
    ),
    "rotation": (
        BODY.format("<body><transform><rotation><spin/></rotation></transform></body>"),
        "<spin> is not a valid child",
    ),
    "no quaternion": (
        BODY.format("<body><transform><quaternion w='0' x='0' y='0' z='0'/></transform></body>"),
        "<quaternion>: a quaternion must not be zero",
    ),
    "scale 0": (BODY.format("<body><transform scale='0'/></body>"), "<body>: a rotation must"),
    "triangle": (
        BODY.format("<geom><trimesh><v x='0' y='0' z='0'/><t ia='1' ib='2' ic='3'/></trimesh></geom>"),
        "<trimesh>: Vertex index out of range",
    ),
    "cone": (BODY.format("<geom><cone radius='1' length='1'/></geom>"), "<cone> is not a valid child of <geom>"),
    "entity": (
        "<!DOCTYPE xode [<!ENTITY a 'b'>]>\n<xode/>",
        "line 1: entity a: an XODE document must not declare entities",
    ),
    "too deep": (BODY.format("<group>" * 200 + "</group>" * 200), "must not lie within"),
}


@pytest.mark.parametrize(("document", "message"), WRONG.values(), ids=WRONG)
def test_malformed_documents(document, message):
    with pytest.raises(errors.InvalidError) as caught:
        parser.Parser().parseString(document)
    assert message in str(caught.value)


def test_errors_tell_parent_and_child():
    with pytest.raises(errors.ChildError) as caught:
        parser.Parser().parseString("<xode>\n<test/></xode>")
    assert (caught.value.parent, caught.value.child, caught.value.line) == ("xode", "test", 2)
    assert str(errors.MissingElementError("a", "b")) == "<a> lacks the child <b>"
    with pytest.raises(TypeError, match="str or bytes"):
        parser.Parser().parseString(3)


def test_entities_are_not_expanded():
    bomb = (
        "<!DOCTYPE xode [<!ENTITY a '"
        + "x" * 100
        + "'>"
        + "".join(
            f"<!ENTITY {name} '{f'&{before};' * 10}'>" for before, name in zip("abcdefgh", "bcdefghi", strict=True)
        )
    )
    with pytest.raises(errors.InvalidError, match="entities"):
        parser.Parser().parseString(bomb + "]><xode>&i;</xode>")


def mutated(generator):
    """The document with a few characters, words or lines changed."""
    text = DOCUMENT
    for _ in range(generator.randint(1, 4)):
        kind, at = generator.randrange(6), generator.randrange(len(text))
        if kind == 0:
            text = text[:at] + generator.choice("<>/\"'=&0-xé\0") + text[at + 1 :]
        elif kind == 1:
            text = text[:at] + text[at + generator.randint(1, 40) :]
        elif kind == 2:
            lines = text.splitlines()
            lines.insert(generator.randrange(len(lines)), generator.choice(lines))
            text = "\n".join(lines)
        elif kind == 3:
            lines = text.splitlines()
            del lines[generator.randrange(len(lines))]
            text = "\n".join(lines)
        elif kind == 4:
            number = generator.choice(["1e400", "-1", "nan", "0", "1e-300", "99999999999999999999", ""])
            start = text.find('="', at)
            end = text.find('"', start + 2)
            text = text[: start + 2] + number + text[end:] if 0 <= start < end else text
        else:
            words = ("body", "geom", "joint", "mass", "axis", "transform", "world", "space", "hinge", "sphere")
            text = text.replace(generator.choice(words), generator.choice(words), generator.choice([-1, 1]))
    return text


def survive(count, seed):
    """Every mutation becomes a world that can be stepped, or an InvalidError; other worlds are unaffected."""
    generator = random.Random(seed)
    space = ode.SimpleSpace()
    geoms = [ode.GeomSphere(space, 1.0) for _ in range(3)]
    reader, refused = parser.Parser(), 0
    reader.setParams(spaceFactory=lambda: ode.SimpleSpace(space))
    for _ in range(count):
        try:
            reader.parseString(mutated(generator))
        except errors.InvalidError as error:
            assert str(error)
            refused += 1
    gc.collect()
    assert [geom for geom in space if isinstance(geom, ode.GeomSphere)] == geoms[::-1]
    assert len(space) == 3
    assert 0.3 * count < refused < count


def test_some_mutations():
    survive(300, seed=1)


@pytest.mark.slow
def test_many_mutations():
    survive(10_000, seed=2)
