"""hedgerow fit: what it prints, what it writes, and that it is the tree Python would grow."""

import json
import shlex
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.cli.run import Runner

from hedgerow import datasets
from hedgerow.estimators import DecisionTreeRegressor
from hedgerow.estimators.saving import load
from hedgerow.store import load_state
from hedgerow.table import read_frame
from hedgerow.table.split import hold_out


def test_first_look_says_everything(hedgerow: Runner, tmp_path: Path) -> None:
    code, out, err = hedgerow("fit", "titanic")
    assert (code, err) == (0, "")
    for said in (
        "titanic  1,309 rows, 5 columns to predict survived from",
        "age     number        263        98  0.1667 to 80",
        "survived: died 809, survived 500",
        "classification, because survived is text",
        "982 rows to learn from, 327 held out, each class in proportion; random state 0",
        "204 leaves to 6, by cost_complexity: 10-fold cross-validation on the training rows, smallest log loss: CP ",
        "95 % interval",
        "baseline: always died",
        "├─ sex = male",
        "Columns that matter",
        "titanic-tree.svg",
        "hedgerow predict titanic.hedgerow rows.csv",
        "hedgerow fit titanic --target survived --random-state 0",
    ):
        assert said in " ".join(out.split("\n          ")), said
    assert "\x1b" not in out
    assert (tmp_path / "titanic-tree.svg").read_text().startswith("<svg")
    assert load_state(tmp_path / "titanic.hedgerow").target == "survived"


RESTAURANT = """
├─ Pat = None             17%  1.00  0.00  ► No
├─ Pat = Some             33%  0.00  1.00  ► Yes
└─ Pat = Full             50%  0.67  0.33
   ├─ Hun = no            17%  1.00  0.00  ► No
   └─ Hun = yes           33%  0.50  0.50
      ├─ Type = Burger     8%  0.00  1.00  ► Yes
      ├─ Type = French     0%  0.50  0.50  ► Yes
      ├─ Type = Italian    8%  1.00  0.00  ► No
      └─ Type = Thai      17%  0.50  0.50
         ├─ Fri = no       8%  1.00  0.00  ► No
         └─ Fri = yes      8%  0.00  1.00  ► Yes
"""


def test_a_small_table_is_learned_whole(hedgerow: Runner) -> None:
    """The lecture's tree of the twelve evenings; a score of training rows says that it is one."""
    out = hedgerow("fit", "restaurant", "--model", "id3").out
    assert RESTAURANT in "\n".join(line[2:] for line in out.splitlines())
    assert "all 12 rows to learn from, none held out" in out
    assert "Score  on the 12 training rows" in out
    assert "not how well it predicts others" in " ".join(out.split())
    points = json.loads(hedgerow("fit", "ten_points", "--prune", "none", "--json").out)
    assert (points["rows"], points["scored_on"]) == ({"train": 10, "test": 0}, "train")
    assert points["scores"][0]["value"] == 1.0
    assert points["scores"][0]["low"] is None
    assert "Score  on the 12 training rows" in hedgerow("rules", "restaurant").out


def test_how_many_rows_are_held_out_may_be_said(hedgerow: Runner) -> None:
    held = json.loads(hedgerow("fit", "restaurant", "--test-share", "0.25", "--json").out)
    assert (held["rows"], held["scored_on"]) == ({"train": 9, "test": 3}, "test")
    whole = json.loads(hedgerow("fit", "titanic", "--test-share", "0", "--json").out)
    assert (whole["rows"], whole["scored_on"]) == ({"train": 1309, "test": 0}, "train")


@pytest.mark.parametrize("name", datasets.names())
def test_every_data_set_fits(name: str, hedgerow: Runner) -> None:
    code, out, err = hedgerow("fit", name)
    assert (code, err) == (0, "")
    assert max(map(len, out.splitlines())) <= 100


