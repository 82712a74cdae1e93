"""A box that spins by radians in a step was pressed through a wall within ten steps.

Its contacts are linear in the step: the corner that touches moves away at once, and the centre may approach. The box was stopped
at the beginning of each step, a little deeper each time, until it was too deep to be stopped.
"""

import pytest

import opendynamics as od

H = 1 / 60


@pytest.mark.parametrize("solver", ["exact", "pgs", "soft"])
@pytest.mark.parametrize("margin", ["auto", 0.5])
def test_a_box_that_spins_fast_does_not_pass_through_a_wall(solver, margin):
    world = od.World(solver=solver, surface=od.Surface(mu=0.3, bounce=0.9))
    world.speculative_margin = margin
    corners = [(-9, -1.5, -9), (9, -1.5, -9), (9, -1.5, 9), (-9, -1.5, 9)]
    world.add_geom(od.Trimesh(corners, [(0, 2, 1), (0, 3, 2)]))
    box = world.add_body(
        od.Box((0.3618294624224806, 0.20737744927178714, 0.2868996231963022)),
        position=(0.755, -1.2768080957680876, -0.1),
        quaternion=(-0.22111987261931582, -0.7524344569605004, 0.362266331525435, -0.5036978210737841),
        linear_velocity=(0, -16.3, 0),
        angular_velocity=(-474.9065492882878, -573.9315468152365, 271.1878475319278),
    )
    box.finite_rotation_mode = True
    for _ in range(30):
        world.advance(H)
        assert box.position[1] > -1.5
