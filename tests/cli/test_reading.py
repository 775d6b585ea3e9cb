"""One way of reading tables: what a study takes, every command takes, and says so."""

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.cli.run import Runner

N = 120
COMMANDS = {
    "study": ("--models", "stump", "--folds", "2", "--repeats", "1"),
    "fit": (),
    "fit --model forest": ("--n-estimators", "5"),
    "prune": (),
    "rules": (),
    "evaluate": ("--cv", "3", "--model", "stump"),
    "compare": ("--cv", "3", "--models", "stump,full_tree"),
}


@pytest.fixture
def odd(tmp_path: Path) -> pl.DataFrame:
    """A date, a date as text, a time, a price as text, a list, rows without a target."""
    random = np.random.default_rng(3)
    x = random.integers(0, 50, N)
    y = np.where(x + random.normal(0, 5, N) > 25, "late", "early")
    frame = pl.DataFrame(
        {
            "day": pl.Series(x).cast(pl.Int32).cast(pl.Date),
            "written": pl.Series(x).cast(pl.Int32).cast(pl.Date).dt.strftime("%Y-%m-%d"),
            "at": pl.Series(random.integers(0, 86_400, N) * 1_000_000_000).cast(pl.Time),
            "price": [f"${k},000.50" for k in random.integers(1, 9, N)],
            "parts": [[int(k), 1] for k in x],
            "y": pl.Series([None if k % 40 == 0 else label for k, label in enumerate(y)]),
        }
    )
    frame.write_parquet(tmp_path / "odd.parquet")
    return frame


@pytest.mark.parametrize("command", COMMANDS)
def test_dates_numbers_as_text_and_lists(hedgerow: Runner, odd: pl.DataFrame, command: str) -> None:
    first, *more = command.split()
    code, out, err = hedgerow(first, "odd.parquet", "--target", "y", *more, *COMMANDS[command])
    assert (code, err) == (0, "")
    output = " ".join(out.split())
    assert "day: dates, read by day, year, month and weekday" in output
    assert "written: dates, read by day, year, month and weekday" in output
    assert "at: times of day, taken as hours" in output
    assert "price: numbers in $" in output
    assert "parts: its cells are lists, not values" in output
    assert "3 rows" in output


@pytest.mark.parametrize("command", [name for name in COMMANDS if name != "study"])
def test_as_json(hedgerow: Runner, odd: pl.DataFrame, command: str) -> None:
    first, *more = command.split()
    code, out, err = hedgerow(first, "odd.parquet", "--target", "y", *more, *COMMANDS[command], "--json")
    assert (code, err) == (0, "")
    output = json.loads(out)
    assert {one["column"] for one in output["read_as"]} == {"day", "written", "at", "price"}
    assert [one["what"] for one in output["left_out"]] == ["3 rows", "parts"]


def test_shown(hedgerow: Runner, odd: pl.DataFrame) -> None:
    code, out, _ = hedgerow("show", "odd.parquet")
    assert code == 0
    assert "dates, read by day, year, month and weekday" in out
    shown = json.loads(hedgerow("show", "odd.parquet", "--json").out)
    assert len(shown["read_as"]) == 4
    assert [one["what"] for one in shown["left_out"]] == ["parts"]


@pytest.mark.parametrize("model", ["tree", "forest"])
def test_predicted_and_evaluated_with_the_file(hedgerow: Runner, odd: pl.DataFrame, model: str) -> None:
    assert hedgerow("fit", "odd.parquet", "--target", "y", "--model", model, "--save", "m.hedgerow").code == 0
    code, out, _ = hedgerow("predict", "m.hedgerow", "odd.parquet")
    assert code == 0
    assert len(out.splitlines()) == N + 1
    code, out, _ = hedgerow("evaluate", "odd.parquet", "--model", "./m.hedgerow")
    assert code == 0
    assert "117 rows" in out
    code, _, err = hedgerow("evaluate", "odd.parquet", "--model", "./m.hedgerow", "--cv", "3")
    assert code == 2
    assert "--cv is for models that are fitted here" in err


@pytest.mark.parametrize("command", COMMANDS)
def test_larger_than_the_memory(hedgerow: Runner, odd: pl.DataFrame, tmp_path: Path, command: str) -> None:
    pl.concat([odd.drop("parts")] * 30).write_csv(tmp_path / "many.csv")
    first, *more = command.split()
    words = (first, "many.csv", "--target", "y", *more, *COMMANDS[command], "--memory", "0.0001")
    code, out, _ = hedgerow(*words)
    assert code == 0
    assert "too large for the memory there is" in " ".join(out.split())


def test_a_date_asked_for_as_a_category(hedgerow: Runner, odd: pl.DataFrame) -> None:
    words = ("fit", "odd.parquet", "--target", "y", "--categories", "day,written", "--json")
    code, out, _ = hedgerow(*words)
    assert code == 0
    kinds = {one["name"]: one["kind"] for one in json.loads(out)["columns"]}
    assert kinds["day"] == kinds["written"] == "category"


def test_groups_are_no_feature_whatever_they_hold(
    hedgerow: Runner, odd: pl.DataFrame, tmp_path: Path
) -> None:
    """An identifier, which would be left out as a column, still says which rows belong together."""
    odd.with_columns(id=pl.Series(np.arange(N))).write_parquet(tmp_path / "with.parquet")
    code, out, _ = hedgerow(
        "evaluate", "with.parquet", "--target", "y", "--groups", "id", "--cv", "3", "--model", "stump"
    )
    assert code == 0
    assert "group" in out
    code, _, err = hedgerow("evaluate", "with.parquet", "--target", "y", "--groups", "parts")
    assert code == 2
    assert "--groups parts holds List" in err
