"""collision.h: numbers of classes and codes."""

from __future__ import annotations

dMaxUserClasses = 4

dSphereClass = 0
dBoxClass = 1
dCapsuleClass = dCCylinderClass = 2
dCylinderClass = 3
dPlaneClass = 4
dRayClass = 5
dConvexClass = 6
dGeomTransformClass = 7
dTriMeshClass = 8
dHeightfieldClass = 9
dFirstSpaceClass = dSimpleSpaceClass = 10
dHashSpaceClass = 11
dSweepAndPruneSpaceClass = 12
dLastSpaceClass = dQuadTreeSpaceClass = 13
dFirstUserClass = 14
dLastUserClass = dFirstUserClass + dMaxUserClasses - 1
dGeomNumClasses = dLastUserClass + 1

dGeomCommonControlClass, dGeomColliderControlClass = 0, 1
dGeomCommonAnyControlCode = 0
dGeomColliderSetMergeSphereContactsControlCode, dGeomColliderGetMergeSphereContactsControlCode = 1, 2
dGeomColliderMergeContactsValue__Default = 0
dGeomColliderMergeContactsValue_None = 1
dGeomColliderMergeContactsValue_Normals = 2
dGeomColliderMergeContactsValue_Full = 3
