"""The documents keep their word: their Python runs, their links lead somewhere, they name no machine."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

CHECKOUT = Path(__file__).resolve().parents[1]
SKIPPED = {"build", "dist", "wheelhouse", "cache", "__pycache__", "node_modules"}
TEXT = {
    "",
    ".md",
    ".py",
    ".pyi",
    ".toml",
    ".txt",
    ".yml",
    ".yaml",
    ".cpp",
    ".hpp",
    ".h",
    ".cmake",
    ".svg",
    ".json",
    ".csv",
}

# Written in two parts, so that this file passes its own test.
REGISTRIES = [
    a + b for a, b in [("pypi.", "org"), ("pythonhosted.", "org"), ("npmjs.", "org"), ("anaconda.", "org")]
]
MACHINE_PATH = re.compile(r"(?<![\w.~}-])/(work|root|home|Users|opt|mnt)/\w")


def text_files() -> Iterator[Path]:
    """Everything a commit could hold: no hidden folder but .ci and .github, nothing built."""
    waiting = [CHECKOUT]
    while waiting:
        for path in sorted(waiting.pop().iterdir()):
            hidden = path.name.startswith(".") and path.name not in {
                ".ci",
                ".github",
                ".clang-format",
                ".gitignore",
            }
            if hidden or path.name in SKIPPED or path.name.endswith(".egg-info"):
                continue
            if path.is_dir():
                if not (path / "pyvenv.cfg").exists():
                    waiting.append(path)
            elif path.suffix in TEXT:
                yield path


FILES = list(text_files())
DOCUMENTS = [path for path in FILES if path.suffix == ".md"]
LONG_DOCUMENTS = {"docs/boosting.md", "docs/ensembles.md"}  # their examples run for seconds


def name(path: Path) -> str:
    return path.relative_to(CHECKOUT).as_posix()


def python_blocks(document: Path) -> list[str]:
    """Each block after as many empty lines as stand before it: errors then name the right line."""
    text = document.read_text(encoding="utf-8")
    found = re.finditer(r"^```python\n(.*?)^```", text, flags=re.DOTALL | re.MULTILINE)
    return ["\n" * text.count("\n", 0, block.start(1)) + block[1] for block in found]


def as_case(document: Path) -> Any:
    long = name(document) in LONG_DOCUMENTS or name(document).startswith("docs/course/")
    marks = [pytest.mark.slow] if long else []
    return pytest.param(document, marks=marks, id=name(document))


@pytest.mark.parametrize("document", [as_case(path) for path in DOCUMENTS if python_blocks(path)])
def test_python_in_documents_runs(document: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of one document share their names, as a reader would type them, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "__main__"}
    for block in python_blocks(document):
        exec(compile(block, str(document), "exec"), names)


def test_links_to_files_lead_somewhere() -> None:
    dead = []
    for document in DOCUMENTS:
        text = re.sub(r"```.*?```", "", document.read_text(encoding="utf-8"), flags=re.DOTALL)
        targets = [link for link in re.findall(r"\]\(([^)\s]+)\)", text) if not re.match(r"[a-z]+:|#", link)]
        dead += [
            f"{name(document)}: {link}"
            for link in targets
            if not (document.parent / link.split("#")[0]).exists()
        ]
    assert dead == []


def anchors_of(document: Path) -> set[str]:
    """The names by which its headings are linked, as GitHub and MyST make them."""
    text = re.sub(r"^```.*?^```", "", document.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    headings = re.findall(r"^#+ (.*)$", text, flags=re.MULTILINE)
    slugs = [re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings]
    return {slug if (n := slugs[:k].count(slug)) == 0 else f"{slug}-{n}" for k, slug in enumerate(slugs)}


def test_links_to_headings_lead_somewhere() -> None:
    dead = []
    for document in DOCUMENTS:
        text = re.sub(r"```.*?```", "", document.read_text(encoding="utf-8"), flags=re.DOTALL)
        for page, anchor in re.findall(r"\]\(([^)\s#:]*)#([^)\s]+)\)", text):
            target = (document.parent / page).resolve() if page else document
            if target.suffix == ".md" and target.exists() and anchor not in anchors_of(target):
                dead.append(f"{name(document)}: {page}#{anchor}")
    assert dead == []


# A path with a folder in it, or a file's bare name: `prune/methods/pessimistic.py`, `page.css`.
NAMED = re.compile(
    r"(?<![\w/.<*{-])((?:[\w.-]+/)*[\w-]+\.(?:py|pyi|cpp|hpp|html|css|js|md|toml|yml))(?![\w<*{])"
)
WRITTEN = {"report.html", "types.toml", "model_card.md"}  # by a study
ROOTS = ("", "src", "src/hedgerow", "native", "docs", "tests", "benchmarks", "tools", "docs/decisions")


def is_there(named: str, file: Path) -> bool:
    """From the checkout, one of its main folders, or the file's own folder; a bare name anywhere."""
    if any((folder / named).exists() for folder in (file.parent, *(CHECKOUT / root for root in ROOTS))):
        return True
    return "/" not in named and named in {path.name for path in FILES}


