"""A conveyor: parcels slip on a belt until they reach its speed, then pass on to a transverse belt.

`geom.surface_velocity` moves the surface while the geom stands still. Friction accelerates a parcel by mu g at most, so that
it slips for v / (mu g) seconds, and falls behind the belt by v² / (2 mu g) metres.
"""

import opendynamics as od
from opendynamics.scenes import Scene, Slider

G, MU = 9.81, 0.4  # m/s², coefficient of friction
SPEED = 1.0  # m/s
PARCELS, APART = 4, 0.6  # number, m


def build():
    """Two perpendicular belts, and parcels at rest on the first."""
    world = od.World(gravity=(0, 0, -G), surface=od.Surface(mu=MU, cone="elliptic"))
    world.add_plane(name="floor")
    first = world.add_geom(od.Box((5.0, 0.6, 0.1), position=(0, 0, 0.45), name="first belt"))
    second = world.add_geom(od.Box((0.6, 3.0, 0.1), position=(2.8, 1.2, 0.35), name="second belt"))
    world.add_geom(od.Box((0.05, 3.0, 0.3), position=(3.15, 1.2, 0.5), name="rim"))
    for k in range(PARCELS):
        place = (-2.0 + APART * k, 0, 0.625 - 1e-4)
        world.add_body(od.Box((0.3, 0.25, 0.25)), position=place, mass=2, name=f"parcel {k}")

    def run(speed):
        first.surface_velocity, second.surface_velocity = (speed, 0, 0), (0, speed, 0)

    run(SPEED)
    belts = Slider("Belts, m/s", 0.0, 2.0, SPEED, run)
    return Scene(world, seconds=6.0, moment=3.6, camera=(1.6, -4.6, 3.4), target=(0.9, 0.4, 0.3), sliders=(belts,))


if __name__ == "__main__":
    scene = build()
    parcel = scene.world.find("parcel 0")
    start, slip = parcel.position[0], 0.0
    for step in scene.play():
        if step == 100:  # long after v / (mu g) = 0.25 s
            slip, speed = SPEED * step * scene.h - (parcel.position[0] - start), parcel.linear_velocity[0]
    across = sum(body.position[1] > 0.5 for body in scene.world.bodies)
    print(f"a parcel reaches {speed:.3f} m/s and slips {slip:.3f} m behind, by theory {SPEED**2 / (2 * MU * G):.3f} m")
    print(f"{across} of {PARCELS} parcels have been carried on by the belt across")
