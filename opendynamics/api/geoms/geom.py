"""Geom: a shape with a pose, with or without a body."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from contextvars import Context
from sys import is_finalizing
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from opendynamics.api import checks, describing, rotation
from opendynamics.api.aliases import Alias
from opendynamics.api.belts import Track, checked_track, move_surface
from opendynamics.api.body import Body
from opendynamics.api.checks import require_name
from opendynamics.api.color import Color, Colored, Rgb, checked_color
from opendynamics.api.compiled_calls import loop
from opendynamics.api.compiled_calls.vectorcall import compiled_call
from opendynamics.api.frame import Framed
from opendynamics.api.geoms.offset import Displaced
from opendynamics.api.home import FREE, Home
from opendynamics.api.mass import solid_of_size
from opendynamics.api.member import note_change, set_first
from opendynamics.api.new_rows import begin_geom
from opendynamics.api.orientation import Numbers, orientation, written_quaternion
from opendynamics.api.read_only import read_only
from opendynamics.api.spaces.member_list import bring_to_front, follow_steps
from opendynamics.api.suggestions import explain_calls, explain_own_calls, plain_call
from opendynamics.api.types import Matrix, Place, Vector
from opendynamics.core.arrays import geoms as layout
from opendynamics.core.arrays.contacts import MANIFOLDS
from opendynamics.core.arrays.geoms import GEOMS
from opendynamics.core.collide.bounds import refresh_geom
from opendynamics.core.families import SHAPES, know_shape

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from opendynamics.api.spaces.space import Space
    from opendynamics.api.world import World

Array = npt.NDArray[np.float64]

# Classes of geoms, by the file name of their shape.
GEOM_CLASSES: dict[str, type[Geom]] = {}


@explain_calls
class Geom(Framed, Colored, Displaced):
    """A shape with a pose: static, or attached to a body, optionally with an offset.

    Args:
        size: the shape's dimensions, see its file in core/bodies/shapes.
        position: m, shape (3,); for a geom given to `world.add_body`, its offset in the body's frame.
        quaternion: orientation (w, x, y, z); or give `rotation`, a matrix (3, 3).
        space: space to add the geom to.
        body: body to attach the geom to.
        material: name that selects the surface in `world.advance`.
        sensor: whether it is a zone without contact forces, see `sensor`.
        color: displayed colour, see `color`.
        name: the name used in messages and by `world.find`.
    """

    __slots__ = (
        "_body",
        "_carrier",
        "_color",
        "_home",
        "_material",
        "_moved",
        "_sensor",
        "_space",
        "_surface_velocity",
        "_track",
    )

    _home: Home
    _body: Body | None
    _carrier: Any
    _material: str | None
    _moved: bool  # whether it moved since the list of its space like ODE was cleaned
    _sensor: bool
    _space: Space | None
    _surface_velocity: tuple[float, ...] | None
    _track: Track | None

    _noun = "geom"
    shape: ClassVar[str]
    placeable: ClassVar[bool] = True
    _placed_by: ClassVar[str] = "it was created with placeable=False"

    # Number of the record's sizes that define the shape; 0: it has other data.
    size_count: ClassVar[int] = 0

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        explain_own_calls(cls)
        if "shape" in cls.__dict__:
            GEOM_CLASSES.setdefault(cls.shape, cls)

    @classmethod
    def of_size(cls, size: Any, **place: Unpack[Place]) -> Geom:
        """Create a geom with the sizes of a record. TypeError if the class is not defined by sizes."""
        if not cls.size_count:
            raise TypeError(f"a {cls.shape} is not described by sizes")
        return cls(*size, **place)

    @plain_call
    def __init__(
        self,
        size: tuple[float, ...] = (),
        *,
        position: Vector | None = None,
        quaternion: Vector | None = None,
        rotation: Matrix | None = None,
        space: Space | None = None,
        body: Body | None = None,
        material: str | None = None,
        sensor: bool = False,
        color: Color | None = None,
        name: str | None = None,
        **unknown: Any,
    ) -> None:
        if not hasattr(type(self), "shape"):
            raise TypeError("Geom is the base class of all geoms; create one of a derived class, such as Sphere(0.1)")
        if unknown:  # the aliases, declared for type checkers, have been replaced by names
            raise TypeError(f"a geom has no argument {next(iter(unknown))!r}")
        if name is not None:  # not before: formatting the messages would take a tenth of the time
            require_name(f"the name of a {self.shape}", name)
        pose = self._checked_pose(position, quaternion, rotation)
        if material is not None:
            require_name(f"the material of a {self.shape}", material)
        if sensor is not False:
            sensor = checks.flag(f"sensor of a {self.shape}", sensor)
        rgb = None if color is None else checked_color(f"the colour of a {self.shape}", color)
        if space is not None or body is not None:
            self._require_place(name or f"the new {self.shape}", space, body)
        set_first(self, "_home", FREE)
        super().__init__(FREE.geoms, name)
        set_first(self, "_carrier", None)
        set_first(self, "_body", None)
        set_first(self, "_space", None)
        set_first(self, "_surface_velocity", None)
        set_first(self, "_track", None)
        set_first(self, "_material", material)
        set_first(self, "_moved", True)
        set_first(self, "_sensor", sensor)
        set_first(self, "_color", rgb)
        kind = self._kind
        begin_geom(FREE.store, self._index, kind, self.placeable, size, self._data_address, pose)
        know_shape(kind)
        if space is not None:
            space.add(self)
        if body is not None:
            self.body = body

    def __del__(self, is_finalizing: Callable[[], bool] = is_finalizing) -> None:
        # A geom without references frees its row, but not while a collider reads the rows, nor when Python exits. One without
        # attributes comes from a damaged snapshot. This runs in its own context because Python up to 3.11 collects garbage in
        # any allocation, even while it resets a context variable: if NumPy read that variable (`np.errstate`'s) here, a
        # dangling pointer would remain in it.
        if is_finalizing():  # before any global name is used, which may be None by then
            return
        with suppress(AttributeError):
            if self.alive and not self._store.busy:
                Context().run(self._home.give_back, self._index)

    def _require_place(self, name: str, space: Any, body: Any) -> None:
        """Raise unless the new geom, called `name` in messages, can be in `space` and on `body`."""
        if body is not None:
            if not isinstance(body, Body):
                raise TypeError(f"the body of {name} must be a Body, not {body!r}")
            home = body.world._home
            if not self.placeable:
                raise ValueError(f"{name} is a {self.shape} and cannot be put on a body")
        if space is not None:
            if not hasattr(space, "_require_idle"):
                raise TypeError(f"the space of {name} must be a Space, not {space!r}")
            space._require_idle("add to")
            if body is not None and space._home not in (None, home):
                raise ValueError(f"{name} cannot be on {body.name} and in {space.name}, which is of another world")

    def _checked_pose(self, position: Any, quaternion: Any, matrix: Any) -> tuple[Numbers, Numbers]:
        """Position and rotation, nine numbers, of a new geom."""
        if not self.placeable and not (position is None and quaternion is None and matrix is None):
            raise ValueError(f"a {self.shape} cannot be placed: {self._placed_by}")
        at = (0.0, 0.0, 0.0) if position is None else checks.vector("the position of the geom", position)
        return at, orientation("of the geom", quaternion, matrix)[1]

    @property
    def _kind(self) -> int:
        return int(SHAPES[self.shape].KIND)

    @property
    def _data_address(self) -> int:
        """Address of the shape's data besides its sizes; the geom keeps that memory alive."""
        return 0

    def _solid(self) -> tuple[float, Array, Array]:
        """Volume, inertia (3, 3) about the origin of the geom's frame, and centre of mass, at density 1."""
        solid = solid_of_size(self.shape, tuple(self._values["size"].tolist()))
        volume, moments = solid or (0.0, (0.0, 0.0, 0.0))
        return volume, np.diag(moments), np.zeros(3)

    def _reported(self) -> Geom:
        """The geom that contacts report."""
        return self

    def _notify_carrier(self) -> None:
        """Notify the transform that holds this geom of a change."""
        self._rows.changes += 1
        if self._carrier is not None:
            self._carrier._follow()

    @property
    def _record(self) -> Any:
        """The record, for a change of pose or shape."""
        bring_to_front(self)
        return self._settings

    @property
    def _settings(self) -> Any:
        """The record, for a change of other fields than pose and shape."""
        self._rows.changes += 1
        self._changes()
        return self._store[GEOMS][self._row]

    @property
    def _values(self) -> Any:
        """The record, for reading. On a body, its pose and box are those of the last collision."""
        return self._store[GEOMS][self._row]

    @property
    def _fresh(self) -> Any:
        """A copy of the record with current pose and box; the record itself is unchanged."""
        record = self._values
        before = record.copy()
        refresh_geom(self._store.tables, self._index)
        fresh = record.copy()
        self._store[GEOMS][self._index] = before
        return fresh

    def _changes(self) -> None:
        """Called before a change: wakes bodies that the geom touches now, and after the change those that it touches then."""
        self._home.edition.number += 1
        if self._body is not None:
            self._body._wake()
        for world in self._worlds():
            world._note_geom(self)

    def _reshapes(self) -> None:
        """Called before the shape changes: contacts of the old one cannot be recycled."""
        self._store.use(MANIFOLDS, 0)
        self._changes()

    def _vanishes(self) -> None:
        """Called before the geom stops colliding."""
        self._changes()
        for world in self._worlds():
            world._changed_geoms.pop(self, None)

    def _worlds(self) -> tuple[World, ...]:
        """Worlds whose bodies it may touch: its own or, without one, those of the geoms in the same space."""
        if self._space is None:
            return ()
        return self._space._worlds() if self._home.world is None else (self._home.world,)

    def _refresh(self) -> None:
        """Update pose and box of the record."""
        refresh_geom(self._store.tables, self._row)

    @property
    def _address(self) -> int:
        """Address of the updated record."""
        refresh_geom(self._store.tables, self._row)
        array = self._store[GEOMS]
        return int(array.ctypes.data) + self._index * array.itemsize

    def _saved_with(self) -> World | None:
        holder = self if self._carrier is None else self._carrier
        space = holder._space
        return holder._home.world or (space._saved_with() if space is not None else None)

    def _reinstated(self) -> None:
        """Write this process's addresses and numbers to a restored record."""
        if not self.alive:
            return
        record = self._store[GEOMS][self._index]
        record["data"] = self._data_address
        record["owner"] = self._home.owner_number(int(record["body"]))
        if self._home is not FREE:
            self._home.handles[self._index] = self
        know_shape(int(record["kind"]))
        if self._space is not None and self._space._like == "ode":
            follow_steps([self._home])

    def _set_size(self, *size: float) -> None:
        record = self._record
        self._store.use(MANIFOLDS, 0)  # contacts of the old shape cannot be recycled
        record["size"][: len(size)] = size
        self._notify_carrier()

    def _move_to(self, home: Home) -> None:
        """Move the record unchanged to another home."""
        if home is self._home:
            return
        home.store.require_idle()
        record = self._fresh
        self._home.give_back(self._index)
        self._settle_at(home, *home.geoms.take())
        record["material"] = home.material_index(self._material)
        record["body"] = record["owner"] = 0
        home.store[GEOMS][self._index] = record
        if self._space is not None:
            self._space._changed()

    def _settle_at(self, home: Home, row: int, generation: int) -> None:
        """Refer to another allocated row."""
        note_change()
        set_first(self, "_home", home)  # as of a new object: the change has been counted
        set_first(self, "_rows", home.geoms)
        set_first(self, "_index", row)
        set_first(self, "_generation", generation)
        home.handles[row] = self

    def _described(self) -> str:
        return describing.geom(self)

    # -- body and space --------------------------------------------------------------------------------------------

    @property
    @compiled_call(loop.body_of, loop.LOOP)
    def body(self) -> Body | None:
        """The geom's body. Setting it discards the geom's own pose and offset; None keeps its pose in the world."""
        body = self._body
        if body is None:  # as for any destroyed geom
            rows, index = self._rows, self._index
            if index >= len(rows.generations) or rows.generations[index] != self._generation:
                self._row  # noqa: B018  (raises)
        return body

    @body.setter
    def body(self, body: Body | None) -> None:
        self._row  # noqa: B018
        if body is not None:
            if not isinstance(body, Body):
                raise TypeError(f"{self._say('the body')} must be a Body or None, not {body!r}")
            body._row  # noqa: B018
            if not self.placeable:
                raise ValueError(f"{self.name} is a {self.shape} and cannot be put on a body")
            if self._carrier is not None:
                raise ValueError(f"{self.name} is in {self._carrier.name}; put that on the body")
            if self._space is not None and self._space._home not in (None, body.world._home):
                raise ValueError(f"{self.name} is in the space of another world; remove it from that space first")
        if body is self._body:
            if body is not None:
                bring_to_front(self)
            return
        self._leave_body()
        if body is not None:
            self._move_to(body.world._home)
            body.world._contact_rows.end_run()
            self._body = body
            body.world._spaceless |= self._space is None
            note_change()
            body._geoms[self] = None
            record = self._record
            record["body"], record["owner"] = body._row, self._home.owner_number(body._row)
            record["flags"] &= ~np.uint32(layout.OFFSET)
            record["offset_position"] = 0.0
            record["offset_rotation"] = np.eye(3).reshape(9)

    def _require_home_for(self, home: Home) -> None:
        """Raise unless the geom may live in `home`."""
        if self._carrier is not None:
            raise ValueError(f"{self.name} is in {self._carrier.name}; put that into the space")
        if self._body is not None and self._body.world._home is not home:
            raise ValueError(f"{self.name} is on {self._body.name} of another world and cannot join this world's space")

    def _settle(self, home: Home) -> None:
        self._move_to(home)

    def _leave_body(self) -> None:
        if self._body is not None:
            self._refresh()  # its home is unchanged
            self._body._world._contact_rows.end_run()
            record = self._settings  # its position in ODE's list is unchanged, too
            note_change()
            self._body._geoms.pop(self, None)
            self._body = None
            record["body"] = record["owner"] = 0
            record["flags"] &= ~np.uint32(layout.OFFSET)

    @property
    def space(self) -> Space | None:
        """The space that contains the geom."""
        self._row  # noqa: B018
        return self._space

    def destroy(self) -> None:
        """Remove the geom from its space and its body, and destroy it."""
        row = self._row
        self._store.require_idle()
        if self._carrier is not None:
            self._carrier.geom = None
        if self._space is not None:
            self._space.remove(self)
        self._leave_body()
        self._home.give_back(row)

    # -- pose ------------------------------------------------------------------------------------------------------

    def _require_placeable(self, what: str) -> None:
        if not self.placeable:
            raise ValueError(f"{self._say(what)} cannot be set: {self._placed_by}")

    @property
    def position(self) -> Array:
        """Position in the world frame, m, shape (3,); (0, 0, 0) unless given. Setting it moves the body, if there is one."""
        return read_only(self._fresh["position"])

    @position.setter
    def position(self, value: Vector) -> None:
        self._require_placeable("the position")
        p = np.array(checks.vector(self._say("the position"), value))
        if self._body is None:
            self._record["position"] = p
            self._notify_carrier()
        else:
            self._body.position = p - self._body.rotation @ self.offset_position

    @property
    def rotation(self) -> Array:
        """Orientation in the world frame as a matrix (3, 3). Setting it rotates the geom's body, if there is one."""
        return read_only(self._fresh["rotation"].reshape(3, 3))

    @rotation.setter
    def rotation(self, value: Matrix) -> None:
        self._require_placeable("the rotation")
        matrix = checks.rotation(self._say("the rotation"), value)
        if self._body is None:
            self._record["rotation"] = matrix.reshape(9)
            self._notify_carrier()
            return
        at = self.position
        self._body.rotation = matrix @ self.offset_rotation.T
        self._body.position = at - self._body.rotation @ self.offset_position

    @property
    def quaternion(self) -> Array:
        """Orientation in the world frame (w, x, y, z); (1, 0, 0, 0) unless given. Setting it rotates the body, if any."""
        return read_only(rotation.quaternion_from_matrix(self.rotation))

    @quaternion.setter
    def quaternion(self, value: Vector) -> None:
        self._require_placeable("the quaternion")
        q = written_quaternion(self._say("the quaternion"), value)
        self.rotation = rotation.matrix_from_quaternion(value if self._body is None else q)

    orientation = Alias[Array, Vector]("quaternion")

    @property
    def aabb(self) -> Array:
        """Axis-aligned bounding box in the world frame: x min, x max, y min, y max, z min, z max, m, shape (6,)."""
        return read_only(self._fresh["bounds"])

    def point_depth(self, point: Vector) -> float:
        """Signed depth, m, of a point of the world frame, shape (3,), inside the shape; negative outside."""
        p = checks.vector("the point", point)
        return float(SHAPES[self.shape].point_depth(self._address, *p))

    # -- collision filter ------------------------------------------------------------------------------------------

    @property
    def enabled(self) -> bool:
        """Whether the geom takes part in collision detection. True by default."""
        return bool(self._values["flags"] & layout.ENABLED)

    @enabled.setter
    def enabled(self, value: bool) -> None:
        on = checks.flag(self._say("enabled"), value)
        record = self._settings
        flags = int(record["flags"])
        record["flags"] = flags | layout.ENABLED if on else flags & ~layout.ENABLED

    @property
    def sensor(self) -> bool:
        """Whether the geom is a zone, without contact forces: bodies and rays pass through it. False by default.

        `world.space.overlaps(zone)` returns the geoms in it, `world.contact_events` those that enter and leave.
        """
        self._row  # noqa: B018
        return self._sensor

    @sensor.setter
    def sensor(self, value: bool) -> None:
        self._row  # noqa: B018
        sensor = checks.flag(self._say("sensor"), value)
        self._changes()
        self._sensor = sensor
        if self._space is not None:
            self._space._changed()

    def _put_color(self, color: Rgb | None) -> None:
        self._color = color
        self._rows.changes += 1

    @property
    def surface_velocity(self) -> Array:
        """Surface velocity relative to the geom, m/s, shape (3,), in the world, as of a conveyor belt; zero by default.

        Its tangential component drives touching bodies by friction in `advance`. A tilted belt:
        `belt.surface_velocity = belt.vector_to_world((1, 0, 0))`.
        """
        self._row  # noqa: B018
        return read_only(self._surface_velocity or (0.0, 0.0, 0.0))

    @surface_velocity.setter
    def surface_velocity(self, value: Vector) -> None:
        self._row  # noqa: B018
        velocity = checks.vector(self._say("the surface velocity"), value)
        move_surface(self, velocity if any(velocity) else None, self._track)

    @property
    def track(self) -> Track | None:
        """A surface that runs around the geom, as of a crawler track or a conveyor belt; None by default.

        `od.Track(axis=(0, 1, 0), speed=0.5)` drives a vehicle along +x, and goods on top. It adds to `surface_velocity`.
        """
        self._row  # noqa: B018
        return self._track

    @track.setter
    def track(self, value: Track | None) -> None:
        self._row  # noqa: B018
        track = None if value is None else checked_track(self._say("the track"), value)
        move_surface(self, self._surface_velocity, track)

    @property
    def runs(self) -> bool:
        """Whether the surface moves relative to the geom."""
        self._row  # noqa: B018
        return self._surface_velocity is not None or self._track is not None

    @property
    def category_bits(self) -> int:
        """Categories. Two geoms may collide if the category bits of one share a bit with the collide bits of the other.

        All bits by default.
        """
        return int(self._values["category"])

    @category_bits.setter
    def category_bits(self, bits: int) -> None:
        self._settings["category"] = checks.bits(self._say("the category bits"), bits)

    @property
    def collide_bits(self) -> int:
        """The categories that the geom collides with; all bits by default."""
        return int(self._values["collide"])

    @collide_bits.setter
    def collide_bits(self, bits: int) -> None:
        self._settings["collide"] = checks.bits(self._say("the collide bits"), bits)

    @property
    def material(self) -> str | None:
        """Name that selects the surface in `world.advance`; None: the world's default surface."""
        self._row  # noqa: B018
        return self._material

    @material.setter
    def material(self, material: str | None) -> None:
        require_name(self._say("the material"), material)
        self._settings["material"] = self._home.material_index(material)
        self._material = material

    def _repr_html_(self) -> str:
        """Picture of the geom and its surroundings, for notebooks."""
        from opendynamics.viewer.pictures.notebook import picture_page

        return picture_page(self, self._home.world, (self,)) if self.alive else picture_page(self, None)


attached_body: Any = vars(Geom)["_body"].__get__  # quicker than the property, and None for a geom that is gone
