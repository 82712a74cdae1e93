"""A quadruped trots: servos move the legs in diagonal pairs along a path of the feet.

Each foot moves back on the ground and forward through the air; diagonal legs move together. The angles of hip and knee follow
from the foot position by the law of cosines; servos hold them like springs with dampers.
"""

import math

import opendynamics as od
from opendynamics.scenes import Scene

THIGH, SHIN, FOOT = 0.22, 0.22, 0.025  # m; the last is a radius
BODY = (0.6, 0.26, 0.12)  # m
STAND, STRIDE, CLEAR = 0.36, 0.16, 0.06  # m: hip over foot, step length, height of the foot in the air
PERIOD = 0.5  # s of a gait cycle
STIFFNESS, DAMPING, TORQUE = 300.0, 6.0, 60.0  # N m/rad, N m s/rad, N m


def foot(phase):
    """Position of a foot under its hip, m (forward, down), at a phase of 0 to 1; the first half is on the ground."""
    if phase < 0.5:
        return STRIDE * (0.5 - 2 * phase), STAND
    swing = 2 * phase - 1
    return STRIDE * (swing - 0.5), STAND - CLEAR * math.sin(math.pi * swing)


def leg_angles(ahead, down):
    """Angles of thigh and shin from the vertical, rad, for this foot position; the knee bends backwards."""
    reach = math.hypot(ahead, down)
    bend = math.pi - math.acos((THIGH**2 + SHIN**2 - reach**2) / (2 * THIGH * SHIN))
    lean = math.atan2(ahead, down) + math.acos((THIGH**2 + reach**2 - SHIN**2) / (2 * THIGH * reach))
    return -lean, bend  # a forward rotation about y is negative


def build():
    """The robot, with straight legs just above the ground, and the gait of its servos."""
    world = od.World(gravity=(0, 0, -9.81), surface=od.Surface(mu=0.9))
    world.add_plane(name="ground")
    top = THIGH + SHIN + FOOT
    trunk = world.add_body(od.Box(BODY), position=(0, 0, top), mass=12, name="trunk")
    legs = []
    for k, (x, y) in enumerate(((1, 1), (1, -1), (-1, 1), (-1, -1))):
        hip = (x * 0.42 * BODY[0], y * (BODY[1] / 2 + 0.03), top)
        thigh_at, knee, shin_at = ((*hip[:2], top - d) for d in (THIGH / 2, THIGH, THIGH + SHIN / 2))
        thigh = world.add_body(od.Box((0.05, 0.03, THIGH)), position=thigh_at, mass=0.8, name=f"thigh {k}")
        ball = od.Sphere(FOOT, position=(0, 0, -SHIN / 2))
        shin = world.add_body(od.Box((0.03, 0.03, SHIN)), ball, position=shin_at, mass=0.4, name=f"shin {k}")
        joints = [
            world.add_hinge(thigh, trunk, anchor=hip, axis=(0, 1, 0), name=f"hip {k}"),
            world.add_hinge(shin, thigh, anchor=knee, axis=(0, 1, 0), name=f"knee {k}"),
        ]
        gains = {"stiffness": STIFFNESS, "damping": DAMPING, "max_torque": TORQUE}
        legs.append([joint.servo(position=0, **gains) for joint in joints])

    def trot(time):
        for k, leg in enumerate(legs):
            angles = leg_angles(*foot((time / PERIOD + (0.5 if k in (1, 2) else 0.0)) % 1.0))
            ready = min(time / 0.5, 1.0)  # bends its legs in the first half second
            for servo, angle in zip(leg, angles, strict=True):
                servo.target = ready * angle

    return Scene(world, h=0.004, seconds=5.0, moment=2.6, camera=(2.2, -1.6, 0.8), target=(1.05, 0, 0.25), control=trot)


if __name__ == "__main__":
    scene = build()
    trunk = scene.world.find("trunk")
    upright = min(trunk.rotation[2, 2] for _ in scene.play())
    lean, (x, y, _) = math.degrees(math.acos(min(1.0, upright))), trunk.position
    print(
        f"after {scene.seconds:g} s it is at x = {x:.2f} m, y = {y:.2f} m; its trunk leaned by {lean:.0f} degrees at most"
    )
