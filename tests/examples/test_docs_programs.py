"""The programs of the tutorials and of the page "how do I ..." run unchanged."""

import re

import pytest

from tests.examples.running import FOLDER

DOCS = FOLDER.parent / "docs"


def sections(page):
    """(title, code blocks) of each section of a page that has code."""
    text = (DOCS / page).read_text(encoding="utf-8")
    parts = re.split(r"^## (.*)\n", text, flags=re.MULTILINE)[1:]
    found = [
        (title, re.findall(r"^```python\n(.*?)^```", body, re.DOTALL | re.MULTILINE))
        for title, body in zip(parts[::2], parts[1::2], strict=True)
    ]
    return [(title, blocks) for title, blocks in found if blocks]


TUTORIALS, ANSWERS = sections("tutorials.md"), sections("how-to.md")


@pytest.mark.parametrize(("title", "blocks"), TUTORIALS, ids=[title for title, _ in TUTORIALS])
def test_a_tutorial_runs_and_what_it_claims_holds(title, blocks, capsys):
    if "film" in title:
        pytest.importorskip("PIL")
    (program,) = blocks
    assert len(program.splitlines()) <= 40
    assert "assert " in program
    exec(compile(program, title, "exec"), {"__name__": "__main__"})
    assert capsys.readouterr().out.strip()


def test_there_are_ten_tutorials():
    assert len(TUTORIALS) == 10


@pytest.mark.parametrize(("title", "blocks"), ANSWERS, ids=[title for title, _ in ANSWERS])
def test_an_answer_runs(title, blocks, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    scope = {"__name__": "__main__"}
    for block in blocks:
        exec(compile(block, title, "exec"), scope)
