"""ODE's Dynamics Interchange Format: a complete `dWorldExportDIF`, and a reader.

    -- Dynamics Interchange Format v0.1
    my_world = dynamics.world {gravity = {0,0,-9.81}, ODE = {ERP = 0.2, CFM = 1e-10, ...}}
    my_body = {}
    my_body[0] = dynamics.body {world = my_world, pos = {0,0,1}, q = {1,0,0,0}, ..., geometry = {{type = "box", ...}}}
    my_joint = {}
    my_joint[0] = dynamics.hinge_joint {world = my_world, body = {my_body[0]}, anchor1 = {0,0,1}, ...}

Lua tables, newest body and joint first, SI units, quaternions (w, x, y, z). Anchors and axes are in the frames of the joint's
bodies. `syntax` parses the text, `fields` checks the contents of a table; `world`, `bodies`, `geometry`, `joints` and
`contacts` write and read the tables of one kind each. ODE's own files, which omit much, can be read too.
"""

from opendynamics.io.dif.reading import read_dif
from opendynamics.io.dif.syntax import DifError
from opendynamics.io.dif.writing import write_dif

__all__ = ["DifError", "read_dif", "write_dif"]
