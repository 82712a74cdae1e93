"""The functions of drawstuff, the graphics of ODE's demo programs, over the live view in the browser.

    from opendynamics.c_api import *
    from opendynamics.drawstuff import *

    def start():
        dsSetViewpoint([3, -3, 2], [135, -15, 0])

    def step(pause):
        if not pause:
            dWorldStep(world, 0.02)
        dsDrawBox(dBodyGetPosition(body), dBodyGetRotation(body), [1, 0.5, 0.25])

    dsSimulationLoop(len(sys.argv), sys.argv, 640, 480, dsFunctions(start=start, step=step))

Every function has drawstuff's name and arguments; those with the suffix D, for doubles, are the same. The shapes drawn by a
step are shown until the next one has drawn. Keys are typed in the terminal, followed by Return except on Windows.
`headless(frames)` makes dsSimulationLoop run this number of frames without a window and stores what they drew, for tests of
programs.
"""

from opendynamics.drawstuff.canvas import (
    DS_CHECKERED,
    DS_GROUND,
    DS_NONE,
    DS_POLYFILL,
    DS_SKY,
    DS_WIREFRAME,
    DS_WOOD,
    Drawn,
)
from opendynamics.drawstuff.drawing import (
    dsDrawBox,
    dsDrawBoxD,
    dsDrawCappedCylinder,
    dsDrawCappedCylinderD,
    dsDrawCapsule,
    dsDrawCapsuleD,
    dsDrawConvex,
    dsDrawConvexD,
    dsDrawCylinder,
    dsDrawCylinderD,
    dsDrawLine,
    dsDrawLineD,
    dsDrawSphere,
    dsDrawSphereD,
    dsDrawTriangle,
    dsDrawTriangleD,
    dsDrawTriangles,
    dsDrawTrianglesD,
    dsSetCappedCylinderQuality,
    dsSetCapsuleQuality,
    dsSetColor,
    dsSetColorAlpha,
    dsSetDrawMode,
    dsSetSphereQuality,
    dsSetTexture,
)
from opendynamics.drawstuff.loop import (
    DS_VERSION,
    dsDebug,
    dsElapsedTime,
    dsError,
    dsFunctions,
    dsGetViewpoint,
    dsPrint,
    dsSetViewpoint,
    dsSimulationLoop,
    dsStop,
    headless,
)

__all__ = [
    "DS_CHECKERED",
    "DS_GROUND",
    "DS_NONE",
    "DS_POLYFILL",
    "DS_SKY",
    "DS_VERSION",
    "DS_WIREFRAME",
    "DS_WOOD",
    "Drawn",
    "dsDebug",
    "dsDrawBox",
    "dsDrawBoxD",
    "dsDrawCappedCylinder",
    "dsDrawCappedCylinderD",
    "dsDrawCapsule",
    "dsDrawCapsuleD",
    "dsDrawConvex",
    "dsDrawConvexD",
    "dsDrawCylinder",
    "dsDrawCylinderD",
    "dsDrawLine",
    "dsDrawLineD",
    "dsDrawSphere",
    "dsDrawSphereD",
    "dsDrawTriangle",
    "dsDrawTriangleD",
    "dsDrawTriangles",
    "dsDrawTrianglesD",
    "dsElapsedTime",
    "dsError",
    "dsFunctions",
    "dsGetViewpoint",
    "dsPrint",
    "dsSetCappedCylinderQuality",
    "dsSetCapsuleQuality",
    "dsSetColor",
    "dsSetColorAlpha",
    "dsSetDrawMode",
    "dsSetSphereQuality",
    "dsSetTexture",
    "dsSetViewpoint",
    "dsSimulationLoop",
    "dsStop",
    "headless",
]
