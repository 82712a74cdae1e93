"""Joint parameters as attributes: `joint.param.vel = 2`, and of the second axis `joint.param[2].vel = 2`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from opendynamics.pyode import constants
from opendynamics.pyode.sequences import whole


class JointParam:
    """One parameter, for the axis of the JointParams."""

    __slots__ = ("param_id",)

    def __init__(self, param_id: int) -> None:
        self.param_id = param_id

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            return self
        return instance._getParam(self.param_id + constants.ParamGroup * (instance._index - 1))

    def __set__(self, instance: Any, value: float) -> None:
        instance._setParam(self.param_id + constants.ParamGroup * (instance._index - 1), value)


class JointParams:
    """The parameters of a joint's axis, `_index`, counted from 1. Other attributes cannot be set."""

    __slots__ = ("_getParam", "_index", "_setParam")

    lo_stop = JointParam(constants.ParamLoStop)
    hi_stop = JointParam(constants.ParamHiStop)
    vel = JointParam(constants.ParamVel)
    fmax = JointParam(constants.ParamFMax)
    fudge_factor = JointParam(constants.ParamFudgeFactor)
    bounce = JointParam(constants.ParamBounce)
    cfm = JointParam(constants.ParamCFM)
    stop_erp = JointParam(constants.ParamStopERP)
    stop_cfm = JointParam(constants.ParamStopCFM)
    suspension_erp = JointParam(constants.ParamSuspensionERP)
    suspension_cfm = JointParam(constants.ParamSuspensionCFM)

    def __init__(self, getParam: Callable[[int], float], setParam: Callable[[int, float], Any]) -> None:
        self._getParam, self._setParam = getParam, setParam
        self._index = 1

    def __getitem__(self, key: int) -> JointParams:
        """Return the parameters of axis 1, 2 or 3; other numbers are clamped."""
        chosen = JointParams(self._getParam, self._setParam)
        chosen._index = min(max(whole("the number of an axis", key), 1), 3)
        return chosen
