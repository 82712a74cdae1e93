"""Makes the page on names and their aliases, docs/names.md: `python docs/names.py`. A test compares the two."""

from __future__ import annotations

from pathlib import Path

import opendynamics as od
from opendynamics.api.aliases import pairs

PAGE = Path(__file__).parent / "names.md"

HEAD = """\
# Names and their aliases

<!-- Made by `python docs/names.py`; changes by hand are lost. -->

Some quantities have two common names, and both work here, as property and as argument: a **name**, which this documentation,
messages and saved files use, and an **alias**. None has a third. A wrong name raises an error that suggests the right one.

```python
import opendynamics as od

world = od.World(gravity=(0, 0, -9.81), surface=od.Surface(friction=0.8, restitution=0.2))
world.add_plane(offset=0.5)
door = world.add_body(od.Box(size=(1, 0.05, 2)), position=(0.5, 0, 2), orientation=(1, 0, 0, 0))
hinge = world.add_hinge(door, None, anchor=(0, 0, 2), axis=(0, 0, 1), limits=(-1.5, 1.5))
hinge.motor(velocity=1, max_force=20)
assert hinge.limits == hinge.stops and hinge.rate == hinge.angle_rate
```

Rates follow one pattern: what is called `angle` has an `angle_rate`, what is called `position` a `position_rate`. Joints with a
single coordinate have `rate` as alias.

| Name | Alias | Where |
|---|---|---|
"""

TAIL = """
Giving both is an error. Named values, such as `"exact"`, are listed on the page of their property or argument:
[solvers](solvers.md), [broadphases](spaces.md), [friction models](manual/contact-joints.md#friction),
[integrators](integrators.md).
"""


def rows() -> list[tuple[str, str, str]]:
    """Name, alias and where it works; of classes and what is derived from them, only the former."""
    kinds = [value for name in od.__all__ if isinstance(value := getattr(od, name), type)]
    places: dict[tuple[str, str], list[tuple[type, str]]] = {}
    for kind in kinds:
        for name, alias, where in pairs([kind]):
            places.setdefault((name, alias), []).append((kind, where))
    found = []
    for (name, alias), here in places.items():
        own = [
            where
            for kind, where in here
            if not any(
                kind is not other and issubclass(kind, other) and ("." in where) == ("." in there)
                for other, there in here
            )
        ]
        found.append((name, alias, ", ".join(f"`{where}`" for where in sorted(own))))
    return sorted(found)


def page() -> str:
    """The page."""
    return HEAD + "".join(f"| `{name}` | `{alias}` | {where} |\n" for name, alias, where in rows()) + TAIL


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
