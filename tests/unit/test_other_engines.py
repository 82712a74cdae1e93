"""Programs with names of other engines: each gets an error that names the equivalent here."""

import math
import re

import numpy as np
import pytest

import opendynamics as od
from opendynamics.api import other_arguments, other_engines
from tests.unit.mistakes import make_scene, put


@pytest.fixture
def scene():
    return make_scene()


# Programs in the words of PyODE, PyBullet, MuJoCo and pymunk, and calls with arguments that are missing or too many.
OTHERS = {
    "p.stepSimulation": (lambda w, b, h: od.stepSimulation(), r"call world.advance\(h\)"),
    "p.connect": (lambda w, b, h: od.connect(1), r"world = od.World\(\)"),
    "p.loadURDF": (lambda w, b, h: od.loadURDF("robot.urdf"), "od.load_robot"),
    "p.createMultiBody": (lambda w, b, h: w.createMultiBody(1), "world.add_body"),
    "world.stepSimulation": (lambda w, b, h: w.stepSimulation(), r"call world.advance\(h\)"),
    "world.setTimeStep": (lambda w, b, h: w.setTimeStep(0.01), r"call world.advance\(h\)"),
    "world.rayTest": (lambda w, b, h: w.rayTest((0, 0, 1), (0, 0, 0)), "world.cast_rays"),
    "space.segment_query_first": (lambda w, b, h: w.segment_query_first((0, 0, 1), (0, 0, 0), 1), "world.cast_rays"),
    "world.getContactPoints": (lambda w, b, h: w.getContactPoints(), "world.contact_events"),
    "useFixedBase": (lambda w, b, h: w.add_body(od.Sphere(1), useFixedBase=True), "a geom without a body"),
    "basePosition": (lambda w, b, h: w.add_body(od.Sphere(1), basePosition=(0, 0, 1)), "did you mean 'position'"),
    "halfExtents": (lambda w, b, h: od.Box(halfExtents=(1, 1, 1)), "the lengths, twice as long"),
    "mujoco.MjModel": (lambda w, b, h: od.MjModel, "od.load_robot"),
    "mujoco.mj_step": (lambda w, b, h: od.mj_step(w), r"call world.advance\(h\)"),
    "data.qpos": (lambda w, b, h: w.qpos, "world.positions"),
    "data.qvel": (lambda w, b, h: put(w, "qvel", 0), "linear_velocities"),
    "body.xpos": (lambda w, b, h: b.xpos, "did you mean 'position'"),
    "pymunk.Space.gravity": (lambda w, b, h: put(w.space, "gravity", (0, 0, -9)), "world.gravity"),
    "pymunk.Circle": (lambda w, b, h: od.Circle(b, 10), "od.Sphere"),
    "pymunk.Segment": (lambda w, b, h: od.Segment(b), "od.Capsule"),
    "pymunk.Body": (lambda w, b, h: od.Body(1, 100), "lives in a World"),
    "space.add": (lambda w, b, h: w.add(b), "call add_body"),
    "space.remove": (lambda w, b, h: w.remove(b), r"call destroy\(\)"),
    "shape.friction": (lambda w, b, h: put(b.geoms[0], "friction", 0.5), "world.surfaces"),
    "shape.elasticity": (lambda w, b, h: put(b.geoms[0], "elasticity", 0.5), "world.surfaces"),
    "body.friction": (lambda w, b, h: put(b, "friction", 0.5), "world.surfaces"),
    "add_body(friction=)": (lambda w, b, h: w.add_body(od.Sphere(1), friction=0.5), "world.surfaces"),
    "body.angle": (lambda w, b, h: b.angle, "body.quaternion"),
    "body.static": (lambda w, b, h: put(b, "static", True), "a geom without a body"),
    "body_type": (lambda w, b, h: w.add_body(od.Sphere(1), body_type="static"), "kinematic=True"),
    "apply_impulse": (lambda w, b, h: b.apply_impulse_at_local_point((0, 0, 1)), "at_local=point"),
    "add_collision_handler": (lambda w, b, h: w.add_collision_handler(1, 2), "world.contact_events"),
    "ode.GeomSphere": (lambda w, b, h: od.GeomSphere(None, 1), r"od.Sphere\(radius\)"),
    "ode.BallJoint": (lambda w, b, h: od.BallJoint(w), "world.add_hinge"),
    "joint.setParam": (lambda w, b, h: h.setParam(1, 2), r"joint.motor\("),
    "od.load": (lambda w, b, h: od.load("world.npz"), r"World.load\(file\)"),
    "od.Spher": (lambda w, b, h: od.Spher(1), "did you mean 'Sphere'"),
    "world.view": (lambda w, b, h: w.view(), r"od.view\(world\)"),
    "advance()": (lambda w, b, h: w.advance(), r"World.advance\(\) lacks the argument 'h'. Its arguments are h, steps"),
    "Sphere()": (lambda w, b, h: od.Sphere(), r"Sphere\(\) lacks the argument 'radius'"),
    "Capsule(radius)": (lambda w, b, h: od.Capsule(0.1), r"Capsule\(\) lacks the argument 'length'"),
    "Heightfield(heights)": (lambda w, b, h: od.Heightfield(np.zeros((3, 3))), "'width' and 'depth'"),
    "servo(position)": (lambda w, b, h: h.servo(0.1), "lacks the argument 'stiffness'"),
    "Box(1, 2, 3)": (lambda w, b, h: od.Box(1, 2, 3), r"a vector is one argument: \(x, y, z\)"),
    "Cylinder(height=)": (lambda w, b, h: od.Cylinder(0.1, height=1), "did you mean 'length'"),
    "World(dt=)": (lambda w, b, h: od.World(dt=0.01), r"call world.advance\(h\)"),
    "position.z": (lambda w, b, h: b.position.z, r"write \[2\]"),
    "position.z = 3": (lambda w, b, h: put(b.position, "z", 3), r"assign the property"),
    "Sphere(diameter=)": (lambda w, b, h: od.Sphere(diameter=1), "give the radius, half of it"),
    "add_body(shape=)": (lambda w, b, h: w.add_body(shape=od.Sphere(1)), "shapes come first"),
    # Values.
    "a body added twice": (lambda w, b, h: w.add_body(b), "must be geoms"),
    "a geom of two worlds": (
        lambda w, b, h: od.World().add_geom(w.add_geom(od.Sphere(1))),
        "already in the world's space",
    ),
    "numbers as text": (lambda w, b, h: put(b, "position", ("1", "2", "3")), "must be 3 numbers"),
    "a list of lists": (lambda w, b, h: put(b, "position", [[1, 2, 3]]), "must be 3 numbers"),
    "a mirror": (lambda w, b, h: put(b, "rotation", np.diag([1, 1, -1])), "must be a rotation"),
    "angles for a quaternion": (lambda w, b, h: put(b, "orientation", (0, 0, 1.57)), "must be 4 numbers"),
    "a step of NaN": (lambda w, b, h: w.advance(math.nan), "must be finite"),
    "a mesh of quads": (lambda w, b, h: od.Trimesh(np.zeros((4, 3)), [(0, 1, 2, 3)]), r"must be of shape \(m, 3\)"),
    "a film of another kind": (lambda w, b, h: od.Video("film.avi"), r"can be .mp4, .gif, .webp"),
    "a joint that is gone": (lambda w, b, h: (h.destroy(), h.angle), "has been destroyed; make a new one"),
    "a world that is gone": (lambda w, b, h: (w.destroy(), w.advance(0.01)), "has been destroyed; make a new one"),
}


