"""Record the tutorials, and scripts like them, from ODE itself.

With Debian's python3-pyode, as /usr/bin/python3 record_tutorials.py [file].

Debian's package has parameter numbers of before ODE 0.13, ends the process when the axes of a Hinge2Joint are parallel for
a moment, and crashes when a world ends before its joints; all three are mended here before the scripts run. Without a
file, the largest differences that a nudge of 1e-12 makes are printed: how far ODE itself strays.
"""

import gzip
import importlib
import json
import os
import sys
from pathlib import Path

import ode

HERE = Path(__file__).parent
NAMES = ("falling", "pendulums", "boxes", "transforms", "vehicle", "motors", "piles")
STEPS, EVERY = 300, 20

ODE_NUMBERS = {
    **{"FMax": 5, "FudgeFactor": 6, "Bounce": 7, "CFM": 8, "StopERP": 9, "StopCFM": 10},
    **{"SuspensionERP": 11, "SuspensionCFM": 12},
}


class Hinge2Joint(ode.Hinge2Joint):
    """One whose axes can be set in any order."""

    def setAxis1(self, axis):
        self.first = axis

    def setAxis2(self, axis):
        across = (axis[1], axis[2], axis[0])
        super().setAxis1((across[0], across[1], across[2]))
        super().setAxis2(axis)
        super().setAxis1(self.first)


WORLDS = []


class World(ode.World):
    """One that never ends."""

    def __init__(self):
        super().__init__()
        WORLDS.append(self)


def mend():
    for name, number in ODE_NUMBERS.items():
        for suffix, group in (("", 0), ("2", 256), ("3", 512)):
            setattr(ode, f"Param{name}{suffix}", number + group)
    ode.ContactSlip1, ode.ContactSlip2, ode.ContactApprox1 = 0x100, 0x200, 0x7000
    ode.Hinge2Joint, ode.World = Hinge2Joint, World


def main():
    mend()
    sys.path.insert(0, str(HERE / "tutorials"))
    scripts = {name: importlib.import_module(name) for name in NAMES}
    if len(sys.argv) > 1:
        rows = {name: script.run(STEPS)[EVERY - 1 :: EVERY] for name, script in scripts.items()}
        text = json.dumps({"every": EVERY, "rows": rows}, separators=(",", ":"))
        Path(sys.argv[1]).write_bytes(gzip.compress(text.encode(), 9, mtime=0))
        return
    for name, script in scripts.items():
        pairs = zip(script.run(STEPS), script.run(STEPS, 1e-12), strict=True)
        print(name, max(abs(a - b) for one, two in pairs for a, b in zip(one, two, strict=True)))


if __name__ == "__main__":
    main()
    sys.stdout.flush()
    os._exit(0)
