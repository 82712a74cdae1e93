"""Settings of worlds and bodies that programs make, by the function that sets them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from benchmarks.differential.writer import Writer

Table = dict[str, Callable[[Writer], tuple[Any, ...]]]

WORLD: Table = {
    "dWorldSetGravity": lambda w: w.vector(5.0),
    "dWorldSetERP": lambda w: (w.number(0.05, 0.9),),
    "dWorldSetQuickStepNumIterations": lambda w: (w.draw.randrange(1, 50),),
    "dWorldSetQuickStepW": lambda w: (w.number(0.5, 1.9),),
    "dWorldSetContactMaxCorrectingVel": lambda w: (w.number(0.1, 2),),
    "dWorldSetContactSurfaceLayer": lambda w: (w.number(0, 0.05),),
    "dWorldSetAutoDisableLinearThreshold": lambda w: (w.number(0, 2),),
    "dWorldSetAutoDisableAngularThreshold": lambda w: (w.number(0, 2),),
    "dWorldSetAutoDisableAverageSamplesCount": lambda w: (w.draw.randrange(0, 4),),
    "dWorldSetAutoDisableSteps": lambda w: (w.draw.randrange(0, 4),),
    "dWorldSetAutoDisableTime": lambda w: (w.number(0, 0.05),),
    "dWorldSetAutoDisableFlag": lambda w: (w.draw.randrange(2),),
    "dWorldSetLinearDamping": lambda w: (w.number(0, 1),),
    "dWorldSetAngularDamping": lambda w: (w.number(0, 1),),
    "dWorldSetLinearDampingThreshold": lambda w: (w.number(0, 1),),
    "dWorldSetAngularDampingThreshold": lambda w: (w.number(0, 1),),
    "dWorldSetMaxAngularSpeed": lambda w: (w.number(0.5, 5),),
    "dWorldSetDamping": lambda w: (w.number(-0.1, 1.2), w.number(-0.1, 1.2)),
}

BODY: Table = {
    "dBodySetPosition": lambda w: w.vector(1.0),
    "dBodySetQuaternion": lambda w: (w.turn(),),
    "dBodySetRotation": lambda w: (w.rotation(),),
    "dBodySetLinearVel": lambda w: w.vector(1.0),
    "dBodySetAngularVel": lambda w: w.vector(1.5),
    "dBodySetGravityMode": lambda w: (w.draw.randrange(2),),
    "dBodySetFiniteRotationMode": lambda w: (w.draw.randrange(2),),
    "dBodySetFiniteRotationAxis": lambda w: w.draw.choice((w.vector(), (0.0, 0.0, 0.0))),
    "dBodySetGyroscopicMode": lambda w: (w.draw.randrange(2),),
    "dBodySetLinearDamping": lambda w: (w.number(0, 1),),
    "dBodySetAngularDamping": lambda w: (w.number(0, 1),),
    "dBodySetLinearDampingThreshold": lambda w: (w.number(0, 1),),
    "dBodySetAngularDampingThreshold": lambda w: (w.number(0, 1),),
    "dBodySetMaxAngularSpeed": lambda w: (w.number(0.5, 5),),
    "dBodySetDamping": lambda w: (w.number(-0.1, 1.2), w.number(-0.1, 1.2)),
    "dBodySetAutoDisableLinearThreshold": lambda w: (w.number(0, 2),),
    "dBodySetAutoDisableAngularThreshold": lambda w: (w.number(0, 2),),
    "dBodySetAutoDisableAverageSamplesCount": lambda w: (w.draw.randrange(0, 4),),
    "dBodySetAutoDisableSteps": lambda w: (w.draw.randrange(0, 4),),
    "dBodySetAutoDisableTime": lambda w: (w.number(0, 0.05),),
    "dBodySetAutoDisableFlag": lambda w: (w.draw.randrange(2),),
    "dBodySetAutoDisableDefaults": lambda w: (),
    "dBodySetDampingDefaults": lambda w: (),
}

# Objects created and destroyed between steps.
MODES: Table = {
    "dBodySetKinematic": lambda w: (),
    "dBodySetDynamic": lambda w: (),
    "dBodyDisable": lambda w: (),
    "dBodyEnable": lambda w: (),
}

FORCES: Table = {
    **{
        name: lambda w: w.vector(2.0)
        for name in (
            "dBodyAddForce",
            "dBodyAddTorque",
            "dBodyAddRelForce",
            "dBodyAddRelTorque",
            "dBodySetForce",
            "dBodySetTorque",
        )
    },
    **{
        name: lambda w: (*w.vector(2.0), *w.vector(0.5))
        for name in (
            "dBodyAddForceAtPos",
            "dBodyAddForceAtRelPos",
            "dBodyAddRelForceAtPos",
            "dBodyAddRelForceAtRelPos",
        )
    },
}

MASSES: Table = {
    "dMassSetSphere": lambda w: (w.number(0.5, 5), w.number(0.3, 1)),
    "dMassSetSphereTotal": lambda w: (w.number(0.5, 5), w.number(0.3, 1)),
    "dMassSetCapsule": lambda w: (w.number(0.5, 5), w.draw.randrange(1, 4), w.number(0.3, 1), w.number(0.3, 1)),
    "dMassSetCapsuleTotal": lambda w: (w.number(0.5, 5), w.draw.randrange(1, 4), w.number(0.3, 1), w.number(0.3, 1)),
    "dMassSetCylinder": lambda w: (w.number(0.5, 5), w.draw.randrange(1, 4), w.number(0.3, 1), w.number(0.3, 1)),
    "dMassSetCylinderTotal": lambda w: (w.number(0.5, 5), w.draw.randrange(1, 4), w.number(0.3, 1), w.number(0.3, 1)),
    "dMassSetBox": lambda w: (w.number(0.5, 5), w.number(0.3, 1), w.number(0.3, 1), w.number(0.3, 1)),
    "dMassSetBoxTotal": lambda w: (w.number(0.5, 5), w.number(0.3, 1), w.number(0.3, 1), w.number(0.3, 1)),
    "dMassSetParameters": lambda w: (w.number(0.5, 5), 0.0, 0.0, 0.0, 1.0, 1.3, 0.9, *(w.number(-0.2, 0.2),) * 3),
}

SURFACE = {  # of a contact: mode, and the numbers that it makes count
    "mu2": (0x001, lambda w: w.number(0, 2)),
    "fdir1": (0x002, lambda w: w.unit()),
    "bounce": (0x004, lambda w: w.number(0, 1)),
    "soft_erp": (0x008, lambda w: w.number(0.05, 0.9)),
    "soft_cfm": (0x010, lambda w: 10 ** w.draw.uniform(-5, -2)),
    "motion1": (0x020, lambda w: w.number(-1, 1)),
    "motion2": (0x040, lambda w: w.number(-1, 1)),
    "motionN": (0x080, lambda w: w.number(-0.2, 0.2)),
    "slip1": (0x100, lambda w: 10 ** w.draw.uniform(-5, -1)),
    "slip2": (0x200, lambda w: 10 ** w.draw.uniform(-5, -1)),
    "rho": (0x400, lambda w: w.number(0.01, 0.5)),
}
_APPROXIMATIONS = (0x0000, 0x1000, 0x2000, 0x4000, 0x7000)


def surface(w: Writer) -> tuple[tuple[str, Any], ...]:
    """A random surface, as names and values."""
    mode, values = w.draw.choice(_APPROXIMATIONS), {"mu": w.draw.choice((-1.0, 0.0, w.number(0, 2), float("inf")))}
    for name, (bit, value) in SURFACE.items():
        if w.chance(0.25):
            mode |= bit
            values[name] = value(w)
    if mode & 0x002 and w.chance(0.1):
        values["any fdir1"] = w.vector()
    if mode & 0x004:
        values["bounce_vel"] = w.number(-0.1, 0.3)
    if mode & 0x400:
        values["rho2"], values["rhoN"] = w.number(0.01, 0.5), w.number(0.01, 0.5)
    return (("mode", mode), *values.items())
