"""Scores without a row's own part, against their slow twin, and what they say about rules and exceptions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.gradient.engine import grow, sample
from tests.twins import gradient as twin

from hedgerow import HistGradientBoostingClassifier
from hedgerow.gradient import bin_table
from hedgerow.gradient import penalties as rule
from hedgerow.gradient.left_out import LeftOut, OwnPart, count_times
from hedgerow.gradient.sums import round_limbs
from hedgerow.table import to_table


def add(n, seed, threads, l2=0.7, times=3.5):
    codes, n_bins, has_missing, g, h = sample(n, 3, seed)
    tree = grow(codes, n_bins, has_missing, g, h, min_rows=2, l2=l2)
    scores = LeftOut(np.zeros((2, n)), None)
    scores.add(1, tree, 0.1 * tree.value, g, h, OwnPart(l2=l2, rate=0.1, times=times), threads)
    return tree, g, h, scores.scores


@given(
    st.integers(6, 200), st.integers(0, 10**6), st.sampled_from([0.0, 0.7, 4.0]), st.sampled_from([1.0, 4.5])
)
def test_a_row_is_left_out_of_its_leaf(n, seed, l2, times):
    tree, g, h, scores = add(n, seed, 1, l2, times)
    leaf_of_row = np.empty(n, np.int64)
    for t in np.flatnonzero(tree.first_child < 0):
        leaf_of_row[tree.rows[tree.begin[t] : tree.begin[t] + tree.n_rows[t]]] = t
    expected = twin.left_out_scores(leaf_of_row, g, h, l2, 0.1, times)
    np.testing.assert_allclose(scores[1], expected, rtol=1e-6, atol=1e-8)
    assert not scores[0].any()


def test_a_weight_of_two_is_a_row_twice():
    n = 31
    codes, n_bins, has_missing, g, h = sample(n, 3, 8)
    own = OwnPart(l2=0.7, rate=0.1, times=3.5)
    twice, weighed = LeftOut(np.zeros((1, 2 * n)), None), LeftOut(np.zeros((1, n)), np.full(n, 2.0))
    tree = grow(np.tile(codes, 2), n_bins, has_missing, np.tile(g, 2), np.tile(h, 2), min_rows=2, l2=0.7)
    twice.add(0, tree, 0.1 * tree.value, np.tile(g, 2), np.tile(h, 2), own, 1)
    tree = grow(codes, n_bins, has_missing, 2 * g, 2 * h, min_rows=1, l2=0.7)
    weighed.add(0, tree, 0.1 * tree.value, 2 * g, 2 * h, own, 1)
    np.testing.assert_allclose(twice.scores[0, :n], weighed.scores[0], rtol=1e-6)


def test_threads_do_not_change_a_bit():
    assert len({add(20_011, 5, threads)[3].tobytes() for threads in (1, 2, 3, 8)}) == 1


def test_a_row_without_weight_or_company_has_a_finite_score():
    scores = LeftOut(np.zeros((1, 2)), None)
    tree = grow(np.zeros((1, 2), np.uint8), [1], [0], [1.0, 0.0], [1e-3, 0.0])
    scores.add(0, tree, tree.value, np.array([1.0, 0.0]), np.array([1e-3, 0.0]), OwnPart(0.0, 1.0, 5.0), 1)
    assert np.isfinite(scores.scores).all()


def test_the_slope_is_that_of_a_factor():
    rng = np.random.default_rng(0)
    raw, y = rng.normal(size=(1, 500)), rng.integers(0, 2, 500)

    def loss(factor):
        return np.logaddexp(0.0, np.where(y, -1, 1) * factor * raw[0]).sum()

    gradient = 1 / (1 + np.exp(-raw)) - y
    found = round_limbs(LeftOut(raw, None).slope(gradient, 2))
    assert found == pytest.approx((loss(1 + 1e-6) - loss(1 - 1e-6)) / 2e-6, rel=1e-5)


def test_a_finer_search_takes_more_off():
    few, many = (bin_table(to_table(np.arange(400.0)[:, None] % k)) for k in (2, 200))
    assert (count_times(few), count_times(many)) == (1.0, pytest.approx(1 + np.log(199) / 2))


def rows_of(n_exceptions, n=1500):
    """Four classes by a rule; some rows, which nothing tells from the others, belong to another."""
    rng = np.random.default_rng(4)
    X = rng.integers(0, 5, (n, 8)).astype(float)
    y = np.select([X[:, 0] == 0, (X[:, 1] > 2) & (X[:, 2] < 3), X[:, 3] + X[:, 0] > 5], [0, 1, 2], 3)
    y[:n_exceptions] = (y[:n_exceptions] + 1) % 4
    return X, y


@pytest.mark.parametrize(("n_exceptions", "guarded"), [(0, False), (15, True)])
def test_exceptions_are_told_from_a_rule(monkeypatch, n_exceptions, guarded):
    rounds = []

    def spy(self):
        rounds.append(1)
        return guard(self)

    guard = rule.Penalties._guard
    monkeypatch.setattr(rule.Penalties, "_guard", spy)
    X, y = rows_of(n_exceptions)
    HistGradientBoostingClassifier(max_iter=60, early_stopping=False).fit(X, y)
    assert bool(rounds) == guarded


def test_exceptions_do_not_make_the_others_too_sure():
    """By rows the model has not seen, against what it had without the guard (0.163)."""
    X, y = rows_of(15)
    train = np.arange(len(y)) % 3 > 0
    model = HistGradientBoostingClassifier(max_iter=100, early_stopping=False).fit(X[train], y[train])
    shares = model.predict_proba(X[~train])[np.arange(np.sum(~train)), y[~train]]
    assert -np.log(shares).mean() < 0.13
