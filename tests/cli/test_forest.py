"""`hedgerow fit --model forest`, and what can be done with its file."""

import json
from pathlib import Path

import pytest
from tests.cli.run import Runner

from hedgerow import RandomForestClassifier, datasets, load


@pytest.mark.parametrize("model", ["forest", "extra-trees"])
def test_fits_a_forest_and_uses_its_file(hedgerow: Runner, tmp_path: Path, model: str) -> None:
    code, out, _ = hedgerow("fit", "titanic", "--model", model, "--n-estimators", 30)
    assert code == 0
    for words in ("30, ", "columns a node", "Columns that matter", "sex", "accuracy"):
        assert words in out, words
    assert (tmp_path / f"titanic-{model.replace('-', '_')}.svg").exists()
    assert "trees" in hedgerow("show", "titanic.hedgerow").out
    datasets.titanic().frame().write_csv(tmp_path / "people.csv")
    code, out, _ = hedgerow("predict", "titanic.hedgerow", "people.csv")
    assert code == 0
    assert out.count("\n") > 1300
    assert load(tmp_path / "titanic.hedgerow").n_estimators == 30


def test_the_file_is_the_estimator_s(hedgerow: Runner, tmp_path: Path) -> None:
    hedgerow(
        "fit",
        "titanic",
        "--model",
        "forest",
        "--n-estimators",
        5,
        "--max-features",
        "all",
        "--random-state",
        3,
        "--max-depth",
        4,
    )
    model = load(tmp_path / "titanic.hedgerow")
    assert isinstance(model, RandomForestClassifier)
    assert (model.max_features, model.max_depth, model.random_state) == (None, 4, 3)
    with pytest.raises(AttributeError, match="came from a file"):
        _ = model.oob_


def test_json_stop_and_numbers(hedgerow: Runner, houses: Path) -> None:
    code, out, _ = hedgerow(
        "fit",
        houses,
        "--target",
        "price",
        "--model",
        "forest",
        "--n-estimators",
        200,
        "--stop",
        "oob",
        "--json",
    )
    assert code == 0
    said = json.loads(out)
    assert said["model"] == "forest"
    assert "out-of-bag loss" in said["facts"]["stopped"]
    assert "--stop oob" in said["command"]
    assert max(said["importance"], key=said["importance"].get) == "area"


@pytest.mark.parametrize(
    ("words", "output"),
    [
        (("--n-estimators", "0"), "--n-estimators 0 is out of range"),
        (("--max-features", "many"), "--max-features many is unknown"),
        (("--max-features", "0"), "--max-features 0 is unknown"),
        (("--stop", "now"), "--stop"),
        (("--recipe", "c45"), "Did you mean --model id3, c45 or cart?"),
        (("--prune", "pessimistic"), "--prune is no option"),
    ],
)
def test_mistakes(hedgerow: Runner, words: tuple[str, ...], output: str) -> None:
    code, _, err = hedgerow("fit", "titanic", "--model", "forest", *words)
    assert code != 0
    assert output in err


def test_a_tree_has_no_trees(hedgerow: Runner) -> None:
    code, _, err = hedgerow("fit", "titanic", "--n-estimators", "5")
    assert code != 0
    assert "--n-estimators is no option of --model tree" in err
