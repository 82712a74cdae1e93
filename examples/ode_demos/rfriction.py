"""ODE's demo_rfriction: balls roll with and without rolling friction, which is the distance rho times the normal force."""

from ode_demo import *

FRAMES, RADIUS, SPEED = 200, 0.5, 2.0
RHO = (0.0, 0.01, 0.05)

stage = Stage(-9.81, h=0.01)
balls = [stage.sphere(RADIUS, (0, 2 * k, RADIUS)) for k in range(len(RHO))]
for ball in balls:
    dBodySetLinearVel(ball, SPEED, 0, 0)
    dBodySetAngularVel(ball, 0, SPEED / RADIUS, 0)
rho = {dBodyGetFirstGeom(ball): value for ball, value in zip(balls, RHO)}


def surface(o1, o2):
    value = rho.get(o1, rho.get(o2))
    rolling = {"rho": value, "rho2": value, "rhoN": value} if value else {}
    return {"mode": APPROX | (dContactRolling if value else 0), "mu": 1.0, **rolling}


stage.surface = surface


def check():
    for ball, value in zip(balls, RHO):
        slower = value * 9.81 / (1.4 * RADIUS)  # m/s²: a ball of 7/5 m r² about its contact point
        time = FRAMES * stage.h
        assert close(dBodyGetLinearVel(ball)[0], max(SPEED - slower * time, 0), 0.03), value
        assert close(dBodyGetAngularVel(ball)[1] * RADIUS, dBodyGetLinearVel(ball)[0], 0.03), "it rolls"


if __name__ == "__main__":
    stage.show()
