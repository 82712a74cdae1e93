"""A crane with a wrecking ball, controlled in the browser: `opendynamics view examples/crane.py`.

The scene's slider rotates the tower; the mouse can pull any block, and the ball. Run as a script, it rotates the tower and
counts the blocks that fall.
"""

import opendynamics as od
from opendynamics.scenes import Scene, Slider

HEIGHT, REACH, ROPE = 3.0, 2.5, 1.8  # m: of the tower, of its arm, and of the rope
GAP = 0.02  # m, between the tower, which is held by its bearing alone, and the ground
STRONG = 4000.0  # N m


def build():
    """The crane next to a stack of blocks, with a slider for each motor."""
    world = od.World(gravity=(0, 0, -9.81), surface=od.Surface(mu=0.6))
    world.add_plane()
    tower = world.add_body(
        od.Box((0.3, 0.3, HEIGHT), position=(0, 0, GAP + 0.5 * HEIGHT)),
        od.Box((REACH, 0.15, 0.15), position=(0.5 * REACH, 0, HEIGHT)),
        density=400,
        name="tower",
    )
    slewing = world.add_hinge(tower, None, anchor=(0, 0, 0), axis=(0, 0, 1), name="slewing")
    trolley = world.add_body(od.Box((0.2, 0.25, 0.1)), position=(REACH, 0, HEIGHT - 0.2), mass=40, name="trolley")
    world.add_fixed(trolley, tower).fix()
    ball = world.add_body(od.Sphere(0.35), position=(REACH, 0, HEIGHT - ROPE), mass=150, name="ball")
    world.add_dball(ball, trolley, anchor1=ball.position, anchor2=trolley.position, name="rope")
    for layer in range(6):
        for side in (-0.32, 0.0, 0.32):
            world.add_body(od.Box((0.4, 0.3, 0.3)), position=(-REACH, side, 0.15 + 0.3 * layer), density=300)

    def slew(speed):
        slewing.motor(velocity=speed, max_torque=STRONG)

    slew(0.0)
    return Scene(
        world,
        camera=(2.8, -6.2, 3.5),
        target=(0.0, 0.0, 1.2),
        sliders=(Slider("Slewing, rad/s", -1.5, 1.5, 0.0, slew, "How fast the tower is to turn, to the left above 0"),),
    )


if __name__ == "__main__":
    scene = build()
    blocks = scene.world.bodies[3:]
    scene.sliders[0].change(1.0)
    scene.run(steps=1000)
    fallen = sum(block.position[2] < 0.1 or abs(block.position[0] + REACH) > 0.3 for block in blocks)
    print(f"the ball has moved {fallen} of {len(blocks)} blocks")
