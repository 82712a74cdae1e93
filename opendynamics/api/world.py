"""World: bodies, joints and geoms that interact."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt

from opendynamics.api import checks, describing, many_bodies
from opendynamics.api.aliases import Alias, also
from opendynamics.api.body import Body
from opendynamics.api.checks import ALL_BITS
from opendynamics.api.color import Color, checked_color
from opendynamics.api.conflicts import conflicting_joints
from opendynamics.api.contact_reports import ContactReports
from opendynamics.api.contact_rows import ContactRows
from opendynamics.api.finding import Finding
from opendynamics.api.geoms.geom import Geom
from opendynamics.api.geoms.plane import Plane
from opendynamics.api.handle import Gone
from opendynamics.api.home import Home
from opendynamics.api.joint_methods import JointMethods
from opendynamics.api.joint_order import in_order
from opendynamics.api.joints.joint import Joint
from opendynamics.api.like import ODE, Model, checked_model
from opendynamics.api.mass import Mass
from opendynamics.api.member import Companion, Named, note_change
from opendynamics.api.missing_contacts import LOOKS
from opendynamics.api.new_world import new_world_store
from opendynamics.api.orientation import orientation
from opendynamics.api.placing import (
    STILL,
    checked_place,
    plain_mass,
    put_body,
    put_shape,
    require_free_shapes,
    total_mass,
)
from opendynamics.api.profile import Profile, clocked_by
from opendynamics.api.read_only import read_only
from opendynamics.api.rows import Rows
from opendynamics.api.saving.saving import Saving
from opendynamics.api.spaces.member_list import bring_bodies_to_front
from opendynamics.api.spaces.queries import RayHits
from opendynamics.api.spaces.space import Space
from opendynamics.api.spaces.world_space import WorldSpace
from opendynamics.api.stepping import Stepping
from opendynamics.api.suggestions import explain_calls
from opendynamics.api.surface import Surface
from opendynamics.api.surfaces import Surfaces
from opendynamics.api.things import Things
from opendynamics.api.types import Matrix, MaxDistance, Orientation, Orientations, PlaneOptions, Vector
from opendynamics.api.waking import Waking, some_asleep
from opendynamics.api.world_settings import WorldSettings
from opendynamics.core.arrays.bodies import BODY_ORDER, INERTIAS, MOTIONS, PER_BODY, POSES, WEIGHTLESS
from opendynamics.core.arrays.contact_cache import JOINT_FORCES
from opendynamics.core.arrays.joints import BEHIND, JOINT_ORDER, JOINTS
from opendynamics.core.arrays.table import Table

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from opendynamics.viewer.pictures.camera import Camera

Array = npt.NDArray[np.float64]
AnyGeom = TypeVar("AnyGeom", bound=Geom)


@explain_calls
class World(Named, JointMethods, Finding, Saving, ContactReports, Waking, Stepping, WorldSettings):
    """A simulated world: bodies, joints, geoms and settings.

    Args:
        gravity: m/s², shape (3,). Zero unless given, as in ODE.
        erp: error reduction parameter, 0 to 1.
        cfm: constraint force mixing.
        surface: the default Surface, for pairs of materials that are not in `world.surfaces`.
        broadphase: broadphase of `advance`: "hash", "quad_tree", "simple", "sweep_and_prune" or "tree". They differ in speed
            only; by default chosen by the number of geoms.
        solver: solver of `advance`: "auto" (the default), "exact" (the default with `like="ode"`), "pgs" or "soft"; see
            `solver`.
        like: "opendynamics", or "ode" to reproduce ODE everywhere, including its errors: see `like`.
        name: the name used in messages and by `world.find`.
    """

    _noun = "world"
    data: Any
    surfaces: Surfaces

    def __init__(
        self,
        gravity: Vector = (0.0, 0.0, 0.0),
        *,
        erp: float = 0.2,
        cfm: float = 1e-10,
        surface: Surface | None = None,
        broadphase: str | None = None,
        solver: str | None = None,
        like: Model = "opendynamics",
        name: str = "world",
    ) -> None:
        self.name = name
        self.data = None
        self._like = checked_model("the model of a world", like)
        self._store = new_world_store()
        self._springs = {}
        self._start_waking()
        self._bodies_rows = Rows(self._store, PER_BODY, first=1)
        self._joint_rows = Rows(self._store, (JOINTS, JOINT_FORCES))
        self._contact_rows = ContactRows(self, self._store)
        self._sample_runs: dict[int, tuple[int, int]] = {}  # by body row: first row and capacity in the samples table
        self._bodies: dict[int, Body] = {}  # by row, in the order of creation
        self._joints: dict[Joint, None] = {}  # see joint_order
        self._attached: dict[Joint, None] = {}  # in the order in which they were attached
        self._companions: list[Companion] = []
        self._orders_stale = False
        self.surfaces = Surfaces(self._store, surface)
        self._home = Home(self._store, self, self.surfaces)
        self.space = WorldSpace(self._home, broadphase)
        self.gravity = gravity
        self.erp = erp
        self.cfm = cfm
        self._start_stepping("auto" if solver is None else solver)
        if like == "ode":
            self._be_like_ode()
            if solver is not None:
                self.solver = solver
            self._looks = LOOKS  # programs written for ODE expect that its step makes no contacts

    @property
    def like(self) -> Model:
        """Which results the world reproduces: "opendynamics", the corrected ones, or "ode", ODE's, including its errors.

        "ode" sets these properties: `collider`, `integrator`, `quickstep_order`, `sleep_rule`, `stabilization`, `restitution`,
        `solver`. Each may be changed afterwards. New PR, PU and transmission joints are ODE's. docs/deviations.md lists the
        differences. Worlds of the C names, of PyODE and of recorded scenes are like ODE.
        """
        return self._like

    def _be_like_ode(self) -> None:
        """Set all settings with other defaults to ODE's values."""
        for setting, value in ODE.items():
            setattr(self, setting, value)

    def profile(self) -> AbstractContextManager[Profile]:
        """Measure the stages of steps: `with world.profile() as profile: world.advance(h, 100)`, then `print(profile)`.

        While profiling, steps take slightly longer; results are the same, bit for bit.
        """
        return clocked_by(self, Profile())

    # -- members ---------------------------------------------------------------------------------------------------

    @property
    def bodies(self) -> tuple[Body, ...]:
        """Bodies, oldest first."""
        return Things(self._bodies.values())

    @property
    def joints(self) -> tuple[Joint, ...]:
        """Joints, including contact joints made by the user, oldest first."""
        return Things(in_order(self._joints, self._contact_rows.living()))

    @property
    def conflicts(self) -> tuple[Joint, ...]:
        """Joints that conflicted with each other in the last step; empty after that of a Batch, and in a restored world."""
        return conflicting_joints(self)

    @property
    def geoms(self) -> tuple[Geom, ...]:
        """Geoms of the world's own space, oldest first."""
        return Things(reversed(tuple(self.space.geoms())))

    def add_mesh_body(self, vertices: Any, triangles: Any, **options: Any) -> Body:
        """Add a body shaped like a closed mesh: by convex decomposition (the extra `mesh`) or the mesh itself.

        Args:
            vertices: m, shape (n, 3), in the body's frame, see `add_body`.
            triangles: vertex indices, counterclockwise as seen from outside, shape (m, 3).
            options: `convex_decomposition` (True unless given), `threshold` and `max_parts` as of `od.convex_parts`; `density` or
                `mass`, kg, of the solid that the mesh bounds; the others are those of `add_body`.
        """
        from opendynamics.api.mesh_bodies import add_mesh_body

        return add_mesh_body(self, vertices, triangles, **options)

    @also(orientation="quaternion")
    def add_body(
        self,
        *shapes: Geom,
        position: Vector = (0.0, 0.0, 0.0),
        quaternion: Vector | None = None,
        rotation: Matrix | None = None,
        density: float | None = None,
        mass: float | Mass | None = None,
        linear_velocity: Vector = STILL,
        angular_velocity: Vector = STILL,
        kinematic: bool = False,
        space: Space | None = None,
        color: Color | None = None,
        name: str | None = None,
        **aliases: Unpack[Orientation],
    ) -> Body:
        """Add a body with `shapes`, which are added to the world's space, or to another one.

        The position and orientation of a shape are its pose in the body's frame. The body's origin is then moved to the
        centre of mass; the shapes keep their poses in the world.

        Args:
            shapes: geoms without a body; may be empty.
            position: of the body's frame, in which the shapes are placed, m, shape (3,).
            quaternion: orientation (w, x, y, z) of that frame; alternatively `rotation`, a matrix (3, 3).
            density: of all shapes, kg/m³; 1000 unless this or `mass` is given.
            mass: total mass, kg, with the inertia of the shapes; or a Mass about the frame's origin. Without shapes the inertia
                is mass times 1 m².
            linear_velocity: m/s.
            angular_velocity: rad/s, in the world.
            kinematic: whether the body keeps the velocity that is set, regardless of forces and contacts.
            space: space of the shapes instead of the world's own, as in ODE's loop.
            color: the colour for views, pictures and recordings, see `Body.color`.
            name: the name used in messages and by `world.find`.
        """
        checks.require_name("the name of the new body", name)
        label = f"of {name or 'the new body'}"

        def say(what: str) -> str:
            return f"{what} {label}"

        at = checks.three(say, "the position", position)
        turn = orientation(label, quaternion, rotation)
        v = STILL if linear_velocity is STILL else checks.three(say, "the linear velocity", linear_velocity)
        w = STILL if angular_velocity is STILL else checks.three(say, "the angular velocity", angular_velocity)
        kinematic = kinematic is not False and checks.flag(f"kinematic {label}", kinematic)
        rgb = None if color is None else checked_color(f"the colour {label}", color)
        require_free_shapes(label, shapes)
        home = self._space_for_shapes(label, space)
        plain = plain_mass(label, shapes, density, mass)
        total = plain or total_mass(label, shapes, density, mass)
        body = object.__new__(Body)._begin_in(self, name)  # the constructor would check the arguments once more
        center = put_body(body, total, at, turn, v, w)
        if rgb is not None:
            body.color = rgb
        if kinematic:
            body.kinematic = True
        for shape in shapes:
            put_shape(shape, body, center if plain is None else None, home)
        return body

    @also(orientations="quaternions")
    def add_bodies(
        self,
        shapes: Geom | Sequence[Geom] | None,
        positions: Matrix,
        *,
        quaternions: Matrix | None = None,
        density: float | Sequence[float] | None = None,
        mass: float | Mass | Sequence[float] | None = None,
        linear_velocities: Matrix = (0.0, 0.0, 0.0),
        angular_velocities: Matrix = (0.0, 0.0, 0.0),
        kinematic: bool = False,
        space: Space | None = None,
        color: Color | None = None,
        names: Sequence[str] | None = None,
        **aliases: Unpack[Orientations],
    ) -> list[Body]:
        """Add n bodies of one shape each at `positions`, (n, 3): the same as n calls of `add_body`, but many times faster.

        Args:
            shapes: a geom to copy for each body (a sphere, box or other shape defined by sizes); or n geoms, one for each body;
                or None for bodies without shapes.
            positions: of the bodies' frames, in which the shapes are placed, m, shape (n, 3).
            quaternions: orientations (w, x, y, z) of these frames, shape (n, 4), or one for all.
            density: kg/m³, one number or n; 1000 unless this or `mass` is given.
            mass: kg, one number or n, with the shapes' inertia; or a Mass about the frames' origins.
            linear_velocities, angular_velocities: m/s and rad/s, in the world, (n, 3), or one for all.
            kinematic, space, color: of all of them, see `add_body`.
            names: n names.

        Returns:
            The bodies, in the order of `positions`.
        """
        at = many_bodies.checked_rows(f"the positions {many_bodies.LABEL}", positions, 3)
        count = len(at)
        given = (1.0, 0.0, 0.0, 0.0) if quaternions is None else quaternions
        what = f"the quaternions {many_bodies.LABEL}"
        q = many_bodies.unit_quaternions(what, many_bodies.checked_rows(what, given, 4, count))
        v = many_bodies.checked_rows(f"the linear velocities {many_bodies.LABEL}", linear_velocities, 3, count)
        w = many_bodies.checked_rows(f"the angular velocities {many_bodies.LABEL}", angular_velocities, 3, count)
        kinematic = checks.flag(f"kinematic {many_bodies.LABEL}", kinematic)
        rgb = checked_color(f"the colour {many_bodies.LABEL}", color)
        chosen = many_bodies.checked_shapes(shapes, count)
        home = self._space_for_shapes(many_bodies.LABEL, space)
        labels = None if names is None else many_bodies.checked_names(names, count)
        masses = many_bodies.masses_of(chosen, count, density, mass)
        if not count:
            return []
        bodies = many_bodies.make_bodies(self, masses, (at, q), (v, w), kinematic, rgb, labels)
        if chosen is not None:
            many_bodies.put_shapes(chosen, bodies, masses.center, home)
        return bodies

    def _space_for_shapes(self, label: str, space: Space | None) -> Space:
        """Space for the shapes of a new body, checked."""
        chosen = self.space if space is None else space
        if not isinstance(chosen, Space):
            raise TypeError(f"the space {label} must be a space, not {space!r}")
        if chosen._home not in (None, self._home):
            raise ValueError(f"the space {label} belongs to another world: {chosen.name}")
        chosen._require_idle("add to")
        return chosen

    @also(orientation="quaternion")
    def add_geom(
        self,
        geom: AnyGeom,
        *,
        position: Vector | None = None,
        quaternion: Vector | None = None,
        rotation: Matrix | None = None,
        color: Color | None = None,
        name: str | None = None,
        **aliases: Unpack[Orientation],
    ) -> AnyGeom:
        """Add a static geom, without a body: floor, wall, ramp.

        Args:
            geom: a geom that is not in a space yet.
            position: m, shape (3,); by default the one that the geom was created with, as for the other arguments.
            quaternion: orientation (w, x, y, z); alternatively `rotation`, a matrix (3, 3).
            color, name: see `Geom`.

        Returns:
            The geom.
        """
        checks.require_name("the name of the new geom", name)
        rgb = checked_color("the colour of the new geom", color)
        at, turn = checked_place(geom, position, quaternion, rotation)
        self.space.add(geom)
        if at is not None:
            geom.position = at
        if turn is not None:
            geom.rotation = turn
        if rgb is not None:
            geom.color = rgb
        if name is not None:
            geom.name = name
        return geom

    @also(d="offset")
    def add_plane(self, normal: Vector = (0.0, 0.0, 1.0), offset: float = 0.0, **look: Unpack[PlaneOptions]) -> Plane:
        """Add the half space normal·x <= offset as ground or wall; see `Plane`."""
        return Plane(normal, offset, space=self.space, **look)

    def destroy(self) -> None:
        """Destroy the world with its bodies, joints and the geoms of its own space; other geoms are not affected."""
        self.space._require_idle("destroy")
        if self._store.stepping:
            raise RuntimeError(f"{self.name} is being stepped; a callback cannot destroy it")
        for joint in self.joints:
            if joint.alive:  # a hinge's servo is destroyed with the hinge
                joint.destroy()
        for body in self.bodies:
            body.destroy(keep_geoms=True)
        self.space.destroy()
        self._home.world = None  # of geoms that remain in other spaces
        gone: Any = Gone(self.name)
        self._store = self._bodies_rows = self._joint_rows = self._contact_rows = gone

    @property
    def alive(self) -> bool:
        """Whether the world still exists."""
        return not isinstance(self._store, Gone)

    def __enter__(self) -> World:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.alive:
            self.destroy()

    @also(max_distance="length")
    def cast_rays(
        self,
        origins: Any,
        directions: Any,
        length: Any = np.inf,
        *,
        every: bool = False,
        backface_cull: bool = False,
        category_bits: int = ALL_BITS,
        collide_bits: int = ALL_BITS,
        exclude: Any = (),
        **aliases: Unpack[MaxDistance],
    ) -> RayHits:
        """Cast rays against the geoms of the world's space.

        Args:
            origins: where the rays start, m, shape (n, 3); or (3,), the same point for all.
            directions: of any length except zero, shape (n, 3); or (3,), the same for all.
            length: of the rays, m, one number or (n,); 1e10 at most, and unless given.
            exclude: a body, geom or robot, or several, that the rays pass through.
            every, backface_cull, category_bits, collide_bits: see `space.cast_rays`.
        """
        return self.space.cast_rays(
            origins,
            directions,
            length,
            every=every,
            backface_cull=backface_cull,
            category_bits=category_bits,
            collide_bits=collide_bits,
            exclude=exclude,
        )

    # -- pictures --------------------------------------------------------------------------------------------------

    def render(
        self,
        camera: Camera | None = None,
        size: tuple[int, int] = (1280, 720),
        *,
        backend: str = "rays",
        **settings: Any,
    ) -> npt.NDArray[np.uint8]:
        """Render a picture of the world: sRGB, 0 to 255, shape (height, width, 3). No display is needed.

        Args:
            camera: an od.Camera; by default, one that shows all bodies.
            size: width and height, pixels.
            backend: "rays": the engine's own ray casts; "mitsuba": a path tracer, with `[render-mitsuba]`.
            settings: of od.Renderer: `samples`, `shadows`, `ambient`, `adaptive`, `light`, `colors`, `show`, `spaces`, `threads`.
        """
        from opendynamics.viewer.pictures.backends import renderer_class

        picture: npt.NDArray[np.uint8] = renderer_class(backend)(self, size, **settings).render(camera)
        return picture

    # -- calls from members ---------------------------------------------------------------------------------------

    def _welcome_body(self, body: Body) -> None:
        """Called when the records of a new body exist."""
        body._make_room_for_samples()
        note_change()
        self._bodies[body._index] = body
        if not self._orders_stale:
            self._orders_stale = True

    def _farewell_body(self, body: Body) -> None:
        row = body._row
        for joint in body.joints:
            joint._lose_body(body)
        self._contact_rows.end_run()
        for geom in body.geoms:
            geom._leave_body()
        note_change()
        self._moved_callbacks.pop(body, None)
        del self._bodies[row]
        self._bodies_rows.give_back(row)
        self._orders_stale = True

    def _list_members(self) -> None:
        """List bodies and joints in their order for the kernels."""
        behind = self._contact_rows.behind
        attached = [joint._row + (behind.get(joint, 0) << BEHIND) for joint in self._attached]
        for table, rows in ((BODY_ORDER, self._ordered_rows()), (JOINT_ORDER, attached)):
            self._store.use(table, len(rows))
            self._store[table][: len(rows)] = rows
        self._orders_stale = False

    def _ordered_rows(self) -> npt.NDArray[np.int64]:
        """Rows of the bodies, in the order of `bodies`."""
        count = len(self._bodies)
        return np.fromiter(self._bodies, np.int64, count) if self._orders_stale else self._store[BODY_ORDER][:count]

    # -- all bodies at once ----------------------------------------------------------------------------------------

    @property
    def positions(self) -> Array:
        """Positions of all bodies, m, shape (n, 3), in the order of `bodies`."""
        return read_only(self._store[POSES]["position"][self._ordered_rows()])

    @positions.setter
    def positions(self, values: Matrix) -> None:
        self._set_all(POSES, "position", self._checked_array("the positions", values, 3), Body._moves)

    @property
    def quaternions(self) -> Array:
        """Orientations of all bodies (w, x, y, z), shape (n, 4)."""
        return read_only(self._store[POSES]["quaternion"][self._ordered_rows()])

    @quaternions.setter
    def quaternions(self, values: Matrix) -> None:
        given = self._checked_array("the quaternions", values, 4)
        checked = [checks.quaternion(f"the quaternion of {b.name}", q) for b, q in zip(self.bodies, given, strict=True)]
        for body, q in zip(self.bodies, checked, strict=True):
            body.quaternion = np.array(q)

    orientations = Alias[Array, Matrix]("quaternions")

    @property
    def linear_velocities(self) -> Array:
        """Velocities of all bodies, m/s, shape (n, 3)."""
        return read_only(self._store[MOTIONS]["linear_velocity"][self._ordered_rows()])

    @linear_velocities.setter
    def linear_velocities(self, values: Matrix) -> None:
        checked = self._checked_array("the linear velocities", values, 3)
        self._set_all(MOTIONS, "linear_velocity", checked, Body._wake)

    @property
    def angular_velocities(self) -> Array:
        """Angular velocities of all bodies, rad/s, shape (n, 3)."""
        return read_only(self._store[MOTIONS]["angular_velocity"][self._ordered_rows()])

    @angular_velocities.setter
    def angular_velocities(self, values: Matrix) -> None:
        checked = self._checked_array("the angular velocities", values, 3)
        self._set_all(MOTIONS, "angular_velocity", checked, Body._wake)

    def _set_all(self, table: Table, field: str, values: Array, note: Callable[[Body], None]) -> None:
        """Set a field of all bodies, after calling `note` with those that it changes."""
        rows = self._ordered_rows()
        if table is POSES:
            self._home.edition.number += 1
            bring_bodies_to_front(self._bodies.values())
        if some_asleep(self._store):
            changed = (self._store[table][field][rows] != values).any(axis=1)
            for row in rows[changed].tolist():
                note(self._bodies[row])
        self._store[table][field][rows] = values

    def _checked_array(self, what: str, values: Any, width: int) -> Array:
        array = checks.array(self._say(what), values)
        if array.shape != (len(self._bodies), width):
            raise ValueError(f"{self._say(what)} must have the shape {(len(self._bodies), width)}, not {array.shape}")
        return array

    @property
    def kinetic_energy(self) -> float:
        """Kinetic energy of all bodies, J."""
        rows, store = self._ordered_rows(), self._store
        masses, inertias = store[INERTIAS]["mass"][rows], store[INERTIAS]["inertia"][rows].reshape(-1, 3, 3)
        velocities, turns = store[MOTIONS]["linear_velocity"][rows], store[POSES]["rotation"][rows].reshape(-1, 3, 3)
        spins = np.einsum("ni,nij->nj", store[MOTIONS]["angular_velocity"][rows], turns)  # in the bodies' frames
        linear = np.vdot(masses, (velocities * velocities).sum(axis=1))
        return 0.5 * float(linear + np.einsum("ni,nij,nj", spins, inertias, spins))

    @property
    def potential_energy(self) -> float:
        """Potential energy of all bodies with gravity, J; zero at the origin."""
        rows, store = self._ordered_rows(), self._store
        rows = rows[store[MOTIONS]["flags"][rows] & WEIGHTLESS == 0]
        return -float(store[INERTIAS]["mass"][rows] @ (store[POSES]["position"][rows] @ self.gravity))

    def __repr__(self) -> str:
        if not self.alive:
            return f"<World {self.name!r}: destroyed>"
        things = (("body", self._bodies), ("joint", self.joints), ("geom", self.geoms))
        counts = ", ".join(describing.count(len(found), noun) for noun, found in things)
        return f"<World {self.name!r}: {counts}, time {describing.shown(self.time)} s>"

    def _repr_html_(self) -> str:
        """A picture, for notebooks."""
        from opendynamics.viewer.pictures.notebook import picture_page

        return picture_page(self, self)
