"""A gripper lifts a block by friction: two fingers have to press hard enough.

Friction on both sides carries the block if 2 mu F >= m (g + a). Fingers on sliders press with a motor's limited force; a
servo lifts the hand.
"""

import opendynamics as od
from opendynamics.scenes import Scene, Slider

G, MU, MASS = 9.81, 0.5, 1.0  # m/s², coefficient of friction, kg
LEAST = MASS * G / (2 * MU)  # N, to hold the block
SIDE, OPEN = 0.1, 0.05  # m: of the block, and between it and an open finger
LIFT, CLOSED = 0.3, 0.5  # m; s, when the fingers press and the hand rises


def build(grip=1.5):
    """A block on the ground between two fingers that press with `grip` times the minimum force."""
    world = od.World(gravity=(0, 0, -G), surface=od.Surface(mu=MU, cone="elliptic"))
    world.add_plane(name="ground")
    world.add_body(od.Box((SIDE, SIDE, SIDE)), position=(0, 0, SIDE / 2), mass=MASS, name="block")
    palm = world.add_body(od.Box((0.4, 0.12, 0.04)), position=(0, 0, 0.3), mass=2, name="palm")
    rise = world.add_slider(palm, None, axis=(0, 0, 1), name="lift").servo(position=0, stiffness=20_000, damping=2_000)
    fingers = []
    for side in (-1, 1):
        place = (side * (SIDE / 2 + OPEN + 0.01), 0, 0.165)
        finger = world.add_body(od.Box((0.02, 0.1, 0.23)), position=place, mass=0.2, name=f"finger {side:+}")
        fingers.append(world.add_slider(finger, palm, axis=(-side, 0, 0), stops=(0, 0.1)))

    def press(force):
        for finger in fingers:
            finger.motor(velocity=0.2, max_force=force)

    def lift(time):
        rise.target = LIFT * min(max(time - CLOSED, 0.0), 1.0)

    press(grip * LEAST)
    force = Slider("Grip, N", 0.0, 4 * LEAST, grip * LEAST, press, "What a finger presses with")
    return Scene(
        world,
        h=0.002,
        seconds=2.0,
        moment=1.3,
        camera=(0.7, -1.3, 0.75),
        target=(0, 0, 0.3),
        control=lift,
        sliders=(force,),
    )


def lifted(grip):
    """Height of the block over the ground after two seconds, m."""
    return build(grip).run().find("block").position[2] - SIDE / 2


if __name__ == "__main__":
    firm, weak = lifted(1.5), lifted(0.8)
    print(f"with 1.5 times the least force the block rises by {firm:.3f} m, with 0.8 times by {weak:.3f} m")
