"""Lists of bodies, joints and geoms: tuples whose errors say how to add or remove an element."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

T = TypeVar("T")

ADD = ("append", "extend", "insert", "add")
REMOVE = ("remove", "pop", "clear", "discard")

ADDING = (
    "world.add_body(od.Sphere(0.1)) adds a body with a geom, world.add_geom(od.Plane()) a geom, "
    "world.add_hinge(body1, body2) a joint"
)


def check_place(place: int, count: int, remedy: str) -> None:
    """IndexError unless there is an element at this index of `count` elements; `remedy` says where elements come from."""
    if not -count <= place < count:
        range_of = f"indices run from 0 to {count - 1}" if count else f"there are no elements; {remedy}"
        raise IndexError(f"index {place} is out of range: {range_of}")


class Things(tuple[T, ...]):
    """A tuple whose list methods raise an error that says what to call instead; copies and pickles of it are tuples."""

    __slots__ = ()

    if not TYPE_CHECKING:  # otherwise type checkers would accept any name

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
            if isinstance(place, int):
                check_place(place, len(self), ADDING)
            return tuple.__getitem__(self, place)

        def __call__(self, *given: Any, **options: Any) -> Any:
            """Raise: a property was called."""
            raise TypeError("bodies, joints and geoms are properties: leave out the parentheses, as in world.bodies[0]")

        def __setitem__(self, place: Any, value: Any) -> None:
            raise TypeError(
                "this is a copy of the world's list, whose items cannot be set: change the body, joint or geom itself"
            )

        def __delitem__(self, place: Any) -> None:
            raise TypeError(
                "this is a copy of the world's list: call destroy() of the body, joint or geom, as in world.bodies[0].destroy()"
            )

    def __reduce__(self) -> Any:
        return tuple, (tuple(self),)
