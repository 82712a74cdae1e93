"""Springs in N/m and N s/m by ERP and CFM: the conversion, static sag and oscillation of a mass on each kind of spring."""

import math

import numpy as np
import pytest

import opendynamics as od

H, MASS, STIFFNESS, GRAVITY = 0.001, 2.0, 800.0, 9.81
SAG = MASS * GRAVITY / STIFFNESS  # m


def test_the_conversion_and_back():
    soft = od.softness(1000.0, 10.0, 0.01)
    assert soft == pytest.approx((0.5, 0.05))
    assert soft.stiffness(0.01) == pytest.approx(1000.0) and soft.damping(0.01) == pytest.approx(10.0)


def test_what_makes_no_sense_is_refused():
    with pytest.raises(ValueError, match="needs a stiffness or a damping above 0"):
        od.softness(0.0, 0.0, 0.01)
    with pytest.raises(ValueError, match="stiffness of a spring"):
        od.softness(-1.0, 0.0, 0.01)
    with pytest.raises(ValueError, match="rigid"):
        od.Softness(0.2, 0.0).stiffness(0.01)


def hung_by_a_joint(damping):
    world = od.World(gravity=(0, 0, -GRAVITY))
    bob = world.add_body(od.Sphere(0.1), position=(0, 0, 1), mass=MASS)
    world.add_ball(bob, None, anchor=(0, 0, 1)).set_spring(STIFFNESS, damping, H)
    return world, bob


def hung_by_a_fixed_joint(damping):
    world = od.World(gravity=(0, 0, -GRAVITY))
    bob = world.add_body(od.Sphere(0.1), position=(0, 0, 1), mass=MASS)
    world.add_fixed(bob, None).set_spring(STIFFNESS, damping, H)
    return world, bob


def hung_by_a_rod(damping, joint="dball", **more):
    world = od.World(gravity=(0, 0, -GRAVITY))
    bob = world.add_body(od.Sphere(0.1), position=(0, 0, 1), mass=MASS)
    add = getattr(world, f"add_{joint}")
    add(bob, None, anchor1=(0, 0, 1), anchor2=(0, 0, 2), **more).set_spring(STIFFNESS, damping, H)
    return world, bob


def hung_by_a_double_hinge(damping):
    return hung_by_a_rod(damping, "dhinge", axis=(0, 1, 0))


def on_a_stop(damping):
    world = od.World(gravity=(0, 0, -GRAVITY))
    bob = world.add_body(od.Sphere(0.1), position=(0, 0, 1), mass=MASS)
    slider = world.add_slider(bob, None, axis=(0, 0, 1))
    slider.stops = (0.0, math.inf)
    slider.limit_motor.set_stop_spring(STIFFNESS, damping, H)
    return world, bob


def on_a_suspension(damping):
    world = od.World(gravity=(0, 0, -GRAVITY))
    hub = world.add_body(od.Sphere(0.1), position=(0, 0, 1), kinematic=True)
    bob = world.add_body(od.Box((0.4, 0.4, 0.4)), position=(0, 0, 1), mass=MASS)
    for geom in (*hub.geoms, *bob.geoms):
        geom.collide_bits = 0
        geom.category_bits = 0
    world.add_hinge2(bob, hub, anchor=(0, 0, 1), axis1=(0, 0, 1), axis2=(0, 1, 0)).set_suspension(STIFFNESS, damping, H)
    return world, bob


@pytest.mark.parametrize(
    "hang",
    [hung_by_a_joint, hung_by_a_fixed_joint, hung_by_a_rod, hung_by_a_double_hinge, on_a_stop, on_a_suspension],
)
def test_static_sag(hang):
    world, bob = hang(2.0 * math.sqrt(STIFFNESS * MASS))  # critical
    world.advance(H, steps=1500)
    assert 1.0 - bob.position[2] == pytest.approx(SAG, rel=1e-3)


@pytest.mark.parametrize("hang", [hung_by_a_joint, on_a_suspension])
def test_oscillation(hang):
    """z'' = -g - (k/m) z - (c/m) z': let go without load, the bob is at its lowest after half a period, by the overshoot of a
    damped oscillator. The implicit step damps, too: like h ω / 2 of the critical.
    """
    damping = 4.0
    world, bob = hang(damping)
    heights = []
    for _ in range(1000):
        world.advance(H)
        heights.append(float(bob.position[2]) - 1.0)
    omega = math.sqrt(STIFFNESS / MASS)
    ratio = damping / (2.0 * math.sqrt(STIFFNESS * MASS)) + 0.5 * H * omega
    damped = omega * math.sqrt(1.0 - ratio**2)
    lowest = int(np.argmin(heights))
    assert lowest * H == pytest.approx(math.pi / damped, rel=0.02)
    assert -min(heights) == pytest.approx(SAG * (1.0 + math.exp(-ratio * omega * math.pi / damped)), rel=0.01)


def test_contacts_give_like_springs():
    surface = od.Surface(mu=0.7).with_spring(STIFFNESS, 2.0 * math.sqrt(STIFFNESS * MASS), H)
    assert surface.mu == 0.7
    world = od.World(gravity=(0, 0, -GRAVITY), surface=surface)
    world.add_plane()
    ball = world.add_body(od.Sphere(0.1), position=(0, 0, 0.1), mass=MASS)
    ball.auto_disable = False
    world.advance(H, steps=1500)
    assert 0.1 - ball.position[2] == pytest.approx(SAG, rel=1e-2)
