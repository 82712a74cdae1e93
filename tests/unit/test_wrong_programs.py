"""Typical mistakes of newcomers: each gets an error that names the remedy."""

import copy
import math
import pickle

import numpy as np
import pytest

import opendynamics as od
from tests.unit.mistakes import make_scene, put


@pytest.fixture
def scene():
    return make_scene()


def touching():
    """A contact of a step."""
    world = od.World(gravity=(0, 0, -9.81))
    world.add_plane()
    world.add_body(od.Sphere(0.1), position=(0, 0, 0.09))
    world.advance(0.01)
    return world.contacts[0]


PROGRAMS = {
    # Names that are nearly right, and names of other engines.
    "world.gravty": (lambda w, b, h: put(w, "gravty", (0, 0, -9)), "did you mean 'gravity'"),
    "world.Gravity": (lambda w, b, h: put(w, "Gravity", (0, 0, -9)), "did you mean 'gravity'"),
    "world.setGravity": (lambda w, b, h: w.setGravity((0, 0, -9)), "did you mean 'gravity'"),
    "world.timestep": (lambda w, b, h: put(w, "timestep", 0.01), "no attribute 'timestep'"),
    "world.addBody": (lambda w, b, h: w.addBody(), "did you mean 'add_body'"),
    "world.createBody": (lambda w, b, h: w.add_boddy(), "did you mean 'add_body'"),
    "world.step = h": (lambda w, b, h: put(w, "step", 0.01), "is a method: call it"),
    "world.bodies = []": (lambda w, b, h: put(w, "bodies", []), "can only be read"),
    "world.bodies.append(body)": (lambda w, b, h: w.bodies.append(b), r"a copy .* add by world\.add_body\("),
    "world.joints.remove(hinge)": (lambda w, b, h: w.joints.remove(h), r"call destroy\(\)"),
    "body.geoms.append(geom)": (lambda w, b, h: b.geoms.append(od.Sphere(1)), r"world\.add_geom\(geom\)"),
    "body.joints.pop()": (lambda w, b, h: b.joints.pop(), r"call destroy\(\)"),
    "world.bodies()": (lambda w, b, h: w.bodies(), "leave out the parentheses"),
    "world.delete(body)": (lambda w, b, h: w.delete(b), r"call destroy\(\)"),
    "world.destroy(body)": (lambda w, b, h: w.destroy(b), r"given 1 argument without .* call destroy\(\) of the body"),
    "hinge.max_torque": (lambda w, b, h: put(h, "max_torque", 5), r"joint\.motor\(velocity, max_force\)"),
    "od.Wrold": (lambda w, b, h: od.Wrold(), "did you mean 'World'"),
    "od.ConvexHull": (lambda w, b, h: od.ConvexHull([]), r"od\.Convex\.hull"),
    "add_body(od.Sphere)": (lambda w, b, h: w.add_body(od.Sphere), r"make one by od\.Sphere\(\.\.\.\)"),
    "add_body(mass=0)": (lambda w, b, h: w.add_body(od.Sphere(1), mass=0), r"world\.add_geom\("),
    "add_body(euler=)": (lambda w, b, h: w.add_body(od.Sphere(1), euler=(0, 0, 1)), r"od\.rotation|math\.radians"),
    "Camera(look_at=)": (lambda w, b, h: od.Camera((1, 1, 1), look_at=(0, 0, 0)), "give the target"),
    "world.bodies[0] of an empty world": (lambda w, b, h: od.World().bodies[0], r"no elements; world\.add_body\("),
    "world.joints[1]": (lambda w, b, h: w.joints[1], "indices run from 0 to 0"),
    "world.space[0] of an empty world": (lambda w, b, h: od.World().space[0], r"no elements; space\.add\("),
    "world.contacts[0] before a step": (lambda w, b, h: w.contacts[0], "nothing touched in the last world.advance"),
    "world.bodies[0] = body": (lambda w, b, h: w.bodies.__setitem__(0, b), "whose items cannot be set"),
    "del world.bodies[0]": (lambda w, b, h: w.bodies.__delitem__(0), r"world\.bodies\[0\]\.destroy\(\)"),
    "add_body(name=3)": (lambda w, b, h: w.add_body(od.Sphere(1), name=3), "name of the new body must be a string"),
    "body.name = 3": (lambda w, b, h: put(b, "name", 3), "name of ball must be a string"),
    "add_hinge(name=3)": (lambda w, b, h: w.add_hinge(b, name=3), "name of a hinge joint must be a string"),
    "Sphere(name=3)": (lambda w, b, h: od.Sphere(1, name=3), "name of a sphere must be a string"),
    "HashSpace(name=3)": (lambda w, b, h: od.HashSpace(name=3), "name of a space must be a string"),
    "World(name=3)": (lambda w, b, h: od.World(name=3), "name of a world must be a string"),
    "world.name = 3": (lambda w, b, h: put(w, "name", 3), "name of a world must be a string"),
    "space.name = 3": (lambda w, b, h: put(w.space, "name", 3), "name of a space must be a string"),
    "events.began": (lambda w, b, h: w.contact_events.began, "did you mean 'begin'"),
    "events.started": (lambda w, b, h: w.contact_events.started, "did you mean 'begin'"),
    "events.touching": (lambda w, b, h: w.contact_events.touching, "did you mean 'persist'"),
    "renderer.camra = None": (lambda w, b, h: put(od.Renderer(w), "camra", None), "did you mean 'camera'"),
    "video.fsp": (lambda w, b, h: od.Video("a.gif").fsp, "did you mean 'fps'"),
    "video.fsp = 60": (lambda w, b, h: put(od.Video("a.gif"), "fsp", 60), "did you mean 'fps'"),
    "camera.positon": (lambda w, b, h: od.Camera((1, 0, 0)).positon, "did you mean 'position'"),
    "Geom(type=)": (lambda w, b, h: od.Geom(type="sphere"), r"one of a derived class, such as Sphere"),
    "contact.mu = 1": (lambda w, b, h: put(touching(), "mu", 1), r"materials are in world\.surfaces"),
    "contact.force = 1": (lambda w, b, h: put(touching(), "force", 1), r"can only be read; the solver finds it"),
    "contact.body1 = body": (lambda w, b, h: put(touching(), "body1", b), "follows from geom1"),
    "contact.pos": (lambda w, b, h: put(touching(), "pos", 1), "did you mean 'position'"),
    "world.opt.timestep": (lambda w, b, h: w.opt.timestep, r"call world\.advance\(h\)"),
    "world.model.opt": (lambda w, b, h: w.model.opt, r"od\.load_robot"),
    "world.qpos": (lambda w, b, h: w.qpos, r"world\.positions, quaternions"),
    "world.time = 0": (lambda w, b, h: put(w, "time", 0), "can only be read"),
    "body.pos": (lambda w, b, h: b.pos, "did you mean 'position'"),
    "body.getPosition": (lambda w, b, h: b.getPosition(), "did you mean 'position'"),
    "body.velocity": (lambda w, b, h: put(b, "velocity", (1, 0, 0)), "did you mean 'linear_velocity'"),
    "body.omega": (lambda w, b, h: b.omega, "did you mean 'angular_velocity'"),
    "body.addForce": (lambda w, b, h: b.addForce((1, 0, 0)), "did you mean 'add_force'"),
    "body.orient": (lambda w, b, h: b.orient, "did you mean 'orientation'"),
    "body.owner": (lambda w, b, h: put(b, "owner", "me"), "into its 'data', or derive a class"),
    "hinge.limit": (lambda w, b, h: put(h, "limit", (-1, 1)), "did you mean 'limits'"),
    "hinge.rate = 1": (lambda w, b, h: put(h, "rate", 1), "'angle_rate' of Hinge 'hinge' can only be read"),
    "hinge.angle = 1": (lambda w, b, h: put(h, "angle", 1), "can only be read"),
    "geom.radus": (lambda w, b, h: b.geoms[0].radus, "did you mean 'radius'"),
    "space.add_geom": (lambda w, b, h: w.space.category_bit, "did you mean 'category_bits'"),
    "surface.mu = 1": (lambda w, b, h: put(w.surfaces.default, "mu", 1), r"dataclasses.replace\(surface, mu=1\)"),
    # Names of nothing: what does it.
    "world.load(snapshot)": (lambda w, b, h: w.load(w.save()), r"go back to a snapshot of world by world\.restore"),
    "world.add_ground": (lambda w, b, h: w.add_ground(), r"call world\.add_plane\(\)"),
    "world.add_box": (lambda w, b, h: w.add_box((1, 1, 1)), r"call world\.add_body\(od\."),
    "world.add_heightfield": (lambda w, b, h: w.add_heightfield([[0]]), r"od\.Heightfield\(heights"),
    "world.add_trimesh": (lambda w, b, h: w.add_trimesh([], []), r"world\.add_mesh_body\(vertices"),
    "world.add_spring": (lambda w, b, h: w.add_spring(b, None), r"world\.add_dball\(body1, body2, stiffness="),
    "world.add_distance_joint": (lambda w, b, h: w.add_distance_joint(b), r"world\.add_dball\("),
    "world.add_revolute": (lambda w, b, h: w.add_revolute(b), r"world\.add_hinge\("),
    "hinge.torque = 2": (lambda w, b, h: put(h, "torque", 2), r"call add_torque\(torque\)"),
    "geom.touching": (lambda w, b, h: b.geoms[0].touching, r"world\.contact_events"),
    "od.ForceSensor": (lambda w, b, h: od.ForceSensor, r"joint\.feedback"),
    "world.render(path)": (lambda w, b, h: w.render("x.png"), r"PIL\.Image\.fromarray"),
    "add_slider(stiffness=)": (lambda w, b, h: w.add_slider(b, stiffness=1), r"joint\.servo\(position, stiffness="),
    "space.collide(data, callback)": (lambda w, b, h: w.space.collide(None, print), r"takes at most 1 \(callback\)"),
    "Video(path, world)": (lambda w, b, h: od.Video("a.mp4", w), r"takes at most 1 \(path\)"),
    "Box(x, y, z)": (lambda w, b, h: od.Box(1, 1, 1), r"at most 1 \(lengths\); a vector is one argument: \(x, y, z\)"),
    "a rotation by angles": (lambda w, b, h: put(b, "rotation", (0, 0, 90)), r"od\.rotation\.from_roll_pitch_yaw"),
    # Keywords.
    "World(gravty=)": (lambda w, b, h: od.World(gravty=1), "did you mean 'gravity'"),
    "Sphere(pos=)": (lambda w, b, h: od.Sphere(0.1, pos=(0, 0, 1)), "did you mean 'position'"),
    "Sphere(r=)": (lambda w, b, h: od.Sphere(r=0.1), "Its arguments are radius"),
    "Box(sides=)": (lambda w, b, h: od.Box(sides=(1, 1, 1)), "did you mean 'size'"),
    "Plane(height=)": (lambda w, b, h: od.Plane(height=1), "Its arguments are normal, offset"),
    "Plane(offset=, d=)": (lambda w, b, h: od.Plane(offset=1, d=1), "two names of one argument; give one"),
    "advance(dt=)": (lambda w, b, h: w.advance(dt=0.01), "did you mean 'h'"),
    "add_body(pos=)": (lambda w, b, h: w.add_body(od.Sphere(1), pos=(0, 0, 1)), "did you mean 'position'"),
    "add_body(weight=)": (lambda w, b, h: w.add_body(weight=1), "Its arguments are position, quaternion"),
    "add_hinge(limit=)": (lambda w, b, h: w.add_hinge(b, None, limit=(0, 1)), "did you mean 'limits'"),
    "motor(torque=)": (lambda w, b, h: h.motor(1.0, torque=2), "did you mean 'max_torque'"),
    "servo(kp=)": (lambda w, b, h: h.servo(0.1, kp=2), "Its arguments are position, stiffness, damping"),
    "Surface(restitutoin=)": (lambda w, b, h: od.Surface(restitutoin=1), "did you mean 'restitution'"),
    "Surface(friction=box)": (lambda w, b, h: od.Surface(friction="box"), "friction_model='box'"),
    "cast_rays(maximum=)": (
        lambda w, b, h: w.cast_rays((0, 0, 0), (0, 0, 1), max_dist=1),
        "did you mean 'max_distance'",
    ),
    # Values.
    "writing a copy": (lambda w, b, h: b.position.__setitem__(2, 5.0), "read-only"),
    "writing many copies": (lambda w, b, h: w.positions.__setitem__(0, (0, 0, 5.0)), "read-only"),
    "gravity as a number": (lambda w, b, h: od.World(gravity=-9.81), "must be 3 numbers"),
    "a position of two": (lambda w, b, h: put(b, "position", (0, 1)), "must be 3 numbers, not 2"),
    "a position in words": (lambda w, b, h: put(b, "position", "hello"), "must be"),
    "a position that is not finite": (lambda w, b, h: put(b, "position", (0, 0, math.nan)), "must be finite"),
    "a quaternion of three": (lambda w, b, h: put(b, "quaternion", (0, 0, 1)), "must be 4 numbers"),
    "a quaternion of zeros": (lambda w, b, h: put(b, "quaternion", (0, 0, 0, 0)), "finite length above 0"),
    "a matrix that is none": (lambda w, b, h: put(b, "rotation", 2 * np.eye(3)), "for a quaternion use the quaternion"),
    "a negative mass": (lambda w, b, h: put(b, "mass", -1), "must be greater than 0"),
    "a negative radius": (lambda w, b, h: od.Sphere(-0.1), "must be greater than 0"),
    "a step of zero": (lambda w, b, h: w.advance(0.0), "0.01 is a good start"),
    "half a step": (lambda w, b, h: w.advance(0.01, steps=1.5), "must be a whole number"),
    "an axis of zeros": (lambda w, b, h: put(h, "axis", (0, 0, 0)), "gives no direction"),
    "stops the wrong way round": (lambda w, b, h: put(h, "stops", (1, -1)), "must not be above the high one"),
    "a solver that is none": (lambda w, b, h: od.World(solver="fast"), "must be one of 'auto', "),
    "a body of another world": (lambda w, b, h: od.World().add_ball(b, None), "lives in another world"),
    "a joint to itself": (lambda w, b, h: w.add_ball(b, b), "to itself"),
    "a shape used twice": (lambda w, b, h: w.add_body(b.geoms[0]), "make another one"),
    "a body that is gone": (lambda w, b, h: (b.destroy(), b.position), "has been destroyed; make a new one"),
    "add_body(material=)": (lambda w, b, h: w.add_body(od.Sphere(1), material="ice"), "give it to the shape"),
    "an unknown name": (lambda w, b, h: w.find("bal"), "did you mean 'ball'"),
    "the force of a contact point": (lambda w, b, h: od.Contact().force, r"only contacts of world.contacts"),
}


