"""Families: a folder in which one file, or one folder, is one member.

A member is found by its place. Python loads its compiled functions when a world first needs them and puts their
addresses into the world's tables; kernels call them through the address. So a new member touches no other file,
recompiles nothing, and costs nothing until it is used: a call through an address takes about 5 ns.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache, cached_property
from types import ModuleType
from typing import Any

from opendynamics.core.compile.loading import address_of


class Family:
    """The members of a package, by file name; folders inside it are code shared by members.

    With `nested`, folders hold members too. With `folders`, a folder is a member, and files are what members share. `noun`: what
    messages call a member; the folder's name without its last letter unless given.
    """

    def __init__(self, package: str, *, nested: bool = False, folders: bool = False, noun: str = "") -> None:
        self.package = package
        self.noun = noun or package.rpartition(".")[2][:-1]
        self.nested = nested
        self.folders = folders
        self._known: dict[str, ModuleType] = {}  # requested so far

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of all members, in alphabetical order."""
        return tuple(sorted(self._modules))

    @cached_property
    def _modules(self) -> dict[str, str]:
        """The module of each member."""
        found = {}
        packages = [self.package]
        while packages:
            package = packages.pop()
            for module in pkgutil.iter_modules(importlib.import_module(package).__path__, f"{package}."):
                name = module.name.rpartition(".")[2]
                if module.ispkg == self.folders and not name.startswith("_"):
                    found[name] = module.name
                elif module.ispkg and self.nested:
                    packages.append(module.name)
        return found

    def __getitem__(self, name: str) -> ModuleType:
        found = self._known.get(name)
        if found is None:
            if name not in self.names:
                raise ValueError(self._unknown(name))
            found = self._known[name] = importlib.import_module(self._modules[name])
        return found

    def _unknown(self, name: Any) -> str:
        from difflib import get_close_matches

        close = get_close_matches(str(name), self.names, 1)
        guess = f"; did you mean {close[0]!r}?" if close else ";"
        return f"there is no {self.noun} {name!r}{guess} there are: {', '.join(self.names)}"

    @cached_property
    def by_kind(self) -> dict[int, ModuleType]:
        """Members by their KIND, for families whose members have one."""
        members: dict[int, ModuleType] = {}
        for name in self.names:
            member = self[name]
            if member.KIND in members:
                raise ValueError(f"{member.__name__} and {members[member.KIND].__name__} have the same KIND")
            members[member.KIND] = member
        return members


JOINTS = Family("opendynamics.core.constrain.joints", nested=True)
SHAPES = Family("opendynamics.core.bodies.shapes")
PAIRS = Family("opendynamics.core.collide.narrowphase.pairs")
ODE_PAIRS = Family("opendynamics.core.collide.narrowphase.ode_pairs")
PLANES = Family("opendynamics.core.collide.narrowphase.planes")
RAYS = Family("opendynamics.core.collide.narrowphase.rays")
BROADPHASES = Family("opendynamics.core.collide.broadphase", noun="broadphase")
SOLVERS = Family("opendynamics.core.solve", folders=True, noun="solver")


@cache
def joint_addresses(kind: int) -> tuple[int, int]:
    """Addresses of the functions that count and fill in the rows of joints of `kind`."""
    from opendynamics.core.constrain.joints import COUNT, FILL

    member = JOINTS.by_kind[kind]
    return address_of(member.count, COUNT), address_of(member.fill, FILL)


@cache
def know_shape(kind: int) -> None:
    """Write the functions of shapes of `kind` to the contracts of this process; idempotent."""
    from opendynamics.core.bodies.shapes import BOUNDS, CONTRACTS, CONVEX, FIRST_BY_ADDRESS, FUNCTIONS

    member, contract = SHAPES.by_kind[kind], CONTRACTS[kind]
    contract["traits"] = member.TRAITS
    contract["bounds"] = address_of(member.bounds, BOUNDS)
    if kind >= FIRST_BY_ADDRESS and member.TRAITS & CONVEX:
        for name, signature in FUNCTIONS.items():
            contract[name] = address_of(getattr(member, name), signature)


@cache
def know_depth(kind: int) -> None:
    """The same for the function of a point's signed depth, which is seldom needed."""
    from opendynamics.core.bodies.shapes import CONTRACTS, POINT_DEPTH

    if hasattr(SHAPES.by_kind[kind], "point_depth"):
        CONTRACTS[kind]["point_depth"] = address_of(SHAPES.by_kind[kind].point_depth, POINT_DEPTH)


def shape_name(kind: int) -> str:
    """File name of the shape of a kind."""
    return SHAPES.by_kind[kind].__name__.rsplit(".", 1)[-1]


@cache
def pair_address(kind_a: int, kind_b: int, like_ode: bool = False) -> int:
    """Address of the function that collides two kinds in this order; 0 if there is none.

    It is in the file named by the pair, with `like_ode` in that of ODE's contacts if there is one, or is the one that
    serves their traits.
    """
    from opendynamics.core.collide.narrowphase.collider import PAIR

    collide = pair_entry(kind_a, kind_b, like_ode)
    if collide is None:
        return 0
    know_shape(kind_a)
    know_shape(kind_b)
    return address_of(collide, PAIR)


def pair_entry(kind_a: int, kind_b: int, like_ode: bool = False) -> Any:
    """The function that collides two kinds in this order; None if there is none."""
    from opendynamics.core.collide.narrowphase.fallback import fallback

    name = f"{shape_name(kind_a)}_{shape_name(kind_b)}"
    if like_ode and name in ODE_PAIRS.names:
        return ODE_PAIRS[name].collide
    if own := _named_pair(kind_a, kind_b):
        return own.collide
    if kind_a != kind_b and _named_pair(kind_b, kind_a):
        return None
    module = fallback(kind_a, SHAPES.by_kind[kind_a].TRAITS, kind_b, SHAPES.by_kind[kind_b].TRAITS)
    return importlib.import_module(f"opendynamics.core.collide.narrowphase.{module}").collide if module else None


def _named_pair(kind_a: int, kind_b: int) -> ModuleType | None:
    name = f"{shape_name(kind_a)}_{shape_name(kind_b)}"
    return next((family[name] for family in (PAIRS, PLANES, RAYS) if name in family.names), None)


def pair_names() -> list[str]:
    """Names of all pairs of shapes that have a collider, in the order in which it takes them, such as "sphere_box"."""
    kinds = sorted(SHAPES.by_kind)
    return sorted(f"{shape_name(a)}_{shape_name(b)}" for a in kinds for b in kinds if pair_entry(a, b) is not None)
