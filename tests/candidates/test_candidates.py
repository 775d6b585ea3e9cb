"""Every candidate: found by its file, fitted for each task it knows, described, saved; light to list."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.studies.test_study import table

import hedgerow
from hedgerow import load
from hedgerow.candidate import (
    BOTH,
    TaskSpec,
    candidate_names,
    check_options,
    load_candidate,
    panel_names,
    select_candidates,
)
from hedgerow.cli import main
from hedgerow.errors import ParameterError, spell_as_option
from hedgerow.estimators.delegating import DelegatingEstimator, unwrap
from hedgerow.table import to_table

FILES = sorted(
    file.stem
    for file in (Path(hedgerow.__file__).parent / "candidates").glob("*.py")
    if file.stem != "__init__"
)


def spec(task: str) -> TaskSpec:
    return TaskSpec(task, 120, 4, 2 if task == "classification" else 0)


def test_the_list_is_the_folder():
    assert sorted(candidate_names()) == FILES
    assert [load_candidate(name).ORDER for name in candidate_names()] == sorted(
        load_candidate(name).ORDER for name in FILES
    )
    assert panel_names() == (
        "baseline", "stump", "tree", "rules", "bagging", "forest", "extra_trees", "adaboost",
        "default_boosting", "gradient_boosting", "linear_svm", "svm", "blend",
    )  # fmt: skip


def test_titles_are_words_and_every_candidate_says_how():
    every = [load_candidate(name) for name in candidate_names()]
    assert len({one.TITLE for one in every}) == len(every)
    for one in every:
        assert "_" not in one.TITLE
        assert set(one.DESCRIPTION) == set(one.TASKS)
        assert all(words.endswith(".") for words in one.DESCRIPTION.values())
    assert set(panel_names()) - set(select_candidates((), "regression")) == {"rules"}  # rules predict classes


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("task", BOTH)
def test_every_candidate(name, task, tmp_path):
    if task not in load_candidate(name).TASKS:
        with pytest.raises(ParameterError, match="cannot do"):
            select_candidates((name,), task)
        return
    target = "kept" if task == "classification" else "price"
    frame = table(120).drop({"kept", "price"} - {target})
    about = select_candidates((name,), task)[name]
    X = to_table(frame.drop(target).with_columns(pl.col("day").cast(pl.Int32)))
    fitted = about.make_estimator(spec(task), {}).fit(X, frame[target].to_numpy())
    assert about.describe(fitted)
    assert all(len(fact) == 2 for fact in about.facts(fitted))
    shares = [share for _, share in about.importances(fitted)]
    assert shares == sorted(shares, reverse=True)
    assert len(fitted.predict(X)) == 120
    hedgerow.save(unwrap(fitted), tmp_path / "m.hedgerow")
    assert np.array_equal(load(tmp_path / "m.hedgerow").predict(X), fitted.predict(X))


@pytest.mark.parametrize("name", FILES)
def test_options_are_parameters_of_the_estimator(name):
    about = load_candidate(name)
    estimator = about.make_estimator(spec("classification"), {})
    inside = estimator.estimator if isinstance(estimator, DelegatingEstimator) else estimator
    known = (inside[-1] if hasattr(inside, "steps") else inside).get_params()
    assert {option.name for option in about.OPTIONS} <= set(known)
    assert len({option.name for option in about.OPTIONS}) == len(about.OPTIONS)


def test_the_tree_is_the_estimator_s():
    model = load_candidate("tree").make_estimator(spec("classification"), {})
    assert repr(model) == repr(
        hedgerow.DecisionTreeClassifier(
            prune={"method": "cost_complexity", "risk": "log_loss", "choose": "min"}
        )
    )


def test_the_additive_model_is_a_sum_of_curves():
    frame = table(120).drop("price")
    X = to_table(frame.drop("kept").with_columns(pl.col("day").cast(pl.Int32)))
    about = load_candidate("additive")
    fitted = about.make_estimator(spec("classification"), {}).fit(X, frame["kept"].to_numpy())
    shapes = unwrap(fitted).additive()
    assert shapes.shapes
    assert not shapes.pairs
    assert about.describe(fitted).startswith("an additive model of ")


def test_a_typed_option_is_kept():
    forest = load_candidate("forest").make_estimator(
        spec("classification"), {"max_features": "all", "n_estimators": 7}
    )
    assert (forest.max_features, forest.n_estimators) == (None, 7)
    assert load_candidate("svm").make_estimator(spec("classification"), {"C": 3.0})[-1].C == 3.0
    boosted = load_candidate("adaboost").make_estimator(spec("classification"), {"n_estimators": 5})
    assert (boosted.n_estimators, boosted.early_stopping) == (5, False)


def test_unknown_names_and_options():
    with pytest.raises(
        ParameterError, match=r"models='forrest' is unknown. Known: baseline, stump, tree, .*'forest'"
    ):
        select_candidates(("forrest",), "classification")
    with pytest.raises(ParameterError) as caught:
        check_options("svm", {"max_depth": 3})
    assert str(caught.value) == "max_depth is no option of model='svm'. It has: kernel, C, gamma, degree."
    assert caught.value.render(spell_as_option) == (
        "--max-depth is no option of --model svm. It has: --kernel, --C, --gamma, --degree."
    )


def test_listing_loads_nothing_heavy():
    code = (
        "import sys; from hedgerow.candidate import candidate_names; candidate_names(); print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not set(done.stdout.split()) & {"numpy", "sklearn", "scipy", "polars", "matplotlib"}


PLUGIN = '''
"""half: a coin that knows two sides."""
from hedgerow.candidate import CLASSES, Option
from hedgerow.candidates.stump import describe, draw, facts, importances

TITLE, ORDER, TASKS, IN_PANEL, MAX_ROWS = "half", 15, CLASSES, False, None
DESCRIPTION = {"classification": "A small tree."}
OPTIONS = (Option("max_depth", int, "Depth."),)


def make_estimator(spec, options):
    from hedgerow.estimators import DecisionTreeClassifier

    return DecisionTreeClassifier(**{"max_depth": 2, **options})
'''


def test_a_new_candidate_is_one_file(tmp_path, monkeypatch):
    import hedgerow.candidates

    (tmp_path / "half.py").write_text(PLUGIN)
    monkeypatch.setattr(hedgerow.candidates, "__path__", [*hedgerow.candidates.__path__, str(tmp_path)])
    assert candidate_names()[:3] == ("baseline", "stump", "half")
    result = hedgerow.study(table().drop("price"), "kept", models=("half", "stump"), folds=3, repeats=1)
    assert {one.option for one in result.candidates} == {"half", "stump", "baseline"}
    for words in (
        ("fit", "titanic", "--model", "half", "--max-depth", "1"),
        ("evaluate", "titanic", "--model", "half"),
    ):
        monkeypatch.setattr("sys.argv", ["hedgerow", *words])
        monkeypatch.chdir(tmp_path)
        with pytest.raises(SystemExit) as left:
            main()
        assert left.value.code == 0
    assert load(tmp_path / "titanic.hedgerow").get_depth() == 1


def test_default_boosting_of_several_classes_is_not_carried_away_by_a_rare_one():
    random = np.random.default_rng(0)
    X = random.normal(size=(1600, 4))
    y = np.digitize(X[:, 0] + 0.2 * random.normal(size=1600), [-1, -0.3, 0.3, 1])
    y[:5] = 5  # five rows among all others
    losses = []
    for options in ({}, {"l2_regularization": 0.0}):
        given = TaskSpec("classification", 800, 4, 6)
        model = load_candidate("default_boosting").make_estimator(given, options).fit(X[:800], y[:800])
        proba = model.predict_proba(X[800:])[np.arange(800), y[800:]]
        losses.append(-np.log(proba.clip(1e-15)).mean())
    assert losses[0] < 0.8 * losses[1]