@pytest.mark.parametrize("width", [40, 80, 120])
def test_no_line_is_wider_than_the_terminal(
    width: int, hedgerow: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    assert max(map(len, hedgerow("fit", "heart").out.splitlines())) <= width


def test_the_printed_command_repeats_it(hedgerow: Runner) -> None:
    first = json.loads(
        hedgerow(
            "fit", "heart", "--min-samples-leaf", 3, "--drop", "age,thal", "--random-state", 5, "--json"
        ).out
    )
    again = json.loads(hedgerow(*shlex.split(first["command"])[1:], "--json").out)
    assert {**again, "seconds": 0} == {**first, "seconds": 0}


def test_regression_says_what_was_left_out(hedgerow: Runner, houses: Path) -> None:
    code, out, _ = hedgerow("fit", houses, "--target", "price")
    assert code == 0
    out = " ".join(out.split())
    assert "3 rows: price is missing" in out
    assert "house: text that differs in every row (--categories house keeps it)" in out
    assert (
        "regression, because price holds 87 different whole numbers (--task classification overrules)" in out
    )
    assert "mean absolute error" in out
    assert ", always the mean" in out
    assert ", always the median" in out


def test_it_is_the_tree_python_grows(hedgerow: Runner, houses: Path, tmp_path: Path) -> None:
    options = ("--max-depth", 4, "--min-samples-leaf", 2, "--categories", "zip", "--ccp-alpha", 1e6)
    result = json.loads(hedgerow("fit", houses, "--target", "price", *options, "--json").out)
    rows = read_frame(houses).drop_nulls("price").drop("house")
    train, test = hold_out(np.zeros(rows.height, np.int64), 0.25, 0)
    known, unseen = rows[train], rows[test]
    model = DecisionTreeRegressor(
        max_depth=4, min_samples_leaf=2, categorical_features=["zip"], ccp_alpha=1e6
    ).fit(known.drop("price"), known["price"])
    stored = load(tmp_path / "houses.hedgerow")
    assert stored.get_params() == model.get_params()
    assert stored.predict(rows.drop("price")).tobytes() == model.predict(rows.drop("price")).tobytes()
    assert result["scores"][0]["value"] == pytest.approx(model.score(unseen.drop("price"), unseen["price"]))
    assert result["tree"]["leaves"] == model.get_n_leaves()


def test_json_is_all_there_is_on_standard_output(hedgerow: Runner) -> None:
    result = json.loads(hedgerow("fit", "restaurant", "--json").out)
    assert result["rows"] == {"train": 12, "test": 0}
    assert result["classes"] == ["No", "Yes"]
    score = result["scores"][0]
    assert (score["low"], score["high"]) == (None, None)


def test_prune_alpha_zero_is_the_full_tree(hedgerow: Runner) -> None:
    tree = json.loads(hedgerow("fit", "titanic", "--ccp-alpha", 0, "--json").out)["tree"]
    assert tree["leaves"] == tree["leaves_unpruned"] > 100


def test_threads_change_nothing(hedgerow: Runner, tmp_path: Path) -> None:
    for threads in (1, 2, 3):
        hedgerow("fit", "letter", "--n-jobs", threads, "--save", f"{threads}.hedgerow")
    one, two, three = ((tmp_path / f"{k}.hedgerow").read_bytes() for k in (1, 2, 3))
    assert one == two == three


def test_a_png_is_a_png(hedgerow: Runner, tmp_path: Path) -> None:
    assert hedgerow("fit", "restaurant", "--picture", "tree.png").code == 0
    assert (tmp_path / "tree.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("n_rows", [4, 5, 6, 9])
@pytest.mark.parametrize("task", ["classification", "regression"])
def test_a_handful_of_rows(n_rows: int, task: str, hedgerow: Runner, tmp_path: Path) -> None:
    pl.DataFrame({"a": range(n_rows), "y": [k % 2 for k in range(n_rows)]}).write_csv(tmp_path / "few.csv")
    code, _, err = hedgerow("fit", "few.csv", "--target", "y", "--task", task)
    assert (code, err) == (0, "")


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet", "feather", "jsonl"])
def test_every_format(ending: str, hedgerow: Runner, tmp_path: Path) -> None:
    frame, file = datasets.titanic().frame().head(60), tmp_path / f"t.{ending}"
    write = {
        "csv": frame.write_csv,
        "tsv": lambda path: frame.write_csv(path, separator="\t"),
        "parquet": frame.write_parquet,
        "feather": frame.write_ipc,
        "jsonl": frame.write_ndjson,
    }
    write[ending](file)
    assert hedgerow("fit", file, "--target", "survived").code == 0
    assert (tmp_path / "t.hedgerow").exists()


def test_names_from_the_data_cannot_draw_on_the_terminal(hedgerow: Runner, tmp_path: Path) -> None:
    cells = ["[red]x" if k % 2 else "\x1b[31my" for k in range(40)]
    pl.DataFrame({"[bold]a[/]": range(40), "b\x1b[2J": cells, "y": cells}).write_parquet(
        tmp_path / "odd.parquet"
    )
    out = hedgerow("fit", "odd.parquet", "--target", "y").out
    assert "\x1b" not in out
    assert "[bold]a[/]" in out
    assert "[red]x" in out
