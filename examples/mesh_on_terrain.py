"""A mesh from a file falls on a landscape.

The finger of a robot's hand, ten times its size, with a ball and a box next to it, fall on hills that are a heightfield; the
hills lie on a valley floor that is a triangle mesh. Reading the file needs `pip install 'opendynamics[mesh]'`.
"""

from pathlib import Path

import numpy as np

import opendynamics as od

FILE = Path(__file__).parent / "data" / "finger.stl"


def hills(x, y):
    return 0.25 * np.sin(1.1 * x) * np.cos(0.9 * y)


world = od.World(gravity=(0, 0, -9.81))
line = np.linspace(-5, 5, 41)
x, y = np.meshgrid(line, -line)  # with z up, the rows of a heightfield run along -y
world.add_geom(od.Heightfield(hills(x, y), width=10, depth=10, thickness=1, up="z"))

floor = [(-20, -20, -0.5), (20, -20, -0.5), (20, 20, -0.5), (-20, 20, -0.5)]
world.add_geom(od.Trimesh(floor, [(0, 1, 2), (0, 2, 3)]))

finger = od.MeshData.load(FILE, scale=10)
bodies = [
    world.add_body(od.Trimesh(finger), position=(0, 0, 2), density=500, name="finger"),
    world.add_body(od.Trimesh(finger), position=(0.1, 0.1, 3), density=500, name="finger on top"),
    world.add_body(od.Sphere(0.2), position=(1.5, 0, 2), density=500, name="ball"),
    world.add_body(od.Box((0.4, 0.3, 0.2)), position=(-1.5, 0.5, 2), density=500, name="box"),
]
for body in bodies:
    body.linear_damping, body.angular_damping = 0.005, 0.02

world.solver, world.quickstep_order = "pgs", "ode"
world.advance(0.005, steps=2000)

print(f"{len(finger)} triangles, {'closed' if finger.closed else 'open'}, {1000 * finger.volume:.1f} litres")
for body in bodies:
    at, speed = body.position, np.linalg.norm(body.linear_velocity)
    print(f"{body.name:>14}: {at[2] - hills(at[0], at[1]):5.2f} m above the hills, {speed:.3f} m/s")
