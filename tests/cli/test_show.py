"""hedgerow show: tables, data sets, models; and the words every command has."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.run import Runner


def test_nothing_lists_the_data_sets(hedgerow: Runner) -> None:
    code, out, _ = hedgerow("show")
    assert code == 0
    assert all(name in out for name in ("restaurant", "ten_points", "titanic", "heart", "letter", "spam"))


def test_a_data_set(hedgerow: Runner) -> None:
    out = hedgerow("show", "titanic").out
    assert "sex       category        0         2  female, male" in out
    assert "licence: vcdExtra GPL-2" in out
    assert "hedgerow study titanic" in out


def test_a_table(hedgerow: Runner, houses: Path) -> None:
    out = hedgerow("show", "houses.csv").out
    assert "90 rows, 6 columns" in out
    assert "hedgerow study houses.csv --target price" in out
    columns = json.loads(hedgerow("show", "houses.csv", "--json").out)["columns"]
    assert columns[2] == {"name": "town", "kind": "category", "missing": 36, "levels": ["Ash", "Birch"]}


def test_a_model(hedgerow: Runner, tmp_path: Path) -> None:
    hedgerow("fit", "titanic", "--max-depth", 3)
    out = hedgerow("show", "titanic.hedgerow", "--picture", "tree.svg").out
    for said in (
        "DecisionTreeClassifier(",
        "max_depth=3",
        "982 rows",
        "sex     category: female, male",
        "├─ sex",
    ):
        assert said in out
    assert (tmp_path / "tree.svg").read_text().startswith("<svg")
    assert "more nodes" in hedgerow("show", "titanic.hedgerow", "--depth", 1).out
    assert json.loads(hedgerow("show", "titanic.hedgerow", "--json").out)["classes"] == ["died", "survived"]


def test_version(hedgerow: Runner) -> None:
    code, out, _ = hedgerow("--version")
    assert code == 0
    assert re.fullmatch(r"hedgerow \d+\.\d+\.\d+\S*\n", out)


@pytest.mark.parametrize(
    "words", [["--help"], ["fit", "--help"], ["show", "-h"], ["predict", "-h"], ["prune", "-h"]]
)
def test_help(words: list[str], hedgerow: Runner) -> None:
    code, out, _ = hedgerow(*words)
    assert code == 0
    assert "Usage: hedgerow" in out


@pytest.mark.parametrize(
    "code", ["import hedgerow.cli.main", "import sys; sys.argv[1:] = ['--help']; main()"]
)
def test_help_loads_nothing_heavy(code: str) -> None:
    code = (
        "from hedgerow.cli import main\nimport atexit, sys\n"
        f"atexit.register(lambda: print(*sys.modules, file=sys.stderr))\n{code}"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.split(".")[0] for name in done.stderr.split()}
    assert not loaded & {"numpy", "rich", "sklearn", "scipy", "polars", "narwhals", "matplotlib", "pydantic"}
