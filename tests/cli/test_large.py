"""`hedgerow fit` of a table larger than memory: all rows by a stream, or a sample, and the page says which and why."""

import json
import re

import numpy as np
import polars as pl
import pytest
from tests.cli.run import Runner

from hedgerow import load

N = 4000


@pytest.fixture(scope="module")
def table() -> pl.DataFrame:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(N, 3))
    town = rng.choice(["a", "b", None], N)
    y = np.where(x[:, 0] + (town == "a") + rng.logistic(size=N) > 0, "yes", "no")
    day = np.datetime64("2020-01-01") + rng.integers(0, 900, N)
    return pl.DataFrame({f"x{j}": x[:, j] for j in range(3)} | {"town": town, "day": day, "y": y})


def words(result: dict) -> str:
    return " ".join(result["notice"].split())


@pytest.mark.parametrize("more", [[], ["--max-iter", "5"], ["--max-iter", "5", "--test-share", "0"]])
def test_a_model_that_can_learns_from_all_rows(
    hedgerow: Runner, table: pl.DataFrame, more: list[str]
) -> None:
    table.write_parquet("t.parquet")
    fit = ("fit", "t.parquet", "--target", "y", "--model", "gradient_boosting", *more, "--json")
    code, out, err = hedgerow(*fit, "--memory", "0.0001")
    assert code == 0, err
    result = json.loads(out)
    assert result["rows"]["train"] + result["rows"]["test"] == N
    assert "read block by block, and the model learned from" in words(result)
    assert (result["rows"]["test"] == 0) == ("--test-share" in more)
    model = load("t.hedgerow")
    assert (model.predict(table.drop("y")) == table["y"].to_numpy()).mean() > 0.6
    # the file knows which rows the model has seen, those outside of the sample too
    if not result["rows"]["test"]:
        code, out, _ = hedgerow("evaluate", "t.parquet", "--target", "y", "--model", "./t.hedgerow", "--json")
        assert f"{N:,} of these {N:,} rows" in out


@pytest.mark.slow
@pytest.mark.parametrize("model", ["forest", "extra_trees", "full_tree", "stump"])
def test_so_do_forests_and_trees(hedgerow: Runner, table: pl.DataFrame, model: str) -> None:
    table.write_csv("t.csv")
    code, out, err = hedgerow(
        "fit", "t.csv", "--target", "y", "--model", model, "--memory", "0.0003", "--json"
    )
    assert code == 0, err
    result = json.loads(out)
    assert result["rows"]["train"] + result["rows"]["test"] == N
    assert result["no_picture"] is None


def test_another_learns_from_a_sample_and_says_why(hedgerow: Runner, table: pl.DataFrame) -> None:
    table.write_parquet("t.parquet")
    code, out, _ = hedgerow("fit", "t.parquet", "--target", "y", "--memory", "0.0001", "--json")
    assert code == 0
    result = json.loads(out)
    assert result["rows"]["train"] + result["rows"]["test"] < N / 2
    assert "needs its rows there (its pruning judges branches by rows)" in words(result)


def test_counts_of_the_sample_are_said_to_be(hedgerow: Runner, table: pl.DataFrame) -> None:
    table.write_parquet("t.parquet")
    code, out, _ = hedgerow("fit", "t.parquet", "--target", "y", "--model", "stump", "--memory", "0.0001")
    assert code == 0
    assert re.search(r"t.parquet  [\d,]+ rows drawn of 4,000, 5 columns to predict y from", out)
    assert re.search(r"target +y: no [\d,]+, yes [\d,]+ in the rows drawn", out)
