"""Box3D's benchmark scenes at a small size: their contents, and the benchmark's report."""

import json

import numpy as np
import pytest

from benchmarks import box3d


def test_sizes_are_those_of_box3d():
    assert len(box3d.pyramid_positions(100)) == 5050 and len(box3d.pyramid_positions(10)) == 55
    assert box3d.SCENES["many_pyramids"].size ** 2 == 196
    side = box3d.SCENES["joint_grid"].size
    small = box3d.build("joint_grid", 5, "soft")
    assert len(small.bodies) == 25 and len(small.joints) == 2 * 5 * 4
    assert side * side == 10_000 and 2 * side * (side - 1) == 19_800


def test_cubes_touch_and_do_not_overlap():
    places = box3d.pyramid_positions(6)
    gaps = np.linalg.norm(places[:, None] - places[None], axis=2)[np.triu_indices(len(places), 1)]
    assert gaps.min() == pytest.approx(1.0) and places[:, 2].min() == 0.5


def test_a_small_run_is_reported(tmp_path, capsys):
    file = tmp_path / "figures" / "box3d.json"
    words = ["--scenes", "large_pyramid", "joint_grid", "--shares", "0.05", "--steps", "20", "--repeat", "2"]
    assert box3d.main([*words, "--solvers", "pgs", "--json", str(file)]) == 0
    pyramid, grid = json.loads(file.read_text())["rows"]
    assert (pyramid["bodies"], pyramid["joints"], grid["bodies"], grid["contacts"]) == (15, 0, 25, 0)
    assert pyramid["contacts"] >= 4 * 15 and 0.0 <= pyramid["penetration_mm"] < 10.0
    assert len(grid["ms"]) == 2 and min(grid["ms"]) > 0.0 and 0.0 <= grid["joint_error_mm"] < 50.0
    out = capsys.readouterr().out
    assert "large_pyramid" in out and "another machine" in out
