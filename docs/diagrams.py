"""Makes the diagrams of the reference: the axes and signs of joints, the dimensions of shapes, frames, contacts.

    python docs/diagrams.py

One SVG file for each class, named after it; `docs/conf.py` puts it below the first paragraph of the class. The view is
orthographic. Body1 is orange, body2 grey; the first axis is red, the second blue, the third green. Arrows point in the positive
direction.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

PICTURES = Path(__file__).parent / "pictures" / "diagrams"

Point: TypeAlias = Sequence[float]
SCALE, MARGIN, FONT = 110.0, 14.0, 13.0
BODY1, BODY2, STILL = "#f2b273", "#c3cad4", "#e6e3da"
FIRST, SECOND, THIRD, MEASURE = "#b8322a", "#2458a6", "#2a8050", "#444444"
X, Y, Z = np.eye(3)

TOWARD = np.array([0.5, -1.0, 0.55]) / np.linalg.norm([0.5, -1.0, 0.55])  # from the scene to the viewer
RIGHT = np.cross(Z, TOWARD) / np.linalg.norm(np.cross(Z, TOWARD))
UP = np.cross(TOWARD, RIGHT)


def seen(points: Any) -> Any:
    """Points of the picture, y downwards, shape (n, 2)."""
    return SCALE * np.column_stack([np.atleast_2d(points) @ RIGHT, -(np.atleast_2d(points) @ UP)])


def around(axis: Point, start: Point) -> tuple[Any, Any]:
    """Two unit vectors perpendicular to an axis: the one nearest to `start`, and that after a right-handed quarter turn."""
    n = np.asarray(axis) / np.linalg.norm(axis)
    u = np.asarray(start) - (n @ np.asarray(start)) * n
    u /= np.linalg.norm(u)
    return u, np.cross(n, u)


def hull(points: Any) -> Any:
    """Convex hull in the plane, by the monotone chain."""
    ordered = sorted(map(tuple, points.round(6).tolist()))

    def half(along: Any) -> list[Any]:
        chain: list[Any] = []
        for point in along:
            while len(chain) > 1 and np.linalg.det(np.subtract([chain[-1], point], chain[-2])) <= 0:
                chain.pop()
            chain.append(point)
        return chain[:-1]

    return np.array(half(ordered) + half(reversed(ordered)))


class Drawing:
    """Elements of an SVG picture, in the order in which they are drawn."""

    def __init__(self) -> None:
        self.elements: list[str] = []
        self.low, self.high = np.full(2, np.inf), np.full(2, -np.inf)

    def extend(self, points: Any) -> None:
        """Make room for points of the picture."""
        self.low, self.high = np.minimum(self.low, np.min(points, 0)), np.maximum(self.high, np.max(points, 0))

    def polygon(self, points: Any, fill: str) -> None:
        """A filled outline."""
        self.extend(points)
        corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.elements.append(
            f'<polygon points="{corners}" fill="{fill}" stroke="#333" stroke-width="1" stroke-linejoin="round"/>'
        )

    def line(self, points: Any, colour: str, *, width: float = 2.0, dashes: str = "", tips: int = 1) -> None:
        """A line in space through points, with an arrow's tip at its end, or at both."""
        flat = seen(points)
        self.extend(flat)
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in flat)
        dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
        self.elements.append(
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width:g}"{dashed}/>'
        )
        for end, before in ((flat[-1], flat[-2]), (flat[0], flat[1]))[:tips]:
            along = (end - before) / np.linalg.norm(end - before)
            across = np.array([-along[1], along[0]])
            tip = [end + 3 * along, end - 6 * along + 4.5 * across, end - 6 * along - 4.5 * across]
            corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in tip)
            self.elements.append(f'<polygon points="{corners}" fill="{colour}"/>')

    def text(self, at: Point, words: str, colour: str = "#222", shift: tuple[float, float] = (0, 0)) -> None:
        """Words centred at a point in space, shifted by pixels."""
        x, y = seen(at)[0] + shift
        half = 0.29 * FONT * len(words)
        self.extend([(x - half, y - FONT), (x + half, y + 0.4 * FONT)])
        self.elements.append(
            f'<text x="{x:.1f}" y="{y:.1f}" fill="{colour}" text-anchor="middle" stroke="#fff" stroke-width="3" '
            f'paint-order="stroke">{escape(words)}</text>'
        )

    def box(self, center: Point, lengths: Point, fill: str, turn: Any = None) -> None:
        """A box, by its visible faces."""
        axes = np.eye(3) if turn is None else np.asarray(turn)
        halves = 0.5 * np.asarray(lengths)
        for k in range(3):
            side = 1 if axes[:, k] @ TOWARD > 0 else -1
            i, j = (k + 1) % 3, (k + 2) % 3
            face = [
                np.asarray(center)
                + axes @ (side * halves[k] * np.eye(3)[k] + a * halves[i] * np.eye(3)[i] + b * halves[j] * np.eye(3)[j])
                for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))
            ]
            self.polygon(seen(face), shade(fill, side * axes[:, k]))

    def rod(self, start: Point, end: Point, radius: float, fill: str, top: float | None = None) -> None:
        """A cylinder, or a cone with the radius `top` at its end."""
        axis = np.subtract(end, start)
        u, v = around(axis, X if abs(axis[0]) < 0.9 * np.linalg.norm(axis) else Y)
        ring = [math.cos(t) * u + math.sin(t) * v for t in np.linspace(0, 2 * math.pi, 49)[:-1]]
        caps = [
            np.array([np.asarray(at) + r * p for p in ring])
            for at, r in ((start, radius), (end, radius if top is None else top))
        ]
        self.polygon(hull(seen(np.concatenate(caps))), shade(fill, np.cross(axis, RIGHT)))
        cap = caps[1] if axis @ TOWARD > 0 else caps[0]
        if np.ptp(cap) > 0:
            self.polygon(seen(cap), shade(fill, axis if axis @ TOWARD > 0 else -axis))

    def ball(self, center: Point, radii: Point, fill: str) -> None:
        """An ellipsoid along the axes."""
        turns, tilts = np.linspace(0, 2 * math.pi, 61), np.linspace(0, math.pi, 31)
        points = np.array(
            [(math.sin(b) * math.cos(a), math.sin(b) * math.sin(a), math.cos(b)) for a in turns for b in tilts]
        )
        self.polygon(hull(seen(np.asarray(center) + points * np.asarray(radii))), fill)

    def axis(self, origin: Point, way: Point, label: str, colour: str, shift: tuple[float, float] = (0, -6)) -> None:
        """An axis, from behind its origin."""
        at, along = np.asarray(origin, float), np.asarray(way, float)
        self.line([at - 0.6 * along, at + along], colour)
        self.text(at + along, label, colour, shift)

    def turn(
        self, center: Point, axis: Point, radius: float, label: str, colour: str, start: Point, angle: float = 1.9
    ) -> None:
        """An arc about an axis, right-handed, that begins near the direction `start`."""
        u, v = around(axis, start)
        angles = np.linspace(0, angle, 25)
        arc = np.asarray(center) + radius * (np.outer(np.cos(angles), u) + np.outer(np.sin(angles), v))
        self.line(arc, colour)
        out = np.asarray(center) + 1.28 * radius * (math.cos(angle / 2) * u + math.sin(angle / 2) * v)
        self.text(out, label, colour, (0, 4))

    def measure(self, start: Point, end: Point, label: str, shift: tuple[float, float] = (0, -5)) -> None:
        """A length between two points."""
        self.line([start, end], MEASURE, width=1.2, tips=2)
        self.text(0.5 * np.add(start, end), label, MEASURE, shift)

    def mark(self, at: Point, label: str = "", shift: tuple[float, float] = (0, -8)) -> None:
        """A point."""
        x, y = seen(at)[0]
        self.extend([(x, y)])
        self.elements.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="#111"/>')
        if label:
            self.text(at, label, shift=shift)

    def frame(self, origin: Point, size: float, turn: Any = None, names: str = "xyz") -> None:
        """Three axes of a frame."""
        axes = np.eye(3) if turn is None else np.asarray(turn)
        for k, colour in enumerate((FIRST, THIRD, SECOND)):
            tip = np.asarray(origin) + size * axes[:, k]
            self.line([origin, tip], colour, width=1.5)
            self.text(np.asarray(origin) + 1.18 * size * axes[:, k], names[k], colour, (0, 4))

    def page(self) -> str:
        """The file."""
        x, y = self.low - MARGIN
        width, height = self.high - self.low + 2 * MARGIN
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
            f'viewBox="{x:.1f} {y:.1f} {width:.1f} {height:.1f}" font-family="sans-serif" font-size="{FONT:g}">\n'
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="6" fill="#fff"/>\n'
            + "\n".join(self.elements)
            + "\n</svg>\n"
        )


