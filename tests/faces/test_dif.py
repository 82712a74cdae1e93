"""dWorldExportDIF writes everything, and its output can be read again: worlds move as the exported ones do."""

import gzip
import io
import re
from pathlib import Path

import numpy as np
import pytest

import opendynamics as od
from opendynamics import c_api as ode
from opendynamics.cli.program import main
from opendynamics.io import DifError, read_dif
from tests.unit.joint_kinds import JOINT_KINDS, ONE_BODY, make_joint, usual_bodies

LIBODE = Path(__file__).parents[1] / "data" / "dif" / "libode.dif.gz"  # written by libode8 0.16.2
close = np.testing.assert_allclose


def exported(world, prefix="my_"):
    file = io.StringIO()
    ode.dWorldExportDIF(world, file, prefix)
    return file.getvalue()


def read_again(world, folder):
    path = folder / "world.dif"
    path.write_text(exported(world))
    return read_dif(path)


def turned(world, **place):
    """A body somewhere, that turns."""
    place = {"quaternion": (0.9, 0.1, -0.3, 0.2), "angular_velocity": (0.3, 0.5, -0.2)} | place
    return world.add_body(mass=od.Mass.box((1, 2, 3), mass=2), **place)


def jointed(kind, reverse=False):
    world = od.World(gravity=(0, 0, -9.81), like="ode")
    one, two = turned(world, position=(0.3, 1, 2)), turned(world, position=(1, 0.5, 2), quaternion=(1, 0.2, 0, 0.1))
    options = {"stiffness": 20.0, "damping": 1.0} if kind == "servo" else {}
    bodies = (None, one) if reverse else usual_bodies(kind, one, two)
    joint = make_joint(world, kind, *bodies, **options)
    if kind in ("amotor", "lmotor"):
        joint.num_axes = 2
        joint.set_axis(0, 0 if reverse else 1, (0, 1, 1))
        joint.set_axis(1, 2, (1, 0, 0))
    for number, limit in enumerate(joint.limit_motors):
        limit.stops = (-0.4, 0.3 + 0.1 * number)
        limit.motor(0.2, 3.0)
        limit.bounce, limit.stop_erp, limit.cfm = 0.25, 0.3, 1e-5
    return world, joint


def require_same_motion(world, other, steps=12):
    for _ in range(steps):
        world.step(0.01)
        other.step(0.01)
    assert len(world.bodies) == len(other.bodies)
    for body, copy in zip(world.bodies, other.bodies, strict=True):
        for name in ("position", "rotation", "linear_velocity", "angular_velocity"):
            close(getattr(copy, name), getattr(body, name), rtol=0, atol=1e-9)


@pytest.mark.parametrize("kind", JOINT_KINDS)
def test_every_joint_moves_as_the_exported_one(kind, tmp_path):
    world, joint = jointed(kind)
    for _ in range(3):
        world.step(0.01)  # away from the rest position
    other = read_again(world, tmp_path)
    (copy,) = other.joints
    assert type(copy) is type(joint) and "unknown" not in exported(world)
    require_same_motion(world, other)
    for limit, same in zip(joint.limit_motors, copy.limit_motors, strict=True):
        assert repr(limit).split(":")[1:] == repr(same).split(":")[1:] and limit.bounce == same.bounce


@pytest.mark.parametrize(
    "kind", [kind for kind in JOINT_KINDS if kind not in ("hinge2", "transmission", "contact", "servo")]
)
def test_reversed_joints_stay_reversed(kind, tmp_path):
    world, joint = jointed(kind, reverse=True)
    world.step(0.01)
    other = read_again(world, tmp_path)
    assert other.joints[0].reversed and joint.reversed
    require_same_motion(world, other)


