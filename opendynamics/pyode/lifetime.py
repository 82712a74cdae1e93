"""When ODE's objects end: PyODE destroys a body, a joint, a geom or a space as soon as Python has forgotten it.

Python may forget an object at any time, in the middle of a step or of a collision. What it forgot is therefore kept
here, and destroyed before the next call that could show the difference.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from opendynamics.api.body import Body
from opendynamics.api.joint_group import JointGroup
from opendynamics.api.joints.joint import Joint
from opendynamics.api.spaces.space import Space

# What has an object of PyODE's, by id. Were it referred to by that alone, the collector of cycles might end both at once,
# in any order, and in the middle of anything.
_living: dict[int, Any] = {}
FORGOTTEN: deque[Any] = deque()
_steps: set[object] = set()
_collisions: set[object] = set()


def keep(identifier: Any) -> None:
    """Keep an object until it is forgotten."""
    _living[id(identifier)] = identifier


def forget(identifier: Any) -> None:
    """Have an object destroyed soon, if it is kept."""
    if _living.pop(id(identifier), None) is not None:
        FORGOTTEN.append(identifier)


def clean_up() -> None:
    """Destroy what was forgotten, but for what a step or a collision is using."""
    if not FORGOTTEN or _steps:
        return
    for _ in range(len(FORGOTTEN)):
        try:
            identifier = FORGOTTEN.popleft()
        except IndexError:  # another thread was faster
            return
        if isinstance(identifier, JointGroup):
            identifier.empty()
        elif _collisions and not isinstance(identifier, Joint):
            FORGOTTEN.append(identifier)
        elif identifier.alive:
            if isinstance(identifier, Space):
                identifier.cleanup = False  # its geoms end with their own objects
            if isinstance(identifier, Body):
                identifier.destroy(keep_geoms=True)
            else:
                identifier.destroy()


@contextmanager
def stepping() -> Iterator[None]:
    """While a world is being stepped, nothing is destroyed."""
    clean_up()
    token = object()
    _steps.add(token)
    try:
        yield
    finally:
        _steps.discard(token)


@contextmanager
def colliding() -> Iterator[None]:
    """While a space is being collided, only joints are destroyed."""
    clean_up()
    token = object()
    _collisions.add(token)
    try:
        yield
    finally:
        _collisions.discard(token)
