"""fit --model of a recipe and --prune: it is the tree Python would grow and prune, kept and read back, and said."""

import json
import shlex
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.cli.run import Runner

from hedgerow import datasets, recipe
from hedgerow.candidate import TaskSpec, load_candidate
from hedgerow.estimators import DecisionTreeClassifier, DecisionTreeRegressor
from hedgerow.estimators.saving import load
from hedgerow.prune import load_methods, offered_settings
from hedgerow.recipe_book import GREEDY
from hedgerow.store import load_state
from hedgerow.table import read_frame
from hedgerow.table.split import hold_out
from hedgerow.tree.tree import MULTIWAY

SETTING = {  # a strength of each method that has one, as it is typed and as it is set
    "chi_square": (["--significance", 0.01], {"significance": 0.01}),
    "cost_complexity": (["--folds", 4, "--choose", "min"], {"folds": 4, "choose": "min"}),
    "depth_limit": (["--depth", 2], {"depth": 2}),
    "leaf_limit": (["--leaves", 5], {"leaves": 5}),
    "minimum_description_length": (["--price", 2], {"price": 2.0}),
    "pessimistic": (["--confidence", 0.1, "--no-raising"], {"confidence": 0.1, "raising": False}),
    "reduced_error": ([], {}),
}


def halves(name: str) -> tuple[Any, Any, Any, Any]:
    """Training and held-out rows as `hedgerow fit` shares them out, with their targets."""
    data = datasets.load(name)
    train, test = hold_out(np.unique(data.target, return_inverse=True)[1], 0.25, 0)
    return data.table.take(train), data.target[train], data.table.take(test), data.target[test]


def same_tree(one: Any, other: Any) -> bool:
    names = ("feature", "kind", "threshold", "first_child", "missing_child", "value", "n_rows", "subset_bits")
    return all(np.array_equal(getattr(one, n), getattr(other, n), equal_nan=n == "threshold") for n in names)


@pytest.mark.parametrize("data", ["heart", "titanic"])
@pytest.mark.parametrize("name", GREEDY)
def test_a_recipe_is_the_tree_python_grows(name: str, data: str, hedgerow: Runner, tmp_path: Path) -> None:
    output = json.loads(hedgerow("fit", data, "--model", name, "--json").out)
    X, y, unseen, truth = halves(data)
    model = recipe(name).fit(X, y)
    assert same_tree(load_state(tmp_path / f"{data}.hedgerow").body, model.hedgerow_tree_)
    assert output["scores"][0]["value"] == pytest.approx(model.score(unseen, truth))
    assert output["model"] == name
    assert output["prune"]["method"] == GREEDY[name].parameters.get("prune")


@pytest.mark.parametrize("how", [None, "c45"])
@pytest.mark.parametrize("set_", [False, True], ids=["as it is", "with a setting"])
@pytest.mark.parametrize("name", load_methods())
def test_a_pruning_is_the_tree_python_prunes(
    name: str, set_: bool, how: str | None, hedgerow: Runner, tmp_path: Path
) -> None:
    typed, settings = SETTING[name] if set_ else ([], {})
    words = ["--model", how] if how else []
    output = json.loads(hedgerow("fit", "titanic", *words, "--prune", name, *typed, "--json").out)
    X, y, unseen, truth = halves("titanic")
    changes = {"prune": {"method": name, **settings}}
    model = (recipe(how, **changes) if how else DecisionTreeClassifier(**changes)).fit(X, y)
    assert same_tree(load_state(tmp_path / "titanic.hedgerow").body, model.hedgerow_tree_)
    assert output["scores"][0]["value"] == pytest.approx(model.score(unseen, truth))
    assert output["prune"]["method"] == name
    assert {k: output["prune"][k] for k in settings} == settings
    assert output["tree"]["leaves"] <= output["tree"]["leaves_unpruned"]


