"""A crawler: two tracks are belts on one body, and their speed difference steers.

The surfaces of the tracks move; `geom.surface_velocity` is in the world frame, so it is rotated with the body before every
step. Straight ahead, nothing slips. Turning on the spot drags the tracks sideways over the ground, and is slower than the
track speeds alone suggest.
"""

import opendynamics as od
from opendynamics.scenes import Scene, Slider

SPEED = 0.8  # m/s, of the tracks
GAUGE, LONG, WIDE, HIGH = 1.2, 1.8, 0.35, 0.4  # m: between the tracks; of a track
STRAIGHT = 2.0  # s, until it turns to the left on the spot


def build():
    """The crawler, and its control."""
    world = od.World(gravity=(0, 0, -9.81), surface=od.Surface(mu=0.8, cone="elliptic"))
    world.add_plane(name="ground")
    left, right = (od.Box((LONG, WIDE, HIGH), position=(0, y, 0), color="#333333") for y in (GAUGE / 2, -GAUGE / 2))
    hull = od.Box((1.5, 0.9, 0.35), position=(0, 0, 0.2), color="olive")
    cabin = od.Box((0.6, 0.6, 0.35), position=(-0.2, 0, 0.55), color="olive")
    body = world.add_body(left, right, hull, cabin, position=(0, 0, HIGH / 2), density=500, name="crawler")
    by_hand = {"speed": 0.0, "turn": 0.0}

    def drive(time):
        speed = by_hand["speed"] + (SPEED if time < STRAIGHT else 0.0)
        turn = by_hand["turn"] + (0.0 if time < STRAIGHT else SPEED)
        for track, velocity in ((left, speed - turn), (right, speed + turn)):
            # The belt's lower run moves backwards when the crawler moves forward.
            track.surface_velocity = body.vector_to_world((-velocity, 0, 0))

    def slider(what):
        return Slider(f"{what}, m/s", -1, 1, 0, lambda value: by_hand.update({what.lower(): value}))

    return Scene(
        world, seconds=5.0, moment=2.8, camera=(3.6, -3.6, 2.2), target=(1.4, 0, 0.2), control=drive,
        sliders=(slider("Speed"), slider("Turn")),
    )  # fmt: skip


if __name__ == "__main__":
    scene = build()
    crawler = scene.world.find("crawler")
    for step in scene.play():
        if step == round(STRAIGHT / scene.h):
            speed, start = crawler.linear_velocity[0], crawler.position
    rate = crawler.angular_velocity[2]
    print(f"straight ahead {speed:.3f} m/s with tracks of {SPEED} m/s")
    print(f"on the spot {rate:.2f} rad/s; without slip it were {2 * SPEED / GAUGE:.2f} rad/s")
