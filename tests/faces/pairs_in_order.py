"""Random programs whose outcome is the order of pairs and of members in a space, by C names.

`python -m tests.faces.pairs_in_order` records ODE's orders with the installed libode, in double precision.
"""

from __future__ import annotations

import gzip
import json
import os
import random
from pathlib import Path
from typing import Any

from opendynamics import c_api

DATA = Path(__file__).parents[1] / "data" / "pairs_in_order.json.gz"
KINDS = ("simple", "hash", "quad_tree", "sweep_and_prune")
SEEDS = 16
CALLS = 80

INNER = -1  # what the inner space is called; geoms are called by their numbers
SPHERE, BOX, PLANE = 0, 1, 4  # classes of geoms

SAP_AXES = ("XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX")
MOVING = (
    "place_geom",
    "turn_geom",
    "resize_geom",
    "place_body",
    "put_on_body",
    "take_off_body",
    "offset",
    "step",
    "step",
)
LOOKING = ("collide", "collide", "clean", "meet", "meet_space", "list_members")
CHANGING = ("make_geom", "remove_geom", "add_geom", "destroy_geom", "change_bits", "read_box")


def create_space(ode: Any, kind: str, seed: int) -> Any:
    if kind == "quad_tree":
        return ode.dQuadTreeSpaceCreate(0, (0, 0, 0, 0), (5, 3, 2, 0), 3)
    if kind == "sweep_and_prune":
        return ode.dSweepAndPruneSpaceCreate(0, getattr(c_api, f"dSAP_AXES_{SAP_AXES[seed % 6]}"))
    return ode.dSimpleSpaceCreate(0) if kind == "simple" else ode.dHashSpaceCreate(0)


