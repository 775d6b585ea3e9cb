"""Slim trees: the same trees in a tenth of the bytes."""

import copy
import pickle
import subprocess
import sys
import textwrap
from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hedgerow.core import native
from hedgerow.encode import encode
from hedgerow.ensemble.draws import draws_of
from hedgerow.ensemble.forest import Forest, grow_forest
from hedgerow.ensemble.pack import pack
from hedgerow.ensemble.trees import Slim, Trees
from hedgerow.grow import Classes, Limits
from hedgerow.table import to_table
from hedgerow.tree.check import check
from hedgerow.tree.tree import Tree


def forests(seed=0, n=400, classes=3, criterion="gini", missing=0.0, n_trees=4, **limits):
    """The same forest twice: slim, and (a weight of one for each class keeps it from being so) of Trees."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 5))
    X[:, 1] = np.round(X[:, 1])
    X[rng.random(X.shape) < missing] = np.nan
    y = rng.integers(0, classes, n).astype(np.int32)
    table = to_table(X.astype(np.float32))
    rows, draws = encode(table), draws_of(table, y, None, how="bootstrap", seed=seed)
    given = (rows, Classes(y, classes), criterion, Limits(max_features=2, **limits), draws, n_trees)
    return grow_forest(*given), grow_forest(*given, class_weight=np.ones(classes)), X.astype(np.float32)


def same(one: Tree, other: Tree) -> None:
    for field in fields(Tree):
        np.testing.assert_array_equal(getattr(one, field.name), getattr(other, field.name), field.name)


@given(
    seed=st.integers(0, 2**31),
    n=st.integers(2, 300),
    classes=st.integers(2, 40),
    criterion=st.sampled_from(["gini", "entropy", "misclassification"]),
    missing=st.sampled_from([0.0, 0.2]),
    random_splits=st.booleans(),
    min_rows_leaf=st.sampled_from([1, 4]),
)
@settings(max_examples=60, deadline=None)
def test_slim_trees_are_the_whole_ones_to_the_last_bit(seed, n, classes, **given):
    slim, whole, _ = forests(seed, n, classes, n_trees=2, **given)
    assert all(isinstance(part, Slim) for part in slim.trees.parts)
    assert all(isinstance(part, Tree) for part in whole.trees.parts)
    for one, other in zip(slim.trees, whole.trees, strict=True):
        check(one)
        same(one, other)


@pytest.mark.parametrize("narrow", [True, False])
def test_packing_does_not_ask_which(narrow):
    slim, whole, _ = forests(missing=0.1, classes=7)
    one, other = pack(slim, narrow=narrow), pack(whole, narrow=narrow)
    assert one.feature_bits == other.feature_bits
    for name in ("nodes", "start", "words", "table"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


def test_a_sequence_of_trees():
    slim, whole, _ = forests(n_trees=5)
    trees = slim.trees
    assert len(trees) == 5
    assert trees.sizes == [tree.n_nodes for tree in whole.trees]
    held = trees[1]
    assert trees[1] is held
    assert trees[-4] is held
    same(trees[-1], whole.trees[4])
    with pytest.raises(IndexError):
        trees[5]
    assert isinstance(trees[1:3], Trees)
    assert trees[1:3].sizes == trees.sizes[1:3]
    assert (trees[:2] + trees[2:]).sizes == trees.sizes
    assert (trees[:2] + tuple(whole.trees[2:])).sizes == trees.sizes
    assert isinstance(Forest(tuple(whole.trees), slim.draws).trees, Trees)


@pytest.mark.parametrize("again", [copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_copies(again):
    slim, whole, _ = forests()
    for one, other in zip(again(slim).trees, whole.trees, strict=True):
        same(one, other)


def test_bytes_a_node():
    slim, whole, _ = forests(n=3000, classes=7)
    nodes, leaves = sum(slim.trees.sizes), sum(tree.n_leaves for tree in whole.trees)
    parts = slim.trees.parts
    assert (
        sum(part.n_bytes - part.table.nbytes for part in parts)
        == 4 * nodes + 12 * (nodes - leaves) + 8 * leaves
    )
    assert sum(part.n_bytes for part in parts) < 20 * nodes
    whole_bytes = sum(getattr(tree, field.name).nbytes for tree in whole.trees for field in fields(Tree))
    assert whole_bytes > 100 * nodes


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_memory_while_training_is_what_the_page_says():
    """docs/ensembles.md, with half as much again and a few megabytes for the allocator."""
    code = """
        from pathlib import Path
        import numpy as np
        from hedgerow import RandomForestClassifier

        def status(field):
            lines = Path("/proc/self/status").read_text().splitlines()
            return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(field))

        rng = np.random.default_rng(0)
        n, d, classes, trees, threads = 20_000, 10, 7, 60, 2
        X, y = rng.normal(size=(n, d)).astype(np.float32), rng.integers(0, classes, n)
        model = RandomForestClassifier(trees, n_jobs=threads, random_state=0).fit(X[:300], y[:300])
        before = status("VmRSS")
        model.fit(X, y)
        nodes = sum(model.forest_.trees.sizes)
        growing = threads * (60 * 0.64 * n + (130 + 16 * classes) * nodes / trees)
        print(status("VmHWM") - before, 20 * n * d + growing + 14 * nodes)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=True
    )
    peak, stated = map(float, done.stdout.split())
    assert peak < 1.5 * stated + 12e6


@pytest.mark.parametrize(
    ("at", "change"),
    [
        (0, lambda a: a[:-1]),
        (0, lambda a: np.where(a >= 0, 0, a).astype(np.int32)),
        (0, lambda a: np.where(a >= 0, len(a), a).astype(np.int32)),
        (0, lambda a: a[:0]),
        (1, lambda a: a[:-1]),
        (2, lambda a: a[1:]),
        (3, lambda a: a[1:]),
        (4, lambda a: a[1:]),
        (4, lambda a: a + np.uint32(10_000)),
        (5, lambda a: a[:0]),
    ],
)
def test_arrays_that_are_no_tree(at, change):
    arrays = list(forests()[0].trees.parts[0].arrays)
    arrays[at] = np.ascontiguousarray(change(arrays[at]))
    with pytest.raises(ValueError, match=r"agree|parent|table|entries"):
        native.made_whole(tuple(arrays), "gini")


def test_a_criterion_without_slim_trees():
    with pytest.raises(ValueError, match="squared_error"):
        native.made_whole(forests()[0].trees.parts[0].arrays, "squared_error")