@pytest.mark.parametrize("name", OTHERS)
def test_words_of_other_engines_lead_to_ours(scene, name):
    program, remedy = OTHERS[name]
    with pytest.raises((AttributeError, TypeError, ValueError, ReferenceError, IndexError), match=remedy):
        program(*scene)


# Fifty more, written down from memory by the words of the four engines, before looking at what is answered.
PORTED = {
    "p.getBasePositionAndOrientation": (lambda w, b, h: w.getBasePositionAndOrientation(b), "body.quaternion"),
    "p.resetBasePositionAndOrientation": (lambda w, b, h: w.resetBasePositionAndOrientation(b), "set body.position"),
    "p.getBaseVelocity": (lambda w, b, h: w.getBaseVelocity(b), "body.angular_velocity"),
    "p.resetBaseVelocity": (lambda w, b, h: w.resetBaseVelocity(b), "set body.linear_velocity"),
    "p.applyExternalForce": (lambda w, b, h: w.applyExternalForce(b, (0, 0, 1)), r"body.add_force\("),
    "p.applyExternalTorque": (lambda w, b, h: w.applyExternalTorque(b, (0, 0, 1)), r"body.add_torque\("),
    "p.setJointMotorControl2": (lambda w, b, h: w.setJointMotorControl2(h), r"joint.motor\("),
    "p.createConstraint": (lambda w, b, h: w.createConstraint(b, b), r"world.add_hinge\("),
    "p.createCollisionShape": (lambda w, b, h: w.createCollisionShape(1), r"world.add_body\(od.Sphere"),
    "p.changeDynamics": (lambda w, b, h: w.changeDynamics(b, lateralFriction=1), "world.surfaces"),
    "body.changeDynamics": (lambda w, b, h: b.changeDynamics(mass=1), "set body.mass"),
    "p.saveState": (lambda w, b, h: w.saveState(), r"world.save\(\)"),
    "p.getQuaternionFromEuler": (lambda w, b, h: od.getQuaternionFromEuler((0, 0, 1)), "from_roll_pitch_yaw"),
    "world.copy": (lambda w, b, h: w.copy(), r"copy.deepcopy\(world\)"),
    "model.opt.timestep": (lambda w, b, h: w.opt, r"call world.advance\(h\)"),
    "data.ctrl": (lambda w, b, h: put(w, "ctrl", 1), r"joint.servo\("),
    "world.sleep": (lambda w, b, h: put(w, "sleep", True), "world.auto_disable"),
    "hits.bodies": (lambda w, b, h: w.cast_rays((0, 0, 5), (0, 0, -1)).bodies, r"hits.geom_of\(k\)"),
    "render(resolution=)": (lambda w, b, h: w.render(resolution=(8, 6)), r"give size=\(width, height\)"),
    "add_wall": (lambda w, b, h: w.add_wall(), r"world.add_geom\("),
    "body.on_collision": (lambda w, b, h: b.on_collision(print), "world.contact_events"),
    "joint.on_break": (lambda w, b, h: h.on_break, "joint.broken after a step"),
    "Torus": (lambda w, b, h: od.Torus(1, 0.2), r"od.Trimesh\(vertices"),
    "Compound": (lambda w, b, h: od.Compound([]), r"world.add_body\(shape1, shape2\)"),
    "Heightfield(size=)": (lambda w, b, h: od.Heightfield(np.zeros((3, 3)), size=(9, 9)), "give width and depth, m"),
    "Camera(eye=)": (lambda w, b, h: od.Camera(eye=(1, 1, 1)), "give the position"),
    "add_hinge(position=)": (lambda w, b, h: w.add_hinge(b, None, position=(0, 0, 1)), "give the anchor"),
    "add_hinge(lower=)": (lambda w, b, h: w.add_hinge(b, None, lower=0, upper=1), r"give stops=\(low, high\)"),
    "add_slider(range=)": (lambda w, b, h: w.add_slider(b, None, range=(0, 1)), r"give stops=\(low, high\)"),
    "depth image": (lambda w, b, h: w.render(depth=True), r"camera.rays\(size\)"),
    "data.ncon": (lambda w, b, h: w.ncon, "world.contacts"),
    "model of a world": (lambda w, b, h: w.model, "od.load_robot"),
    "from_xml_path": (lambda w, b, h: w.from_xml_path("a.xml"), "od.load_robot"),
    "joint.qvel": (lambda w, b, h: h.qvel, "angle_rate"),
    "joint.ctrl = 1": (lambda w, b, h: put(h, "ctrl", 1), r"joint.servo\("),
    "joint.range = limits": (lambda w, b, h: put(h, "range", (-1, 1)), "set joint.stops"),
    "joint.damping": (lambda w, b, h: put(h, "damping_coeff", 1), r"joint.servo\("),
    "body.cvel": (lambda w, b, h: b.cvel, "body.linear_velocity"),
    "body.xfrc_applied": (lambda w, b, h: put(b, "xfrc_applied", (0,) * 6), r"body.add_force\("),
    "geom_friction": (lambda w, b, h: put(b, "geom_friction", 1), "world.surfaces"),
    "Capsule(fromto=)": (
        lambda w, b, h: od.Capsule(0.1, fromto=(0,) * 6),
        r"od\.Capsule\.between\(start, end, radius\)",
    ),
    "World(integrator=)": (
        lambda w, b, h: od.World(integrator="RK4"),
        "set the attribute 'integrator' of what it returns",
    ),
    "World(threads=)": (lambda w, b, h: od.World(threads=4), "set the attribute 'threads' of what it returns"),
    "space.debug_draw": (lambda w, b, h: w.debug_draw(1), r"od.view\(world\)"),
    "space.point_query": (lambda w, b, h: w.point_query_nearest((0, 0), 1), r"geom.point_depth\("),
    "body.moment": (lambda w, b, h: b.moment, "body.inertia"),
    "moment_for_circle": (lambda w, b, h: od.moment_for_circle(1, 0, 1), "density=1000"),
    "pymunk.Vec2d": (lambda w, b, h: od.Vec2d(1, 2), "tuples or arrays of 3 numbers"),
    "add_hinge(pivot=)": (lambda w, b, h: w.add_hinge(b, None, pivot=(0, 0, 0)), "give the anchor"),
    "motor(speed=)": (lambda w, b, h: h.motor(speed=1), "give the velocity"),
    "Contact.setBounce": (lambda w, b, h: od.Contact().setBounce(0.2), "surface=od.Surface"),
    "Contact.mu": (lambda w, b, h: od.Contact().mu, "surface=od.Surface"),
    "ode.ParamLoStop": (lambda w, b, h: od.ParamLoStop, "set joint.stops"),
    "ode.ParamVel": (lambda w, b, h: od.ParamVel, r"joint.motor\("),
    "ode.Infinity": (lambda w, b, h: od.Infinity, "math.inf"),
    "body.getRelPointPos": (lambda w, b, h: b.getRelPointPos((0, 0, 1)), r"body.point_to_world\("),
    "body.acceleration": (lambda w, b, h: b.acceleration, "body.linear_velocity"),
    "body.set_pose": (lambda w, b, h: b.set_pose((0, 0, 1)), "set body.position"),
    "add_ball(radius=)": (
        lambda w, b, h: w.add_ball(radius=0.1),
        "that is a ball joint, at the anchor; a ball that moves is",
    ),
    "add_ball(position=)": (
        lambda w, b, h: w.add_ball(0.1, position=(0, 0, 1)),
        "that is a ball joint, at the anchor; a ball that moves is",
    ),
    "advance(n=)": (lambda w, b, h: w.advance(0.01, n=10), "give the number of steps"),
    "Box(width=)": (lambda w, b, h: od.Box(width=1), "lengths along x, y and z"),
    "od.SoftBody": (lambda w, b, h: od.SoftBody(), "rigid bodies only"),
    "od.simulate": (lambda w, b, h: od.simulate(w), r"call world.advance\(h\)"),
    "position[2] = 5": (lambda w, b, h: b.position.__setitem__(2, 5), "assign the property"),
    "positions[0] = 1": (lambda w, b, h: w.positions.__setitem__(0, 1), "assign the property"),
    "world.save(path)": (lambda w, b, h: w.save("a.npz"), r"world.save\(\).write\(path\)"),
    "a colour that is none": (lambda w, b, h: put(b, "color", "blurple"), "did you mean 'purple'"),
}


