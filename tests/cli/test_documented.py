"""docs/commands.md: every command is there, and what it shows is what the commands print."""

import re
from pathlib import Path

import pytest
from tests.cli.run import Runner

from hedgerow import datasets
from hedgerow.cli.main import COMMANDS

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "commands.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```console\n\$ hedgerow (.*?)\n(.*?)^```", PAGE, flags=re.DOTALL | re.MULTILINE)


def test_every_command_has_a_heading_and_an_example() -> None:
    names = set(COMMANDS)
    assert names == set(re.findall(r"^## (\w+)$", PAGE, flags=re.MULTILINE))
    assert names == {words.split()[0] for words, _ in EXAMPLES}


def test_every_pruning_option_is_told(hedgerow: Runner) -> None:
    for option in ("confidence", "no-raising", "significance", "price", "depth", "leaves", "folds", "choose"):
        assert f"`--{option}" in PAGE


@pytest.mark.parametrize(("words", "shown"), EXAMPLES, ids=[words for words, _ in EXAMPLES])
def test_what_is_shown_is_printed(
    words: str, shown: str, hedgerow: Runner, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    if words.startswith(("predict", "export")):
        hedgerow("fit", "titanic")
        datasets.titanic().frame().write_csv(tmp_path / "people.csv")
    if words.startswith("report"):
        hedgerow("study", "titanic", "--models", "stump", "--folds", "2", "--repeats", "1")
    code, out, err = hedgerow(*words.split())
    assert code == 0
    printed = [_untimed(line) for line in (err + out).splitlines()]
    for line in shown.splitlines():
        if line.strip() != "…":
            assert _untimed(line) in printed, line


def _untimed(line: str) -> str:
    return re.sub(r"in [\d.]+ s$", "in a moment", line.rstrip())
