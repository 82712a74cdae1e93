"""A wall of bricks in running bond: friction alone holds it, until a ball hits it.

`world.auto_disable` lets the wall fall asleep, so that it costs nothing while it stands; the ball wakes it.
"""

import opendynamics as od
from opendynamics.scenes import Scene

BRICK = (0.4, 0.2, 0.2)  # m
ROWS, COLUMNS = 6, 6
RADIUS, SPEED = 0.25, 12.0  # m, m/s: of the ball


def build():
    """The wall, asleep after a second; the ball hits it after two."""
    world = od.World(gravity=(0, 0, -9.81), surface=od.Surface(mu=0.6))
    world.auto_disable = True
    world.auto_disable_linear_threshold = world.auto_disable_angular_threshold = 0.05  # m/s, rad/s
    world.add_plane(name="ground")
    length, _, height = BRICK
    for row in range(ROWS):
        for column in range(COLUMNS):
            x = (column - 0.5 * (COLUMNS - 1) + 0.3 * (row % 2)) * length
            world.add_body(
                od.Box(BRICK), position=(x, 0, (row + 0.5) * height), density=1800, name=f"brick {row},{column}"
            )

    def throw(time):
        if abs(time - 1.5) < 0.005:
            ball = world.add_body(od.Sphere(RADIUS), position=(0, -6, 0.6), density=4000, name="ball")
            ball.linear_velocity = (0, SPEED, 2)

    return Scene(world, seconds=3.5, moment=2.3, camera=(2.8, -3.2, 1.8), target=(0.2, 0.4, 0.5), control=throw)


if __name__ == "__main__":
    scene = build()
    bricks = list(scene.world.bodies)
    places = [brick.position for brick in bricks]
    asleep, moved = 0, 0.0
    for step in scene.play():
        if step == 140:
            asleep = sum(not brick.enabled for brick in bricks)
            moved = max(abs(brick.position - place).max() for brick, place in zip(bricks, places, strict=True))
    out = sum(abs(brick.position[1]) > 0.5 * BRICK[1] for brick in bricks)
    print(
        f"{asleep} of {len(bricks)} bricks sleep, moved by {1000 * moved:.2f} mm at most; the ball knocks {out} out of the wall"
    )