def shade(colour: str, normal: Any) -> str:
    """A colour, darker where a face looks away from the light at the upper left."""
    light = np.array([-0.3, -0.5, 0.85]) / np.linalg.norm([-0.3, -0.5, 0.85])
    level = 0.72 + 0.28 * max(0.0, float(np.asarray(normal) @ light / np.linalg.norm(normal)))
    return "#" + "".join(f"{round(level * int(colour[k : k + 2], 16)):02x}" for k in (1, 3, 5))


def about_y(angle: float) -> Any:
    """Rotation about y."""
    return np.array([[math.cos(angle), 0, math.sin(angle)], [0, 1, 0], [-math.sin(angle), 0, math.cos(angle)]])


def ball(d: Drawing) -> None:
    """Two rods that share a point."""
    d.box((-0.55, 0, 0), (0.9, 0.22, 0.22), BODY2)
    d.box((0.42, 0, 0.3), (0.95, 0.2, 0.2), BODY1, about_y(-0.6))
    d.mark((0, 0, 0), "anchor", (0, 24))
    d.text((-0.9, 0, 0), "body2", shift=(0, 5))
    d.text((0.62, 0, 0.42), "body1", shift=(0, 5))


def hinge(d: Drawing) -> None:
    """A flap on a block."""
    d.box((-0.6, 0, 0), (0.9, 0.6, 0.14), BODY2)
    d.box((0.5, 0, 0.0), (0.9, 0.6, 0.14), BODY1)
    d.axis((0, 0, 0), (0, -0.95, 0), "axis", FIRST, (-18, 8))
    d.mark((0, 0, 0.0), "anchor", (0, -10))
    d.turn((0, -0.3, 0), (0, -1, 0), 0.75, "angle", FIRST, (1, 0, 0.1), 0.9)
    d.text((-0.7, 0, 0.07), "body2", shift=(0, 5))
    d.text((0.55, 0, 0.07), "body1", shift=(0, 8))


