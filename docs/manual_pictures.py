"""Makes the pictures of the manual: joints as they move, friction models, and what the integrators do to energy.

    python docs/manual_pictures.py

Joints are simulated; their bodies are drawn at four moments, the later the stronger. Axes are red (the
first or only one), blue and green.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import opendynamics as od

PICTURES = Path(__file__).parent / "pictures" / "manual"
TILE, ACROSS, COLOURS = (220, 170), 5, 96
MOMENTS = 4
PALE, STRONG = np.array([1.0, 0.93, 0.80]), np.array([0.93, 0.50, 0.10])
AXES = ((0.85, 0.1, 0.1), (0.1, 0.3, 0.85), (0.1, 0.6, 0.2))

Scene = tuple[od.World, list[tuple[od.Body, list[Callable[[], od.Geom]]]], list[tuple[Any, Any]], float]


def moving(
    world: od.World, *shapes: Callable[[], od.Geom], **place: Any
) -> tuple[od.Body, list[Callable[[], od.Geom]]]:
    """A body, and how to make its shapes once more."""
    return world.add_body(*[shape() for shape in shapes], mass=1, **place), list(shapes)


def box(*lengths: float) -> Callable[[], od.Geom]:
    """What makes a box."""
    return lambda: od.Box(lengths)


def rod(radius: float, length: float, along: Any = (0, 0, 1)) -> Callable[[], od.Geom]:
    """What makes a cylinder along a direction."""
    return lambda: od.Cylinder(radius, length, rotation=od.rotation.from_z_axis(along))


def ball_joint() -> Scene:
    """A rod on a ball joint."""
    world = od.World()
    part = moving(world, box(0.12, 0.12, 0.8), position=(0, 0, -0.45))
    world.add_ball(part[0], None, anchor=(0, 0, 0))
    part[0].angular_velocity = (0.4, -0.7, 0.5)
    part[0].linear_velocity = np.cross(part[0].angular_velocity, part[0].position)
    return world, [part], [((0, 0, 0), (0, 0, 0.02))], 1.6


def hinge() -> Scene:
    """A flap."""
    world = od.World()
    part = moving(world, box(0.9, 0.3, 0.08), position=(0.45, 0, 0))
    world.add_hinge(part[0], None, anchor=(0, 0, 0), axis=(0, 1, 0)).motor(-0.9)
    return world, [part], [((0, 0, 0), (0, 1, 0))], 1.2


def slider() -> Scene:
    """A block on a line."""
    world = od.World()
    part = moving(world, box(0.35, 0.3, 0.3), position=(-0.45, 0, 0))
    world.add_slider(part[0], None, axis=(1, 0, 0)).motor(1.0)
    return world, [part], [((0, 0, 0), (1, 0, 0))], 0.9


def universal() -> Scene:
    """Two shafts."""
    world = od.World()
    bent = np.array([math.cos(0.5), 0, math.sin(0.5)])
    first = moving(world, rod(0.08, 0.5, (1, 0, 0)), box(0.06, 0.3, 0.06), position=(-0.35, 0, 0))
    second = moving(world, rod(0.08, 0.5, bent), position=0.35 * bent)
    world.add_hinge(first[0], None, anchor=(-0.35, 0, 0), axis=(1, 0, 0)).motor(0.6)
    world.add_hinge(second[0], None, anchor=0.35 * bent, axis=bent)
    world.add_universal(first[0], second[0], anchor=(0, 0, 0), axis1=(0, 1, 0), axis2=np.cross(bent, (0, 1, 0)))
    return world, [first, second], [((0, 0, 0), (0, 1, 0)), ((0, 0, 0), np.cross(bent, (0, 1, 0)))], 0.9


def hinge2() -> Scene:
    """A steered wheel."""
    world = od.World()
    chassis = world.add_body(mass=1, kinematic=True)
    wheel = moving(world, rod(0.35, 0.14, (0, 1, 0)), position=(0, 0.25, 0))
    joint = world.add_hinge2(chassis, wheel[0], anchor=(0, 0.25, 0), axis1=(0, 0, 1), axis2=(0, 1, 0))
    joint.motor1(0.5)
    return world, [wheel], [((0, 0.25, 0), (0, 0, 1)), ((0, 0.25, 0), (0, 1, 0))], 1.0


def pr() -> Scene:
    """A slider with a hinge."""
    world = od.World()
    part = moving(world, box(0.7, 0.12, 0.12), position=(0.35, 0, 0))
    joint = world.add_pr(part[0], None, anchor=(0, 0, 0), axis1=(1, 0, 0), axis2=(0, 1, 0))
    joint.motor(0.4)
    joint.angle_motor(-0.8)
    return world, [part], [((0, 0, 0), (1, 0, 0)), ((0, 0, 0), (0, 1, 0))], 1.0


def pu() -> Scene:
    """A slider with a universal joint."""
    world = od.World()
    part = moving(world, box(0.7, 0.12, 0.12), position=(0.35, 0, 0))
    axes = {"axis1": (0, 1, 0), "axis2": (0, 0, 1), "prismatic_axis": (1, 0, 0)}
    joint = world.add_pu(part[0], None, anchor=(0, 0, 0), **axes)
    joint.motor(0.3)
    joint.motor1(-0.6)
    joint.motor2(0.6)
    return world, [part], [((0, 0, 0), (0, 1, 0)), ((0, 0, 0), (0, 0, 1)), ((0, 0, 0), (1, 0, 0))], 1.0


def piston() -> Scene:
    """A plunger."""
    world = od.World()
    part = moving(world, rod(0.1, 0.5, (1, 0, 0)), box(0.08, 0.5, 0.08), position=(-0.3, 0, 0))
    joint = world.add_piston(part[0], None, anchor=(0, 0, 0), axis=(1, 0, 0))
    joint.motor(0.8)
    joint.angle_motor(1.0)
    return world, [part], [((0, 0, 0), (1, 0, 0))], 0.8


def fixed() -> Scene:
    """Two blocks in one piece."""
    world = od.World()
    first = moving(world, box(0.4, 0.3, 0.3), position=(-0.3, 0, -0.2))
    second = moving(world, box(0.25, 0.25, 0.6), position=(0.0, 0, 0.1))
    world.add_fixed(first[0], second[0])
    first[0].linear_velocity = second[0].linear_velocity = (0.5, 0, 0)
    return world, [first, second], [], 0.9


def angular_motor() -> Scene:
    """A block turned about two axes."""
    world = od.World()
    part = moving(world, box(0.5, 0.12, 0.3))
    world.add_ball(part[0], None, anchor=(0, 0, 0))
    motor = world.add_amotor(part[0], None, axes=[(0, 0, 1), (0, 1, 0)])
    motor.motor(0, 0.9)
    motor.motor(1, 0.4)
    return world, [part], [((0, 0, 0), (0, 0, 1)), ((0, 0, 0), (0, 1, 0))], 1.0


def linear_motor() -> Scene:
    """A block moved along two axes."""
    world = od.World()
    part = moving(world, box(0.25, 0.25, 0.25), position=(-0.4, -0.2, 0))
    motor = world.add_lmotor(part[0], None, axes=[(1, 0, 0), (0, 1, 0)])
    motor.motor(0, 0.8)
    motor.motor(1, 0.4)
    return world, [part], [((0, 0, 0), (1, 0, 0)), ((0, 0, 0), (0, 1, 0))], 1.0


def plane2d() -> Scene:
    """A block in the plane."""
    world = od.World()
    part = moving(world, box(0.4, 0.25, 0.1), position=(-0.5, -0.2, 0))
    world.add_plane2d(part[0])
    part[0].linear_velocity, part[0].angular_velocity = (0.9, 0.4, 0), (0, 0, 1.2)
    return world, [part], [((0, 0, 0), (0, 0, 1))], 1.0


def double_ball() -> Scene:
    """A ball on a rod."""
    world = od.World()
    part = moving(world, lambda: od.Sphere(0.14), position=(0.6, 0, -0.3))
    world.add_dball(part[0], None, anchor1=part[0].position, anchor2=(0, 0, 0.3))
    part[0].linear_velocity = (-0.4, 0.2, -0.4)
    return world, [part], [((0, 0, 0.3), (0, 0, 0.02))], 1.3


def double_hinge() -> Scene:
    """A block on a link."""
    world = od.World()
    part = moving(world, box(0.3, 0.3, 0.1), position=(0.6, 0, -0.1))
    world.add_dhinge(part[0], None, anchor1=(0.5, 0, -0.1), anchor2=(-0.3, 0, 0.1), axis=(0, 1, 0))
    part[0].linear_velocity = (-0.1, 0, -0.5)
    return world, [part], [((-0.3, 0, 0.1), (0, 1, 0)), ((0.5, 0, -0.1), (0, 1, 0))], 1.1


def transmission() -> Scene:
    """Two gears."""
    world = od.World()
    first = moving(world, rod(0.38, 0.1), box(0.7, 0.06, 0.16), position=(-0.28, 0, 0))
    second = moving(world, rod(0.19, 0.1), box(0.34, 0.06, 0.16), position=(0.31, 0, 0))
    turns = [world.add_hinge(part[0], None, anchor=part[0].position, axis=(0, 0, 1)) for part in (first, second)]
    world.add_transmission(first[0], second[0], anchor1=(-0.28, 0, 0), anchor2=(0.31, 0, 0), axis=(0, 0, 1), ratio=2)
    turns[0].motor(0.5)
    return world, [first, second], [((-0.28, 0, 0), (0, 0, 1)), ((0.31, 0, 0), (0, 0, 1))], 0.6


JOINTS: dict[str, Callable[[], Scene]] = {
    "ball": ball_joint,
    "hinge": hinge,
    "slider": slider,
    "universal": universal,
    "hinge-2": hinge2,
    "PR": pr,
    "PU": pu,
    "piston": piston,
    "fixed": fixed,
    "angular motor": angular_motor,
    "linear motor": linear_motor,
    "plane-2D": plane2d,
    "double ball": double_ball,
    "double hinge": double_hinge,
    "transmission": transmission,
}


def tile_of(build: Callable[[], Scene], size: tuple[int, int]) -> Any:
    """A joint's picture."""
    world, parts, axes, seconds = build()
    shown = od.World()
    for moment in range(MOMENTS):
        if moment:
            world.advance(0.002, steps=round(seconds / (MOMENTS - 1) / 0.002))
        colour = tuple(PALE + (STRONG - PALE) * moment / (MOMENTS - 1))
        for body, shapes in parts:
            for shape in shapes:
                geom = shape()
                geom.color = colour
                shown.add_geom(geom)
                turn = geom.rotation
                geom.position, geom.rotation = body.point_to_world(geom.position), body.rotation @ turn
    for number, (anchor, axis) in enumerate(axes):
        long = 1.3 if np.linalg.norm(axis) > 0.5 else 0.01
        line = od.Capsule(0.02 if long > 1 else 0.05, long, position=anchor, rotation=od.rotation.from_z_axis(axis))
        line.color = AXES[number]
        shown.add_geom(line)
    camera = od.Camera((1.1, -2.2, 1.2), target=(0.05, 0, -0.05), field_of_view=38)
    return shown.render(camera, size, samples=6, shadows=1, ambient=2)


