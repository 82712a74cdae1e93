"""common.h: joint parameters. Those of the second and third axis are offset by 0x100 and 0x200."""

from __future__ import annotations

dParamGroup = 0x100

# fmt: off
(
    dParamLoStop, dParamHiStop, dParamVel, dParamLoVel, dParamHiVel,
    dParamFMax, dParamFudgeFactor, dParamBounce, dParamCFM, dParamStopERP,
    dParamStopCFM, dParamSuspensionERP, dParamSuspensionCFM, dParamERP,
) = range(14)
(
    dParamLoStop1, dParamHiStop1, dParamVel1, dParamLoVel1, dParamHiVel1,
    dParamFMax1, dParamFudgeFactor1, dParamBounce1, dParamCFM1, dParamStopERP1,
    dParamStopCFM1, dParamSuspensionERP1, dParamSuspensionCFM1, dParamERP1,
) = range(0x000, 0x000 + 14)
(
    dParamLoStop2, dParamHiStop2, dParamVel2, dParamLoVel2, dParamHiVel2,
    dParamFMax2, dParamFudgeFactor2, dParamBounce2, dParamCFM2, dParamStopERP2,
    dParamStopCFM2, dParamSuspensionERP2, dParamSuspensionCFM2, dParamERP2,
) = range(0x100, 0x100 + 14)
(
    dParamLoStop3, dParamHiStop3, dParamVel3, dParamLoVel3, dParamHiVel3,
    dParamFMax3, dParamFudgeFactor3, dParamBounce3, dParamCFM3, dParamStopERP3,
    dParamStopCFM3, dParamSuspensionERP3, dParamSuspensionCFM3, dParamERP3,
) = range(0x200, 0x200 + 14)
# fmt: on

dParamsInGroup = 14
dParamGroup1, dParamGroup2, dParamGroup3 = 0x000, 0x100, 0x200
