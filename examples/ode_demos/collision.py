"""ODE's demo_collision: random tests of colliders: depths of points, rays against spheres, boxes, capsules and planes."""

import numpy as np
from ode_demo import *

FRAMES = 60

stage = Stage(ground=False)
random, failures, done = np.random.default_rng(3), [], []


def shapes():
    """A shape of each kind at a random pose, with its point depth function."""
    made = [
        (dCreateSphere(0, random.uniform(0.5, 1)), dGeomSpherePointDepth),
        (dCreateBox(0, *random.uniform(0.5, 1, 3)), dGeomBoxPointDepth),
        (dCreateCapsule(0, *random.uniform(0.5, 1, 2)), dGeomCapsulePointDepth),
    ]
    for geom, _ in made:
        dGeomSetPosition(geom, *random.uniform(-1, 1, 3))
        dGeomSetRotation(geom, dRFromAxisAndAngle(*random.normal(size=3), random.uniform(0, 6)))
    normal = random.normal(size=3)
    return [*made, (dCreatePlane(0, *(normal / np.linalg.norm(normal)), random.uniform(-1, 1)), dGeomPlanePointDepth)]


def test(time):
    for geom, depth in shapes():
        ray, start = dCreateRay(0, random.uniform(0.1, 6)), random.uniform(-3, 3, 3)
        middle = dGeomGetPosition(geom) if dGeomGetClass(geom) != dPlaneClass else (0, 0, 0)
        direction = middle - start + random.normal(scale=0.3, size=3)
        dGeomRaySet(ray, *start, *direction)
        for hit in dCollide(ray, geom, 1):
            done.append(geom)
            on_surface = abs(depth(geom, *hit.pos)) < 1e-8
            faces_the_ray = np.dot(hit.normal, direction) < 1e-8
            along = np.allclose(start + hit.depth * direction / np.linalg.norm(direction), hit.pos, atol=1e-8)
            if not (on_surface and faces_the_ray and along):
                failures.append((dGeomGetClass(geom), hit))
            for part, wanted in ((0.99, 0), (1.01, 1)):  # a ray that ends before or behind the surface
                dGeomRaySetLength(ray, part * hit.depth)
                if depth(geom, *start) < 0 and len(dCollide(ray, geom, 1)) != wanted:
                    failures.append((dGeomGetClass(geom), part))


stage.forces = test


def check():
    assert failures == []
    assert {dGeomGetClass(geom) for geom in done} == {dSphereClass, dBoxClass, dCapsuleClass, dPlaneClass}


if __name__ == "__main__":
    stage.show()