def sheet(names: list[str], across: int, file: Path) -> None:
    """Small pictures side by side, with their names."""
    from PIL import Image, ImageDraw

    down = -(-len(names) // across)
    page = Image.new("RGB", (across * TILE[0], down * TILE[1]), "white")
    pen = ImageDraw.Draw(page)
    for number, name in enumerate(names):
        left, top = number % across * TILE[0], number // across * TILE[1]
        page.paste(Image.fromarray(tile_of(JOINTS[name], TILE)), (left, top))
        pen.text((left + 8, top + 6), name, fill=(20, 20, 20))
    page.quantize(COLOURS).save(file, optimize=True)


def friction_cone(file: Path) -> None:
    """Cross-sections of the friction models, and how they grow with the normal force."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 2.9))
    across, along = figure.subplots(1, 2)
    turn = np.linspace(0, 2 * np.pi, 200)
    across.plot(np.cos(turn), np.sin(turn), label="elliptic cone")
    across.plot([1, -1, -1, 1, 1], [1, 1, -1, -1, 1], label="pyramid")
    across.set(aspect="equal", xlabel="friction 1 / (μ N)", ylabel="friction 2 / (μ N)")
    across.legend(loc="center", frameon=False)
    normal = np.linspace(0, 10, 2)
    along.plot(normal, 0.5 * normal, label="cone, pyramid: μ N")
    along.plot(normal, 0 * normal + 2, label="box: a force in N")
    along.set(xlabel="normal force N, N", ylabel="largest friction, N", ylim=(0, 6))
    along.legend(frameon=False)
    save(figure, file)


def energies(file: Path) -> None:
    """Energy of a double pendulum by each integrator."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 2.9))
    axes = figure.subplots()
    for name in ("euler", "verlet"):
        world = od.World(gravity=(0, 0, -9.81))
        world.integrator = name
        links = [world.add_body(mass=od.Mass.sphere(0.05, mass=1), position=(0.5 * (k + 1), 0, 0)) for k in range(2)]
        world.add_hinge(links[0], None, anchor=(0, 0, 0), axis=(0, 1, 0))
        world.add_hinge(links[1], links[0], anchor=(0.5, 0, 0), axis=(0, 1, 0))
        kept = []
        for _ in range(1000):
            kept.append(world.kinetic_energy + world.potential_energy)
            world.advance(0.01)
        axes.plot(0.01 * np.arange(1000), kept, label=f'"{name}"', linewidth=1)
    axes.set(xlabel="time, s", ylabel="energy, J")
    axes.legend(frameon=False)
    save(figure, file)


def save(figure: Any, file: Path) -> None:
    """Write a figure, the same bytes each time."""
    import matplotlib

    figure.tight_layout()
    with matplotlib.rc_context({"svg.hashsalt": "manual", "svg.fonttype": "none"}):
        figure.savefig(file, metadata={"Date": None})


if __name__ == "__main__":
    PICTURES.mkdir(parents=True, exist_ok=True)
    sheet(["ball", "hinge", "slider"], 3, PICTURES / "three_joints.png")
    sheet(list(JOINTS), ACROSS, PICTURES / "joints.png")
    friction_cone(PICTURES / "friction_cone.svg")
    energies(PICTURES / "energies.svg")
