"""Springs and dampers by ERP and CFM: erp = h k/(h k + c), cfm = 1/(h k + c) give implicit Euler's response, exactly:

v' = (v - h k x/m + h F/m) / (1 + h c/m + h² k/m),  x' = x + h v'
"""

from __future__ import annotations

import numpy as np
import pytest

import opendynamics as od

K, C, M, H = 40.0, 3.0, 2.0, 0.01
ERP, CFM = H * K / (H * K + C), 1.0 / (H * K + C)


def response(x, v, steps, force=0.0):
    for _ in range(steps):
        v = (v - H * K * x / M + H * force / M) / (1 + H * C / M + H * H * K / M)
        x += H * v
        yield x, v


def test_equal_stops_of_a_slider_are_a_spring():
    world = od.World()
    body = world.add_body(mass=od.Mass(M, (1, 1, 1)))
    slider = world.add_slider(body, None, axis=(1, 0, 0), stops=(0, 0))
    slider.limit_motor.stop_erp, slider.limit_motor.stop_cfm = ERP, CFM
    body.position, body.linear_velocity = (0.3, 0, 0), (0.5, 0, 0)
    for x, v in response(0.3, 0.5, 300):
        world.step(H)
        assert slider.position == pytest.approx(x, abs=1e-11)
        assert slider.rate == pytest.approx(v, abs=1e-11)


def test_equal_stops_of_a_hinge_are_a_torsion_spring():
    # The same with an angle, moment of inertia M, as long as the turn is that of the finite rotation.
    world = od.World()
    body = world.add_body(mass=od.Mass(1, (M, M, M)))
    body.finite_rotation_mode = True
    hinge = world.add_hinge(body, None, axis=(0, 0, 1), stops=(0, 0))
    hinge.limit_motor.stop_erp, hinge.limit_motor.stop_cfm = ERP, CFM
    body.quaternion, body.angular_velocity = od.rotation.quaternion_from_axis_angle((0, 0, 1), 0.4), (0, 0, -0.3)
    for x, v in response(0.4, -0.3, 300):
        world.step(H)
        assert hinge.angle == pytest.approx(x, abs=1e-9)
        assert hinge.rate == pytest.approx(v, abs=1e-9)


def test_soft_ball_joint_is_a_spring_in_three_directions():
    world = od.World(gravity=(0, 0, -10))
    body = world.add_body(mass=od.Mass(M, (1, 1, 1)), position=(0, 0, 0))
    ball = world.add_ball(body, None, anchor=(0, 0, 0))
    ball.erp, ball.cfm = ERP, CFM
    body.linear_velocity = (1, -2, 0)
    paths = [response(0, v, 200, f) for v, f in ((1, 0), (-2, 0), (0, -10 * M))]
    for state in zip(*paths, strict=True):
        world.step(H)
        assert body.position == pytest.approx([x for x, _ in state], abs=1e-11)


def test_soft_ball_joint_sags_by_the_weight_over_the_stiffness():
    world = od.World(gravity=(0, 0, -10))
    body = world.add_body(mass=od.Mass(M, (1, 1, 1)))
    ball = world.add_ball(body, None)
    ball.erp, ball.cfm = ERP, CFM
    for _ in range(3000):
        world.step(H)
    assert body.position[2] == pytest.approx(-M * 10 / K, rel=1e-6)
    assert ball.feedback.force1 == pytest.approx([0, 0, M * 10], rel=1e-6)


def test_soft_contact_sinks_in_by_the_weight_over_the_stiffness():
    surface = od.Surface(mu=0, soft_erp=ERP, soft_cfm=CFM)
    world = od.World(gravity=(0, 0, -10), surface=surface)
    world.add_plane()
    ball = world.add_body(od.Sphere(0.6), mass=M, position=(0, 0, 0.6))
    for x, _ in response(0, 0, 50, -10 * M):
        world.advance(H)
        assert ball.position[2] - 0.6 == pytest.approx(x, abs=1e-9)
    world.advance(H, steps=3000)
    assert ball.position[2] == pytest.approx(0.6 - M * 10 / K, rel=1e-6)


@pytest.mark.parametrize("erp", [0.1, 0.5, 1.0])
def test_erp_mends_its_part_of_the_error_in_each_step(erp):
    world = od.World(erp=erp, cfm=0)
    body = world.add_body()
    slider = world.add_slider(body, None, axis=(1, 0, 0))
    body.position = (0, 0.1, 0)
    for n in range(1, 5):
        world.step(H)
        assert body.position[1] == pytest.approx(0.1 * (1 - erp) ** n, abs=1e-13)
    assert slider.rate == 0.0


def test_fixed_joint_of_its_own_softness_ignores_later_changes_of_the_world():
    world = od.World(erp=0.5, cfm=0)
    body = world.add_body()
    fixed = world.add_fixed(body, None)
    world.erp = 0.0
    body.position = (0, 0.1, 0)
    world.step(H)
    assert fixed.erp == 0.5
    assert body.position == pytest.approx(np.array([0, 0.05, 0]), abs=1e-13)


HUNG = {
    "ball": lambda world, body, at: world.add_ball(body, None, anchor=at),
    "hinge": lambda world, body, at: world.add_hinge(body, None, anchor=at, axis=(0, 1, 0)),
    "universal": lambda world, body, at: world.add_universal(body, None, anchor=at, axis1=(1, 0, 0), axis2=(0, 1, 0)),
    "slider": lambda world, body, at: world.add_slider(body, None, axis=(1, 0, 0)),
    "fixed": lambda world, body, at: world.add_fixed(body, None),
    "dball": lambda world, body, at: world.add_dball(body, None, anchor1=at, anchor2=np.add(at, (0, 0, 1))),
}


@pytest.mark.parametrize("solver", ["exact", "soft"])
@pytest.mark.parametrize("copies", [1, 12])  # solved one by one, or in lanes if they fit
@pytest.mark.parametrize("kind", HUNG)
def test_joints_of_a_world_with_a_spring_sag_alike_at_every_step(kind, copies, solver):
    for h in (0.01, 0.002):
        world = od.World(gravity=(0, 0, -9.81), solver=solver)
        world.set_spring(1000.0, 50.0)
        for n in range(copies):
            body = world.add_body(mass=od.Mass.sphere(0.1, mass=1), position=(n, 0, 0))
            HUNG[kind](world, body, (n, 0, 0))
        world.advance(h, steps=int(2 / h))
        for body in world.bodies:
            assert body.position[2] == pytest.approx(-9.81e-3, rel=1e-4)