@pytest.mark.parametrize(
    "name", [name for name, kind in load_methods().items() if "regression" in kind.tasks]
)
def test_a_pruning_of_numbers(name: str, hedgerow: Runner, houses: Path, tmp_path: Path) -> None:
    assert hedgerow("fit", houses, "--target", "price", "--prune", name).code == 0
    rows = read_frame(houses).drop_nulls("price").drop("house")
    known = rows[hold_out(np.zeros(rows.height, np.int64), 0.25, 0)[0]]
    model = DecisionTreeRegressor(prune=name).fit(known.drop("price"), known["price"])
    assert same_tree(load_state(tmp_path / "houses.hedgerow").body, model.hedgerow_tree_)


@pytest.mark.parametrize("data", ["heart", "titanic"])
def test_forks_and_shared_out_rows_are_kept_and_read_back(
    data: str, hedgerow: Runner, tmp_path: Path
) -> None:
    hedgerow("fit", data, "--model", "c45")
    X, y, *_ = halves(data)
    model, frame = recipe("c45").fit(X, y), datasets.load(data).frame()
    rows = frame.drop(datasets.load(data).target_name)
    assert np.any(model.hedgerow_tree_.kind == MULTIWAY)
    assert rows.null_count().to_numpy().sum() > 0
    frame.write_parquet(tmp_path / "rows.parquet")
    code, out, _ = hedgerow("predict", f"{data}.hedgerow", "rows.parquet")
    assert code == 0
    answers = pl.read_csv(StringIO(out))
    assert answers["prediction"].to_list() == model.predict(rows).tolist()
    np.testing.assert_allclose(answers[:, 1:].to_numpy(), model.predict_proba(rows), rtol=1e-15)
    stored = load(tmp_path / f"{data}.hedgerow")
    assert stored.predict_proba(rows).tobytes() == model.predict_proba(rows).tobytes()
    assert stored.get_params() == model.get_params()
    shown = " ".join(hedgerow("show", f"{data}.hedgerow").out.split())
    assert "splits='multiway', missing='fractional'" in shown


def test_what_was_set_is_said(hedgerow: Runner) -> None:
    out = " ".join(hedgerow("fit", "heart", "--model", "C4.5", "--min-samples-leaf", 3).out.split())
    for said in (
        "c45, gain ratio",
        "criterion gain_ratio, splits multiway, missing fractional, prune pessimistic; but min_samples_leaf 3",
        "by pessimistic: confidence 0.25, with raising",
        "--model c45 --random-state 0 --min-samples-leaf 3",
    ):
        assert said in out, said
    for words, said in {
        ("--prune", "reduced-error"): "decided on 196 of the training rows, which the tree was not grown on",
        ("--prune", "cost_complexity"): "10-fold cross-validation on the training rows, 1-SE rule: CP ",
        ("--folds", 4): "4-fold cross-validation on the training rows, smallest log loss: CP ",
        ("--prune", "chi_square"): "by chi_square: significance 0.05",
        ("--prune", "none"): "not at all: 204 leaves",
        ("--model", "id3"): "id3, a branch for each level",
        ("--model", "c45", "--prune", "none"): "min_samples_leaf 2; but prune none",
        ("--model", "c45", "--ccp-alpha", 0.01): "; but prune at alpha 0.01",
        ("--model", "c45", "--confidence", 0.1): "by pessimistic: confidence 0.1, with raising",
        ("--prune", "cost_complexity", "--ccp-alpha", 0.01): "at alpha 0.01",
    }.items():
        assert said in " ".join(hedgerow("fit", "titanic", *words).out.split()), words


@pytest.mark.usefixtures("houses")
def test_cart_for_numbers(hedgerow: Runner) -> None:
    words = ("fit", "houses.csv", "--target", "price", "--model", "cart")
    out = " ".join(hedgerow(*words).out.split())
    assert "prune cost_complexity; but criterion squared_error" in out
    output = json.loads(hedgerow(*words, "--json").out)
    assert (output["task"], output["prune"]["method"]) == ("regression", "cost_complexity")


