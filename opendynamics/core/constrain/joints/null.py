"""Null joint: no rows. Its bodies still form one island."""

from __future__ import annotations

from math import nan

from opendynamics.core.constrain.joints import COUNT, FILL, MEASURE
from opendynamics.core.kernels import entry

KIND = 8


@entry(COUNT)
def count(tables, index):
    return 0


@entry(FILL)
def fill(tables, index, first, h):
    return


@entry(MEASURE)
def measure(tables, index, what):
    return nan
