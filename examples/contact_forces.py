"""Contact forces: a plank on two scales shows the law of the lever.

`world.contact_force(a, b)` is the force on a by b in the last step, friction included. A weight on a plank between two
supports loads each of them in proportion to the distance from the other.
"""

import opendynamics as od
from opendynamics.scenes import Scene

G = 9.81  # m/s²
SPAN, PLANK, WEIGHT = 2.0, 8.0, 20.0  # m between the scales, kg, kg
PART = 0.25  # position of the weight: this fraction of the distance from the left scale to the right


def build(part=PART):
    """Two scales, a plank on them, and a weight on the plank."""
    world = od.World(gravity=(0, 0, -G), surface=od.Surface(mu=0.5))
    world.add_plane(name="ground")
    for name, x in (("left scale", -SPAN / 2), ("right scale", SPAN / 2)):
        lying = od.rotation.quaternion_from_axis_angle((1, 0, 0), 1.5707963)
        world.add_geom(od.Cylinder(0.05, 0.5, position=(x, 0, 0.25), quaternion=lying, name=name))
    world.add_body(od.Box((SPAN + 0.4, 0.4, 0.05)), position=(0, 0, 0.325), mass=PLANK, name="plank")
    place = ((part - 0.5) * SPAN, 0, 0.425)
    world.add_body(od.Cylinder(0.12, 0.15), position=place, mass=WEIGHT, name="weight")
    return Scene(world, h=0.005, seconds=1.0, moment=0.5, camera=(0.6, -3.2, 1.4), target=(0, 0, 0.2))


def loads(part):
    """Loads of the left and the right scale, N."""
    world = build(part).run()
    plank = world.find("plank")
    return [world.contact_force(plank, world.find(name))[2] for name in ("left scale", "right scale")]


def expected(part):
    """The same by the law of the lever."""
    return [(0.5 * PLANK + (1 - part) * WEIGHT) * G, (0.5 * PLANK + part * WEIGHT) * G]


if __name__ == "__main__":
    found = loads(PART)
    print(
        "the scales bear {:.2f} and {:.2f} N".format(*found),
        "by the law of the lever {:.2f} and {:.2f} N".format(*expected(PART)),
    )
