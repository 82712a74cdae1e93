"""ODE's demo_ode: tests of ODE's mathematics: random numbers, matrices, factorisations, masses, rotations."""

import numpy as np
from ode_demo import *

FRAMES = 20

stage = Stage(ground=False)
random, wrong = np.random.default_rng(7), []


def expect(what, right):
    if not right:
        wrong.append(what)


def test(time):
    expect("random numbers", dTestRand() == 1)
    expect("padding", [dPAD(k) for k in range(9)] == [0, 1, 4, 4, 4, 8, 8, 8, 8])
    A = random.normal(size=(4, 4))
    square = A @ A.T + np.eye(4)
    factor = square.copy().ravel()
    expect("Cholesky", dFactorCholesky(factor, 4) == 1)
    lower = np.tril(factor.reshape(4, 4))
    expect("its factor", np.allclose(lower @ lower.T, square))
    ldl = square.copy().ravel()
    d = dFactorLDLT(ldl, 4, 4)
    unit = np.tril(ldl.reshape(4, 4), -1) + np.eye(4)
    expect("LDLT", np.allclose(unit @ np.diag(1 / d[:4]) @ unit.T, square))
    x = np.arange(4.0)
    b = square @ x
    dSolveCholesky(factor, b, 4)
    expect("a solution", np.allclose(b, x))
    a, c = random.normal(size=3), random.normal(size=3)
    expect("cross product", np.allclose(dCalcVectorCross3(a, c)[:3], np.cross(a, c)))
    p, q = dPlaneSpace(a / np.linalg.norm(a))
    expect("plane space", np.allclose([p @ p, q @ q, p @ q, p @ a, q @ a], [1, 1, 0, 0, 0]))
    R = dRFromAxisAndAngle(*a, 1.3)
    expect("R to Q and back", np.allclose(dRfromQ(dQfromR(R)), R))
    one, two = dQFromAxisAndAngle(*a, 0.5), dQFromAxisAndAngle(*c, 0.7)
    product = dRfromQ(dQMultiply0(one, two)).reshape(3, 4)[:, :3]
    expect("product", np.allclose(product, dRfromQ(one).reshape(3, 4)[:, :3] @ dRfromQ(two).reshape(3, 4)[:, :3]))
    dMassSetCapsule(mass := dMass(), 1.3, 1, 0.76, 1.53)
    expect(
        "capsule",
        np.allclose([mass.mass, mass.I[0], mass.I[5]], [5.99961928996029, 1.59461986077384, 4.21878433864904]),
    )


stage.forces = test


def check():
    assert wrong == []


if __name__ == "__main__":
    stage.show()
