"""The manual in Python and the Korean guide: their programs run in order, page by page, and all names they mention exist."""

import re
from pathlib import Path

import pytest

import opendynamics as od
from opendynamics import c_api

DOCS = Path(__file__).parents[2] / "docs"
CHAPTERS = sorted((DOCS / "manual").glob("*.md"))
PAGES = [path for path in CHAPTERS if path.stem != "index"] + sorted(DOCS.glob("guide-*.md"))


def text_of(path):
    return path.read_text(encoding="utf-8")


def blocks_of(path):
    return re.findall(r"^```python\n(.*?)^```", text_of(path), re.DOTALL | re.MULTILINE)


def page_id(path):
    return path.stem


@pytest.mark.parametrize("path", PAGES, ids=page_id)
def test_the_programs_of_a_page_run(path, tmp_path, monkeypatch):
    """The blocks of a page are one program; each page has assertions of its own."""
    monkeypatch.chdir(tmp_path)
    blocks = blocks_of(path)
    assert sum(block.count("assert ") for block in blocks) >= 4
    scope = {"__name__": "__main__"}
    for number, block in enumerate(blocks, 1):
        exec(compile(block, f"{path.name}, block {number}", "exec"), scope)


@pytest.mark.parametrize("path", PAGES, ids=page_id)
def test_names_of_a_page_exist(path):
    """C names, and names of the package, in running text and tables too."""
    text = text_of(path)
    for name in set(re.findall(r"\bod\.([A-Za-z_]\w*)", text)) - {"md"}:
        assert hasattr(od, name), f"od.{name}"
    unknown = {name for name in re.findall(r"\bd[A-Z][A-Za-z0-9_]+\b", text) if not hasattr(c_api, name)}
    assert not unknown


def test_every_chapter_is_listed_and_every_page_is_linked():
    listed = re.search(
        r"```\{toctree\}\n:maxdepth: 1\n\n(.*?)```", text_of(DOCS / "manual" / "index.md"), re.DOTALL
    ).group(1)
    assert sorted(listed.split()) == [path.stem for path in CHAPTERS if path.stem != "index"]
    index, readme = text_of(DOCS / "index.md"), text_of(DOCS.parent / "README.md")
    for page in ("manual/index", "guide-ko"):
        assert f"\n{page}\n" in index and f"docs/{page}.md)" in readme
    assert "(manual/index.md)" in text_of(DOCS / "tutorials.md")
