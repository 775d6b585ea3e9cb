"""hedgerow fit --model adaboost: fitted, scored, drawn, saved; and asked again."""

import json
from pathlib import Path

import polars as pl
import pytest
from tests.cli.run import Runner

from hedgerow import datasets
from hedgerow.estimators.saving import load


@pytest.mark.parametrize(
    "options",
    [
        ("--n-estimators", "6"),
        ("--estimator", "tree", "--max-depth", "2", "--predictions", "confident", "--n-estimators", "4"),
        ("--estimator", "c45", "--n-estimators", "3", "--loss", "logistic"),
    ],
)
def test_fit_and_predict(hedgerow: Runner, tmp_path: Path, options: tuple[str, ...]) -> None:
    code, out, _ = hedgerow("fit", "heart", "--model", "adaboost", *options)
    assert code == 0
    for words in (
        "boosted ",
        "training error",
        "heart-adaboost.svg",
        f"--n-estimators {options[-1]}"[:8],
    ):
        assert words in out
    heart = datasets.heart()
    heart.frame().write_csv(tmp_path / "rows.csv")
    code, _, _ = hedgerow("predict", "heart.hedgerow", "rows.csv", "-o", "answers.csv")
    assert code == 0
    model = load(tmp_path / "heart.hedgerow")
    output = pl.read_csv(tmp_path / "answers.csv")["prediction"].to_list()
    assert output == model.predict(heart.frame().drop(heart.target_name)).tolist()
    assert "rounds" in hedgerow("show", "heart.hedgerow").out


def test_numbers(hedgerow: Runner, houses: Path) -> None:
    code, out, _ = hedgerow(
        "fit", houses, "--target", "price", "--model", "adaboost", "--n-estimators", "3", "--json"
    )
    assert code == 0
    assert json.loads(out)["model"] == "adaboost"


def test_what_it_has_not(hedgerow: Runner, houses: Path) -> None:
    for words, output in (
        (("heart", "--estimator", "stamp"), "Did you mean 'stump'"),
        (("heart", "--max-depth", "3"), "--max-depth goes with --estimator tree"),
        (("heart", "--n-estimators", "0"), "Give a whole number of at least 1."),
        (("heart", "--predictions", "real"), "--predictions real is unknown"),
        (("heart", "--prune", "pessimistic"), "no option of --model adaboost"),
        ((houses, "--target", "price", "--estimator", "stump"), "is for classes"),
    ):
        code, _, err = hedgerow("fit", *words, "--model", "adaboost")
        assert code == 2
        assert output in " ".join(err.split())
