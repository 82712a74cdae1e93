"""The first program of the README: a ball dropped from two metres comes to rest on the ground."""

import opendynamics as od

world = od.World(gravity=(0, 0, -9.81))
world.add_plane(normal=(0, 0, 1))
ball = world.add_body(od.Sphere(0.1), position=(0, 0, 2), density=1000)
world.advance(1 / 60, steps=300)
print(ball.position)