@pytest.mark.parametrize("name", PORTED)
def test_programs_of_other_engines_are_told_what_to_write(scene, name):
    program, remedy = PORTED[name]
    with pytest.raises((AttributeError, TypeError, ValueError), match=remedy):
        program(*scene)


FOREIGN = {
    "world": {
        "simulation_step": "world.advance",
        "pause": "world.advance",
        "setRealTimeSimulation": "od.view",
        "launch": "od.view",
        "getCameraImage": "world.render",
        "save_video": "od.Video",
        "record": "od.Recorder",
        "floor": "world.add_plane",
        "createBody": "world.add_body",
        "add_static": "world.add_geom",
        "seed": "nothing is random",
        "load_mjcf": "MJCF is not",
        "loadRobot": "od.Robot",
        "nbody": "len",
        "collisions": "world.contacts",
        "energy": "world.kinetic_energy",
        "actuators": "joint.motor",
        "sensors": "joint.feedback",
        "getLinkState": "world.positions",
        "resetJointState": "robot.place",
        "addUserDebugLine": "od.view",
        "calculateInverseKinematics": "od.robot",
        "add_trigger": "sensor=True",
        "query_aabb": "world.space.overlaps",
        "query_points": "query_points(points)",
        "explode": "body.add_impulse",
        "begin_contact": "world.contact_events",
    },
    "body": {
        "apply_force": "add_force",
        "applyForce": "add_force",
        "apply_central_force": "body.add_force",
        "pos": "position",
        "x": "body.position",
        "euler": "od.rotation",
        "is_sleeping": "body.enabled",
        "wake_up": "body.enabled",
        "bodyUniqueId": "world.find",
        "xmat": "body.rotation",
        "com": "body.position is its centre",
        "user_data": "body.data",
        "collision_shape": "body.geoms",
        "energy": "kinetic_energy",
        "velocity_at_world_point": "body.velocity_at",
        "world_to_local": "body.point_from_world",
        "children": "body.joints",
        "bullet": "body.continuous",
        "collide_bits": "geom.collide_bits",
        "aabb": "body.geoms[0].aabb",
        "contact_force": "world.contact_force(body)",
        "is_sensor": "sensor=True",
    },
    "joint": {
        "upper": "joint.stops",
        "position": "angle",
        "velocity": "angle_rate",
        "set_target": "joint.servo",
        "body1": "joint.bodies",
        "damping": "joint.servo",
        "collide_bodies": "world.collide_connected",
    },
    "geom": {"mask": "od.Categories", "trigger": "sensor=True", "bounding_box": "geom.aabb"},
    "space": {"step": "world.advance", "bodies": "world.bodies", "add_body": "world.add_body"},
    "od": {
        "create_world": "od.World",
        "RigidBody": "world.add_body",
        "StaticBody": "world.add_geom",
        "Cube": "od.Box",
        "RevoluteJoint": "world.add_hinge",
        "Prismatic": "world.add_slider",
        "DampedSpring": "world.add_dball",
        "Material": "world.surfaces",
        "launch_passive": "od.view",
        "radians": "math.radians",
        "rayTest": "world.cast_rays",
        "mj_forward": "world.advance",
        "GearJoint": "world.add_transmission",
    },
}


