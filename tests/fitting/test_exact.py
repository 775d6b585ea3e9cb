"""Trees of bins have sums without an order: rows in another order give the same tree, to the bit."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.stream.tables import mixed, only

import hedgerow
from hedgerow.fitting.exact import round_weights, weight_unit, with_exact_sums
from hedgerow.gradient.sums import sum_limbs
from hedgerow.grow import Numbers
from hedgerow.grow.scale import scale_of

CASES = {
    "a tree": ("DecisionTreeRegressor", {}),
    "a tree of counts": ("DecisionTreeRegressor", {"criterion": "poisson"}),
    "best first": ("DecisionTreeRegressor", {"max_leaf_nodes": 20}),
    "monotone": ("DecisionTreeRegressor", {"monotonic_cst": {"x0": 1}}),
    "a forest": ("RandomForestRegressor", {"n_estimators": 3, "max_features": 2}),
    "drawn once": ("RandomForestRegressor", {"n_estimators": 3, "bootstrap": False, "max_samples": 0.5}),
    "class weights": ("RandomForestClassifier", {"n_estimators": 3, "class_weight": "balanced_subsample"}),
}


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("case", CASES)
def test_the_order_of_rows_does_not_change_a_bit(tmp_path, case, weighted):
    kind, given_ = CASES[case]
    frame = only(mixed(801), "number").to_pandas()
    orders = (np.arange(len(frame)), np.random.default_rng(3).permutation(len(frame)))
    found = []
    for order in orders:
        rows = frame.iloc[order]
        y = np.exp(rows["number"].to_numpy())
        y = y > 2 if kind.endswith("Classifier") else y
        model = getattr(hedgerow, kind)(max_bins=255, random_state=0, **given_)
        model.fit(rows.drop(columns=["number", "weight"]), y, rows["weight"].to_numpy() if weighted else None)
        hedgerow.save(model, tmp_path / "model.hedgerow")
        found.append((tmp_path / "model.hedgerow").read_bytes())
    assert found[0] == found[1]


@given(st.lists(st.floats(5e-324, 1.7e308), min_size=1, max_size=30), st.randoms())
def test_weights_are_rounded_so_that_their_sums_are_exact(weights, random):
    target = with_exact_sums(Numbers(np.zeros(len(weights)), np.array(weights)))
    assert all(weight > 0 for weight in target.weight)
    scale = scale_of(target, "squared_error")  # as they are added up
    rounded = scale.target.weight.tolist()
    shuffled = random.sample(rounded, len(rounded))
    assert sum(rounded) == sum(shuffled)
    np.testing.assert_allclose(sum(rounded), sum(np.ldexp(weights, scale.weight)), rtol=1e-13)


@pytest.mark.parametrize("unit", [1e-323, 1e-300, 1e300, 5e307])
def test_trees_of_tiny_and_huge_weights(unit):
    x = np.arange(60.0)
    model = hedgerow.DecisionTreeRegressor(max_bins=255).fit(x[:, None], x, np.full(60, unit))
    np.testing.assert_array_equal(model.predict(x[:, None]), x)


@given(st.lists(st.integers(0, 10**9), min_size=1))
def test_whole_weights_stay_as_they_are(weights):
    whole = np.array([1, *weights], np.float64)
    np.testing.assert_array_equal(round_weights(whole, weight_unit(sum_limbs(whole))), whole)


def test_an_outlier_costs_no_splits_below_it():
    """A grid of the whole tree would not know the small targets apart."""
    x = np.arange(1000.0)
    y = np.where(x < 999, np.floor(x / 100), 1e18)
    model = hedgerow.DecisionTreeRegressor(max_bins=255).fit(x[:, None], y)
    exact = hedgerow.DecisionTreeRegressor().fit(x[:, None], y)
    assert np.mean(model.predict(x[:900, None]) == y[:900]) > 0.98
    assert exact.predict(x[-1:, None])[0] == 1e18