def prose_of(file: Path) -> str:
    """What a person reads: a whole document, the comments and docstrings of a source file."""
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".md":
        return re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    if file.suffix in (".cpp", ".hpp"):
        return "\n".join(re.findall(r"//(.*)", text))
    return "\n".join(a or b for a, b in re.findall(r'#([^\n]*)|"""(.*?)"""', text, flags=re.DOTALL))


def test_no_page_or_comment_names_a_file_that_is_not_there() -> None:
    readers = [f for f in FILES if f.suffix == ".md" or "src" in f.parts or "native" in f.parts]
    gone = [
        f"{name(file)}: {named}"
        for file in readers
        if file.suffix in (".md", ".py", ".cpp", ".hpp") and file.name != "CHANGELOG.md"
        for named in NAMED.findall(prose_of(file))
        if named not in WRITTEN and not is_there(named, file)
    ]
    assert gone == []


def test_files_name_no_machine_and_no_registry() -> None:
    found = []
    for file in FILES:
        text = file.read_text(encoding="utf-8")
        found += [f"{name(file)}: {text[at.start() : at.end() + 40]!r}" for at in MACHINE_PATH.finditer(text)]
        found += [f"{name(file)}: {host}" for host in REGISTRIES if host in text]
    assert found == []


def test_the_check_runs_the_readme_s_test_command() -> None:
    command = re.search(
        r'^pip install "\.\[test\]".*$', (CHECKOUT / "README.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert command, "README.md has no test command"
    assert command.group() in (CHECKOUT / ".ci" / "run").read_text(encoding="utf-8")


def test_every_decision_is_in_the_index() -> None:
    index = (CHECKOUT / "docs" / "README.md").read_text(encoding="utf-8")
    for page in sorted((CHECKOUT / "docs").rglob("*.md")):
        if page.name != "README.md":
            assert page.relative_to(CHECKOUT / "docs").as_posix() in index, (
                f"docs/README.md does not list {page.name}"
            )


def rows_under(heading: str, text: str) -> list[str]:
    """The first cells of the table below a heading."""
    return re.findall(
        r"^\| `([^`]+)` \|", text.partition(f"## {heading}\n")[2].partition("\n## ")[0], re.MULTILINE
    )


def test_the_architecture_lists_every_folder_in_the_order_of_imports() -> None:
    from tests.test_imports import LAYERS

    text = (CHECKOUT / "docs" / "architecture.md").read_text(encoding="utf-8")
    listed = [entry.removesuffix(".py") for entry in rows_under("Folders of src/hedgerow", text)]
    assert listed == [layer for layer in LAYERS if layer not in ("hedgerow", "__main__")]
    stages = {path.name for path in (CHECKOUT / "native").iterdir() if path.is_dir()}
    assert sorted(rows_under("Folders of native", text)) == sorted(stages)
