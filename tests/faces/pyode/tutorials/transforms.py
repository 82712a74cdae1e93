"""PyODE's example of XODE transforms, rewritten: bodies in bodies, each placed relative to its parent, then moving."""

import json
import sys

import ode
import xode.parser

STEP = 0.01

BRANCH = """
      <body>
        <transform scale="1.25">
          <position x="{x}" y="{y}" z="{z}"/>
          <rotation><euler x="{rx}" y="{ry}" z="{rz}" aformat="degrees"/></rotation>
        </transform>
        <linearVel x="{x}" y="{y}" z="{z}"/>
        <body>
          <transform>
            <position x="{x}" y="{y}" z="{z}"/>
            <rotation><euler x="{rx}" y="{ry}" z="{rz}" aformat="degrees"/></rotation>
          </transform>
          <linearVel x="{z}" y="{x}" z="{y}"/>
        </body>
      </body>
"""

DIRECTIONS = (
    {"x": 1, "y": 0, "z": 0, "rx": 30, "ry": 0, "rz": 0},
    {"x": 0, "y": 1, "z": 0, "rx": 0, "ry": 30, "rz": 0},
    {"x": 0, "y": 0, "z": -1, "rx": 0, "ry": 10, "rz": 30},
)


def document():
    branches = "".join(BRANCH.format(**direction) for direction in DIRECTIONS)
    place = '<transform><position x="1" y="2" z="3"/></transform><angularVel x="1" y="2" z="3"/>'
    trunk = f'<body name="trunk">{place}{branches}</body>'
    return f'<?xml version="1.0"?><xode><world name="world"><space name="space">{trunk}</space></world></xode>'


def bodies_of(node):
    """All bodies of a tree, parents first."""
    found = [node.getODEObject()] if isinstance(node.getODEObject(), ode.Body) else []
    for child in node.getChildren():
        found += bodies_of(child)
    return found


def run(steps, nudge=0.0):
    root = xode.parser.Parser().parseString(document())
    world = root.namedChild("world").getODEObject()
    bodies = bodies_of(root)
    trunk = root.namedChild("trunk").getODEObject()
    trunk.setLinearVel((0, nudge, 0))
    rows = []
    for _ in range(steps):
        world.step(STEP)
        rows.append([number for body in bodies for number in (*body.getPosition(), *body.getRotation())])
    return rows


if __name__ == "__main__":
    json.dump(run(int(sys.argv[1])), sys.stdout)