class Program:
    """A space, for odd seeds with a space in it, and random calls; `seen` is what they show."""

    def __init__(self, ode: Any, kind: str, seed: int) -> None:
        self.ode, self.kind, self.random = ode, kind, random.Random(seed)
        self.seen: list[Any] = []
        self.world = ode.dWorldCreate()
        self.space = create_space(ode, kind, seed)
        self.spaces = [self.space]
        self.geoms: list[Any] = []
        self.alive: list[int] = []
        self.where: dict[int, Any] = {}
        self.bodies: list[Any] = []
        self.numbers: dict[Any, int] = {}
        if seed % 2:
            self.spaces.append(ode.dSimpleSpaceCreate(self.space))
            self.numbers[self.spaces[1]] = INNER
            self.numbers[ode.dCreateSphere(self.spaces[1], 1.0)] = INNER - 1  # so that it is never empty
        for _ in range(10):
            self.make_geom()

    def run(self) -> list[Any]:
        for _ in range(CALLS):
            name = self.random.choice(MOVING + LOOKING + CHANGING)
            if self.alive or name == "make_geom":
                getattr(self, name)()
        self.list_members()
        self.collide()
        self.list_members()
        return self.seen

    def point(self) -> list[float]:
        return [self.random.uniform(-3, 3) for _ in range(3)]

    def geom(self, placeable: bool = False) -> int:
        """A living geom; the first that is no plane, if it has to be placeable."""
        number = self.random.choice(self.alive)
        if placeable and self.ode.dGeomGetClass(self.geoms[number]) == PLANE:
            return next((k for k in self.alive if self.ode.dGeomGetClass(self.geoms[k]) != PLANE), -1)
        return number

    # -- what changes ------------------------------------------------------------------------------------------------

    def make_geom(self) -> None:
        ode, draw = self.ode, self.random
        space, kind, number = draw.choice([*self.spaces, self.space]), draw.random(), len(self.geoms)
        endless = kind < 0.1 and self.kind in (
            "simple",
            "hash",
        )  # the others report these with geoms that they do not touch
        if endless:
            geom = ode.dCreatePlane(space, 0, 0, 1, -1.0)
        elif kind < 0.5:
            geom = ode.dCreateSphere(space, draw.choice([0.2, 0.5, 1, 2]))
        else:
            geom = ode.dCreateBox(space, *(draw.choice([0.3, 1, 2, 3]) for _ in range(3)))
        self.geoms.append(geom)
        self.alive.append(number)
        self.numbers[geom], self.where[number] = number, space
        if not endless and draw.random() < 0.6:
            if not self.bodies or draw.random() < 0.7:
                self.bodies.append(ode.dBodyCreate(self.world))
                ode.dBodySetPosition(self.bodies[-1], *self.point())
            ode.dGeomSetBody(geom, draw.choice(self.bodies))
        elif not endless:
            ode.dGeomSetPosition(geom, *self.point())

    def place_geom(self) -> None:
        if (number := self.geom(placeable=True)) >= 0:
            self.ode.dGeomSetPosition(self.geoms[number], *self.point())

    def turn_geom(self) -> None:
        if (number := self.geom(placeable=True)) >= 0:
            self.ode.dGeomSetQuaternion(self.geoms[number], (0.6, 0.8, 0.0, 0.0))

    def resize_geom(self) -> None:
        geom, size = self.geoms[self.geom()], self.random.choice([0.4, 1.2])
        kind = self.ode.dGeomGetClass(geom)
        if kind == SPHERE:
            self.ode.dGeomSphereSetRadius(geom, size)
        elif kind == BOX:
            self.ode.dGeomBoxSetLengths(geom, 1, size, 1)
        else:
            self.ode.dGeomPlaneSetParams(geom, 0, 0, 1, -size)

    def place_body(self) -> None:
        if self.bodies:
            self.ode.dBodySetPosition(self.random.choice(self.bodies), *self.point())

    def put_on_body(self) -> None:
        if self.bodies and (number := self.geom(placeable=True)) >= 0:
            self.ode.dGeomSetBody(self.geoms[number], self.random.choice(self.bodies))

    def take_off_body(self) -> None:
        if (number := self.geom(placeable=True)) >= 0:
            self.ode.dGeomSetBody(self.geoms[number], 0)

    def offset(self) -> None:
        number = self.geom(placeable=True)
        if number >= 0 and self.ode.dGeomGetBody(self.geoms[number]):
            if self.random.random() < 0.7:
                self.ode.dGeomSetOffsetPosition(self.geoms[number], *self.point())
            else:
                self.ode.dGeomClearOffset(self.geoms[number])

    def step(self) -> None:
        for body in self.bodies:
            if self.random.random() < 0.2:
                (self.ode.dBodyDisable if self.random.random() < 0.5 else self.ode.dBodyEnable)(body)
        (self.ode.dWorldQuickStep if self.random.random() < 0.5 else self.ode.dWorldStep)(self.world, 0.01)

    def remove_geom(self) -> None:
        number = self.geom()
        if self.where[number] is not None:
            self.ode.dSpaceRemove(self.where[number], self.geoms[number])
            self.where[number] = None

    def add_geom(self) -> None:
        number = self.geom()
        if self.where[number] is None:
            self.where[number] = self.random.choice(self.spaces)
            self.ode.dSpaceAdd(self.where[number], self.geoms[number])

    def destroy_geom(self) -> None:
        self.ode.dGeomDestroy(self.geoms[self.alive.pop(self.random.randrange(len(self.alive)))])

    def change_bits(self) -> None:
        self.ode.dGeomSetCategoryBits(self.geoms[self.geom()], self.random.choice([1, 3, 0xFFFFFFFF]))

    def read_box(self) -> None:
        self.ode.dGeomGetAABB(self.geoms[self.geom()])

    # -- observations ------------------------------------------------------------------------------------------------

    def near(self, _: Any, one: Any, other: Any) -> None:
        self.seen[-1].append([self.numbers[one], self.numbers[other]])

    def collide(self) -> None:
        self.seen.append(["pairs"])
        self.ode.dSpaceCollide(self.random.choice([*self.spaces, self.space]), None, self.near)

    def clean(self) -> None:
        self.ode.dSpaceClean(self.random.choice(self.spaces))

    def meet(self) -> None:
        """A space and a geom, or two geoms, in some order."""
        one = self.random.choice([*self.spaces, self.geoms[self.geom()]])
        other = self.geoms[self.geom()]
        if one != other:
            self.seen.append(["pairs"])
            self.ode.dSpaceCollide2(*self.random.sample([one, other], 2), None, self.near)

    def meet_space(self) -> None:
        if len(self.spaces) > 1:
            self.seen.append(["pairs"])
            self.ode.dSpaceCollide2(*self.random.sample(self.spaces, 2), None, self.near)

    def list_members(self) -> None:
        for space in self.spaces:
            if space == self.space and self.kind == "quad_tree":
                continue  # not in ODE
            count = self.ode.dSpaceGetNumGeoms(space)
            members = [self.ode.dSpaceGetGeom(space, k) for k in range(count)]
            self.seen.append(["members", *(self.numbers[member] for member in members)])


def record(library: Any, kind: str, seed: int) -> list[Any] | None:
    """ODE's result; None if it ends the process, as it does on meeting a geom that it forgot to clean."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        with os.fdopen(write, "w") as out:
            json.dump(Program(library, kind, seed).run(), out)
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as results:
        text = results.read()
    return None if os.waitpid(child, 0)[1] else json.loads(text)


def main() -> None:
    from benchmarks.peers.libode import LibOde

    library = LibOde()
    library.dInitODE2(0)
    found = {}
    for kind in KINDS:
        runs = ((seed, record(library, kind, seed)) for seed in range(10 * SEEDS))
        found[kind] = dict([run for run in runs if run[1] is not None][:SEEDS])
    DATA.write_bytes(gzip.compress(json.dumps(found, separators=(",", ":")).encode(), 9, mtime=0))


if __name__ == "__main__":
    main()
