"""The course: its pages are there, and building them again compares every value with the lecture's."""

import importlib.util
import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
SOURCES = sorted((ROOT / "tools" / "course").glob("*.md.in"))


def builder() -> Any:
    spec = importlib.util.spec_from_file_location("build_course", ROOT / "tools" / "build_course.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.name)
def test_every_page_is_built_and_has_its_pictures(source: Path) -> None:
    page = ROOT / "docs" / "course" / source.name.removesuffix(".in")
    text = page.read_text(encoding="utf-8")
    assert "course." not in text.replace("make course", "")
    for line in text.splitlines():
        if line.startswith("!["):
            assert (page.parent / line.rpartition("(")[2].rstrip(")")).is_file()


def anchor_of(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.lstrip("#").strip().lower()).replace(" ", "-")


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.name)
def test_every_link_leads_somewhere(source: Path) -> None:
    page = ROOT / "docs" / "course" / source.name.removesuffix(".in")
    for link in re.findall(r"\]\(([^)]+)\)", page.read_text(encoding="utf-8")):
        file, _, anchor = link.partition("#")
        target = page.parent / file
        assert target.exists(), link
        if anchor:
            lines = target.read_text(encoding="utf-8").splitlines()
            assert anchor in {anchor_of(line) for line in lines if line.startswith("#")}, link


def test_the_index_names_every_system_and_a_test_for_every_number() -> None:
    index = (ROOT / "docs" / "course" / "README.md").read_text(encoding="utf-8")
    systems = re.findall(r"^\| (\d+) \| .*lecture-00\d\.md#", index, re.MULTILINE)
    assert [int(number) for number in systems] == list(range(1, 37))
    written = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    named = set(re.findall(r"`(test_\w+)`", index))
    assert len(named) > 30
    assert {name for name in named if f"def {name}(" not in written} == set()


@pytest.mark.slow
@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.name)
def test_building_a_page_again_agrees_with_the_lecture(source: Path, tmp_path: Path) -> None:
    """`compare` fails where a value without a remark is not the lecture's."""
    pytest.importorskip("matplotlib")
    built = builder().build_page(source, tmp_path, pictures=False)
    kept = (ROOT / "docs" / "course" / source.name.removesuffix(".in")).read_text(encoding="utf-8")
    assert [line for line in built.splitlines() if line.startswith("|")] == [
        line for line in kept.splitlines() if line.startswith("|")
    ]


def test_a_value_that_differs_stops_the_build(tmp_path: Path) -> None:
    source = tmp_path / "wrong.md.in"
    source.write_text('```python\ncourse.compare(("two", "0.30", 0.31))\n```\n', encoding="utf-8")
    with pytest.raises(AssertionError, match=r"the lecture has 0\.30, we have 0\.31"):
        builder().build_page(source, tmp_path)
