"""Constants, with ODE's numbers since version 0.13: joint parameters, contact modes, motor modes.

Debian's PyODE has older numbers for some of them, which ODE misinterprets: its motors, stops and slip do not work. The
numbers here come from the C names.
"""

from __future__ import annotations

import math

from opendynamics import c_api as c

Infinity = math.inf

# The static world, for `attach`.
environment = None

AMotorUser, AMotorEuler = c.dAMotorUser, c.dAMotorEuler

ContactMu2, ContactAxisDep, ContactFDir1 = c.dContactMu2, c.dContactAxisDep, c.dContactFDir1
ContactBounce, ContactSoftERP, ContactSoftCFM = c.dContactBounce, c.dContactSoftERP, c.dContactSoftCFM
ContactMotion1, ContactMotion2 = c.dContactMotion1, c.dContactMotion2
ContactMotionN = c.dContactMotionN
ContactSlip1, ContactSlip2, ContactRolling = c.dContactSlip1, c.dContactSlip2, c.dContactRolling
ContactApprox0, ContactApprox1 = c.dContactApprox0, c.dContactApprox1
ContactApprox1_1, ContactApprox1_2 = c.dContactApprox1_1, c.dContactApprox1_2
ContactApprox1_N = c.dContactApprox1_N

ParamGroup = c.dParamGroup
ParamLoStop, ParamHiStop, ParamVel = c.dParamLoStop, c.dParamHiStop, c.dParamVel
ParamLoVel, ParamHiVel, ParamFMax = c.dParamLoVel, c.dParamHiVel, c.dParamFMax
ParamFudgeFactor, ParamBounce = c.dParamFudgeFactor, c.dParamBounce
ParamCFM, ParamStopERP, ParamStopCFM = c.dParamCFM, c.dParamStopERP, c.dParamStopCFM
ParamSuspensionERP = c.dParamSuspensionERP
ParamSuspensionCFM = c.dParamSuspensionCFM
ParamERP = c.dParamERP

PARAMETERS = (
    *("LoStop", "HiStop", "Vel", "LoVel", "HiVel", "FMax", "FudgeFactor", "Bounce", "CFM", "StopERP", "StopCFM"),
    *("SuspensionERP", "SuspensionCFM", "ERP"),
)

# The second and third axis, and the older spelling with a lower-case p.
for _name in PARAMETERS:
    _code = globals()[f"Param{_name}"]
    globals()[f"param{_name}"] = _code
    globals()[f"Param{_name}2"] = _code + ParamGroup
    globals()[f"Param{_name}3"] = _code + 2 * ParamGroup

NAMES = sorted(name for name in globals() if name.startswith(("Param", "param", "Contact", "AMotor")))
NAMES += ["Infinity", "environment"]
