import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.twins import forest as twin

from hedgerow.core import native
from hedgerow.ensemble.draws import draws_of, row_hashes
from hedgerow.table import to_table

KINDS = ["none", "whole", "real"]


def sample(n, seed, weights):
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.integers(0, 3, n), rng.normal(size=n).round(1)]).astype(float)
    weight = {"none": None, "whole": rng.integers(0, 4, n).astype(float), "real": rng.random(n)}[weights]
    if weight is not None:
        weight[0] = 1.0
    return X, rng.integers(0, 3, n), weight


@settings(deadline=None, max_examples=60)
@given(
    n=st.integers(2, 40),
    seed=st.integers(0, 9999),
    weights=st.sampled_from(KINDS),
    how=st.sampled_from(["all", "bootstrap", "subsample"]),
    share=st.sampled_from([None, 0.3, 1]),
)
def test_counts_are_those_of_the_twin(n, seed, weights, how, share):
    X, y, weight = sample(n, seed, weights)
    draws = draws_of(to_table(X), y, weight, how=how, size=share, seed=seed)
    for tree in (0, 1, 77):
        counts = draws.counts(tree)
        np.testing.assert_array_equal(counts, twin.counts(draws, tree))
        positive = np.ones(n, bool) if weight is None else weight > 0
        assert not counts[~positive].any()
        np.testing.assert_array_equal(draws.oob(tree), positive & (counts == 0))
        if how != "all":
            assert counts.sum() == draws.size


def test_tree_seeds_and_hashes_are_those_of_the_twin():
    X = np.array([[0.0, np.nan, 1e300], [-0.0, -np.nan, 1e300], [1.5, -2.0, 1e-300]])
    hashes = row_hashes(to_table(X).columns, 3)
    assert hashes.tolist() == [twin.row_hash(row) for row in X]
    assert hashes[0] == hashes[1] != hashes[2]
    halves = np.array([[0.5, -3.25]])
    assert row_hashes(to_table(halves).columns, 1) == row_hashes(
        to_table(halves.astype(np.float32)).columns, 1
    )
    assert [native.tree_seed(5, t) for t in range(4)] == [twin.tree_seed(5, t) for t in range(4)]


@pytest.mark.parametrize("seed", range(5))
def test_with_a_number_of_draws_a_row_of_weight_three_is_three_rows_in_any_order(seed):
    X, y, weight = sample(17, seed, "whole")
    draws = draws_of(to_table(X), y, weight, how="bootstrap", size=13, seed=seed)
    repeat = np.repeat(np.arange(17), weight.astype(int))
    np.random.default_rng(seed).shuffle(repeat)
    written = draws_of(to_table(X[repeat]), y[repeat], None, how="bootstrap", size=13, seed=seed)
    for tree in range(3):
        one, many = draws.counts(tree), written.counts(tree)

        def total(rows, counts):
            keys = [(*X[r], y[r]) for r in rows]
            return {k: sum(int(c) for q, c in zip(keys, counts, strict=True) if q == k) for k in set(keys)}

        first = {k: v for k, v in total(range(17), one).items() if v}
        assert first == {k: v for k, v in total(repeat, many).items() if v}


def test_categories_draw_by_their_names_not_their_numbers():
    draws = [
        draws_of(to_table({"a": list(names)}), np.zeros(6, int), None, how="bootstrap", seed=3)
        for names in ("xyzxyw", "wyxzyx")
    ]
    counts = [
        {name: int(d.counts(0)[[n == name for n in names]].sum()) for name in "wxyz"}
        for d, names in zip(draws, ("xyzxyw", "wyxzyx"), strict=True)
    ]
    assert counts[0] == counts[1]


def test_bootstrap_leaves_out_about_37_percent_and_draws_evenly():
    X = np.random.default_rng(0).normal(size=(2000, 2))
    draws = draws_of(to_table(X), np.zeros(2000), None, how="bootstrap", seed=1)
    total = sum(draws.counts(t).astype(int) for t in range(100))
    assert abs(np.mean([draws.oob(t).mean() for t in range(100)]) - np.exp(-1)) < 0.002
    assert abs(total.mean() - 100) < 1e-9
    assert abs(total.std() - 10) < 0.6


def test_more_rows_than_there_are_cannot_be_drawn_without_replacement():
    with pytest.raises(ValueError, match="without drawing one twice"):
        draws_of(to_table(np.zeros((3, 1))), np.zeros(3), None, how="subsample", size=4)


@pytest.mark.parametrize("how", ["all", "bootstrap", "subsample"])
@pytest.mark.parametrize("constant", [50.0, 50.5, 1e12, 1e-300])
def test_a_constant_weight_is_no_weight(how, constant):
    X, y, _ = sample(23, 1, "none")
    plain = draws_of(to_table(X), y, None, how=how, size=0.7, seed=3)
    heavy = draws_of(to_table(X), y, np.full(23, constant), how=how, size=0.7, seed=3)
    assert (plain.size, heavy.weight) == (heavy.size, None)
    np.testing.assert_array_equal(plain.counts(5), heavy.counts(5))


def test_there_are_as_many_draws_as_rows_that_count():
    weight = np.array([1e12, 3e12, 0.0, 2e12])
    draws = draws_of(to_table(np.arange(4.0)[:, None]), np.zeros(4), weight, how="bootstrap")
    assert draws.size == 3
    some = draws_of(to_table(np.arange(4.0)[:, None]), np.zeros(4), weight / 1e12, how="bootstrap")
    np.testing.assert_array_equal(draws.counts(2), some.counts(2))
