"""The forest's grower against the single tree's: tree by tree the same."""

import signal
import subprocess
import sys
import textwrap
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.twins.forest import tree_seed

from hedgerow.encode import encode
from hedgerow.ensemble.draws import draws_of
from hedgerow.ensemble.forest import grow_forest, tree_weight
from hedgerow.grow import Classes, Limits, Numbers, grow
from hedgerow.table import to_table

CLASSES, NUMBERS = ("gini", "entropy", "misclassification", "gain_ratio"), ("squared_error", "poisson")


def same(one, other):
    for name in vars(one):
        if name.startswith("surrogate") or not isinstance(getattr(one, name), np.ndarray):
            continue
        a, b = getattr(one, name), getattr(other, name)
        assert a.shape == b.shape, name
        if name in ("value", "weight", "impurity"):
            np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-14, err_msg=name)
        else:
            np.testing.assert_array_equal(a, b, err_msg=name)


def table_of(rng, n, d, missing, categories):
    columns = {}
    for j in range(d):
        draw = [rng.normal(size=n), rng.integers(0, 5, n) * 1.0, rng.normal(size=n).round(1)][j % 3]
        columns[f"x{j}"] = np.where(rng.random(n) < missing, np.nan, draw)
    frame = pd.DataFrame(columns)
    if categories:
        frame["c"] = rng.choice(list("abcdefghijklmnop")[: int(rng.integers(2, 17))], n)
        if missing:
            frame.loc[rng.random(n) < missing, "c"] = None
    return to_table(frame)


@settings(deadline=None, max_examples=120)
@given(
    n=st.integers(2, 400),
    d=st.integers(1, 7),
    seed=st.integers(0, 10**6),
    missing=st.sampled_from([0.0, 0.0, 0.2]),
    categories=st.booleans(),
    bins=st.sampled_from([None, None, 8]),
    weights=st.sampled_from(["none", "none", "whole", "real"]),
    how=st.sampled_from(["all", "bootstrap", "bootstrap", "subsample"]),
    criterion=st.sampled_from([*CLASSES, *NUMBERS, "gini", "gini"]),
    random_splits=st.booleans(),
    leaf=st.sampled_from([1, 1, 3]),
    balanced=st.booleans(),
)
def test_each_tree_is_the_single_tree_of_its_seed_and_weights(
    n, d, seed, missing, categories, bins, weights, how, criterion, random_splits, leaf, balanced
):
    rng = np.random.default_rng(seed)
    table = table_of(rng, n, d, missing, categories)
    k = int(rng.integers(2, 6))
    codes = rng.integers(0, k, n).astype(np.int32)
    target = (
        Classes(codes, k) if criterion in CLASSES else Numbers(np.abs(rng.normal(size=n)).round(2) + 0.01)
    )
    weight = {"none": None, "whole": rng.integers(0, 4, n) * 1.0, "real": rng.random(n)}[weights]
    if weight is not None:
        weight[0] = 1.0
    if criterion == "gain_ratio":
        random_splits = False
    rows = encode(table, max_bins=bins)
    limits = Limits(
        max_features=int(rng.integers(1, len(table.columns) + 1)),
        min_rows_leaf=leaf,
        max_depth=int(rng.integers(1, 40)),
        random_splits=random_splits,
        min_decrease=float(rng.choice([0.0, 0.001])),
    )
    draws = draws_of(table, codes, weight, how=how, size=0.8 if how == "subsample" else None, seed=seed)
    forest = grow_forest(rows, target, criterion, limits, draws, 2, first_tree=3, balanced=balanced)
    for t, tree in enumerate(forest.trees, start=3):
        own = replace(target, weight=tree_weight(target, draws, t, None, balanced))
        same(tree, grow(rows, own, criterion, limits, seed=tree_seed(seed, t)))


@pytest.mark.parametrize("classes", [2, 7])
@pytest.mark.parametrize("random_splits", [False, True])
def test_large_nodes_too(classes, random_splits):
    """Buckets, blocks of rows, columns of few and of many values, equal rows."""
    rng = np.random.default_rng(classes)
    X = rng.normal(size=(9000, 6)).astype(np.float32)
    X[:, 1], X[:, 2] = X[:, 1].round(1), np.exp(3 * X[:, 2])
    X[4000:5000] = X[:1000]
    y = (rng.integers(0, classes, 9000) * (X[:, 0] + X[:, 3] > 0)).astype(np.int32)
    table = to_table(X)
    rows, target = encode(table), Classes(y, classes)
    limits = Limits(max_features=2, random_splits=random_splits)
    draws = draws_of(table, y, None, how="bootstrap", seed=4)
    forest = grow_forest(rows, target, "gini", limits, draws, 2, threads=2)
    for t, tree in enumerate(forest.trees):
        own = replace(target, weight=tree_weight(target, draws, t))
        same(tree, grow(rows, own, "gini", limits, seed=tree_seed(4, t)))


