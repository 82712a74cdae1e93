"""Messages about the axis and limits of a joint of a URDF file gave the line, and often the name, of the joint's child link."""

import pytest

import opendynamics as od

FILE = """<robot name="arm">
<link name="base"/>
<link name="hand"/>
<joint name="wrist" type="revolute">
<parent link="base"/><child link="hand"/><axis xyz="{axis}"/><limit {limits}/></joint>
</robot>"""


@pytest.mark.parametrize(
    ("axis", "limits", "message"),
    [
        ("0 0 1", 'lower="1" upper="-1"', "the lower limit 1 of wrist is above the upper one -1"),
        ("0 0 1", 'lower="0" upper="1" effort="-3"', "the effort limit of wrist must be at least 0, not -3"),
        ("0 0 0", 'lower="0" upper="1"', "the axis of the joint wrist must not be zero"),
        ("0 0 2", 'lower="0" upper="1"', "the axis of wrist is no unit vector"),
        ("0 0 1", 'lower="1" upper="2"', "wrist starts at 0, outside its limits 1 to 2"),
    ],
)
def test_the_line_is_that_of_the_joint(tmp_path, axis, limits, message):
    path = tmp_path / "arm.urdf"
    path.write_text(FILE.format(axis=axis, limits=limits))
    with pytest.raises(od.robot.ModelError, match=rf"arm\.urdf:4: {message}"):
        od.load_robot(path, strict=True)