# Values that may be intended, but are probably in another unit.
UNITS = {
    "millimetres": (lambda w, b, h: put(w, "gravity", (0, 0, -9810)), "divide lengths in mm by 1000"),
    "centimetres": (lambda w, b, h: od.World(gravity=(0, -981, 0)), "Lengths are in m and masses in kg here"),
    "degrees of stops": (lambda w, b, h: put(h, "limits", (-90, 90)), "math.radians"),
    "degrees of a new hinge": (lambda w, b, h: w.add_hinge(b, None, stops=(-45, 45)), "math.radians"),
    "degrees of a servo": (lambda w, b, h: h.servo(90, stiffness=1), "math.radians"),
    "milliseconds": (lambda w, b, h: w.advance(10), r"world.advance\(0.01, steps=1000\)"),
    "quaternion in the order (x, y, z, w)": (
        lambda w, b, h: w.add_body(od.Sphere(1), quaternion=(0, 0, 0, 1)),
        r"half a turn about the axis \(0, 0, 1\), since the order is \(w, x, y, z\)",
    ),
    "a quarter turn in the order (x, y, z, w)": (
        lambda w, b, h: put(b, "quaternion", (0, 0, 0.7071, 0.7071)),
        r"if \(x, y, z, w\) was meant, write \(0.7071, 0, 0, 0.7071\)",
    ),
    "a turn about y in the order (x, y, z, w)": (
        lambda w, b, h: put(b.geoms[0], "quaternion", [0, 0.1, 0, 0.995]),
        r"write \(0.995, 0, 0.1, 0\)",
    ),
    "degrees of an Euler angle": (lambda w, b, h: od.rotation.from_euler(0, 0, 90), "math.radians"),
    "a step of half a minute in a batch": (lambda w, b, h: od.Batch([w]).advance(30), "0.001 to 0.02 s are usual"),
    "degrees about an axis": (lambda w, b, h: od.rotation.from_axis_angle((0, 0, 1), 45), "math.radians"),
    "degrees of a quaternion": (
        lambda w, b, h: od.rotation.quaternion_from_axis_angle([0, 0, 1], -180),
        "math.radians",
    ),
    "a step of one millisecond": (
        lambda w, b, h: (w.add_body(od.Sphere(0.1), position=(3, 0, 1)), w.advance(1)),
        r"world\.advance\(0\.001\) if 1 is in ms",
    ),
    "radians of a camera": (lambda w, b, h: od.Camera((1, 1, 1), field_of_view=math.pi / 4), "math.degrees: 45"),
    "frames a second": (lambda w, b, h: w.advance(60), "0.001 to 0.02 s are usual"),
}


