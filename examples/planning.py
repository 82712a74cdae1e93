"""Planning by saving and restoring: a motor too weak to lift a pendulum finds a way to swing it up.

Every tenth of a second the program simulates three torques, held for a moment, each time from the same saved state, and
chooses the best.
"""

import numpy as np

import opendynamics as od
from opendynamics.scenes import Scene

H = 0.01  # s
HOLD, AHEAD = 10, 2  # steps that a torque is held, torques looked ahead
TORQUES = (-2.0, 0.0, 2.0)  # N m; holding the rod horizontally takes 4.9


def pendulum():
    """A rod of 1 kg and 1 m that hangs on a hinge."""
    world = od.World(gravity=(0, 0, -9.81))
    world.add_plane(d=-1.2, name="ground")
    rod = world.add_body(od.Capsule(0.02, 1.0), position=(0, 0, -0.5), mass=1.0)
    hinge = world.add_hinge(rod, None, anchor=(0, 0, 0), axis=(0, 1, 0))
    return world, rod, hinge


def push(world, hinge, torque):
    """Apply a torque for a moment."""
    for _ in range(HOLD):
        hinge.add_torque(torque)
        world.advance(H)


def energy(rod):
    """Kinetic and potential energy, J."""
    v, w, inertia = rod.linear_velocity, rod.rotation.T @ rod.angular_velocity, rod.inertia
    return 0.5 * rod.mass * v @ v + 0.5 * w @ inertia @ w + 9.81 * rod.mass * rod.position[2]


def best(world, rod, hinge, depth):
    """The torque after which the energy can come closest to that of standing upright at rest, and the remaining difference, J."""
    snapshot, found = world.save(), []
    for torque in TORQUES:
        push(world, hinge, torque)
        miss = abs(energy(rod) - 9.81 * rod.mass * 0.5)
        found.append((miss if depth == 1 else best(world, rod, hinge, depth - 1)[0], torque))
        world.restore(snapshot)
    return min(found)


def swing_up(seconds=8.0):
    """Plan and push until the rod stands upright; its height at each moment, from -0.5 to 0.5 m."""
    world, rod, hinge = pendulum()
    heights = []
    while len(heights) * HOLD * H < seconds and max(heights, default=-0.5) < 0.49:
        push(world, hinge, best(world, rod, hinge, AHEAD)[1])
        heights.append(rod.position[2])
    return np.array(heights)


def build():
    """The pendulum and its planner, as a scene."""
    world, rod, hinge = pendulum()
    torque = 0.0

    def control(time):
        nonlocal torque
        if round(time / H) % HOLD == 0:
            torque = best(world, rod, hinge, AHEAD)[1]
        hinge.add_torque(torque)

    return Scene(world, h=H, seconds=6.0, moment=2.6, camera=(1.0, -2.4, 0.9), target=(0.15, 0, -0.05), control=control)


def main():
    heights = swing_up()
    print(f"after {len(heights) * HOLD * H:.1f} s the rod's centre is {heights[-1]:.2f} m above the hinge")


if __name__ == "__main__":
    main()
