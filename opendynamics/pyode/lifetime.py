"""Lifetime of ODE's objects: PyODE destroys a body, a joint, a geom or a space as soon as Python has released it.

Python may release an object at any time, in the middle of a step or of a collision. Released objects are therefore kept here,
and destroyed before the next call that could show the difference.
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

# The C objects of PyODE objects, by id. If only those referenced them, the cycle collector could end both at once, in any
# order, and at any time.
_living: dict[int, Any] = {}
FORGOTTEN: deque[Any] = deque()
_steps: set[object] = set()
_collisions: set[object] = set()


def keep(identifier: Any) -> None:
    """Keep an object until it is released."""
    _living[id(identifier)] = identifier


def forget(identifier: Any) -> None:
    """Schedule the destruction of an object, if it is kept."""
    if _living.pop(id(identifier), None) is not None:
        FORGOTTEN.append(identifier)


def clean_up() -> None:
    """Destroy released objects, except those used by a running step or collision."""
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
                identifier.cleanup = False  # its geoms are destroyed with their own objects
            if isinstance(identifier, Body):
                identifier.destroy(keep_geoms=True)
            else:
                identifier.destroy()


@contextmanager
def stepping() -> Iterator[None]:
    """Nothing is destroyed while a world is being stepped."""
    clean_up()
    token = object()
    _steps.add(token)
    try:
        yield
    finally:
        _steps.discard(token)


@contextmanager
def colliding() -> Iterator[None]:
    """Only joints are destroyed while a space is being collided."""
    clean_up()
    token = object()
    _collisions.add(token)
    try:
        yield
    finally:
        _collisions.discard(token)
