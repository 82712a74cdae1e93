"""A kilobyte of aliases in a project or model was read as billions of items, numbers or settings: loading never ended."""

import pytest

from opendynamics import robot

LINK = "links:\n  - name: base\n    jointType: free\n    mass: 1\n"


def load_model(tmp_path, anchors, members):
    path = tmp_path / "a.body"
    path.write_text(f"format: ChoreonoidBody\nformatVersion: 2.0\nname: a\n{anchors}{LINK}{members}")
    return robot.load_robot(path)


def bomb(first, count, levels):
    """Each list has the one before it `count` times."""
    lines = [f"  - &a0 [{first}]"]
    lines += [f"  - &a{k} [{', '.join([f'*a{k - 1}'] * count)}]" for k in range(1, levels)]
    return "\n".join(["anchors:", *lines, ""])


def test_items_of_projects_are_counted(tmp_path):
    lines = ["items:", "  class: RootItem", "  children:", "    - &a0 { class: FolderItem }"]
    lines += [f"    - &a{k} {{ class: FolderItem, children: [*a{k - 1}, *a{k - 1}] }}" for k in range(1, 30)]
    (tmp_path / "a.cnoid").write_text("\n".join(lines))
    with pytest.raises(robot.ModelError, match="more than 2000 nodes"):
        robot.load_project(tmp_path / "a.cnoid", limits=robot.Limits(nodes=2000))


@pytest.mark.parametrize("first", ["1", ""])
def test_numbers_of_lists_in_lists_are_counted(tmp_path, first):
    anchors = bomb(first, 2000, 4)
    if first:
        with pytest.raises(robot.ModelError, match=r"a.body:\d+: centerOfMass has more than 33554432 numbers"):
            load_model(tmp_path, anchors.replace("[1]", f"[{', '.join(['1'] * 2000)}]"), "    centerOfMass: *a3\n")
    else:
        with pytest.raises(robot.ModelError, match=r"a.body:\d+: centerOfMass must be 3 numbers, not 0"):
            load_model(tmp_path, anchors, "    centerOfMass: *a3\n")


def test_settings_share_lists_that_are_used_twice(tmp_path):
    model = load_model(tmp_path, bomb("x, 1, 1_000", 10, 12), "    elements:\n      - { type: Camera, tags: *a11 }\n")
    value = model.devices[0].settings["tags"]
    for _ in range(11):
        assert len(value) == 10 and value[0] is value[9]
        value = value[0]
    assert value == ["x", 1, "1_000"]
