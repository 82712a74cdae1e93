"""Theo Jansen's leg: eleven lengths convert the rotation of a crank to a step; eight of these legs walk.

Each leg is a closed chain of six links in a plane: hinges, and ball joints where a chain closes. The positions of the joints
follow from the lengths as intersections of circles. The built-in scene `walker` (`opendynamics demo walker`) has twelve legs.
"""

import math

import opendynamics as od
from opendynamics.scenes import Scene

# Jansen's numbers, cm (strandbeest.com): the fixed joint y beside and below the axle, the crank x, and between joints.
BESIDE, BELOW, CRANK = 38.0, 7.8, 15.0
XV, YV, YW, VW, XU, YU, WT, UT, TS, US = 50.0, 41.5, 40.1, 55.8, 61.9, 39.3, 39.4, 36.7, 65.7, 49.0
SPEED, TORQUE, HEIGHT = 2.5, 300.0, 0.97  # rad/s, N m, m: of the crank and of its axle
AXIS, APART = (0, 1, 0), 0.3  # m, between planes of legs


def meet(p, r, q, s, side):
    """Intersection of circles about p and q with radii r and s: left (side 1) or right (-1) of the direction from p to q."""
    x, z = q[0] - p[0], q[1] - p[1]
    square = x * x + z * z
    along = 0.5 * (r * r - s * s + square) / square
    across = math.sqrt(r * r / square - along * along) * side
    return p[0] + along * x - across * z, p[1] + along * z + across * x


def joints_of(angle):
    """Positions of a leg's joints, cm from the axle, for a crank at this angle from x; s is the foot."""
    x, y = (CRANK * math.cos(angle), CRANK * math.sin(angle)), (-BESIDE, -BELOW)
    v, u = meet(y, YV, x, XV, 1), meet(y, YU, x, XU, -1)
    w = meet(y, YW, v, VW, 1)
    t = meet(w, WT, u, UT, -1)
    return {"x": x, "y": y, "v": v, "u": u, "w": w, "t": t, "s": meet(t, TS, u, US, -1)}


def add_leg(world, frame, crank, angle, side, y):
    """Six links on hinges; side -1 is the mirrored leg, in which the crank is mirrored, too."""
    found = joints_of(-angle if side > 0 else math.pi + angle)
    at = {name: (side * x / 100, y, HEIGHT + z / 100) for name, (x, z) in found.items()}

    def link(*ends):
        rods = [od.Sphere(0.035, position=at["s"])] if "s" in "".join(ends) else []
        for start, end in ends:
            (x0, _, z0), (x1, _, z1) = at[start], at[end]
            tilt = od.rotation.quaternion_from_axis_angle(AXIS, math.atan2(x1 - x0, z1 - z0))
            long, middle = math.hypot(x1 - x0, z1 - z0), ((x0 + x1) / 2, y, (z0 + z1) / 2)
            rods.append(od.Capsule(0.018, long, position=middle, quaternion=tilt))
        for geom in rods:  # only feet collide, and only with the ground
            geom.category_bits, geom.collide_bits = 2, 1 if isinstance(geom, od.Sphere) else 0
        return world.add_body(*rods, density=1500)

    upper, lower, short = link("yv", "vw", "wy"), link("tu", "us", "st"), link("yu")
    first, second, last = link("xv"), link("xu"), link("wt")
    for body, other, name in ((upper, frame, "y"), (short, frame, "y"), (first, crank, "x"), (second, crank, "x"),
                              (last, upper, "w"), (lower, short, "u")):  # fmt: skip
        world.add_hinge(body, other, anchor=at[name], axis=AXIS)
    for body, other, name in ((first, upper, "v"), (second, lower, "u"), (last, lower, "t")):
        world.add_ball(body, other, anchor=at[name])


def build():
    """Two pairs of legs on each side, a quarter of a turn apart, on one crank."""
    world = od.World(gravity=(0, 0, -9.81), surface=od.Surface(mu=0.9))
    world.add_plane(name="ground").category_bits = 1
    beam = od.Box((2 * BESIDE / 100, 3.4 * APART, 0.06), position=(0, 0, -BELOW / 100))
    frame = world.add_body(beam, position=(0, 0, HEIGHT), mass=20, name="frame")
    crank = world.add_body(position=(0, 0, HEIGHT), mass=od.Mass.sphere(0.1, mass=5), name="crank")
    world.add_hinge(crank, frame, anchor=(0, 0, HEIGHT), axis=AXIS).motor(velocity=SPEED, max_torque=TORQUE)
    beam.category_bits = beam.collide_bits = 0
    for k in range(4):
        for side in (1, -1):
            add_leg(world, frame, crank, 0.5 * math.pi * (0, 2, 3, 1)[k], side, (k - 1.5) * APART + 0.02 * side)
    return Scene(world, h=0.005, seconds=5.0, moment=1.5, camera=(1.6, -4.0, 1.9), target=(0.5, 0, 0.5))


if __name__ == "__main__":
    frame = build().run().find("frame")
    print(f"the machine has walked {frame.position[0]:.2f} m; its frame is {frame.position[2]:.2f} m high")