@pytest.mark.parametrize(("owner", "name"), [(owner, name) for owner, names in FOREIGN.items() for name in names])
def test_a_foreign_name_is_translated(scene, owner, name):
    world, ball, hinge = scene
    things = {"world": world, "body": ball, "joint": hinge, "geom": ball.geoms[0], "space": world.space, "od": od}
    with pytest.raises(AttributeError, match=re.escape(FOREIGN[owner][name])):
        getattr(things[owner], name)


HINGE2 = {"angle": "angle1", "motor": "motor1", "steer": "hinge2.stops1", "suspension_travel": "hinge2.anchor2"}


@pytest.mark.parametrize("name", HINGE2)
def test_names_of_wheel_joints_are_translated(name):
    world = od.World()
    hinge2 = world.add_hinge2(world.add_body(), world.add_body(position=(1, 0, 0)), axis1=(0, 0, 1), axis2=(0, 1, 0))
    with pytest.raises(AttributeError, match=re.escape(HINGE2[name])):
        getattr(hinge2, name)
    for named in re.findall(r"hinge2\.(\w+)", HINGE2[name]):
        assert hasattr(hinge2, named)


def test_materials_are_items_of_the_surfaces(scene):
    with pytest.raises(AttributeError, match=r'world.surfaces\["ice"\]'):
        scene[0].surfaces.ice = od.Surface(mu=0.02)
    with pytest.raises(AttributeError, match="did you mean 'default'"):
        scene[0].surfaces.defualt = od.Surface(mu=0.02)


