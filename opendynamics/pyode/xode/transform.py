"""Transforms of XODE elements."""

from __future__ import annotations

import math

from opendynamics.pyode.xode.elements import Element
from opendynamics.pyode.xode.errors import ChildError

Rows = list[list[float]]

_FORMATS = ("radians", "degrees")


class Transform:
    """A matrix `m` of 4x4 numbers, row-major, whose last row is the position, and whose first three are the rotation.

    The rotation is passed to ODE unchanged, as PyODE does. Rotations about x, y and z, `euler` in documents, are therefore
    the inverse of right-handed ones; quaternions and axis-angle are right-handed.
    """

    def __init__(self) -> None:
        self.m: Rows = []
        self.setIdentity()
        self._absolute = False

    def setIdentity(self) -> None:
        """Reset to the identity."""
        self.m = [[float(r == k) for k in range(4)] for r in range(4)]

    def isAbsolute(self) -> bool:
        """Whether the transform is not relative to that of the parent."""
        return self._absolute

    def translate(self, x: float, y: float, z: float) -> None:
        """Translate after the current transform."""
        step = Transform()
        step.m[3][:3] = [x, y, z]
        self.m = (self * step).m

    def scale(self, x: float, y: float, z: float) -> None:
        """Scale after the current transform."""
        step = Transform()
        for k, factor in enumerate((x, y, z)):
            step.m[k][k] = factor
        self.m = (self * step).m

    def rotate(self, x: float, y: float, z: float) -> None:
        """Rotate after the current transform about x, then y, then z, rad."""
        for axis, angle in enumerate((x, y, z)):
            one, two = (axis + 1) % 3, (axis + 2) % 3
            step = Transform()
            step.m[one][one] = step.m[two][two] = math.cos(angle)
            step.m[one][two], step.m[two][one] = math.sin(angle), -math.sin(angle)
            self.m = (self * step).m

    def rotateByQuaternion(self, w: float, x: float, y: float, z: float) -> None:
        """Rotate after the current transform by a quaternion of any length except zero."""
        length = math.sqrt(w * w + x * x + y * y + z * z)
        if not 1e-150 < length < math.inf:
            raise ValueError(f"a quaternion must not be zero, but is ({w}, {x}, {y}, {z})")
        w, x, y, z = w / length, x / length, y / length, z / length
        step = Transform()
        step.m[0][:3] = [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)]
        step.m[1][:3] = [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)]
        step.m[2][:3] = [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]
        self.m = (self * step).m

    def getPosition(self) -> tuple[float, float, float]:
        x, y, z = self.m[3][:3]
        return x, y, z

    def getRotation(self) -> tuple[float, ...]:
        """Return the rotation, 9 numbers, row-major."""
        return tuple(number for row in self.m[:3] for number in row[:3])

    def __mul__(self, other: Transform) -> Transform:
        """Return the product of the matrices."""
        product = Transform()
        columns = list(zip(*other.m, strict=True))
        product.m = [[sum(a * b for a, b in zip(row, column, strict=True)) for column in columns] for row in self.m]
        return product


def read_transform(element: Element) -> Transform:
    """The transform that a <transform> element describes: rotation, then position, then scale."""
    transform = Transform()
    transform._absolute = element.choice("absolute", ("false", "true")) == "true"
    scale = element.number("scale", 1.0)
    rotations: list[Element] = []
    position: tuple[float, ...] | None = None
    for child in element.children:
        if child.name == "matrix4f":
            transform.m = [[child.number(f"m{r}{k}") for k in range(4)] for r in range(4)]
        elif child.name == "position":
            position = child.vector()
        elif child.name == "rotation":
            rotations += child.children
        else:
            rotations.append(child)
    for rotation in rotations:
        _rotate(transform, rotation)
    if position is not None:
        transform.translate(*position)
    transform.scale(scale, scale, scale)
    return transform


def _rotate(transform: Transform, element: Element) -> None:
    unit = math.pi / 180.0 if element.choice("aformat", _FORMATS) == "degrees" else 1.0
    if element.name == "euler":
        x, y, z = element.vector()
        transform.rotate(unit * x, unit * y, unit * z)
    elif element.name == "quaternion":
        with element.blamed():
            transform.rotateByQuaternion(*element.vector("w", "x", "y", "z"))
    elif element.name in ("axisangle", "axisAngle"):
        axis, angle = element.vector(), unit * element.number("angle")
        length = math.hypot(*axis)
        if length == 0.0:
            raise element.error("the axis must not be zero")
        part = math.sin(angle / 2.0) / length
        with element.blamed():
            transform.rotateByQuaternion(math.cos(angle / 2.0), *(part * number for number in axis))
    else:
        raise ChildError("transform", element.name, element.line)
