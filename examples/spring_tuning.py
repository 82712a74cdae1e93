"""Tuning springs: stiffness and damping in N/m and N s/m, and their ERP and CFM.

A mass m on a spring k with a damper c oscillates with w = sqrt(k/m) and the damping ratio z = c / (2 sqrt(k m)); successive
peaks shrink by exp(-2 pi z / sqrt(1 - z²)). `slider.servo` takes k and c. Where ODE has ERP and CFM instead, as at the stops
of a joint, erp = h k / (h k + c) and cfm = 1 / (h k + c) define the same spring.
"""

import math

import opendynamics as od
from opendynamics.scenes import Scene

H, MASS = 0.0002, 2.0  # s, kg; a step adds h w / 2 to the damping ratio, here 0.002
STIFFNESS = 800.0  # N/m
RATIOS = (0.02, 0.1, 0.3, 1.0)  # damping ratios; 1 is critical
DROP = 0.2  # m, above the target at the start


def dampings():
    """Damping coefficients, N s/m."""
    return [2 * ratio * math.sqrt(STIFFNESS * MASS) for ratio in RATIOS]


def build():
    """Pairs of masses that start DROP above their targets: a servo and a spring of stops, for each damping."""
    world = od.World()
    for k, damping in enumerate(dampings()):
        for row, kind in enumerate(("servo", "stops")):
            place = (0.4 * (k - 1.5), 0.4 * row, 0.5)
            mass = world.add_body(od.Box((0.2, 0.2, 0.2)), position=place, mass=MASS, name=f"{kind} {RATIOS[k]}")
            slider = world.add_slider(mass, None, axis=(0, 0, 1))
            mass.position = (*place[:2], place[2] + DROP)
            if kind == "servo":
                slider.servo(position=0, stiffness=STIFFNESS, damping=damping)
            else:
                slider.stops = (0, 0)
                slider.limit_motor.stop_erp = H * STIFFNESS / (H * STIFFNESS + damping)
                slider.limit_motor.stop_cfm = 1 / (H * STIFFNESS + damping)
    world.add_plane(name="ground")
    return Scene(world, h=H, seconds=0.6, moment=0.12, camera=(0.8, -1.9, 1.2), target=(0, 0.2, 0.45))


def peaks(scene):
    """For each mass, its successive turning points above the target, m."""
    heights = [[] for _ in scene.world.bodies]
    for _ in scene.play():
        for path, z in zip(heights, scene.world.positions[:, 2], strict=True):
            path.append(z - 0.5)
    return [[b for a, b, c in zip(path, path[1:], path[2:], strict=False) if a < b > c] for path in heights]


if __name__ == "__main__":
    found = peaks(build())
    for k, ratio in enumerate(RATIOS):
        theory = DROP * math.exp(-2 * math.pi * ratio / math.sqrt(1 - ratio**2)) if ratio < 1 else 0.0
        servo, stops = (path[0] if path else 0.0 for path in found[2 * k : 2 * k + 2])
        print(
            f"damping ratio {ratio}: comes back to {servo:.4f} m by the servo, {stops:.4f} m by the stops, theory {theory:.4f} m"
        )
