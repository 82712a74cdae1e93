"""An index that no link of a model has was refused with "tuple index out of range"."""

import pytest

import opendynamics as od

FILE = """<robot name="arm"><link name="base"/><link name="hand"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<joint name="wrist" type="continuous"><parent link="base"/><child link="hand"/></joint></robot>"""


def test_the_message_names_the_index(tmp_path):
    path = tmp_path / "arm.urdf"
    path.write_text(FILE)
    model = od.load_robot(path, fixed_root=True)
    for index in (2, -3):
        with pytest.raises(IndexError, match=f"no link has the index {index}: there are 2 links"):
            od.robot.jacobian(model.state(), index)
    with pytest.raises(IndexError, match="no device has the index 0: there is no device"):
        model.devices[0]
    assert [joint.name for joint in model.joints] == ["wrist"]  # iteration ends
    assert model.links[-1].name == "hand"