def slider(d: Drawing) -> None:
    """A block on a rail."""
    d.box((0.1, 0, -0.2), (2.0, 0.36, 0.12), BODY2)
    d.box((-0.3, 0, 0.02), (0.5, 0.4, 0.32), BODY1)
    d.axis((-0.3, 0, 0.02), (1.5, 0, 0), "axis", FIRST, (16, 4))
    d.line([(0.05, -0.2, 0.3), (0.65, -0.2, 0.3)], FIRST)
    d.text((0.35, -0.2, 0.3), "position", FIRST, (0, -6))
    d.text((-0.3, -0.2, 0.02), "body1", shift=(0, 5))
    d.text((0.6, -0.18, -0.2), "body2", shift=(0, 5))


def universal(d: Drawing) -> None:
    """Two shafts."""
    bent = np.array([math.cos(0.35), 0, math.sin(0.35)])
    across = np.cross((0, -1, 0), bent)
    d.rod((-0.2, 0, 0), (-1.3, 0, 0), 0.11, BODY1)
    d.rod(0.2 * bent, 1.3 * bent, 0.11, BODY2)
    d.axis((0, 0, 0), (0, -1.0, 0), "axis1", FIRST, (-16, 12))
    d.axis((0, 0, 0), 0.95 * across, "axis2", SECOND)
    d.turn((0, -0.6, 0), (0, -1, 0), 0.2, "angle1", FIRST, (-1, 0, 0), 4.4)
    d.turn(0.6 * across, across, 0.2, "", SECOND, (-1, 0, 0), 4.4)
    d.text(0.6 * across, "angle2", SECOND, (44, 0))
    d.mark((0, 0, 0), "anchor", (34, 26))
    d.text((-0.9, 0, 0), "body1", shift=(0, 32))
    d.text(0.95 * bent, "body2", shift=(4, 32))


