"""common.h: indices of the elements of vectors, matrices and quaternions in their arrays, and array sizes."""

from __future__ import annotations

dSA__MIN = dSA_X = 0
dSA_Y, dSA_Z, dSA__MAX = 1, 2, 3

dMD__MIN = dMD_LINEAR = 0
dMD_ANGULAR, dMD__MAX = 1, 2

dDA__MIN = dDA__L_MIN = dDA_LX = 0
dDA_LY, dDA_LZ = 1, 2
dDA__L_MAX = dDA__A_MIN = dDA_AX = 3
dDA_AY, dDA_AZ = 4, 5
dDA__A_MAX = dDA__MAX = 6

dV3E__MIN = dV3E__AXES_MIN = dV3E_X = 0
dV3E_Y, dV3E_Z = 1, 2
dV3E__AXES_MAX = dV3E__AXES_COUNT = dV3E_PAD = 3
dV3E__MAX = 4

dV4E__MIN = dV4E_X = 0
dV4E_Y, dV4E_Z, dV4E_O, dV4E__MAX = 1, 2, 3, 4

dM3E__MIN = dM3E__X_MIN = dM3E__X_AXES_MIN = dM3E_XX = 0
dM3E_XY, dM3E_XZ = 1, 2
dM3E_XPAD = dM3E__X_AXES_MAX = 3
dM3E__X_MAX = dM3E__Y_MIN = dM3E__Y_AXES_MIN = dM3E_YX = 4
dM3E_YY, dM3E_YZ = 5, 6
dM3E_YPAD = dM3E__Y_AXES_MAX = 7
dM3E__Y_MAX = dM3E__Z_MIN = dM3E__Z_AXES_MIN = dM3E_ZX = 8
dM3E_ZY, dM3E_ZZ = 9, 10
dM3E_ZPAD = dM3E__Z_AXES_MAX = 11
dM3E__Z_MAX = dM3E__MAX = 12

dM4E__MIN = dM4E__X_MIN = dM4E_XX = 0
dM4E_XY, dM4E_XZ, dM4E_XO = 1, 2, 3
dM4E__X_MAX = dM4E__Y_MIN = dM4E_YX = 4
dM4E_YY, dM4E_YZ, dM4E_YO = 5, 6, 7
dM4E__Y_MAX = dM4E__Z_MIN = dM4E_ZX = 8
dM4E_ZY, dM4E_ZZ, dM4E_ZO = 9, 10, 11
dM4E__Z_MAX = dM4E__O_MIN = dM4E_OX = 12
dM4E_OY, dM4E_OZ, dM4E_OO = 13, 14, 15
dM4E__O_MAX = dM4E__MAX = 16

dQUE__MIN = dQUE_R = 0
dQUE__AXIS_MIN = dQUE_I = 1
dQUE_J, dQUE_K = 2, 3
dQUE__AXIS_MAX = dQUE__MAX = 4
