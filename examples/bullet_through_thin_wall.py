"""A bullet and a thin wall: continuous collision stops a body that would pass through in one step.

At 300 m/s a bullet moves 3 m in a step of 10 ms, a thousand times the thickness of the wall. Contacts are detected at the
positions of bodies, not between them, unless `body.continuous` is True.
"""

import opendynamics as od
from opendynamics.scenes import Scene

H, SPEED = 0.01, 300.0  # s, m/s
WALL, RADIUS = 0.003, 0.05  # m: thickness, and radius of a bullet
BULLETS = ("continuous", "plain")


def build():
    """Two bullets fly side by side towards a wall; only the first is continuous."""
    world = od.World(gravity=(0, 0, -9.81), surface=od.Surface(mu=0.3, bounce=0.2))
    world.add_plane(name="ground")
    world.add_geom(od.Box((WALL, 1.0, 0.7), position=(0, 0, 0.35), name="wall"))
    for name, y in zip(BULLETS, (0.25, -0.25), strict=True):
        place = (-5.5, y, 0.4)
        bullet = world.add_body(od.Sphere(RADIUS), position=place, mass=0.01, name=name)
        bullet.linear_velocity = (SPEED, 0, 0)
        bullet.continuous = name == "continuous"
    return Scene(world, h=H, seconds=0.05, moment=0.02, camera=(-0.9, -1.35, 0.75), target=(0.1, -0.05, 0.33))


if __name__ == "__main__":
    world = build().run()
    for bullet in world.bodies:
        side = "before" if bullet.position[0] < 0 else "behind"
        print(f"the {bullet.name} bullet is {side} the wall, at x = {bullet.position[0]:.2f} m")
