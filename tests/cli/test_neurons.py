"""hedgerow fit --model neurons: fitted, scored, drawn, saved; and asked again."""

import json
from pathlib import Path

import polars as pl
from tests.cli.run import Runner

from hedgerow import datasets
from hedgerow.estimators.saving import load


def test_fit_and_predict(hedgerow: Runner, tmp_path: Path) -> None:
    code, out, _ = hedgerow("fit", "heart", "--model", "neurons", "--n-estimators", "8")
    assert code == 0
    for words in (
        "A network of 8 boosted neurons",
        "8 units tanh",
        "training error",
        "heart-neurons.svg",
        "--n-estimators 8",
    ):
        assert words in out
    assert "<svg" in (tmp_path / "heart-neurons.svg").read_text(encoding="utf-8")
    heart = datasets.heart()
    heart.frame().write_csv(tmp_path / "rows.csv")
    code, _, _ = hedgerow("predict", "heart.hedgerow", "rows.csv", "-o", "answers.csv")
    assert code == 0
    model = load(tmp_path / "heart.hedgerow")
    output = pl.read_csv(tmp_path / "answers.csv")["prediction"].to_list()
    assert output == model.predict(heart.frame().drop(heart.target_name)).tolist()
    assert "8 units tanh" in hedgerow("show", "heart.hedgerow").out


def test_as_json(hedgerow: Runner) -> None:
    code, out, _ = hedgerow("fit", "heart", "--model", "neurons", "--n-estimators", "3", "--json")
    output = json.loads(out)
    assert code == 0
    assert output["model"] == "neurons"
    assert output["facts"]["network"].endswith("3 units tanh")


def test_what_it_has_not(hedgerow: Runner, houses: Path) -> None:
    for words, output in (
        (
            ("heart", "--model", "neurons", "--max-depth", "3"),
            "--max-depth is no option of --model neurons. It has: --n-estimators",
        ),
        (
            ("heart", "--model", "neurons", "--n-estimators", "0"),
            "--n-estimators 0 is out of range. Give a whole number of at least 1.",
        ),
        (("heart", "--n-estimators", "4"), "--n-estimators is no option of --model tree"),
        (
            (houses, "--target", "price", "--model", "neurons"),
            "--model neurons is for classification, but price",
        ),
    ):
        code, _, err = hedgerow("fit", *words)
        assert code == 2
        assert output in err.replace("\n", " ")
