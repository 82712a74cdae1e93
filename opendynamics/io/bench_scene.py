"""Benchmark scenes: a plain text file, one item a line, into a BenchScene.

Reads text, writes dataclasses; uses neither NumPy nor the engine, so that a peer engine can be
driven from the same file. SI units, Z up, quaternions (w, x, y, z); bodies are numbered from 0 in
the order of their lines and -1 is the static world:

    plane a b c d                                   all points with a x + b y + c z >= d are free
    body sphere  px py pz qw qx qy qz mass r
    body box     px py pz qw qx qy qz mass lx ly lz  full edge lengths
    body capsule px py pz qw qx qy qz mass r len     len: cylinder part, along the body's Z
    nogeom_body  px py pz qw qx qy qz mass r         moves like a sphere, touches nothing
    ball b1 b2 ax ay az
    hinge b1 b2 ax ay az ux uy uz lo hi
    universal b1 b2 ax ay az u1x u1y u1z u2x u2y u2z lo1 hi1 lo2 hi2
    hfield n cell                                    n x n samples of terrain_height, centred
    trimesh n cell                                   the same surface as (n - 1)(n - 1) 2 triangles

Empty lines and everything after a `#` are ignored. Stops may be `-inf` and `inf`. A file has at most
`MAX_LINES` lines, and its terrains at most `MAX_SAMPLES` samples together.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TypeAlias

from opendynamics.api.files import FileError, quoted, read_bytes

Vector: TypeAlias = tuple[float, float, float]
Quaternion: TypeAlias = tuple[float, float, float, float]

# The body number of the static world.
WORLD = -1

# Limits of a decompressed file, and of all its terrains, whose samples are not in the file.
MAX_BYTES, MAX_LINES, MAX_SAMPLES = 1 << 24, 100_000, 1 << 15


class BenchSceneError(FileError):
    """A benchmark scene that cannot be read: names the file, the line, the problem and the remedy."""


def _line() -> int:
    """A field with the line of an item; it does not affect equality."""
    return field(default=0, compare=False, repr=False)


@dataclass(frozen=True)
class Plane:
    """A static half-space `normal . p <= offset`: unit normal (pointing out of it), offset in m."""

    normal: Vector
    offset: float
    line: int = _line()


@dataclass(frozen=True)
class BodyItem:
    """A moving body, initially at rest.

    `kind` is "sphere", "box", "capsule" or "nogeom"; `position` of the centre of mass in m;
    `quaternion` (w, x, y, z); `mass` in kg, spread evenly over the shape; `sizes` in m:
    (radius,), (edge x, edge y, edge z), (radius, length of the cylinder part) or, for a body without
    a geom, the (radius,) of the sphere whose inertia it has.
    """

    kind: str
    position: Vector
    quaternion: Quaternion
    mass: float
    sizes: tuple[float, ...]
    line: int = _line()


@dataclass(frozen=True)
class BallItem:
    """A ball joint between two bodies at `anchor` (m, world frame)."""

    body1: int
    body2: int
    anchor: Vector
    line: int = _line()


@dataclass(frozen=True)
class HingeItem:
    """A hinge at `anchor` (m) about `axis` (world frame), free from `low` to `high` (rad)."""

    body1: int
    body2: int
    anchor: Vector
    axis: Vector
    low: float
    high: float
    line: int = _line()


@dataclass(frozen=True)
class UniversalItem:
    """A universal joint at `anchor` (m); `axis1` is fixed in body 1, `axis2` in body 2 (world frame).

    `low1` to `high1` and `low2` to `high2` are the stops about the two axes in rad.
    """

    body1: int
    body2: int
    anchor: Vector
    axis1: Vector
    axis2: Vector
    low1: float
    high1: float
    low2: float
    high2: float
    line: int = _line()


JointItem: TypeAlias = BallItem | HingeItem | UniversalItem


def terrain_height(x: float, y: float) -> float:
    """The height in m of all benchmark terrains at the point (x, y), both in m."""
    return 0.5 * math.sin(0.35 * x) * math.cos(0.27 * y) + 0.15 * math.sin(1.1 * x + 0.7 * y)


@dataclass(frozen=True)
class Terrain:
    """A static square of `samples` x `samples` heights, `cell` m apart, centred on the origin.

    `kind` is "hfield" (a height field) or "trimesh" (a triangle mesh of the same surface).
    """

    kind: str
    samples: int
    cell: float
    line: int = _line()

    def coordinate(self, index: int) -> float:
        """The x (or y) in m of the sample column (or row) `index`."""
        return (index - 0.5 * (self.samples - 1)) * self.cell

    def heights(self) -> list[list[float]]:
        """The heights in m, `samples` rows of `samples`: row along y, column along x."""
        line = [self.coordinate(i) for i in range(self.samples)]
        return [[terrain_height(x, y) for x in line] for y in line]

    def mesh(self) -> tuple[list[Vector], list[tuple[int, int, int]]]:
        """The vertices (m) and the triangles (vertex indices, counterclockwise from above)."""
        n = self.samples
        line = [self.coordinate(i) for i in range(n)]
        corners = [(x, y, terrain_height(x, y)) for y in line for x in line]
        triangles = []
        for j in range(n - 1):
            for i in range(n - 1):
                a = j * n + i
                triangles.append((a, a + 1, a + n))
                triangles.append((a + 1, a + n + 1, a + n))
        return corners, triangles


@dataclass
class BenchScene:
    """A scene: its items in file order, and its conditions for every engine.

    `gravity` in m/s²; `timestep` in s; `friction` is the coefficient mu of every contact
    (friction force bounded by mu times the normal force); at most `max_contacts` contact points
    a pair of geoms. Two bodies that share a joint do not collide. `source` is the file, for messages.
    """

    name: str
    source: str = ""
    planes: list[Plane] = field(default_factory=list)
    bodies: list[BodyItem] = field(default_factory=list)
    joints: list[JointItem] = field(default_factory=list)
    terrains: list[Terrain] = field(default_factory=list)
    gravity: Vector = (0.0, 0.0, -9.81)
    timestep: float = 0.01
    friction: float = 0.5
    max_contacts: int = 8

    @property
    def collides(self) -> bool:
        """Whether anything in the scene can collide."""
        return any(body.kind != "nogeom" for body in self.bodies)


# Fields of each kind of line after its name, in the order of the file.
_PLACE = ("px", "py", "pz", "qw", "qx", "qy", "qz", "mass")
_PAIR = ("b1", "b2", "ax", "ay", "az")
_FIELDS: dict[str, tuple[str, ...]] = {
    "plane": ("a", "b", "c", "d"),
    "body sphere": (*_PLACE, "r"),
    "body box": (*_PLACE, "lx", "ly", "lz"),
    "body capsule": (*_PLACE, "r", "len"),
    "nogeom_body": (*_PLACE, "r"),
    "ball": _PAIR,
    "hinge": (*_PAIR, "ux", "uy", "uz", "lo", "hi"),
    "universal": (*_PAIR, "u1x", "u1y", "u1z", "u2x", "u2y", "u2z", "lo1", "hi1", "lo2", "hi2"),
    "hfield": ("n", "cell"),
    "trimesh": ("n", "cell"),
}
_STOPS = frozenset({"lo", "hi", "lo1", "hi1", "lo2", "hi2"})
_WHOLE = frozenset({"b1", "b2", "n"})
_POSITIVE = frozenset({"mass", "r", "lx", "ly", "lz", "cell"})


class _Line:
    """One line of the file: its words, and its errors."""

    def __init__(self, source: str, number: int, text: str) -> None:
        self.source = source
        self.number = number
        self.text = text
        words = text.split()
        size = 2 if words[0] == "body" else 1
        self.kind = " ".join(words[:size])
        self.words = words[size:]

    def error(self, problem: str, remedy: str) -> BenchSceneError:
        reason = f"{quoted(problem)} in {quoted(self.text)!r}"
        return BenchSceneError(self.source, f"line {self.number}", reason, remedy)

    def values(self) -> list[float]:
        """The numbers of the line, each checked for its field."""
        if self.kind not in _FIELDS:
            raise self.error(f"unknown item {self.kind!r}", f"write one of: {', '.join(_FIELDS)}")
        names = _FIELDS[self.kind]
        if len(self.words) != len(names):
            raise self.error(
                f"{len(self.words)} values where {len(names)} are needed",
                f"write: {self.kind} {' '.join(names)}",
            )
        return [self._value(name, word) for name, word in zip(names, self.words, strict=True)]

    def _value(self, name: str, word: str) -> float:
        try:
            value = float(word)
        except ValueError:
            raise self.error(f"{name} = {word!r} is not a number", "write a decimal number") from None
        if math.isnan(value):
            raise self.error(f"{name} is not a number", "write a decimal number")
        if math.isinf(value) and name not in _STOPS:
            raise self.error(f"{name} = {word} is infinite", "only the stops of joints may be")
        if name in _WHOLE and value != int(value):
            raise self.error(f"{name} = {word} is not whole", "write an integer")
        if name in _POSITIVE and value <= 0.0:
            raise self.error(f"{name} = {word} is not positive", "write a value above 0")
        return value

    def vector(self, values: list[float], start: int, what: str) -> Vector:
        """Three of the values as a direction, which must not be zero."""
        x, y, z = values[start : start + 3]
        if math.hypot(x, y, z) == 0.0:
            raise self.error(f"the {what} is zero", "write a vector with a direction")
        return x, y, z


def _add_plane(scene: BenchScene, line: _Line, v: list[float]) -> None:
    a, b, c = line.vector(v, 0, "normal")
    length = math.hypot(a, b, c)
    normal, offset = (a / length, b / length, c / length), v[3] / length
    if math.isinf(length) or math.isinf(offset):
        raise line.error("the normal is too long or too short", "write a normal of length 1")
    scene.planes.append(Plane(normal, offset, line.number))


def _add_body(scene: BenchScene, line: _Line, v: list[float]) -> None:
    w, x, y, z = v[3:7]
    norm = math.hypot(w, x, y, z)
    if abs(norm - 1.0) > 1e-6:
        raise line.error(f"the quaternion has length {norm:g}", "write a unit quaternion, w first")
    sizes = tuple(v[8:])
    if line.kind == "body capsule" and sizes[1] < 0.0:
        raise line.error(f"len = {sizes[1]:g} is negative", "write the cylinder's length, 0 or more")
    kind = "nogeom" if line.kind == "nogeom_body" else line.kind.removeprefix("body ")
    scene.bodies.append(BodyItem(kind, (v[0], v[1], v[2]), (w, x, y, z), v[7], sizes, line.number))


def _check_stops(line: _Line, low: float, high: float) -> None:
    if low > high:
        raise line.error(f"the stops {low:g} and {high:g} are reversed", "write the lower stop first")


def _add_joint(scene: BenchScene, line: _Line, v: list[float]) -> None:
    body1, body2 = int(v[0]), int(v[1])
    if body1 == body2:
        raise line.error(f"body {body1} is joined to itself", "name two bodies, or -1 for the world")
    anchor = (v[2], v[3], v[4])
    if line.kind == "ball":
        scene.joints.append(BallItem(body1, body2, anchor, line.number))
    elif line.kind == "hinge":
        axis = line.vector(v, 5, "axis")
        _check_stops(line, v[8], v[9])
        scene.joints.append(HingeItem(body1, body2, anchor, axis, v[8], v[9], line.number))
    else:
        axis1, axis2 = line.vector(v, 5, "first axis"), line.vector(v, 8, "second axis")
        dot = sum(p * q for p, q in zip(axis1, axis2, strict=True))
        if not abs(dot) <= 0.999999 * math.hypot(*axis1) * math.hypot(*axis2):
            raise line.error("the two axes are parallel", "write two axes at an angle, best 90 degrees")
        _check_stops(line, v[11], v[12])
        _check_stops(line, v[13], v[14])
        stops = v[11], v[12], v[13], v[14]
        scene.joints.append(UniversalItem(body1, body2, anchor, axis1, axis2, *stops, line.number))


def _add_terrain(scene: BenchScene, line: _Line, v: list[float]) -> None:
    if v[0] < 2:
        raise line.error(f"n = {int(v[0])} samples make no surface", "write 2 or more")
    samples = v[0] * v[0] + sum(terrain.samples**2 for terrain in scene.terrains)
    if samples > MAX_SAMPLES:
        raise line.error(f"{samples:g} samples are too many", f"write terrains of at most {MAX_SAMPLES} together")
    scene.terrains.append(Terrain(line.kind, int(v[0]), v[1], line.number))


_ADD: dict[str, Callable[[BenchScene, _Line, list[float]], None]] = {
    "plane": _add_plane,
    "body sphere": _add_body,
    "body box": _add_body,
    "body capsule": _add_body,
    "nogeom_body": _add_body,
    "ball": _add_joint,
    "hinge": _add_joint,
    "universal": _add_joint,
    "hfield": _add_terrain,
    "trimesh": _add_terrain,
}


def parse_bench_scene(text: str, name: str = "scene") -> BenchScene:
    """The scene that `text` describes; `name` is used in error messages.

    Raises BenchSceneError (a `ValueError`) at the first line that is wrong, naming the
    line's number, its text and the remedy. Joints may stand before the bodies they join.
    """
    lines = text.count("\n") + 1
    if lines > MAX_LINES + 1:
        raise BenchSceneError(name, f"line {MAX_LINES + 1}", f"{lines} lines are more than {MAX_LINES}, the limit")
    scene = BenchScene(name, name)
    joint_lines: list[_Line] = []
    for number, raw in enumerate(text.split("\n"), start=1):
        content = raw.split("#", 1)[0].strip()
        if not content:
            continue
        line = _Line(name, number, content)
        values = line.values()
        _ADD[line.kind](scene, line, values)
        if values and _FIELDS[line.kind][0] == "b1":
            joint_lines.append(line)
    count = len(scene.bodies)
    bodies = f"bodies 0 to {count - 1}" if count else "no bodies"
    for line, joint in zip(joint_lines, scene.joints, strict=True):
        for index in (joint.body1, joint.body2):
            if not WORLD <= index < count:
                raise line.error(f"there is no body {index}", f"the scene has {bodies}, and -1 is the world")
    return scene


def read_bench_scene(path: str | Path) -> BenchScene:
    """The scene in the file `path`, which may be packed by gzip.

    Raises BenchSceneError as parse_bench_scene does, or if the file is damaged or unpacks to
    more than `MAX_BYTES`, and `OSError` if there is none. The scene is named after the file, without its
    endings.
    """
    path = Path(path)
    data = read_bytes(path, MAX_BYTES, partial(BenchSceneError, path))
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BenchSceneError(
            path, f"byte {error.start}", f"it cannot be read as text in UTF-8: {error.reason}"
        ) from None
    scene = parse_bench_scene(text, str(path))
    scene.name = path.name.removesuffix(".gz").removesuffix(".txt")
    return scene