def boxes_on_the_ground(w, *heights):
    w.add_plane(name="ground")
    for height in heights:
        w.add_body(od.Box((1, 1, 1)), position=(0, 5, height), mass=1)


def a_compound_in_the_ground(w):
    w.add_plane(name="ground")
    w.add_body(od.Box((1, 1, 1)), od.Sphere(0.2, position=(0, 0, 0.5)), position=(0, 5, -0.2), mass=1, name="statue")


def without_gravity(w):
    w.joints[0].destroy()
    w.gravity = (0, 0, 0)
    w.add_plane()


def gravity(w, **direction):
    w.joints[0].destroy()
    w.add_plane(**direction)


def of_a_material(w, material, mentioned=("ice", "rubber")):
    w.surfaces[mentioned] = od.Surface(mu=0.1)
    w.add_body(od.Sphere(0.1, material=material), position=(0, 5, 1), mass=1)


def mesh_facing_down(w):
    w.joints[0].destroy()
    w.add_geom(od.Trimesh([(-9, -9, 0), (9, -9, 0), (0, 9, 0)], [(0, 2, 1)], name="terrain"))


# Mistakes that the first `advance` notices.
SETUPS = {
    "a body without a position": (lambda w: boxes_on_the_ground(w, 0.0), "starts 0.5 m deep in ground"),
    "a body under the ground": (lambda w: boxes_on_the_ground(w, -2.0), "position is that of the centre"),
    "a body of two shapes in the ground": (a_compound_in_the_ground, "statue starts 0.7.* m deep in ground"),
    "two bodies in one place": (
        lambda w: boxes_on_the_ground(w, 1, 1),
        r"start at the same position, \(0.0, 5.0, 1.0\)",
    ),
    "a body moved after it was joined": (
        lambda w: put(w.find("ball"), "position", (1, 0, 2)),
        r"hinge of ball and the world starts with its anchors 1 m apart, .* set both its position and its rotation",
    ),
    "a misspelt material": (lambda w: of_a_material(w, "icee"), "did you mean 'ice'"),
    "a material in capitals": (lambda w: of_a_material(w, "Ice", "ice"), "did you mean 'ice'"),
    "no gravity": (without_gravity, r"write od\.World\(gravity=\(0, 0, -9\.81\)\)"),
    "gravity upwards": (lambda w: (gravity(w), put(w, "gravity", (0, 0, 9.81))), r"world\.gravity = \(0, 0, -9\.81\)"),
    "a ground of y-up": (
        lambda w: gravity(w, normal=(0, 1, 0), offset=-1),
        r"world\.add_plane\(normal=\(0, 0, 1\)\) for the ground",
    ),
    "an open mesh that faces down": (
        mesh_facing_down,
        r"fall through terrain, .* numpy\.array\(triangles\)\[:, ::-1\]",
    ),
    "a servo without stiffness": (lambda w: w.joints[0].servo(1.0, stiffness=0), "give a stiffness above 0"),
}


