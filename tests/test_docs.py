"""The documents keep their word: their Python runs, their links lead somewhere, they name no machine."""

import re
from collections.abc import Iterator
from pathlib import Path

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


def name(path: Path) -> str:
    return path.relative_to(CHECKOUT).as_posix()


def python_blocks(document: Path) -> list[str]:
    """Each block after as many empty lines as stand before it: errors then name the right line."""
    text = document.read_text(encoding="utf-8")
    found = re.finditer(r"^```python\n(.*?)^```", text, flags=re.DOTALL | re.MULTILINE)
    return ["\n" * text.count("\n", 0, block.start(1)) + block[1] for block in found]


@pytest.mark.parametrize("document", [path for path in DOCUMENTS if python_blocks(path)], ids=name)
def test_python_in_documents_runs(document: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of one document share their names, as a reader would type them, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "__main__"}
    for block in python_blocks(document):
        exec(compile(block, str(document), "exec"), names)


@pytest.mark.parametrize("document", DOCUMENTS, ids=name)
def test_links_to_files_lead_somewhere(document: Path) -> None:
    text = re.sub(r"```.*?```", "", document.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if not re.match(r"[a-z]+:|#", target):
            assert (document.parent / target.split("#")[0]).exists(), f"{name(document)} links to {target}"


@pytest.mark.parametrize("file", FILES, ids=name)
def test_files_name_no_machine_and_no_registry(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    found = MACHINE_PATH.search(text)
    assert found is None, f"{name(file)}: {text[found.start() : found.end() + 40]!r}" if found else ""
    assert not [host for host in REGISTRIES if host in text]


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