def hinge2(d: Drawing) -> None:
    """A steered wheel."""
    d.box((0.55, 0.8, 0.3), (1.7, 0.35, 0.22), BODY1)
    d.rod((0, 0.1, 0), (0, -0.12, 0), 0.5, BODY2)
    d.axis((0, -0.12, 0), (0, 0, 1.1), "axis1", FIRST)
    d.axis((0, -0.12, 0), (0, -0.85, 0), "axis2", SECOND, (-16, 14))
    d.turn((0, -0.12, 0.85), Z, 0.2, "", FIRST, (0, -1, 0), 4.4)
    d.text((0, -0.12, 0.85), "angle1", FIRST, (-48, 4))
    d.turn((0, -0.12, 0), (0, -1, 0), 0.64, "angle2", SECOND, (1, 0, -1), 1.3)
    d.mark((0, -0.12, 0), "anchor", (34, -2))
    d.text((0.9, 0.62, 0.3), "body1 (chassis)", shift=(0, 6))
    d.text((0, -0.12, -0.5), "body2 (wheel)", shift=(20, 22))


def pr(d: Drawing) -> None:
    """A slider that ends in a hinge."""
    d.box((-0.6, 0, 0), (1.0, 0.2, 0.2), BODY1)
    d.box((0.62, 0, 0.36), (0.9, 0.2, 0.2), BODY2, about_y(-0.6))
    d.line([(-1.3, 0, 0), (0.95, 0, 0)], FIRST)
    d.text((0.95, 0, 0), "axis1", FIRST, (22, 6))
    d.line([(-1.05, -0.1, 0.26), (-0.5, -0.1, 0.26)], FIRST)
    d.text((-0.8, -0.1, 0.26), "position", FIRST, (0, -6))
    d.axis((0.25, 0, 0), (0, -0.8, 0), "axis2", SECOND, (-18, 12))
    d.turn((0.25, -0.5, 0), (0, -1, 0), 0.2, "angle", SECOND, (-1, 0, 0), 4.4)
    d.mark((0.25, 0, 0), "anchor", (32, 22))
    d.text((-0.75, -0.1, 0), "body1", shift=(0, 4))
    d.text((0.8, 0, 0.48), "body2", shift=(0, 4))


def pu(d: Drawing) -> None:
    """A slider that ends in a universal joint."""
    d.box((-0.7, 0, 0), (1.0, 0.2, 0.2), BODY1)
    d.box((0.68, 0, 0), (0.9, 0.2, 0.2), BODY2)
    d.line([(-1.5, 0, 0), (1.7, 0, 0)], THIRD)
    d.text((1.7, 0, 0), "prismatic_axis", THIRD, (0, -10))
    d.line([(-1.1, -0.1, 0.26), (-0.6, -0.1, 0.26)], THIRD)
    d.text((-0.85, -0.1, 0.26), "position", THIRD, (0, -6))
    d.axis((0.12, 0, 0), (0, -0.85, 0), "axis1", FIRST, (-18, 12))
    d.turn((0.12, -0.55, 0), (0, -1, 0), 0.2, "angle1", FIRST, (-1, 0, 0), 4.4)
    d.axis((0.12, 0, 0), (0, 0, 0.85), "axis2", SECOND)
    d.turn((0.12, 0, 0.6), Z, 0.2, "angle2", SECOND, (-1, 0, 0), 4.4)
    d.mark((0.12, 0, 0), "anchor", (-34, 22))
    d.text((-0.8, -0.1, 0), "body1", shift=(0, 4))
    d.text((0.8, -0.1, 0), "body2", shift=(0, 24))