@pytest.mark.parametrize("criterion", ["gini", "squared_error", "absolute_error"])
@pytest.mark.parametrize("weighted", [False, True])
def test_all_columns_and_no_draw_give_the_single_tree(criterion, weighted):
    rng = np.random.default_rng(7)
    table = table_of(rng, 300, 5, 0.1, True)
    y = rng.integers(0, 3, 300)
    target = Classes(y.astype(np.int32), 3) if criterion == "gini" else Numbers(rng.normal(size=300))
    weight = rng.random(300) * (rng.random(300) < 0.8) if weighted else None
    rows, limits = encode(table), Limits(max_features=6)
    draws = draws_of(table, y, weight, how="all", seed=1)
    single = grow(rows, replace(target, weight=weight), criterion, limits, seed=99)
    for tree in grow_forest(rows, target, criterion, limits, draws, 3).trees:
        same(tree, single)


def some_forest(**options):
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(700, 5)), rng.integers(0, 3, 700).astype(np.int32)
    table = to_table(X)
    draws = draws_of(table, y, None, how="bootstrap", seed=2)
    n_trees = options.pop("n_trees", 6)
    return grow_forest(
        encode(table), Classes(y, 3), "gini", Limits(max_features=2), draws, n_trees, **options
    )


@pytest.mark.parametrize("threads", [2, 3, 8])
def test_threads_do_not_matter(threads):
    for one, other in zip(some_forest().trees, some_forest(threads=threads).trees, strict=True):
        for name in ("feature", "threshold", "value", "impurity", "first_child"):
            assert getattr(one, name).tobytes() == getattr(other, name).tobytes()


def test_growing_on_is_growing_more():
    parts = some_forest(n_trees=2).with_more(some_forest(n_trees=4, first_tree=2))
    for one, other in zip(some_forest().trees, parts.trees, strict=True):
        assert one.threshold.tobytes() == other.threshold.tobytes()


def test_a_tie_between_drawn_columns_goes_to_the_first_drawn():
    x = np.arange(40.0)
    table, y = to_table(np.column_stack([x, x, np.zeros(40)])), (x > 19).astype(np.int32)
    draws = draws_of(table, y, None, how="all", seed=4)
    for drawn, wanted in ((2, {0, 1}), (3, {0})):
        limits = Limits(max_features=drawn)
        trees = grow_forest(encode(table), Classes(y, 2), "gini", limits, draws, 30).trees
        assert {int(tree.feature[0]) for tree in trees} == wanted


def test_progress_counts_to_the_end():
    seen = []
    some_forest(progress=lambda done, wanted: seen.append((done, wanted)), threads=2)
    assert seen[-1] == (6, 6)
    assert [done for done, _ in seen] == sorted({done for done, _ in seen})


def test_huge_and_tiny_numbers():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(200, 3)) * np.array([1e300, 1e-300, 1.0])
    for unit in (1e200, 1e-200):
        y = rng.normal(size=200) * unit
        table = to_table(X)
        draws = draws_of(table, y, None, how="bootstrap", seed=1)
        tree = grow_forest(
            encode(table), Numbers(y), "squared_error", Limits(max_features=3), draws, 1
        ).trees[0]
        assert tree.n_leaves > 50
        assert np.isfinite(tree.value).all()


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_interrupt_ends_growing():
    code = """
        import numpy as np
        from hedgerow.encode import encode
        from hedgerow.ensemble.draws import draws_of
        from hedgerow.ensemble.forest import grow_forest
        from hedgerow.grow import Classes, Limits
        from hedgerow.table import to_table
        rng = np.random.default_rng(0)
        X, y = rng.normal(size=(30000, 10)), rng.integers(0, 2, 30000).astype(np.int32)
        table = to_table(X)
        rows, draws = encode(table), draws_of(table, y, None, how="bootstrap")
        try:
            print("go", flush=True)
            grow_forest(rows, Classes(y, 2), "gini", Limits(max_features=3), draws, 5000, threads=2)
        except KeyboardInterrupt:
            print("stopped")
    """
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "go\n"
    for _ in range(200):  # until the signal has been seen: the loop may not have begun
        process.send_signal(signal.SIGINT)
        try:
            process.wait(0.25)
            break
        except subprocess.TimeoutExpired:
            continue
    assert "stopped" in process.stdout.read()
