"""hedgerow prune: what it prints and draws, and that it is the comparison Python makes."""

import json
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.cli.run import Runner

from hedgerow import datasets, recipe
from hedgerow.estimators import DecisionTreeClassifier
from hedgerow.estimators.comparison import compare_prunings
from hedgerow.prune import load_methods


def test_first_look_says_everything(hedgerow: Runner, tmp_path: Path) -> None:
    code, out, err = hedgerow("prune", "titanic")
    assert (code, err) == (0, "")
    for said in (
        "titanic  1,309 rows, 5 columns to predict survived from",
        "655 rows to grow on, 262 for prunings that want unseen rows, 392 to judge all",
        "error rate on 392 rows that took no part",
        "(not pruned)",
        "Best here: ",
        "Complexity table",
        "CP  nsplit  rel error   xerror     xstd",
        "* kept: row ",
        "titanic-prunings.svg",
        "hedgerow fit titanic --target survived --prune ",
        "hedgerow prune titanic --target survived --random-state 0",
        *load_methods(),
    ):
        assert said in " ".join(out.split("\n         ")), said
    assert "\x1b" not in out
    assert "<svg" in (tmp_path / "titanic-prunings.svg").read_text()


@pytest.mark.slow
@pytest.mark.parametrize("how", [None, "c45"])
def test_it_is_the_comparison_python_makes(how: str | None, hedgerow: Runner) -> None:
    words = ["--recipe", how] if how else []
    output = json.loads(hedgerow("prune", "heart", *words, "--json").out)
    heart = datasets.heart()
    model = recipe(how) if how else DecisionTreeClassifier()
    assert output["comparison"] == compare_prunings(model, heart.table, heart.target).to_dict()


def test_the_table_keeps_what_the_comparison_keeps(hedgerow: Runner) -> None:
    output = json.loads(hedgerow("prune", "titanic", "--json").out)
    table, points = output["cp_table"], output["comparison"]["points"]
    kept = next(p for p in points if p["method"] == "cost_complexity" and p["is_default"])
    assert kept["leaves"] == table["nsplit"][table["chosen"]] + 1
    assert table["choose"] == "1se"
    best = int(np.argmin(table["xerror"]))
    assert table["xerror"][table["chosen"]] <= table["xerror"][best] + table["xstd"][best] + 1e-9


@pytest.mark.slow
@pytest.mark.usefixtures("houses")
def test_numbers(hedgerow: Runner) -> None:
    output = json.loads(hedgerow("prune", "houses.csv", "--target", "price", "--json").out)
    methods = {point["method"] for point in output["comparison"]["points"]}
    assert methods == {name for name, kind in load_methods().items() if "regression" in kind.tasks}
    assert "mean loss on" in hedgerow("prune", "houses.csv", "--target", "price", "--recipe", "cart").out


@pytest.mark.slow
@pytest.mark.parametrize("name", ["restaurant", "ten_points", "heart"])
@pytest.mark.parametrize("width", [40, 80, 120])
def test_no_line_is_wider_than_the_terminal(
    name: str, width: int, hedgerow: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    code, out, err = hedgerow("prune", name)
    assert (code, err) == (0, "")
    assert max(len(line.rstrip()) for line in out.splitlines()) <= width


def test_the_printed_command_repeats_it(hedgerow: Runner, tmp_path: Path) -> None:
    words = (
        "--min-samples-leaf",
        3,
        "--drop",
        "age",
        "--random-state",
        5,
        "--validation-fraction",
        0.3,
        "--picture",
        "a.svg",
    )
    first = json.loads(hedgerow("prune", "heart", *words, "--json").out)
    drawn = (tmp_path / "a.svg").read_bytes()
    again = json.loads(hedgerow(*shlex.split(first["command"])[1:], "--json").out)
    assert {**again, "seconds": 0} == {**first, "seconds": 0}
    assert (tmp_path / "a.svg").read_bytes() == drawn


def test_a_png_is_a_png(hedgerow: Runner, tmp_path: Path) -> None:
    assert hedgerow("prune", "ten_points", "--picture", "chart.png").code == 0
    assert (tmp_path / "chart.png").read_bytes().startswith(b"\x89PNG")


def test_nothing_to_prune_is_said(hedgerow: Runner, tmp_path: Path) -> None:
    pl.DataFrame({"a": [1, 2] * 15, "y": ["x", "z", "z"] * 10}).write_csv(tmp_path / "flat.csv")
    code, out, _ = hedgerow("prune", "flat.csv", "--target", "y", "--min-samples-leaf", "30")
    assert code == 0
    assert "there is nothing to prune" in out


@pytest.mark.slow
def test_each_class_is_split_in_proportion(hedgerow: Runner) -> None:
    rows = json.loads(hedgerow("prune", "titanic", "--random-state", 7, "--json").out)["rows"]
    assert rows == {"training": 655, "validation": 262, "test": 392}


def test_without_scikit_learn(tmp_path: Path) -> None:
    code = (
        "import sys; sys.argv = ['hedgerow', 'prune', 'ten_points', '--json']\n"
        "from hedgerow.cli.main import main\ntry:\n    main()\n"
        "finally:\n    assert 'sklearn' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True, capture_output=True)


def test_an_order_in_time_is_not_offered(hedgerow: Runner) -> None:
    code, _, err = hedgerow("prune", "titanic", "--time", "age")
    assert code == 2
    assert "No such option: --time" in err