def test_euler_motors_servos_gears_and_contacts(tmp_path):
    world = od.World(gravity=(0, 0, -9.81), like="ode")
    bodies = [turned(world, position=(k, 0, 0)) for k in range(4)]
    world.add_amotor(bodies[0], bodies[1], axes=((1, 0, 0), (0, 0, 1)), mode="euler").motor(1, 0.5, 2.0)
    hinge = world.add_hinge(bodies[1], bodies[2], axis=(0, 1, 0))
    hinge.servo(0.3, stiffness=10.0, damping=0.5, max_torque=4.0)
    gears = world.add_transmission(
        bodies[2], bodies[3], mode="chain", axis=(0, 0, 1), radius1=0.2, radius2=0.1, backlash=0.01
    )
    contact = ode.dContact()
    contact.surface.mode = ode.dContactApprox1 | ode.dContactBounce | ode.dContactFDir1 | ode.dContactMu2
    contact.surface.mu, contact.surface.mu2, contact.surface.bounce, contact.fdir1 = ode.dInfinity, 0.3, 0.2, (1, 0, 0)
    contact.geom.normal, contact.geom.depth = np.array([0.0, 0.0, 1.0]), 0.01
    joint = ode.dJointCreateContact(world, None, contact)
    ode.dJointAttach(joint, bodies[0], None)
    joint.enabled = False
    ode.dJointAttach(ode.dJointCreateContact(world, None, contact), bodies[0], bodies[2])
    world.step(0.01)
    other = read_again(world, tmp_path)
    assert [type(copy) for copy in other.joints] == [type(joint) for joint in world.joints]
    assert [copy.enabled for copy in other.joints].count(False) == 1
    references = re.findall(r"reference(\d) = \{([^}]*)\}", exported(world))
    assert {number for number, _ in references} == {"1", "2"}
    assert all(len(numbers.split(",")) == 3 for _, numbers in references)
    assert other.joints[0].mode == "euler" and other.joints[1].kind == "hinge"
    require_same_motion(world, other)
    close(other.joints[3].angle1, gears.angle1, rtol=0, atol=1e-9)


def test_every_geom_is_read_again(tmp_path):
    world = od.World(gravity=(0, 0, -9.81), like="ode")
    space = od.HashSpace()
    points = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    shapes = [
        od.Sphere(0.5),
        od.Box((1, 2, 3)),
        od.Capsule(0.2, 1),
        od.Cylinder(0.3, 0.7),
        od.Cone(0.3, 1),
        od.Ellipsoid((1, 2, 3)),
        od.RoundedBox((1, 1, 1), 0.1),
        od.Convex.hull(points),
        od.Trimesh(od.MeshData([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)])),
        od.Heightfield([[0.0, 0.1, 0.2], [0.2, 0.0, 0.4]], width=4, depth=3, thickness=1),
        od.GeomTransform(od.Box((1, 1, 2), position=(1, 2, 3)), info=True, cleanup=True),
    ]
    body = world.add_body(mass=1)
    for number, shape in enumerate(shapes):
        space.add(shape)
        shape.body = body
        shape.offset_position, shape.offset_quaternion = (number, 1, 2), (0.5, 0.5, 0.5, 0.5)
    ray = od.Ray(5, (1, 2, 3), (0, 1, 1), closest_hit=True, space=space)
    ray.category_bits, ray.collide_bits, ray.enabled = 6, 3, False
    plane = od.Plane((0, 0.6, 0.8), -2, space=space)
    others = read_again(world, tmp_path).geoms
    assert len(others) == len(shapes) + 2
    by_shape = {geom.shape: geom for geom in others}
    for shape in (*shapes, ray, plane):
        copy = by_shape[shape.shape]
        assert (copy.body is None) == (shape.body is None)
        close(copy.aabb, shape.aabb, atol=1e-12)
        assert (copy.category_bits, copy.collide_bits, copy.enabled) == (
            *(shape.category_bits, shape.collide_bits),
            shape.enabled,
        )
    assert by_shape["ray"].closest_hit and not by_shape["ray"].first_contact
    close(by_shape["ray"].direction, ray.direction, atol=1e-15)
    close(by_shape["convex"].planes, shapes[7].planes, atol=1e-12)
    close(by_shape["transform"].geom.position, (1, 2, 3))


def test_world_and_bodies_keep_their_settings(tmp_path):
    world = ode.dWorldCreate()
    ode.dWorldSetERP(world, 0.3)
    ode.dWorldSetCFM(world, 1e-7)
    ode.dWorldSetQuickStepNumIterations(world, 33)
    ode.dWorldSetContactSurfaceLayer(world, 0.002)
    ode.dWorldSetLinearDamping(world, 0.01)
    ode.dWorldSetAutoDisableFlag(world, 1)
    ode.dWorldSetAutoDisableLinearThreshold(world, 0.07)
    body = turned(world)
    body.finite_rotation_mode, body.finite_rotation_axis = True, (0, 1, 1)
    body.kinematic, body.gyroscopic_mode, body.gravity_mode = True, False, False
    body.add_force((1, 0, 3))
    lazy = turned(world, position=(9, 9, 9))
    ode.dBodySetAutoDisableFlag(lazy, 0)
    ode.dBodySetMaxAngularSpeed(lazy, 4.0)
    lazy.enabled = False
    other = read_again(world, tmp_path)
    for name in ("erp", "cfm", "quickstep_iterations", "contact_surface_layer", "linear_damping", "auto_disable"):
        assert getattr(other, name) == getattr(world, name)
    assert other.auto_disable_linear_threshold == 0.07 and other.like == "ode"
    names = ("finite_rotation_mode", "kinematic", "gyroscopic_mode", "gravity_mode", "auto_disable", "enabled", "mass")
    for one, copy in zip(world.bodies, other.bodies, strict=True):
        for name in (*names, "linear_damping", "max_angular_speed", "auto_disable_linear_threshold"):
            assert getattr(copy, name) == getattr(one, name), name
        close(copy.force, one.force)
        close(copy.inertia, one.inertia)
        close(copy.finite_rotation_axis, one.finite_rotation_axis, atol=1e-15)


