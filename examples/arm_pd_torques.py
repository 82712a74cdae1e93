"""An arm driven by torques from Python: PD control with gravity compensation brings it to its target exactly.

torque = stiffness (target - angle) - damping rate + gravity torque. Without the last term the arm sags by load / stiffness.
`joint.servo` does the same within the step, stable at any gain; see `spring_tuning.py` for that.
"""

import math

import opendynamics as od
from opendynamics.scenes import Scene

LENGTH, MASS, G = 0.5, 1.0, 9.81  # m and kg of each link, m/s²
STIFFNESS, DAMPING = 60.0, 8.0  # N m/rad, N m s/rad
TARGET = (0.6, -1.1)  # rad; the angles are 0 with the arm horizontal, and increase upwards


def build(compensated=True):
    """The arm, horizontal and at rest, and its controller."""
    world = od.World(gravity=(0, 0, -G))
    links, hinges, last = [], [], None
    for k in range(2):
        box = od.Box((LENGTH, 0.06, 0.06))
        link = world.add_body(box, position=((k + 0.5) * LENGTH, 0, 0), mass=MASS, name=f"link {k}")
        hinges.append(world.add_hinge(link, last, anchor=(k * LENGTH, 0, 0), axis=(0, -1, 0), name=f"hinge {k}"))
        links.append(link)
        last = link

    world.add_plane(d=-0.6, name="table")
    world.add_geom(od.Box((0.14, 0.2, 0.57), position=(0, 0, -0.315), name="stand"))

    def load(k):
        """Torque of gravity on all links from hinge k on, N m."""
        return sum(MASS * G * (link.position[0] - hinges[k].anchor[0]) for link in links[k:])

    def control(time):
        for k, hinge in enumerate(hinges):
            torque = STIFFNESS * (TARGET[k] - hinge.angle) - DAMPING * hinge.rate
            hinge.add_torque(torque + (load(k) if compensated else 0.0))

    return Scene(
        world, h=0.002, seconds=3.0, moment=2.0, camera=(1.0, -1.5, 0.55), target=(0.42, 0, -0.05), control=control
    )


def errors(compensated):
    """Distance of each joint from its target after three seconds, rad."""
    scene = build(compensated)
    scene.run()
    return [hinge.angle - target for hinge, target in zip(scene.world.joints, TARGET, strict=True)]


if __name__ == "__main__":
    exact, sagging = errors(True), errors(False)
    print(
        "with gravity compensation the joints are off by", ", ".join(f"{math.degrees(e):.4f}" for e in exact), "degrees"
    )
    print("without it by", ", ".join(f"{math.degrees(e):.1f}" for e in sagging), "degrees")
