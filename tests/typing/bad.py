"""Programs with mistakes, one on each marked line: type checkers find each of them, and nothing else."""

from __future__ import annotations

import opendynamics as od

world = od.World()
body = world.add_body(od.Sphere(0.1))
hinge = world.add_hinge(body, None)

od.World(gravity="down")  # wrong
od.Sphere(0.1, pos=(0, 0, 1))  # wrong
od.Sphere("large")  # wrong
od.Box((1, 1, 1), position="here")  # wrong
od.Box(size="large")  # wrong
od.Capsule(0.1)  # wrong
od.Plane(offset="high")  # wrong
od.Surface(friction="box")  # wrong
od.Surface(restitution=(1, 2))  # wrong
world.add_plane(position=(0, 0, 1))  # wrong
world.add_body(od.Sphere(0.1), pos=(0, 0, 1))  # wrong
world.add_body(od.Sphere(0.1), position="up")  # wrong
world.add_body(od.Sphere(0.1), orientation="up")  # wrong
world.add_body(od.Sphere(0.1), mass="heavy")  # wrong
world.add_geom(od.Sphere(0.1), position="up")  # wrong
world.add_geom(od.Sphere(0.1), pos=(0, 0, 1))  # wrong
od.Capsule.between((0, 0, 0), "up", 0.1)  # wrong
world.add_hinge(body, None, limits="wide")  # wrong
world.add_hinge(body, None, limits=1.5)  # wrong
world.add_hinge(body, None, stops=("low", "high"))  # wrong
world.add_hinge(body, None, axes=(0, 0, 1))  # wrong
world.add_hinge("body", None)  # wrong
world.add_slider(body, None, limits="wide")  # wrong
world.advance("fast")  # wrong
world.gravity = "down"  # wrong
body.position = "hello"  # wrong
body.position = 5  # wrong
body.quaternion = "up"  # wrong
body.orientation = "up"  # wrong
body.linear_velocity = "fast"  # wrong
body.mass = "heavy"  # wrong
body.angel = 1  # wrong
hinge.limits = "wide"  # wrong
hinge.stops = 3  # wrong
hinge.motor("fast")  # wrong
hinge.motor(1.0, max_force="much")  # wrong
hinge.motor(1.0, force=3)  # wrong
hinge.servo(0.5)  # wrong
body.add_force("up")  # wrong
body.add_force((0, 0, 1), at="the top")  # wrong
body.velocity_at(3)  # wrong
body.geoms[0].point_depth("here")  # wrong
od.Mass.box("large", mass=1)  # wrong
od.Contact(position="here")  # wrong
od.rotation.from_axis_angle("x", 1.0)  # wrong