@pytest.mark.parametrize(
    "words",
    [
        (
            "--model",
            "c45",
            "--prune",
            "pessimistic",
            "--confidence",
            0.1,
            "--no-raising",
            "--random-state",
            4,
        ),
        ("--model", "c45", "--confidence", 0.1),
        ("--model", "id3", "--prune", "chi_square", "--max-depth", 3),
        ("--prune", "cost_complexity", "--folds", 4, "--choose", "min", "--random-state", 2),
        ("--prune", "minimum_description_length", "--price", 0),
        ("--model", "cart", "--max-depth", 4),
        ("--model", "cart", "--ccp-alpha", 0.01, "--random-state", 3),
    ],
)
def test_the_printed_command_repeats_it(words: tuple[object, ...], hedgerow: Runner) -> None:
    first = json.loads(hedgerow("fit", "titanic", *words, "--json").out)
    again = json.loads(hedgerow(*shlex.split(first["command"])[1:], "--json").out)
    assert {**again, "seconds": 0} == {**first, "seconds": 0}


@pytest.mark.parametrize("words", [("--model", "c45"), ("--prune", "minimum_description_length")])
@pytest.mark.parametrize("width", [40, 80, 120])
def test_no_line_is_wider_than_the_terminal(
    width: int, words: tuple[str, ...], hedgerow: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    assert max(map(len, hedgerow("fit", "heart", *words).out.splitlines())) <= width


@pytest.mark.parametrize("name", load_methods())
def test_a_handful_of_rows(name: str, hedgerow: Runner, tmp_path: Path) -> None:
    pl.DataFrame({"a": range(5), "y": ["x", "z", "x", "z", "z"]}).write_csv(tmp_path / "few.csv")
    code, _, err = hedgerow("fit", "few.csv", "--target", "y", "--prune", name)
    assert (code, err) == (0, "")


def test_every_strength_of_a_method_can_be_typed() -> None:
    """Each method but the one without settings has an option; each option belongs to a method that has it."""
    assert set(SETTING) == set(load_methods())
    assert {one.method for one in offered_settings()} == set(load_methods()) - {"reduced_error"}
    for one in offered_settings():
        assert hasattr(load_methods()[one.method](), one.name)


def test_the_tree_is_that_of_evaluate_compare_and_study(hedgerow: Runner, tmp_path: Path) -> None:
    """One model under one name."""
    output = json.loads(hedgerow("fit", "titanic", "--json").out)
    X, y, *_ = halves("titanic")
    model = load_candidate("tree").make_estimator(TaskSpec("classification", len(y), 5, 2), {}).fit(X, y)
    assert output["tree"]["leaves"] == model.get_n_leaves() == 6
    assert output["prune"]["folds"] == 10
    stored = load(tmp_path / "titanic.hedgerow")
    assert stored.get_params() == model.get_params()


def test_noise_is_pruned_away_and_signal_is_kept(hedgerow: Runner, tmp_path: Path) -> None:
    random = np.random.default_rng(22)
    X = random.normal(size=(400, 3))
    columns = {f"x{k}": X[:, k] for k in range(3)}
    pl.DataFrame({**columns, "y": np.where(X[:, 2] > 0.3, "b", "a")}).write_csv(tmp_path / "signal.csv")
    pl.DataFrame({**columns, "y": np.where(random.random(400) > 0.5, "b", "a")}).write_csv(
        tmp_path / "noise.csv"
    )
    signal, noise = (
        json.loads(hedgerow("fit", f"{name}.csv", "--target", "y", "--json").out)["tree"]
        for name in ("signal", "noise")
    )
    assert signal["leaves"] == signal["leaves_unpruned"] == 2
    assert noise["leaves"] < noise["leaves_unpruned"] / 8
