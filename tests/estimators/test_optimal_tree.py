"""OptimalTreeClassifier and OptimalTreeRegressor: as good as any tree of their size, and honest about it."""

import numpy as np
import polars as pl
import pytest
from sklearn.exceptions import ConvergenceWarning
from tests.interrupted import said_when_interrupted

from hedgerow import (
    DecisionTreeClassifier,
    OptimalTreeClassifier,
    OptimalTreeRegressor,
    datasets,
    load,
    recipe,
    save,
)


def parity(n_rows=400, seed=0):
    """Two columns that say nothing alone, and noise."""
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(n_rows, 4)), 1)
    y = np.where((X[:, 1] > 0) ^ (X[:, 3] > 0), "odd", "even")
    return X, np.where(rng.random(n_rows) < 0.05, "odd", y)


def test_it_finds_what_greed_does_not():
    X, y = parity()
    greedy = DecisionTreeClassifier(max_depth=2).fit(X, y)
    best = OptimalTreeClassifier(max_depth=2, max_thresholds=None).fit(X, y)
    assert best.score(X, y) > greedy.score(X, y) + 0.2
    assert sorted(set(best.hedgerow_tree_.feature.tolist())) == [-1, 1, 3]


def test_the_certificate_says_what_the_tree_does():
    data = datasets.titanic()
    model = OptimalTreeClassifier(max_depth=None, max_leaf_nodes=5, max_thresholds=6).fit(
        data.table, data.target
    )
    wrong = int(np.count_nonzero(model.predict(data.table) != data.target))
    found = model.certificate_
    assert found.optimal
    assert (found.value, found.bound, found.gap) == (wrong, wrong, 0.0)
    assert model.get_n_leaves() == found.n_leaves <= 5
    assert str(found) == (
        f"No tree of at most 5 leaves on these {found.n_questions} questions makes fewer than {wrong} errors; "
        f"this one makes {wrong}."
    )


def test_time_runs_out_with_a_proved_gap():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(3000, 12)), rng.integers(0, 2, 3000)
    with pytest.warns(ConvergenceWarning, match=r"time_limit=0.05 was reached .* The search was stopped"):
        model = OptimalTreeClassifier(max_depth=5, time_limit=0.05).fit(X, y)
    found = model.certificate_
    assert not found.optimal
    assert 0 <= found.bound < found.value == np.count_nonzero(model.predict(X) != y)
    assert found.gap == found.value - found.bound


LONG = """
from hedgerow import OptimalTreeClassifier
rng = np.random.default_rng(0)
given = rng.integers(0, 2, (3000, 70)), rng.integers(0, 2, 3000)
model = OptimalTreeClassifier(max_depth=6, time_limit=None, n_jobs=int(sys.argv[1]))
"""


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_keeps_the_best_tree_so_far(jobs):
    assert said_when_interrupted(LONG, "certificate_", str(jobs)) == "interrupted True\n"


def test_balanced_error_and_costs():
    X, y = parity(seed=3)
    balanced = OptimalTreeClassifier(max_depth=1, class_weight="balanced").fit(X, y)
    by_class = [np.mean(balanced.predict(X[y == label]) != label) for label in ("even", "odd")]
    assert balanced.certificate_.measure == "balanced error"
    assert balanced.certificate_.value == pytest.approx(np.mean(by_class))
    costs = OptimalTreeClassifier(max_depth=1, cost_matrix=[[0, 1], [50, 0]]).fit(X, y)
    predicted = costs.predict(X)
    missed, spared = (
        np.count_nonzero((y == "odd") & (predicted == "even")),
        (y == "even") & (predicted == "odd"),
    )
    assert costs.certificate_.value == pytest.approx(50 * missed + np.count_nonzero(spared))
    assert np.mean(predicted == "odd") > 0.9  # to miss one is dear


def test_costs_that_are_more_than_weights_are_decided_by():
    rng = np.random.default_rng(4)
    X, y = rng.normal(size=(200, 3)), rng.integers(0, 3, 200)
    matrix = np.array([[0, 1, 9], [9, 0, 1], [1, 9, 0]])
    model = OptimalTreeClassifier(max_depth=2, cost_matrix=matrix, max_thresholds=5).fit(X, y)
    assert model.certificate_.value == pytest.approx(matrix[y, model.predict(X)].sum())
    assert set(np.unique(model.predict_proba(X))) <= {0.0, 1.0}


