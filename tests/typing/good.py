"""A program without findings of type checkers in strict mode."""

from __future__ import annotations

import math

import numpy as np

import opendynamics as od

world = od.World(gravity=(0, 0, -9.81), surface=od.Surface(friction=0.8, restitution=0.2), solver="exact")
world.gravity = np.array([0.0, 0.0, -1.62])
ground: od.Plane = world.add_plane(offset=0.5)
world.add_plane((1, 0, 0), d=-5, material="ice")
wall = world.add_geom(od.Box(size=(1, 2, 3), position=[0, 0, 1.5], rotation=np.eye(3), color="red", sensor=False))

rod: od.Capsule = world.add_geom(
    od.Capsule.between((0, 0, 0), (0, 0, 1), 0.1, color="red"), position=(1, 0, 0), name="rod"
)

body: od.Body = world.add_body(
    od.Sphere(0.1, position=(0, 0, 0.2)),
    od.Capsule(0.05, 0.4, orientation=(1, 0, 0, 0)),
    position=np.zeros(3),
    orientation=(1, 0, 0, 0),
    linear_velocity=[1, 2, 3.5],
    density=500,
    color=(0.2, 0.4, 0.6),
    name="body",
)
body.position = (0, 0, 2)
body.position = [0, 0, 2.5]
body.position = np.array([0, 0, 2], dtype=np.float32)
body.position += (0, 0, 0.1)
body.orientation = body.quaternion
body.rotation = np.eye(3)
body.inertia = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
height: float = float(body.position[2])

hinge: od.Hinge = world.add_hinge(body, None, anchor=(0, 0, 2), axis=(0, 1, 0), limits=(-1, math.inf), name="hinge")
hinge.stops = (-0.5, 0.5)
hinge.limits = [-0.5, 0.5]
hinge.motor(1.0, max_force=2)
angle: float = hinge.angle + hinge.rate + hinge.angle_rate
servo: od.Servo = hinge.servo(0.5, stiffness=10, damping=1.0, max_torque=5)
slider: od.Slider = od.Slider(world, body, axis=(0, 0, 1), stops=(0, 1))
ball = world.add_ball(body, None, anchor=body.position)
piston = world.add_piston(body, None, limits=(0, 1), angle_limits=None)

world.advance(1 / 60, steps=10)
world.positions = world.positions + np.array([0, 0, 1.0])
picture = world.render(od.Camera((0, -3, 1)), colors="state")
found: od.Body | od.Joint | od.Geom = world.find("body")

world.add_amotor(body, None, axes=((0, 0, 1), np.array((0.0, 1.0, 0.0))), relative_to=(0, 1)).set_stops(0, (-1, 1))
world.add_lmotor(body, None, axes=np.eye(3)).set_axis(0, 0, (0, 0, 1))
body.add_force(np.zeros(3), at=body.position)
body.add_impulse([0, 0, 1.0], at_local=(0, 0, 0.1))
od.Mass(2.0, (1, 1, 1)).rotate(od.rotation.from_z_axis((0, 1, 0))).translate(-body.position)
