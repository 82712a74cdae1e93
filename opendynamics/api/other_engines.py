"""Names of PyODE, PyBullet, MuJoCo and pymunk that do not exist here, and what to write instead; arguments: `other_arguments`.

By class, which also applies to derived classes; names in lower case without underscores.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

STEP = "call world.advance(h), with h the step size in s"
GRAVITY = "set world.gravity, or give it: World(gravity=(0, 0, -9.81))"
GONE = "call destroy() of the body, geom or joint"
MATERIAL = (
    'friction and restitution belong to materials: world.surfaces["ice"] = od.Surface(friction=0.1, restitution=0), and '
    'material="ice" for geoms'
)
STILL = "what never moves is a geom without a body: world.add_geom(od.Box((1, 1, 1))); for what moves as you say, kinematic=True"
CONTACTS = "after world.advance(h), world.contacts and world.contact_events have what touches; sensor=True makes a geom a trigger"
JOINT = "add a joint to a world, such as world.add_hinge(body1, body2, anchor=, axis=)"
JOINT_METHODS = (
    "call the method of its kind: world.add_hinge(body1, body2, anchor=, axis=), add_ball, add_slider, add_fixed"
)
MODEL = "make bodies by world.add_body(shape, position=...), or load a robot: od.load_robot(file)"
LOOK = "od.view(world) shows it in the browser, and world.render() makes a picture"
STATE = (
    "world.positions, quaternions, linear_velocities and angular_velocities have those of all bodies; joints have angle and "
    "angle_rate"
)
SAVED = "world.save() gives a snapshot with write(file), and World.load(file) reads it"
PLANE = "call world.add_plane()"
SHAPES = (
    "call world.add_body(od.Sphere(0.1), position=...) for what moves, world.add_geom(od.Sphere(0.1)) for what stays"
)
SPRING = (
    "a spring between points of two bodies is a dball joint: world.add_dball(body1, body2, stiffness=, damping=); in a hinge or "
    "a slider it is joint.servo(position, stiffness=, damping=)"
)
FEEDBACK = "joint.feedback has force and torque of the last step; world.contact_force(body) that of its contacts"
TORQUE = (
    "call add_torque(torque), for the next step; joint.feedback has what the joint did, joint.servo(...) and joint.motor(...) "
    "drive it"
)
MESH = (
    "call world.add_geom(od.Trimesh(vertices, triangles)), or world.add_mesh_body(vertices, triangles) for what moves"
)
HEIGHTFIELD = 'call world.add_geom(od.Heightfield(heights, width=, depth=, up="z"))'
ROD = "call world.add_dball(body1, body2, anchor1=, anchor2=, distance=)"
MOTOR = "call joint.motor(velocity, max_force) or joint.servo(position, stiffness=, damping=); set joint.stops"
POSE = "set body.position and body.quaternion (w, x, y, z)"
FORCE = "call body.add_force(force, at=point), for the next step; body.add_impulse(impulse) acts at once"
SURFACE = "materials are in world.surfaces; in a loop of your own: world.add_contact(contact, surface=od.Surface(mu=, bounce=))"
PUSHED = (
    "the solver finds it; body.add_force(force, at=point) pushes, world.contact_modifier changes contacts before a step"
)
VECTOR = "points and directions are tuples or arrays of 3 numbers, quaternions of 4: (w, x, y, z)"
MASS = (
    "bodies get it of their shapes: world.add_body(od.Sphere(0.1), density=1000), or mass=1; od.Mass.sphere(radius, mass=1) "
    "and others compute it"
)
NEW_WORLD = "the simulation is a World: world = od.World(gravity=(0, 0, -9.81))"
PICTURE = "world.render() returns a picture as an array; od.Camera(position, target) says from where"
DEPTH = "world.cast_rays(camera.position, camera.rays(size)) gives the distance and the geom of each pixel"
FILM = 'with od.Video("film.mp4") as film: film.add(world), once for each frame'
RECORD = 'with od.Recorder(world, "run.odr"): world.advance(h, steps=500); od.plot and od.Recording read the file'
ANGLES = "angles are in radians: math.radians(90); od.rotation makes rotations of axes and angles"
EULER = "give a rotation: od.rotation.from_roll_pitch_yaw(roll, pitch, yaw), or from_axis_angle(axis, angle), rad"
ALONG_Z = "the axis is z: give rotation=od.rotation.from_z_axis((0, 1, 0)), or the ends: od.Capsule.between(start, end, radius)"
SHAPE_MASS = "masses belong to bodies: world.add_body(shape, mass=1), or density=1000"
DRY = "dry friction of a hinge or a slider is joint.motor(0, max_force); a damper is joint.servo(0, stiffness=0, damping=)"
ROPE = (
    "a rope is a chain of bodies: od.Capsule shapes with world.add_ball between them; a rod is "
    "world.add_dball(body1, body2, anchor1=, anchor2=)"
)
SECONDS = "give the step size and the number of steps: world.advance(0.01, steps=100)"
DEFAULT_SURFACE = "set world.surfaces.default = od.Surface(mu=0.5, bounce=0.2), or that of a pair of materials"
ASLEEP = "set body.enabled: False puts it to sleep, True wakes it; world.auto_disable lets all sleep that are at rest"
FRAME = "body.position and body.quaternion, or body.rotation (3, 3), are its pose; body.point_to_world(point) converts"
FILTERS = 'what meets what: geom.category_bits and geom.collide_bits, or by names od.Categories("floor", "robot")'
NOT_MJCF = "MJCF is not read; od.load_robot(file) reads URDF and .body, and world.add_body(shape) makes bodies"
ROBOT_STATE = "robot.read() returns the state: q, dq, position, velocity; robot.place(state) sets it"
ROBOT_DRIVEN = (
    "call robot.drive({joint: effort}) before each step, control = od.robot.PDControl(robot, stiffness, damping) and "
    "control.drive({joint: position}), or robot.joints[name].servo(...)"
)
PARTS = "a body is joined to others by joints: body.joints, and joint.bodies"
OWN_DATA = "keep your own data in body.data"
DRAWN = "od.view(world) draws contacts, joints and trails on demand; body.color and geom.color colour them"
ZONE = "a geom with sensor=True is a zone: world.add_geom(od.Box((1, 1, 1), sensor=True)); world.contact_events has who enters"
QUERIES = "ask the space: world.space.overlaps(geom), query_points(points), query_boxes(boxes)"
IMPULSES = "give each of world.bodies an impulse: body.add_impulse(impulse, at=point), N s"
TRAVEL = "it is (hinge2.anchor2 - hinge2.anchor) @ hinge2.axis1, m, positive if the spring is compressed"
TWO_ANGLES = "it has two angles: angle1 and angle2, with angle1_rate and angle2_rate"
TWO_MOTORS = "it has two axes, each with a motor and an angle: motor1 and motor2, angle1 and angle2"
STEERED = (
    "hold the steering at an angle by hinge2.stops1 = (angle, angle); or drive it by hinge2.motor1(velocity, max_force)"
)
JOINT_LIMITS = 'each joint has its own: model.joints["elbow"].lower, .upper, .max_velocity and .max_effort'
COUNTED = "count them: len(model.joints), len(model.links)"
BALL = "that is a ball joint, at the anchor; a ball that moves is world.add_body(od.Sphere(0.1), position=...)"

WORLD = {
    "bodies": f"{SHAPES}; destroy() removes one",
    "joints": f"{JOINT}; destroy() removes one",
    "geoms": f"{SHAPES}; destroy() removes one",
    "contacts": CONTACTS,
    "broadphase": 'give it when the world is made: od.World(broadphase="tree")',
    "like": 'give it when the world is made: od.World(like="ode")',
    "time": "it is what has been simulated; world.save() and world.restore(snapshot) go back",
    "stepsimulation": STEP,
    "simulate": STEP,
    "update": STEP,
    "run": STEP,
    "settimestep": STEP,
    "timestep": STEP,
    "dt": STEP,
    "setphysicsengineparameter": STEP,
    "remove": GONE,
    "removebody": GONE,
    "delete": GONE,
    "destroybody": GONE,
    "deletebody": GONE,
    "removejoint": GONE,
    "removeconstraint": GONE,
    "add": "call add_body(shape, ...), add_geom(geom), add_plane() or a joint's, such as add_hinge(...)",
    "friction": MATERIAL,
    "restitution": MATERIAL,
    "addcollisionhandler": CONTACTS,
    "oncontact": CONTACTS,
    "oncollision": CONTACTS,
    "getcontactpoints": CONTACTS,
    **dict.fromkeys(
        ("raycast", "castray", "raytest", "raytestbatch", "segmentquery", "segmentqueryfirst"),
        "call world.cast_rays(starts, directions)",
    ),
    "qpos": STATE,
    "qvel": STATE,
    "xpos": STATE,
    "xquat": STATE,
    "iterations": "set quickstep_iterations",
    **dict.fromkeys(("sleep", "sleeping", "allowsleep", "allowsleeping", "autosleep"), ASLEEP),
    "view": LOOK,
    "show": LOOK,
    "draw": LOOK,
    "plot": "record with od.Recorder(world) and call od.plot(recording, ...)",
    "createmultibody": MODEL,
    "loadurdf": MODEL,
    "addground": PLANE,
    "addfloor": PLANE,
    "addgroundplane": PLANE,
    **dict.fromkeys(("addbox", "addsphere", "addcapsule", "addcylinder", "addconvex", "addshape"), SHAPES),
    "addheightfield": HEIGHTFIELD,
    "addterrain": HEIGHTFIELD,
    **dict.fromkeys(("addmesh", "addtrimesh"), MESH),
    **dict.fromkeys(("addwall", "addobstacle", "addstaticbox", "addstaticgeom"), STILL),
    **dict.fromkeys(("addrope", "addcable", "addchain", "addstring"), ROPE),
    **dict.fromkeys(("addjoint", "addconstraint", "join", "connect"), JOINT_METHODS),
    **dict.fromkeys(("surface", "defaultsurface", "material", "materials"), DEFAULT_SURFACE),
    "angularmomentum": (
        "sum numpy.cross(position, mass * linear_velocity) + rotation @ inertia @ rotation.T @ angular_velocity over world.bodies"
    ),
    **dict.fromkeys(("addtrigger", "addsensor", "addzone", "addarea"), ZONE),
    **dict.fromkeys(
        ("querypoints", "queryboxes", "queryaabb", "boxquery", "bbquery", "overlapsphere", "overlapbox", "overlapaabb"),
        QUERIES,
    ),
    **dict.fromkeys(("contactlistener", "begincontact", "endcontact", "presolve", "postsolve"), CONTACTS),
    **dict.fromkeys(("explode", "explosion", "addexplosion"), IMPULSES),
    "addspring": SPRING,
    "addspringdamper": SPRING,
    "adddistancejoint": ROD,
    "adddistance": ROD,
    "addrod": ROD,
    "addweld": "call world.add_fixed(body1, body2)",
    "addrevolute": "call world.add_hinge(body1, body2, anchor=, axis=)",
    "addprismatic": "call world.add_slider(body1, body2, axis=)",
    "addspherical": "call world.add_ball(body1, body2, anchor=)",
    "addmotor": MOTOR,
    "getbasepositionandorientation": "read body.position and body.quaternion (w, x, y, z)",
    "resetbasepositionandorientation": POSE,
    "getbasevelocity": "read body.linear_velocity and body.angular_velocity",
    "resetbasevelocity": "set body.linear_velocity and body.angular_velocity",
    "applyexternalforce": FORCE,
    "applyexternaltorque": "call body.add_torque(torque), for the next step",
    "setjointmotorcontrol": MOTOR,
    "setjointmotorcontrol2": MOTOR,
    "createconstraint": JOINT,
    "changedynamics": f"set body.mass; {MATERIAL}",
    **dict.fromkeys(("createcollisionshape", "createvisualshape"), SHAPES),
    **dict.fromkeys(
        ("savestate", "restorestate", "savebullet"),
        "world.save() returns a snapshot, world.restore(snapshot) goes back",
    ),
    "copy": "copy.deepcopy(world) is another world; world.save() returns a snapshot, world.restore(snapshot) goes back",
    **dict.fromkeys(("simulationstep", "stepsize", "tick", "integrate", "loop", "start", "fps", "mjstep"), STEP),
    **dict.fromkeys(
        ("pause", "resume", "stop"), f"nothing runs by itself: {STEP}; od.view(world) runs it in real time"
    ),
    "setrealtimesimulation": "od.view(world) runs it in real time",
    **dict.fromkeys(("launch", "viewer", "visualize", "gui"), LOOK),
    **dict.fromkeys(("camera", "getcameraimage", "screenshot", "picture", "image"), PICTURE),
    **dict.fromkeys(("depth", "depthimage", "renderdepth", "segmentation", "pointcloud"), DEPTH),
    **dict.fromkeys(("video", "savevideo", "film", "savegif"), FILM),
    **dict.fromkeys(("record", "log", "history"), RECORD),
    **dict.fromkeys(("ground", "floor"), PLANE),
    **dict.fromkeys(("createbody", "makebody", "newbody", "addobject", "addrigidbody"), SHAPES),
    **dict.fromkeys(("staticbody", "addstatic"), f"{STILL}; of a joint, the static world is None"),
    "clear": "make another one: world = od.World(); world.reset() goes back to its first step",
    "seed": "nothing is random: the same program gives the same motion, to the last bit",
    "disconnect": "there is no server; world.destroy() ends it",
    **dict.fromkeys(("loadmjcf", "loadxml", "loadsdf"), NOT_MJCF),
    **dict.fromkeys(("loadrobot", "addrobot"), "od.Robot(world, od.load_robot(file)) puts one into it"),
    "setadditionalsearchpath": "od.load_robot(file, packages={name: folder}) says where files are",
    **dict.fromkeys(("nbody", "numbodies", "nv", "nq", "njnt"), "count world.bodies or world.joints by len"),
    **dict.fromkeys(("collisions", "performcollisiondetection", "overlaps"), CONTACTS),
    **dict.fromkeys(("iscolliding", "istouching", "colliding", "touching", "collide"), CONTACTS),
    **dict.fromkeys(
        ("getbody", "body", "getjoint", "joint", "getgeom", "getobject", "getbyname", "lookup", "byname"),
        'world.find("name") returns the body, joint or geom of that name',
    ),
    "momentum": "sum it over world.bodies: body.mass * body.linear_velocity",
    **dict.fromkeys(("energy", "totalenergy"), "add world.kinetic_energy and world.potential_energy, J"),
    **dict.fromkeys(("actuators", "motors"), MOTOR),
    **dict.fromkeys(("sensors", "enablejointforcetorquesensor"), FEEDBACK),
    **dict.fromkeys(("getlinkstate", "getjointstate", "getjointstates"), STATE),
    "resetjointstate": "set position and quaternion of its bodies; for a Robot, robot.place(state)",
    "getquaternionfromeuler": EULER,
    "calculateinversekinematics": "od.robot.inverse_kinematics(state, targets)",
    "adduserdebugline": DRAWN,
    "opt": STEP,
    "ctrl": MOTOR,
    "ncon": CONTACTS,
    "model": MODEL,
    "fromxmlpath": MODEL,
    "fromxmlstring": MODEL,
    "debugdraw": LOOK,
    **dict.fromkeys(
        ("pointquery", "pointquerynearest"), "ask a geom how deep a point is in it: geom.point_depth(point)"
    ),
}
BODY = {
    "friction": MATERIAL,
    "mu": MATERIAL,
    "restitution": MATERIAL,
    "elasticity": MATERIAL,
    "bounce": MATERIAL,
    "material": "materials belong to the geoms of a body: body.geoms[0].material",
    "shape": "a body may have several: body.geoms",
    "shapes": "they are body.geoms",
    "static": STILL,
    "fixed": STILL,
    "bodytype": STILL,
    "angle": "a body turns about three axes: body.quaternion or body.rotation",
    "resetbasepositionandorientation": POSE,
    **dict.fromkeys(("setpose", "move", "moveto", "teleport", "translate", "rotate"), POSE),
    **dict.fromkeys(("xfrcapplied", "qfrcapplied", "applyexternalforce"), FORCE),
    **dict.fromkeys(("applycentralforce", "applyforce", "setforce", "push"), FORCE),
    **dict.fromkeys(("xyz", "x", "y", "z"), "read body.position[0], [1] and [2]; set body.position = (x, y, z)"),
    **dict.fromkeys(("euler", "rpy", "yaw", "pitch", "roll"), f"set body.rotation or body.quaternion; {EULER}"),
    "speed": "it is numpy.linalg.norm(body.linear_velocity), m/s",
    "velocityatworldpoint": "call body.velocity_at(point)",
    "velocityatlocalpoint": "call body.velocity_at(body.point_to_world(point))",
    "worldtolocal": "call body.point_from_world(point)",
    **dict.fromkeys(
        ("sleep", "sleeping", "asleep", "awake", "activate", "wake", "wakeup", "puttosleep", "active"), ASLEEP
    ),
    **dict.fromkeys(
        ("id", "index", "bodyuniqueid"),
        "bodies are objects: keep it, or name it, add_body(..., name='ball'), for world.find",
    ),
    "qpos": FRAME,
    "qvel": "read body.linear_velocity and body.angular_velocity",
    **dict.fromkeys(("xmat", "ximat", "transform", "pose", "matrix", "frame"), FRAME),
    **dict.fromkeys(
        ("com", "centerofmass", "centreofmass", "localcom", "xipos"),
        "body.position is its centre of mass; body.mass_properties has mass and inertia",
    ),
    **dict.fromkeys(("collisionshape", "collider", "fixtures"), "a body may have several: body.geoms"),
    "energy": "read body.kinetic_energy, J",
    "momentum": "it is body.mass * body.linear_velocity",
    **dict.fromkeys(("parent", "children", "link", "constraints"), PARTS),
    **dict.fromkeys(("tag", "userdata", "type"), OWN_DATA),
    "cvel": "read body.linear_velocity and body.angular_velocity",
    "changedynamics": f"set body.mass; {MATERIAL}",
    "geomfriction": MATERIAL,
    "moment": "read body.inertia, 3 x 3",
    "acceleration": "differences of body.linear_velocity over a step have it; body.force is what is added for the next step",
    "getrelpointpos": "call body.point_to_world(point)",
    "applyimpulseatlocalpoint": "call add_impulse(impulse, at_local=point)",
    "applyimpulseatworldpoint": "call add_impulse(impulse, at=point)",
    "applyforceatlocalpoint": "call add_force(force, at_local=point)",
    "applyforceatworldpoint": "call add_force(force, at=point)",
    "remove": GONE,
    "delete": GONE,
    **dict.fromkeys(
        ("istouching", "touches", "collideswith", "iscolliding", "isoverlapping", "oncollision", "oncontact"), CONTACTS
    ),
    **dict.fromkeys(
        ("gravity", "usegravity", "disablegravity", "enablegravity", "gravityscale", "gravcomp"),
        "set body.gravity_mode: False for a body without weight",
    ),
    **dict.fromkeys(
        ("lockrotation", "fixedrotation", "freezerotation", "fixedrotations"),
        "hold it by a motor: motor = world.add_amotor(body, None, axes=...), motor.motor(0, 0, max_force); or in a plane: "
        "world.add_plane2d(body)",
    ),
    "freeze": "set body.kinematic = True, with velocities of 0",
    **dict.fromkeys(("bullet", "ccd", "continuouscollision"), "set body.continuous = True"),
    **dict.fromkeys(("categorybits", "collidebits", "mask", "filter", "layer", "collisionlayer"), FILTERS),
    **dict.fromkeys(("aabb", "boundingbox", "bb", "bounds"), "its geoms have them: body.geoms[0].aabb"),
    **dict.fromkeys(("sensor", "trigger"), ZONE),
    **dict.fromkeys(("contactforce", "contactforces"), "call world.contact_force(body)"),
}
GEOM = dict.fromkeys(("friction", "mu", "restitution", "elasticity", "bounce"), MATERIAL) | {
    "mass": SHAPE_MASS,
    "density": SHAPE_MASS,
    "velocity": "bodies move: geom.body.linear_velocity; a belt's speed is surface_velocity",
    "linearvelocity": "bodies move: geom.body.linear_velocity; a belt's speed is surface_velocity",
    **dict.fromkeys(("contacts", "touching", "overlaps", "overlapping", "inside"), CONTACTS),
    **dict.fromkeys(
        (
            "mask",
            "filter",
            "group",
            "collisiongroup",
            "collisionfilter",
            "collisiontype",
            "layer",
            "contype",
            "conaffinity",
        ),
        FILTERS,
    ),
    "trigger": "sensor=True makes it a zone that touches without force",
    **dict.fromkeys(("boundingbox", "bb", "bounds"), "read geom.aabb, m: (min x, max x, min y, max y, min z, max z)"),
    **dict.fromkeys(("mesh", "visual"), f"a geom is what is seen: its class has the sizes; {MESH}"),
}
JOINTS = {
    "torque": TORQUE,
    "addtorque": TORQUE,
    "force": FEEDBACK,
    "spring": SPRING,
    **dict.fromkeys(("friction", "frictionloss", "dryfriction", "damper", "setdamping", "viscosity"), DRY),
    "setparam": MOTOR,
    **dict.fromkeys(("maxtorque", "maxforce", "motorvelocity", "motorrate", "motorenabled"), MOTOR),
    "getparam": MOTOR,
    "paramvel": MOTOR,
    "paramfmax": MOTOR,
    "motorspeed": MOTOR,
    "targetvelocity": MOTOR,
    "enablemotor": MOTOR,
    **dict.fromkeys(
        ("qpos", "pos", "position", "coordinate", "angle"),
        "it is the joint's angle, rad, or position, m, which its bodies have: move them, or call joint.servo(position, "
        "stiffness=, damping=)",
    ),
    **dict.fromkeys(
        ("qvel", "velocity", "speed", "rate", "anglerate"),
        "it is the joint's angle_rate, rad/s, or rate, m/s, which its bodies have; joint.motor(velocity, max_force) drives it",
    ),
    **dict.fromkeys(("lower", "upper", "lowerlimit", "upperlimit"), "set joint.stops = (low, high), rad or m"),
    **dict.fromkeys(("target", "settarget", "targetposition", "stiffness"), MOTOR),
    "damping": DRY,
    **dict.fromkeys(
        ("body", "body1", "body2", "a", "b", "parent", "child"), "read joint.bodies; call joint.attach(body1, body2)"
    ),
    "collidebodies": "set world.collide_connected; for single pairs geom.collide_bits",
    **dict.fromkeys(("errorbias", "maxbias"), "set world.erp, or world.set_spring(stiffness, damping, h)"),
    "ctrl": MOTOR,
    "range": "set joint.stops, rad or m",
    **dict.fromkeys(
        ("onbreak", "breaks", "breakcallback"), "set joint.break_force, and read joint.broken after a step"
    ),
    **dict.fromkeys(
        ("dampingcoeff", "springcoeff", "kp", "kd"),
        "a spring and a damper are joint.servo(position, stiffness=, damping=)",
    ),
    "remove": GONE,
}
MODULE = {
    "connect": "there is no server: world = od.World()",
    "simulation": "the simulation is a World: world = od.World()",
    "engine": "the simulation is a World: world = od.World()",
    "stepsimulation": STEP,
    "mjstep": STEP,
    "mjforward": f"nothing has to be brought up to date; {STEP}",
    **dict.fromkeys(("createworld", "makeworld", "newworld", "simulator", "sim", "physicsworld", "env"), NEW_WORLD),
    **dict.fromkeys(("urdf", "loadmjcf", "loadmodel"), NOT_MJCF),
    **dict.fromkeys(("ground", "floor", "groundplane"), PLANE),
    **dict.fromkeys(("staticbody", "kinematicbody"), STILL),
    **dict.fromkeys(("rigidbody", "bodydef", "fixturedef", "polygonshape", "circleshape"), SHAPES),
    **dict.fromkeys(("convexhull", "hull"), "call od.Convex.hull(points)"),
    **dict.fromkeys(("revolute", "revolutejoint"), "call world.add_hinge(body1, body2, anchor=, axis=)"),
    **dict.fromkeys(("prismatic", "prismaticjoint", "groovejoint"), "call world.add_slider(body1, body2, axis=)"),
    **dict.fromkeys(("weld", "weldjoint"), "call world.add_fixed(body1, body2)"),
    **dict.fromkeys(("spherical", "sphericaljoint", "ballandsocket"), "call world.add_ball(body1, body2, anchor=)"),
    **dict.fromkeys(("dampedspring", "dampedrotaryspring"), SPRING),
    **dict.fromkeys(("slidejoint", "distancejoint", "rope"), ROD),
    "gearjoint": "call world.add_transmission(body1, body2)",
    "simplemotor": MOTOR,
    **dict.fromkeys(("cube", "cuboid"), "od.Box(lengths)"),
    "material": MATERIAL,
    "gravity": GRAVITY,
    **dict.fromkeys(("timer", "clock", "time"), "world.time is what has been simulated, s"),
    **dict.fromkeys(("visualize", "draw", "launch", "launchpassive", "gui", "direct", "window"), LOOK),
    "euler": EULER,
    **dict.fromkeys(("deg", "degrees", "radians", "deg2rad"), ANGLES),
    **dict.fromkeys(
        ("shape", "collisionshape", "geometry"), "shapes are od.Sphere, od.Box, od.Capsule, od.Cylinder, od.Trimesh"
    ),
    "scene": "scenes that come along: from opendynamics import scenes; scenes.build(name)",
    **dict.fromkeys(
        ("raytest", "raycast", "castray", "castrays", "mjray"), "call world.cast_rays(origins, directions)"
    ),
    "setgravity": GRAVITY,
    "loadurdf": MODEL,
    "createmultibody": MODEL,
    "mjmodel": MODEL,
    "mjdata": STATE,
    **dict.fromkeys(("vec3", "vector", "vector3", "vec2d", "quaternion", "quat"), VECTOR),
    **dict.fromkeys(("momentforcircle", "momentforbox", "momentforpoly", "momentforsegment"), MASS),
    "mjviewer": "od.view(world)",
    "infinity": "math.inf",
    "paraminfinity": "math.inf",
    **dict.fromkeys(("paramlostop", "paramhistop"), "set joint.stops = (low, high), rad or m"),
    **dict.fromkeys(("paramvel", "paramfmax"), MOTOR),
    **dict.fromkeys(("parambounce", "paramfudgefactor", "paramcfm"), "see joint.limit_motor"),
    "softbody": "there are rigid bodies only; world.add_dball(body1, body2, stiffness=, damping=) makes springs between them",
    **dict.fromkeys(
        ("rotationfromeuler", "geteuler", "getquaternionfromeuler", "eulertoquaternion"),
        EULER,
    ),
    **dict.fromkeys(("simulate", "run"), STEP),
    "circle": "in three dimensions: od.Sphere, od.Cylinder; a od.Plane2D joint keeps a body in a plane",
    "segment": "od.Capsule.between(start, end, radius)",
    "poly": "od.Convex.hull(points)",
    "torus": "od.Trimesh(vertices, triangles), or several od.Capsule shapes of one body",
    **dict.fromkeys(
        ("compound", "compoundshape", "multibody"), "one body may have several shapes: world.add_body(shape1, shape2)"
    ),
    "ccylinder": "od.Capsule(radius, length)",
    "geombox": "od.Box(lengths)",
    "geomsphere": "od.Sphere(radius)",
    "geomplane": "world.add_plane(normal, offset)",
    "geomcapsule": "od.Capsule(radius, length)",
    "geomcylinder": "od.Cylinder(radius, length)",
    "geomtrimesh": "od.Trimesh(vertices, triangles)",
    "mesh": "od.Trimesh(vertices, triangles)",
    "forcesensor": FEEDBACK,
    "torquesensor": FEEDBACK,
    "forcetorquesensor": FEEDBACK,
    "balljoint": JOINT,
    "hingejoint": JOINT,
    "sliderjoint": JOINT,
    "fixedjoint": JOINT,
    "pinjoint": JOINT,
    "pivotjoint": JOINT,
    "load": SAVED,
    "save": SAVED,
    "show": "od.view(world)",
    "render": "world.render()",
    "step": STEP,
    "advance": STEP,
}
BY_OWNER = {
    "World": WORLD,
    "Body": BODY,
    "Geom": GEOM,
    "Joint": JOINTS,
    "Contact": dict.fromkeys(
        ("bounce", "mu", "friction", "restitution", "slip1", "softerp", "softcfm", "mode", "surface", "material"),
        SURFACE,
    )
    | dict.fromkeys(("force", "impulse"), PUSHED)
    | dict.fromkeys(("body1", "body2"), "it follows from geom1 and geom2")
    | dict.fromkeys(("enabled", "ignore"), "world.contact_filter decides which pairs touch"),
    "Space": {
        "gravity": "it belongs to the world: world.gravity",
        "step": STEP,
        "bodies": "bodies belong to the world: world.bodies",
        **dict.fromkeys(
            ("addbody", "addjoint", "addconstraint"), "call it of the world: world.add_body(shape), world.add_hinge()"
        ),
    },
    "opendynamics": MODULE,
    "opendynamics.api.rotation": dict.fromkeys(
        ("euler", "fromrpy", "rpy", "quaternionfromeuler", "matrixfromeuler", "fromxyz", "fromeulerangles"), EULER
    )
    | {"identityquaternion": "(1, 0, 0, 0)", "normalize": "quaternions are normalised when they are set"},
    "Robot": {
        **dict.fromkeys(("q", "dq", "qpos", "qvel", "position", "velocity", "quaternion", "state"), ROBOT_STATE),
        **dict.fromkeys(("positions", "jointpositions", "jointstates", "velocities", "jointvelocities"), ROBOT_STATE),
        **dict.fromkeys(
            ("reset", "resetjointstate", "jointstate", "home"), "call robot.place(model.state(q={joint: 0.5}))"
        ),
        **dict.fromkeys(
            ("ctrl", "u", "motors", "actuators", "actuate", "applyforces", "torques", "efforts"), ROBOT_DRIVEN
        ),
        **dict.fromkeys(("setjointmotorcontrol2", "setjointmotorcontrolarray", "jointtargets", "target"), ROBOT_DRIVEN),
        **dict.fromkeys(("step", "advance", "update"), "call robot.world.advance(h), with h the step size in s"),
        **dict.fromkeys(("link", "linkstate", "linkpose", "xpos"), "robot.bodies[name] is the body of a link"),
        "mass": "it is robot.model.mass, kg; robot.bodies[name].mass = 2 changes that of a link in the world",
        "gravity": "it belongs to the world: robot.world.gravity",
        "jointlimits": "give it when the robot is made: od.Robot(world, model, joint_limits=False)",
        "data": "derive a class from od.Robot for attributes of your own",
        "getcontactpoints": "read robot.contacts",
    },
    "RayHits": {
        **dict.fromkeys(("bodies", "body"), "call hits.geom_of(k), whose body is geom.body"),
        **dict.fromkeys(("depth", "fraction"), "read hits.distance, m"),
    },
    "Hinge2": {
        **dict.fromkeys(("angle", "rate", "anglerate", "rate1", "rate2"), TWO_ANGLES),
        **dict.fromkeys(("motor", "servo"), TWO_MOTORS),
        **dict.fromkeys(("steer", "steering", "steeringangle"), STEERED),
        **dict.fromkeys(
            ("travel", "compression", "suspensionlength", "suspensiontravel", "suspensionposition", "position"), TRAVEL
        ),
    },
    "Universal": {
        **dict.fromkeys(("angle", "rate", "anglerate", "rate1", "rate2"), TWO_ANGLES),
        **dict.fromkeys(("motor", "servo"), TWO_MOTORS),
    },
    "ModelJoint": {
        **dict.fromkeys(("limits", "stops", "range", "limit"), JOINT_LIMITS),
        **dict.fromkeys(("velocity", "effort"), JOINT_LIMITS),
        **dict.fromkeys(
            ("q", "qpos", "position", "angle", "dq"), "a model does not move: state = model.state() has state.q"
        ),
    },
    "Model": {
        **dict.fromkeys(("dof", "nq", "nv", "nu", "njnt", "nbody", "numjoints", "numlinks", "ndof"), COUNTED),
        "jointnames": "read model.joints.names",
        "linknames": "read model.links.names",
        **dict.fromkeys(("limits", "jointlimits", "lower", "upper", "lowerlimits", "upperlimits"), JOINT_LIMITS),
        "q": "a model does not move: state = model.state() has state.q",
    },
    "State": {
        **dict.fromkeys(
            ("qpos", "jointpositions", "angles"), "read state.q; the root has state.position and state.quaternion"
        ),
        **dict.fromkeys(
            ("qvel", "jointvelocities", "rates"), "read state.dq; the root has linear_velocity, angular_velocity"
        ),
        **dict.fromkeys(
            ("torque", "torques", "tau", "efforts", "ctrl"), "state.u are efforts; robot.driven those of the last step"
        ),
        **dict.fromkeys(("rotation", "orientation", "rot"), "read state.quaternion (w, x, y, z)"),
        "links": "od.robot.forward_kinematics(state) has the poses of all links",
    },
    "Snapshot": dict.fromkeys(("save", "dump", "store", "tofile", "export"), "call write(path)"),
    "Surfaces": {"*": 'materials are items: world.surfaces["ice"] = od.Surface(mu=0.02)'},
    "Batch": dict.fromkeys(("step", "run", "simulate"), "call advance(h, steps)"),
    "Viewer": {
        **dict.fromkeys(("screenshot", "picture", "render", "saveimage"), f"{PICTURE}; key P in the page saves one"),
        **dict.fromkeys(("stop", "quit", "exit", "end"), "call close()"),
        **dict.fromkeys(("advance", "update", "draw", "refresh"), "call step(n), or sync() after your own steps"),
        **dict.fromkeys(("save", "export", "record"), "call save_html(path, seconds=5)"),
    },
    "Recording": {
        **dict.fromkeys(
            ("find", "body", "path", "trajectory"), 'recording.positions[:, recording.bodies.index("ball")] is its path'
        ),
        **dict.fromkeys(("render", "picture", "frame"), "recording.show(frame) is a World, with render()"),
        **dict.fromkeys(("replay", "play", "view"), "od.view(recording) plays it"),
        **dict.fromkeys(("topandas", "todataframe", "dataframe"), "pandas.read_csv reads what to_csv(path) writes"),
        "plot": 'call od.plot(recording, "energy,contacts")',
        **dict.fromkeys(("export", "save", "toglb"), "call to_gltf(path), to_csv(path) or to_npz(path)"),
        **dict.fromkeys(
            ("energy", "kinetic", "potential", "momentum"), "recording.series has it, a number for each frame"
        ),
    },
    "Capsule": {"fromto": "call od.Capsule.between(start, end, radius)"},
}


# Classes that share their names with others.
CALLED = {"opendynamics.robot.link.Joint": "ModelJoint"}


def names_of(kind: type) -> list[str]:
    """Names of a class and its bases in the tables."""
    return [CALLED.get(f"{base.__module__}.{base.__name__}", base.__name__) for base in kind.__mro__]


def plain(name: str) -> str:
    """`setTimeStep`, `set_time_step` and `SetTimestep` are the same name."""
    return name.replace("_", "").lower()


def remedy(owners: Iterable[str], name: str) -> str:
    """End of the error message for a name that an owner, or its bases, do not have: `; ...`, or empty."""
    for owner in owners:
        known = BY_OWNER.get(owner, {})
        found = known.get(plain(name)) or known.get(re.sub("^(get|set|is)", "", plain(name)))
        if found:
            return f"; {found}"
    return ""