def test_geoms_without_a_body_have_no_mass(scene):
    with pytest.raises(TypeError, match=r"it never moves; what moves is a body: world.add_body\(shape, mass=1\)"):
        scene[0].add_geom(od.Sphere(0.1), mass=1)


def test_a_snapshot_is_written(scene):
    with pytest.raises(AttributeError, match=r"call write\(path\)"):
        scene[0].save().save("file")


def test_joint_arrays_take_lists(scene):
    with pytest.raises(TypeError, match=r"a list: od.JointArray\(\[hinge\]\)"):
        od.JointArray(scene[2])


def test_triangles_of_vertices_that_do_not_exist():
    with pytest.raises(ValueError, match=r"triangle 1 of the mesh, \[0, 1, 3\], names vertices .* 1 of 2 triangles"):
        od.Trimesh([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2), (0, 1, 3)])


def test_what_is_named_as_the_remedy_exists(scene):
    """Names after `world.`, `body.`, `joint.` and `od.` in the remedies are public ones."""
    texts = [text for known in (*other_engines.BY_OWNER.values(), other_arguments.ARGUMENTS) for text in known.values()]
    world, ball, hinge = scene
    slider = world.add_slider(ball, None)
    things = {
        "world": [world],
        "body": [ball],
        "joint": [hinge, slider],
        "od": [od],
        "geom": ball.geoms,
        "World": [od.World],
    }
    named = {found for text in texts for found in re.findall(r"\b(world|body|joint|geom|od|World)\.([a-zA-Z_]+)", text)}
    assert len(named) > 15
    for owner, name in named:
        assert any(hasattr(thing, name) for thing in things[owner]), f"{owner}.{name}"


def test_there_are_fifty():
    assert len(PORTED) >= 50


def remedies():
    """All texts of the modules: constants, and those of their tables."""
    waiting, found = [*vars(other_engines).values(), *vars(other_arguments).values()], set()
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            found.add(one)
        elif isinstance(one, dict):
            waiting += one.values()
    return found


def test_what_remedies_name_exists(scene):
    """Attributes after od., world., body., geom. and joint."""
    world, body, hinge = scene
    owners = {"od": od, "world": world, "body": body, "geom": body.geoms[0], "joint": hinge}
    paths = {
        (path, text)
        for text in remedies()
        for path in re.findall(r"\b(?:od|world|body|geom|joint)(?:\.[A-Za-z_]\w*)+", text)
    }
    for path, text in paths:
        first, *names = path.split(".")
        owner = owners[first]
        for name in names:
            assert hasattr(owner, name), f"{path} in {text!r}"
            owner = getattr(owner, name)
    assert len(paths) > 100