def test_numbers_and_a_price_for_leaves():
    rng = np.random.default_rng(5)
    X = rng.normal(size=(250, 3))
    y = np.where(X[:, 0] > 0, 3.0, 0.0) * (X[:, 1] > 0) + rng.normal(size=250) * 0.2
    model = OptimalTreeRegressor(max_depth=2).fit(X, y)
    assert model.certificate_.value == pytest.approx(np.mean((model.predict(X) - y) ** 2), rel=1e-9)
    dear = OptimalTreeRegressor(max_depth=3, ccp_alpha=0.05).fit(X, y)
    assert dear.get_n_leaves() < OptimalTreeRegressor(max_depth=3).fit(X, y).get_n_leaves()
    error = np.mean((dear.predict(X) - y) ** 2) + 0.05 * dear.get_n_leaves()
    assert dear.certificate_.value == pytest.approx(error, rel=1e-9)


def test_limits_of_leaves_hold():
    X, y = parity(seed=6)
    model = OptimalTreeClassifier(max_depth=3, min_samples_leaf=40).fit(X, y)
    assert model.hedgerow_tree_.n_rows[model.hedgerow_tree_.kind == 0].min() >= 40
    weight = np.random.default_rng(0).random(len(y))
    model = OptimalTreeClassifier(max_depth=3, min_weight_fraction_leaf=0.15).fit(X, y, weight)
    assert model.hedgerow_tree_.weight[model.hedgerow_tree_.kind == 0].min() >= 0.15 * weight.sum() * (
        1 - 1e-9
    )


def test_threads_change_nothing():
    rng = np.random.default_rng(7)
    X, y = rng.normal(size=(1500, 200)).round(1), rng.integers(0, 2, 1500)  # enough cells for threads
    y[X[:, 3] > X[:, 4]] = 1
    settings = {"max_depth": 3, "max_thresholds": 2}
    found = [
        OptimalTreeClassifier(**settings, n_jobs=n).fit(X[:, :160], y).hedgerow_tree_ for n in (1, 2, 3, 8)
    ]
    for other in found[1:]:
        assert np.array_equal(other.feature, found[0].feature)
        assert np.array_equal(other.threshold, found[0].threshold, equal_nan=True)


def test_text_missing_cells_many_classes_and_weights():
    rng = np.random.default_rng(0)
    town = rng.choice(np.array(["Bonn", "Köln", "Trier", None]), 90)
    frame = pl.DataFrame({"town": town.tolist(), "noise": rng.normal(size=90)})
    y = np.array([{"Bonn": "a", "Köln": "b", "Trier": "c"}.get(one, "none") for one in town])
    y[:3] = "a"
    weight = np.where(np.arange(90) < 3, 0.0, rng.integers(1, 4, 90))
    model = recipe("optimal", max_depth=3, max_thresholds=2).fit(frame, y, weight)
    assert model.certificate_.optimal
    assert model.certificate_.value == 0
    assert np.array_equal(model.predict(frame)[3:], y[3:])
    assert model.get_n_leaves() == 4
    assert "missing" in model.export("rules")


def test_a_loaded_model_keeps_its_certificate(tmp_path):
    data = datasets.titanic()
    model = OptimalTreeClassifier(max_depth=2, max_thresholds=5).fit(data.table, data.target)
    save(model, tmp_path / "best.hedgerow")
    again = load(tmp_path / "best.hedgerow")
    assert again.certificate_ == model.certificate_
    assert np.array_equal(again.predict(data.table), model.predict(data.table))
    assert again.to_text() == model.to_text()
    assert again.export("rules") == model.export("rules")
    assert "<svg" in again.to_svg()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"max_depth": None}, "leave the size of the tree open"),
        ({"max_depth": 0}, "max_depth=0 is out of range"),
        ({"max_leaf_nodes": 1}, "max_leaf_nodes=1 is out of range"),
        ({"time_limit": -1}, "time_limit=-1 is out of range. Give a number of seconds above 0"),
        ({"max_thresholds": 0}, "max_thresholds=0 is out of range"),
        ({"max_subset_size": 1.5}, "max_subset_size=1.5 is out of range"),
        ({"cost_matrix": [1, 2]}, "is no square table of numbers"),
        ({"cost_matrix": [[0, -1], [1, 0]]}, "costs less than the right one"),
        ({"cost_matrix": np.ones((3, 3))}, "has 3 rows, but y has 2 classes"),
    ],
)
def test_bad_parameters_say_what_is_wanted(given, message):
    X, y = parity(20)
    with pytest.raises(ValueError, match=message):
        OptimalTreeClassifier(**given).fit(X, y)
