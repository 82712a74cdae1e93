"""ODE's demo_boxstack: keys drop shapes, b box, s sphere, c capsule, y cylinder, x composite; o exports the world as DIF."""

import io

from ode_demo import *

FRAMES, KEYS = 220, {0: "b", 20: "s", 40: "c", 60: "y", 80: "x", 219: "o"}

stage = Stage(-5, h=0.02, quick=True, mu=2.0, mode=APPROX)
dWorldSetAutoDisableFlag(stage.world, 1)
dWorldSetAutoDisableLinearThreshold(stage.world, 0.05)
dWorldSetAutoDisableAngularThreshold(stage.world, 0.1)
bodies, files = [], []


def composite(at):
    """Two boxes and a sphere, 0.3 m apart, about their common centre of mass."""
    total, geoms = dMass(), []
    box = dCreateBox, dMassSetBox
    for k, (make, weigh) in enumerate((box, (dCreateSphere, dMassSetSphere), box)):
        size = (0.2, 0.2, 0.2) if make is dCreateBox else (0.1,)
        mass = dMass()
        weigh(mass, 5, *size)
        dMassTranslate(mass, 0.3 * (k - 1), 0, 0)
        dMassAdd(total, mass)
        geoms.append(make(stage.space, *size))
    body = stage.body(*geoms, at=at, mass=total)
    for k, geom in enumerate(geoms):
        dGeomSetOffsetPosition(geom, 0.3 * (k - 1), 0, 0)
    return body


def command(key):
    at = (0.05 * len(bodies), len(bodies), 0.5)
    made = {
        "b": lambda: stage.box((0.3, 0.4, 0.5), at, 5),
        "s": lambda: stage.sphere(0.2, at, 5),
        "c": lambda: stage.capsule(0.1, 0.4, at, 5),
        "y": lambda: stage.cylinder(0.2, 0.3, at, 5),
        "x": lambda: composite(at),
    }
    if chr(key) in made:
        bodies.append(made[chr(key)]())
    elif chr(key) == "o":
        files.append(io.StringIO())
        dWorldExportDIF(stage.world, files[-1], "stack_")


stage.commands = command


def check():
    assert close([height(bodies[0]), height(bodies[3])], [0.25, 0.15], 0.01), "box and cylinder stand as they fell"
    assert all(0.05 < height(body) < 0.31 for body in bodies)
    assert not dBodyIsEnabled(bodies[0]), "and sleep"
    assert files[0].getvalue().count("dynamics.body") == 5 and "stack_geometry" in files[0].getvalue()


if __name__ == "__main__":
    stage.show()