@pytest.mark.parametrize("name", SETUPS)
def test_the_first_advance_notices_what_is_likely_a_mistake(scene, name):
    world, program, remedy = scene[0], *SETUPS[name]
    with pytest.warns(od.SetupWarning, match=remedy) as caught:
        program(world)
        world.advance(0.01)
    assert len(caught) == 1 and caught[0].filename == __file__
    world.advance(0.01)  # it warns once


FROM_SCRATCH = {
    "add_geom(position=) of a geom with one": (
        lambda w, b, h: w.add_geom(od.Sphere(1, position=(0, 0, 1)), position=(0, 0, 2)),
        r"created with the position \(0\.0, 0\.0, 1\.0\); give only one",
    ),
    "add_geom(rotation=) of a geom with one": (
        lambda w, b, h: w.add_geom(od.Sphere(1, quaternion=(0.6, 0, 0, 0.8)), rotation=np.eye(3)),
        "created with an orientation; give only one",
    ),
    "add_geom(geom of a body, position=)": (
        lambda w, b, h: w.add_geom(b.geoms[0], position=(0, 0, 2)),
        "set the pose of the body",
    ),
    "add_geom(Plane, position=)": (
        lambda w, b, h: w.add_geom(od.Plane(), position=(0, 0, 2)),
        "give the normal and offset",
    ),
    "add_geom(euler=)": (lambda w, b, h: w.add_geom(od.Sphere(1), euler=(0, 0, 1)), r"from_roll_pitch_yaw\("),
    "od.rotation.euler": (lambda w, b, h: od.rotation.euler(0, 0, 1), r"from_roll_pitch_yaw\("),
    "od.rotation.axis_angle": (lambda w, b, h: od.rotation.axis_angle, "did you mean 'from_axis_angle'"),
    "Box(mass=)": (lambda w, b, h: od.Box((1, 1, 1), mass=1), r"world\.add_body\(shape, mass=1\)"),
    "Box(bounce=)": (lambda w, b, h: od.Box((1, 1, 1), bounce=1), r"world\.surfaces"),
    "Cylinder(axis=)": (lambda w, b, h: od.Cylinder(1, 1, axis=(0, 1, 0)), r"from_z_axis\("),
    "Sphere(r=)": (lambda w, b, h: od.Sphere(r=1), "did you mean 'radius'"),
    "add_plane(center=)": (lambda w, b, h: w.add_plane(center=1), "arguments are normal, offset, space, material"),
    "add_plane(position=)": (lambda w, b, h: w.add_plane(position=(0, 0, 1)), "give the normal and offset"),
    "cast_rays(maxdist=)": (
        lambda w, b, h: w.cast_rays([(0, 0, 9)], (0, 0, -1), maxdist=1),
        r"World\.cast_rays\(\) .* did you mean 'max_distance'",
    ),
    "cast_rays(mask=)": (lambda w, b, h: w.cast_rays([(0, 0, 9)], (0, 0, -1), mask=1), "give category_bits"),
    "add_rope": (lambda w, b, h: w.add_rope(b, b), "a chain of bodies"),
    "add_joint": (lambda w, b, h: w.add_joint("hinge", b), r"world\.add_hinge\("),
    "world.surface = surface": (lambda w, b, h: put(w, "surface", od.Surface()), r"world\.surfaces\.default"),
    "world.restitution = 0.5": (lambda w, b, h: put(w, "restitution", 0.5), r"world\.surfaces\.default"),
    "world.angular_momentum": (lambda w, b, h: w.angular_momentum, "over world.bodies"),
    "body.speed": (lambda w, b, h: b.speed, "linear_velocity"),
    "hinge.friction": (lambda w, b, h: put(h, "friction", 1), r"joint\.motor\(0, max_force\)"),
    "hinge.damping": (lambda w, b, h: put(h, "damping", 1), r"joint\.servo\(0, stiffness=0, damping=\)"),
    "servo(target=)": (lambda w, b, h: h.servo(target=1, stiffness=1), "give the position"),
    "advance(seconds=)": (lambda w, b, h: w.advance(seconds=1), r"world\.advance\(0\.01, steps=100\)"),
    "plot(path=)": (lambda w, b, h: od.plot({"x": [1]}, path="x.png"), r"savefig\("),
    "view(open=)": (lambda w, b, h: od.view(w, open=False), "did you mean 'open_browser'"),
    "render(path=)": (lambda w, b, h: w.render(path="x.png"), r"save\(path\)"),
    "render(camera=(3, 3, 3))": (lambda w, b, h: w.render(camera=(3, 3, 3)), r"od\.Camera\(\("),
    "Camera(fov=)": (lambda w, b, h: od.Camera((1, 1, 1), fov=40), "did you mean 'field_of_view'"),
    "plot(world)": (lambda w, b, h: od.plot(w), r"od\.Recorder\(world"),
    "batch.step": (lambda w, b, h: od.Batch([w]).step(0.01), r"advance\("),
    "add_body(rotation=axis)": (
        lambda w, b, h: w.add_body(od.Sphere(1), rotation=(0, 0, 1)),
        r"from_roll_pitch_yaw\(",
    ),
    "add_body([shapes])": (lambda w, b, h: w.add_body([od.Sphere(1), od.Sphere(2)]), "without brackets"),
    "hinge.disable()": (lambda w, b, h: h.disable(), "did you mean 'enabled'"),
    "body.use_gravity = False": (lambda w, b, h: put(b, "use_gravity", False), r"body\.gravity_mode"),
    "body.lock_rotation": (lambda w, b, h: put(b, "lock_rotation", True), r"world\.add_amotor\("),
    "body.is_touching(body)": (lambda w, b, h: b.is_touching(b), r"world\.contacts"),
    "world.is_colliding(body)": (lambda w, b, h: w.is_colliding(b, b), r"world\.contacts"),
    "world.contacts()": (lambda w, b, h: w.contacts(), "leave out the parentheses"),
    "world.get_body(name)": (lambda w, b, h: w.get_body("box"), r"world\.find\("),
    "surfaces[...] = 0.5": (lambda w, b, h: w.surfaces.__setitem__("ice", 0.5), r"od\.Surface\(mu=0\.5"),
    "Convex(points)": (lambda w, b, h: od.Convex(np.eye(3)), r"od\.Convex\.hull\(points\)"),
    "Capsule.between of one point": (
        lambda w, b, h: od.Capsule.between((0, 0, 1), (0, 0, 1), 0.1),
        "must be different points",
    ),
    "add_hinge(body, None, axis)": (
        lambda w, b, h: w.add_hinge(b, None, (0, 0, 1)),
        r"given 3 arguments .* 2 \(body1, body2",
    ),
    "add_impulse(point=)": (
        lambda w, b, h: b.add_impulse((0, 0, 1), point=(0, 0, 0)),
        "give at=, a point in the world",
    ),
    "render(width=)": (lambda w, b, h: w.render(width=100), r"give size=\(width, height\), pixels"),
    "add_plane(z=)": (lambda w, b, h: w.add_plane(z=0), "give normal and offset"),
    "Heightfield(file)": (lambda w, b, h: od.Heightfield("hills.png", width=1, depth=1), "heights .* must be numbers"),
    "Heightfield(widht=)": (lambda w, b, h: od.Heightfield([[0, 1]] * 2, widht=1), "did you mean 'width'"),
    "world.bodies[name]": (lambda w, b, h: w.bodies["ball"], r"world\.find\('ball'\)"),
    "world.bodies.ball": (lambda w, b, h: w.bodies.ball, r"world\.find\(name\)"),
    "world.broadphase = ": (lambda w, b, h: put(w, "broadphase", "tree"), r"od\.World\(broadphase="),
    "world.like = ": (lambda w, b, h: put(w, "like", "ode"), r"od\.World\(like="),
    "slider.position = 1": (lambda w, b, h: put(w.add_slider(b, None), "position", 1), r"joint\.servo\("),
    "hinge.angle = 1": (lambda w, b, h: put(h, "angle", 1), r"joint\.servo\("),
    "body.move": (lambda w, b, h: b.move((0, 0, 1)), "set body.position"),
    "Batch(world)": (lambda w, b, h: od.Batch(w), "give a list of them"),
    "load_robot(world)": (lambda w, b, h: od.load_robot(w), "the path of a file, such as 'robot.urdf'"),
    "categories.bits(3)": (
        lambda w, b, h: od.Categories("a", "b").bits(3),
        "a category is given by its name, not by 3; there are: a, b",
    ),
    "Trimesh(file)": (lambda w, b, h: od.Trimesh("bunny.obj"), r"od\.Trimesh\.load\(path\)"),
}