def piston(d: Drawing) -> None:
    """A rod in a tube."""
    d.rod((0.0, 0, 0), (1.1, 0, 0), 0.26, BODY2)
    d.rod((0.0, 0, 0), (-0.9, 0, 0), 0.15, BODY1)
    d.axis((0.2, 0, 0), (1.7, 0, 0), "axis", FIRST, (0, -10))
    d.line([(-0.75, -0.15, 0.26), (-0.2, -0.15, 0.26)], FIRST)
    d.text((-0.5, -0.15, 0.26), "position", FIRST, (0, -6))
    d.turn((1.5, 0, 0), X, 0.22, "", FIRST, (0, -1, 0.2), 4.4)
    d.text((1.5, 0, 0), "angle", FIRST, (14, 42))
    d.mark((0.0, 0, 0), "anchor", (-8, 36))
    d.text((-0.55, -0.15, 0), "body1", shift=(0, 6))
    d.text((0.6, -0.26, 0), "body2", shift=(0, 6))


def amotor(d: Drawing) -> None:
    """A block, and three axes about which it is driven."""
    d.box((0, 0, 0), (0.6, 0.5, 0.4), BODY1)
    d.text((0, -0.25, 0), "body1", shift=(0, 5))
    for way, label, colour, start in ((X, "axes[0]", FIRST, -Y), (Y, "axes[1]", SECOND, X), (Z, "axes[2]", THIRD, X)):
        d.line([0.4 * way, 1.0 * way], colour)
        d.text(1.0 * way, label, colour, (8, -8))
        d.turn(0.7 * way, way, 0.18, "", colour, start, 4.4)


def lmotor(d: Drawing) -> None:
    """A block, and three axes along which it is driven."""
    d.box((0, 0, 0), (0.6, 0.5, 0.4), BODY1)
    d.text((0, -0.25, 0), "body1", shift=(0, 5))
    for way, label, colour in ((X, "axes[0]", FIRST), (Y, "axes[1]", SECOND), (Z, "axes[2]", THIRD)):
        d.line([0.4 * way, 1.0 * way], colour)
        d.text(1.0 * way, label, colour, (8, -8))


def plane2d(d: Drawing) -> None:
    """A block on the plane z = 0."""
    d.box((0, 0, -0.02), (2.4, 1.6, 0.04), STILL)
    turn = np.array([[math.cos(0.4), -math.sin(0.4), 0], [math.sin(0.4), math.cos(0.4), 0], [0, 0, 1]])
    d.box((0.3, 0.1, 0.12), (0.6, 0.4, 0.24), BODY1, turn)
    d.frame((-0.8, -0.5, 0), 0.45)
    d.line([(-0.8, -0.5, 0), (0.3, 0.1, 0)], MEASURE, width=1.2, dashes="4 3")
    d.text((-0.2, -0.2, 0), "position", MEASURE, (0, 18))
    d.turn((0.3, 0.1, 0.0), Z, 0.55, "angle", FIRST, (1, -0.5, 0), 0.9)
    d.text((0.3, 0.1, 0.24), "body1", shift=(-6, 4))


def dball(d: Drawing) -> None:
    """Two balls on a rod."""
    d.ball((-0.8, 0, 0.1), (0.28, 0.28, 0.28), BODY1)
    d.ball((0.8, 0, 0.4), (0.28, 0.28, 0.28), BODY2)
    d.measure((-0.8, 0, 0.1), (0.8, 0, 0.4), "distance")
    d.mark((-0.8, 0, 0.1), "anchor1", (0, 20))
    d.mark((0.8, 0, 0.4), "anchor2", (0, 20))
    d.text((-0.8, 0, 0.42), "body1")
    d.text((0.8, 0, 0.72), "body2")


