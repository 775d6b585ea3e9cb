"""The forest's walk against the walk of each tree."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.ensemble.forests import forest_of, table_of
from tests.ensemble.test_forest import some_forest

from hedgerow.encode import encode, matrix
from hedgerow.ensemble import predict
from hedgerow.ensemble.draws import draws_of
from hedgerow.ensemble.forest import grow_forest
from hedgerow.grow import Classes, Limits
from hedgerow.table import to_table
from hedgerow.tree import predict as of_tree


def by_tree(forest, rows):
    said = [of_tree.values(tree, rows) for tree in forest.trees]
    total = said[0].copy()
    for value in said[1:]:
        total += value
    return total / len(said), said


def check(forest, rows, threads=1):
    mean, said = by_tree(forest, rows)
    assert predict.values(forest, rows, threads).tobytes() == mean.tobytes()
    leaves = np.column_stack([of_tree.leaves(tree, rows) for tree in forest.trees])
    np.testing.assert_array_equal(predict.leaves(forest, rows, threads), leaves)
    if forest.n_outputs > 1:
        votes = np.mean([np.eye(forest.n_outputs)[value.argmax(axis=1)] for value in said], axis=0)
        np.testing.assert_allclose(predict.votes(forest, rows, threads), votes, atol=1e-15)
    for t in (0, len(said) - 1):
        np.testing.assert_array_equal(predict.tree_values(forest, t, rows), said[t])


@settings(deadline=None, max_examples=30)
@given(n=st.integers(1, 60), seed=st.integers(0, 999), wide=st.booleans(), columns=st.booleans())
def test_numbers(n, seed, wide, columns):
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(n, 5)).astype(np.float64 if wide else np.float32)
    rows[rng.random(rows.shape) < 0.1] = rng.choice([np.nan, np.inf, -np.inf, 1e30])
    check(some_forest(n_trees=19), np.asfortranarray(rows) if columns else rows)


@pytest.mark.parametrize("task", ["classes", "numbers"])
@pytest.mark.parametrize("n", [1, 9, 1500])
def test_categories_missing_cells_and_levels_never_seen(task, n):
    forest, _, _ = forest_of(task=task)
    table, _ = table_of(83, 0)
    schema = encode(table).schema
    rng = np.random.default_rng(n)
    new = to_table(
        {
            "number": rng.normal(size=n),
            "few": np.where(rng.random(n) < 0.2, np.nan, rng.integers(0, 9, n)),
            "word": rng.choice(["a", "c", "never", None], n).tolist(),
        }
    )
    check(forest, matrix(schema, new))


@pytest.mark.parametrize("threads", [2, 3, 8])
def test_threads_do_not_matter(threads):
    forest, rows = some_forest(), np.random.default_rng(0).normal(size=(5000, 5))
    assert predict.values(forest, rows).tobytes() == predict.values(forest, rows, threads).tobytes()


@pytest.mark.parametrize("limits", [{"multiway": True}, {"fractional": True}, {"surrogates": 3}])
def test_trees_that_fork_are_asked_one_by_one(limits):
    table, signal = table_of(150, 1)
    y = (signal > 0).astype(np.int32)
    draws = draws_of(table, y, None, how="bootstrap", seed=1)
    forest = grow_forest(encode(table), Classes(y, 2), "entropy", Limits(max_features=2, **limits), draws, 4)
    rows = matrix(encode(table).schema, table)
    np.testing.assert_allclose(predict.values(forest, rows), by_tree(forest, rows)[0], atol=1e-15)
    assert predict.votes(forest, rows).sum() == len(rows)
