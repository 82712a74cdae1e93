"""A car with driven rear wheels and steered front wheels knocks over a pile of boxes and drives a bend."""

from __future__ import annotations

from opendynamics.api.body import Body
from opendynamics.api.geoms.box import Box
from opendynamics.api.geoms.cylinder import Cylinder
from opendynamics.api.joints.hinge import Hinge
from opendynamics.api.mass import Mass
from opendynamics.api.surface import Surface
from opendynamics.api.world import World
from opendynamics.scenes import Scene, Slider

RADIUS, WIDTH = 0.3, 0.18  # m, of the wheels
TRACK, BASE = 1.2, 1.6  # m, between left and right, between front and rear
ACROSS = ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, -1.0, 0.0))  # rotates z, the axis of a cylinder, to y
TYRE, PAINT = (0.30, 0.32, 0.36), (0.85, 0.20, 0.16)
DRIVE, STEERING = 150.0, 200.0  # N m, maximum torques of the motors of a wheel, and of a steering axis
LOCK, STIFFNESS = 0.5, 10.0  # rad, rad/s per rad: maximum steering angle, gain of its control
PILE = 8.0  # m, how far ahead the boxes are


def build(*, speed: float = 4.0, bend_after: float = 4.0, bend: float = 0.25) -> Scene:
    """The car is to reach `speed` m/s; after `bend_after` s it steers by `bend` rad, to the left if above 0."""
    world = World(gravity=(0, 0, -9.81), surface=Surface(mu=0.8))
    world.add_plane(name="ground")
    chassis = world.add_body(
        Box((2.0, 0.5, 0.25)), position=(0, 0, RADIUS + 0.05), mass=300, name="chassis", color=PAINT
    )
    driven = [_add_wheel(world, chassis, -0.5 * BASE, y) for y in (0.5 * TRACK, -0.5 * TRACK)]
    steered = [_add_steered_wheel(world, chassis, 0.5 * BASE, y) for y in (0.5 * TRACK, -0.5 * TRACK)]
    _add_pile(world)

    def drive(speed: float) -> None:
        for hinge in driven:
            hinge.motor(velocity=speed / RADIUS, max_torque=DRIVE)

    by_hand = 0.0

    def steer(angle: float) -> None:
        nonlocal by_hand
        by_hand = angle

    drive(speed)

    def control(time: float) -> None:
        planned = bend if time >= bend_after else 0.0
        target = max(-LOCK, min(LOCK, planned + by_hand))
        for hinge in steered:
            hinge.motor(velocity=STIFFNESS * (target - hinge.angle), max_torque=STEERING)

    return Scene(
        world,
        seconds=10.0,
        moment=2.65,
        camera=(5.4, -4.6, 2.0),
        target=(6.9, 0.0, 0.4),
        note=f"Rear motors of {DRIVE:g} N m, front wheels on steering axes; the car weighs 380 kg.",
        control=control,
        sliders=(
            Slider(
                "Speed, m/s", min(-4.0, speed), max(8.0, speed), speed, drive, "What the motors of the wheels aim at"
            ),
            Slider("Steering, rad", -LOCK, LOCK, 0.0, steer, "To the left if above 0, added to the planned bend"),
        ),
    )


def _add_wheel(world: World, on: Body, x: float, y: float) -> Hinge:
    """A wheel on a lateral hinge; forward rotation is positive."""
    name = f"{'front' if x > 0 else 'rear'} {'left' if y > 0 else 'right'}"
    shape = Cylinder(RADIUS, WIDTH, rotation=ACROSS)
    wheel = world.add_body(shape, position=(x, y, RADIUS), mass=15, name=f"{name} wheel", color=TYRE)
    wheel.finite_rotation_mode = True  # for the integrator "euler"
    return world.add_hinge(wheel, on, anchor=(x, y, RADIUS), axis=(0, 1, 0), name=f"{name} axle")


def _add_steered_wheel(world: World, chassis: Body, x: float, y: float) -> Hinge:
    """A wheel on a knuckle, which rotates about a vertical hinge; returns that hinge."""
    side = "left" if y > 0 else "right"
    knuckle = world.add_body(position=(x, y, RADIUS), mass=Mass.sphere(0.15, mass=10), name=f"{side} knuckle")
    _add_wheel(world, knuckle, x, y)
    return world.add_hinge(
        knuckle, chassis, anchor=(x, y, RADIUS), axis=(0, 0, 1), stops=(-LOCK, LOCK), name=f"{side} steering"
    )


def _add_pile(world: World) -> None:
    """Six boxes, three under two under one, across the road."""
    for layer in range(3):
        for k in range(3 - layer):
            place = (PILE, 0.45 * (k - 0.5 * (2 - layer)), 0.2 + 0.4 * layer)
            world.add_body(Box((0.4, 0.4, 0.4)), position=place, density=60, name=f"box {layer}{k}")
