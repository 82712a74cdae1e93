"""A card house: friction alone keeps two leaning cards from sliding apart.

A card that leans by the angle a from the vertical pushes its foot outwards with half its weight times tan a. It stands if the
coefficient of friction is at least tan(a) / 2, here 0.134, and slides otherwise.
"""

import math

import opendynamics as od
from opendynamics.scenes import Scene

LONG, WIDE, THICK = 0.09, 0.06, 0.001  # m
LEAN = math.radians(15)
LEAST = 0.5 * math.tan(LEAN)  # coefficient of friction


def build(mu=2.0 * LEAST, stories=2):
    """A house of cards with this number of stories, on a table; `mu` is the friction of all contacts."""
    world = od.World(gravity=(0, 0, -9.81), surface=od.Surface(mu=mu, cone="elliptic"))
    world.add_plane(name="table")
    # From the centre of a pair to a card's centre: they overlap by 10 µm, so that friction acts from the start.
    half = 0.5 * LONG * math.sin(LEAN) + 0.5 * THICK * math.cos(LEAN) - 1e-5
    high = LONG * math.cos(LEAN) + THICK * math.sin(LEAN) - 2e-5
    pitch = 2 * LONG * math.sin(LEAN) + 2 * THICK

    def card(x, z, lean):
        turned = od.rotation.quaternion_from_axis_angle((0, 1, 0), lean)
        box = od.Box((THICK, WIDE, LONG))
        return world.add_body(box, position=(x, 0, z), quaternion=turned, mass=0.0018, name=f"card {len(world.bodies)}")

    for story in range(stories):
        floor, pairs = story * (high + THICK), stories - story
        for pair in range(pairs):
            middle = (pair - 0.5 * (pairs - 1)) * pitch
            card(middle - half, floor + 0.5 * high, LEAN)
            card(middle + half, floor + 0.5 * high, -LEAN)
        for bridge in range(pairs - 1):
            card((bridge - 0.5 * (pairs - 2)) * pitch, floor + high + 0.5 * THICK, math.pi / 2)
    return Scene(world, h=0.001, seconds=1.0, moment=0.5, camera=(0.1, -0.3, 0.16), target=(0, 0, 0.08))


def sinks(mu, stories):
    """How far the top of the house comes down in a second, m."""
    scene = build(mu, stories)
    top = max(z for _, _, z in scene.world.positions)
    return top - max(z for _, _, z in scene.run().positions)


if __name__ == "__main__":
    stands, slides, house = sinks(1.5 * LEAST, 1), sinks(0.7 * LEAST, 1), sinks(0.6, 2)
    print(
        f"two cards with 1.5 times the least friction sink by {1000 * stands:.2f} mm, with 0.7 times by {1000 * slides:.0f} mm"
    )
    print(f"a house of two stories, with a friction of 0.6, sinks by {1000 * house:.2f} mm")