@pytest.mark.parametrize("name", FROM_SCRATCH)
def test_a_program_written_from_scratch_is_told_what_to_do(scene, name):
    program, remedy = FROM_SCRATCH[name]
    with pytest.raises((AttributeError, TypeError, ValueError), match=remedy):
        program(*scene)


def test_a_body_is_not_put_into_a_space(scene):
    world, ball, _ = scene
    with pytest.raises(TypeError, match=r"add\(body\.geoms\[0\]\)"):
        world.space.add(ball)
    with pytest.raises(TypeError, match=r"world\.add_body\(shape"):
        world.space.add(ball, ball.geoms[0])


def test_copies_of_read_only_arrays_are_written(scene):
    position = scene[1].position.copy()
    position[2] = 5
    scene[1].position = position
    assert scene[1].position.tolist() == [0, 0, 5]


@pytest.mark.parametrize("name", UNITS)
def test_numbers_in_other_units_are_noticed(scene, name):
    program, remedy = UNITS[name]
    with pytest.warns(od.UnitsWarning, match=remedy):
        program(*scene)


def test_unusual_numbers_that_are_meant_pass(scene):
    world, _, hinge = scene
    hinge.stops = (-math.inf, math.inf)
    hinge.stops = (-2 * math.pi, 2 * math.pi)
    world.gravity = (0, 0, -274)  # on the sun
    world.add_slider(scene[1], None, stops=(-90, 90))
    world.add_body(od.Sphere(1), quaternion=od.rotation.quaternion_from_axis_angle((0, 0, 1), math.pi))
    od.World(gravity=(0, 0, 9.81)).add_plane((0, 0, -1))  # z is down
    world.advance(0.4)
    od.World(gravity=(0, 0, -981), like="ode")


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_wrong_program_is_told_what_to_do(scene, name):
    program, remedy = PROGRAMS[name]
    with pytest.raises((AttributeError, TypeError, ValueError, LookupError, ReferenceError), match=remedy):
        program(*scene)


