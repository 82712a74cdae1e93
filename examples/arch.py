"""An arch of stones without mortar: it stands if it is thick enough, as Couplet knew in 1730.

The line of thrust of a half-circle must run inside the stones. According to Milankovitch (1907) that takes a thickness of
0.1075 times the mean radius; a thinner arch folds about four hinges, though no stone slides.
"""

import math

import opendynamics as od
from opendynamics.scenes import Scene

RADIUS, DEPTH = 2.0, 0.6  # m: of the arch's middle line, and across it
STONES = 15
LEAST = 0.1075  # minimum thickness, relative to the radius, of an arch of many stones


def stone(inner, outer, angle):
    """A wedge that spans `angle` rad about the arch's centre, in a frame at its own centre; z points outwards."""
    half, corners = 0.5 * angle, []
    for radius in (inner, outer):
        for turn in (-half, half):
            x, z = radius * math.sin(turn), radius * math.cos(turn) - RADIUS
            corners += [(x, -0.5 * DEPTH, z), (x, 0.5 * DEPTH, z)]
    return od.Convex.hull(corners)


def build(thickness=0.15):
    """An arch whose stones have the thickness `thickness` times its radius, on the ground."""
    world = od.World(gravity=(0, 0, -9.81), surface=od.Surface(mu=0.8))
    world.add_plane(name="ground")
    each = math.pi / STONES
    for k in range(STONES):
        turn = -0.5 * math.pi + (k + 0.5) * each
        world.add_body(
            stone(RADIUS * (1 - 0.5 * thickness), RADIUS * (1 + 0.5 * thickness), each),
            position=(RADIUS * math.sin(turn), 0, RADIUS * math.cos(turn)),
            quaternion=od.rotation.quaternion_from_axis_angle((0, 1, 0), turn),
            density=2400,
            name=f"stone {k}",
        )
    return Scene(world, h=0.002, seconds=3.0, moment=1.0, camera=(1.6, -5.6, 1.8), target=(0, 0, 0.95))


def sinks(thickness):
    """How far the keystone has come down after three seconds, m."""
    scene = build(thickness)
    keystone = scene.world.bodies[STONES // 2]
    top = keystone.position[2]
    scene.run()
    return top - keystone.position[2]


if __name__ == "__main__":
    thick, thin = sinks(1.25 * LEAST), sinks(0.75 * LEAST)
    print(f"the keystone of an arch a quarter thicker than the least sinks by {1000 * thick:.2f} mm")
    print(f"that of one a quarter thinner by {thin:.2f} m")
