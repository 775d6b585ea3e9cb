"""Folds share one encoding, and nothing else: every result is that of a fit on a copy of its rows."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier as Theirs

from hedgerow import (
    AdaBoostClassifier,
    BaggingClassifier,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ExtraTreesClassifier,
    RandomForestClassifier,
    RandomForestRegressor,
    RuleListClassifier,
    evaluate,
)
from hedgerow.encode import Part, encode, part_of
from hedgerow.estimators.bag_members import take_rows
from hedgerow.evaluation.data import make_data
from hedgerow.evaluation.fold_rows import FoldRows, accepts_table
from hedgerow.evaluation.predictions import give_unseen
from hedgerow.evaluation.run import run_folds
from hedgerow.evaluation.splits import make_splits
from hedgerow.table import Table, to_table

RNG = np.random.default_rng(11)


def mixed(n=90):
    """Numbers with ties and gaps, text with a level that only one row has, a categorical with an unused level."""
    size = RNG.normal(size=n).round(1)
    size[::7] = np.nan
    town = RNG.choice(["bath", "york", "ely"], n).astype(object)
    town[5] = "wells"  # in one fold only: unseen by the model that is tested there
    town[8] = None
    kind = pd.Categorical(RNG.choice(["a", "b"], n), categories=["a", "b", "unused"])
    frame = pd.DataFrame({"size": size, "town": town, "kind": kind, "flag": RNG.random(n) > 0.5})
    y = np.where(np.nan_to_num(size) + (town == "ely") + 0.5 * RNG.normal(size=n) > 0.3, "yes", "no")
    y[5] = "rare"
    return frame, y


MODELS = {
    "plain": DecisionTreeClassifier(),
    "multiway": DecisionTreeClassifier(splits="multiway", missing="fractional", criterion="gain_ratio"),
    "surrogates": DecisionTreeClassifier(missing="surrogate", max_depth=3),
    "bins": DecisionTreeClassifier(max_bins=8),
    "random": DecisionTreeClassifier(max_features=2, random_state=4),
    "balanced": DecisionTreeClassifier(class_weight="balanced", max_leaf_nodes=5),
    "cost complexity": DecisionTreeClassifier(prune="cost_complexity"),
    "reduced error": DecisionTreeClassifier(prune="reduced_error"),
    "pessimistic": DecisionTreeClassifier(prune="pessimistic"),
    "rules": RuleListClassifier(),
    "forest": RandomForestClassifier(5, random_state=1, n_jobs=1),
    "extra trees": ExtraTreesClassifier(4, random_state=1, n_jobs=1),
    "bagging": BaggingClassifier(n_estimators=4, random_state=1, n_jobs=1),
    "adaboost": AdaBoostClassifier(n_estimators=4, random_state=1),
}


@pytest.mark.slow
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", list(MODELS))
@pytest.mark.parametrize("carrier", ["pandas", "polars", "array", "table"])
def test_shared_fits_are_separate_fits(name, carrier, weighted):
    frame, y = mixed()
    X = {
        "pandas": frame,
        "polars": pl.from_pandas(frame),
        "array": frame.to_numpy(dtype=object),
        "table": to_table(frame),
    }[carrier]
    model, weight = MODELS[name], RNG.uniform(0.5, 2, len(y)) if weighted else None
    data = make_data([model], X, y, sample_weight=weight)
    splits = make_splits(5, data)
    shared = run_folds({"m": model}, data, splits, n_jobs=1, show_progress=False)["m"]
    for part, result in zip(splits.parts, shared, strict=True):
        options = {} if weight is None else {"sample_weight": weight[part.train]}
        alone = clone(model).fit(take_rows(X, part.train), y[part.train], **options)
        assert result.failure == ""
        classes = data.classes[result.predictions.values]
        assert (classes == alone.predict(take_rows(X, part.test))).all()
        if hasattr(alone, "predict_proba"):
            is_known = np.isin(data.classes, alone.classes_)
            expected = np.zeros((len(part.test), len(data.classes)))
            expected[:, is_known] = alone.predict_proba(take_rows(X, part.test))
            expected = give_unseen(expected, is_known, len(part.train))
            assert (result.predictions.proba == expected).all()
        if hasattr(alone, "hedgerow_tree_"):
            assert result.size.count == alone.hedgerow_tree_.n_leaves


def test_shared_regressions_are_separate_fits():
    frame, _ = mixed()
    y = np.nan_to_num(frame["size"].to_numpy()) + RNG.normal(size=len(frame))
    data = make_data([DecisionTreeRegressor()], frame, y)
    splits = make_splits(4, data)
    for model in (
        DecisionTreeRegressor(min_samples_leaf=3),
        DecisionTreeRegressor(criterion="absolute_error", max_depth=4),
        RandomForestRegressor(4, random_state=2, n_jobs=1),
    ):
        shared = run_folds({"m": model}, data, splits, show_progress=False)["m"]
        for part, result in zip(splits.parts, shared, strict=True):
            alone = clone(model).fit(frame.iloc[part.train], y[part.train])
            assert (result.predictions.values == alone.predict(frame.iloc[part.test])).all()


@given(st.data())
def test_a_part_is_encoded_as_a_table_of_its_own(data):
    n = data.draw(st.integers(1, 40))
    cells = st.one_of(st.sampled_from([0.0, 1.5, -2.0, 7.25, np.nan]), st.floats(-1e6, 1e6))
    X = np.array(data.draw(st.lists(st.lists(cells, min_size=3, max_size=3), min_size=n, max_size=n)))
    rows = np.array(data.draw(st.lists(st.integers(0, n - 1), min_size=1, max_size=n)))
    table = to_table(X)
    whole = encode(table)
    part = part_of(table, whole.codes, tuple(whole.n_codes.tolist()), rows, (True,) * 3)
    for bins in (None, 4):
        shared, own = encode(part, max_bins=bins), encode(to_table(X[rows]), max_bins=bins)
        assert all(
            (a == b).all() and a.dtype == b.dtype for a, b in zip(shared.codes, own.codes, strict=True)
        )
        assert (shared.n_codes == own.n_codes).all()
        assert (shared.n_missing == own.n_missing).all()
        for a, b in zip(shared.edges, own.edges, strict=True):
            assert (a is None) == (b is None)
            assert a is None or (a == b).all()


def test_levels_of_a_part_are_its_own_if_found_and_all_if_declared():
    frame, y = mixed()
    data = make_data([DecisionTreeClassifier()], frame, y)
    rows = FoldRows(data)
    rows.prepare([DecisionTreeClassifier()])
    part = rows.training(0, np.array([0, 1, 2, 3]), DecisionTreeClassifier())
    assert isinstance(part, Part)
    own = to_table(frame.iloc[:4])
    assert [c.levels for c in part.columns] == [c.levels for c in own.columns]
    assert part.column("kind").levels == ("a", "b", "unused")


def test_models_share_one_part_and_others_get_the_rows_as_they_are():
    frame, y = mixed()
    data = make_data([DecisionTreeClassifier()], frame, y)
    rows = FoldRows(data)
    rows.prepare([DecisionTreeClassifier()])
    some = np.arange(20)
    assert rows.training(0, some, DecisionTreeClassifier()) is rows.training(0, some, RuleListClassifier())
    assert isinstance(rows.training(0, some, Theirs()), pd.DataFrame)
    assert isinstance(rows.test(some, DecisionTreeClassifier()), Table)
    first = rows.training(0, some, DecisionTreeClassifier())
    rows.release(0)
    assert rows.training(0, some, DecisionTreeClassifier()) is not first


def test_who_is_ours():
    assert accepts_table(DecisionTreeClassifier())
    assert not accepts_table(Theirs())
    assert not accepts_table(make_pipeline(StandardScaler(), DecisionTreeClassifier()))


@pytest.mark.slow
@pytest.mark.parametrize("model", [DecisionTreeClassifier(), Theirs(random_state=0)], ids=["ours", "theirs"])
def test_numbers_do_not_depend_on_n_jobs(model, monkeypatch):
    from hedgerow.evaluation import run as running

    monkeypatch.setattr(running, "MIN_SECONDS_PROCESS", 0.0)  # start workers at once
    monkeypatch.setattr(running, "MIN_SECONDS_THREAD", 0.0)
    X = RNG.normal(size=(240, 5))
    y = (X[:, 0] * X[:, 1] > 0).astype(int)
    one, two = (evaluate(model, X, y, cv=6, n_jobs=n) for n in (1, 2))
    for a, b in zip(one.scores, two.scores, strict=True):
        assert (a.value, a.low, a.high) == (b.value, b.low, b.high)
    with pytest.raises(ValueError, match="n_jobs=0 has no meaning"):
        evaluate(model, X, y, n_jobs=0)