CALLS = {
    "distance(first=)": (
        lambda b: od.distance(first=b),
        r"^distance\(\) has no argument 'first'\. Its arguments are a, b$",
    ),
    "distance(a)": (od.distance, r"^distance\(\) lacks the argument 'b'\. Its arguments are a, b$"),
    "boxes_touch(c=)": (lambda b: od.boxes_touch(c=1), r"^boxes_touch\(\) has no argument 'c'"),
    "softness(stifness=)": (lambda b: od.softness(stifness=1), r"^softness\(\) .*did you mean 'stiffness'\?"),
    "plot(title=, wat=)": (lambda b: od.plot({}, wat="energy"), r"^plot\(\) .*did you mean 'what'\? .* times, title"),
    "convex_parts(treshold=)": (lambda b: od.convex_parts([], [], treshold=1), r"did you mean 'threshold'\?"),
    "Camera(fov=)": (lambda b: od.Camera((1, 0, 0), field_of_vew=3), r"^Camera\(\) .*did you mean 'field_of_view'\?"),
    "Camera()": (
        lambda b: od.Camera(),
        r"^Camera\(\) lacks the argument 'position'\. Its arguments are position, target",
    ),
    "Contact(pos=)": (lambda b: od.Contact(pos=1), r"^Contact\(\) .*did you mean 'position'\?"),
    "Recording(file=)": (lambda b: od.Recording(file="a.odr"), r"^Recording\(\) has no argument 'file'.*are path$"),
    "MeshData.load(scal=)": (
        lambda b: od.MeshData.load("a.obj", scal=1),
        r"^MeshData\.load\(\) .*did you mean 'scale'",
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_an_unknown_argument_of_any_call_names_the_nearest(name):
    program, remedy = CALLS[name]
    with pytest.raises(TypeError, match=remedy):
        program(od.Sphere(0.1))


def test_errors_inside_of_functions_are_their_own():
    with pytest.raises(TypeError, match=r"^distance takes two geoms, not 3$"):
        od.distance(3, 4)
    with pytest.raises(TypeError, match=r"^plot takes a recording, its path, or numbers by name, not 3; record"):
        od.plot(3, title="a")


def test_the_nearest_file_is_named(tmp_path):
    world = touching().geom1.body.world
    world.save().write(tmp_path / "before.snapshot")
    with od.Recorder(world, tmp_path / "falling.odr"):
        world.advance(0.01)
    for make, name, known in [
        (od.Recording, "faling.odr", "falling.odr"),
        (od.plot, "falling.odt", "falling.odr"),
        (od.World.load, "befor.snapshot", "before.snapshot"),
    ]:
        with pytest.raises(FileNotFoundError, match=f"there is no .*{name}'; did you mean '{known}'"):
            make(tmp_path / name)
    with pytest.raises(FileNotFoundError, match="there is no folder"):
        od.Recording(tmp_path / "missing" / "falling.odr")
    with pytest.raises(IsADirectoryError, match="is a folder, not a recording"):
        od.Recording(tmp_path)


def test_a_recording_that_was_cut_off_is_warned_of_where_it_is_opened(tmp_path):
    path = tmp_path / "run.odr"
    with od.Recorder(world := od.World(), path):
        world.advance(0.01)
    path.write_bytes(path.read_bytes()[:-5])
    with pytest.warns(od.RecordingWarning) as caught:
        od.Recording(path)
    assert caught[0].filename == __file__


def test_a_bad_name_changes_nothing(scene):
    world, ball, hinge = scene
    before = world.bodies, world.joints, world.geoms
    shape = od.Box((1, 1, 1))
    for call in (
        lambda: world.add_body(shape, name=3),
        lambda: od.Body(world, 3),
        lambda: world.add_hinge(ball, name=3),
        lambda: od.Sphere(1, body=ball, name=3),
    ):
        with pytest.raises(TypeError, match=r"the name of .* must be a string or None, not 3"):
            call()
    assert (world.bodies, world.joints, world.geoms) == before
    assert shape.body is None and len(ball.geoms) == 1 and ball.joints == (hinge,)


def test_lists_of_things_are_tuples(scene):
    world, ball, hinge = scene
    assert isinstance(world.bodies, tuple) and repr(world.joints) == repr((hinge,))
    ball.data = world.bodies
    twin = copy.deepcopy(world).bodies[0]
    assert type(twin.data) is tuple and twin.data == (twin,)
    assert type(pickle.loads(pickle.dumps(world)).bodies[0].data) is tuple


def test_there_are_fifty():
    assert len(PROGRAMS) >= 50
