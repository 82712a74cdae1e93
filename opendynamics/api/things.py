"""Bodies, joints and geoms as properties list them: tuples whose errors say how one of them is added or removed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

T = TypeVar("T")

ADD = ("append", "extend", "insert", "add")
REMOVE = ("remove", "pop", "clear", "discard")


class Things(tuple[T, ...]):
    """A tuple that says what to call where a list would be changed; copies and pickles of it are tuples."""

    __slots__ = ()

    if not TYPE_CHECKING:  # type checkers would take every name for good

        def __getattr__(self, name: str) -> Any:
            end = ""
            if name in ADD:
                end = (
                    ": this is a copy of what the world has; add by world.add_body(od.Sphere(0.1)), world.add_geom(geom) or "
                    "world.add_hinge(body1, body2)"
                )
            elif name in REMOVE:
                end = ": this is a copy of what the world has; call destroy() of the body, joint or geom"
            else:
                end = "; world.find(name) gives the body, joint or geom of a name"
            raise AttributeError(f"a tuple has no attribute {name!r}{end}", obj=self)

        def __getitem__(self, place: Any) -> Any:
            if isinstance(place, str):
                raise TypeError(
                    f"a tuple has no {place!r}: world.find({place!r}) gives the body, joint or geom of that name"
                )
            return tuple.__getitem__(self, place)

        def __setitem__(self, place: Any, value: Any) -> None:
            raise TypeError(
                "this is a copy of what the world has, and no place in it can be set: change the body, joint or geom itself"
            )

        def __delitem__(self, place: Any) -> None:
            raise TypeError(
                "this is a copy of what the world has: call destroy() of the body, joint or geom, as in world.bodies[0].destroy()"
            )

    def __reduce__(self) -> Any:
        return tuple, (tuple(self),)