def dhinge(d: Drawing) -> None:
    """Two blocks on a rod with parallel hinges."""
    d.box((-0.95, 0, 0), (0.5, 0.4, 0.16), BODY1)
    d.box((1.0, 0, 0.3), (0.5, 0.4, 0.16), BODY2)
    d.measure((-0.7, 0, 0), (0.75, 0, 0.3), "distance")
    for x, z, label in ((-0.7, 0, "axis"), (0.75, 0.3, "axis")):
        d.axis((x, 0, z), (0, -0.7, 0), label, FIRST, (-16, 10))
    d.mark((-0.7, 0, 0), "anchor1", (14, 22))
    d.mark((0.75, 0, 0.3), "anchor2", (6, 22))
    d.text((-1.0, 0, 0.08), "body1", shift=(-8, -12))
    d.text((1.1, 0, 0.38), "body2", shift=(8, -12))


def transmission(d: Drawing) -> None:
    """Two wheels with parallel axes, which turn against each other."""
    d.rod((-0.5, 0, -0.08), (-0.5, 0, 0.08), 0.7, BODY1)
    d.rod((0.56, 0, -0.08), (0.56, 0, 0.08), 0.35, BODY2)
    d.line([(-0.5, 0, 0.08), (-0.5, 0, 0.8)], FIRST)
    d.text((-0.5, 0, 0.8), "axis", FIRST)
    d.line([(0.56, 0, 0.08), (0.56, 0, 0.8)], FIRST)
    d.text((0.56, 0, 0.8), "axis", FIRST)
    d.turn((-0.5, 0, 0.08), Z, 0.52, "1 turn", FIRST, (-0.2, -1, 0), 1.3)
    d.turn((0.56, 0, 0.08), -Z, 0.24, "", FIRST, (0.8, -1, 0), 1.9)
    d.text((0.56, -0.3, 0.08), "ratio turns", FIRST, (-2, 12))
    d.mark((-0.5, 0, 0.08), "anchor1", (-28, 4))
    d.mark((0.56, 0, 0.08), "anchor2", (32, 2))
    d.text((-0.9, -0.55, -0.08), "body1", shift=(-16, 18))
    d.text((0.7, -0.3, -0.08), "body2", shift=(30, 22))


def box_shape(d: Drawing) -> None:
    """A box."""
    d.box((0, 0, 0), (1.2, 0.8, 0.6), BODY1)
    d.measure((-0.6, -0.4, -0.38), (0.6, -0.4, -0.38), "lengths[0]", (0, 18))
    d.measure((0.68, -0.4, -0.3), (0.68, 0.4, -0.3), "lengths[1]", (40, 10))
    d.measure((-0.7, -0.4, -0.3), (-0.7, -0.4, 0.3), "lengths[2]", (-36, 4))
    d.frame((0, 0, 0), 0.95)


def sphere(d: Drawing) -> None:
    """A sphere."""
    d.ball((0, 0, 0), (0.6, 0.6, 0.6), BODY1)
    d.measure((0, 0, 0), 0.6 * (0.8 * RIGHT + 0.6 * UP), "radius", (-14, -6))
    d.mark((0, 0, 0))


def capsule(d: Drawing) -> None:
    """A capsule along z."""
    radius, half = 0.35, 0.5
    rim = [
        np.array([0, 0, z]) + radius * (math.cos(t) * RIGHT + math.sin(t) * UP)
        for z in (-half, half)
        for t in np.linspace(0, 6.3, 60)
    ]
    d.polygon(hull(seen(rim)), BODY1)
    d.measure((0, 0, -half), (0, 0, half), "length", (-26, 4))
    d.measure((0, 0, half), np.array([0, 0, half]) + radius * RIGHT, "radius", (0, -6))
    d.frame((0.9, 0, -0.5), 0.4)


