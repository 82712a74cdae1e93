"""Which files of a family are its members: folders inside it are shared code, unless the family says otherwise."""

from opendynamics.core.families import JOINTS
from opendynamics.viewer.live.overlays import OVERLAYS
from opendynamics.viewer.meshes import MESHES


def test_what_members_share_is_no_member():
    assert "pulls" in OVERLAYS.names and "arrows" not in OVERLAYS.names
    assert "box" in MESHES.names and not {"mesh", "creases", "building"} & set(MESHES.names)


def test_folders_of_a_nested_family_hold_members():
    assert {"ball", "servo", "amotor"} <= set(JOINTS.names) and "motors" not in JOINTS.names
    assert JOINTS["servo"].__name__.endswith("joints.motors.servo")