def test_odes_own_file_is_read(tmp_path, capsys):
    world = read_dif(LIBODE)
    kinds = [joint.kind for joint in world.joints]
    assert len(world.bodies) == 4 and kinds[:4] == ["ball", "hinge", "slider", "universal"] and len(kinds) == 14
    close(world.bodies[1].quaternion, (0.939372712847379, 0.0916432938695913, 0.183286587739183, 0.274929881608774))
    hinge = world.joints[1]
    close(hinge.anchor, (1, 2, 3), atol=1e-12)
    close((hinge.angle, *hinge.stops), (0, -1, 1), atol=1e-12)
    assert [geom.shape for geom in world.bodies[1].geoms] == ["ray", "cylinder", "capsule"]
    assert not world.bodies[2].enabled and world.bodies[1].gravity_mode is False
    world.step(0.01)
    assert not world.faults
    assert main(["run", str(LIBODE), "--steps", "3"]) == 0
    assert "4 bodies" in capsys.readouterr().out


def test_fields_are_odes(tmp_path):
    """Every number that ODE writes for this world is in our file too."""
    ours = exported(read_dif(LIBODE)).splitlines()
    kept = {line.strip().rstrip(",") for line in ours}
    theirs = gzip.decompress(LIBODE.read_bytes()).decode().splitlines()
    same = ("pos", "mass", "I =", "body =", "anchor", "rel")
    exact = [line.strip().rstrip(",") for line in theirs if line.strip().startswith(same)]
    assert len(exact) > 30 and [line for line in exact if line not in kept] == []


def test_the_page_on_dif_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = (Path(__file__).parents[2] / "docs" / "dif.md").read_text(encoding="utf-8")
    scope = {"__name__": "__main__"}
    for block in re.findall(r"^```python\n(.*?)^```", page, re.DOTALL | re.MULTILINE):
        exec(compile(block, "docs/dif.md", "exec"), scope)
    assert scope["again"].bodies[0].position[2] == 1 and len(scope["again"].geoms) == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a file describes one world, not 0"),
        ("w = dynamics.world {gravity = {0,0}}", "line 1: gravity must be 3 numbers in braces, not a table of 2"),
        ("w = dynamics.world {}\nb = dynamics.body {\npos = {0,0,0}", "line 3: a value is expected, not 'the end of the file'"),
        ("w = dynamics.world {}\n\nb = dynamics.body {pos={0,0,0},mass=0,I={{1,0,0},{0,1,0},{0,0,1}}}", "line 3: "),
        ("w = dynamics.world {}\nj[0] = dynamics.ball_joint {body={b[7]}}", r"line 2: there is no body b\[7\]"),
        ("w = dynamics.world {}\nj[0] = dynamics.unknown_joint {body={}}", "line 2: a joint must be one of contact, ball"),
        ("w = dynamics.world {gravty = 1}", "line 1: gravty is not a known field; leave it out"),
        ("w = dynamics.world {}\nw = dynamics.world {}", "line 2: w is defined twice"),
        ("w = " + "{" * 40, "no table is expected, as there are 16 around it"),
        ("w = dynamics.world {} $", r"line 1: a name, a number, a text in quotes or one of {}\[\]=, is expected, not '\$'"),
        ("w = dynamics.world {}\ng_geometry = {{type = \"convex\"}}", "line 2: the convex has no points: ODE does not write"),
    ],
)  # fmt: skip
def test_errors_name_the_line(text, message, tmp_path):
    path = tmp_path / "bad.dif"
    path.write_text(text)
    with pytest.raises(DifError, match=message) as raised:
        read_dif(path)
    assert str(path) in str(raised.value)


def test_what_cannot_be_exported_is_refused(tmp_path):
    with pytest.raises(TypeError, match="must be the ID of a World, from dWorldCreate"):
        ode.dWorldExportDIF(None, io.StringIO(), "")
    with pytest.raises(ValueError, match="letters, digits and underscores"):
        ode.dWorldExportDIF(ode.dWorldCreate(), io.StringIO(), "a b")
    with pytest.raises(TypeError, match="open text file"):
        ode.dWorldExportDIF(ode.dWorldCreate(), "world.dif", "")


def test_some_kinds_join_one_body_only():
    assert {"plane2d"} == ONE_BODY