def cylinder(d: Drawing) -> None:
    """A cylinder along z."""
    d.rod((0, 0, -0.5), (0, 0, 0.5), 0.4, BODY1)
    d.measure((0, 0, 0.5), np.array([0, 0, 0.5]) + 0.4 * RIGHT, "radius", (0, -6))
    d.measure(np.array([0, 0, -0.5]) - 0.5 * RIGHT, np.array([0, 0, 0.5]) - 0.5 * RIGHT, "length", (-26, 4))
    d.frame((0.95, 0, -0.5), 0.4)


def cone(d: Drawing) -> None:
    """A cone along z, with the origin of its frame."""
    d.rod((0, 0, -0.25), (0, 0, 0.75), 0.5, BODY1, top=0.0)
    d.measure((0, 0, -0.25), np.array([0, 0, -0.25]) + 0.5 * RIGHT, "radius", (0, 16))
    d.measure(np.array([0, 0, -0.25]) - 0.62 * RIGHT, np.array([0, 0, 0.75]) - 0.62 * RIGHT, "height", (-26, 4))
    d.mark((0, 0, 0), "origin", (0, -8))
    d.frame((1.05, 0, -0.25), 0.4)


def ellipsoid(d: Drawing) -> None:
    """An ellipsoid."""
    d.ball((0, 0, 0), (0.8, 0.6, 0.4), BODY1)
    d.measure((0, 0, 0), (0.8, 0, 0), "radii[0]", (6, 18))
    d.measure((0, 0, 0), (0, -0.6, 0), "radii[1]", (-30, 8))
    d.measure((0, 0, 0), (0, 0, 0.4), "radii[2]", (-26, -2))


def rounded_box(d: Drawing) -> None:
    """A box whose edges are rounded, from in front."""
    r, halves = 0.16, np.array([0.6, 0.4, 0.35])
    turns, tilts = np.linspace(0, 2 * math.pi, 25), np.linspace(0, math.pi, 13)
    ball_points = np.array(
        [(math.sin(b) * math.cos(a), math.sin(b) * math.sin(a), math.cos(b)) for a in turns for b in tilts]
    )
    corners = [np.array([i, j, k]) * (halves - r) for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)]
    d.polygon(hull(seen(np.concatenate([c + r * ball_points for c in corners]))), BODY1)
    for k in range(3):
        side = 1 if np.eye(3)[k] @ TOWARD > 0 else -1
        i, j = (k + 1) % 3, (k + 2) % 3
        face = [
            side * halves[k] * np.eye(3)[k] + a * (halves - r)[i] * np.eye(3)[i] + b * (halves - r)[j] * np.eye(3)[j]
            for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))
        ]
        d.polygon(seen(face), shade(BODY1, side * np.eye(3)[k]))
    d.measure((-0.6, -0.4, -0.5), (0.6, -0.4, -0.5), "lengths[0]", (0, 18))
    d.measure((0.72, -0.4, -0.35), (0.72, 0.4, -0.35), "lengths[1]", (40, 10))
    d.measure((-0.72, -0.4, -0.35), (-0.72, -0.4, 0.35), "lengths[2]", (-36, 4))
    d.measure((0.44, -0.4, 0.19), np.array([0.44, -0.4, 0.19]) + r * (0.75 * RIGHT + 0.66 * UP), "radius", (34, -6))


def plane(d: Drawing) -> None:
    """A plane, its normal and its distance from the origin."""
    d.box((0, 0, 0.35), (1.8, 1.4, 0.02), STILL)
    d.frame((0, 0, -0.35), 0.3)
    d.line([(0, 0, -0.35), (0, 0, 0.36)], MEASURE, width=1.2, tips=2)
    d.text((0, 0, 0.0), "offset", MEASURE, (-30, 14))
    d.line([(0, 0, 0.36), (0, 0, 0.95)], FIRST)
    d.text((0, 0, 0.95), "normal", FIRST)
    d.text((0.5, -0.2, 0.36), "solid below")
    d.text((0, 0, -0.35), "origin of the world", shift=(0, 24))


