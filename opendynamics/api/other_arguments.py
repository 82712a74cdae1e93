"""Arguments of calls in other engines that do not exist here, and what to write instead; names in lower case without
underscores.
"""

from __future__ import annotations

from collections.abc import Iterable

from opendynamics.api.other_engines import (
    ALONG_Z,
    BALL,
    DEPTH,
    EULER,
    MATERIAL,
    SECONDS,
    SHAPE_MASS,
    STEP,
    STILL,
    plain,
)

# Arguments of any call.
ARGUMENTS = {
    **dict.fromkeys(("material", "sensor"), 'give it to the shape: world.add_body(od.Sphere(0.1, material="ice"))'),
    "friction": MATERIAL,
    "restitution": MATERIAL,
    "elasticity": MATERIAL,
    "diameter": "give the radius, half of it",
    "halfextents": "give the lengths, twice as long",
    "halfsize": "give the lengths, twice as long",
    "shape": "shapes come first, without a name: add_body(od.Sphere(0.1), position=...)",
    "geom": "shapes come first, without a name: add_body(od.Sphere(0.1), position=...)",
    "fixed": STILL,
    "static": STILL,
    "bodytype": STILL,
    "usefixedbase": STILL,
    "halfheight": "give the length, twice as long, of a capsule without its caps",
    "dt": STEP,
    "timestep": STEP,
    "basemass": "give the mass",
    "stiffness": (
        "a spring that drives a hinge or a slider is joint.servo(position, stiffness=, damping=); stops give way by "
        "joint.limit_motor.set_stop_spring(stiffness, damping)"
    ),
    "fromto": "od.Capsule.between(start, end, radius) and od.Cylinder.between take the ends",
    **dict.fromkeys(("seconds", "duration", "t", "tend", "until"), SECONDS),
    **dict.fromkeys(("pivot", "pivot1", "point"), "give the anchor, a point in the world"),
    **dict.fromkeys(("speed", "targetvelocity"), "give the velocity, rad/s or m/s"),
    **dict.fromkeys(("n", "count", "substeps"), "give the number of steps"),
    "kp": "give the stiffness, N m/rad or N/m",
    "kd": "give the damping, N m s/rad or N s/m",
}


# Arguments of calls that use another one.
AT = "give at=, a point in the world, or at_local="
WITH_ARGUMENT = {
    "lengths": dict.fromkeys(
        ("width", "depth", "height", "x", "y", "z"), "give the lengths along x, y and z in one: od.Box((1, 1, 1))"
    ),
    "size": dict.fromkeys(("width", "height", "resolution", "w", "h"), "give size=(width, height), pixels"),
    "at_local": dict.fromkeys(("point", "pos", "position", "where", "anchor", "rel"), AT),
    "quaternion": dict.fromkeys(("euler", "rpy", "angle", "angles", "eulerangles"), EULER),
    "field_of_view": dict.fromkeys(("lookat", "look", "at", "focus"), "give the target")
    | dict.fromkeys(("eye", "origin", "location", "start"), "give the position"),
    "wrap": dict.fromkeys(("size", "lengths", "extent"), "give width and depth, m")
    | dict.fromkeys(
        ("resolution", "rows", "columns", "n"), "heights of shape (rows, columns) have it; of a function, give samples"
    ),
    "stops": dict.fromkeys(
        ("low", "high", "lower", "upper", "min", "max", "range"), "give stops=(low, high), rad or m"
    ),
    "anchor": dict.fromkeys(("position", "pos", "at", "location"), "give the anchor, a point in the world"),
    "ambient": dict.fromkeys(("depth", "segmentation", "mask"), DEPTH)
    | dict.fromkeys(
        ("path", "file", "filename", "save", "output"), "PIL.Image.fromarray(world.render()).save(path) writes a file"
    ),
    "times": dict.fromkeys(
        ("path", "file", "filename", "save", "output"), 'it returns a figure: od.plot(...).savefig("run.png")'
    ),
    "sensor": dict.fromkeys(("mass", "density"), SHAPE_MASS)
    | dict.fromkeys(("bounce", "mu", "slip"), MATERIAL)
    | dict.fromkeys(("axis", "direction", "upaxis"), ALONG_Z),
    "max_torque": dict.fromkeys(("target", "angle", "setpoint", "goal"), "give the position, rad or m"),
    "collide_bits": dict.fromkeys(
        ("mask", "filter", "layers"), "give category_bits and collide_bits, with the rule of geoms"
    ),
    "geom": dict.fromkeys(
        ("mass", "density", "linearvelocity", "velocity"),
        "it never moves; what moves is a body: world.add_body(shape, mass=1)",
    ),
    "normal": dict.fromkeys(("z", "height"), "give normal and offset: world.add_plane(normal=(0, 0, 1), offset=0)"),
}

# Calls with surplus arguments, and what they are mistaken for.
TOO_MANY = {
    "World.destroy": "; call destroy() of the body, geom or joint itself",
    "World.save": "; a snapshot is written into a file by world.save().write(path)",
    "WorldSpace.add": "; bodies and joints are the world's: world.add_body(shape, position=...), world.add_hinge(body1, body2)",
}

# Calls with a missing argument.
LACKING = {"Convex": "; od.Convex.hull(points) finds the faces"}

# Arguments of bodies, mistaken for those of a ball joint.
BODIES = ("position", "mass", "density", "radius", "color", "rotation", "quaternion")


def argument_remedy(name: str, call: str = "", known: Iterable[str] = ()) -> str:
    """End of the error message for an argument that a call with the arguments `known` does not have."""
    found = ARGUMENTS.get(plain(name))
    for argument, remedy_with in WITH_ARGUMENT.items():
        if argument in known and plain(name) in remedy_with:
            found = remedy_with[plain(name)]
    if call == "Ball" and name in BODIES:
        found = BALL
    return f"; {found}." if found else ""
