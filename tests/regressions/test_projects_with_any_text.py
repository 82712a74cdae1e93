"""Written projects could not be read back: a character beyond U+FFFF became two escapes, which YAML does not know, and a text
that begins with a dash and a space became an item of a list.
"""

from pathlib import Path

import pytest

from opendynamics.robot.projects.archive import same, written
from opendynamics.robot.reading.files import Limits
from opendynamics.robot.reading.node import Node
from opendynamics.robot.reading.yaml_tree import parse_yaml

FILE = Path("a.cnoid")


@pytest.mark.parametrize("text", ['name: "😀"\n', '"😀": 1\n', 'a: "1\\n😀\\u2028\\x7f"\n', 'name: "ロボット"\n'])
def test_quoted_text_survives(text):
    tree = parse_yaml(text, FILE, Limits())
    assert same(tree, parse_yaml(written(tree), FILE, Limits()))


@pytest.mark.parametrize("text", ["😀", "- a", "-", "-a", "--", "- ", "a - b", "a -"])
def test_text_that_is_put_survives(text):
    node = Node("", FILE, 1)
    node.put("name", text)
    assert parse_yaml(written(node), FILE, Limits()).text("name") == text
