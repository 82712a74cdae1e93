"""Ragdolls tumble down a flight of stairs: ten capsules and balls each, on joints with human ranges.

Knees and elbows are hinges with stops, shoulders, hips and the neck universal joints with a pair of stops each.
"""

import math

import opendynamics as od
from opendynamics.scenes import Scene

STEPS, DEEP, HIGH = 8, 0.4, 0.22  # number; m: of a stair
DOLLS = 2
STRAIGHT, BENT = 0.0, 2.2  # rad, of knees and elbows
LIMB = 0.06  # m, radius
# Name: radius, length of the capsule, centre; m, lying face up with the head in -x.
PARTS = {
    "chest": (0.14, 0.32, (0.0, 0.0, 0.0)),
    "head": (0.11, 0.04, (-0.42, 0.0, 0.0)),
    **{f"{side} upper arm": (LIMB, 0.2, (0.02, y, 0)) for side, y in (("left", 0.26), ("right", -0.26))},
    **{f"{side} forearm": (LIMB, 0.18, (0.32, y, 0)) for side, y in (("left", 0.26), ("right", -0.26))},
    **{f"{side} thigh": (LIMB, 0.3, (0.5, y, 0)) for side, y in (("left", 0.1), ("right", -0.1))},
    **{f"{side} shin": (LIMB, 0.3, (0.92, y, 0)) for side, y in (("left", 0.1), ("right", -0.1))},
}


def add_ragdoll(world, x, y, z):
    """A ragdoll lying at this position; returns its chest."""
    level = od.rotation.quaternion_from_axis_angle((0, 1, 0), math.pi / 2)
    parts = {}
    for name, (radius, length, at) in PARTS.items():
        place = (x + at[0], y + at[1], z + at[2])
        parts[name] = world.add_body(
            od.Capsule(radius, length), position=place, quaternion=level, density=900, name=name
        )

    def at(point):
        return x + point[0], y + point[1], z + point[2]

    def universal(name, on, point, reach):
        limits = {"stops1": (-reach, reach), "stops2": (-0.5, 0.5)}
        world.add_universal(parts[name], parts[on], anchor=at(point), axis1=(0, 1, 0), axis2=(0, 0, 1), **limits)

    universal("head", "chest", (-0.29, 0, 0), 0.6)
    for side, y_arm, y_leg in (("left", 0.26, 0.1), ("right", -0.26, -0.1)):
        universal(f"{side} upper arm", "chest", (-0.12, y_arm, 0), 1.4)
        universal(f"{side} thigh", "chest", (0.29, y_leg, 0), 1.2)
        for lower, upper, point in (("forearm", "upper arm", (0.17, y_arm, 0)), ("shin", "thigh", (0.71, y_leg, 0))):
            sign = -1 if lower == "forearm" else 1  # elbows bend forwards, knees backwards
            stops = sorted((sign * STRAIGHT, sign * BENT))
            world.add_hinge(
                parts[f"{side} {lower}"], parts[f"{side} {upper}"], anchor=at(point), axis=(0, 1, 0), stops=stops
            )
    return parts["chest"]


def build(dolls=DOLLS):
    """The stairs, and ragdolls above the top step."""
    world = od.World(gravity=(0, 0, -9.81), surface=od.Surface(mu=0.3))
    world.add_plane(name="ground")
    for k in range(STEPS):
        high = HIGH * (STEPS - k)
        world.add_geom(od.Box((DEEP, 3.0, high), position=(DEEP * k, 0, 0.5 * high), name=f"stair {k}"))
    for k in range(dolls):
        chest = add_ragdoll(world, 0.2, 0.9 * (k - 0.5 * (dolls - 1)), HIGH * STEPS + 0.6 + 0.4 * k)
        chest.linear_velocity = (4.0, 0, 0)
    return Scene(world, h=0.005, seconds=4.0, moment=0.9, camera=(5.6, -4.6, 3.2), target=(1.5, 0, 0.7))


if __name__ == "__main__":
    scene = build()
    beyond = 0.0  # rad, of any elbow or knee
    hinges = [joint for joint in scene.world.joints if joint.kind == "hinge"]
    for _ in scene.play():
        beyond = max([beyond, *(max(h.stops[0] - h.angle, h.angle - h.stops[1]) for h in hinges)])
    chests = [body.position for body in scene.world.bodies if body.name == "chest"]
    print(
        "chests lie at",
        ", ".join(f"x = {x:.1f} m, z = {z:.2f} m" for x, _, z in chests),
        f"; stops hold to {beyond:.2f} rad",
    )