def heightfield(d: Drawing) -> None:
    """A heightfield with up="z": x along its width, depth along -y."""
    count = 12
    across, along = np.linspace(-0.9, 0.9, count), np.linspace(0.7, -0.7, count)
    z = 0.12 * np.sin(3.2 * across)[:, None] + 0.16 * np.cos(3.0 * along)[None, :]
    for j in range(count - 1):
        for i in range(count - 1):
            cell = np.array(
                [(across[a], along[b], z[a, b]) for a, b in ((i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1))]
            )
            normal = np.cross(cell[3] - cell[0], cell[1] - cell[0])
            d.polygon(seen(cell), shade(STILL, normal if normal[2] > 0 else -normal))
    d.measure((-0.9, -0.7, -0.4), (0.9, -0.7, -0.4), "width", (0, 18))
    d.measure((1.0, 0.7, -0.3), (1.0, -0.7, -0.3), "depth", (26, 10))
    d.frame((0, 0, 0.2), 0.4)


def body(d: Drawing) -> None:
    """Frames of the world and of a body."""
    turn = about_y(-0.5) @ np.array([[0.88, -0.48, 0], [0.48, 0.88, 0], [0, 0, 1]])
    d.box((0.9, 0, 0.5), (0.8, 0.5, 0.4), BODY1, turn)
    d.frame((-0.8, 0, 0), 0.5)
    d.text((-0.8, 0, 0), "world", shift=(0, 22))
    d.frame((0.9, 0, 0.5), 0.7, turn, "xyz")
    d.line([(-0.8, 0, 0), (0.9, 0, 0.5)], MEASURE, width=1.2, dashes="4 3")
    d.text((0.05, 0, 0.25), "position", MEASURE, (-8, 22))
    d.mark((0.9, 0, 0.5), "centre of mass", (10, 44))
    d.text((0.9, 0, 1.35), "rotation, quaternion: its axes in the world")


def contact(d: Drawing) -> None:
    """Two overlapping geoms."""
    d.box((0, 0, -0.2), (1.8, 1.0, 0.4), BODY2)
    d.ball((0, 0, 0.32), (0.4, 0.4, 0.4), BODY1)
    d.line([(0, 0, -0.08), (0, 0, 0.95)], FIRST)
    d.text((0, 0, 0.95), "normal", FIRST)
    d.mark((0, 0, -0.08), "position", (-40, 4))
    d.measure((0.5, 0, -0.08), (0.5, 0, 0.0), "depth", (26, 6))
    d.text((0.12, 0, 0.45), "geom1", shift=(16, 0))
    d.text((-0.6, -0.5, -0.2), "geom2", shift=(0, 4))


DIAGRAMS: dict[str, Callable[[Drawing], None]] = {
    "Ball": ball, "Hinge": hinge, "Slider": slider, "Universal": universal, "Hinge2": hinge2, "PR": pr, "PU": pu,
    "Piston": piston, "AMotor": amotor, "LMotor": lmotor, "Plane2D": plane2d, "DBall": dball, "DHinge": dhinge,
    "Transmission": transmission, "Box": box_shape, "Sphere": sphere, "Capsule": capsule, "Cylinder": cylinder,
    "Cone": cone, "Ellipsoid": ellipsoid, "RoundedBox": rounded_box, "Plane": plane, "Heightfield": heightfield,
    "Body": body, "Contact": contact,
}  # fmt: skip


def diagram(name: str) -> str:
    """The diagram of a class, as SVG."""
    drawing = Drawing()
    DIAGRAMS[name](drawing)
    return drawing.page()


if __name__ == "__main__":
    PICTURES.mkdir(parents=True, exist_ok=True)
    for name in DIAGRAMS:
        (PICTURES / f"{name}.svg").write_text(diagram(name), encoding="utf-8")
